/* Internal interface of the machine: grid -> block -> warp -> 32 lanes.
 *
 * launch.c       a launch: workers take blocks until the grid is done, then counters are summed
 * workers.c      the pool of worker threads, kept from launch to launch
 * block.c        a block: its warps in turn, its barriers, deadlock detection
 * warp.c         a warp: the instruction loop
 * stepwise.c     a run with a prescribed order: where a warp is held back
 * paths.c        divergence: which lanes run together, reconverge, sleep, call and return
 * access.c       loads and stores, by memory space: shared.c, global.c; local memory and arguments
 * atomic.c       atomic operations
 * texture.c      fetches through texture objects
 * grid.c         the barrier of the whole grid
 * sync.c         instructions that synchronise lanes: shuffles, votes, __syncwarp
 * moves.c        special registers, packing, fences, traps
 * tensor_core.c  products and exchanges of small matrices by a warp
 * builtin.c      external functions that PTX calls: printf, assert, the math library
 *
 * The data structures they work on are in state/. Observers are notified through hooks.h. */
#ifndef MACHINE_WARP_H
#define MACHINE_WARP_H

#include "../hooks.h"
#include "machine.h"

/* ---- launch.c -------------------------------------------------------------------------------- */
/* Records a failure; the launch goes on. If several failures occur, the most severe one is
 * returned. */
void run_fail(const Warp *, LaunchStatus);
/* Records a failure. This block, and all blocks that start later, leave at their next branch. */
void run_stop(const Warp *, LaunchStatus);
static inline bool is_stopped(const Warp *w) {
  return w->block->start_order >= atomic_load_explicit(&w->worker->run->stop, memory_order_relaxed);
}
uint64_t mix(uint64_t seed, uint64_t value);

/* ---- shared.c -------------------------------------------------------------------------------- */
/* Executes two loads of an unrolled loop and the multiply-add that uses them as one step. Returns
 * false, without doing anything, if they must be executed one by one. */
bool shared_product(Warp *, const PtxInsn *);

/* ---- block.c --------------------------------------------------------------------------------- */
Block *block_create(Worker *);
void block_destroy(Block *);
void block_start(Block *, uint64_t number, uint64_t start_order);
/* Gives each ready warp a turn. Returns false when the block needs no more turns. */
bool block_turn(Block *);

/* ---- warp.c ---------------------------------------------------------------------------------- */
void warp_create(Warp *, Block *, uint32_t number);
void warp_destroy(Warp *);
void warp_start(Warp *);
/* Runs until the warp exits, waits or has used up its turn. */
void warp_run(Warp *);
/* Returns the lanes of `lanes` on which the guard of the instruction is true. */
static inline uint32_t warp_active(const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (insn->guard == PTX_NO_REG)
    return lanes;
  const uint32_t mask = *slot32(f->registers, insn->guard);
  return lanes & (insn->flags & PTX_NEG_PRED ? ~mask : mask);
}
/* Executes one instruction, including its guard, on `lanes`. */
void warp_step(Warp *, Frame *, const PtxInsn *, uint32_t lanes);

/* ---- paths.c --------------------------------------------------------------------------------- */
/* Creates the first path: all lanes at the kernel's entry. */
void paths_start(Warp *);
void paths_free(Warp *);
/* Frees a worker's frames of one function. No warp may be using them. */
void frames_free(Frame *);
/* Path i continues at a block of its frame. If that is its convergence point, it waits there. */
void path_go(Warp *, uint32_t i, uint32_t block);
/* The lanes of path i diverge at the end of a block: the lanes in `taken` jump (path_diverge), or
 * each lane goes to its own target (path_diverge_many). */
void path_diverge(Warp *, uint32_t i, const PtxBlock *, uint32_t taken);
void path_diverge_many(Warp *, uint32_t i, const PtxBlock *, const uint32_t *to);
/* The lanes of path i are about to diverge and will reconverge at `block`. */
void path_open(Warp *, uint32_t i, uint32_t block);
/* Splits `lanes` off path i as a new path at the same place, and returns its number. */
uint32_t path_split(Warp *, uint32_t i, uint32_t lanes);
/* Removes path i from all convergence points: its lanes run alone to the end of the function. */
void path_detach(Warp *, uint32_t i);
/* The lanes of path i return from the function, or exit. */
void path_leave(Warp *, uint32_t i, bool exit);
/* The lanes of path i call a function. Returns false if the stack overflows. */
bool path_call(Warp *, uint32_t i, const PtxFunction *, const PtxCall *);
void path_sleep(Warp *, uint32_t i);
/* Wakes sleeping lanes. With `next`, they continue at the block after the one they sleep at;
 * otherwise they execute that block again. Woken lanes at the same place are merged into one path.
 */
