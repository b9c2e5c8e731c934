/* Turns operands into virtual registers, and emits instructions.
 *
 * A literal or an address becomes a constant: a virtual register whose value is stored before the
 * launch. Equal constants share a register. The width of each register operand is checked against
 * the type of the instruction, so that the machine never reads a 64-bit value from a 32-bit
 * register. */
#include "ptx.h"

/* ---- emitting ---------------------------------------------------------------------------- */

PtxInsn *emit_always(Decoder *decoder, PtxForm form, PtxType type) {
  PtxInsn *insn = VECTOR_PUSH(decoder->loader->scratch, decoder->code);
  const Loader *loader = decoder->loader;
  *insn = (PtxInsn){.op = PTX_OP_NONE, .form = (uint8_t)form, .type = (uint8_t)type};
  insn->d = insn->a = insn->b = insn->c = insn->e = insn->mask = insn->guard = PTX_NO_REG;
  insn->line = decoder->line;
  insn->column = (uint16_t)(decoder->column <= UINT16_MAX ? decoder->column : 0);
  insn->parameter = -1;
  insn->text = (uint32_t)(decoder->statement->name.start - loader->module->text);
  return insn;
}

PtxInsn *emit(Decoder *decoder, PtxForm form, PtxType type) {
  PtxInsn *insn = emit_always(decoder, form, type);
  insn->guard = decoder->statement->guard;
  insn->flags = decoder->statement->negated ? PTX_NEG_PRED : 0;
  return insn;
}

PtxInsn *emit_op(Decoder *decoder, PtxOp op, uint32_t d, uint32_t a, uint32_t b) {
  PtxInsn *insn = emit_always(decoder, PTX_ALU, (PtxType)operations[op].type[0]);
  insn->op = (uint16_t)op;
  insn->d = d;
  insn->a = a;
  insn->b = b;
  return insn;
}

RegisterClass class_of(PtxType type) {
  unsigned bytes = ptx_type_bytes(type);
  return bytes == 0 ? CLASS_PREDICATE : bytes == 8 ? CLASS_WIDE : CLASS_NARROW;
}

uint32_t new_register(Decoder *decoder, unsigned bytes) {
  RegisterClass class = bytes == 0 ? CLASS_PREDICATE : bytes == 8 ? CLASS_WIDE : CLASS_NARROW;
  *VECTOR_PUSH(decoder->loader->scratch, decoder->source->registers) =
      (Register){.class = (uint8_t) class, .bytes = (uint8_t)bytes};
  return decoder->source->registers.count - 1;
}

/* ---- constants --------------------------------------------------------------------------- */

static uint32_t constant_hash(const PtxConstant *c) {
  uint64_t key[2] = {c->value, (uint64_t)c->symbol << 16 | (uint64_t)c->kind << 8 | c->bytes};
  return hash_bytes(key, sizeof key, 0);
}

static bool same_constant(const PtxConstant *a, const PtxConstant *b) {
  return a->value == b->value && a->symbol == b->symbol && a->kind == b->kind &&
         a->bytes == b->bytes;
}

/* Returns the hash bucket of the constant `wanted`. The bucket contains the index of the constant
 * plus 1; 0: the constant is new. */
static uint32_t *constant_bucket(Decoder *decoder, const PtxConstant *wanted) {
  for (uint32_t i = constant_hash(wanted);; i++) {
    uint32_t *bucket = &decoder->constant_buckets[i & (decoder->nconstant_buckets - 1)];
    if (!*bucket || same_constant(&decoder->constants.items[*bucket - 1], wanted))
      return bucket;
  }
}

static void double_constant_buckets(Decoder *decoder) {
  decoder->nconstant_buckets = decoder->nconstant_buckets ? 2 * decoder->nconstant_buckets : 64;
  decoder->constant_buckets =
      ARENA_ARRAY(decoder->loader->scratch, uint32_t, decoder->nconstant_buckets);
  for (uint32_t i = 0; i < decoder->constants.count; i++)
    *constant_bucket(decoder, &decoder->constants.items[i]) = i + 1;
}

