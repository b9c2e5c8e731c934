/* Translates statements to instructions (PtxInsn).
 *
 * An opcode is split at its dots. The first part selects a handler, and the other parts are
 * modifiers. An opcode without a handler is an operation of arithmetic.def. The modifiers that
 * become flags are removed from the opcode; the result is the canonical spelling of the operation.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ptx.h"

/* ---- refusing ---------------------------------------------------------------------------- */

static void describe_place(Decoder *decoder, char *out, size_t size) {
  const PtxLine *place = &decoder->loader->lines.items[decoder->line];
  if (decoder->line && place->file < decoder->loader->files.count)
    snprintf(out, size, "%s:%u", decoder->loader->files.items[place->file], place->line);
  else
    snprintf(out, size, "PTX line %u", decoder->statement->ptx_line);
}

void refuse(Decoder *decoder, const char *format, ...) {
  char place[512], reason[256], text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  describe_place(decoder, place, sizeof place);
  Slice name = decoder->statement->name;
  snprintf(text, sizeof text, "%.*s (%s) %s", (int)(name.length < 60 ? name.length : 60),
           name.start, place, reason);
  decoder->source->refusal = arena_text(decoder->loader->module->arena, text, strlen(text));
  longjmp(decoder->refused, 1);
}

void refuse_opcode(Decoder *decoder) {
  refuse(decoder, "is not implemented by the emulated device");
}

/* ---- operations -------------------------------------------------------------------------- */

static bool part_is_one_of(Slice part, const char *const *words) {
  while (*words && !slice_is(part, *words))
    words++;
  return *words != NULL;
}

bool has_part(const Decoder *decoder, const char *word) {
  for (uint32_t i = 1; i < decoder->nparts; i++)
    if (slice_is(decoder->part[i], word))
      return true;
  return false;
}

static bool is_floating(PtxType type) {
  return type == PTX_F16 || type == PTX_F16X2 || type == PTX_F32 || type == PTX_F64;
}

/* Returns the flags of a modifier; -1 if the modifier is part of the operation's spelling. */
static int modifier_flags(Slice part, bool is_float) {
  static const char *const silent[] = {"rn", "approx", "full", "uni", NULL};
  if (part_is_one_of(part, silent))
    return 0;
  return slice_is(part, "ftz")               ? PTX_FTZ
         : slice_is(part, "rz")              ? PTX_RZ
         : slice_is(part, "rm")              ? PTX_RM
         : slice_is(part, "rp")              ? PTX_RP
         : is_float && slice_is(part, "sat") ? PTX_SAT
                                             : -1;
}

/* Returns the name of an operand type in arithmetic.def. If the operation only moves or tests bits,
 * this is a b-type, such as b32 for u32. */
static const char *canonical_type(const Decoder *decoder, PtxType type, bool last) {
  static const char *const bitwise[] = {"mov",  "selp", "and",  "or",  "xor",  "not", "cnot", "shl",
                                        "popc", "clz",  "brev", "bfi", "prmt", "shf", "lop3", NULL};
  bool bits =
      part_is_one_of(decoder->part[0], bitwise) || (slice_is(decoder->part[0], "slct") && !last);
  unsigned bytes = ptx_type_bytes(type);
  if (!bits || bytes < 2)
    return ptx_type_name(type);
  return bytes == 2 ? "b16" : bytes == 4 ? "b32" : "b64";
}

/* Returns true for a conversion to an integer. Such a conversion always saturates, so .sat has no
 * effect. */
static bool rounds_to_whole(const Decoder *decoder) {
  return slice_is(decoder->part[0], "cvt") &&
         (has_part(decoder, "rni") || has_part(decoder, "rzi") || has_part(decoder, "rmi") ||
          has_part(decoder, "rpi"));
}

static bool is_type(Slice part) {
  static const char *const others[] = {"bf16", "bf16x2", "tf32", "u16x2", "s16x2", NULL};
  PtxType type;
  return parse_type(part, &type) || part_is_one_of(part, others);
}

/* Writes the canonical spelling of the opcode, which ends with the types: max.relu.s16x2 for
 * max.s16x2.relu. Returns the flags. */
static uint8_t spell(const Decoder *decoder, char *out, size_t size) {
  size_t n =
      (size_t)snprintf(out, size, "%.*s", (int)decoder->part[0].length, decoder->part[0].start);
  int flags = 0;
  PtxType first = PTX_TYPES, type; /* the type of the result */
  for (uint32_t i = 1; i < decoder->nparts && first == PTX_TYPES; i++)
    if (parse_type(decoder->part[i], &type))
      first = type;
  bool is_float = is_floating(first);
  for (uint32_t i = 1; i < decoder->nparts && n < size; i++) {
    Slice part = decoder->part[i];
    int flag = modifier_flags(part, is_float);
    if (flag >= 0)
      flags |= flag;
    else if (!(slice_is(part, "sat") && rounds_to_whole(decoder)) && !is_type(part))
      n += (size_t)snprintf(out + n, size - n, ".%.*s", (int)part.length, part.start);
  }
  for (uint32_t i = 1; i < decoder->nparts && n < size; i++) {
    Slice part = decoder->part[i];
    if (parse_type(part, &type))
      n += (size_t)snprintf(out + n, size - n, ".%s",
                            canonical_type(decoder, type, i + 1 == decoder->nparts));
    else if (is_type(part))
      n += (size_t)snprintf(out + n, size - n, ".%.*s", (int)part.length, part.start);
  }
  return (uint8_t)flags;
}

