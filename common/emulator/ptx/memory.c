/* Decodes loads, stores, atomic operations, asynchronous copies and fences.
 *
 * The modifiers of an opcode (space, type, vector length, ordering, cache hints) may be in any
 * order. An address is a register, a symbol or a number, plus an offset. The register has 64 bits;
 * in an address of shared, local, constant or parameter memory it may have 32 bits. */
#include "ptx.h"

typedef struct Access {
  PtxSpace space;
  PtxType type;
  uint32_t count;
  bool synchronises, acquires, releases, relaxed, in_block;
  bool has_operation;
  PtxAtomic operation;
} Access;

typedef struct Address {
  uint32_t base;
  int64_t offset;
  bool narrow;
} Address;

/* ---- modifiers --------------------------------------------------------------------------- */

typedef struct Word {
  const char *word;
  int value;
} Word;

static bool look_up(Slice part, const Word *words, int *value) {
  for (; words->word; words++)
    if (slice_is(part, words->word)) {
      *value = words->value;
      return true;
    }
  return false;
}

static const Word spaces[] = {{"global", PTX_GLOBAL},
                              {"const", PTX_CONST},
                              {"shared", PTX_SHARED},
                              {"shared::cta", PTX_SHARED},
                              {"shared::cluster", PTX_SHARED},
                              {"local", PTX_LOCAL},
                              {"param", PTX_PARAM},
                              {"param::entry", PTX_PARAM},
                              {"param::func", PTX_PARAM},
                              {NULL, 0}};
static const Word atomics[] = {{"add", PTX_ATOM_ADD},
                               {"min", PTX_ATOM_MIN},
                               {"max", PTX_ATOM_MAX},
                               {"and", PTX_ATOM_AND},
                               {"or", PTX_ATOM_OR},
                               {"xor", PTX_ATOM_XOR},
                               {"exch", PTX_ATOM_EXCH},
                               {"cas", PTX_ATOM_CAS},
                               {"inc", PTX_ATOM_INC},
                               {"dec", PTX_ATOM_DEC},
                               {NULL, 0}};
/* The meanings of ordering modifiers; 0: a hint, or device scope. STRONG: the access synchronises.
 * The modifiers .cg and .cv count as STRONG, because they bypass L1 to read values that other
 * thread blocks have written. SYSTEM counts as device scope in loads and stores. In atomic
 * operations it means that host and device may change one variable at the same time. */
enum { STRONG = 1, SYSTEM = 2, ACQUIRES = 4, RELEASES = 8, IN_BLOCK = 16, RELAXED = 32 };
static const Word orders[] = {{"volatile", STRONG},
                              {"relaxed", STRONG | RELAXED},
                              {"acquire", STRONG | RELAXED | ACQUIRES},
                              {"release", STRONG | RELAXED | RELEASES},
                              {"acq_rel", STRONG | RELAXED | ACQUIRES | RELEASES},
                              {"mmio", STRONG},
                              {"weak", 0},
                              {"ca", 0},
                              {"cg", STRONG},
                              {"cs", 0},
                              {"lu", 0},
                              {"cv", STRONG},
                              {"wb", 0},
                              {"wt", 0},
                              {"nc", 0},
                              {"cta", IN_BLOCK},
                              {"gpu", 0},
                              {"sys", SYSTEM},
                              {"cluster", IN_BLOCK},
                              {NULL, 0}};
static const Word vectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}, {NULL, 0}};
enum { MAX_VECTOR = 8 };

static bool is_cache_hint(Slice part) {
  return part.length > 4 && part.start[0] == 'L' && memcmp(part.start + 2, "::", 2) == 0;
}
/* If the instruction has L2::cache_hint, removes its last operand, the cache policy. */
static void drop_policy(Decoder *decoder) {
  if (has_part(decoder, "L2::cache_hint") && decoder->noperands > 1)
    decoder->noperands--;
}

static bool is_bfloat(const Decoder *decoder) {
  return has_part(decoder, "bf16") || has_part(decoder, "bf16x2");
}

