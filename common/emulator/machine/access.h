/* Declarations that the files for memory accesses share: access.c, shared.c, global.c, atomic.c. */
#ifndef MACHINE_ACCESS_H
#define MACHINE_ACCESS_H

#include <string.h>

#include "warp.h"

/* The pairs (size of an element in bytes, number of elements per lane) for which shared.c and
 * global.c have specialised loops. */
enum { SHAPES = 5 };
#define EACH_SHAPE(X) X(4, 1) X(4, 2) X(4, 4) X(8, 1) X(8, 2)
#define SHAPE_ROW(name)                                                                            \
  { name##_4x1, name##_4x2, name##_4x4, name##_8x1, name##_8x2 }
/* global.c also has loops for one element of 1 or 2 bytes. */
enum { GLOBAL_SHAPES = 7 };
#define EACH_GLOBAL_SHAPE(X) EACH_SHAPE(X) X(1, 1) X(2, 1)
#define GLOBAL_SHAPE_ROW(name)                                                                     \
  { name##_4x1, name##_4x2, name##_4x4, name##_8x1, name##_8x2, name##_1x1, name##_2x1 }
#define STEP(name, body)                                                                           \
  static void name(Warp *w, const PtxInsn *i, uint32_t lanes) { body; }
/* Returns the index of the specialised loop for this access to shared, global or constant memory;
 * -1: there is no such loop. */
int access_shape(const PtxInsn *);

/* Records that a load read `value` at `address`, the lowest lane's address, where other threads may
 * store. Polling is detected from these records. */
void access_polls(Warp *, uint64_t address, uint64_t value);
static inline uint64_t low_bytes(const uint8_t *at, unsigned bytes) {
  uint64_t value = 0;
  memcpy(&value, at, bytes < 8 ? bytes : 8);
  return value;
}

Step shared_step(const PtxInsn *);
/* Loads or stores any lanes of any warp. In contrast, the steps that shared_step returns are only
 * for warps without undefined registers. */
void any_shared(Warp *, const PtxInsn *, uint32_t lanes);
/* Returns the shape of the lanes whose address in shared memory is valid; NULL: no lane has a valid
 * address. Reports the other lanes. */
const Shape *shared_shape(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
/* Execute a load or store for `lanes`, in shared memory (shared_access) or in global or constant
 * memory (global_access). `address`: the address of each lane. */
void shared_access(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);

Step global_step(const PtxInsn *);
void any_global(Warp *, const PtxInsn *, uint32_t lanes);
/* Finds the lanes whose addresses are in the same allocation as the lowest lane's, and returns
 * their shape. If the lowest lane's address is invalid, reports this and returns NULL. `*taken`:
 * set to the lanes of the shape or, after a report, to the reported lanes. */
const Shape *global_shape(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address,
                          Allocation **, uint32_t *taken);
void global_access(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
static inline uint8_t *on_host(const Allocation *a, uint64_t address) {
  return a->view + (address - a->address);
}
/* Mark the bytes that a store wrote as defined. `ordered`: the store is volatile. Otherwise the
 * bytes are also marked as pending work for the host (memory_unsettle). */
void global_define(Allocation *, uint64_t offset, uint64_t bytes, bool ordered);
void define_lanes(Allocation *, const Shape *, uint64_t at, unsigned bytes, bool ordered);

#endif
