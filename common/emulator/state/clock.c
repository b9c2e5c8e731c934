/* Implements vector clocks as arrays that are indexed by the number of the stream (clock.h). */
#include "clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void grow(Clock *c, uint32_t size) {
  if (size <= c->size)
    return;
  c->at = realloc(c->at, size * sizeof *c->at);
  assert(c->at);
  memset(c->at + c->size, 0, (size - c->size) * sizeof *c->at);
  c->size = size;
}

void clock_set(Clock *c, uint32_t stream, uint32_t number) {
  grow(c, stream + 1);
  c->at[stream] = number;
}

void clock_join(Clock *c, const Clock *other) {
  grow(c, other->size);
  for (uint32_t i = 0; i < other->size; i++)
    c->at[i] = other->at[i] > c->at[i] ? other->at[i] : c->at[i];
}

void clock_copy(Clock *c, const Clock *from) {
  if (c->size)
    memset(c->at, 0, c->size * sizeof *c->at);
  clock_join(c, from);
}

void clock_clear(Clock *c) {
  free(c->at);
  *c = (Clock){0};
}
