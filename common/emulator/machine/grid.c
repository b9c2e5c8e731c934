/* Implements the barrier of a whole grid: cooperative_groups' grid.sync() in a cooperative launch.
 *
 * The CUDA headers implement this barrier in device code. The code uses memory that the driver
 * provides for the launch; %envreg1 and %envreg2 hold the address of this memory. In each block,
 * between two barriers of the block, one thread adds to the word at byte 4. Then the thread polls
 * the word until its top bit changes, which happens when the last block has added. The emulator
 * suspends a block after its addition until the last block has added. So the thread polls only
 * once, and the counters are the same in every run. Accesses of all blocks before the barrier are
 * ordered before accesses after it. */
#include <assert.h>
#include <string.h>

#include "warp.h"

enum { GRID_BYTES = 64, GRID_WORD = 4 };

/* Called when a launch begins: provides the memory of the barrier. All launches use the same
 * allocation, because only one launch runs at a time. */
void grid_prepare(Run *run) {
  static Allocation *memory;
  if (!run->launch->cooperative)
    return;
  if (!memory)
    memory = memory_allocate(GRID_BYTES, MEMORY_VARIABLE, "the grid barrier");
  assert(memory);
  memset(memory->view, 0, GRID_BYTES);
  run->grid_memory = memory->address;
}

void grid_added(Warp *w, uint64_t address, uint32_t line, unsigned lane) {
  Run *run = w->worker->run;
  if (!run->grid_memory || address != run->grid_memory + GRID_WORD)
    return;
  Block *b = w->block;
  uint32_t passed = atomic_load(&run->grid_passed);
  if (atomic_fetch_add(&run->grid_arrived, 1) + 1 < run->nblocks) {
    b->at_grid_barrier = w->at_grid_barrier = true;
    b->grid_wait_until = passed + 1;
    b->grid_wait_line = line;
    b->grid_wait_thread = w->number * WARP_LANES + lane;
    return;
  }
  hook_grid_barrier(run);
  atomic_store(&run->grid_arrived, 0);
  atomic_store(&run->grid_passed, passed + 1);
}

bool grid_is_missing(const Warp *w) {
  const PtxFunction *f = w->frame->function;
  for (uint32_t i = 0; i < f->ncode && !w->worker->run->grid_memory; i++)
    if (f->code[i].form == PTX_SREG && f->code[i].sub == PTX_ENVREG1)
      return true;
  return false;
}

/* Returns true if the block can never continue, because the blocks that have not arrived at the
 * barrier have ended. */
static bool hopeless(Run *run, const Block *b) {
  if (atomic_load(&run->grid_lost))
    return true;
  if (is_stopped(b->warps))
    return false;
  uint64_t done = run_blocks_done(run), arrived = atomic_load(&run->grid_arrived);
  return done && done + arrived == run->nblocks &&
         atomic_load(&run->grid_passed) != b->grid_wait_until;
}

bool grid_waits(Block *b) {
  Run *run = b->warps->worker->run;
  if (!b->at_grid_barrier)
    return false;
  if (atomic_load(&run->grid_passed) == b->grid_wait_until) {
    b->at_grid_barrier = b->warps[b->grid_wait_thread / WARP_LANES].at_grid_barrier = false;
    return false;
  }
  if (hopeless(run, b)) {
    atomic_store(&run->grid_lost, true);
    hook_mistake((Mistake){.kind = MISTAKE_GRID_LOST,
                           .at = {&b->warps[b->grid_wait_thread / WARP_LANES],
                                  b->grid_wait_thread % WARP_LANES, b->grid_wait_line},
                           .missing = run->nblocks - atomic_load(&run->grid_arrived),
                           .expected = run->nblocks});
    run_fail(b->warps, LAUNCH_ENDLESS);
    /* Stop all blocks, because no block can continue. */
    atomic_store(&run->stop, 0);
    b->at_grid_barrier = false;
    return false;
  }
  return true;
}
