/* The device's address space: allocations, and which of their bytes have been written.
 *
 * Threads: only one host thread at a time calls these functions (the runtime holds a lock). The
 * workers of a launch look up allocations and define bytes, but do not allocate or free. */
#ifndef STATE_MEMORY_H
#define STATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_site.h"

/* Device addresses are in a reserved, inaccessible range of the host's address space, so host code
 * that dereferences one faults. The bytes are mapped elsewhere: the host address is address + (view
 * - address). Pinned and managed memory has the same address on both sides: view == address. */
typedef enum MemoryKind {
  MEMORY_DEVICE,
  MEMORY_ARRAY,
  MEMORY_MANAGED,
  MEMORY_PINNED,
  MEMORY_VARIABLE,
  MEMORY_CONSTANT,
  /* The kernels' malloc heap; only live pieces are accessible (pieces.h). */
  MEMORY_HEAP
} MemoryKind;

typedef struct Allocation {
  /* As kernels see it. */
  uint64_t address;
  /* As requested; guard zones surround it. */
  size_t bytes;
  /* Host pointer to the same bytes. */
  uint8_t *view;
  /* MemoryKind */
  uint8_t kind;
  bool live;
  /* Host memory of the program that was pinned later, and that the emulator must not free. */
  bool registered;
  /* Unwritten gaps are not reported: a kernel's data decide where it writes, or they were reported
   * already. */
  bool gaps_expected;
  /* Every byte has been written, so `defined` need not be read. */
  bool all_defined;
  /* One bit per byte; NULL if all_defined from the start (pinned memory, variables). */
  uint8_t *defined;
  /* Managed memory: memory_see_host must detect what the host wrote. */
  bool see_host;
  /* Managed and pinned memory: one bit per byte, set if pending device work writes it. NULL for
   * other kinds. */
  uint8_t *unsettled;
  /* Likewise for bytes that pending device work reads. The host may read these too. */
  uint8_t *in_use;
  /* One byte per MEMORY_CHUNK bytes: which of the two maps above have bits set there. */
  uint8_t *awaited;
  /* Pages that were opened for reading although they have pending bytes. */
  uint8_t *opened;
  /* `unsettled` or `in_use` may have bits set. */
  bool dirty;
  /* The byte range, from and to, that may be closed to the host; 0, 0: none. */
  size_t closed[2];
  /* Observers': `shadow` or `touched` is set. */
  bool watched;
  /* Observers': NULL unless the launch may race on it. */
  struct GlobalShadow *shadow;
  /* Observers': NULL unless the accesses of the launch are recorded. */
  struct Touched *touched;
  /* Observers': keeps `touched` between launches. */
  struct Touched *touches;
  /* Observers': accesses by the work of all streams. */
  struct StreamTouch *history;
  /* The pool it was allocated from, or NULL. */
  struct CUmemPoolHandle_st *pool;
  /* 1, 2, 3 ... in order of allocation. */
  uint32_t number;
  /* Neighbours in the list of live allocations, ordered by number. */
  struct Allocation *previous, *next;
  /* Freed by cudaDeviceReset. */
  bool reset;
  /* Where the program allocated and freed it. NULL: not yet, or not by a call. */
  CallSite *made, *freed;
  /* NULL unless named. */
  const char *name;
  /* Shape for messages; 0: unknown. */
  size_t rows, columns, element_bytes;
  /* The pieces of a heap; otherwise NULL. */
  struct Pieces *pieces;
  /* The pitch of memory from cudaMallocPitch; 0: none. */
  size_t pitch;
  /* The last copy of several rows into this allocation; NULL: none. */
  struct CopiedRows *copied;
} Allocation;

/* Rows written by a copy: starting at byte `at` of the allocation, `width` bytes of every `pitch`.
 */
typedef struct CopiedRows {
  size_t at, pitch, width, rows;
  CallSite site;
} CopiedRows;

/* New memory is filled with 0xff bytes (NaN in every floating-point type). Returns NULL if the
 * device is full. `bytes` must not be 0. */
Allocation *memory_allocate(size_t bytes, MemoryKind kind, const char *name);
/* Frees an allocation by its first address. Returns false if the address is not the start of a live
 * allocation; `freed_before` is set for a double free. */
bool memory_free(uint64_t address, bool *freed_before);
/* memory_register pins host memory that the program owns. It returns NULL if part of it is already
 * pinned or is device memory. memory_unregister unpins it. */
Allocation *memory_register(void *pointer, size_t bytes);
void memory_unregister(Allocation *);
/* Creates a device variable that shares the host variable's memory. */
Allocation *memory_share(void *pointer, size_t bytes, const char *name);
/* The live allocation that contains the address, or NULL. */
Allocation *memory_find(uint64_t address);
/* The allocation, live or freed, nearest to an address outside all allocations, for messages. NULL
 * if none is near. */
Allocation *memory_nearest(uint64_t address);
/* Returns true if the address is in the device's reserved range, whether it is allocated or not. */
bool memory_is_device(uint64_t address);
/* Marks bytes [address, address + bytes) as written, after a copy to the device or a memset. */
void memory_define(Allocation *, uint64_t address, size_t bytes);
/* Marks them as unwritten. */
void memory_undefine(Allocation *, uint64_t address, size_t bytes);
/* The host writes managed memory without calls. Marks each word that differs from the initial fill
 * pattern as written. Call this before reading `defined`. */
void memory_see_host(Allocation *);
/* Copies definedness along with a device-to-device copy. */
void memory_define_like(Allocation *to, uint64_t to_address, const Allocation *from,
                        uint64_t from_address, size_t bytes);
/* The number of unwritten bytes in [address, address + bytes), counting only gaps of at least `gap`
 * bytes. `*first`: the address of the first such gap. */
size_t memory_undefined(const Allocation *, uint64_t address, size_t bytes, size_t gap,
                        uint64_t *first);
/* For pinned and managed memory: memory_unsettle marks bytes [from, to) as written by pending
 * device work; memory_unsettled tests for such bytes. */
void memory_unsettle(Allocation *, uint64_t from, uint64_t to);
bool memory_unsettled(const Allocation *, uint64_t from, uint64_t to);
/* Likewise for bytes that pending device work reads. */
void memory_use(Allocation *, uint64_t from, uint64_t to);
bool memory_in_use(const Allocation *, uint64_t from, uint64_t to);
/* Marks, and returns, which of the two kinds of bytes the chunks of [from, to) contain. This makes
 * tests of large ranges fast. memory_settle clears all marks. */
enum { MEMORY_CHUNK = 4096, MEMORY_UNSETTLED = 1, MEMORY_IN_USE = 2 };
void memory_await(Allocation *, uint64_t from, uint64_t to, unsigned what);
unsigned memory_awaited(const Allocation *, uint64_t from, uint64_t to);
void memory_settle(Allocation *);
/* Record that the current call of this thread copies to, allocates or frees it. */
void memory_copied_here(Allocation *, CopiedRows);
void memory_made_here(Allocation *);
void memory_freed_here(Allocation *);
/* The program allocated 0 bytes and got NULL. memory_empty_made returns where it last did so, or
 * NULL. */
void memory_made_empty(void);
const CallSite *memory_empty_made(void);
void memory_totals(size_t *free_bytes, size_t *total_bytes, size_t *live_allocations);
/* Iterates over live allocations in order of number; start with NULL. To free one, get the next one
 * first. */
Allocation *memory_next(Allocation *);

#endif