static PtxOp current_operation(Decoder *decoder, uint8_t *flags) {
  char spelling[128];
  *flags = spell(decoder, spelling, sizeof spelling);
  PtxOp op = find_operation(spelling);
  bool narrow = strstr(spelling, "f16") && !slice_is(decoder->part[0], "cvt");
  /* 16-bit floats have one rounding mode */
  if (op == PTX_OP_NONE || (narrow && *flags & PTX_ROUND))
    refuse_opcode(decoder);
  return op;
}

static uint32_t source_count(PtxOp op) {
  switch (operations[op].kind) {
  case UNARY:
  case TEST1:
    return 1;
  case LOGIC:
    return op == PTX_OP_MOV_PRED || op == PTX_OP_NOT_PRED ? 1 : 2;
  case BINARY:
  case TEST2:
    return 2;
  default:
    return 3;
  }
}

static void decode_operation(Decoder *decoder) {
  uint8_t flags;
  PtxOp op = current_operation(decoder, &flags);
  const uint8_t *type = operations[op].type;
  uint32_t sources = source_count(op), source[3] = {PTX_NO_REG, PTX_NO_REG, PTX_NO_REG};
  int64_t imm = 0;
  expect_operands(decoder, sources + 1, op == PTX_OP_LOP3_B32 ? 5 : sources + 1);
  for (uint32_t i = 0; i < sources; i++)
    source[i] = source_operand(decoder, decoder->operand[i + 1], (PtxType)type[i + 1]);
  if (op == PTX_OP_LOP3_B32) {
    if (decoder->noperands != 5 || decoder->operand[4]->kind != OPERAND_INTEGER)
      refuse_opcode(decoder);
    imm = decoder->operand[4]->value;
  }
  uint32_t d = target_operand(decoder, decoder->operand[0], (PtxType)type[0]);
  PtxInsn *insn = emit(decoder, PTX_ALU, (PtxType)type[0]);
  insn->op = (uint16_t)op;
  insn->flags |= flags;
  insn->d = d;
  insn->a = source[0];
  insn->b = source[1];
  insn->c = source[2];
  insn->imm = imm;
}

/* Decodes bfi d, a, b, start, length. The last two operands are combined into one: start | length
 * << 8. */