/* Returns the register of a constant. `bytes`: 4 or 8; 0 for a predicate. */
uint32_t constant(Decoder *decoder, unsigned bytes, PtxConstantKind kind, uint32_t symbol,
                  uint64_t value) {
  PtxConstant wanted = {0, (uint8_t)bytes, (uint8_t)kind, symbol, value};
  if (2 * decoder->constants.count >= decoder->nconstant_buckets)
    double_constant_buckets(decoder);
  uint32_t *bucket = constant_bucket(decoder, &wanted);
  if (!*bucket) {
    wanted.slot = new_register(decoder, bytes);
    decoder->source->registers.items[wanted.slot].constant = true;
    *VECTOR_PUSH(decoder->loader->scratch, decoder->constants) = wanted;
    *bucket = decoder->constants.count;
  }
  return decoder->constants.items[*bucket - 1].slot;
}

static uint64_t float_literal(double value, PtxType type) {
  uint64_t bits = 0;
  float narrow = (float)value;
  if (type == PTX_F32)
    memcpy(&bits, &narrow, sizeof narrow);
  else
    memcpy(&bits, &value, sizeof value);
  return bits;
}

/* Returns the bits of a literal as a value of this type, zero-extended. */
uint64_t literal_bits(const Operand *literal, PtxType type) {
  uint64_t bits = (uint64_t)literal->value;
  unsigned bytes = ptx_type_bytes(type);
  bool is_float = type == PTX_F32 || type == PTX_F64;
  if (literal->kind == OPERAND_F64 && (is_float || bytes < 8)) {
    double value;
    memcpy(&value, &bits, sizeof value);
    bits = float_literal(value, is_float ? type : PTX_F32);
  } else if (literal->kind == OPERAND_F32 && type == PTX_F64) {
    float value;
    memcpy(&value, &bits, sizeof value);
    bits = float_literal(value, type);
  } else if (literal->kind == OPERAND_INTEGER && is_float) {
    bits = float_literal((double)literal->value, type);
  }
  return bytes == 0  ? (bits ? UINT32_MAX : 0)
         : bytes < 8 ? bits & ((UINT64_C(1) << 8 * bytes) - 1)
                     : bits;
}

/* ---- operands ---------------------------------------------------------------------------- */

void expect_operands(Decoder *decoder, uint32_t least, uint32_t most) {
  if (decoder->noperands < least || decoder->noperands > most)
    refuse(decoder, "has %u operands: the emulated device knows it with %u", decoder->noperands,
           decoder->noperands < least ? least : most);
}

/* Returns the symbol that an operand names. A name that the parser did not find is looked up again,
 * because a function may be declared after its first use. */
const Symbol *operand_symbol(Decoder *decoder, const Operand *operand) {
  const Symbol *symbol = operand->symbol;
  if (operand->kind == OPERAND_NAME)
    symbol = find_symbol(&decoder->loader->symbols, operand->name);
  if (!symbol || (operand->kind != OPERAND_SYMBOL && operand->kind != OPERAND_NAME))
    refuse(decoder, "names %.*s, which is not declared",
           (int)(operand->name.length < 60 ? operand->name.length : 60), operand->name.start);
  return symbol;
}

static uint32_t variable_address(Decoder *decoder, const Symbol *symbol, unsigned bytes,
                                 int64_t offset) {
  const PtxVariable *variable = &decoder->loader->variables.items[symbol->index];
  if (variable->is_extern)
    refuse(decoder,
           "uses %s, which no linked file defines. Files that share device variables must be "
           "compiled with -rdc=true.",
           variable->name);
  if (bytes != 8 && !(bytes == 4 && variable->space == PTX_CONST))
    refuse(decoder, "takes the address of %s in fewer than 64 bits", variable->name);
  return constant(decoder, (uint8_t)bytes, PTX_GLOBAL_SYMBOL, symbol->index, (uint64_t)offset);
}

