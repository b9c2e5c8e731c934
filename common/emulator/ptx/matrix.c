/* Decodes instructions on small matrices: mma, wmma, ldmatrix, stmatrix, movmatrix.
 *
 * Each lane holds some elements of a matrix in its registers. For D = A·B + C of shape M×N×K,
 * element e of register r of lane 4g + t is the following element of a matrix. E is the number of
 * elements of A or B in a register; the elements of C are numbered by i.
 *
 *   A   row g + 8 (r mod M/8)                  column E·t + e + 4E (r / (M/8))
 *   B   row E·t + e + 4E (r mod K/4E)          column g + 8 (r / (K/4E))
 *   C   row g + 8 (i/2 mod M/8)                column 2t + i mod 2 + 8 (i/2 / (M/8)), i-th element
 *
 * PTX ISA 9.0 specifies this layout for every mma except m8n8k4 of halves. PTX does not specify the
 * layout for wmma; the emulated device uses the same layout. Therefore all products have one form
 * (PTX_MMA). A wmma load or store of a matrix becomes loads or stores of single registers. ldmatrix
 * becomes a load of 16 bytes per lane and an exchange between lanes (PTX_ROWS). */
#include <stdio.h>

#include "ptx.h"

enum { MOST_REGISTERS = 16, ROW = 8, GROUP = 4 /* GROUP: number of lanes that hold one row */ };

static const struct ElementKind {
  const char *name;
  uint8_t element, bits;
} kinds[] = {{"f16", PTX_E_F16, 16}, {"bf16", PTX_E_BF16, 16}, {"tf32", PTX_E_TF32, 32},
             {"f32", PTX_E_F32, 32}, {"f64", PTX_E_F64, 64},   {"s8", PTX_E_S8, 8},
             {"u8", PTX_E_U8, 8},    {"s4", PTX_E_S4, 4},      {"u4", PTX_E_U4, 4},
             {"b1", PTX_E_B1, 1},    {"s32", PTX_E_S32, 32},   {"e4m3", PTX_E_E4M3, 8},
             {"e5m2", PTX_E_E5M2, 8}};

static unsigned bits_of(uint8_t element) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].element == element)
      return kinds[i].bits;
  return 0;
}
unsigned ptx_elements_in(uint8_t element) {
  return element == PTX_E_F64 ? 1 : 32 / bits_of(element);
}

static const struct Shape {
  uint8_t element, m, n;
  uint16_t k;
  /* True: a shape of wmma. False: a shape of mma. */
  bool whole;
} shapes[] = {
    {PTX_E_F64, 8, 8, 4, false},    {PTX_E_F64, 16, 8, 4, false},   {PTX_E_F64, 16, 8, 8, false},
    {PTX_E_F64, 16, 8, 16, false},  {PTX_E_F16, 16, 8, 8, false},   {PTX_E_F16, 16, 8, 16, false},
    {PTX_E_BF16, 16, 8, 8, false},  {PTX_E_BF16, 16, 8, 16, false}, {PTX_E_TF32, 16, 8, 4, false},
    {PTX_E_TF32, 16, 8, 8, false},  {PTX_E_S8, 8, 8, 16, false},    {PTX_E_S8, 16, 8, 16, false},
    {PTX_E_S8, 16, 8, 32, false},   {PTX_E_S4, 8, 8, 32, false},    {PTX_E_S4, 16, 8, 32, false},
    {PTX_E_S4, 16, 8, 64, false},   {PTX_E_B1, 8, 8, 128, false},   {PTX_E_B1, 16, 8, 128, false},
    {PTX_E_B1, 16, 8, 256, false},  {PTX_E_E4M3, 16, 8, 16, false}, {PTX_E_E4M3, 16, 8, 32, false},
    {PTX_E_F16, 16, 16, 16, true},  {PTX_E_F16, 32, 8, 16, true},   {PTX_E_F16, 8, 32, 16, true},
    {PTX_E_BF16, 16, 16, 16, true}, {PTX_E_BF16, 32, 8, 16, true},  {PTX_E_BF16, 8, 32, 16, true},
    {PTX_E_S8, 16, 16, 16, true},   {PTX_E_S8, 32, 8, 16, true},    {PTX_E_S8, 8, 32, 16, true},
    {PTX_E_TF32, 16, 16, 8, true},  {PTX_E_F64, 8, 8, 4, true},     {PTX_E_S4, 8, 8, 32, true},
    {PTX_E_B1, 8, 8, 128, true}};