static void decode_bfi(Decoder *decoder) {
  enum { FIRST_BYTES = 0x0040, MOST = 255 }; /* for prmt: byte 0 of a, then byte 0 of b */
  uint8_t flags;
  PtxOp op = current_operation(decoder, &flags);
  expect_operands(decoder, 5, 5);
  const Operand *start = decoder->operand[3], *length = decoder->operand[4];
  PtxType type = (PtxType)operations[op].type[0];
  uint32_t a = source_operand(decoder, decoder->operand[1], type);
  uint32_t b = source_operand(decoder, decoder->operand[2], type), c;
  if (start->kind == OPERAND_INTEGER && length->kind == OPERAND_INTEGER) {
    c = constant(decoder, 4, PTX_VALUE, 0,
                 (uint64_t)(start->value & MOST) | (uint64_t)(length->value & MOST) << 8);
  } else {
    uint32_t first = source_operand(decoder, start, PTX_U32);
    uint32_t second = source_operand(decoder, length, PTX_U32);
    if (op == PTX_OP_BFI_B64) {
      /* Clamp both operands to 255, because larger values have the same effect as 255. bfi.b32 uses
       * only the lowest byte of each operand. */
      uint32_t most = constant(decoder, 4, PTX_VALUE, 0, MOST), a_most = new_register(decoder, 4);
      uint32_t b_most = new_register(decoder, 4);
      emit_op(decoder, PTX_OP_MIN_U32, a_most, first, most);
      emit_op(decoder, PTX_OP_MIN_U32, b_most, second, most);
      first = a_most, second = b_most;
    }
    c = new_register(decoder, 4);
    emit_op(decoder, PTX_OP_PRMT_B32, c, first, second)->c =
        constant(decoder, 4, PTX_VALUE, 0, FIRST_BYTES);
  }
  uint32_t d = target_operand(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit(decoder, PTX_ALU, type);
  insn->op = (uint16_t)op;
  insn->d = d;
  insn->a = a;
  insn->b = b;
  insn->c = c;
}

/* Returns the source register of cvt. If the operand is wider than the source type, first emits
 * code that clears its upper bits. */
static uint32_t cvt_source(Decoder *decoder, const Operand *operand, PtxType type) {
  if (operand->kind != OPERAND_REGISTER || class_of(type) != CLASS_NARROW ||
      decoder->source->registers.items[operand->reg].class != CLASS_WIDE)
    return source_operand(decoder, operand, type);
  uint32_t d = new_register(decoder, 4);
  emit_op(decoder, PTX_OP_CVT_U32_U64, d, operand->reg, PTX_NO_REG);
  return d;
}

/* Returns the operation that sign- or zero-extends a result of this type to a register of `bytes`
 * bytes. Returns PTX_OP_NONE if no operation is needed: the register is not wider than the type, or
 * the type is unsigned and the register has up to 32 bits. (Values in such registers are always
 * zero-extended.) */
static PtxOp extension(PtxType type, unsigned bytes) {
  if (bytes <= ptx_type_bytes(type))
    return PTX_OP_NONE;
  switch (type) {
  case PTX_S8:
    return bytes == 2 ? PTX_OP_CVT_S16_S8 : bytes == 4 ? PTX_OP_CVT_S32_S8 : PTX_OP_CVT_S64_S8;
  case PTX_S16:
    return bytes == 4 ? PTX_OP_CVT_S32_S16 : PTX_OP_CVT_S64_S16;
  case PTX_S32:
    return PTX_OP_CVT_S64_S32;
  default:
    return bytes == 8 ? PTX_OP_CVT_U64_U32 : PTX_OP_NONE;
  }
}

/* Decodes cvt. The target register may be wider than the result. */
static void decode_cvt(Decoder *decoder) {
  uint8_t flags;
  PtxOp op = current_operation(decoder, &flags);
  if (operations[op].kind != UNARY) {
    /* The operation packs several values into one register, which is never wider than the
     * result. */
    decode_operation(decoder);
    return;
  }
  if (has_part(decoder, "f16"))
    /* .ftz applies only to single-precision operands and results. */
    flags &= (uint8_t)~PTX_FTZ;
  PtxType type = (PtxType)operations[op].type[0];
  expect_operands(decoder, 2, 2);
  const Operand *target = decoder->operand[0];
  uint32_t a = cvt_source(decoder, decoder->operand[1], (PtxType)operations[op].type[1]);
  PtxOp extend = PTX_OP_NONE;
  uint32_t d;
  if (target->kind == OPERAND_REGISTER)
    extend = extension(type, decoder->source->registers.items[target->reg].bytes);
  if (extend == PTX_OP_NONE)
    d = target_operand(decoder, target, type);
  else
    d = new_register(decoder, ptx_type_bytes(type));
  PtxInsn *insn =
      extend == PTX_OP_NONE ? emit(decoder, PTX_ALU, type) : emit_always(decoder, PTX_ALU, type);
  insn->op = (uint16_t)op;
  insn->flags |= flags;
  insn->d = d;
  insn->a = a;
  if (extend == PTX_OP_NONE)
    return;
  insn = emit(decoder, PTX_ALU, (PtxType)operations[extend].type[0]);
  insn->op = (uint16_t)extend;
  insn->d = target->reg;
  insn->a = d;
}

/* ---- setp -------------------------------------------------------------------------------- */

static PtxOp combining_operation(Decoder *decoder) {
  PtxOp op = PTX_OP_NONE;
  uint32_t kept = 1;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    Slice part = decoder->part[i];
    PtxOp found = slice_is(part, "and")   ? PTX_OP_AND_PRED
                  : slice_is(part, "or")  ? PTX_OP_OR_PRED
                  : slice_is(part, "xor") ? PTX_OP_XOR_PRED
                                          : PTX_OP_NONE;
    if (found != PTX_OP_NONE)
      op = found;
    else
      decoder->part[kept++] = part;
  }
  decoder->nparts = kept;
  return op;
}

/* Emits the instruction that writes one target predicate p, with the guard of the statement: p =
 * compared, or p = compared `combine` c. */
static void finish_setp(Decoder *decoder, const Operand *target, PtxOp combine, uint32_t compared,
                        uint32_t c) {
  if (target->kind == OPERAND_SINK)
    return;
  PtxOp op = combine == PTX_OP_NONE ? PTX_OP_MOV_PRED : combine;
  uint32_t d = target_operand(decoder, target, PTX_PRED);
  PtxInsn *insn = emit(decoder, PTX_ALU, PTX_PRED);
  insn->op = (uint16_t)op;
  insn->d = d;
  insn->a = compared;
  insn->b = combine == PTX_OP_NONE ? PTX_NO_REG : c;
}

/* Decodes setp.lt.f16x2 p|q, a, b. Predicate p compares the lower halves, and q compares the upper
 * halves. The operation for one half has the same spelling without "x2". */
static void decode_setp_halves(Decoder *decoder, PtxOp combine) {
  const Operand *target = decoder->operand[0];
  uint8_t flags;
  decoder->part[decoder->nparts - 1].length -= 2;
  PtxOp op = current_operation(decoder, &flags);
  expect_operands(decoder, combine == PTX_OP_NONE ? 3 : 4, combine == PTX_OP_NONE ? 3 : 4);
  if (target->kind != OPERAND_PAIR)
    refuse_opcode(decoder);
  uint32_t source[2], compared[2], c = PTX_NO_REG;
  for (uint32_t i = 0; i < 2; i++)
    source[i] = source_operand(decoder, decoder->operand[i + 1], PTX_U32);
  if (combine != PTX_OP_NONE) {
    /* c may be one of the targets, so copy it first. */
    c = new_register(decoder, 0);
    emit_op(decoder, PTX_OP_MOV_PRED, c, predicate_operand(decoder, decoder->operand[3], NULL),
            PTX_NO_REG);
  }
  for (uint32_t half = 0; half < 2; half++) {
    compared[half] = new_register(decoder, 0);
    emit_op(decoder, op, compared[half], source[0], source[1])->flags |= flags;
    for (uint32_t i = 0; half == 0 && i < 2; i++) {
      uint32_t upper = new_register(decoder, 4);
      emit_op(decoder, PTX_OP_SHR_B32, upper, source[i], constant(decoder, 4, PTX_VALUE, 0, 16));
      source[i] = upper;
    }
  }
  bool first_is_guard = target->parts->reg == decoder->statement->guard;
  for (uint32_t i = 0; i < 2; i++) {
    bool first = first_is_guard == (i == 1);
    finish_setp(decoder, first ? target->parts : target->parts->next, combine,
                compared[first ? 0 : 1], c);
  }
}

