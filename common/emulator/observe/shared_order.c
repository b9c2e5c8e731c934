/* Order by release and acquire in shared memory. */
#include "shared_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static OrderWord *find(SharedOrder *o, uint32_t entry) {
  for (uint32_t i = 0; i < o->nwords; i++)
    if (o->words[i]->entry == entry)
      return o->words[i];
  return o->nwords == ORDER_WORDS ? o->words[ORDER_WORDS - 1] : NULL;
}

static OrderWord *find_or_add(SharedOrder *o, uint32_t entry) {
  OrderWord *word = find(o, entry);
  if (word)
    return word;
  word = o->words[o->nwords++] = calloc(1, sizeof *word);
  assert(word);
  word->entry = entry;
  return word;
}

static void raise(uint32_t *to, const uint32_t *by) {
  for (int i = 0; i < ORDER_WARPS; i++)
    to[i] = by[i] > to[i] ? by[i] : to[i];
}

void shared_order_release(SharedOrder **order, uint32_t warp, uint32_t entry, uint32_t now) {
  if (!*order)
    *order = calloc(1, sizeof **order);
  assert(*order);
  Releaser *by = &find_or_add(*order, entry)->by[warp];
  if (by->released && by->waited) {
    by->round++;
    memcpy(by->before_round, by->before, sizeof by->before);
  }
  by->released = true;
  by->waited = false;
  raise(by->before, (*order)->heard[warp]);
  by->before[warp] = now;
}

void shared_order_acquire(SharedOrder *o, uint32_t warp, uint32_t entry, bool waits) {
  OrderWord *word = o ? find(o, entry) : NULL;
  if (!word)
    return;
  Releaser *own = &word->by[warp];
  own->waited |= waits;
  for (int i = 0; i < ORDER_WARPS; i++) {
    const Releaser *by = &word->by[i];
    if (by->released)
      raise(o->heard[warp],
            own->released && by->round > own->round ? by->before_round : by->before);
  }
}

void shared_order_forget(SharedOrder *o) {
  if (!o)
    return;
  for (uint32_t i = 0; i < o->nwords; i++)
    free(o->words[i]);
  memset(o, 0, sizeof *o);
}

void shared_order_destroy(SharedOrder *o) {
  shared_order_forget(o);
  free(o);
}
