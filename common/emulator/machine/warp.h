/* Internal interface of the machine. A launch runs the blocks of a grid, a block runs its warps, a
 * warp runs 32 lanes.
 *
 * launch.c       a launch: workers take blocks until the grid is done, then counters are summed
 * workers.c      the pool of worker threads, kept from launch to launch
 * block.c        a block: turns of its warps, barriers, deadlock detection
 * warp.c         a warp: the instruction loops
 * stepwise.c     a run with a prescribed order: stops warps at holds, single steps
 * paths.c        divergence: which lanes run together, reconverge, sleep, call and return
 * access.c       selects the step of a load or store; local memory and arguments
 * shared.c       loads and stores of shared memory
 * global.c       loads and stores of global and constant memory
 * atomic.c       atomic operations
 * texture.c      fetches through texture objects
 * grid.c         the barrier of the whole grid
 * sync.c         instructions that synchronise lanes: shuffles, votes, __syncwarp
 * moves.c        special registers, packing, fences, traps
 * tensor_core.c  products and exchanges of small matrices by a warp
 * module.c       prepares a loaded module for execution
 * alu.c          arithmetic
 * builtin.c      external functions that PTX calls: assert, malloc, the math library
 * print.c        printf in kernels
 * heap.c         malloc and free in kernels
 *
 * The data structures of the machine are in state/. Observers are notified through hooks.h. */
#ifndef MACHINE_WARP_H
#define MACHINE_WARP_H

#include "../hooks.h"
#include "machine.h"

/* ---- launch.c -------------------------------------------------------------------------------- */
/* Records a failure; the launch continues. If there are several failures, machine_launch returns
 * the most severe failure. */
void run_fail(const Warp *, LaunchStatus);
/* Records a failure and stops the launch: this block, and all blocks with a higher start order,
 * stop at their next branch. */
void run_stop(const Warp *, LaunchStatus);
static inline bool is_stopped(const Warp *w) {
  return w->block->start_order >= atomic_load_explicit(&w->worker->run->stop, memory_order_relaxed);
}
uint64_t mix(uint64_t seed, uint64_t value);

/* ---- shared.c -------------------------------------------------------------------------------- */
/* Executes two loads of an unrolled loop, and the multiply-add of the loaded values, as one step.
 * If the instructions must be executed one by one, does nothing and returns false. */
bool shared_product(Warp *, const PtxInsn *);

/* ---- block.c --------------------------------------------------------------------------------- */
Block *block_create(Worker *);
void block_destroy(Block *);
void block_start(Block *, uint64_t number, uint64_t start_order);
/* Gives each ready warp a turn. Returns false if all warps of the block have exited. */
bool block_turn(Block *);

/* ---- warp.c ---------------------------------------------------------------------------------- */
void warp_create(Warp *, Block *, uint32_t number);
void warp_destroy(Warp *);
void warp_start(Warp *);
/* Runs the warp until it exits, waits, or has used up its turn. */
void warp_run(Warp *);
/* Returns the lanes of `lanes` for which the guard of the instruction is true. */
static inline uint32_t warp_active(const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (insn->guard == PTX_NO_REG)
    return lanes;
  const uint32_t mask = *slot32(f->registers, insn->guard);
  return lanes & (insn->flags & PTX_NEG_PRED ? ~mask : mask);
}
/* Executes one instruction, including its guard, for `lanes`. */
void warp_step(Warp *, Frame *, const PtxInsn *, uint32_t lanes);

/* ---- paths.c --------------------------------------------------------------------------------- */
/* Creates the first path of the warp: all its lanes, at the entry of the kernel. */
void paths_start(Warp *);
void paths_free(Warp *);
/* Frees a list of frames. No warp may use them. */
void frames_free(Frame *);
/* Lets path i continue at an instruction block of its function. If the block is an open convergence
 * point of the path, the path waits there. */
void path_go(Warp *, uint32_t i, uint32_t block);
/* Called when the lanes of path i diverge at the end of an instruction block. path_diverge: the
 * lanes in `taken` jump, and the other lanes fall through. path_diverge_many: each lane jumps to
 * its own target. */
void path_diverge(Warp *, uint32_t i, const PtxBlock *, uint32_t taken);
void path_diverge_many(Warp *, uint32_t i, const PtxBlock *, const uint32_t *to);
/* Opens a convergence point at `block` for the lanes of path i, which are about to diverge. */
void path_open(Warp *, uint32_t i, uint32_t block);
/* Splits path i: `lanes` become a new path at the same instruction. Returns the number of the new
 * path. */
uint32_t path_split(Warp *, uint32_t i, uint32_t lanes);
/* Removes path i from all convergence points of its function: its lanes run alone to the end of the
 * function. */