/* Decodes setp.lt.and.s32 p|q, a, b, c: sets p = (a < b) and c, q = !(a < b) and c. */
static void decode_setp(Decoder *decoder) {
  PtxOp combine = combining_operation(decoder);
  const Operand *target = decoder->operand[0];
  Slice last = decoder->part[decoder->nparts - 1];
  if (slice_is(last, "f16x2") || slice_is(last, "bf16x2")) {
    decode_setp_halves(decoder, combine);
    return;
  }
  if (combine == PTX_OP_NONE && decoder->noperands && target->kind != OPERAND_PAIR) {
    decode_operation(decoder);
    return;
  }
  uint8_t flags;
  PtxOp op = current_operation(decoder, &flags);
  expect_operands(decoder, combine == PTX_OP_NONE ? 3 : 4, combine == PTX_OP_NONE ? 3 : 4);
  uint32_t a = source_operand(decoder, decoder->operand[1], (PtxType)operations[op].type[1]);
  uint32_t b = source_operand(decoder, decoder->operand[2], (PtxType)operations[op].type[2]);
  uint32_t c =
      combine == PTX_OP_NONE ? PTX_NO_REG : predicate_operand(decoder, decoder->operand[3], NULL);
  uint32_t compared = new_register(decoder, 0), opposite = PTX_NO_REG;
  emit_op(decoder, op, compared, a, b)->flags |= flags;
  if (target->kind != OPERAND_PAIR) {
    finish_setp(decoder, target, combine, compared, c);
    return;
  }
  const Operand *first = target->parts, *second = target->parts->next;
  opposite = new_register(decoder, 0);
  emit_op(decoder, PTX_OP_NOT_PRED, opposite, compared, PTX_NO_REG);
  if (combine != PTX_OP_NONE) {
    /* c may be one of the targets, so copy it first. */
    uint32_t kept = new_register(decoder, 0);
    emit_op(decoder, PTX_OP_MOV_PRED, kept, c, PTX_NO_REG);
    c = kept;
  }
  /* If p is the guard of the statement, write p last, because the old value of p guards both
   * instructions. */
  bool first_is_guard = first->reg == decoder->statement->guard;
  if (!first_is_guard)
    finish_setp(decoder, first, combine, compared, c);
  finish_setp(decoder, second, combine, opposite, c);
  if (first_is_guard)
    finish_setp(decoder, first, combine, compared, c);
}

/* Decodes set.lt.and.u32.f32 d, a, b, c as setp and a selection between all ones (or 1.0) and 0.
 * Only the operations on pairs of halves are in arithmetic.def. */
static void decode_set(Decoder *decoder) {
  for (uint32_t i = 1; i < decoder->nparts; i++)
    /* If the operands are pairs of halves, the result types s32 and u32 are the same. */
    if (slice_is(decoder->part[i], "s32") &&
        (has_part(decoder, "f16x2") || has_part(decoder, "bf16x2")))
      decoder->part[i] = (Slice){"u32", 3};
  char spelling[128];
  PtxType type = PTX_B16; /* the result type; B16 for bf16, which parse_type does not parse */
  spell(decoder, spelling, sizeof spelling);
  if (find_operation(spelling) != PTX_OP_NONE) {
    decode_operation(decoder);
    return;
  }
  if (decoder->nparts < 4)
    refuse_opcode(decoder);
  Slice result = decoder->part[decoder->nparts - 2];
  if (!parse_type(result, &type) && !slice_is(result, "bf16"))
    refuse_opcode(decoder);
  if (ptx_type_bytes(type) != 2 && ptx_type_bytes(type) != 4)
    refuse_opcode(decoder);
  uint64_t one = slice_is(result, "f32")    ? 0x3f800000
                 : slice_is(result, "f16")  ? 0x3c00
                 : slice_is(result, "bf16") ? 0x3f80
                                            : UINT64_MAX >> (64 - 8 * ptx_type_bytes(type));
  bool wide = ptx_type_bytes(type) == 4;
  decoder->part[decoder->nparts - 2] = decoder->part[decoder->nparts - 1];
  decoder->nparts--;
  PtxOp combine = combining_operation(decoder);
  decoder->part[0] = (Slice){"setp", 4};
  uint8_t flags;
  PtxOp op = current_operation(decoder, &flags);
  expect_operands(decoder, combine == PTX_OP_NONE ? 3 : 4, combine == PTX_OP_NONE ? 3 : 4);
  uint32_t a = source_operand(decoder, decoder->operand[1], (PtxType)operations[op].type[1]);
  uint32_t b = source_operand(decoder, decoder->operand[2], (PtxType)operations[op].type[2]);
  uint32_t p = new_register(decoder, 0);
  if (combine != PTX_OP_NONE) {
    uint32_t compared = new_register(decoder, 0);
    uint32_t c = predicate_operand(decoder, decoder->operand[3], NULL);
    emit_op(decoder, op, compared, a, b)->flags |= flags;
    emit_op(decoder, combine, p, compared, c);
  } else {
    emit_op(decoder, op, p, a, b)->flags |= flags;
  }
  uint32_t d = target_operand(decoder, decoder->operand[0], type);
  uint32_t yes = constant(decoder, 4, PTX_VALUE, 0, one),
           no = constant(decoder, 4, PTX_VALUE, 0, 0);
  PtxInsn *insn = emit(decoder, PTX_ALU, type);
  insn->op = wide ? PTX_OP_SELP_B32 : PTX_OP_SELP_B16;
  insn->d = d;
  insn->a = yes;
  insn->b = no;
  insn->c = p;
}

