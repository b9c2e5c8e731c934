/* Decodes warp-wide instructions (barriers, shuffles, votes) and calls. Each of these instructions
 * is alone in its instruction block, so that a lane can stop at the block and wait for other
 * lanes. */
#include "ptx.h"

static PtxInsn *emit_alone(Decoder *decoder, PtxForm form, PtxType type) {
  flow_cut(decoder);
  PtxInsn *insn = emit(decoder, form, type);
  flow_cut(decoder);
  return insn;
}

static void expect_parts(Decoder *decoder, uint32_t count) {
  if (decoder->nparts != count)
    refuse_opcode(decoder);
}

/* Returns the index of modifier `part` in a NULL-terminated list of words. Refuses the instruction
 * if the modifier is not in the list. */
static uint8_t choose(Decoder *decoder, uint32_t part, const char *const *words) {
  for (uint8_t i = 0; part < decoder->nparts && words[i]; i++)
    if (slice_is(decoder->part[part], words[i]))
      return i;
  refuse_opcode(decoder);
}

static PtxType choose_type(Decoder *decoder, uint32_t part) {
  PtxType type;
  if (part >= decoder->nparts || !parse_type(decoder->part[part], &type))
    refuse_opcode(decoder);
  return type;
}

/* ---- barriers ---------------------------------------------------------------------------- */

/* Returns the register with the number of a barrier; PTX_NO_REG: the literal 0, the barrier that
 * __syncthreads() uses. */
static uint32_t barrier_number(Decoder *decoder, const Operand *operand) {
  if (operand->kind == OPERAND_INTEGER && operand->value == 0)
    return PTX_NO_REG;
  return source_operand(decoder, operand, PTX_U32);
}

static void decode_sync(Decoder *decoder, PtxBarrier kind) {
  expect_operands(decoder, kind == PTX_BAR_ARRIVE ? 2 : 1, 2);
  uint32_t a = barrier_number(decoder, decoder->operand[0]), b = PTX_NO_REG;
  if (decoder->noperands == 2)
    b = source_operand(decoder, decoder->operand[1], PTX_U32);
  PtxInsn *insn = emit_alone(decoder, PTX_BARRIER, PTX_B32);
  insn->sub = (uint8_t)kind;
  insn->a = a;
  insn->b = b;
}

/* Decodes bar.red.popc.u32 d, a{, b}, {!}c. */
static void decode_reduction(Decoder *decoder, PtxBarrier kind) {
  bool negated = false;
  PtxType type = kind == PTX_BAR_RED_POPC ? PTX_U32 : PTX_PRED;
  expect_operands(decoder, 3, 4);
  uint32_t a = barrier_number(decoder, decoder->operand[1]), b = PTX_NO_REG;
  if (decoder->noperands == 4)
    b = source_operand(decoder, decoder->operand[2], PTX_U32);
  uint32_t c = predicate_operand(decoder, decoder->operand[decoder->noperands - 1], &negated);
  uint32_t d = target_operand(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit_alone(decoder, PTX_BARRIER, type);
  insn->sub = (uint8_t)kind;
  insn->flags |= negated ? PTX_NEG_SOURCE : 0;
  insn->a = a;
  insn->b = b;
  insn->c = c;
  insn->d = d;
}

static void decode_syncwarp(Decoder *decoder) {
  expect_operands(decoder, 1, 1);
  uint32_t a = source_operand(decoder, decoder->operand[0], PTX_B32);
  emit_alone(decoder, PTX_SYNCWARP, PTX_B32)->a = a;
}

/* Decodes barrier.cluster.arrive and .wait. Each thread block is its own cluster, so the wait
 * becomes a barrier of the thread block, and the arrival emits nothing. */
static void decode_cluster_barrier(Decoder *decoder) {
  static const char *const kinds[] = {"arrive", "wait", NULL};
  static const char *const orders[] = {"release", "relaxed", "acquire", "aligned", NULL};
  for (uint32_t i = 3; i < decoder->nparts; i++)
    choose(decoder, i, orders);
  expect_operands(decoder, 0, 0);
  if (choose(decoder, 2, kinds) == 1)
    emit_alone(decoder, PTX_BARRIER, PTX_B32)->sub = PTX_BAR_SYNC;
}

/* Decodes bar.sync, barrier.sync.aligned, barrier.cta.red.popc.u32, bar.warp.sync and others. */
void decode_barrier(Decoder *decoder) {
  if (decoder->nparts > 1 && slice_is(decoder->part[1], "cluster")) {
    decode_cluster_barrier(decoder);
    return;
  }
  static const char *const silent[] = {"cta", "aligned", NULL};
  uint32_t kept = 1;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    bool drop = slice_is(decoder->part[i], silent[0]) || slice_is(decoder->part[i], silent[1]);
    decoder->part[kept] = decoder->part[i];
    kept += !drop;
  }
  decoder->nparts = kept;
  static const char *const kinds[] = {"sync", "arrive", "red", "warp", NULL};
  static const char *const reductions[] = {"popc", "and", "or", NULL};
  static const PtxBarrier reduction[] = {PTX_BAR_RED_POPC, PTX_BAR_RED_AND, PTX_BAR_RED_OR};
  switch (choose(decoder, 1, kinds)) {
  case 0:
    expect_parts(decoder, 2);
    decode_sync(decoder, PTX_BAR_SYNC);
    break;
  case 1:
    expect_parts(decoder, 2);
    decode_sync(decoder, PTX_BAR_ARRIVE);
    break;
  case 2:
    expect_parts(decoder, 4);
    decode_reduction(decoder, reduction[choose(decoder, 2, reductions)]);
    break;
  default:
    expect_parts(decoder, 3);
    decode_syncwarp(decoder);
  }
}

