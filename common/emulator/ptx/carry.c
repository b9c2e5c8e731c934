/* Decodes instructions that use the carry flag: add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi and
 * similar. Compilers generate them for double-precision sine and for products of wide integers.
 *
 * The carry flag becomes a predicate register, and each instruction becomes a few operations of
 * arithmetic.def. The carry of a sum is 1 if the result is less than one of the terms. The borrow
 * of a difference a - b is 1 if a < b. */
#include "ptx.h"

typedef struct Carry {
  PtxType type;
  PtxOp add, subtract, below, select, copy;
  unsigned bytes;
} Carry;

static const Carry narrow = {
    PTX_U32, PTX_OP_ADD_U32, PTX_OP_SUB_U32, PTX_OP_SETP_LO_U32, PTX_OP_SELP_B32, PTX_OP_MOV_B32,
    4};
static const Carry wide = {
    PTX_U64, PTX_OP_ADD_U64, PTX_OP_SUB_U64, PTX_OP_SETP_LO_U64, PTX_OP_SELP_B64, PTX_OP_MOV_B64,
    8};

/* Emits a op b. Returns the new register that holds the result. */
static uint32_t compute(Decoder *decoder, PtxOp op, unsigned bytes, uint32_t a, uint32_t b) {
  uint32_t d = new_register(decoder, bytes);
  emit_op(decoder, op, d, a, b);
  return d;
}

static uint32_t flag_register(Decoder *decoder) {
  if (decoder->carry == 0)
    /* Stored plus 1, because 0 means that there is no register yet. */
    decoder->carry = new_register(decoder, 0) + 1;
  return decoder->carry - 1;
}

static uint32_t flag_value(Decoder *decoder, const Carry *kind) {
  uint32_t one = constant(decoder, kind->bytes, PTX_VALUE, 0, 1);
  uint32_t zero = constant(decoder, kind->bytes, PTX_VALUE, 0, 0);
  uint32_t d = new_register(decoder, kind->bytes);
  emit_op(decoder, kind->select, d, one, zero)->c = flag_register(decoder);
  return d;
}

/* Emits the computation of a + b or a - b; if `takes_flag`, also adds or subtracts the carry flag.
 * Returns the register with the result. Sets `*out` to the predicate register with the new
 * carry. */
static uint32_t chain(Decoder *decoder, const Carry *kind, bool subtracts, uint32_t a, uint32_t b,
                      bool takes_flag, uint32_t *out) {
  PtxOp op = subtracts ? kind->subtract : kind->add;
  uint32_t first = compute(decoder, op, kind->bytes, a, b);
  *out = subtracts ? compute(decoder, kind->below, 0, a, b)
                   : compute(decoder, kind->below, 0, first, a);
  if (!takes_flag)
    return first;
  uint32_t flag = flag_value(decoder, kind);
  uint32_t second = compute(decoder, op, kind->bytes, first, flag);
  uint32_t again = subtracts ? compute(decoder, kind->below, 0, first, flag)
                             : compute(decoder, kind->below, 0, second, first);
  *out = compute(decoder, PTX_OP_OR_PRED, 0, *out, again);
  return second;
}

static uint32_t product(Decoder *decoder, const Carry *kind, PtxType type, uint32_t a, uint32_t b) {
  bool is_signed = type == PTX_S32 || type == PTX_S64;
  PtxOp op = kind == &narrow ? PTX_OP_MUL_LO_U32 : PTX_OP_MUL_LO_U64;
  if (has_part(decoder, "hi") && kind == &narrow)
    op = is_signed ? PTX_OP_MUL_HI_S32 : PTX_OP_MUL_HI_U32;
  else if (has_part(decoder, "hi"))
    op = is_signed ? PTX_OP_MUL_HI_S64 : PTX_OP_MUL_HI_U64;
  return compute(decoder, op, kind->bytes, a, b);
}

static void emit_guarded(Decoder *decoder, PtxOp op, uint32_t d, uint32_t a) {
  PtxInsn *insn = emit(decoder, PTX_ALU, (PtxType)operations[op].type[0]);
  insn->op = (uint16_t)op;
  insn->d = d;
  insn->a = a;
}

bool is_carry(const Decoder *decoder) {
  Slice name = decoder->part[0];
  return slice_is(name, "addc") || slice_is(name, "subc") || slice_is(name, "madc") ||
         (has_part(decoder, "cc") &&
          (slice_is(name, "add") || slice_is(name, "sub") || slice_is(name, "mad")));
}

/* Decodes an instruction with a carry flag. The operands are d, a, b for add and sub, and d, a, b,
 * c for mad. */
void decode_carry(Decoder *decoder) {
  PtxType type;
  bool multiplies = decoder->part[0].start[0] == 'm', subtracts = decoder->part[0].start[0] == 's';
  bool takes_flag = decoder->part[0].length == 4, sets_flag = has_part(decoder, "cc");
  uint32_t source[3] = {0}, sources = multiplies ? 3 : 2, out;
  expect_operands(decoder, sources + 1, sources + 1);
  if (!parse_type(decoder->part[decoder->nparts - 1], &type) || ptx_type_bytes(type) < 4 ||
      type == PTX_F32 || type == PTX_F64 || decoder->nparts != 2u + multiplies + sets_flag ||
      (multiplies && !has_part(decoder, "lo") && !has_part(decoder, "hi")))
    refuse_opcode(decoder);
  const Carry *kind = ptx_type_bytes(type) == 8 ? &wide : &narrow;
  for (uint32_t i = 0; i < sources; i++)
    source[i] = source_operand(decoder, decoder->operand[i + 1], kind->type);
  uint32_t d = target_operand(decoder, decoder->operand[0], kind->type), a = source[0];
  uint32_t b = source[sources - 1];
  if (multiplies)
    a = product(decoder, kind, type, source[0], source[1]);
  uint32_t value = chain(decoder, kind, subtracts, a, b, takes_flag, &out);
  emit_guarded(decoder, kind->copy, d, value);
  if (sets_flag)
    emit_guarded(decoder, PTX_OP_MOV_PRED, flag_register(decoder), out);
}
