/* The device's address space: manages allocations, and tracks which of their bytes have been
 * written.
 *
 * Only one host thread at a time calls these functions; the runtime holds a lock. The workers of a
 * launch look up allocations and mark bytes as defined, but do not allocate or free. */
#ifndef STATE_MEMORY_H
#define STATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_site.h"

/* Kinds of memory.
 *
 * Device addresses are in a reserved, inaccessible range of the host's address space, so host code
 * that dereferences a device pointer faults. The bytes are mapped at another host address,
 * Allocation.view. Pinned and managed memory has the same address on the host and on the device:
 * view == address. */
typedef enum MemoryKind {
  MEMORY_DEVICE,
  MEMORY_ARRAY,
  MEMORY_MANAGED,
  MEMORY_PINNED,
  MEMORY_VARIABLE,
  MEMORY_CONSTANT,
  /* The heap of malloc in kernels. Kernels may access only its live pieces (pieces.h). */
  MEMORY_HEAP
} MemoryKind;

typedef struct Allocation {
  /* The device address, which kernels use. */
  uint64_t address;
  /* The size that the program requested. Inaccessible guard zones surround the allocation. */
  size_t bytes;
  /* Host pointer to the same bytes. */
  uint8_t *view;
  /* A MemoryKind. */
  uint8_t kind;
  bool live;
  /* The program allocated the memory itself and pinned it with cudaHostRegister, so the emulator
   * must not free it. */
  bool registered;
  /* Copies of unwritten gaps in the buffer are not reported, because a kernel writes to addresses
   * that depend on data, or because the gaps have been reported already. */
  bool gaps_expected;
  /* Every byte counts as written, so `defined` is not used. */
  bool all_defined;
  /* Bitmap with one bit per byte, set if the byte has been written. NULL if all_defined was set
   * from the start (pinned memory, variables). */
  uint8_t *defined;
  /* Managed memory: the host may write to the memory without a call, so memory_see_host must look
   * for changes. */
  bool see_host;
  /* Managed and pinned memory: bitmap with one bit per byte, set if pending device work writes the
   * byte. NULL for other kinds of memory. */
  uint8_t *unsettled;
  /* Bitmap like `unsettled`, set if pending device work reads the byte. The host may read such a
   * byte, but not write it. */
  uint8_t *in_use;
  /* One element per MEMORY_CHUNK bytes: whether `unsettled` and `in_use` have bits set in this
   * chunk. */
  uint8_t *awaited;
  /* Pages that were made readable for the host although some of their bytes are pending. */
  uint8_t *opened;
  /* `unsettled` or `in_use` may have bits set. */
  bool dirty;
  /* The range of bytes (first, end) that may be inaccessible to the host; 0, 0: all bytes are
   * accessible. */
  size_t closed[2];
  /* Only the observers use members that are marked "Observers'" (warp.h). Observers': `shadow` or
   * `touched` is set. */
  bool watched;
  /* Observers': NULL if the launch cannot race on this buffer. */
  struct GlobalShadow *shadow;
  /* Observers': NULL if the accesses of this launch are not recorded. */
  struct Touched *touched;
  /* Observers': the memory of `touched`, kept between launches. */
  struct Touched *touches;
  /* Observers': the accesses of earlier work in all streams. */
  struct StreamTouch *history;
  /* The memory pool from which the memory was allocated; NULL: no pool. */
  struct CUmemPoolHandle_st *pool;
  /* The number of the allocation: 1, 2, 3 ... in the order of allocation. */
  uint32_t number;
  /* Neighbours in the list of live allocations, which is ordered by number. */
  struct Allocation *previous, *next;
  /* cudaDeviceReset freed the allocation. */
  bool reset;
  /* The calls of the program that allocated and freed the memory; NULL: not freed so far, or not by
   * a call of the program. */
  CallSite *made, *freed;
  /* Name of the buffer for messages; NULL: no name. */
  const char *name;
  /* Numbers of rows and columns, and bytes of an element, for messages; 0: unknown. */
  size_t rows, columns, element_bytes;
  /* MEMORY_HEAP: the pieces of the heap. Otherwise NULL. */
  struct Pieces *pieces;
  /* The pitch in bytes, if the memory is from cudaMallocPitch; otherwise 0. */
  size_t pitch;
  /* The last copy of several rows into this allocation; NULL: there was no such copy. */
  struct CopiedRows *copied;
} Allocation;

