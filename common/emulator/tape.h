/* The tape (LOCKSTEP_TAPE=file): a record of the memory accesses and synchronisation of all warps.
 *
 * A program that runs with a prescribed order (state/order.h) writes the file; common/race reads
 * it. Records are in the order of execution. Each record begins with a TapeHead, and its length is
 * a multiple of 8 bytes. Strings are NUL-terminated. After TAPE_MOST bytes of accesses, further
 * accesses are omitted, and the TapeEnd of the launch holds their number. */
#ifndef TAPE_H
#define TAPE_H

#include <stdint.h>

enum { TAPE_MOST = 1 << 28, TAPE_BUFFER_MOST = 1 << 24, TAPE_LANES = 32 };

typedef enum TapeKind {
  TAPE_LAUNCH,
  TAPE_SHARED, /* a shared array of the kernel */
  TAPE_ACCESS,
  TAPE_HELD,
  TAPE_LET_GO,
  TAPE_ARRIVES, /* lanes reach a barrier or a __syncwarp() */
  TAPE_BARRIER, /* all threads of a block have reached the barrier */
  TAPE_STEP,    /* lanes begin a single step (LOCKSTEP_ORDER); only in one block */
  TAPE_BUFFER,  /* a device buffer, after a launch */
  TAPE_END      /* the end of a launch */
} TapeKind;

typedef struct TapeHead {
  /* `kind`: TapeKind. `bytes`: size of the whole record. */
  uint32_t kind, bytes;
} TapeHead;

/* Followed by the name of the kernel and a NUL. */
typedef struct TapeLaunch {
  TapeHead head;
  /* The number of the launch in the program, from 1 on. */
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

/* An access of several lanes. The values are followed by the path of the source file and a NUL. A
 * shared address is an offset in the block's shared memory. For an atomic operation (TAPE_CHANGES),
 * `count` is 0 and there are no values; but in the block that takes single steps, the values are
 * the contents of memory after the operation. */
typedef struct TapeAccess {
  TapeHead head;
  uint64_t block;
  /* `lanes`: mask of the active lanes. `time`: how many accesses this warp has made at this line,
   * including this one. */
  uint32_t warp, lanes, line, time;
  /* TapeOperation, TapeSpace, TapeType; `element`: bytes of an element. */
  uint8_t operation, space, type, element;
  /* Number of elements that each lane accesses. */
  uint32_t count;
  uint64_t address[TAPE_LANES];
  /* [count][TAPE_LANES] */
  uint64_t value[];
} TapeAccess;

/* TAPE_HELD, TAPE_LET_GO, TAPE_STEP and TAPE_ARRIVES. For a step and an arrival, the path of the
 * source file and a NUL follow. */
typedef struct TapeHold {
  TapeHead head;
  uint64_t block;
  uint32_t warp, lanes, hold, line;
} TapeHold;

/* Followed by the contents, at most TAPE_BUFFER_MOST bytes, and then by the name of the buffer and
 * a NUL. */
typedef struct TapeBuffer {
  TapeHead head;
  /* `bytes`: size of the buffer. `kept`: number of bytes of the contents that follow. `hash`:
   * emulator_hash of the contents. */
  uint64_t address, bytes, kept, hash;
  /* The shape of the buffer and the bytes of an element; 0: unknown. */
  uint64_t rows, columns, element;
  /* Number of the kernel argument that points to the buffer, from 1 on; 0: none. */
  uint64_t argument;
} TapeBuffer;

typedef struct TapeEnd {
  TapeHead head;
  /* LaunchStatus; 0: the launch succeeded. */
  uint64_t status;
  /* Number of accesses that were omitted. */
  uint64_t cut;
} TapeEnd;

#endif