void path_detach(Warp *, uint32_t i);
/* Called when the lanes of path i return from the function, or exit. */
void path_leave(Warp *, uint32_t i, bool exit);
/* Called when the lanes of path i call a function. Returns false if the stack overflows. */
bool path_call(Warp *, uint32_t i, const PtxFunction *, const PtxCall *);
void path_sleep(Warp *, uint32_t i);
/* Wakes sleeping lanes. If `next`, they continue at the next instruction block; otherwise they
 * execute the block in which they sleep again. Woken lanes with the same frame, block and
 * convergence point become one path. */
void lanes_wake(Warp *, uint32_t lanes, bool next);
/* Lets lanes that wait at a convergence point, or for other lanes to return, continue without the
 * missing lanes. Returns false if no lanes wait. */
bool paths_force_progress(Warp *);
/* Returns the number of the path to run next; UINT32_MAX if all paths are asleep. */
uint32_t paths_choose(const Warp *);

/* ---- moves.c: special registers, packing, fences, traps -------------------------------------- */
typedef void (*Step)(Warp *, const PtxInsn *, uint32_t lanes);
Step move_step(const PtxInsn *);

/* ---- access.c -------------------------------------------------------------------------------- */
Step access_step(const PtxInsn *);
/* Like access_step, for a warp with undefined registers (Warp.has_undefined): the step accepts any
 * lanes and passes every access to the observers. */
Step access_step_careful(const PtxInsn *);
/* access_finds_base: returns true if the step of this instruction analyses its addresses and stores
 * the result in Warp.bases for later instructions. access_finds_rows: returns true if the step
 * tests for consecutive addresses before it computes a shape. */
bool access_finds_base(const PtxInsn *);
bool access_finds_rows(const PtxInsn *);
/* Reads bytes of one lane at a generic address. Returns false if the address is invalid. */
bool generic_read(Warp *, unsigned lane, uint64_t address, void *out, size_t bytes);
/* Writes bytes of one lane to a generic address. Returns false if the address is invalid. */
bool generic_write(Warp *, unsigned lane, uint64_t address, const void *in, size_t bytes);

/* ---- atomic.c -------------------------------------------------------------------------------- */
void step_atomic(Warp *, const PtxInsn *, uint32_t lanes);
/* Called when all workers have run their blocks: adds the private sums of this worker to memory. */
void atomic_settle(Worker *);
/* Called before the worker accesses the allocation by another operation than an addition: adds its
 * private sums to memory. After this call, the worker adds directly to memory. */
void atomic_meet(Worker *, Allocation *);

/* ---- grid.c ---------------------------------------------------------------------------------- */
void grid_prepare(Run *);
/* Called when a lane has executed an atomic operation on global memory. If this operation was the
 * arrival at the grid barrier, the lane's block waits. */
void grid_added(Warp *, uint64_t address, uint32_t line, unsigned lane);
/* Returns true if the function uses the grid barrier but the launch is not cooperative. Such a
 * function executes a trap. */
bool grid_is_missing(const Warp *);
/* Returns true while the block waits at the grid barrier. If it waits for blocks that have ended,
 * reports this and ends the launch. */
bool grid_waits(Block *);

/* ---- texture.c ------------------------------------------------------------------------------- */
void step_texture(Warp *, const PtxInsn *, uint32_t lanes);

/* ---- tensor_core.c --------------------------------------------------------------------------- */
/* Execute a matrix instruction of the whole warp: a product (matrix_multiply_add), or an exchange
 * of ldmatrix, stmatrix or movmatrix (matrix_exchange). registers[i] has the values of all lanes in
 * register i of the instruction's list. The results are stored in registers[i] too, for each
 * register i that the instruction writes. */
void matrix_multiply_add(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);
void matrix_exchange(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);

/* ---- sync.c ---------------------------------------------------------------------------------- */
/* Executes an instruction that is alone in its instruction block for path i. Then the path
 * continues or sleeps. */
void sync_step(Warp *, uint32_t i, const PtxInsn *);
/* Returns the lanes that the member mask of a sleeping lane names and that have not arrived. */
uint32_t sync_missing(const Warp *, unsigned lane);
/* Wakes lanes that wait only for lanes that have exited. Returns true if any lanes were woken. */
bool sync_recheck(Warp *);
static inline bool is_alone(unsigned form) { return form >= PTX_BARRIER && form <= PTX_CALL; }

/* ---- builtin.c ------------------------------------------------------------------------------- */
/* An external function. One call executes it for all lanes in `lanes`. */
typedef void (*Builtin)(Warp *, const PtxCall *, uint32_t lanes);
/* Returns the external function with the name that the call uses; NULL: it is unknown, or its
 * parameters do not match the call. */
Builtin builtin_find(const PtxCall *);

#endif
