/* Represents addresses as sums of an unknown value and a constant, and finds the alignment of the
 * unknown values.
 *
 * Two accesses are neighbours if their sums differ only in the constant. This models how a GPU's
 * assembler detects neighbours: it moves constants through additions and subtractions, and through
 * products and shifts by a constant, but it does not sort the terms of a sum. Two values count as
 * equal if the same operation computes them from equal operands.
 *
 * An iteration finds the number of low bits that are always zero in each register. The number
 * starts at its maximum, and each instruction that writes the register lowers it to the number of
 * zero bits in its result. This also finds the alignment of a pointer that starts at a multiple of
 * 16 and is increased by 16 in a loop. */
#include "ptx.h"

enum { MAX_SWEEPS = 64, ALL_ZEROS = 63 };

typedef enum Kind {
  OTHER,
  COPY,
  SUM,
  DIFFERENCE,
  NEGATIVE,
  PRODUCT,
  PRODUCT_SUM,
  LEFT,
  MASK,  /* AND */
  UNION, /* OR and XOR */
  CHOICE /* the result is a or b */
} Kind;

static Kind kind_of(const PtxInsn *insn) {
  if (insn->form != PTX_ALU)
    return OTHER;
#define EACH_WIDTH(name)                                                                           \
  case PTX_OP_##name##_U32:                                                                        \
  case PTX_OP_##name##_S32:                                                                        \
  case PTX_OP_##name##_U64:                                                                        \
  case PTX_OP_##name##_S64
#define EACH_BITS(name)                                                                            \
  case PTX_OP_##name##_B32:                                                                        \
  case PTX_OP_##name##_B64
  switch ((PtxOp)insn->op) {
    EACH_BITS(MOV)
        : EACH_WIDTH(CVT_U32)
        : EACH_WIDTH(CVT_S32) : EACH_WIDTH(CVT_U64) : EACH_WIDTH(CVT_S64) : return COPY;
    EACH_WIDTH(ADD) : return SUM;
    EACH_WIDTH(SUB) : return DIFFERENCE;
  case PTX_OP_NEG_S32:
  case PTX_OP_NEG_S64:
    return NEGATIVE;
    EACH_WIDTH(MUL_LO) : case PTX_OP_MUL_WIDE_U32 : case PTX_OP_MUL_WIDE_S32 : return PRODUCT;
    EACH_WIDTH(MAD_LO) : case PTX_OP_MAD_WIDE_U32 : case PTX_OP_MAD_WIDE_S32 : return PRODUCT_SUM;
    EACH_BITS(SHL) : return LEFT;
    EACH_BITS(AND) : return MASK;
    EACH_BITS(OR) : EACH_BITS(XOR) : return UNION;
    EACH_BITS(SELP) : EACH_WIDTH(MIN) : EACH_WIDTH(MAX) : return CHOICE;
  default:
    return OTHER;
  }
#undef EACH_WIDTH
#undef EACH_BITS
}

/* ---- low bits that are zero ---------------------------------------------------------------- */

static uint8_t zeros_of_number(int64_t value) {
  return value ? (uint8_t)__builtin_ctzll((uint64_t)value) : ALL_ZEROS;
}

static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t most(uint8_t a, uint8_t b) { return a > b ? a : b; }
static uint8_t together(uint8_t a, uint8_t b) { return least(ALL_ZEROS, (uint8_t)(a + b)); }

static const PtxConstant *constant_in(const Sums *s, uint32_t reg) {
  return reg != PTX_NO_REG ? s->constant[reg] : NULL;
}

static bool number_in(const Sums *s, uint32_t reg, int64_t *value) {
  const PtxConstant *c = constant_in(s, reg);
  if (!c || c->kind != PTX_VALUE)
    return false;
  *value = c->bytes == 8 ? (int64_t)c->value : (int32_t)c->value;
  return true;
}

static uint8_t zeros_in(const Sums *s, uint32_t reg) {
  return reg == PTX_NO_REG ? 0 : s->zeros[reg];
}