static Access parse_access(Decoder *decoder) {
  Access access = {.space = PTX_GENERIC, .type = PTX_TYPES, .count = 1};
  bool is_system = false;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    Slice part = decoder->part[i];
    int value;
    if (look_up(part, spaces, &value))
      access.space = (PtxSpace)value;
    else if (look_up(part, orders, &value))
      access.synchronises |= value & STRONG, is_system |= value == SYSTEM,
          access.acquires |= (value & ACQUIRES) != 0, access.releases |= (value & RELEASES) != 0,
          access.relaxed |= (value & RELAXED) != 0, access.in_block |= (value & IN_BLOCK) != 0;
    else if (slice_is(part, "noftz") && access.has_operation)
      continue; /* no effect: subnormal halves are always kept */
    else if (access.count == 1 && look_up(part, vectors, &value))
      access.count = (uint32_t)value;
    else if (look_up(part, atomics, &value) && !access.has_operation)
      access.operation = (PtxAtomic)value, access.has_operation = true;
    else if (slice_is(part, "bf16") || slice_is(part, "bf16x2"))
      continue; /* the type is set after the loop */
    else if (!(access.type == PTX_TYPES && parse_type(part, &access.type)) && !is_cache_hint(part))
      refuse_opcode(decoder);
  }
  access.synchronises |= is_system && access.has_operation;
  if (is_bfloat(decoder) && access.operation == PTX_ATOM_ADD && access.has_operation &&
      access.type == PTX_TYPES) {
    access.operation = PTX_ATOM_ADD_BF16;
    access.type = has_part(decoder, "bf16") ? PTX_B16 : PTX_B32;
  }
  /* loads and stores do not have these types */
  bool halves = access.type == PTX_F16 || access.type == PTX_F16X2;
  if (access.type == PTX_TYPES || access.type == PTX_PRED || (halves && !access.has_operation))
    refuse_opcode(decoder);
  if (access.count * ptx_type_bytes(access.type) > 16) /* 32 bytes need sm_100 */
    refuse_opcode(decoder);
  return access;
}

/* ---- operands ---------------------------------------------------------------------------- */

static void check_range(Decoder *decoder, const Symbol *symbol, int64_t offset,
                        const Access *access) {
  uint32_t bytes = access->count * ptx_type_bytes(access->type);
  if (offset < 0 || bytes > symbol->bytes || offset > symbol->bytes - bytes)
    refuse(decoder, "lies outside of the parameter that it names");
}

static Address register_address(Decoder *decoder, const Operand *operand, PtxSpace space) {
  const Register *reg = &decoder->source->registers.items[operand->parts->reg];
  bool narrow = reg->class == CLASS_NARROW && reg->bytes == 4;
  if (reg->class != CLASS_WIDE && !(narrow && space != PTX_GENERIC && space != PTX_GLOBAL))
    refuse(decoder, "has an address that is no 64-bit register");
  return (Address){operand->parts->reg, operand->value, narrow};
}

static Address parse_address(Decoder *decoder, const Operand *operand, PtxSpace space) {
  if (operand->kind != OPERAND_ADDRESS)
    refuse_opcode(decoder);
  Operand base = operand->parts ? *operand->parts : (Operand){.kind = OPERAND_INTEGER};
  if (!operand->parts)
    return (Address){PTX_NO_REG, operand->value, false};
  if (base.kind == OPERAND_REGISTER)
    return register_address(decoder, operand, space);
  if (base.kind != OPERAND_SYMBOL && base.kind != OPERAND_NAME)
    refuse_opcode(decoder);
  bool narrow = operand_symbol(decoder, &base)->kind == SYMBOL_SHARED;
  base.value = 0; /* so that all offsets share one constant */
  return (Address){symbol_address(decoder, &base, narrow ? 4 : 8), operand->value, narrow};
}

uint32_t address_operand(Decoder *decoder, const Operand *operand, PtxSpace space, int64_t *offset,
                         bool *narrow) {
  const Address address = parse_address(decoder, operand, space);
  *offset = address.offset;
  *narrow = address.narrow;
  return address.base;
}

