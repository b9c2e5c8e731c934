/* Vector clocks over streams.
 *
 * The work of a stream is numbered 1, 2, 3 ... A clock holds one number per stream: all work of the
 * stream up to that number happens before the event that the clock belongs to. Streams missing from
 * a clock have the number 0. */
#ifndef STATE_CLOCK_H
#define STATE_CLOCK_H

#include <stdint.h>

typedef struct Clock {
  uint32_t *at;
  uint32_t size;
} Clock;

static inline uint32_t clock_at(const Clock *c, uint32_t stream) {
  return stream < c->size ? c->at[stream] : 0;
}
void clock_set(Clock *, uint32_t stream, uint32_t number);
/* Sets each entry to the larger of the two. */
void clock_join(Clock *, const Clock *other);
void clock_copy(Clock *, const Clock *from);
void clock_clear(Clock *);

#endif
