/* Decodes instructions on mbarriers, which are barriers in a 64-bit word of shared memory. Also
 * decodes the operations that report their completion to an mbarrier: bulk copies and asynchronous
 * stores.
 *
 * The emulated device executes asynchronous operations immediately. An arrival has release
 * semantics, and a successful wait has acquire semantics. No other instruction orders the accesses
 * to the copied data, so a missing wait is detected as a race. */
#include "ptx.h"

#include <string.h>

static uint32_t number(Decoder *decoder, unsigned bytes, uint64_t value) {
  return constant(decoder, bytes, PTX_VALUE, 0, value);
}

static uint32_t computed(Decoder *decoder, PtxOp op, uint32_t a, uint32_t b) {
  const uint32_t d = new_register(decoder, ptx_type_bytes((PtxType)operations[op].type[0]));
  emit_op(decoder, op, d, a, b);
  return d;
}

/* Emits the extension of a 32-bit count to 64 bits, the size of the mbarrier's word. */
static uint32_t wide_count(Decoder *decoder, const Operand *operand) {
  return computed(decoder, PTX_OP_CVT_U64_U32, source_operand(decoder, operand, PTX_U32),
                  PTX_NO_REG);
}

/* ---- the word ---------------------------------------------------------------------------- */

typedef struct Word {
  uint32_t base;
  int64_t offset;
  PtxSpace space;
} Word;

static Word word_at(Decoder *decoder, const Operand *operand, PtxSpace space) {
  bool narrow;
  Word word = {.space = space};
  word.base = address_operand(decoder, operand, space, &word.offset, &narrow);
  if (narrow)
    word.base = computed(decoder, PTX_OP_CVT_U64_U32, word.base, PTX_NO_REG);
  return word;
}

static PtxInsn *emit_change(Decoder *decoder, PtxAtomic operation, Word word, uint32_t by,
                            bool releases) {
  PtxInsn *insn =
      emit_memory(decoder, PTX_ATOM, PTX_U64, word.space, word.base, word.offset, NULL, 0);
  insn->sub = (uint8_t)operation;
  insn->b = by;
  insn->flags |= releases ? PTX_VOLATILE | PTX_RELEASES | PTX_BLOCK_SCOPE : 0;
  return insn;
}

static void store_word(Decoder *decoder, Word word, uint32_t value) {
  emit_memory(decoder, PTX_ST, PTX_B64, word.space, word.base, word.offset, &value, 1);
}

/* ---- the instructions -------------------------------------------------------------------- */

typedef struct Modifiers {
  PtxSpace space;
  bool relaxed, expects, parity;
} Modifiers;

static Modifiers read_modifiers(Decoder *decoder) {
  static const char *const silent[] = {"b64",     "cta",     "cluster",    "release",
                                       "acquire", "relaxed", "noComplete", NULL};
  Modifiers all = {.space = PTX_GENERIC};
  for (uint32_t i = 2; i < decoder->nparts; i++) {
    const Slice part = decoder->part[i];
    uint32_t k = 0;
    while (silent[k] && !slice_is(part, silent[k]))
      k++;
    if (part.length >= 6 && !memcmp(part.start, "shared", 6))
      all.space = PTX_SHARED;
    else if (slice_is(part, "expect_tx"))
      all.expects = true;
    else if (slice_is(part, "parity"))
      all.parity = true;
    else if (!silent[k])
      refuse_opcode(decoder);
  }
  all.relaxed = has_part(decoder, "relaxed");
  return all;
}

/* Decodes mbarrier.init [word], count. */
static void begin(Decoder *decoder, const Modifiers *with) {
  expect_operands(decoder, 2, 2);
  const uint32_t count = wide_count(decoder, decoder->operand[1]);
  const uint32_t both = computed(decoder, PTX_OP_MUL_LO_U64, count,
                                 number(decoder, 8, 1 | UINT64_C(1) << PTX_EXPECTED_AT));
  store_word(decoder, word_at(decoder, decoder->operand[0], with->space), both);
}

/* Decodes mbarrier.arrive d, [word]{, count}. With .expect_tx, the last operand is added to the
 * number of pending bytes, and the thread arrives once. */
