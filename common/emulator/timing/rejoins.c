/* ptxas encloses code in which lanes may diverge in BSSY and BSYNC, which reconverges them. The two
 * take time even if all lanes take the same way. A branch has none if its condition has the same
 * value in all lanes, or if the code of one side is predicated. A data-flow analysis finds the
 * values that may differ between lanes. */
#include "rejoins.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "liveness.h"

static bool special_differs(PtxSpecial special) {
  return special <= PTX_TID_Z || (special >= PTX_LANEID && special <= PTX_WARPID) ||
         (special >= PTX_LANEMASK_EQ && special <= PTX_GLOBALTIMER);
}

static bool result_differs(const PtxInsn *insn, bool reads_differing) {
  switch ((PtxForm)insn->form) {
  case PTX_SREG:
    return special_differs((PtxSpecial)insn->sub);
  case PTX_ALU:
  case PTX_UNPACK:
  case PTX_PACK:
  case PTX_LD_PARAM:
    return reads_differing;
  case PTX_LD:
    return reads_differing || insn->space == PTX_LOCAL || insn->flags & PTX_VOLATILE;
  default:
    return true;
  }
}

/* `differs`: [nslots] before the block, and afterwards behind it. */
static void pass_block(const PtxFunction *f, const PtxBlock *b, uint8_t *differs) {
  Operands o;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    bool any = false;
    operands_of(&f->code[i], &o);
    for (uint32_t k = 0; k < o.nreads; k++)
      any = any || differs[o.reads[k]];
    for (uint32_t k = 0; k < o.nwrites; k++)
      differs[o.writes[k]] = result_differs(&f->code[i], any);
  }
}

/* Fills differs[nblocks] with whether the condition at the end of a block may differ between lanes.
 */
static void find_differing(const PtxFunction *f, bool *differs) {
  const size_t n = f->nslots;
  uint8_t *in = calloc(f->nblocks + 1u, n + 1), *now = calloc(n + 1, 1);
  assert(in && now);
  if (!f->is_entry)
    memset(in, 1, n);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
      uint32_t next[MOST_SUCCESSORS];
      const uint32_t count = block_successors(&f->blocks[b], next, MOST_SUCCESSORS);
      memcpy(now, in + b * n, n);
      pass_block(f, &f->blocks[b], now);
      if (f->blocks[b].end == PTX_END_IF || f->blocks[b].end == PTX_END_TABLE)
        differs[b] = now[f->blocks[b].predicate / PTX_SLOT_BYTES];
      for (uint32_t k = 0; k < count; k++)
        for (size_t s = 0; s < n; s++)
          if (now[s] && !in[next[k] * n + s])
            in[next[k] * n + s] = 1, changed = true;
    }
  }
  free(in);
  free(now);
}

/* Returns true if the code from block `from` on can reach `to` without `meet`. */
static bool reaches(const PtxFunction *f, uint32_t from, uint32_t to, uint32_t meet, bool *seen) {
  uint32_t next[MOST_SUCCESSORS];
  if (from == meet || seen[from])
    return false;
  if (from == to)
    return true;
  seen[from] = true;
  const uint32_t count = block_successors(&f->blocks[from], next, MOST_SUCCESSORS);
  for (uint32_t k = 0; k < count; k++)
    if (reaches(f, next[k], to, meet, seen))
      return true;
  return false;
}

static bool only_returns(const PtxFunction *f, uint32_t block) {
  const PtxBlock *b = &f->blocks[block];
  return !b->count && (b->end == PTX_END_RET || b->end == PTX_END_EXIT);
}

/* Returns true if the code from `from` on can reach block `to` without `meet`. */
static bool leads(const PtxFunction *f, uint32_t from, uint32_t to, uint32_t meet, bool *seen) {
  memset(seen, 0, f->nblocks * sizeof *seen);
  return reaches(f, from, to, meet, seen);
}

/* Returns true if another branch with the same `meet` encloses the branch of block b, as the first
 * of two conditions that are joined by &&. One BSYNC serves both. */
static bool is_enclosed(const LoweredFunction *l, const bool *diverges, uint32_t b, bool *seen) {
  const PtxFunction *f = l->function;
  const uint32_t meet = f->blocks[b].meet[0];
  for (uint32_t a = 0; a < f->nblocks; a++)
    if (a != b && diverges[a] && f->blocks[a].meet[0] == meet && leads(f, a, b, meet, seen) &&
        (a < b || !leads(f, b, a, meet, seen)))
      return true;
  return false;
}

void find_rejoins(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  bool *diverges = calloc(f->nblocks + 1u, sizeof *diverges);
  bool *seen = calloc(f->nblocks + 1u, sizeof *seen);
  assert(diverges && seen);
  find_differing(f, diverges);
  for (uint32_t b = 0; b < f->nblocks; b++)
    diverges[b] = diverges[b] && f->blocks[b].end == PTX_END_IF && !l->predicated[b] &&
                  f->blocks[b].meet[0] != PTX_NO_BLOCK && !only_returns(f, f->blocks[b].meet[0]);
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const uint32_t way[2] = {f->blocks[b].taken, f->blocks[b].next};
    if (!diverges[b])
      continue;
    l->rejoins[b] = REJOINS_LATER;
    if (is_enclosed(l, diverges, b, seen))
      continue;
    /* Lanes that leave a loop wait behind it for those that stay. */
    for (int i = 0; i < 2; i++)
      if (!leads(f, way[i], b, f->blocks[b].meet[0], seen))
        l->rejoins[b] |= (uint8_t)(i == 0 ? REJOINS_TAKEN : REJOINS_NEXT);
  }
  free(diverges);
  free(seen);
}