/* Returns the type under which the shapes of `element` are listed in `shapes`. Signed and unsigned
 * types have the same shapes, and so do the two 8-bit floats. */
static uint8_t family(uint8_t element) {
  return element == PTX_E_U8     ? PTX_E_S8
         : element == PTX_E_U4   ? PTX_E_S4
         : element == PTX_E_E5M2 ? PTX_E_E4M3
                                 : element;
}

/* ---- opcodes --------------------------------------------------------------------------------- */
/* The modifiers in the opcode of a matrix instruction. `column`: for each layout, true for col,
 * false for row. */
typedef struct Words {
  unsigned m, n, k;
  uint8_t type[4], ntypes;
  bool column[2];
  uint8_t nlayouts;
  uint8_t operation;
  bool saturates;
  PtxSpace space;
} Words;

static bool shape_word(Slice part, Words *words) {
  char text[24], rest;
  snprintf(text, sizeof text, "%.*s", (int)part.length, part.start);
  return part.length < sizeof text &&
         sscanf(text, "m%un%uk%u%c", &words->m, &words->n, &words->k, &rest) == 3;
}

static bool type_word(Slice part, Words *words) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (slice_is(part, kinds[i].name) && words->ntypes < 4) {
      words->type[words->ntypes++] = kinds[i].element;
      return true;
    }
  return false;
}

static Words read_words(Decoder *decoder, uint32_t first) {
  Words words = {.space = PTX_GENERIC};
  for (uint32_t i = first; i < decoder->nparts; i++) {
    const Slice part = decoder->part[i];
    if ((slice_is(part, "row") || slice_is(part, "col")) && words.nlayouts < 2)
      words.column[words.nlayouts++] = slice_is(part, "col");
    else if (slice_is(part, "global"))
      words.space = PTX_GLOBAL;
    else if (slice_is(part, "shared") || slice_is(part, "shared::cta"))
      words.space = PTX_SHARED;
    else if (slice_is(part, "xor") || slice_is(part, "and"))
      words.operation = slice_is(part, "xor") ? PTX_MATRIX_XOR : PTX_MATRIX_AND;
    else if (slice_is(part, "satfinite"))
      words.saturates = true;
    else if (!shape_word(part, &words) && !type_word(part, &words) && !slice_is(part, "sync") &&
             !slice_is(part, "aligned") && !slice_is(part, "popc") && !slice_is(part, "rn"))
      refuse_opcode(decoder);
  }
  return words;
}

static void require_shape(Decoder *decoder, const Words *words, uint8_t element, bool whole) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const struct Shape *s = &shapes[i];
    if (s->element == family(element) && s->whole == whole && s->m == words->m &&
        s->n == words->n && s->k == words->k)
      return;
  }
  refuse_opcode(decoder);
}

/* ---- registers ------------------------------------------------------------------------------- */
static uint32_t needed(const Words *words, uint8_t element, char operand) {
  const unsigned per = ptx_elements_in(element), lanes = 32;
  switch (operand) {
  case 'a':
    return words->m * words->k / (per * lanes);
  case 'b':
    return words->n * words->k / (per * lanes);
  default:
    return words->m * words->n / (per * lanes);
  }
}

/* Writes the registers of an operand, which is a list in braces or a single register, to `list`.
 * Returns the number of registers, which must be `least`. If `more`, it may be larger: wmma has
 * eight registers for a matrix of halves, and only the first `least` are used. */
static uint32_t registers_of(Decoder *decoder, const Operand *operand, uint8_t element,
                             uint32_t least, bool more, bool writes, uint32_t *list) {
  const PtxType type = element == PTX_E_F64 ? PTX_F64 : element == PTX_E_F32 ? PTX_F32 : PTX_B32;
  const Operand *part = operand->kind == OPERAND_VECTOR ? operand->parts : operand;
  uint32_t n = 0;
  for (; part && n < MOST_REGISTERS; part = operand->kind == OPERAND_VECTOR ? part->next : NULL)
    list[n++] = writes ? target_operand(decoder, part, type) : source_operand(decoder, part, type);
  if (part || n < least || (n > least && !more))
    refuse_opcode(decoder);
  return n;
}

static bool integral(uint8_t element) {
  return element == PTX_E_S8 || element == PTX_E_U8 || element == PTX_E_S4 || element == PTX_E_U4 ||
         element == PTX_E_B1;
}

