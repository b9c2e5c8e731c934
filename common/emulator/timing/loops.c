/* Finds the loops that the assembler unrolls, and the blocks that it joins into straight-line code.
 * The rules follow machine code of nvcc and ptxas for compute capability 9.0. */
#include "loops.h"

#include <assert.h>
#include <stdlib.h>

#include "operations.h"
#include "registers.h"

/* Returns true if code[at] adds a value that the block does not change to a register that no other
 * instruction of the block writes. */
static bool adds_step(const LoweredFunction *l, const PtxBlock *b, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  if (!begins(s, "add.s") || insn->d != insn->a || insn->b == PTX_NO_REG || insn->b == insn->d)
    return false;
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    if (writes_slot(&l->function->code[i], insn->b) ||
        (i != at && writes_slot(&l->function->code[i], insn->d)))
      return false;
  return true;
}

/* Returns true if the loop of one block counts in steps of a register, and nvcc can compute the
 * number of its iterations before it begins. This needs a signed step, because an unsigned sum may
 * wrap. PTX does not show the sign. But clang replaces the products and conversions of an index by
 * sums of addresses only if the index cannot wrap. It keeps a conversion if the loop also uses the
 * index for other values. */
static bool counts_in_steps(const LoweredFunction *l, const PtxBlock *b, uint32_t counter) {
  const PtxInsn *code = l->function->code;
  bool sums = false, converts = false, others = false;
  if (!adds_step(l, b, counter) || is_wide(ptx_op_name((PtxOp)code[counter].op)))
    return false;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const char *s = code[i].form == PTX_ALU ? ptx_op_name((PtxOp)code[i].op) : "";
    const bool reads = i != counter && reads_slot(&code[i], code[counter].d);
    if (reads && begins(s, "mul.wide"))
      return false;
    sums = sums || (begins(s, "add.s64") && adds_step(l, b, i));
    converts = converts || (reads && begins(s, "cvt.s64.s32"));
    others = others || (reads && !begins(s, "cvt.s64.s32") && !begins(s, "setp"));
  }
  return sums || (converts && others);
}

uint32_t counter_of(const LoweredFunction *l, const PtxBlock *b, uint32_t test) {
  const PtxInsn *code = l->function->code;
  const uint32_t compared[] = {code[test].a, code[test].b};
  for (uint32_t i = test; i-- > b->first;)
    for (int k = 0; k < 2; k++) {
      if (code[i].d != compared[k] || compared[k] == PTX_NO_REG)
        continue;
      if (l->ops[i].induction || counts_in_steps(l, b, i))
        return i;
      for (uint32_t n = i; l->ops[i].kind == OP_FREE && code[i].form == PTX_ALU && n-- > b->first;)
        if (code[n].d == code[i].a && (l->ops[n].induction || adds_step(l, b, n)))
          return n;
    }
  /* The increment can also follow the test. */
  for (uint32_t i = test + 1; i < b->first + b->count; i++)
    if (l->ops[i].induction && (code[i].d == compared[0] || code[i].d == compared[1]))
      return i;
  return NO_TEST;
}

/* Returns the compare instruction if the block ends a counting loop that begins with `head`;
 * otherwise NO_TEST. */
static uint32_t find_loop_test(const LoweredFunction *l, uint32_t number, uint32_t head) {
  const PtxFunction *f = l->function;
  const PtxBlock *b = &f->blocks[number];
  uint32_t test = NO_TEST;
  if (b->end != PTX_END_IF || (b->taken != head && b->next != head))
    return NO_TEST;
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    if (f->code[i].form == PTX_ALU && f->code[i].d == b->predicate)
      test = i;
  return test != NO_TEST && counter_of(l, b, test) != NO_TEST ? test : NO_TEST;
}

/* Returns the number of issue slots of a block. */
static unsigned block_slots(const LoweredFunction *l, const PtxBlock *b) {
  unsigned slots = 0;
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    slots += l->ops[i].kind == OP_FREE      ? 0
             : l->ops[i].kind == OP_COMPUTE ? op_slots(&l->ops[i])
                                            : 1;
  return slots;
}