void lanes_wake(Warp *, uint32_t lanes, bool next);
/* Lets lanes that wait, at a convergence point or for others to return, continue without the
 * missing lanes. Returns false if no lanes wait. */
bool paths_force_progress(Warp *);
/* The number of the path to run next; UINT32_MAX if all paths are asleep. */
uint32_t paths_choose(const Warp *);

/* ---- moves.c: special registers, packing, fences, traps -------------------------------------- */
typedef void (*Step)(Warp *, const PtxInsn *, uint32_t lanes);
Step move_step(const PtxInsn *);

/* ---- access.c -------------------------------------------------------------------------------- */
Step access_step(const PtxInsn *);
/* Like access_step, for a warp of which an observer needs to see every instruction. */
Step access_step_careful(const PtxInsn *);
/* access_finds_base: whether the step for this instruction analyses its addresses and stores the
 * result in Warp.bases for later instructions. access_finds_rows: whether it looks for consecutive
 * rows before it computes a shape. */
bool access_finds_base(const PtxInsn *);
bool access_finds_rows(const PtxInsn *);
/* Reads one lane's bytes at a generic address. Returns false if the address is invalid. */
bool generic_read(Warp *, unsigned lane, uint64_t address, void *out, size_t bytes);
/* Writes one lane's bytes to a generic address. Returns false if the address is invalid. */
bool generic_write(Warp *, unsigned lane, uint64_t address, const void *in, size_t bytes);

/* ---- atomic.c -------------------------------------------------------------------------------- */
void step_atomic(Warp *, const PtxInsn *, uint32_t lanes);
/* Called when all workers are done: adds this worker's private sums to memory. */
void atomic_settle(Worker *);
/* Called when the worker is about to access the allocation other than by adding: adds its private
 * sums to memory now, and makes it add directly from then on. */
void atomic_meet(Worker *, Allocation *);

/* ---- grid.c ---------------------------------------------------------------------------------- */
void grid_prepare(Run *);
/* A lane has executed an atomic operation on global memory. If it arrived at the grid's barrier,
 * its block waits. */
void grid_added(Warp *, uint64_t address, uint32_t line, unsigned lane);
/* Returns true if the function uses the grid's barrier but the launch is not cooperative. Such a
 * function executes a trap. */
bool grid_is_missing(const Warp *);
/* Returns true while the block waits at the grid's barrier. If blocks that it waits for have
 * returned, reports that and ends the launch. */
bool grid_waits(Block *);

/* ---- texture.c ------------------------------------------------------------------------------- */
void step_texture(Warp *, const PtxInsn *, uint32_t lanes);

/* ---- tensor_core.c --------------------------------------------------------------------------- */
/* Warp-wide instructions: mma (matrix_multiply_add), and the exchanges of ldmatrix, stmatrix and
 * movmatrix (matrix_exchange). registers[i] holds all lanes of the i-th register of the
 * instruction's list. The results are written to the registers that the instruction writes. */
void matrix_multiply_add(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);
void matrix_exchange(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);

/* ---- sync.c ---------------------------------------------------------------------------------- */
/* Path i executes the instruction that is alone in its block, and then continues or sleeps. */
void sync_step(Warp *, uint32_t i, const PtxInsn *);
/* The lanes that a sleeping lane's member mask names and that have not arrived. */
uint32_t sync_missing(const Warp *, unsigned lane);
/* Wakes lanes whose missing partners have exited. Returns true if any were woken. */
bool sync_recheck(Warp *);
static inline bool is_alone(unsigned form) { return form >= PTX_BARRIER && form <= PTX_CALL; }

/* ---- builtin.c ------------------------------------------------------------------------------- */
/* An external function, called for each lane of `lanes`. */
typedef void (*Builtin)(Warp *, const PtxCall *, uint32_t lanes);
/* Finds an external function by name. NULL if it is unknown or its parameters do not fit the call.
 */
Builtin builtin_find(const PtxCall *);

#endif
