/* The device's address space: allocations, and which of their bytes something has written.
 *
 * Threads: calls come from one host thread at a time (the runtime holds a lock); the workers of a
 * launch look allocations up and define bytes, but make and free none.
 */
#ifndef STATE_MEMORY_H
#define STATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_site.h"

/* Device addresses lie in one reserved, inaccessible stretch of the host's address space, so that
 * host code that follows one faults. The bytes themselves are mapped elsewhere: address + (view -
 * address) on the host. Pinned and managed memory is the same for both sides: view == address.
 */
typedef enum MemoryKind {
  MEMORY_DEVICE,
  MEMORY_ARRAY,
  MEMORY_MANAGED,
  MEMORY_PINNED,
  MEMORY_VARIABLE,
  MEMORY_CONSTANT,
  MEMORY_HEAP /* what kernels allocate: it is accessible in pieces (pieces.h) */
} MemoryKind;

typedef struct Allocation {
  uint64_t address; /* as the kernel sees it */
  size_t bytes;     /* as asked for; guard zones lie around it */
  uint8_t *view;    /* host pointer to the same bytes */
  uint8_t kind;     /* MemoryKind */
  bool live;
  bool registered;    /* the program's own host memory, pinned later: not ours to free */
  bool gaps_expected; /* a kernel's data decide which parts it writes, or its gaps were told of */
  bool all_defined;   /* every byte was written: then `defined` need not be looked at */
  uint8_t *defined; /* one bit per byte; NULL when all_defined from the start (pinned, variables) */
  bool see_host;    /* managed: memory_see_host has to look for what the host wrote */
  uint8_t
      *unsettled;  /* managed, pinned: bytes that the host has to wait for, a bit each; else NULL */
  uint8_t *in_use; /* and those that are read meanwhile: it may read them, too */
  uint8_t *awaited; /* in which of the two some bit is set, a byte for each MEMORY_CHUNK bits */
  uint8_t *opened;  /* its pages that were opened for reading all the same */
  bool dirty;       /* there may be some */
  size_t closed[2]; /* what of it may be closed to the host: from, to; 0: nothing */
  bool watched;     /* observers': the next two, or one of them, are there */
  struct GlobalShadow *shadow;     /* observers': NULL unless the launch may race on it */
  struct Touched *touched;         /* observers': NULL unless what the launch touches is wanted */
  struct Touched *touches;         /* observers': the same, between launches */
  struct StreamTouch *history;     /* observers': what work of all streams did to it */
  struct CUmemPoolHandle_st *pool; /* that it was taken from, or NULL */
  uint32_t number;                 /* 1, 2, 3 ... in order of allocation */
  struct Allocation *previous, *next; /* among the live ones, in that order */
  bool reset;                         /* cudaDeviceReset freed it */
  CallSite *made, *freed; /* where the program did that; NULL: not (yet), or not by a call */
  const char *name;       /* NULL unless named */
  size_t rows, columns, element_bytes; /* shape for messages, 0 unknown */
  struct Pieces *pieces;               /* of a heap, else NULL */
  size_t pitch;                        /* of memory from cudaMallocPitch; 0: none */
  struct CopiedRows
      *copied; /* what the last copy of several rows left there; NULL: there was none */
} Allocation;

/* Rows that a copy wrote: from byte `at` of the allocation on, `width` bytes of every `pitch`. */
typedef struct CopiedRows {
  size_t at, pitch, width, rows;
  CallSite site;
} CopiedRows;

/* New memory holds the bytes 0xff (NaN in every floating type). NULL when the device is full. bytes
 * > 0. */
Allocation *memory_allocate(size_t bytes, MemoryKind kind, const char *name);
/* Frees by first address. false: not the first byte of a live allocation (`freed_before` tells a
 * double free). */
bool memory_free(uint64_t address, bool *freed_before);
/* Pins host memory that the program owns: NULL if some of it is pinned, or the device's, already.
 * And lets it go again: then it is host memory as any other. */
Allocation *memory_register(void *pointer, size_t bytes);
void memory_unregister(Allocation *);
/* A variable of the device that lies where the host has it. */
Allocation *memory_share(void *pointer, size_t bytes, const char *name);
/* The live allocation that contains the address, or NULL. */
Allocation *memory_find(uint64_t address);
/* The nearest allocation to an address that is in none (live or freed), for messages; NULL if far
 * from all. */
Allocation *memory_nearest(uint64_t address);
/* Does the address lie in the device's reserved stretch (whether allocated or not)? */
bool memory_is_device(uint64_t address);
/* Bytes [address, address + bytes) now hold values: after a copy in or a memset. */
void memory_define(Allocation *, uint64_t address, size_t bytes);
/* They hold none any more. */
void memory_undefine(Allocation *, uint64_t address, size_t bytes);
/* The host writes managed memory unseen. Words that do not hold the value any more with which new memory is filled count
 * as written. To be called before the map of what is defined is read. */
void memory_see_host(Allocation *);
/* Copies definedness along with a copy from device to device. */
void memory_define_like(Allocation *to, uint64_t to_address, const Allocation *from,
                        uint64_t from_address, size_t bytes);
/* Bytes of [address, address + bytes) that nothing wrote, in gaps of at least `gap`; *first: where
 * the first gap begins. */
size_t memory_undefined(const Allocation *, uint64_t address, size_t bytes, size_t gap,
                        uint64_t *first);
/* Pinned and managed memory: bytes [from, to) were written by what the host has not waited for, or
 * are asked for, or all are settled. */
void memory_unsettle(Allocation *, uint64_t from, uint64_t to);
bool memory_unsettled(const Allocation *, uint64_t from, uint64_t to);
/* The same for what is read. */
void memory_use(Allocation *, uint64_t from, uint64_t to);
bool memory_in_use(const Allocation *, uint64_t from, uint64_t to);
/* The chunks of these bytes have some of the one kind or the other, or which have they? For a quick look at much memory. */
enum { MEMORY_CHUNK = 4096, MEMORY_UNSETTLED = 1, MEMORY_IN_USE = 2 };
void memory_await(Allocation *, uint64_t from, uint64_t to, unsigned what);
unsigned memory_awaited(const Allocation *, uint64_t from, uint64_t to);
void memory_settle(Allocation *);
/* The program makes, or frees, it in the call that this thread is in. */
void memory_copied_here(Allocation *, CopiedRows);
void memory_made_here(Allocation *);
void memory_freed_here(Allocation *);
/* The program allocates 0 bytes and gets NULL; where it did that last, or NULL. */
void memory_made_empty(void);
const CallSite *memory_empty_made(void);
void memory_totals(size_t *free_bytes, size_t *total_bytes, size_t *live_allocations);
/* Walks the live allocations in order of number: start with NULL. Who frees one asks for the next before. */
Allocation *memory_next(Allocation *);

#endif