static uint8_t zeros_of(const Sums *s, const PtxInsn *insn) {
  const uint8_t a = zeros_in(s, insn->a), b = zeros_in(s, insn->b);
  int64_t shift;
  switch (kind_of(insn)) {
  case COPY:
  case NEGATIVE:
    return a;
  case SUM:
  case DIFFERENCE:
  case UNION:
  case CHOICE:
    return least(a, b);
  case PRODUCT:
    return together(a, b);
  case PRODUCT_SUM:
    return least(together(a, b), zeros_in(s, insn->c));
  case LEFT:
    return number_in(s, insn->b, &shift) && shift >= 0 && shift < ALL_ZEROS
               ? together(a, (uint8_t)shift)
               : a;
  case MASK:
    return most(a, b);
  case OTHER:
    break;
  }
  return 0;
}

static bool lower(Sums *s, uint32_t reg, uint8_t zeros) {
  if (reg == PTX_NO_REG || s->zeros[reg] <= zeros)
    return false;
  s->zeros[reg] = zeros;
  return true;
}

static bool sweep(Sums *s, const PtxFunction *f) {
  bool changed = false;
  for (uint32_t i = 0; i < f->ncode; i++) {
    const PtxInsn *insn = &f->code[i];
    changed |= lower(s, insn->d, zeros_of(s, insn));
    changed |= lower(s, insn->e, 0);
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      changed |= lower(s, insn->list[k], 0);
  }
  return changed;
}

/* Computes the alignment of the shared variables, which the assembler places in the order of their
 * declaration. A device function is assumed to be inlined, with its variables placed first. */
static void place_symbols(Sums *s) {
  Decoder *decoder = s->decoder;
  const uint32_t nshared = decoder->loader->shared.count;
  uint32_t top = 0;
  s->symbol_zeros = ARENA_ARRAY(decoder->loader->scratch, uint8_t, nshared + 1);
  for (uint32_t i = 0; i < decoder->constants.count; i++)
    if (decoder->constants.items[i].kind == PTX_SHARED_SYMBOL)
      s->symbol_zeros[decoder->constants.items[i].symbol] = ALL_ZEROS;
  for (uint32_t i = 0; i < nshared; i++) {
    const PtxVariable *v = &decoder->loader->shared.items[i];
    if (!s->symbol_zeros[i] || v->bytes > UINT32_MAX / 4)
      continue;
    top = (top + v->align - 1) & ~(v->align - 1);
    s->symbol_zeros[i] = zeros_of_number(top);
    top += (uint32_t)v->bytes;
  }
}

static void find_zeros(Sums *s) {
  const Decoder *decoder = s->decoder;
  bool changed = true;
  memset(s->zeros, ALL_ZEROS, s->nregisters);
  for (uint32_t i = 0; i < decoder->constants.count; i++) {
    const PtxConstant *c = &decoder->constants.items[i];
    uint8_t zeros = zeros_of_number((int64_t)c->value);
    s->constant[c->slot] = c;
    s->zeros[c->slot] = c->kind == PTX_VALUE            ? zeros
                        : c->kind == PTX_SHARED_SYMBOL  ? least(s->symbol_zeros[c->symbol], zeros)
                        : c->kind == PTX_DYNAMIC_SHARED ? least(4, zeros)
                                                        : 0;
  }
  for (int i = 0; changed && i < MAX_SWEEPS; i++)
    changed = sweep(s, decoder->function);
  if (changed)
    memset(s->zeros, 0, s->nregisters);
}

static void count_write(uint8_t *writes, uint32_t reg) {
  if (reg != PTX_NO_REG && writes[reg] < 2)
    writes[reg]++;
}

uint8_t *count_writes(const Decoder *decoder) {
  const PtxFunction *f = decoder->function;
  uint8_t *writes =
      ARENA_ARRAY(decoder->loader->scratch, uint8_t, decoder->source->registers.count + 1);
  for (uint32_t i = 0; i < f->ncode; i++) {
    count_write(writes, f->code[i].d);
    count_write(writes, f->code[i].e);
    for (uint32_t k = 0; k < ptx_written(&f->code[i]); k++)
      count_write(writes, f->code[i].list[k]);
  }
  return writes;
}

void sums_begin(Sums *s, Decoder *decoder) {
  PtxArena *scratch = decoder->loader->scratch;
  const uint32_t n = decoder->source->registers.count;
  *s = (Sums){.decoder = decoder, .nregisters = n, .writes = count_writes(decoder)};
  s->zeros = ARENA_ARRAY(scratch, uint8_t, n + 1);
  s->constant = ARENA_ARRAY(scratch, const PtxConstant *, n + 1);
  s->now = ARENA_ARRAY(scratch, Sum, n + 1);
  s->symbol = ARENA_ARRAY(scratch, uint32_t, decoder->loader->shared.count + 1);
  VECTOR_PUSH(scratch, s->values); /* index 0 means: no value */
  place_symbols(s);
  find_zeros(s);
}