/* Returns the registers that are loaded or stored. `writes`: the instruction writes these
 * registers. `*bytes`: set to the width of each register in bytes, which may exceed the size of the
 * type. */
static uint32_t *parse_data(Decoder *decoder, const Operand *data, const Access *access,
                            bool writes, uint8_t *bytes) {
  const Operand *part = data->kind == OPERAND_VECTOR ? data->parts : data;
  const Register *registers = decoder->source->registers.items;
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, access->count), i;
  *bytes = 0;
  for (i = 0; part && i < access->count;
       i++, part = data->kind == OPERAND_VECTOR ? part->next : NULL) {
    list[i] = part->kind == OPERAND_REGISTER ? part->reg : PTX_NO_REG;
    if (list[i] == PTX_NO_REG)
      continue;
    if (*bytes && *bytes != registers[part->reg].bytes)
      refuse(decoder, "mixes registers of different widths");
    *bytes = registers[part->reg].bytes;
  }
  if (part || i != access->count)
    refuse_opcode(decoder);
  if (*bytes == 0)
    *bytes = (uint8_t)ptx_type_bytes(access->type);
  if (*bytes < ptx_type_bytes(access->type) || (data->kind == OPERAND_REGISTER && data->negated) ||
      (data->kind == OPERAND_REGISTER && registers[data->reg].class == CLASS_PREDICATE))
    refuse(decoder, "has a register narrower than its type");
  part = data->kind == OPERAND_VECTOR ? data->parts : data;
  for (i = 0; i < access->count; i++, part = part->next) {
    if (list[i] != PTX_NO_REG || (writes && part->kind == OPERAND_SINK))
      continue;
    if (writes)
      refuse_opcode(decoder);
    PtxType type = *bytes == 8 && ptx_type_bytes(access->type) < 8 ? PTX_B64 : access->type;
    list[i] = source_operand(decoder, part, type);
  }
  return list;
}

/* ---- loads and stores -------------------------------------------------------------------- */

static PtxInsn *emit_access(Decoder *decoder, PtxForm form, const Access *access, Address address,
                            uint32_t *list, uint8_t bytes) {
  PtxInsn *insn = emit(decoder, form, access->type);
  insn->space = (uint8_t)access->space;
  insn->a = address.base;
  insn->imm = address.offset;
  insn->list = list;
  insn->count = (uint8_t)access->count;
  insn->sub = bytes;
  insn->merged.bytes = (uint8_t)(access->count * ptx_type_bytes(access->type));
  insn->strong = access->relaxed;
  insn->unused = form == PTX_LD ? decoder->statement->unused : 0;
  insn->flags |=
      (uint8_t)((access->synchronises ? PTX_VOLATILE : 0) | (access->acquires ? PTX_ACQUIRES : 0) |
                (access->releases ? PTX_RELEASES : 0) | (access->in_block ? PTX_BLOCK_SCOPE : 0) |
                (address.narrow ? PTX_NARROW_ADDRESS : 0));
  return insn;
}

