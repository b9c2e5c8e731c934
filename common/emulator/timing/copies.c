/* ptxas gives both registers of a copy the same number and omits the copy if their values are never
 * needed at the same time. They are if an instruction needs both, or if the target is live when a
 * branch follows, as in loops that keep the value of the previous iteration (machine code of the
 * rows 'points of Halton' and 'subsequences by shuffles'). An unrolled loop body copies once. */
#include "copies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"

#define NOT_FOUND UINT32_MAX
/* Returns the last instruction before code[at] in the block that computes `reg`, or NOT_FOUND. */
static uint32_t computed_at(const PtxFunction *f, const PtxBlock *b, uint32_t at, uint32_t reg) {
  while (at-- > b->first)
    if (writes_slot(&f->code[at], reg))
      return at;
  return NOT_FOUND;
}

static bool reads_between(const PtxFunction *f, uint32_t from, uint32_t to, uint32_t reg) {
  while (from < to)
    if (reads_slot(&f->code[from++], reg))
      return true;
  return false;
}

/* Returns true if an instruction after code[from] needs its result and `target`. ptxas moves other
 * readers of the target before code[from]. */
static bool needs_both(const PtxFunction *f, uint32_t from, uint32_t to, uint32_t target) {
  uint8_t *depends = calloc(f->nslots + 1u, 1);
  bool both = false;
  assert(depends);
  for (uint32_t i = from; i < to && !both; i++) {
    Operands o;
    bool reads = i == from;
    operands_of(&f->code[i], &o);
    for (uint32_t k = 0; k < o.nreads; k++)
      reads = reads || depends[o.reads[k]];
    both = i > from && reads && reads_slot(&f->code[i], target);
    for (uint32_t k = 0; k < o.nwrites; k++)
      depends[o.writes[k]] = reads;
  }
  free(depends);
  return both;
}

/* Returns the only predecessor of the block, or PTX_NO_BLOCK. */
static uint32_t only_predecessor(const PtxFunction *f, uint32_t number) {
  uint32_t found = PTX_NO_BLOCK;
  for (uint32_t k = 0; k < f->nblocks; k++) {
    uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[k], next, MOST_SUCCESSORS);
    bool precedes = false;
    for (uint32_t i = 0; i < n; i++)
      precedes = precedes || next[i] == number;
    if (precedes && found != PTX_NO_BLOCK)
      return PTX_NO_BLOCK;
    found = precedes ? k : found;
  }
  return found;
}

static bool is_needed(const PtxFunction *f, const Liveness *live, uint32_t number, uint32_t at) {
  const uint32_t source = f->code[at].a, target = f->code[at].d;
  const PtxBlock *b = &f->blocks[number];
  const uint32_t computed = computed_at(f, b, at, source);
  if (computed != NOT_FOUND)
    return needs_both(f, computed, at, target);
  if (reads_between(f, b->first, at, target))
    return true;
  const uint32_t before = only_predecessor(f, number);
  if (before == PTX_NO_BLOCK || before == number)
    return false;
  b = &f->blocks[before];
  return live->out[(size_t)before * f->nslots + target / PTX_SLOT_BYTES] &&
         computed_at(f, b, b->first + b->count, source) != NOT_FOUND;
}

static bool is_unrolled(const LoweredFunction *l, uint32_t number) {
  for (uint32_t head = 0; head <= number; head++)
    if (l->unroll[head] > 1 && number <= l->loop_end[head])
      return true;
  return false;
}

void find_copies(LoweredFunction *l, const Liveness *live) {
  const PtxFunction *f = l->function;
  for (uint32_t number = 0; number < f->nblocks; number++) {
    const PtxBlock *b = &f->blocks[number];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const PtxInsn *insn = &f->code[i];
      const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
      if (strncmp(s, "mov.b", 5) || insn->d == PTX_NO_REG || insn->a == PTX_NO_REG ||
          insn->d == insn->a || l->ops[i].kind != OP_FREE ||
          l->is_constant[insn->a / PTX_SLOT_BYTES] || !is_needed(f, live, number, i))
        continue;
      const bool wide = strcmp(s, "mov.b64") == 0;
      l->ops[i] = (Op){.kind = OP_COMPUTE, .induction = is_unrolled(l, number)};
      l->ops[i].slots[PIPE_ANY] = wide ? 2 : 1;
      l->ops[i].chain[PIPE_ANY] = 1;
    }
  }
}
