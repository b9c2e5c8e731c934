/* The tape (LOCKSTEP_TAPE=file): what the warps of a run did, one record after another.
 *
 * A program that runs with a prescribed order (state/order.h) writes it; common/race reads it. Records follow the order of
 * execution. Each begins with a TapeHead, and its length is a multiple of 8 bytes. Strings end with a NUL. When TAPE_MOST
 * bytes of accesses have been written, further accesses are left out and the launch's record of its end says so.
 */
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
  TAPE_ARRIVES, /* lanes come to a barrier or a __syncwarp() */
  TAPE_BARRIER, /* all threads of a block have met */
  TAPE_STEP,    /* lanes begin a step: only of the block whose warps take single steps */
  TAPE_BUFFER,  /* device memory after a launch */
  TAPE_END      /* of a launch */
} TapeKind;

typedef struct TapeHead {
  uint32_t kind, bytes; /* bytes: of the whole record */
} TapeHead;

/* The name of the kernel and a NUL follow. */
typedef struct TapeLaunch {
  TapeHead head;
  uint64_t number; /* from 1 on */
  uint32_t grid[3], block[3];
} TapeLaunch;

/* Its name and a NUL follow. */
typedef struct TapeShared {
  TapeHead head;
  uint32_t offset, bytes;
} TapeShared;

typedef enum TapeOperation { TAPE_READS, TAPE_WRITES, TAPE_CHANGES } TapeOperation;
typedef enum TapeSpace { TAPE_IN_SHARED, TAPE_IN_GLOBAL, TAPE_SPACES } TapeSpace;
typedef enum TapeType { TAPE_BITS, TAPE_SIGNED, TAPE_UNSIGNED, TAPE_FLOATING } TapeType;

/* The path of the source file and a NUL follow the values. Shared addresses are offsets in the block's memory. A change has
 * no values, and its count is 0; but in a block whose warps take single steps it has what memory holds after it. */
typedef struct TapeAccess {
  TapeHead head;
  uint64_t block;
  uint32_t warp, lanes, line,
      time; /* time: from 1 on, of this operation at this line by this warp */
  uint8_t operation, space, type, element; /* element: bytes */
  uint32_t count;                          /* elements of each lane */
  uint64_t address[TAPE_LANES];
  uint64_t value[]; /* [count][TAPE_LANES] */
} TapeAccess;

/* A step and an arrival: the path of the source file and a NUL follow. */
typedef struct TapeHold {
  TapeHead head;
  uint64_t block;
  uint32_t warp, lanes, hold, line;
} TapeHold;

/* The contents, at most TAPE_BUFFER_MOST bytes, and then the name and a NUL follow. */
typedef struct TapeBuffer {
  TapeHead head;
  uint64_t address, bytes, kept, hash; /* kept: bytes of the contents that follow */
  uint64_t rows, columns, element;     /* 0: unknown */
} TapeBuffer;

typedef struct TapeEnd {
  TapeHead head;
  uint64_t status; /* LaunchStatus; 0: done */
  uint64_t cut;    /* accesses that were left out */
} TapeEnd;

#endif