bool starts_with_constant(const LoweredFunction *l, uint32_t head, uint32_t counter) {
  const PtxFunction *f = l->function;
  for (uint32_t k = 0; k < f->nblocks; k++) {
    uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[k], next, MOST_SUCCESSORS);
    const PtxBlock *b = &f->blocks[k];
    for (uint32_t i = 0; i < n && k != l->loop_end[head]; i++) {
      if (next[i] != head)
        continue;
      for (uint32_t at = b->first + b->count; at-- > b->first;)
        if (f->code[at].d == counter)
          return f->code[at].form == PTX_ALU && begins(ptx_op_name((PtxOp)f->code[at].op), "mov") &&
                 f->code[at].a != PTX_NO_REG && l->is_constant[f->code[at].a / PTX_SLOT_BYTES];
    }
  }
  return false;
}

/* Returns how many iterations of the source one iteration in the PTX of clang contains. */
static unsigned unrolled_before(const LoweredFunction *l, const PtxInsn *counter) {
  const int32_t a = (int32_t)value_of_constant(l, counter->a),
                b = (int32_t)value_of_constant(l, counter->b);
  const int32_t step = abs(a ? a : b);
  return step == 2 || step == 4 ? (unsigned)step : 1;
}

/* nvcc unrolls a loop by four. ptxas unrolls the result by four again if it is small. Its limit
 * depends on accesses: loops of n dependent FMAs were unrolled by 16 up to n = 4 without a load, up
 * to n = 7 with a load from shared memory, and up to n = 9 with one from global memory. It aims
 * at 32 registers, so it keeps at most 16 loads in flight, and fewer if the loop carries many
 * values (13 for the 7 of 'recursive filters', 16 for the 5 of 'sums with correction').
 * Unsigned indices may wrap, so addresses are no sums of 64 bits; ptxas then leaves the loop as it
 * is. If the number of iterations is known, loops are unrolled by 16. ptxas 13
 * does not unroll loops of more than 75 machine instructions. LARGEST_ROUND is 70, because the
 * addresses in clang's PTX take fewer instructions. */
enum {
  UNROLLED_SLOTS = 100,
  KNOWN_SLOTS = 200,
  SLOTS_WITHOUT_LOADS = 75,
  SLOTS_WITH_SHARED = 130,
  SLOTS_WITH_LOADS = 185,
  LARGEST_ROUND = 70,
  FEW_ROUNDS = 4,
  MOST_ROUNDS = 16,
  MOST_LOADS = 16,
  MOST_VALUES = 21
};
static bool widens_unsigned(const PtxInsn *insn) {
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  return begins(s, "mul.wide.u32") || begins(s, "cvt.u64.u32");
}
/* nvcc unrolls a loop whose number of iterations it computes at run time by four if the body has at
 * most SMALL_BODY instructions, and by two up to twice as many. A division counts as four (copies
 * of loops with 2 to 100 sums or divisions in its PTX). */