static void arrive(Decoder *decoder, const Modifiers *with, PtxAtomic operation) {
  expect_operands(decoder, with->expects ? 3 : 2, 3);
  const Word word = word_at(decoder, decoder->operand[1], with->space);
  const uint32_t given =
      decoder->noperands == 3 ? wide_count(decoder, decoder->operand[2]) : number(decoder, 8, 1);
  const uint32_t d = decoder->operand[0]->kind == OPERAND_SINK
                         ? PTX_NO_REG
                         : target_operand(decoder, decoder->operand[0], PTX_B64);
  if (with->expects)
    emit_change(decoder, PTX_ATOM_EXPECT, word, given, false);
  emit_change(decoder, operation, word, with->expects ? number(decoder, 8, 1) : given,
              !with->relaxed)
      ->d = d;
}

/* Decodes mbarrier.expect_tx [word], bytes and mbarrier.complete_tx. */
static void count_bytes(Decoder *decoder, const Modifiers *with, PtxAtomic operation) {
  expect_operands(decoder, 2, 2);
  const uint32_t bytes = wide_count(decoder, decoder->operand[1]);
  emit_change(decoder, operation, word_at(decoder, decoder->operand[0], with->space), bytes, false);
}

/* Decodes mbarrier.test_wait p, [word], state{, time}, which sets p if the phase of the word has
 * changed since `state`. */
static void test(Decoder *decoder, const Modifiers *with) {
  expect_operands(decoder, 3, 4);
  const Operand *state = decoder->operand[2];
  const uint32_t before =
      with->parity
          ? computed(decoder, PTX_OP_SHL_B64, wide_count(decoder, state), number(decoder, 4, 63))
          : source_operand(decoder, state, PTX_B64);
  if (decoder->noperands == 4) /* the time limit is checked, but not used */
    source_operand(decoder, decoder->operand[3], PTX_U32);
  const Word word = word_at(decoder, decoder->operand[1], with->space);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_PRED);
  const uint32_t now = new_register(decoder, 8);
  PtxInsn *load =
      emit_memory(decoder, PTX_LD, PTX_B64, word.space, word.base, word.offset, &now, 1);
  load->strong = true;
  load->flags |= PTX_VOLATILE | PTX_BLOCK_SCOPE | (with->relaxed ? 0 : PTX_ACQUIRES);
  const uint32_t changed = computed(decoder, PTX_OP_XOR_B64, now, before);
  const uint32_t zero = number(decoder, 8, 0);
  PtxInsn *insn = emit(decoder, PTX_ALU, PTX_PRED);
  insn->op = PTX_OP_SETP_LT_S64; /* true if the sign bits differ */
  insn->d = d;
  insn->a = changed;
  insn->b = zero;
}

/* Decodes mbarrier.pending_count n, state. */
static void count_pending(Decoder *decoder) {
  expect_operands(decoder, 2, 2);
  const uint32_t state = source_operand(decoder, decoder->operand[1], PTX_B64);
  const uint32_t d = target_operand(decoder, decoder->operand[0], PTX_U32);
  const uint32_t left = computed(decoder, PTX_OP_AND_B64, state,
                                 number(decoder, 8, (UINT64_C(1) << PTX_ARRIVALS_BITS) - 1));
  PtxInsn *insn = emit(decoder, PTX_ALU, PTX_U32);
  insn->op = PTX_OP_CVT_U32_U64;
  insn->d = d;
  insn->a = left;
}

void decode_mbarrier(Decoder *decoder) {
  const Modifiers with = read_modifiers(decoder);
  const Slice what = decoder->nparts > 1 ? decoder->part[1] : (Slice){"", 0};
  if (slice_is(what, "init"))
    begin(decoder, &with);
  else if (slice_is(what, "inval"))
    store_word(decoder, word_at(decoder, decoder->operand[0], with.space), number(decoder, 8, 0));
  else if (slice_is(what, "arrive"))
    arrive(decoder, &with, PTX_ATOM_ARRIVE);
  else if (slice_is(what, "arrive_drop"))
    arrive(decoder, &with, PTX_ATOM_DROP);
  else if (slice_is(what, "expect_tx"))
    count_bytes(decoder, &with, PTX_ATOM_EXPECT);
  else if (slice_is(what, "complete_tx"))
    count_bytes(decoder, &with, PTX_ATOM_COMPLETE);
  else if (slice_is(what, "test_wait") || slice_is(what, "try_wait"))
    test(decoder, &with);
  else if (slice_is(what, "pending_count"))
    count_pending(decoder);
  else
    refuse_opcode(decoder);
}