PtxInsn *emit_memory(Decoder *decoder, PtxForm form, PtxType type, PtxSpace space, uint32_t base,
                     int64_t offset, const uint32_t *list, uint32_t count) {
  const Access access = {.space = space, .type = type, .count = count};
  uint32_t *copy = count ? ARENA_ARRAY(decoder->loader->module->arena, uint32_t, count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    copy[i] = list[i];
  PtxInsn *insn = emit_access(decoder, form, &access, (Address){base, offset, false}, copy,
                              (uint8_t)(ptx_type_bytes(type) == 8 ? 8 : 4));
  insn->merged.bytes = (uint8_t)(ptx_type_bytes(type) * (count ? count : 1));
  return insn;
}

PtxInsn *emit_data(Decoder *decoder, bool writes, PtxSpace space, PtxType type, uint32_t count,
                   const Operand *data, uint32_t base) {
  const Access access = {.space = space, .type = type, .count = count};
  uint8_t bytes;
  uint32_t *list = parse_data(decoder, data, &access, !writes, &bytes);
  return emit_access(decoder, writes ? PTX_ST : PTX_LD, &access, (Address){base, 0, false}, list,
                     bytes);
}

/* Decodes an access to .param space. The symbol may denote a kernel parameter, a formal parameter
 * of a device function, or an argument or result of a call. */
static void decode_parameter(Decoder *decoder, const Access *access, bool writes) {
  const Operand *data = decoder->operand[writes ? 1 : 0], *place = decoder->operand[writes ? 0 : 1];
  uint8_t bytes;
  if (place->kind != OPERAND_ADDRESS || !place->parts)
    refuse_opcode(decoder);
  Address address = {PTX_NO_REG, place->value, false};
  PtxForm form = PTX_LD_PARAM;
  if (place->parts->kind == OPERAND_REGISTER) {
    if (writes)
      refuse(decoder, "through a register is not implemented by the emulated device");
    if (!decoder->function->is_entry) {
      /* The register contains the address of a local copy that copy_argument has made. */
      Access copy = *access;
      copy.space = PTX_LOCAL;
      address = register_address(decoder, place, PTX_LOCAL);
      uint32_t *list = parse_data(decoder, data, &copy, true, &bytes);
      emit_access(decoder, PTX_LD, &copy, address, list, bytes);
      return;
    }
    address = register_address(decoder, place, PTX_PARAM);
  } else {
    const Symbol *symbol = operand_symbol(decoder, place->parts);
    check_range(decoder, symbol, place->value, access);
    address.offset += symbol->offset;
    if (symbol->kind == SYMBOL_ARGUMENT)
      form = writes ? PTX_ST_ARG : PTX_LD_ARG;
    else if (symbol->kind != SYMBOL_PARAM || writes)
      refuse_opcode(decoder);
  }
  uint32_t *list = parse_data(decoder, data, access, !writes, &bytes);
  emit_access(decoder, form, access, address, list, bytes);
}

static void decode_access(Decoder *decoder, bool writes) {
  drop_policy(decoder);
  expect_operands(decoder, 2, 2);
  Access access = parse_access(decoder);
  uint8_t bytes;
  if (access.has_operation || (writes && access.space == PTX_CONST))
    refuse_opcode(decoder);
  if (access.space == PTX_PARAM) {
    decode_parameter(decoder, &access, writes);
    return;
  }
  const Operand *data = decoder->operand[writes ? 1 : 0], *place = decoder->operand[writes ? 0 : 1];
  Address address = parse_address(decoder, place, access.space);
  uint32_t *list = parse_data(decoder, data, &access, !writes, &bytes);
  emit_access(decoder, writes ? PTX_ST : PTX_LD, &access, address, list, bytes);
}

void decode_load(Decoder *decoder) { decode_access(decoder, false); }

void decode_store(Decoder *decoder) {
  if (has_part(decoder, "async"))
    store_async(decoder);
  else
    decode_access(decoder, true);
}

/* ---- atomics ----------------------------------------------------------------------------- */

bool parse_atomic(Slice name, PtxAtomic *operation) {
  int value;
  if (!look_up(name, atomics, &value))
    return false;
  *operation = (PtxAtomic)value;
  return true;
}

bool atomic_exists(PtxAtomic operation, PtxType type) {
  bool integer = type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64;
  switch (operation) {
  case PTX_ATOM_ADD:
    return integer || type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_F16X2;
  case PTX_ATOM_MIN:
  case PTX_ATOM_MAX:
    return integer;
  case PTX_ATOM_ADD_BF16:
    return true; /* parse_access has checked the type */
  case PTX_ATOM_CAS:
    return type == PTX_B16 || type == PTX_B32 || type == PTX_B64;
  case PTX_ATOM_INC:
  case PTX_ATOM_DEC:
    return type == PTX_U32;
  default:
    return type == PTX_B32 || type == PTX_B64;
  }
}

static PtxInsn *emit_atomic(Decoder *decoder, Access access, Address address, uint32_t i) {
  address.offset += i * ptx_type_bytes(access.type);
  access.count = 1;
  PtxInsn *insn = emit_access(decoder, PTX_ATOM, &access, address, NULL, (uint8_t)access.operation);
  insn->count = 0;
  return insn;
}

/* Decodes red.global.add.v4.f32 [a], {...}. Each element is a separate atomic operation. */
static void decode_vector_atomic(Decoder *decoder, const Access *access, Address address,
                                 const Operand *old, const Operand *by) {
  const bool floats = access->type == PTX_F32 || access->type == PTX_F16 ||
                      access->type == PTX_F16X2 || is_bfloat(decoder);
  uint32_t count = 0, d[MAX_VECTOR], b[MAX_VECTOR];
  if (!floats || access->space == PTX_SHARED || by->kind != OPERAND_VECTOR ||
      (old && old->kind != OPERAND_VECTOR))
    refuse_opcode(decoder);
  const Operand *to = old ? old->parts : NULL;
  for (const Operand *part = by->parts; part && count < access->count; part = part->next, count++) {
    b[count] = source_operand(decoder, part, access->type);
    d[count] =
        to && to->kind != OPERAND_SINK ? target_operand(decoder, to, access->type) : PTX_NO_REG;
    if (old && !to)
      refuse_opcode(decoder);
    to = to ? to->next : NULL;
  }
  if (count != access->count)
    refuse_opcode(decoder);
  for (uint32_t i = 0; i < count; i++) {
    PtxInsn *insn = emit_atomic(decoder, *access, address, i);
    insn->d = d[i];
    insn->b = b[i];
  }
}

void decode_atomic(Decoder *decoder) {
  if (has_part(decoder, "async")) {
    store_async(decoder);
    return;
  }
  drop_policy(decoder);
  Access access = parse_access(decoder);
  bool returns = slice_is(decoder->part[0], "atom"), swaps = access.operation == PTX_ATOM_CAS;
  uint32_t first = returns ? 1 : 0, operands = first + (swaps ? 3 : 2);
  bool shared_or_global =
      access.space == PTX_GENERIC || access.space == PTX_GLOBAL || access.space == PTX_SHARED;
  if (!access.has_operation || !shared_or_global || !atomic_exists(access.operation, access.type))
    refuse_opcode(decoder);
  expect_operands(decoder, operands, operands);
  Address address = parse_address(decoder, decoder->operand[first], access.space);
  const Operand *by = decoder->operand[first + 1];
  if (access.count > 1) {
    decode_vector_atomic(decoder, &access, address, returns ? decoder->operand[0] : NULL, by);
    return;
  }
  uint32_t b = source_operand(decoder, by, access.type), c = PTX_NO_REG, d = PTX_NO_REG;
  if (swaps)
    c = source_operand(decoder, decoder->operand[first + 2], access.type);
  if (returns && decoder->operand[0]->kind != OPERAND_SINK)
    d = target_operand(decoder, decoder->operand[0], access.type);
  PtxInsn *insn = emit_atomic(decoder, access, address, 0);
  insn->d = d;
  insn->b = b;
  insn->c = c;
}

/* ---- asynchronous copies --------------------------------------------------------------------- */

/* Returns a register with the number of bytes that a copy reads; PTX_NO_REG: it reads all bytes.
 * The operand is the number of bytes, or a predicate: if the predicate is true, nothing is read. */
static uint32_t bytes_read(Decoder *decoder, const Operand *operand, uint32_t all) {
  if (operand->kind == OPERAND_INTEGER && (uint32_t)operand->value == all)
    return PTX_NO_REG;
  if (operand->kind != OPERAND_REGISTER ||
      decoder->source->registers.items[operand->reg].class != CLASS_PREDICATE)
    return source_operand(decoder, operand, PTX_U32);
  bool negated = false;
  const uint32_t none = constant(decoder, 4, PTX_VALUE, 0, 0);
  const uint32_t full = constant(decoder, 4, PTX_VALUE, 0, all);
  const uint32_t p = predicate_operand(decoder, operand, &negated), d = new_register(decoder, 4);
  emit_op(decoder, PTX_OP_SELP_B32, d, negated ? full : none, negated ? none : full)->c = p;
  return d;
}

/* Decodes cp.async.ca.shared.global [to], [from], 16{, bytes} as a load and a store with PTX_ASYNC.
 * See bytes_read for the last operand. */
static void copy_async(Decoder *decoder) {
  static const Word known[] = {{"async", 0},       {"ca", 0},     {"cg", 0}, {"shared", 0},
                               {"shared::cta", 0}, {"global", 0}, {NULL, 0}};
  int ignored;
  for (uint32_t i = 1; i < decoder->nparts; i++)
    if (!look_up(decoder->part[i], known, &ignored) && !is_cache_hint(decoder->part[i]))
      refuse_opcode(decoder);
  drop_policy(decoder);
  expect_operands(decoder, 3, 4);
  const Operand *size = decoder->operand[2];
  if (size->kind != OPERAND_INTEGER || (size->value != 4 && size->value != 8 && size->value != 16))
    refuse_opcode(decoder);
  const uint32_t bytes = (uint32_t)size->value;
  Access access = {.space = PTX_GLOBAL, .type = PTX_B32, .count = bytes / 4};
  uint32_t *loaded = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, access.count);
  uint32_t *stored = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, access.count);
  for (uint32_t i = 0; i < access.count; i++)
    loaded[i] = stored[i] = new_register(decoder, 4);
  const Address to = parse_address(decoder, decoder->operand[0], PTX_SHARED);
  const Address from = parse_address(decoder, decoder->operand[1], PTX_GLOBAL);
  const uint32_t part =
      decoder->noperands == 4 ? bytes_read(decoder, decoder->operand[3], bytes) : PTX_NO_REG;
  PtxInsn *load = emit_access(decoder, PTX_LD, &access, from, loaded, 4);
  load->mask = part;
  load->flags |= has_part(decoder, "cg") ? PTX_ASYNC : 0;
  access.space = PTX_SHARED;
  emit_access(decoder, PTX_ST, &access, to, stored, 4)->flags |= PTX_ASYNC;
}

