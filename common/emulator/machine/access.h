/* Between the files that access memory: access.c, shared.c, global.c. */
#ifndef MACHINE_ACCESS_H
#define MACHINE_ACCESS_H

#include "warp.h"

/* Accesses that have a loop of their own: 4- or 8-byte elements, one to four of them. */
enum { SHAPES = 5 };
#define EACH_SHAPE(X) X(4, 1) X(4, 2) X(4, 4) X(8, 1) X(8, 2)
#define SHAPE_ROW(name)                                                                            \
  { name##_4x1, name##_4x2, name##_4x4, name##_8x1, name##_8x2 }
#define STEP(name, body)                                                                           \
  static void name(Warp *w, const PtxInsn *i, uint32_t lanes) { body; }
/* Which of them serves this access to shared, global or constant memory; -1: none. */
int access_shape(const PtxInsn *);

Step shared_step(const PtxInsn *);
void load_shared_lanes(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
void store_shared_lanes(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);

Step global_step(const PtxInsn *);
void load_global_lanes(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);
void store_global_lanes(Warp *, const PtxInsn *, uint32_t lanes, const uint64_t *address);

#endif
