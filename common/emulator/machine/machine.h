/* The device itself, for the CUDA runtime API: memory, modules and launches.
 *
 * Threads: every call here comes from one host thread at a time (the runtime holds a lock); a
 * launch runs its blocks on worker threads of its own and returns when all are done.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ptx/program.h"
#include "../state/device.h"

/* ---- memory.c: the device's address space --------------------------------------------------- */
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
  MEMORY_CONSTANT
} MemoryKind;

typedef struct Allocation {
  uint64_t address; /* as the kernel sees it */
  size_t bytes;     /* as asked for; guard zones lie around it */
  uint8_t *view;    /* host pointer to the same bytes */
  uint8_t kind;     /* MemoryKind */
  bool live;
  bool registered;    /* the program's own host memory, pinned later: not ours to free */
  bool gaps_expected; /* a kernel's data decide which parts it writes, or its gaps were told of */
  bool watched;       /* observe: this launch may race on it */
  bool all_defined;   /* every byte was written: then `defined` need not be looked at */
  uint8_t *defined; /* one bit per byte; NULL when all_defined from the start (pinned, variables) */
  uint8_t *unsettled; /* managed, pinned: bytes that the host has to wait for; else NULL */
  bool dirty;         /* there may be some */
  uint64_t *writers,
      *readers;     /* observe: last accesses of this launch per granule; made when first needed */
  uint32_t number;  /* 1, 2, 3 ... in order of allocation */
  const char *name; /* NULL unless named */
  size_t rows, columns, element_bytes; /* shape for messages, 0 unknown */
} Allocation;

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
/* The live allocation that contains the address, or NULL. */
Allocation *memory_find(uint64_t address);
/* The nearest allocation to an address that is in none (live or freed), for messages; NULL if far
 * from all. */
Allocation *memory_nearest(uint64_t address);
/* Does the address lie in the device's reserved stretch (whether allocated or not)? */
bool memory_is_device(uint64_t address);
/* Bytes [address, address + bytes) now hold values: after a copy in or a memset. */
void memory_define(Allocation *, uint64_t address, size_t bytes);
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
void memory_settle(Allocation *);
void memory_totals(size_t *free_bytes, size_t *total_bytes, size_t *live_allocations);
/* Walks the live allocations in order of number: start with NULL. */
Allocation *memory_next(Allocation *);

/* ---- module.c -------------------------------------------------------------------------------- */
/* Binds operations to their implementation and places the module's variables in memory. */
void machine_load(PtxModule *);
/* Where variable number `variable` of module->variables lies. */
Allocation *machine_variable(const PtxModule *, uint32_t variable);
/* The first access of the source line with this site number; NULL: none. */
const PtxInsn *machine_site(const PtxModule *, uint32_t site);

/* ---- launch.c -------------------------------------------------------------------------------- */
typedef struct Launch {
  const PtxModule *module;
  const PtxFunction *function;
  uint32_t grid[3], block[3]; /* x, y, z */
  uint32_t dynamic_shared;    /* bytes */
  bool cooperative;           /* all blocks at once, with a barrier of the grid */
  BankChoice banks;           /* of the kernel itself */
  const uint8_t *parameters;  /* function->param_bytes, laid out as function->params says */
} Launch;

typedef enum LaunchStatus {
  LAUNCH_DONE,
  LAUNCH_ILLEGAL_ADDRESS, /* some access out of bounds or through a wrong pointer (it was skipped
                             and reported) */
  LAUNCH_MISALIGNED,
  LAUNCH_ASSERT, /* assert() failed in the kernel */
  LAUNCH_TRAP,
  LAUNCH_ENDLESS, /* LOCKSTEP_LIMIT reached, or all that is left waits for what cannot come */
  LAUNCH_REFUSED  /* function->refusal, or an unknown callee: reported by name and line */
} LaunchStatus;

/* Runs the whole grid. The launch is within the limits of selected_device(), which the runtime
 * has checked. */
LaunchStatus machine_launch(const Launch *);

/* Settings from the environment (emulator.h), read once. */
typedef struct MachineSettings {
  uint32_t workers;
  uint64_t seed, branch_limit, memory_bytes; /* memory_bytes 0: what the card has */
  bool checks, quiet;
  const char *log;
  bool sealed; /* the log, with this key */
  uint64_t key[2];
} MachineSettings;
const MachineSettings *machine_settings(void);

#endif