/* Decodes lop3.or.b32 d|p, a, b, c, table, q, which also sets p = (d != 0) or q. */
static void decode_lop3(Decoder *decoder) {
  PtxOp combine = combining_operation(decoder);
  if (combine == PTX_OP_NONE) {
    decode_operation(decoder);
    return;
  }
  expect_operands(decoder, 6, 6);
  const Operand *targets = decoder->operand[0], *table = decoder->operand[4];
  if (targets->kind != OPERAND_PAIR || table->kind != OPERAND_INTEGER)
    refuse_opcode(decoder);
  uint32_t source[3], value = new_register(decoder, 4), p = new_register(decoder, 0);
  for (uint32_t i = 0; i < 3; i++)
    source[i] = source_operand(decoder, decoder->operand[i + 1], PTX_U32);
  uint32_t q = predicate_operand(decoder, decoder->operand[5], NULL);
  PtxInsn *insn = emit_op(decoder, PTX_OP_LOP3_B32, value, source[0], source[1]);
  insn->c = source[2];
  insn->imm = table->value;
  emit_op(decoder, PTX_OP_SETP_NE_U32, p, value, constant(decoder, 4, PTX_VALUE, 0, 0));
  if (targets->parts->kind != OPERAND_SINK) {
    uint32_t d = target_operand(decoder, targets->parts, PTX_U32);
    insn = emit(decoder, PTX_ALU, PTX_U32);
    insn->op = PTX_OP_MOV_B32;
    insn->d = d;
    insn->a = value;
  }
  finish_setp(decoder, targets->parts->next, combine, p, q);
}

/* ---- mov --------------------------------------------------------------------------------- */

static uint32_t operand_count(const Operand *list) {
  uint32_t count = 0;
  for (; list; list = list->next)
    count++;
  return count;
}

/* Decodes mov.b64 d, {a, b} and mov.b64 {a, b}, d. */
static void decode_pack(Decoder *decoder, PtxType whole, bool packs) {
  const Operand *vector = decoder->operand[packs ? 1 : 0],
                *single = decoder->operand[packs ? 0 : 1];
  static const PtxType piece_type[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32};
  uint32_t count = operand_count(vector->parts), i = 0;
  if ((count != 2 && count != 4) || ptx_type_bytes(whole) < count)
    refuse_opcode(decoder);
  PtxType piece = piece_type[ptx_type_bytes(whole) / count];
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, count);
  for (const Operand *part = vector->parts; part; part = part->next, i++) {
    if (part->kind == OPERAND_SINK && !packs)
      list[i] = PTX_NO_REG;
    else
      list[i] = packs ? source_operand(decoder, part, piece) : target_operand(decoder, part, piece);
  }
  uint32_t one =
      packs ? target_operand(decoder, single, whole) : source_operand(decoder, single, whole);
  PtxInsn *insn = emit(decoder, packs ? PTX_PACK : PTX_UNPACK, whole);
  *(packs ? &insn->d : &insn->a) = one;
  insn->list = list;
  insn->count = (uint8_t)count;
}

static void decode_special(Decoder *decoder, PtxSpecial special, PtxType type) {
  PtxType own = special_type(special);
  if (special == PTX_GRIDID || class_of(type) == class_of(own))
    own = class_of(type) == CLASS_WIDE ? PTX_U64 : PTX_U32;
  uint32_t d = target_operand(decoder, decoder->operand[0], own);
  PtxInsn *insn = emit(decoder, PTX_SREG, own);
  insn->sub = (uint8_t)special;
  insn->d = d;
}

static void decode_mov(Decoder *decoder) {
  PtxType type;
  expect_operands(decoder, 2, 2);
  if (!parse_type(decoder->part[decoder->nparts - 1], &type) || decoder->nparts != 2)
    refuse_opcode(decoder);
  const Operand *target = decoder->operand[0], *source = decoder->operand[1];
  PtxSpecial special = source->kind == OPERAND_NAME ? find_special(source->name) : PTX_SPECIALS;
  if (source->kind == OPERAND_VECTOR || target->kind == OPERAND_VECTOR) {
    decode_pack(decoder, type, source->kind == OPERAND_VECTOR);
  } else if (special != PTX_SPECIALS) {
    decode_special(decoder, special, type);
  } else if (source->kind == OPERAND_SYMBOL && source->symbol->kind == SYMBOL_LOCAL) {
    if (ptx_type_bytes(type) < 4)
      refuse_opcode(decoder);
    uint32_t d = target_operand(decoder, target, type);
    PtxInsn *insn = emit(decoder, PTX_LOCAL_ADDR, type);
    insn->d = d;
    insn->imm = (int64_t)(source->symbol->offset + (uint64_t)source->value);
  } else {
    decode_operation(decoder);
  }
}

