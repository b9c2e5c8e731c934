/* Computes the dominators of instruction blocks, and the blocks that may be executed between a
 * block and its immediate dominator.
 *
 * The algorithm is from Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
 * The algorithm needs the blocks in reverse post-order, which is their order in
 * PtxFunction.blocks. */
#include "ptx.h"

enum { MAX_STEPS = 1 << 24 };

uint32_t successors(const PtxBlock *b, uint32_t which) {
  if (b->end == PTX_END_TABLE)
    return which < b->ntable ? b->table[which] : NONE;
  if (b->end == PTX_END_IF)
    return which == 0 ? b->taken : which == 1 ? b->next : NONE;
  if (which || b->end == PTX_END_RET || b->end == PTX_END_EXIT)
    return NONE;
  return b->end == PTX_END_BRANCH ? b->taken : b->next;
}

static void find_predecessors(Dominators *d, const PtxFunction *f, PtxArena *scratch) {
  uint32_t *first = d->first_in = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 3), to;
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = 0; (to = successors(&f->blocks[b], i)) != NONE; i++)
      first[to + 2]++;
  for (uint32_t b = 0; b <= f->nblocks; b++)
    first[b + 2] += first[b + 1];
  d->in = ARENA_ARRAY(scratch, uint32_t, first[f->nblocks + 2] + 1);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = 0; (to = successors(&f->blocks[b], i)) != NONE; i++)
      d->in[first[to + 1]++] = b;
}

static uint32_t common(const Dominators *d, uint32_t a, uint32_t b) {
  while (a != b)
    if (a > b)
      a = d->above[a];
    else
      b = d->above[b];
  return a;
}

void find_dominators(Dominators *d, const PtxFunction *f, PtxArena *scratch) {
  *d = (Dominators){.above = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1),
                    .seen = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1)};
  find_predecessors(d, f, scratch);
  for (uint32_t b = 1; b < f->nblocks; b++)
    d->above[b] = NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < f->nblocks; b++) {
      uint32_t above = NONE;
      for (uint32_t i = d->first_in[b]; i < d->first_in[b + 1]; i++)
        if (d->above[d->in[i]] != NONE)
          above = above == NONE ? d->in[i] : common(d, above, d->in[i]);
      changed |= above != d->above[b];
      d->above[b] = above;
    }
  }
}

uint32_t blocks_between(Dominators *d, uint32_t b, uint32_t *list) {
  uint32_t count = 0;
  d->stamp++;
  for (uint32_t at = b, done = 0;; at = list[done++]) {
    for (uint32_t i = d->first_in[at]; i < d->first_in[at + 1]; i++) {
      uint32_t from = d->in[i];
      if (from == d->above[b] && from != b)
        continue;
      if (d->seen[from] != d->stamp)
        list[count++] = from;
      d->seen[from] = d->stamp;
    }
    d->steps += d->first_in[at + 1] - d->first_in[at] + 1;
    if (d->steps > MAX_STEPS)
      return NONE;
    if (done == count)
      return count;
  }
}