static uint32_t local_address(Decoder *decoder, const Symbol *symbol, unsigned bytes,
                              int64_t offset) {
  uint32_t d = new_register(decoder, bytes);
  PtxInsn *insn = emit_always(decoder, PTX_LOCAL_ADDR, bytes == 8 ? PTX_U64 : PTX_U32);
  insn->d = d;
  insn->imm = (int64_t)((uint64_t)offset + symbol->offset);
  return d;
}

static void move_piece(Decoder *decoder, PtxForm form, PtxType type, uint32_t reg, uint32_t a,
                       int64_t offset) {
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, 1);
  PtxInsn *insn = emit_always(decoder, form, type);
  *list = reg;
  insn->list = list;
  insn->count = 1;
  insn->sub = (uint8_t)ptx_type_bytes(type);
  insn->space = form == PTX_ST ? PTX_LOCAL : PTX_PARAM;
  insn->a = a;
  insn->imm = offset;
}

/* Called if a device function takes the address of a parameter, for example to index an array in a
 * structure. The argument area has no addresses, so the argument is copied to local memory, and the
 * address of the copy is returned. Later, ld.param with an address in a register reads the copy. */
static uint32_t copy_argument(Decoder *decoder, const Symbol *symbol, int64_t offset) {
  enum { MOST_BYTES = 4096 };
  if (decoder->function->is_entry || symbol->bytes > MOST_BYTES)
    refuse(decoder, "takes the address of an argument, which the emulated device does not do");
  Symbol copy = *symbol;
  copy.offset =
      reserve(decoder->loader, &decoder->function->local_bytes, symbol->bytes, 16, LOCAL_LIMIT);
  uint32_t base = local_address(decoder, &copy, 8, 0);
  for (uint32_t at = 0, bytes; at < symbol->bytes; at += bytes) {
    bytes = symbol->bytes - at >= 4 && symbol->offset % 4 == 0 ? 4 : 1;
    PtxType type = bytes == 4 ? PTX_B32 : PTX_B8;
    uint32_t piece = new_register(decoder, bytes);
    move_piece(decoder, PTX_LD_ARG, type, piece, PTX_NO_REG, (int64_t)symbol->offset + at);
    move_piece(decoder, PTX_ST, type, piece, base, at);
  }
  return local_address(decoder, &copy, 8, offset);
}

/* Returns a register with the address of the operand's symbol plus the operand's offset. The
 * address is in the space in which the symbol is declared. `bytes`: the width of the register. */
uint32_t symbol_address(Decoder *decoder, const Operand *operand, unsigned bytes) {
  const Symbol *symbol = operand_symbol(decoder, operand);
  if (bytes < 4)
    refuse(decoder, "takes an address in fewer than 32 bits");
  uint64_t narrow = bytes == 8 ? UINT64_MAX : UINT32_MAX;
  switch (symbol->kind) {
  case SYMBOL_VARIABLE:
    return variable_address(decoder, symbol, bytes, operand->value);
  case SYMBOL_SHARED:
    return constant(decoder, bytes,
                    decoder->loader->shared.items[symbol->index].is_extern ? PTX_DYNAMIC_SHARED
                                                                           : PTX_SHARED_SYMBOL,
                    symbol->index, (uint64_t)operand->value & narrow);
  case SYMBOL_LOCAL:
    return local_address(decoder, symbol, bytes, operand->value);
  case SYMBOL_PARAM:
    return constant(decoder, bytes, PTX_VALUE, 0,
                    (symbol->offset + (uint64_t)operand->value) & narrow);
  case SYMBOL_FUNCTION:
    return constant(decoder, bytes, PTX_FUNCTION_SYMBOL, symbol->index, 0);
  case SYMBOL_ARGUMENT:
    return copy_argument(decoder, symbol, operand->value);
  default:
    refuse_opcode(decoder);
  }
}