/* ---- control ----------------------------------------------------------------------------- */

static void decode_bra(Decoder *decoder) {
  expect_operands(decoder, 1, 1);
  flow_branch(decoder, decoder->operand[0]);
}

static void decode_brx(Decoder *decoder) {
  expect_operands(decoder, 2, 2);
  if (decoder->nparts < 2 || !slice_is(decoder->part[1], "idx") ||
      decoder->statement->guard != NONE)
    refuse_opcode(decoder);
  uint32_t index = source_operand(decoder, decoder->operand[0], PTX_U32);
  flow_table(decoder, index, decoder->operand[1]);
}

static void decode_ret(Decoder *decoder) { flow_leave(decoder, PTX_END_RET); }

static void decode_exit(Decoder *decoder) { flow_leave(decoder, PTX_END_EXIT); }

static void decode_trap(Decoder *decoder) { emit(decoder, PTX_TRAP, PTX_B32); }

static void decode_sleep(Decoder *decoder) {
  expect_operands(decoder, 1, 1);
  uint32_t a = source_operand(decoder, decoder->operand[0], PTX_U32);
  emit(decoder, PTX_SLEEP, PTX_U32)->a = a;
}

/* Decodes instructions that are only hints. Emits nothing. */
static void decode_nothing(Decoder *decoder) { (void)decoder; }

static void emit_move(Decoder *decoder, PtxType type, uint32_t d, uint32_t a) {
  PtxInsn *insn = emit(decoder, PTX_ALU, type);
  insn->op = type == PTX_U64 || type == PTX_B64 ? PTX_OP_MOV_B64 : PTX_OP_MOV_B32;
  insn->d = d;
  insn->a = a;
}

/* Decodes createpolicy. The device ignores cache policies, so the result is 0. */
static void decode_policy(Decoder *decoder) {
  expect_operands(decoder, 1, 4);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_B64);
  emit_move(decoder, PTX_B64, d, constant(decoder, 8, PTX_VALUE, 0, 0));
}

/* ---- alloca ------------------------------------------------------------------------------ */

/* The maximum number of bytes that alloca can allocate in one call of a function. Accesses beyond
 * these bytes are out of bounds. */
enum { STACK_BYTES = 8192 };

static bool wants_stack(const Decoder *decoder) {
  for (uint32_t i = 0; i < decoder->source->statements.count; i++) {
    const Statement *s = &decoder->source->statements.items[i];
    if (s->kind == STATEMENT_INSTRUCTION && s->name.length > 6 &&
        !memcmp(s->name.start, "alloca", 6))
      return true;
  }
  return false;
}

static void begin_stack(Decoder *decoder) {
  const uint32_t offset =
      reserve(decoder->loader, &decoder->function->local_bytes, STACK_BYTES, 16, LOCAL_LIMIT);
  decoder->function->alloca_bytes = STACK_BYTES;
  const uint32_t stack = new_register(decoder, 8);
  PtxInsn *insn = emit_always(decoder, PTX_LOCAL_ADDR, PTX_U64);
  insn->d = stack;
  insn->imm = offset;
  decoder->stack = stack + 1;
}

static void set_stack(Decoder *decoder, PtxOp op, uint32_t a, uint32_t b) {
  emit_op(decoder, op, decoder->stack - 1, a, b);
}
static uint32_t all_but(Decoder *decoder, uint64_t bits) {
  return constant(decoder, 8, PTX_VALUE, 0, ~bits);
}

/* Decodes alloca.u64 d, bytes{, align}. */
static void allocate(Decoder *decoder, bool wide, uint32_t stack) {
  expect_operands(decoder, 2, 3);
  const Operand *align = decoder->noperands == 3 ? decoder->operand[2] : NULL;
  const uint64_t to = align ? (uint64_t)align->value : 8;
  if (!wide || (align && align->kind != OPERAND_INTEGER) || to == 0 || to & (to - 1))
    refuse_opcode(decoder);
  const uint32_t bytes = source_operand(decoder, decoder->operand[1], PTX_U64);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_U64);
  const uint32_t first = new_register(decoder, 8);
  set_stack(decoder, PTX_OP_ADD_U64, stack, constant(decoder, 8, PTX_VALUE, 0, to - 1));
  set_stack(decoder, PTX_OP_AND_B64, stack, all_but(decoder, to - 1));
  emit_op(decoder, PTX_OP_MOV_B64, first, stack, PTX_NO_REG);
  set_stack(decoder, PTX_OP_ADD_U64, stack, bytes); /* d and bytes may be one register */
  emit_op(decoder, PTX_OP_MOV_B64, d, first, PTX_NO_REG);
}

/* Decodes alloca, stacksave.u32 d and stackrestore.u32 a. stackrestore frees the memory that alloca
 * has allocated since the stacksave. */
