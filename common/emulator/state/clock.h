/* Vector clocks over streams.
 *
 * The pieces of work in a stream have the numbers 1, 2, 3 ... The clock of an event has one number
 * per stream: all work in the stream up to this number happens before the event. The number of a
 * stream that is not in the array is 0. */
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
/* Sets each entry of the first clock to the larger of the two clocks' entries. */
void clock_join(Clock *, const Clock *other);
void clock_copy(Clock *, const Clock *from);
void clock_clear(Clock *);

#endif