/* ---- exchange ---------------------------------------------------------------------------- */

/* Refuses instructions without .sync, which have no mask and apply to the lanes that happen to be
 * converged. */
static void require_sync(Decoder *decoder) {
  if (!has_part(decoder, "sync"))
    refuse(decoder, "is the old form without a mask: use the _sync function");
}

/* Splits the target operand, d or d|p. Returns d; `*predicate`: p, or NULL. */
static const Operand *split_target(Decoder *decoder, const Operand **predicate) {
  const Operand *target = decoder->operand[0];
  *predicate = target->kind == OPERAND_PAIR ? target->parts->next : NULL;
  return target->kind == OPERAND_PAIR ? target->parts : target;
}

void decode_shuffle(Decoder *decoder) {
  static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
  const Operand *predicate;
  require_sync(decoder);
  expect_parts(decoder, 4);
  uint8_t mode = choose(decoder, 2, modes);
  expect_operands(decoder, 5, 5);
  uint32_t source[4];
  for (uint32_t i = 0; i < 4; i++)
    source[i] = source_operand(decoder, decoder->operand[i + 1], PTX_B32);
  uint32_t d = target_operand(decoder, split_target(decoder, &predicate), PTX_B32);
  uint32_t e = predicate ? target_operand(decoder, predicate, PTX_PRED) : PTX_NO_REG;
  PtxInsn *insn = emit_alone(decoder, PTX_SHFL, PTX_B32);
  insn->sub = mode;
  insn->d = d;
  insn->e = e;
  insn->a = source[0];
  insn->b = source[1];
  insn->c = source[2];
  insn->mask = source[3];
}