static void decode_stack(Decoder *decoder) {
  const bool wide = has_part(decoder, "u64");
  const PtxType type = wide ? PTX_U64 : PTX_U32;
  if (decoder->nparts != 2 || !(wide || has_part(decoder, "u32")) ||
      decoder->statement->guard != NONE || !decoder->stack)
    refuse_opcode(decoder);
  if (slice_is(decoder->part[0], "alloca")) {
    allocate(decoder, wide, decoder->stack - 1);
    return;
  }
  expect_operands(decoder, 1, 1);
  if (slice_is(decoder->part[0], "stackrestore"))
    set_stack(decoder, wide ? PTX_OP_MOV_B64 : PTX_OP_CVT_U64_U32,
              source_operand(decoder, decoder->operand[0], type), PTX_NO_REG);
  else
    emit_op(decoder, wide ? PTX_OP_MOV_B64 : PTX_OP_CVT_U32_U64,
            target_operand(decoder, decoder->operand[0], type), decoder->stack - 1, PTX_NO_REG);
}

/* Removes the sub-qualifiers of spaces: shared::cta and shared::cluster become shared, because a
 * cluster has only one thread block, and param::entry becomes param. */
static void decode_space(Decoder *decoder) {
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    const char *colon = memchr(decoder->part[i].start, ':', decoder->part[i].length);
    if (colon)
      decoder->part[i].length = (uint32_t)(colon - decoder->part[i].start);
  }
  decode_operation(decoder);
}

static void decode_cvta(Decoder *decoder) {
  if (has_part(decoder, "param"))
    refuse(decoder, "makes a pointer to a kernel parameter, which the emulated device does not do");
  decode_space(decoder);
}

/* ---- clusters: each thread block is its own cluster ------------------------------------------ */

/* Decodes mapa d, a, rank. d = the address of a in thread block `rank` of the cluster. A cluster
 * has one thread block, so d = a. */
static void decode_mapa(Decoder *decoder) {
  PtxType type;
  expect_operands(decoder, 3, 3);
  if (!parse_type(decoder->part[decoder->nparts - 1], &type) ||
      (type != PTX_U32 && type != PTX_U64))
    refuse_opcode(decoder);
  source_operand(decoder, decoder->operand[2], PTX_U32);
  const uint32_t a = source_operand(decoder, decoder->operand[1], type);
  const uint32_t d = target_operand(decoder, decoder->operand[0], type);
  emit_move(decoder, type, d, a);
}

/* Decodes getctarank d, a. d = the rank in the cluster of the thread block that owns address a. The
 * rank is always 0. */
static void decode_rank(Decoder *decoder) {
  expect_operands(decoder, 2, 2);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_U32);
  emit_move(decoder, PTX_U32, d, constant(decoder, 4, PTX_VALUE, 0, 0));
}

/* ---- statements -------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*decode)(Decoder *);
} handlers[] = {
    {"activemask", decode_activemask},
    {"alloca", decode_stack},
    {"applypriority", decode_nothing},
    {"atom", decode_atomic},
    {"bar", decode_barrier},
    {"barrier", decode_barrier},
    {"bfi", decode_bfi},
    {"bra", decode_bra},
    {"brkpt", decode_trap},
    {"brx", decode_brx},
    {"call", decode_call},
    {"cp", decode_copy},
    {"createpolicy", decode_policy},
    {"cvt", decode_cvt},
    {"cvta", decode_cvta},
    {"discard", decode_nothing},
    {"elect", decode_elect},
    {"exit", decode_exit},
    {"fence", decode_fence},
    {"getctarank", decode_rank},
    {"griddepcontrol", decode_nothing},
    {"isspacep", decode_space},
    {"ld", decode_load},
    {"ldmatrix", decode_ldmatrix},
    {"ldu", decode_load},
    {"lop3", decode_lop3},
    {"mapa", decode_mapa},
    {"match", decode_match},
    {"mbarrier", decode_mbarrier},
    {"membar", decode_fence},
    {"mma", decode_mma},
    {"mov", decode_mov},
    {"movmatrix", decode_movmatrix},
    {"nanosleep", decode_sleep},
    {"pmevent", decode_nothing},
    {"prefetch", decode_nothing},
    {"prefetchu", decode_nothing},
    {"red", decode_atomic},
    {"redux", decode_redux},
    {"ret", decode_ret},
    {"set", decode_set},
    {"setp", decode_setp},
    {"setmaxnreg", decode_nothing},
    {"shfl", decode_shuffle},
    {"st", decode_store},
    {"stackrestore", decode_stack},
    {"stacksave", decode_stack},
    {"stmatrix", decode_stmatrix},
    {"suld", decode_surface},
    {"sust", decode_surface},
    {"tex", decode_texture},
    {"tld4", decode_texture},
    {"trap", decode_trap},
    {"vote", decode_vote},
    {"wmma", decode_wmma},
};
#define HANDLERS (sizeof handlers / sizeof handlers[0])

const char *ptx_statement_name(size_t i) { return i < HANDLERS ? handlers[i].name : NULL; }

static void split_opcode(Decoder *decoder) {
  const char *c = decoder->statement->name.start, *end = c + decoder->statement->name.length;
  decoder->nparts = 0;
  while (c < end) {
    const char *dot = memchr(c, '.', (size_t)(end - c));
    dot = dot ? dot : end;
    if (decoder->nparts == MAX_PARTS)
      refuse_opcode(decoder);
    decoder->part[decoder->nparts++] = (Slice){c, (uint32_t)(dot - c)};
    c = dot + 1;
  }
}

static void collect_operands(Decoder *decoder) {
  decoder->noperands = 0;
  for (const Operand *o = decoder->statement->operands; o; o = o->next) {
    if (decoder->noperands == MAX_OPERANDS)
      refuse_opcode(decoder);
    decoder->operand[decoder->noperands++] = o;
  }
}

uint32_t line_index(Loader *loader, uint32_t file, uint32_t line) {
  if (2 * (loader->lines.count + 1) > loader->nline_buckets) {
    uint32_t n = loader->nline_buckets = loader->nline_buckets ? 2 * loader->nline_buckets : 256;
    loader->line_buckets = ARENA_ARRAY(loader->scratch, uint32_t, n);
    for (uint32_t i = 1; i < loader->lines.count; i++) {
      uint32_t at = hash_bytes(&loader->lines.items[i], sizeof(PtxLine), 0);
      while (loader->line_buckets[at & (n - 1)])
        at++;
      loader->line_buckets[at & (n - 1)] = i;
    }
  }
  PtxLine wanted = {file, line};
  for (uint32_t at = hash_bytes(&wanted, sizeof wanted, 0);; at++) {
    uint32_t *bucket = &loader->line_buckets[at & (loader->nline_buckets - 1)];
    const PtxLine *known = &loader->lines.items[*bucket];
    if (*bucket && known->file == file && known->line == line)
      return *bucket;
    if (*bucket)
      continue;
    *VECTOR_PUSH(loader->scratch, loader->lines) = wanted;
    return *bucket = loader->lines.count - 1;
  }
}

/* Returns true if the line is in a file of the user, not in a header of the toolkit. Compilers use
 * line 0 for code without a source line. */
