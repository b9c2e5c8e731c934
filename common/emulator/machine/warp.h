/* Inside the machine: grid -> block -> warp -> 32 lanes.
 *
 * launch.c   a launch: workers take blocks until the grid is done, then counters are summed
 * workers.c  the threads that they are, from launch to launch
 * block.c    a block: its warps in turn, barriers, what happens when all wait
 * warp.c     a warp: the instruction loop
 * stepwise.c a run with a prescribed order: where a warp is held back
 * paths.c    where its lanes are: how they diverge, meet again, sleep, call and return
 * access.c   loads and stores, by memory space: shared.c, global.c; local memory and arguments
 * atomic.c   atomic operations
 * texture.c  fetches through texture objects
 * grid.c     the barrier of the whole grid
 * sync.c     instructions in which lanes meet: shuffles, votes, __syncwarp
 * builtin.c  functions that PTX expects from outside: printf, assert, the math library
 *
 * What all of them work on is state/; whoever watches is told through hooks.h.
 */
#ifndef MACHINE_WARP_H
#define MACHINE_WARP_H

#include "../hooks.h"
#include "machine.h"

/* ---- launch.c -------------------------------------------------------------------------------- */
/* The launch fails, and goes on: of several reasons the gravest counts. */
void run_fail(const Warp *, LaunchStatus);
/* It fails, and this block and those that start after it leave at their next branch. */
void run_stop(const Warp *, LaunchStatus);
static inline bool is_stopped(const Warp *w) {
  return w->block->start_order >= atomic_load_explicit(&w->worker->run->stop, memory_order_relaxed);
}
uint64_t mix(uint64_t seed, uint64_t value);

/* ---- shared.c -------------------------------------------------------------------------------- */
/* Two loads of an unrolled loop and what multiplies them, in one. false: nothing was done, and they must be done one
 * by one. */
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
/* Those of `lanes` that the guard of an instruction lets execute it. */
static inline uint32_t warp_active(const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (insn->guard == PTX_NO_REG)
    return lanes;
  const uint32_t mask = *slot32(f->registers, insn->guard);
  return lanes & (insn->flags & PTX_NEG_PRED ? ~mask : mask);
}
/* One instruction on some lanes, its guard included. */
void warp_step(Warp *, Frame *, const PtxInsn *, uint32_t lanes);

/* ---- paths.c --------------------------------------------------------------------------------- */
/* The first path: all lanes at the kernel's beginning. */
void paths_start(Warp *);
void paths_free(Warp *);
/* A worker's frames of one function, when all its warps are gone. */
void frames_free(Frame *);
/* Path number i of the warp goes on to a block of its frame; at its convergence point it waits. */
void path_go(Warp *, uint32_t i, uint32_t block);
/* Its lanes diverge at the end of a block: those in `taken` jump; or each goes to a block of its own. */
void path_diverge(Warp *, uint32_t i, const PtxBlock *, uint32_t taken);
void path_diverge_many(Warp *, uint32_t i, const PtxBlock *, const uint32_t *to);
/* Its lanes are about to diverge and will meet at that block. */
void path_open(Warp *, uint32_t i, uint32_t block);
/* Some lanes of it become a path of their own, at the same place; returns its number. */
uint32_t path_split(Warp *, uint32_t i, uint32_t lanes);
/* Its lanes go on by themselves to the end of the function: no convergence point waits for them any more. */
void path_detach(Warp *, uint32_t i);
/* Its lanes return from the function, or exit. */
void path_leave(Warp *, uint32_t i, bool exit);
/* Its lanes call a function. false: the stack is full. */
bool path_call(Warp *, uint32_t i, const PtxFunction *, const PtxCall *);
void path_sleep(Warp *, uint32_t i);
/* Sleeping lanes go on: to the block behind the one they sleep at, or once more to that. Lanes that go
 * on together and stand in one place become one path. */
void lanes_wake(Warp *, uint32_t lanes, bool next);
/* Lanes that wait at a convergence point, or have returned and wait, for others that will not come before them go ahead. false:
 * there are none. */
bool paths_force_progress(Warp *);
/* Which path runs next: UINT32_MAX when all of them sleep. */
uint32_t paths_choose(const Warp *);

/* ---- simple.c: steps of the forms that neither compute nor access memory --------------------- */
typedef void (*Step)(Warp *, const PtxInsn *, uint32_t lanes);
Step simple_step(const PtxInsn *);

/* ---- access.c -------------------------------------------------------------------------------- */
Step access_step(const PtxInsn *);
/* The same for a warp of which an observer wants to see every instruction. */
Step access_step_careful(const PtxInsn *);
/* Does that step look at how the addresses lie, and leave it in Warp.bases for later ones? Does it look for
 * rows, or at once for a shape? */
bool access_finds_base(const PtxInsn *);
bool access_finds_rows(const PtxInsn *);
/* One lane's bytes at a generic address, for printf: false when it is not valid. */
bool generic_read(Warp *, unsigned lane, uint64_t address, void *out, size_t bytes);
/* The same for what a function gives back through a pointer. */
bool generic_write(Warp *, unsigned lane, uint64_t address, const void *in, size_t bytes);

/* ---- atomic.c -------------------------------------------------------------------------------- */
void step_atomic(Warp *, const PtxInsn *, uint32_t lanes);
/* All workers are done: what this one added up for itself comes to memory. */
void atomic_settle(Worker *);
/* The worker comes to memory otherwise than to add: what it added up for itself comes there now, and all else at once. */
void atomic_meet(Worker *, Allocation *);

/* ---- grid.c ---------------------------------------------------------------------------------- */
void grid_prepare(Run *);
/* A lane has done an atomic operation on global memory: at the grid's barrier its block rests. */
void grid_added(Warp *, uint64_t address, uint32_t line, unsigned lane);
/* Does the function look for the grid's barrier in a launch that has none? Then it stops itself. */
bool grid_is_missing(const Warp *);
/* Does the block rest still? Says so when it waits for blocks that do not come, and lets go. */
bool grid_waits(Block *);

/* ---- texture.c ------------------------------------------------------------------------------- */
void step_texture(Warp *, const PtxInsn *, uint32_t lanes);

/* ---- matrix.c -------------------------------------------------------------------------------- */
/* A warp's instruction, of which registers[i] is the i-th of its list, of all lanes: mma, ldmatrix's exchange. Those
 * that it writes are filled in. */
void matrix_multiply_add(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);
void matrix_exchange(const PtxInsn *, uint64_t (*registers)[WARP_LANES]);

/* ---- sync.c ---------------------------------------------------------------------------------- */
/* Path number i executes the instruction that is alone in its block, and goes on or sleeps. */
void sync_step(Warp *, uint32_t i, const PtxInsn *);
/* The lanes that a sleeping lane's mask names and that are elsewhere. */
uint32_t sync_missing(const Warp *, unsigned lane);
/* Lanes that waited for one that has exited since go on. true: some did. */
bool sync_recheck(Warp *);
static inline bool is_alone(unsigned form) { return form >= PTX_BARRIER && form <= PTX_CALL; }

/* ---- builtin.c ------------------------------------------------------------------------------- */
/* Calls an external function on each lane. */
typedef void (*Builtin)(Warp *, const PtxCall *, uint32_t lanes);
/* The function of that name, if it takes what the call passes; else NULL. */
Builtin builtin_find(const PtxCall *);

#endif