enum { SMALL_BODY = 50, DIVISION_SIZE = 4 };
static uint8_t rounds_of_steps(const LoweredFunction *l, const PtxBlock *b) {
  unsigned size = 0;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const PtxInsn *insn = &l->function->code[i];
    const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
    size += begins(s, "div.") || begins(s, "rem.") ? DIVISION_SIZE : 1;
  }
  return size <= SMALL_BODY ? FEW_ROUNDS : size <= 2 * SMALL_BODY ? FEW_ROUNDS / 2 : 1;
}
static uint8_t rounds_of(const LoweredFunction *l, uint32_t head, uint32_t carried) {
  const uint32_t end = l->loop_end[head];
  const PtxInsn *test = &l->function->code[l->loop_test[end]];
  const PtxInsn *counter =
      &l->function->code[counter_of(l, &l->function->blocks[end], l->loop_test[end])];
  unsigned slots = 0, loads = 0, shared = 0, rounds = MOST_ROUNDS, most = KNOWN_SLOTS;
  bool wraps = false;
  if (!l->ops[counter - l->function->code].induction)
    return head == end ? rounds_of_steps(l, &l->function->blocks[end]) : 1;
  for (uint32_t number = head;; number = l->chain_next[number]) {
    const PtxBlock *b = &l->function->blocks[number];
    slots += block_slots(l, b);
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const bool accesses = l->ops[i].kind == OP_LOAD || l->ops[i].kind == OP_STORE;
      const bool in_shared = l->function->code[i].space == PTX_SHARED;
      loads += l->ops[i].kind == OP_LOAD && !in_shared;
      shared += accesses && in_shared;
      wraps = wraps || widens_unsigned(&l->function->code[i]);
    }
    if (number == end)
      break;
  }
  if (slots > LARGEST_ROUND)
    return 1;
  if (!constant_operand(l, test) || !starts_with_constant(l, head, counter->d)) {
    rounds /= unrolled_before(l, counter);
    most = shared ? SLOTS_WITH_SHARED : loads ? SLOTS_WITH_LOADS : SLOTS_WITHOUT_LOADS;
    if (wraps || rounds * slots > most)
      rounds = FEW_ROUNDS, most = UNROLLED_SLOTS;
  }
  while (rounds > 1 && (rounds * slots > most || rounds * loads > MOST_LOADS ||
                        (loads && rounds * loads + carried > MOST_VALUES)))
    rounds /= 2;
  return (uint8_t)rounds;
}

enum {
  SHORT_BLOCK = 7
  /* ptxas predicates at most this number of machine instructions instead of branching. */
};
static bool is_short(const LoweredFunction *l, uint32_t number, uint32_t to) {
  const PtxBlock *b = &l->function->blocks[number];
  if ((b->end != PTX_END_FALL || b->next != to) && (b->end != PTX_END_BRANCH || b->taken != to))
    return false;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const Op *op = &l->ops[i];
    if (op->kind == OP_BARRIER || op->kind == OP_SHUFFLE || op->kind == OP_FENCE)
      return false;
  }
  return block_slots(l, b) <= SHORT_BLOCK;
}

/* Chains the test, the guarded block and the block `after` both, if no other block leads there.
 * ptxas moves independent loads of several guarded blocks to the front of such code. */
static void chain_guarded(LoweredFunction *l, uint32_t test, uint32_t guarded, uint32_t after,
                          const uint32_t *before) {
  if (before[after] != 2 || after == test)
    return;
  l->chain_next[test] = guarded;
  l->chain_next[guarded] = after;
  l->guarded[guarded] = true;
}

/* ptxas predicates both sides of a branch if they are short and meet in one block (cuobjdump -sass
 * of the row 'transport, upwind'). Warps run the block with the lower number first. */
static void join_sides(LoweredFunction *l, uint32_t test, const uint32_t *before) {
  const PtxBlock *b = &l->function->blocks[test];
  const uint32_t first = b->taken < b->next ? b->taken : b->next;
  const uint32_t second = b->taken < b->next ? b->next : b->taken;
  const PtxBlock *side = &l->function->blocks[first];
  const uint32_t after = side->end == PTX_END_BRANCH ? side->taken : side->next;
  if (first == second || before[first] != 1 || before[second] != 1 || after == PTX_NO_BLOCK ||
      before[after] != 2 || after == test || !is_short(l, first, after) ||
      !is_short(l, second, after))
    return;
  l->predicated[test] = l->predicated[first] = l->predicated[second] = true;
  l->chain_next[test] = first;
  l->chain_next[first] = second;
  l->chain_next[second] = after;
  l->guarded[first] = l->guarded[second] = true;
}

