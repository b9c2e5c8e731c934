/* Kernels as machine code: a function of a kernel is printed as C, compiled, and loaded (native.c).
 * The generated code includes this file and native_code.h. */
#ifndef MACHINE_NATIVE_H
#define MACHINE_NATIVE_H

#include "access.h"

/* How machine code hands a path back to the interpreter. */
typedef enum NativeEnd {
  /* At the begin of a block. */
  NATIVE_BEGIN,
  /* In front of an instruction of a block. */
  NATIVE_WITHIN,
  /* At the end of a block, before its branch. */
  NATIVE_BRANCH,
  /* At the begin of a block in which other lanes may wait for these. */
  NATIVE_STOP
} NativeEnd;

typedef struct NativePlace {
  uint32_t block, insn;
} NativePlace;

/* Functions of the emulator that generated code calls. */
typedef struct NativeCalls {
  Step any_global, any_shared;
  void (*global_row)(Warp *, const PtxInsn *, Allocation *, uint64_t, unsigned bytes, bool store);
  void (*global_same)(Warp *, const PtxInsn *, Allocation *, uint64_t, unsigned bytes);
  void (*global_define)(Allocation *, uint64_t offset, uint64_t bytes, bool ordered);
  void (*shared_row)(Warp *, const PtxInsn *, uint32_t address, unsigned bytes, bool store);
  bool (*shared_shape)(Warp *, const PtxInsn *, const Shape *, uint32_t at, unsigned bytes);
  bool (*shared_same)(Warp *, const PtxInsn *, uint32_t address, unsigned bytes);
  void (*put_row)(uint8_t *registers, const PtxInsn *, const uint8_t *);
  void (*put_one)(uint8_t *registers, const PtxInsn *, const uint8_t *);
  void (*get_row)(const uint8_t *registers, const PtxInsn *, uint8_t *);
  void (*put_lanes)(uint8_t *registers, const PtxInsn *, const Shape *, const uint8_t *,
                    const uint8_t *);
  bool (*defined)(const Allocation *, uint64_t offset, uint64_t bytes);
  void (*global_shape)(Warp *, const PtxInsn *, const Shape *, Allocation *, uint64_t at);
} NativeCalls;

/* Runs a full path from the begin of a block. Returns why it stopped, and where in `*place`. */
/* `stops`: a bit for each block at which the path stops to wait for others. */
typedef NativeEnd NativeRun(Warp *, Frame *, uint32_t lanes, uint64_t stops, uint32_t *turns,
                            NativePlace *place, const NativeCalls *);

/* The machine code of a function; NULL: none. */
NativeRun *native_find(const PtxModule *, PtxFunction *);
/* A worker ends: remembers the patterns of its kernel's accesses. */
void native_see(const Worker *);
extern const NativeCalls native_calls;

#endif