static void check_types(Decoder *decoder, const Words *words, const uint8_t *d_a_b_c) {
  const uint8_t d = d_a_b_c[0], a = d_a_b_c[1], b = d_a_b_c[2], c = d_a_b_c[3];
  const bool eight = family(a) == PTX_E_E4M3;
  const bool sums = a == PTX_E_F64 ? d == PTX_E_F64 && c == d
                    : integral(a)  ? d == PTX_E_S32 && c == d
                    : a == PTX_E_F16 || eight
                        ? (d == PTX_E_F16 || d == PTX_E_F32) && (c == PTX_E_F16 || c == PTX_E_F32)
                        : d == PTX_E_F32 && c == d;
  if (!sums || family(a) != family(b) ||
      (a == PTX_E_B1) != (words->operation != PTX_MATRIX_PRODUCT))
    refuse_opcode(decoder);
}

static PtxInsn *emit_meeting(Decoder *decoder, PtxForm form, const uint32_t *list, uint32_t count,
                             uint32_t written) {
  const uint32_t everybody = constant(decoder, 4, PTX_VALUE, 0, UINT32_MAX);
  uint32_t *copy = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, count);
  memcpy(copy, list, count * sizeof *copy);
  flow_cut(decoder);
  PtxInsn *insn = emit(decoder, form, PTX_B32);
  flow_cut(decoder);
  insn->mask = everybody;
  insn->list = copy;
  insn->count = (uint8_t)count;
  insn->sub = (uint8_t)written;
  return insn;
}

static void decode_product(Decoder *decoder, const Words *words, const uint8_t *type, bool whole) {
  uint32_t list[4 * MOST_REGISTERS];
  expect_operands(decoder, 4, 4);
  require_shape(decoder, words, type[1], whole);
  check_types(decoder, words, type);
  PtxMatrix *matrix = arena_take(decoder->loader->module->arena, sizeof *matrix);
  *matrix = (PtxMatrix){.m = (uint8_t)words->m,
                        .n = (uint8_t)words->n,
                        .k = (uint16_t)words->k,
                        .a = type[1],
                        .b = type[2],
                        .c = type[3],
                        .d = type[0],
                        .operation = words->operation,
                        .saturates = words->saturates};
  const bool more = whole && type[1] == PTX_E_F16;
  uint32_t n = 0;
  for (uint32_t i = 0; i < 4; i++) { /* the operands d, a, b, c */
    matrix->first[i] = (uint8_t)n;
    n += registers_of(decoder, decoder->operand[i], type[i], needed(words, type[i], "cabc"[i]),
                      more && (i == 1 || i == 2), i == 0, list + n);
  }
  PtxInsn *insn = emit_meeting(decoder, PTX_MMA, list, n, matrix->first[1]);
  insn->matrix = matrix;
}

/* Decodes mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c. */
void decode_mma(Decoder *decoder) {
  const Words words = read_words(decoder, 1);
  if (words.ntypes != 4 || words.nlayouts != 2 || words.column[0] || !words.column[1])
    refuse_opcode(decoder);
  decode_product(decoder, &words, words.type, false);
}

/* ---- wmma: loads and stores of whole matrices ------------------------------------------------ */
/* The elements of a matrix in memory that one lane accesses. */
typedef struct Place {
  /* Register with the 64-bit address of the first element that this lane accesses. */
  uint32_t lane;
  /* Register or constant with the distance between rows, in elements. */
  uint32_t stride;
  unsigned bits;
  /* Registers that hold the address in `lane` plus `steps` strides. */
  struct {
    unsigned steps;
    uint32_t reg;
  } moved[64];
  uint32_t nmoved;
} Place;

static uint32_t number(Decoder *decoder, unsigned bytes, uint64_t value) {
  return constant(decoder, bytes, PTX_VALUE, 0, value);
}
static uint32_t computed(Decoder *decoder, PtxOp op, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t d = new_register(decoder, ptx_type_bytes((PtxType)operations[op].type[0]));
  emit_op(decoder, op, d, a, b)->c = c;
  return d;
}
/* Emits the conversion of a 64-bit number of elements to a number of bytes. */
static uint32_t in_bytes(Decoder *decoder, uint32_t elements, unsigned bits) {
  return bits < 8 ? computed(decoder, PTX_OP_SHR_U64, elements,
                             number(decoder, 4, bits == 4 ? 1 : 3), PTX_NO_REG)
                  : computed(decoder, PTX_OP_MUL_LO_U64, elements, number(decoder, 8, bits / 8),
                             PTX_NO_REG);
}