void decode_copy(Decoder *decoder) {
  if (has_part(decoder, "bulk")) {
    decode_bulk(decoder);
    return;
  }
  if (has_part(decoder, "mbarrier")) {
    arrive_copied(decoder);
    return;
  }
  if (!has_part(decoder, "async"))
    refuse_opcode(decoder);
  const bool group = has_part(decoder, "commit_group"), wait = has_part(decoder, "wait_group");
  if (!group && !wait && !has_part(decoder, "wait_all")) {
    copy_async(decoder);
    return;
  }
  expect_operands(decoder, wait ? 1 : 0, wait ? 1 : 0);
  if (decoder->nparts != 3 || (wait && decoder->operand[0]->kind != OPERAND_INTEGER))
    refuse_opcode(decoder);
  PtxInsn *insn = emit(decoder, PTX_COPIES, PTX_B32);
  insn->sub = group ? PTX_COPIES_GROUP : wait ? PTX_COPIES_WAIT : PTX_COPIES_WAIT_ALL;
  insn->imm = wait ? decoder->operand[0]->value : 0;
}

/* Decodes membar.gl, fence.acq_rel.cta, fence.proxy.async and others. The emulated device has no
 * separate proxies, so a proxy fence is an ordinary fence. */
void decode_fence(Decoder *decoder) {
  static const Word known[] = {{"cta", 0},
                               {"gl", 1},
                               {"gpu", 1},
                               {"sys", 1},
                               {"cluster", 1},
                               {"sc", 0},
                               {"acq_rel", 0},
                               {"acquire", 0},
                               {"release", 0},
                               {"proxy", 0},
                               {"alias", 0},
                               {"async", 0},
                               {"global", 0},
                               {"shared::cta", 0},
                               {"shared::cluster", 0},
                               {"mbarrier_init", 0},
                               {"sync_restrict::shared::cta", 0},
                               {"sync_restrict::shared::cluster", 0},
                               {NULL, 0}};
  int wide = 0, value;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    if (!look_up(decoder->part[i], known, &value))
      refuse_opcode(decoder);
    wide |= value;
  }
  emit(decoder, PTX_FENCE, PTX_B32)->sub = (uint8_t)wide;
}
