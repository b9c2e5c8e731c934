/* Which bytes of a buffer a kernel touches: wanted where work of several streams may meet on it.
 *
 * While the kernel runs, each worker sets bits of its own, one for each byte and way of touching; afterwards these
 * become sets.
 * Volatile loads, of which the program takes care itself, are left out, volatile stores count as atomic.
 */
#ifndef OBSERVE_TOUCHED_H
#define OBSERVE_TOUCHED_H

#include "../state/lanes.h"
#include "../state/memory.h"
#include "byte_set.h"

typedef enum TouchWay {
  TOUCH_READ,
  TOUCH_WRITE,
  TOUCH_ATOMIC,
  TOUCH_SYSTEM, /* an atomic operation of the whole system: host code may take part */
  TOUCH_WAYS
} TouchWay;

/* A launch begins: every buffer's touches are wanted, or nobody's. After the search for races between blocks has
 * chosen its buffers. */
void touched_launch(bool wanted);
void touched_free(Allocation *);
/* What the launch touched, added to the sets; false: nothing. *element: bytes of its smallest access. The next launch
 * begins anew. */
bool touched_take(Allocation *, ByteSet sets[TOUCH_WAYS], unsigned *element);

/* An instruction accesses a buffer whose touches are wanted: [address, address + span), or lanes, of which
 * the lowest is at `at`. */
void touched_span(const Warp *, const PtxInsn *, TouchWay, const Allocation *, uint64_t address,
                  uint64_t span);
void touched_lanes(const Warp *, const PtxInsn *, TouchWay, const Shape *, const Allocation *,
                   uint64_t at);
/* A texel of a texture. */
void touched_texel(const Warp *, const Allocation *, uint64_t offset, unsigned bytes);

#endif