/* Emits the computation of place->lane. If strides_by_g, the first element of lane 4g + t is g
 * strides and t·near elements after the first element of the matrix; otherwise it is t·near strides
 * and g elements after it. */
static void find_place(Decoder *decoder, Place *place, uint32_t base, bool strides_by_g,
                       unsigned near) {
  const uint32_t lane = new_register(decoder, 4);
  PtxInsn *insn = emit_always(decoder, PTX_SREG, PTX_U32);
  insn->sub = PTX_LANEID;
  insn->d = lane;
  const uint32_t g = computed(decoder, PTX_OP_SHR_U32, lane, number(decoder, 4, 2), PTX_NO_REG);
  const uint32_t t = computed(decoder, PTX_OP_AND_B32, lane, number(decoder, 4, 3), PTX_NO_REG);
  const uint32_t wide =
      computed(decoder, PTX_OP_MUL_LO_U32, t, number(decoder, 4, near), PTX_NO_REG);
  const uint32_t far = strides_by_g ? g : wide, beside = strides_by_g ? wide : g;
  const uint32_t small = computed(decoder, PTX_OP_CVT_U64_U32, beside, PTX_NO_REG, PTX_NO_REG);
  const uint32_t elements = computed(decoder, PTX_OP_MAD_WIDE_U32, far, place->stride, small);
  place->lane =
      computed(decoder, PTX_OP_ADD_U64, base, in_bytes(decoder, elements, place->bits), PTX_NO_REG);
}

static uint32_t moved(Decoder *decoder, Place *place, unsigned steps) {
  if (steps == 0)
    return place->lane;
  for (uint32_t i = 0; i < place->nmoved; i++)
    if (place->moved[i].steps == steps)
      return place->moved[i].reg;
  const uint32_t elements =
      computed(decoder, PTX_OP_MUL_WIDE_U32, number(decoder, 4, steps), place->stride, PTX_NO_REG);
  const uint32_t reg = computed(decoder, PTX_OP_ADD_U64, place->lane,
                                in_bytes(decoder, elements, place->bits), PTX_NO_REG);
  if (place->nmoved < sizeof place->moved / sizeof *place->moved)
    place->moved[place->nmoved].steps = steps, place->moved[place->nmoved++].reg = reg;
  return reg;
}

static void emit_piece(Decoder *decoder, PtxForm form, PtxSpace space, Place *place,
                       unsigned strides, unsigned elements, PtxType type, uint32_t reg) {
  const uint32_t address = moved(decoder, place, strides);
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, 1);
  list[0] = reg;
  PtxInsn *insn = emit(decoder, form, type);
  insn->space = (uint8_t)space;
  insn->a = address;
  insn->imm = (int64_t)elements * place->bits / 8;
  insn->list = list;
  insn->count = 1;
  insn->sub = (uint8_t)(ptx_type_bytes(type) == 8 ? 8 : 4);
  insn->merged.bytes = (uint8_t)ptx_type_bytes(type);
}

/* Emits loads or stores of the elements of one register. In memory, the elements are adjacent or,
 * if `apart`, one stride apart. */
static void move_register(Decoder *decoder, bool loads, PtxSpace space, Place *place,
                          unsigned strides, unsigned elements, bool apart, uint32_t reg) {
  const unsigned bits = place->bits, n = bits >= 32 ? 1 : 32 / bits;
  const PtxForm form = loads ? PTX_LD : PTX_ST;
  if (n == 1 || !apart) {
    emit_piece(decoder, form, space, place, strides, elements, bits == 64 ? PTX_B64 : PTX_B32, reg);
    return;
  }
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, n);
  for (unsigned i = 0; i < n; i++)
    list[i] = new_register(decoder, bits / 8);
  for (unsigned pass = 0; pass < 2; pass++) {
    if ((pass == 0) != loads) {
      PtxInsn *insn = emit_always(decoder, loads ? PTX_PACK : PTX_UNPACK, PTX_B32);
      *(loads ? &insn->d : &insn->a) = reg;
      insn->list = list;
      insn->count = (uint8_t)n;
      if (loads)
        insn->guard = decoder->statement->guard,
        insn->flags = decoder->statement->negated ? PTX_NEG_PRED : 0;
      continue;
    }
    for (unsigned i = 0; i < n; i++)
      emit_piece(decoder, form, space, place, strides + i, elements, bits == 16 ? PTX_U16 : PTX_U8,
                 list[i]);
  }
}

