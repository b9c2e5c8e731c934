#include "liveness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void live_in(const PtxFunction *f, const PtxBlock *b, const uint8_t *out, uint8_t *in,
                    uint32_t nslots) {
  Operands o;
  memcpy(in, out, nslots);
  if (b->end == PTX_END_IF || b->end == PTX_END_TABLE)
    in[b->predicate / PTX_SLOT_BYTES] = 1;
  for (uint32_t i = b->first + b->count; i-- > b->first;) {
    operands_of(&f->code[i], &o);
    for (uint32_t k = 0; k < o.nwrites && f->code[i].guard == PTX_NO_REG; k++)
      in[o.writes[k]] = 0;
    for (uint32_t k = 0; k < o.nreads; k++)
      in[o.reads[k]] = 1;
  }
}

uint32_t block_successors(const PtxBlock *b, uint32_t *list, uint32_t most) {
  uint32_t n = 0;
  if (b->end == PTX_END_BRANCH || b->end == PTX_END_IF)
    list[n++] = b->taken;
  if (b->end == PTX_END_FALL || b->end == PTX_END_IF)
    list[n++] = b->next;
  for (uint32_t i = 0; i < b->ntable && n < most; i++)
    list[n++] = b->table[i];
  return n;
}

enum { MOST_PASSES = 64 };
Liveness liveness_of(const PtxFunction *f) {
  Liveness live = {calloc((size_t)f->nblocks + 1, f->nslots + 1u), f->nslots};
  uint8_t *in = calloc((size_t)f->nblocks + 1, f->nslots + 1u);
  assert(live.out && in);
  bool changed = true;
  for (uint32_t b = 0; b < f->nblocks; b++)
    live_in(f, &f->blocks[b], live.out + (size_t)b * f->nslots, in + (size_t)b * f->nslots,
            f->nslots);
  for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
    changed = false;
    for (uint32_t b = f->nblocks; b-- > 0;) {
      uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[b], next, MOST_SUCCESSORS);
      uint8_t *out = live.out + (size_t)b * f->nslots;
      bool grew = false;
      for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = 0; s < f->nslots; s++)
          if (in[(size_t)next[k] * f->nslots + s] && !out[s])
            out[s] = 1, grew = true;
      if (grew) {
        live_in(f, &f->blocks[b], out, in + (size_t)b * f->nslots, f->nslots);
        changed = true;
      }
    }
  }
  free(in);
  return live;
}