/* Decodes cp.async.mbarrier.arrive{.noinc} [word]. The thread arrives immediately, because its
 * copies are complete. Without .noinc, the instruction first increases the number of pending
 * arrivals by 1, so its effect is zero in total. */
void arrive_copied(Decoder *decoder) {
  static const char *const known[] = {"async",  "mbarrier",    "arrive", "noinc",
                                      "shared", "shared::cta", "b64",    NULL};
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    uint32_t k = 0;
    while (known[k] && !slice_is(decoder->part[i], known[k]))
      k++;
    if (!known[k])
      refuse_opcode(decoder);
  }
  expect_operands(decoder, 1, 1);
  const bool shared = has_part(decoder, "shared") || has_part(decoder, "shared::cta");
  const Word word = word_at(decoder, decoder->operand[0], shared ? PTX_SHARED : PTX_GENERIC);
  emit(decoder, PTX_COPIES, PTX_B32)->sub = PTX_COPIES_WAIT_ALL;
  emit_change(decoder, PTX_ATOM_ARRIVE, word, number(decoder, 8, has_part(decoder, "noinc")), true);
}

/* ---- bulk copies ----------------------------------------------------------------------------- */

static uint32_t place(Decoder *decoder, const Operand *operand, PtxSpace space) {
  const Word word = word_at(decoder, operand, space);
  return computed(decoder, PTX_OP_ADD_U64, word.base, number(decoder, 8, (uint64_t)word.offset));
}

typedef struct Bulk {
  PtxSpace to, from;
  /* The copy subtracts the copied bytes from the pending bytes of an mbarrier. */
  bool counted;
  bool reduces;
  PtxAtomic operation;
  PtxType type;
} Bulk;

/* Emits a loop that copies 16 bytes at a time. A reduction processes one element at a time. */
static void copy_bulk(Decoder *decoder, const Bulk *bulk) {
  const uint32_t to = place(decoder, decoder->operand[0], bulk->to);
  const uint32_t from = place(decoder, decoder->operand[1], bulk->from);
  const uint32_t bytes = wide_count(decoder, decoder->operand[2]), at = new_register(decoder, 8);
  const unsigned size = ptx_type_bytes(bulk->type), step = bulk->reduces ? size : 16;
  uint32_t piece[4];
  for (uint32_t i = 0; i < step / size; i++)
    piece[i] = new_register(decoder, size);
  emit_op(decoder, PTX_OP_MOV_B64, at, number(decoder, 8, 0), PTX_NO_REG);
  const uint32_t loop = flow_loop(decoder);
  const uint32_t more = and_guard(decoder, computed(decoder, PTX_OP_SETP_LT_U64, at, bytes));
  const uint32_t source = computed(decoder, PTX_OP_ADD_U64, from, at);
  const uint32_t target = computed(decoder, PTX_OP_ADD_U64, to, at);
  PtxInsn *insn =
      emit_memory(decoder, PTX_LD, bulk->type, bulk->from, source, 0, piece, step / size);
  insn->guard = more;
  insn->flags &= (uint8_t)~PTX_NEG_PRED;
  insn = emit_memory(decoder, bulk->reduces ? PTX_ATOM : PTX_ST, bulk->type, bulk->to, target, 0,
                     bulk->reduces ? NULL : piece, bulk->reduces ? 0 : step / size);
  insn->guard = more;
  insn->flags &= (uint8_t)~PTX_NEG_PRED;
  if (bulk->reduces)
    insn->sub = (uint8_t)bulk->operation, insn->b = piece[0];
  emit_op(decoder, PTX_OP_ADD_U64, at, at, number(decoder, 8, step));
  flow_repeat(decoder, loop, more);
  if (bulk->counted)
    emit_change(decoder, PTX_ATOM_COMPLETE, word_at(decoder, decoder->operand[3], PTX_SHARED),
                bytes, true);
}

/* Decodes cp.async.bulk.TO.FROM{.mbarrier::complete_tx::bytes|.bulk_group} [to], [from], bytes{,
 * [word]}. */