PtxType special_type(PtxSpecial special) {
  bool wide = special == PTX_CLOCK64 || special == PTX_GLOBALTIMER || special == PTX_GRIDID;
  return wide ? PTX_U64 : PTX_U32;
}

static uint32_t named_operand(Decoder *decoder, const Operand *operand, PtxType type) {
  unsigned bytes = ptx_type_bytes(type) == 8 ? 8 : 4;
  PtxSpecial special = find_special(operand->name);
  if (slice_is(operand->name, "WARP_SZ"))
    return constant(decoder, bytes, PTX_VALUE, 0, 32);
  if (special == PTX_SPECIALS || class_of(type) != class_of(special_type(special)))
    return symbol_address(decoder, operand, bytes);
  uint32_t d = new_register(decoder, bytes);
  PtxInsn *insn = emit_always(decoder, PTX_SREG, special_type(special));
  insn->sub = (uint8_t)special;
  insn->d = d;
  return d;
}

static void check_class(Decoder *decoder, const Operand *operand, PtxType type) {
  if (decoder->source->registers.items[operand->reg].class != class_of(type))
    refuse(decoder, "cannot use %.*s as .%s",
           (int)(operand->name.length < 60 ? operand->name.length : 60), operand->name.start,
           ptx_type_name(type));
}

uint32_t source_operand(Decoder *decoder, const Operand *operand, PtxType type) {
  if (class_of(type) == CLASS_PREDICATE)
    return predicate_operand(decoder, operand, NULL);
  if (operand->negated)
    refuse_opcode(decoder);
  switch (operand->kind) {
  case OPERAND_REGISTER:
    check_class(decoder, operand, type);
    return operand->reg;
  case OPERAND_INTEGER:
  case OPERAND_F32:
  case OPERAND_F64:
    return constant(decoder, class_of(type) == CLASS_WIDE ? 8 : 4, PTX_VALUE, 0,
                    literal_bits(operand, type));
  case OPERAND_SYMBOL:
  case OPERAND_NAME:
    return named_operand(decoder, operand, type);
  default:
    refuse_opcode(decoder);
  }
}

uint32_t target_operand(Decoder *decoder, const Operand *operand, PtxType type) {
  if (operand->kind == OPERAND_SINK)
    return new_register(decoder, ptx_type_bytes(type));
  if (operand->kind != OPERAND_REGISTER || operand->negated)
    refuse_opcode(decoder);
  check_class(decoder, operand, type);
  return operand->reg;
}

uint32_t predicate_operand(Decoder *decoder, const Operand *operand, bool *negated) {
  if (operand->kind == OPERAND_INTEGER && !operand->negated)
    return constant(decoder, 0, PTX_VALUE, 0, literal_bits(operand, PTX_PRED));
  if (operand->kind == OPERAND_NAME && slice_is(operand->name, "%is_explicit_cluster"))
    return constant(decoder, 0, PTX_VALUE, 0, 0);
  if (operand->kind != OPERAND_REGISTER)
    refuse_opcode(decoder);
  check_class(decoder, operand, PTX_PRED);
  if (negated)
    *negated = operand->negated;
  if (!operand->negated || negated)
    return operand->reg;
  uint32_t d = new_register(decoder, 0);
  emit_op(decoder, PTX_OP_NOT_PRED, d, operand->reg, PTX_NO_REG);
  return d;
}

uint32_t and_guard(Decoder *decoder, uint32_t p) {
  uint32_t guard = decoder->statement->guard;
  if (guard == NONE)
    return p;
  if (decoder->statement->negated) {
    const uint32_t not = new_register(decoder, 0);
    emit_op(decoder, PTX_OP_NOT_PRED, not, guard, PTX_NO_REG);
    guard = not ;
  }
  const uint32_t both = new_register(decoder, 0);
  emit_op(decoder, PTX_OP_AND_PRED, both, p, guard);
  return both;
}