static uint32_t base_address(Decoder *decoder, const Operand *operand, PtxSpace space) {
  bool narrow;
  int64_t offset;
  uint32_t base = address_operand(decoder, operand, space, &offset, &narrow);
  if (base == PTX_NO_REG)
    refuse_opcode(decoder);
  if (narrow)
    base = computed(decoder, PTX_OP_CVT_U64_U32, base, PTX_NO_REG, PTX_NO_REG);
  return offset ? computed(decoder, PTX_OP_ADD_U64, base, number(decoder, 8, (uint64_t)offset),
                           PTX_NO_REG)
                : base;
}

/* Decodes wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r ...}, [p], stride and
 * wmma.store.d... [p], {r ...}, stride. */
static void decode_whole(Decoder *decoder, bool loads) {
  const char operand =
      decoder->nparts > 2 && decoder->part[2].length == 1 ? *decoder->part[2].start : 0;
  const Words words = read_words(decoder, 3);
  if (words.ntypes != 1 || words.nlayouts != 1 || !operand || !strchr(loads ? "abc" : "d", operand))
    refuse_opcode(decoder);
  const uint8_t element = words.type[0];
  const bool sum = operand == 'c' || operand == 'd', column = words.column[0];
  if (!sum)
    require_shape(decoder, &words, element, true);
  expect_operands(decoder, 2, 3);
  const uint32_t least = needed(&words, element, operand);
  uint32_t list[MOST_REGISTERS];
  const uint32_t n = registers_of(decoder, decoder->operand[loads ? 0 : 1], element, least,
                                  element == PTX_E_F16 && !sum, loads, list);
  const unsigned per = sum ? 2 : ptx_elements_in(element), bits = bits_of(element);
  const unsigned rows = operand == 'b' ? words.k : words.m,
                 columns = operand == 'a' ? words.k : words.n;
  const bool by_g = (operand == 'b') == column, apart = !by_g;
  if (bits < 8 && apart)
    refuse_opcode(decoder);
  Place place = {.bits = bits};
  place.stride = decoder->noperands == 3 ? source_operand(decoder, decoder->operand[2], PTX_U32)
                                         : number(decoder, 4, column ? rows : columns);
  const uint32_t base = base_address(decoder, decoder->operand[loads ? 1 : 0], words.space);
  find_place(decoder, &place, base, by_g, per);
  const bool pairs = sum && bits == 16; /* a register holds two elements of a row */
  const unsigned blocks = operand == 'b' ? words.k / (GROUP * per) : words.m / ROW;
  for (uint32_t r = 0; r < n; r++) {
    const unsigned used = r % least, i = sum ? (pairs ? used : used / 2) : used;
    const unsigned beside = sum && !pairs ? used % 2 : 0;
    const unsigned g_part = ROW * (operand == 'b' ? i / blocks : i % blocks);
    const unsigned t_part = GROUP * per * (operand == 'b' ? i % blocks : i / blocks) + beside;
    move_register(decoder, loads, words.space, &place, by_g ? g_part : t_part,
                  by_g ? t_part : g_part, apart, list[r]);
  }
}

/* Decodes wmma.load, wmma.store, and wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c. If
 * A and B are halves, the opcode contains only the types of D and C, otherwise all four types. */
void decode_wmma(Decoder *decoder) {
  if (decoder->nparts > 1 && slice_is(decoder->part[1], "load")) {
    decode_whole(decoder, true);
  } else if (decoder->nparts > 1 && slice_is(decoder->part[1], "store")) {
    decode_whole(decoder, false);
  } else if (decoder->nparts > 1 && slice_is(decoder->part[1], "mma")) {
    const Words words = read_words(decoder, 2);
    const uint8_t halves[] = {words.type[0], PTX_E_F16, PTX_E_F16, words.type[1]};
    if ((words.ntypes != 2 && words.ntypes != 4) || words.nlayouts != 2)
      refuse_opcode(decoder);
    decode_product(decoder, &words, words.ntypes == 2 ? halves : words.type, true);
  } else {
    refuse_opcode(decoder);
  }
}