/* ---- values and sums ----------------------------------------------------------------------- */

static uint32_t new_value(Sums *s, uint8_t zeros) {
  VECTOR_PUSH(s->decoder->loader->scratch, s->values)->zeros = zeros;
  return s->values.count - 1;
}

/* Returns the index in `values` of the value that operation `kind` computes from a and b. Equal
 * computations have the same index. */
static uint32_t computed(Sums *s, Kind kind, uint32_t a, uint64_t b, uint8_t zeros) {
  uint64_t key[] = {a, b};
  uint32_t *bucket = &s->buckets[hash_bytes(key, sizeof key, kind) % SUM_BUCKETS];
  for (uint32_t i = *bucket; i; i = s->values.items[i].next)
    if (s->values.items[i].kind == kind && s->values.items[i].a == a && s->values.items[i].b == b)
      return i;
  const uint32_t number = new_value(s, zeros);
  s->values.items[number] = (Value){.kind = kind, .zeros = zeros, .a = a, .b = b, .next = *bucket};
  return *bucket = number;
}

uint8_t sum_zeros(const Sums *s, Sum sum) {
  return sum.value ? s->values.items[sum.value].zeros : ALL_ZEROS;
}

static Sum constant_sum(Sums *s, const PtxConstant *c) {
  Sum sum = {0, c->bytes == 8 ? (int64_t)c->value : (int32_t)c->value};
  uint32_t *known = &s->dynamic;
  if (c->kind == PTX_VALUE)
    return sum;
  if (c->kind == PTX_SHARED_SYMBOL)
    known = &s->symbol[c->symbol];
  else if (c->kind != PTX_DYNAMIC_SHARED)
    return (Sum){new_value(s, 0), 0};
  if (!*known)
    *known = new_value(s, c->kind == PTX_DYNAMIC_SHARED ? 4 : s->symbol_zeros[c->symbol]);
  sum.value = *known;
  return sum;
}

Sum sum_in(Sums *s, uint32_t reg) {
  if (reg == PTX_NO_REG)
    return (Sum){0, 0};
  if (s->constant[reg])
    return constant_sum(s, s->constant[reg]);
  if (!s->now[reg].value && !s->now[reg].constant)
    s->now[reg].value = new_value(s, s->zeros[reg]);
  return s->now[reg];
}

static int64_t wrapped(uint64_t value, unsigned bytes) {
  return bytes == 8 ? (int64_t)value : (int32_t)value;
}

static Sum plus(Sums *s, Sum a, Sum b, unsigned bytes) {
  Sum sum = {a.value | b.value, wrapped((uint64_t)a.constant + (uint64_t)b.constant, bytes)};
  if (a.value && b.value)
    sum.value =
        computed(s, SUM, a.value < b.value ? a.value : b.value,
                 a.value < b.value ? b.value : a.value, least(sum_zeros(s, a), sum_zeros(s, b)));
  return sum;
}

/* Multiplies a sum by a constant: multiplies its constant, and its unknown value. If the unknown
 * value is already a product, its factor is multiplied. If it is a sum of two unknown values, the
 * product is not expanded. */
static Sum times(Sums *s, Sum a, int64_t factor, unsigned bytes) {
  Sum product = {0, wrapped((uint64_t)a.constant * (uint64_t)factor, bytes)};
  const uint8_t zeros = together(sum_zeros(s, a), zeros_of_number(factor));
  if (!a.value || !factor)
    return product;
  const Value *value = &s->values.items[a.value];
  if (value->kind == PRODUCT) {
    factor = wrapped((uint64_t)factor * value->b, bytes);
    a.value = value->a;
  }
  product.value = factor == 1 ? a.value : computed(s, PRODUCT, a.value, (uint64_t)factor, zeros);
  return product;
}

static bool product(Sums *s, const PtxInsn *insn, unsigned bytes, Sum *out) {
  Sum a = sum_in(s, insn->a), b = sum_in(s, insn->b);
  *out = a.value ? times(s, a, b.constant, bytes) : times(s, b, a.constant, bytes);
  return !a.value || !b.value;
}