void find_chains(LoweredFunction *l, bool chains_guarded) {
  const PtxFunction *f = l->function;
  uint32_t *before = calloc(f->nblocks + 1u, sizeof *before);
  assert(before);
  for (uint32_t b = 0; b < f->nblocks; b++) {
    uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[b], next, MOST_SUCCESSORS);
    for (uint32_t i = 0; i < n; i++)
      before[next[i]]++;
  }
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const PtxBlock *block = &f->blocks[b];
    uint32_t next = block->end == PTX_END_FALL ? block->next : PTX_NO_BLOCK;
    if (!l->guarded[b])
      l->chain_next[b] =
          next != PTX_NO_BLOCK && next != b && before[next] == 1 ? next : PTX_NO_BLOCK;
    if (block->end != PTX_END_IF)
      continue;
    if (chains_guarded)
      join_sides(l, b, before);
    const uint32_t way[2] = {block->taken, block->next};
    for (int i = 0; i < 2; i++)
      if (before[way[i]] == 1 && is_short(l, way[i], way[1 - i])) {
        l->predicated[b] = l->predicated[way[i]] = true;
        if (chains_guarded)
          chain_guarded(l, b, way[i], way[1 - i], before);
      }
  }
  free(before);
}

/* Finds counting loops and how far they are unrolled. ptxas unrolls a loop whose blocks are one
 * chain like a loop of one block (cuobjdump -sass of 'projections of a picture', and of 'options on
 * a grid of prices', whose body has a barrier). */
void find_loops(LoweredFunction *l, const Liveness *live) {
  const PtxFunction *f = l->function;
  for (uint32_t b = 0; b < f->nblocks; b++) {
    l->loop_test[b] = NO_TEST;
    l->unroll[b] = 1;
  }
  for (uint32_t head = 0; head < f->nblocks; head++) {
    uint32_t end = head;
    while (end != PTX_NO_BLOCK && find_loop_test(l, end, head) == NO_TEST) {
      end = l->chain_next[end];
    }
    if (end == PTX_NO_BLOCK)
      continue;
    l->loop_end[head] = end;
    l->loop_test[end] = find_loop_test(l, end, head);
    l->unroll[head] = rounds_of(l, head, registers_of_loop(f, live, head, end));
  }
}

/* Returns true if the blocks are a loop without inner loops that is left at its end only, and have
 * at most LARGEST_ROUND machine instructions. */
static bool is_simple_loop(const LoweredFunction *l, uint32_t head, uint32_t end) {
  unsigned slots = 0;
  for (uint32_t number = head; number <= end; number++) {
    const PtxBlock *b = &l->function->blocks[number];
    uint32_t next[MOST_SUCCESSORS], n = block_successors(b, next, MOST_SUCCESSORS);
    slots += block_slots(l, b);
    for (uint32_t i = 0; i < n && number < end; i++)
      if (next[i] <= number || next[i] > end)
        return false;
    if (n == 0)
      return false;
  }
  return slots <= LARGEST_ROUND;
}

/* nvcc unrolls counting loops with branches in their body by four (machine code of the rows 'points
 * in a polygon', 'subsequences by shuffles', 'sequences warped in time'). */
void find_branching_loops(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  for (uint32_t end = 0; end < f->nblocks; end++)
    l->turns[end] = 1;
  for (uint32_t end = 0; end < f->nblocks; end++) {
    const PtxBlock *b = &f->blocks[end];
    if (b->end != PTX_END_IF || l->loop_test[end] != NO_TEST)
      continue;
    const uint32_t head = b->taken < b->next ? b->taken : b->next;
    const uint32_t test = head < end ? find_loop_test(l, end, head) : NO_TEST;
    if (test == NO_TEST || !l->ops[counter_of(l, b, test)].induction ||
        !is_simple_loop(l, head, end))
      continue;
    l->loop_test[end] = test;
    l->turns[end] = (uint8_t)(FEW_ROUNDS / unrolled_before(l, &f->code[counter_of(l, b, test)]));
  }
}
