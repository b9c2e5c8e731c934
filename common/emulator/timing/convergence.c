/* Finds the places of the instructions with which lanes reconverge.
 *
 * If lanes can take different ways at a branch, ptxas places a BSSY before it and a BSYNC where the
 * ways meet. It places none if the condition is the same in all lanes of the warp, if the code is
 * predicated, or if one way leads to the end of the kernel.
 *
 * A data-flow analysis finds the conditions that can differ between lanes. A value differs if it is
 * computed from the index of the thread or from other values that differ, or loaded from an address
 * that differs. A value also differs where the ways of a divergent branch meet if one of the ways
 * computes it. */
#include "convergence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "liveness.h"

typedef struct Flow {
  LoweredFunction *lowered;
  /* [nblocks][nslots] Whether the value in the slot differs at the start of the block. */
  uint8_t *in;
  /* [nslots] The same before the current instruction. */
  uint8_t *differs;
  /* [nblocks] Whether the condition at the end of the block differs. */
  uint8_t *divergent;
  /* [nblocks] Scratch space of spoil(): the blocks that were visited, and those to visit. */
  uint8_t *seen;
  uint32_t *open;
  bool changed;
} Flow;

static bool differs_by_thread(PtxSpecial special) {
  return special <= PTX_TID_Z || (special >= PTX_LANEID && special <= PTX_WARPID) ||
         (special >= PTX_LANEMASK_EQ && special <= PTX_GLOBALTIMER);
}

static bool result_differs(const Flow *w, const PtxInsn *insn, const Operands *o) {
  bool any = false;
  for (uint32_t i = 0; i < o->nreads; i++)
    any = any || w->differs[o->reads[i]];
  switch ((PtxForm)insn->form) {
  case PTX_SREG:
    return differs_by_thread((PtxSpecial)insn->sub);
  case PTX_ALU:
  case PTX_PACK:
  case PTX_UNPACK:
    return any;
  case PTX_LD:
    return any || insn->space == PTX_LOCAL || insn->flags & PTX_VOLATILE;
  case PTX_LD_PARAM:
    return any || !w->lowered->function->is_entry;
  default:
    return true;
  }
}

static void add(Flow *w, uint32_t block, uint32_t slot) {
  uint8_t *to = &w->in[(size_t)block * w->lowered->function->nslots + slot];
  w->changed = w->changed || !*to;
  *to = 1;
}

/* Marks the values that the blocks between a divergent branch and its meeting point compute. */
static void spoil(Flow *w, uint32_t branch) {
  const PtxFunction *f = w->lowered->function;
  const uint32_t meet = f->blocks[branch].meet[0];
  uint32_t nopen = 0;
  if (meet == PTX_NO_BLOCK)
    return;
  memset(w->seen, 0, f->nblocks);
  w->seen[meet] = 1;
  for (uint32_t at = branch;;) {
    uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[at], next, MOST_SUCCESSORS);
    for (uint32_t i = 0; i < n; i++)
      if (!w->seen[next[i]]) {
        w->seen[next[i]] = 1;
        w->open[nopen++] = next[i];
      }
    if (!nopen)
      return;
    at = w->open[--nopen];
    for (uint32_t i = f->blocks[at].first; i < f->blocks[at].first + f->blocks[at].count; i++) {
      Operands o;
      operands_of(&f->code[i], &o);
      for (uint32_t k = 0; k < o.nwrites; k++)
        add(w, meet, o.writes[k]);
    }
  }
}

static void flow_on(Flow *w, uint32_t number) {
  const PtxFunction *f = w->lowered->function;
  const PtxBlock *b = &f->blocks[number];
  uint32_t next[MOST_SUCCESSORS], n = block_successors(b, next, MOST_SUCCESSORS);
  memcpy(w->differs, w->in + (size_t)number * f->nslots, f->nslots);
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    Operands o;
    operands_of(&f->code[i], &o);
    const bool differs = result_differs(w, &f->code[i], &o);
    for (uint32_t k = 0; k < o.nwrites; k++)
      w->differs[o.writes[k]] = differs;
  }
  if ((b->end == PTX_END_IF || b->end == PTX_END_TABLE) &&
      w->differs[b->predicate / PTX_SLOT_BYTES] && !w->divergent[number]) {
    w->divergent[number] = 1;
    spoil(w, number);
  }
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t s = 0; s < f->nslots; s++)
      if (w->differs[s])
        add(w, next[k], s);
}

void find_convergence(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  const size_t nblocks = f->nblocks + 1u;
  Flow w = {l,
            calloc(nblocks, f->nslots + 1u),
            calloc(f->nslots + 1u, 1),
            calloc(nblocks, 1),
            calloc(nblocks, 1),
            calloc(nblocks, sizeof *w.open),
            true};
  assert(w.in && w.differs && w.divergent && w.seen && w.open);
  while (w.changed) {
    w.changed = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
      flow_on(&w, b);
  }
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const uint32_t meet = f->blocks[b].meet[0];
    if (w.divergent[b] && !l->predicated[b] && meet != PTX_NO_BLOCK)
      l->meets[meet] = true;
  }
  free(w.in);
  free(w.differs);
  free(w.divergent);
  free(w.seen);
  free(w.open);
}