/* Computes the result of an OR or XOR. If no bit is set in both operands, the result is equal to
 * the sum of the operands. Returns false if this is not certain. */
static bool union_sum(Sums *s, const PtxInsn *insn, Sum *out) {
  Sum a = sum_in(s, insn->a), b = sum_in(s, insn->b);
  const Sum sum = a.value ? a : b, bits = a.value ? b : a;
  const uint8_t zeros = least(sum_zeros(s, sum), zeros_of_number(sum.constant));
  if (bits.value || bits.constant < 0 || zeros >= ALL_ZEROS || bits.constant >> zeros)
    return false;
  *out = (Sum){sum.value, sum.constant + bits.constant};
  return true;
}

static unsigned width(const Sums *s, uint32_t reg) {
  return s->decoder->source->registers.items[reg].bytes;
}

static bool operation_sum(Sums *s, const PtxInsn *insn, Sum *out) {
  const unsigned bytes = width(s, insn->d);
  int64_t number;
  Sum b;
  if (insn->a == PTX_NO_REG || width(s, insn->a) != bytes)
    return false;
  switch (kind_of(insn)) {
  case COPY:
    *out = sum_in(s, insn->a);
    return true;
  case SUM:
    *out = plus(s, sum_in(s, insn->a), sum_in(s, insn->b), bytes);
    return true;
  case DIFFERENCE:
    b = sum_in(s, insn->b);
    *out = plus(s, sum_in(s, insn->a), (Sum){0, wrapped(-(uint64_t)b.constant, bytes)}, bytes);
    return !b.value;
  case PRODUCT:
    return product(s, insn, bytes, out);
  case PRODUCT_SUM:
    if (!product(s, insn, bytes, out))
      return false;
    *out = plus(s, *out, sum_in(s, insn->c), bytes);
    return true;
  case LEFT:
    if (!number_in(s, insn->b, &number) || number < 0 || number >= 8 * (int64_t)bytes)
      return false;
    *out = times(s, sum_in(s, insn->a), (int64_t)(UINT64_C(1) << number), bytes);
    return true;
  case UNION:
    return union_sum(s, insn, out);
  default:
    return false;
  }
}

static void write(Sums *s, uint32_t reg, const Sum *sum, uint8_t zeros) {
  if (reg == PTX_NO_REG)
    return;
  if (s->writes[reg] > 1)
    *VECTOR_PUSH(s->decoder->loader->scratch, s->undo) = (Undo){reg, s->now[reg]};
  s->now[reg] = sum ? *sum : (Sum){new_value(s, zeros), 0};
}

void sums_step(Sums *s, const PtxInsn *insn) {
  Sum sum;
  if (insn->form == PTX_SREG && insn->sub <= PTX_NWARPID && insn->guard == PTX_NO_REG) {
    if (!s->special[insn->sub])
      s->special[insn->sub] = new_value(s, 0);
    sum = (Sum){s->special[insn->sub], 0};
    write(s, insn->d, &sum, 0);
    return;
  }
  bool known = insn->form == PTX_ALU && insn->d != PTX_NO_REG && insn->guard == PTX_NO_REG &&
               kind_of(insn) != OTHER && operation_sum(s, insn, &sum);
  if (insn->d != PTX_NO_REG)
    write(s, insn->d, known ? &sum : NULL, s->zeros[insn->d]);
  write(s, insn->e, NULL, 0);
  for (uint32_t k = 0; k < ptx_written(insn); k++)
    write(s, insn->list[k], NULL, 0);
}

/* ---- between instruction blocks ------------------------------------------------------------ */

static void forget(Sums *s, uint32_t reg) {
  if (reg != PTX_NO_REG && s->writes[reg] > 1)
    write(s, reg, NULL, s->zeros[reg]);
}

void sums_forget(Sums *s, const PtxFunction *f, uint32_t block) {
  for (uint32_t i = f->blocks[block].first; i < f->blocks[block].first + f->blocks[block].count;
       i++) {
    const PtxInsn *insn = &f->code[i];
    forget(s, insn->d);
    forget(s, insn->e);
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      forget(s, insn->list[k]);
  }
}

void sums_return(Sums *s, uint32_t mark) {
  while (s->undo.count > mark) {
    Undo undo = s->undo.items[--s->undo.count];
    s->now[undo.reg] = undo.sum;
  }
}