/* Rows that a copy wrote. The first row starts at byte `at` of the allocation, and rows start every
 * `pitch` bytes. The copy wrote the first `width` bytes of each row. */
typedef struct CopiedRows {
  size_t at, pitch, width, rows;
  CallSite site;
} CopiedRows;

/* Allocates memory. Returns NULL if the device is full. `bytes` must not be 0. New memory is filled
 * with 0xff bytes, which are NaN in every floating-point type; managed memory is filled with
 * another NaN (memory_see_host). */
Allocation *memory_allocate(size_t bytes, MemoryKind kind, const char *name);
/* Frees the allocation that starts at the address. Returns false if no live allocation starts
 * there. In this case, sets `*freed_before` to true if a freed allocation started there. */
bool memory_free(uint64_t address, bool *freed_before);
/* memory_register pins host memory of the program. It returns NULL if a part of the memory is
 * already pinned or is device memory. memory_unregister unpins the memory. */
Allocation *memory_register(void *pointer, size_t bytes);
void memory_unregister(Allocation *);
/* Creates a device variable in the memory of the host variable with the same name. */
Allocation *memory_share(void *pointer, size_t bytes, const char *name);
/* Returns the live allocation that contains the address, or NULL. */
Allocation *memory_find(uint64_t address);
/* Returns the allocation, live or freed, that is nearest to an address outside all allocations, for
 * messages; NULL: no allocation is near. */
Allocation *memory_nearest(uint64_t address);
/* Returns true if the address is in the range reserved for the device, allocated or not. */
bool memory_is_device(uint64_t address);
/* Marks the bytes [address, address + bytes) as written, for example after a copy to the device. */
void memory_define(Allocation *, uint64_t address, size_t bytes);
/* Marks the bytes [address, address + bytes) as unwritten. */
void memory_undefine(Allocation *, uint64_t address, size_t bytes);
/* Marks each word of managed memory that differs from the initial fill pattern as written, because
 * the host writes to managed memory without calls. Must be called before `defined` is read. */
void memory_see_host(Allocation *);
/* Called after a copy from device to device: marks the bytes of the target as written or unwritten,
 * like the bytes of the source. */
void memory_define_like(Allocation *to, uint64_t to_address, const Allocation *from,
                        uint64_t from_address, size_t bytes);
/* Returns the number of unwritten bytes in [address, address + bytes). Gaps shorter than `gap`
 * bytes do not count. `*first`: the address of the first gap that counts. */
size_t memory_undefined(const Allocation *, uint64_t address, size_t bytes, size_t gap,
                        uint64_t *first);
/* For pinned and managed memory. memory_unsettle marks the bytes [from, to) as written by pending
 * device work. memory_unsettled returns true if the range contains bytes with this mark. */
void memory_unsettle(Allocation *, uint64_t from, uint64_t to);
bool memory_unsettled(const Allocation *, uint64_t from, uint64_t to);
/* memory_use and memory_in_use are the same for bytes that pending device work reads. */
void memory_use(Allocation *, uint64_t from, uint64_t to);
bool memory_in_use(const Allocation *, uint64_t from, uint64_t to);
/* Each chunk of an allocation has marks too, so that large ranges are tested quickly. memory_await
 * sets the marks `what` for the chunks of [from, to), and memory_awaited returns the marks of all
 * these chunks, combined by OR. memory_settle clears all marks of bytes and chunks. */
enum { MEMORY_CHUNK = 4096, MEMORY_UNSETTLED = 1, MEMORY_IN_USE = 2 };
void memory_await(Allocation *, uint64_t from, uint64_t to, unsigned what);
unsigned memory_awaited(const Allocation *, uint64_t from, uint64_t to);
void memory_settle(Allocation *);
/* Record the current call of this thread as the last call that copied to the allocation, or as the
 * call that allocated or freed the allocation. */
void memory_copied_here(Allocation *, CopiedRows);
void memory_made_here(Allocation *);
void memory_freed_here(Allocation *);
/* memory_made_empty records that the program allocated 0 bytes and got NULL. memory_empty_made
 * returns the call site of the last such call; NULL: there was no such call. */
void memory_made_empty(void);
const CallSite *memory_empty_made(void);
void memory_totals(size_t *free_bytes, size_t *total_bytes, size_t *live_allocations);
/* Returns the next live allocation in the order of Allocation.number; memory_next(NULL) is the
 * first. A loop that frees an allocation must call memory_next before. */
Allocation *memory_next(Allocation *);

#endif
