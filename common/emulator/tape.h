/* The format of the tape (LOCKSTEP_TAPE=file): a record of the accesses, barriers and steps of all
 * warps.
 *
 * A program that runs with a prescribed order (state/order.h) writes the tape; common/race and
 * common/step read it. Records are in the order of execution. Each record begins with a TapeHead,
 * and its length is a multiple of 8 bytes. Strings are NUL-terminated. After TAPE_MOST bytes of
 * accesses, further accesses are omitted; the launch's TapeEnd has their number. */
#ifndef TAPE_H
#define TAPE_H

#include <stdint.h>

enum { TAPE_MOST = 1 << 28, TAPE_BUFFER_MOST = 1 << 24, TAPE_LANES = 32 };

typedef enum TapeKind {
  TAPE_LAUNCH,
  TAPE_SHARED, /* a shared array of the launch's kernel */
  TAPE_ACCESS,
  TAPE_HELD,
  TAPE_LET_GO,
  TAPE_ARRIVES, /* lanes reach a barrier or a __syncwarp() */
  TAPE_BARRIER, /* all threads of a block have reached a barrier */
  TAPE_STEP,    /* lanes begin a step; only in the block whose warps execute single steps */
  TAPE_BUFFER,  /* device memory after a launch */
  TAPE_END      /* the end of a launch */
} TapeKind;

typedef struct TapeHead {
  /* `kind`: a TapeKind. `bytes`: length of the whole record. */
  uint32_t kind, bytes;
} TapeHead;

/* Followed by the name of the kernel and a NUL. */
typedef struct TapeLaunch {
  TapeHead head;
  /* Number of the launch in the program, from 1. */
  uint64_t number;
  uint32_t grid[3], block[3];
} TapeLaunch;

/* Followed by the name of the array and a NUL. */
typedef struct TapeShared {
  TapeHead head;
  uint32_t offset, bytes;
} TapeShared;

typedef enum TapeOperation { TAPE_READS, TAPE_WRITES, TAPE_CHANGES } TapeOperation;
typedef enum TapeSpace { TAPE_IN_SHARED, TAPE_IN_GLOBAL, TAPE_SPACES } TapeSpace;
typedef enum TapeType { TAPE_BITS, TAPE_SIGNED, TAPE_UNSIGNED, TAPE_FLOATING } TapeType;

/* The values are followed by the path of the source file and a NUL. Shared addresses are offsets in
 * the block's shared memory. A record of an atomic operation has no values, and its count is 0. But
 * in a block whose warps are single-stepped, its values are the contents of memory after the
 * operation. */
typedef struct TapeAccess {
  TapeHead head;
  uint64_t block;
  /* `time`: number of accesses with this operation that the warp has made at this line, including
   * this one. */
  uint32_t warp, lanes, line, time;
  /* `element`: size in bytes. */
  uint8_t operation, space, type, element;
  /* Number of elements per lane. */
  uint32_t count;
  uint64_t address[TAPE_LANES];
  /* [count][TAPE_LANES] */
  uint64_t value[];
} TapeAccess;

/* TAPE_STEP, TAPE_ARRIVES, TAPE_HELD, TAPE_LET_GO: the path of the source file and a NUL follow. */
typedef struct TapeHold {
  TapeHead head;
  uint64_t block;
  uint32_t warp, lanes, hold, line;
} TapeHold;

/* Followed by the contents of the buffer, at most TAPE_BUFFER_MOST bytes, and then by the name of
 * the buffer and a NUL. */
typedef struct TapeBuffer {
  TapeHead head;
  /* `bytes`: size of the buffer. `kept`: number of bytes of the contents that follow. `hash`: hash
   * of the contents. */
  uint64_t address, bytes, kept, hash;
  /* Numbers of rows and columns, and size of an element in bytes; 0: unknown. */
  uint64_t rows, columns, element;
  /* Number of the launch argument that points to the buffer, from 1; 0: no argument points to
   * it. */
  uint64_t argument;
} TapeBuffer;

typedef struct TapeEnd {
  TapeHead head;
  /* LaunchStatus; 0: done */
  uint64_t status;
  /* Number of accesses that were omitted. */
  uint64_t cut;
} TapeEnd;

#endif