/* ---- matrices of 8×8 halves ------------------------------------------------------------------ */
/* Emits the conversion between rows and fragments of n matrices. Lanes 0 to 8 n - 1 hold one row
 * each, in four registers; each lane holds its fragments in n registers. */
static PtxInsn *emit_exchange(Decoder *decoder, const uint32_t *out, uint32_t nout,
                              const uint32_t *in, uint32_t nin, PtxExchange kind) {
  uint32_t list[2 * GROUP];
  memcpy(list, out, nout * sizeof *list);
  memcpy(list + nout, in, nin * sizeof *list);
  PtxInsn *insn = emit_meeting(decoder, PTX_ROWS, list, nout + nin, nout);
  insn->imm = (int64_t)kind;
  return insn;
}

/* Returns a predicate that is true in lanes 0 to 8 n - 1, which hold the rows. */
static uint32_t lanes_below(Decoder *decoder, uint32_t n) {
  const uint32_t lane = new_register(decoder, 4);
  PtxInsn *insn = emit_always(decoder, PTX_SREG, PTX_U32);
  insn->sub = PTX_LANEID;
  insn->d = lane;
  return computed(decoder, PTX_OP_SETP_LT_U32, lane, number(decoder, 4, ROW * n), PTX_NO_REG);
}

static void move_rows(Decoder *decoder, PtxForm form, const Operand *place, uint32_t n,
                      const uint32_t *rows) {
  const uint32_t base = base_address(decoder, place, PTX_SHARED);
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, GROUP);
  memcpy(list, rows, GROUP * sizeof *list);
  const uint32_t guard = n < GROUP ? lanes_below(decoder, n) : PTX_NO_REG;
  PtxInsn *insn = emit(decoder, form, PTX_B32);
  insn->space = PTX_SHARED;
  insn->a = base;
  insn->list = list;
  insn->count = GROUP;
  insn->sub = 4;
  insn->merged.bytes = 16;
  if (n < GROUP && insn->guard != PTX_NO_REG)
    refuse(decoder, "with a guard is not implemented by the emulated device");
  if (n < GROUP)
    insn->guard = guard;
}

/* Decodes ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r ...}, [p] and its inverse, stmatrix. */
static void decode_rows(Decoder *decoder, bool loads) {
  static const char *const words[] = {"sync", "aligned", "m8n8", "shared", "shared::cta", "b16"};
  uint32_t n = 0, list[MOST_REGISTERS], rows[GROUP];
  bool transposed = false;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    bool known = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      known |= slice_is(decoder->part[i], words[k]);
    if (slice_is(decoder->part[i], "trans"))
      transposed = true;
    else if (decoder->part[i].length == 2 && *decoder->part[i].start == 'x')
      n = (uint32_t)(decoder->part[i].start[1] - '0');
    else if (!known)
      refuse_opcode(decoder);
  }
  if (n != 1 && n != 2 && n != 4)
    refuse_opcode(decoder);
  expect_operands(decoder, 2, 2);
  registers_of(decoder, decoder->operand[loads ? 0 : 1], PTX_E_S32, n, false, loads, list);
  for (uint32_t i = 0; i < GROUP; i++)
    rows[i] = new_register(decoder, 4);
  if (loads) {
    move_rows(decoder, PTX_LD, decoder->operand[1], n, rows);
    emit_exchange(decoder, list, n, rows, GROUP, transposed ? PTX_COLUMNS_OUT : PTX_ROWS_OUT);
  } else {
    emit_exchange(decoder, rows, GROUP, list, n, transposed ? PTX_COLUMNS_IN : PTX_ROWS_IN);
    move_rows(decoder, PTX_ST, decoder->operand[0], n, rows);
  }
}
void decode_ldmatrix(Decoder *decoder) { decode_rows(decoder, true); }
void decode_stmatrix(Decoder *decoder) { decode_rows(decoder, false); }

/* Decodes movmatrix.sync.aligned.m8n8.trans.b16 d, a. */
void decode_movmatrix(Decoder *decoder) {
  expect_operands(decoder, 2, 2);
  if (decoder->nparts != 6 || !has_part(decoder, "m8n8") || !has_part(decoder, "trans") ||
      !has_part(decoder, "b16"))
    refuse_opcode(decoder);
  const uint32_t a = source_operand(decoder, decoder->operand[1], PTX_B32);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_B32);
  emit_exchange(decoder, &d, 1, &a, 1, PTX_TRANSPOSED);
}