void decode_vote(Decoder *decoder) {
  static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
  bool negated = false;
  require_sync(decoder);
  expect_parts(decoder, 4);
  if (slice_is(decoder->part[2], "sync"))
    /* The libraries of the toolkit write the mode before .sync. */
    decoder->part[2] = decoder->part[1];
  uint8_t mode = choose(decoder, 2, modes);
  PtxType type = mode == PTX_VOTE_BALLOT ? PTX_B32 : PTX_PRED;
  expect_operands(decoder, 3, 3);
  uint32_t a = predicate_operand(decoder, decoder->operand[1], &negated);
  uint32_t mask = source_operand(decoder, decoder->operand[2], PTX_B32);
  uint32_t d = target_operand(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit_alone(decoder, PTX_VOTE, type);
  insn->sub = mode;
  insn->flags |= negated ? PTX_NEG_SOURCE : 0;
  insn->d = d;
  insn->a = a;
  insn->mask = mask;
}

/* Decodes elect.sync d|p, mask. */
void decode_elect(Decoder *decoder) {
  const Operand *predicate;
  expect_parts(decoder, 2);
  require_sync(decoder);
  expect_operands(decoder, 2, 2);
  const uint32_t mask = source_operand(decoder, decoder->operand[1], PTX_B32);
  const uint32_t d = target_operand(decoder, split_target(decoder, &predicate), PTX_B32);
  if (!predicate)
    refuse_opcode(decoder);
  const uint32_t e = target_operand(decoder, predicate, PTX_PRED);
  PtxInsn *insn = emit_alone(decoder, PTX_VOTE, PTX_B32);
  insn->sub = PTX_VOTE_ELECT;
  insn->d = d;
  insn->e = e;
  insn->mask = mask;
}

void decode_match(Decoder *decoder) {
  static const char *const modes[] = {"any", "all", NULL};
  const Operand *predicate;
  require_sync(decoder);
  expect_parts(decoder, 4);
  uint8_t mode = choose(decoder, 1, modes);
  PtxType type = choose_type(decoder, 3);
  expect_operands(decoder, 3, 3);
  if (type != PTX_B32 && type != PTX_B64)
    refuse_opcode(decoder);
  uint32_t a = source_operand(decoder, decoder->operand[1], type);
  uint32_t mask = source_operand(decoder, decoder->operand[2], PTX_B32);
  uint32_t d = target_operand(decoder, split_target(decoder, &predicate), PTX_B32);
  uint32_t e = predicate ? target_operand(decoder, predicate, PTX_PRED) : PTX_NO_REG;
  PtxInsn *insn = emit_alone(decoder, PTX_MATCH, type);
  insn->sub = mode;
  insn->d = d;
  insn->e = e;
  insn->a = a;
  insn->mask = mask;
}

void decode_redux(Decoder *decoder) {
  static const char *const modes[] = {"add", "min", "max", "and", "or", "xor", NULL};
  require_sync(decoder);
  expect_parts(decoder, 4);
  uint8_t mode = choose(decoder, 2, modes); /* `modes` has the order of PtxAtomic */
  PtxType type = choose_type(decoder, 3);
  expect_operands(decoder, 3, 3);
  if (type != PTX_B32 && type != PTX_U32 && type != PTX_S32)
    refuse_opcode(decoder);
  uint32_t a = source_operand(decoder, decoder->operand[1], type);
  uint32_t mask = source_operand(decoder, decoder->operand[2], PTX_B32);
  uint32_t d = target_operand(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit_alone(decoder, PTX_REDUX, type);
  insn->sub = mode;
  insn->d = d;
  insn->a = a;
  insn->mask = mask;
}

void decode_activemask(Decoder *decoder) {
  expect_operands(decoder, 1, 1);
  uint32_t d = target_operand(decoder, decoder->operand[0], PTX_B32);
  emit_alone(decoder, PTX_ACTIVEMASK, PTX_B32)->d = d;
}

/* ---- calls ------------------------------------------------------------------------------- */

static PtxParameter argument_place(Decoder *decoder, const Operand *operand) {
  const Symbol *symbol = operand_symbol(decoder, operand);
  if (symbol->kind != SYMBOL_ARGUMENT)
    refuse_opcode(decoder);
  return (PtxParameter){symbol->offset, symbol->bytes, 1};
}

static void read_arguments(Decoder *decoder, PtxCall *call, const Operand *list) {
  for (const Operand *part = list->parts; part; part = part->next)
    call->nargs++;
  PtxParameter *args = ARENA_ARRAY(decoder->loader->module->arena, PtxParameter, call->nargs);
  call->args = args;
  for (const Operand *part = list->parts; part; part = part->next)
    *args++ = argument_place(decoder, part);
}

/* Refuses a call whose arguments differ in size from the callee's parameters. (The machine copies
 * argument by argument.) */
static void check_signature(Decoder *decoder, const PtxCall *call, const PtxFunction *callee) {
  bool same = call->nargs == callee->nparams && call->has_result == callee->has_result;
  for (uint32_t i = 0; same && i < call->nargs; i++)
    same = call->args[i].bytes == callee->params[i].bytes;
  if (same && call->has_result)
    same = call->result.bytes == callee->result.bytes;
  if (!same)
    refuse(decoder, "does not match the declaration of %s", callee->name);
}

static void find_callee(Decoder *decoder, PtxCall *call, const Operand *target) {
  const Symbol *symbol = operand_symbol(decoder, target);
  if (symbol->kind != SYMBOL_FUNCTION)
    refuse_opcode(decoder);
  const PtxFunction *callee = &decoder->loader->functions.items[symbol->index];
  call->name = callee->name;
  call->function = callee->is_defined ? (int32_t)symbol->index : -1;
  if (callee->is_entry)
    refuse(decoder, "calls a kernel");
  check_signature(decoder, call, callee);
}

/* Decodes call (result), target, (arguments), prototype. Only the target is mandatory. */
void decode_call(Decoder *decoder) {
  PtxCall *call = arena_take(decoder->loader->module->arena, sizeof *call);
  uint32_t i = 0, a = PTX_NO_REG;
  expect_operands(decoder, 1, 4);
  if (decoder->operand[0]->kind == OPERAND_LIST) {
    const Operand *result = decoder->operand[i++]->parts;
    call->has_result = result != NULL;
    if (result)
      call->result = argument_place(decoder, result);
  }
  if (i == decoder->noperands)
    refuse_opcode(decoder);
  const Operand *target = decoder->operand[i++];
  if (i < decoder->noperands && decoder->operand[i]->kind == OPERAND_LIST)
    read_arguments(decoder, call, decoder->operand[i]);
  if (target->kind == OPERAND_REGISTER) {
    call->function = -2;
    call->name = "a function pointer";
    a = source_operand(decoder, target, PTX_U64);
  } else {
    find_callee(decoder, call, target);
  }
  PtxInsn *insn = emit_alone(decoder, PTX_CALL, PTX_B32);
  insn->call = call;
  insn->a = a;
}