void decode_bulk(Decoder *decoder) {
  static const char *const known[] = {"reduce", "async", "bulk", "bulk_group", "noftz", NULL};
  static const char *const waits[] = {"commit_group", "wait_group", "prefetch", NULL};
  Bulk bulk = {PTX_GENERIC, PTX_GENERIC, false, has_part(decoder, "reduce"), PTX_ATOM_ADD, PTX_B32};
  bool has_operation = false, has_type = false;
  if (has_part(decoder, "tensor"))
    refuse(decoder, "needs a tensor map, which the emulated device does not have");
  for (uint32_t k = 0; waits[k]; k++)
    if (has_part(decoder, waits[k]))
      /* No instruction is needed, because a bulk copy is executed immediately. */
      return;
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    const Slice part = decoder->part[i];
    uint32_t k = 0;
    while (known[k] && !slice_is(part, known[k]))
      k++;
    const bool shared = part.length >= 6 && !memcmp(part.start, "shared", 6);
    PtxSpace *space = bulk.to == PTX_GENERIC ? &bulk.to : &bulk.from;
    if (shared || slice_is(part, "global"))
      *space = shared ? PTX_SHARED : PTX_GLOBAL;
    else if (slice_is(part, "mbarrier::complete_tx::bytes"))
      bulk.counted = true;
    else if (bulk.reduces && !has_operation && parse_atomic(part, &bulk.operation))
      has_operation = true;
    else if (bulk.reduces && !has_type && parse_type(part, &bulk.type))
      has_type = true;
    else if (!known[k] && !slice_is(part, "L2::cache_hint"))
      refuse_opcode(decoder);
  }
  if (has_part(decoder, "L2::cache_hint"))
    decoder->noperands--;
  expect_operands(decoder, bulk.counted ? 4 : 3, bulk.counted ? 4 : 3);
  if (bulk.from == PTX_GENERIC || has_operation != bulk.reduces || has_type != bulk.reduces ||
      (bulk.reduces && !atomic_exists(bulk.operation, bulk.type)))
    refuse_opcode(decoder);
  copy_bulk(decoder, &bulk);
}

/* Decodes st.async [to], value, [word] and red.async.OP: a store or reduction in shared memory that
 * subtracts its bytes from the pending bytes of an mbarrier. */
void store_async(Decoder *decoder) {
  static const char *const known[] = {
      "async", "weak", "relaxed", "cluster", "shared::cluster", "mbarrier::complete_tx::bytes",
      NULL};
  const bool reduces = slice_is(decoder->part[0], "red");
  PtxAtomic operation = PTX_ATOM_ADD;
  PtxType type = PTX_TYPES;
  uint32_t count = 1, list[4];
  for (uint32_t i = 1; i < decoder->nparts; i++) {
    const Slice part = decoder->part[i];
    uint32_t k = 0;
    while (known[k] && !slice_is(part, known[k]))
      k++;
    if (!reduces && (slice_is(part, "v2") || slice_is(part, "v4")))
      count = (uint32_t)(part.start[1] - '0');
    else if (!known[k] && !(reduces && parse_atomic(part, &operation)) && !parse_type(part, &type))
      refuse_opcode(decoder);
  }
  expect_operands(decoder, 3, 3);
  if (ptx_type_bytes(type) < 4 || (reduces && !atomic_exists(operation, type)))
    refuse_opcode(decoder);
  const Operand *value = decoder->operand[1];
  const Operand *part = value->kind == OPERAND_VECTOR ? value->parts : value;
  for (uint32_t i = 0; i < count; i++, part = part->next) {
    if (!part)
      refuse_opcode(decoder);
    list[i] = source_operand(decoder, part, type);
  }
  const Word to = word_at(decoder, decoder->operand[0], PTX_SHARED);
  const Word word = word_at(decoder, decoder->operand[2], PTX_SHARED);
  PtxInsn *insn = emit_memory(decoder, reduces ? PTX_ATOM : PTX_ST, type, PTX_SHARED, to.base,
                              to.offset, reduces ? NULL : list, reduces ? 0 : count);
  if (reduces)
    insn->sub = (uint8_t)operation, insn->b = list[0];
  emit_change(decoder, PTX_ATOM_COMPLETE, word,
              number(decoder, 8, (uint64_t)count * ptx_type_bytes(type)), true);
}