static bool is_users(const Loader *loader, uint32_t file, uint32_t line) {
  return line && file && file < loader->files.count &&
         !strstr(loader->files.items[file], "/include/");
}

/* If code was inlined into a function that was itself inlined, returns the .loc of the call in that
 * function; NULL: not found. Compilers write this .loc shortly before the .loc of the inlined
 * code. */
static const Location *caller(const Loader *loader, const Location *inlined) {
  const Location *earliest = loader->locations.items;
  for (const Location *l = inlined; inlined->outer_line && l-- > earliest && inlined - l <= 64;)
    if (l->file == inlined->outer_file && l->line == inlined->outer_line &&
        l->column == inlined->outer_column)
      return l;
  return NULL;
}

/* Sets the source line of the current statement. Code that was inlined from the toolkit's headers
 * gets the line of the user's call, because students do not read these headers. If the compiler has
 * not recorded the line of the call, keeps the line of the previous statement. */
static void locate(Decoder *decoder) {
  Loader *loader = decoder->loader;
  const Location *l = &loader->locations.items[decoder->statement->location];
  for (; l; l = caller(loader, l))
    if (is_users(loader, l->file, l->line)) {
      decoder->line = line_index(loader, l->file, l->line);
      decoder->column = l->column;
      return;
    } else if (is_users(loader, l->outer_file, l->outer_line)) {
      decoder->line = line_index(loader, l->outer_file, l->outer_line);
      decoder->column = l->outer_column;
      return;
    }
}

static void decode_statement(Decoder *decoder) {
  const Statement *statement = decoder->statement;
  if (statement->kind == STATEMENT_LABEL)
    flow_label(decoder, statement->label);
  if (statement->kind != STATEMENT_INSTRUCTION)
    return;
  locate(decoder);
  split_opcode(decoder);
  collect_operands(decoder);
  if (statement->guard != NONE &&
      decoder->source->registers.items[statement->guard].class != CLASS_PREDICATE)
    refuse(decoder, "is guarded by a register that is no predicate");
  for (size_t i = 0; i < HANDLERS; i++)
    if (slice_is(decoder->part[0], handlers[i].name)) {
      handlers[i].decode(decoder);
      return;
    }
  if (is_carry(decoder))
    decode_carry(decoder);
  else if (is_video(decoder))
    decode_video(decoder);
  else
    decode_operation(decoder);
}

static void decode_statements(Decoder *decoder) {
  flow_begin(decoder);
  for (uint32_t i = 0; i < decoder->source->statements.count; i++) {
    decoder->statement = &decoder->source->statements.items[i];
    if (i == 0 && wants_stack(decoder))
      begin_stack(decoder);
    decode_statement(decoder);
  }
  flow_finish(decoder);
  trace_parameters(decoder);
  trace_data(decoder);
  trace_seeds(decoder);
  trace_flags(decoder);
  find_printed(decoder);
  find_overwritten(decoder);
  merge_accesses(decoder);
  find_turns(decoder);
  assign_registers(decoder);
}

void decode_function(Loader *loader, Source *source) {
  static const Statement none = {.guard = NONE};
  Decoder *decoder = arena_take(loader->scratch, sizeof *decoder);
  decoder->loader = loader;
  decoder->source = source;
  decoder->function = &loader->functions.items[source->function];
  decoder->statement = &none;
  if (setjmp(decoder->refused) == 0) {
    decode_statements(decoder);
    return;
  }
  decoder->function->refusal = source->refusal;
  decoder->function->ncode = decoder->function->nblocks = 0;
}
