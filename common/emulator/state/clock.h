/* Vector clocks: how far somebody knows each of the streams to have come.
 *
 * The work of a stream is numbered 1, 2, 3 ... A clock has a number for each stream: all of its work up to there
 * is done before what the clock belongs to. Streams that a clock has no number for stand at 0.
 */
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
/* What either knows. */
void clock_join(Clock *, const Clock *other);
void clock_copy(Clock *, const Clock *from);
void clock_clear(Clock *);

#endif
