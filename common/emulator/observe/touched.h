/* Records which bytes of a buffer a kernel accesses, if work of several streams may meet on it.
 *
 * While the kernel runs, each worker sets bits of its own: one for each byte and kind of access.
 * Afterwards they become sets. Volatile loads are left out because the program itself must order
 * them; volatile stores count as atomic. */
#ifndef OBSERVE_TOUCHED_H
#define OBSERVE_TOUCHED_H

#include "../state/lanes.h"
#include "../state/memory.h"
#include "byte_set.h"

typedef enum TouchWay {
  TOUCH_READ,
  TOUCH_WRITE,
  TOUCH_ATOMIC,
  /* An atomic operation with system scope: host code may take part. */
  TOUCH_SYSTEM,
  TOUCH_WAYS
} TouchWay;

/* Called at the start of a launch, after the search for races between blocks has chosen its
 * buffers. `wanted`: record accesses to all buffers; otherwise to none. */
void touched_launch(bool wanted);
void touched_free(Allocation *);
/* Adds the bytes that the launch accessed to the sets, and resets the record. Returns false if
 * there are none. `*element`: size of the smallest access in bytes. */
bool touched_take(Allocation *, ByteSet sets[TOUCH_WAYS], unsigned *element);

/* Record an access to [address, address + span), or by lanes of which the lowest is at `at`. */
void touched_span(const Warp *, const PtxInsn *, TouchWay, const Allocation *, uint64_t address,
                  uint64_t span);
void touched_lanes(const Warp *, const PtxInsn *, TouchWay, const Shape *, const Allocation *,
                   uint64_t at);
/* Records a texel of a texture. */
void touched_texel(const Warp *, const Allocation *, uint64_t offset, unsigned bytes);

#endif
