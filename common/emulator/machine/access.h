/* Between the files that access memory: access.c, shared.c, global.c, atomic.c. */
#ifndef MACHINE_ACCESS_H
#define MACHINE_ACCESS_H

#include <string.h>

#include "warp.h"

/* Accesses that have a loop of their own: 4- or 8-byte elements, one to four of them; */
enum { SHAPES = 5 };
#define EACH_SHAPE(X) X(4, 1) X(4, 2) X(4, 4) X(8, 1) X(8, 2)
#define SHAPE_ROW(name)                                                                            \
  { name##_4x1, name##_4x2, name##_4x4, name##_8x1, name##_8x2 }
/* ... in global and constant memory one of 1 or 2 bytes, too. */
enum { GLOBAL_SHAPES = 7 };
#define EACH_GLOBAL_SHAPE(X) EACH_SHAPE(X) X(1, 1) X(2, 1)
#define GLOBAL_SHAPE_ROW(name)                                                                     \
  { name##_4x1, name##_4x2, name##_4x4, name##_8x1, name##_8x2, name##_1x1, name##_2x1 }
#define STEP(name, body)                                                                           \
  static void name(Warp *w, const PtxInsn *i, uint32_t lanes) { body; }
/* Which of them serves this access to shared, global or constant memory; -1: none. */
int access_shape(const PtxInsn *);

/* An access that reads what others may change at any time, at that address (of the lowest lane), and
 * finds that value. */
void access_polls(Warp *, uint64_t address, uint64_t value);
static inline uint64_t low_bytes(const uint8_t *at, unsigned bytes) {
  uint64_t value = 0;
  memcpy(&value, at, bytes < 8 ? bytes : 8);
  return value;
}

Step shared_step(const PtxInsn *);
/* A load or store on any lanes; the steps that shared_step gives serve whole warps of which no
 * observer wants to see every instruction. */
void any_shared(Warp *, const PtxInsn *, uint32_t lanes);
/* The shape of those of `lanes` whose address in shared memory is right; the others are reported. NULL:
 * none is. */
const Shape *shared_shape(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
/* A load or store on those lanes, at addresses in shared, or in global and constant memory. */
void shared_access(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);

Step global_step(const PtxInsn *);
void any_global(Warp *, const PtxInsn *, uint32_t lanes);
/* The shape of the next lanes of `lanes` that lie in one allocation; the lowest, if it is wrong, is
 * reported, and then there is none. *taken: what is settled. */
const Shape *global_shape(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address,
                          Allocation **, uint32_t *taken);
void global_access(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
static inline uint8_t *on_host(const Allocation *a, uint64_t address) {
  return a->view + (address - a->address);
}
/* What a store wrote; `ordered`: a volatile one, whose order is the program's own business. */
void global_define(Allocation *, uint64_t offset, uint64_t bytes, bool ordered);
void define_lanes(Allocation *, const Shape *, uint64_t at, unsigned bytes, bool ordered);

#endif
