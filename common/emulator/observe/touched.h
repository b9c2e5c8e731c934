/* Records which bytes of a buffer a kernel accesses, if work in several streams may access the
 * buffer.
 *
 * While the kernel runs, each worker sets bits in its own bitmaps: one bit for each byte and kind
 * of access. When the kernel is done, the bitmaps are converted to sets of bytes. Volatile loads
 * are not recorded, because a program uses them to synchronise. Volatile stores count as atomic. */
#ifndef OBSERVE_TOUCHED_H
#define OBSERVE_TOUCHED_H

#include "../state/lanes.h"
#include "../state/memory.h"
#include "byte_set.h"

typedef enum TouchWay {
  TOUCH_READ,
  TOUCH_WRITE,
  TOUCH_ATOMIC,
  /* An atomic operation with system scope: host code may access the same bytes at the same time. */
  TOUCH_SYSTEM,
  TOUCH_WAYS
} TouchWay;

/* Called when a launch begins, after global_races_launch has chosen its buffers. `wanted`: accesses
 * to all buffers are recorded; otherwise no accesses are recorded. */
void touched_launch(bool wanted);
void touched_free(Allocation *);
/* Adds the bytes that the launch accessed to the sets, and clears the bitmaps. Returns false if the
 * launch did not access the buffer. `*element`: set to the size of the smallest access in bytes. */
bool touched_take(Allocation *, ByteSet sets[TOUCH_WAYS], unsigned *element);

/* touched_span records an access to [address, address + span). touched_lanes records an access by
 * the lanes of a shape. `at`: the lowest lane's address. */
void touched_span(const Warp *, const PtxInsn *, TouchWay, const Allocation *, uint64_t address,
                  uint64_t span);
void touched_lanes(const Warp *, const PtxInsn *, TouchWay, const Shape *, const Allocation *,
                   uint64_t at);
/* Records that a texture fetch reads a texel. */
void touched_texel(const Warp *, const Allocation *, uint64_t offset, unsigned bytes);

#endif
