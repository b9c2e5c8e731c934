/* Runs a launch: worker threads take blocks until the grid is done.
 *
 * A worker begins with one block. If the block does not finish within several turns, it may be
 * waiting for a block that has not started. Therefore the worker then starts another block and runs
 * its blocks in turns. The total number of running blocks is limited to the number of blocks that
 * are resident on the card. No counter depends on the assignment of blocks to workers. */
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../state/occupancy.h"
#include "children.h"
#include "heap.h"
#include "stepwise.h"
#include "workers.h"

/* Number of turns without an end of a block after which the worker starts another block. */
#define PATIENT_TURNS 16

/* Computes well-distributed numbers from a seed, with one round of a 64-bit mixing function. */
uint64_t mix(uint64_t seed, uint64_t value) {
  uint64_t z = (seed + value * UINT64_C(0x9e3779b97f4a7c15)) ^ UINT64_C(0x632be59bd9b4e019);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void lower(atomic_uint_least64_t *least, uint64_t start_order) {
  uint64_t before = atomic_load(least);
  while (start_order < before && !atomic_compare_exchange_weak(least, &before, start_order)) {
  }
}

void run_fail(const Warp *w, LaunchStatus status) {
  lower(&w->worker->run->failed[status], w->block->start_order);
}

void run_stop(const Warp *w, LaunchStatus status) {
  run_fail(w, status);
  lower(&w->worker->run->stop, w->block->start_order);
}

/* Returns the most severe failure of the blocks that certainly ran. Blocks with a higher start
 * order than the block that stopped the launch may not have run, so their failures do not count. */
static LaunchStatus run_status(const Run *run) {
  LaunchStatus status = LAUNCH_REFUSED;
  while (status > LAUNCH_DONE && (atomic_load(&run->failed[status]) == UINT64_MAX ||
                                  atomic_load(&run->failed[status]) > run_certain(run)))
    status--;
  return status;
}

/* Returns the inverse x of a modulo n, by Euclid's algorithm: a * x mod n = 1. Returns 0 if a and n
 * have a common divisor. */
static uint64_t inverse(uint64_t a, uint64_t n) {
  __int128 x = 0, next = 1;
  for (uint64_t b = n; a;) {
    uint64_t quotient = b / a, rest = b % a;
    __int128 before = x - (__int128)quotient * next;
    x = next;
    next = before;
    b = a;
    a = rest;
    if (!a && b != 1)
      return 0;
  }
  return (uint64_t)(x < 0 ? x + n : x);
}

/* Chooses the order of blocks from the seed. The order is a permutation, because the multiplier and
 * the number of blocks have no common divisor. Blocks that may synchronise with one another always
 * start in ascending order, because results may depend on the order. */
static void choose_order(Run *run) {
  uint64_t seed = machine_settings()->seed, n = run->nblocks;
  run->order_multiplier = run->order_inverse = 1;
  run->order_offset = 0;
  if (!seed || n < 2 || run->in_turn)
    return;
  run->order_offset = mix(seed, 1) % n;
  run->order_multiplier = mix(seed, 2) % n;
  while (!(run->order_inverse = inverse(run->order_multiplier, n)))
    run->order_multiplier++;
}

/* Reserves the next blocks for a worker: several consecutive blocks, because these usually access
 * adjacent memory. The number decreases when fewer blocks remain, so that all workers finish at
 * about the same time. */
static void take_blocks(Worker *worker) {
  Run *run = worker->run;
  uint64_t from = atomic_load(&run->next_block), size;
  do {
    uint64_t left = from < run->nblocks ? run->nblocks - from : 0;
    size = run->launch->cooperative ? 1 : left / (8 * (uint64_t)run->nworkers);
    size = size < 1 ? 1 : size < 256 ? size : 256;
  } while (!atomic_compare_exchange_weak(&run->next_block, &from, from + size));
  worker->taken = from;
  worker->taken_end = from + size;
}

static bool next_block(Worker *worker, uint64_t *number, uint64_t *start_order) {
  Run *run = worker->run;
  if (worker->taken == worker->taken_end)
    take_blocks(worker);
  if (worker->taken >= run->nblocks ||
      worker->taken >= atomic_load_explicit(&run->stop, memory_order_relaxed)) {
    worker->taken = worker->taken_end;
    return false;
  }
  *start_order = worker->taken++;
  *number =
      (uint64_t)((run->order_offset + (unsigned __int128)*start_order * run->order_multiplier) %
                 run->nblocks);
  return true;
}

/* ---- a worker -------------------------------------------------------------------------------- */
/* Returns the maximum number of blocks that are resident on the card at the same time. */
static uint64_t most_resident(const Run *run) {
  const Device *card = selected_device();
  const Occupancy one =
      occupancy_of(card, run->nthreads, run->function->live_registers, run->shared_bytes);
  if (run->launch->cooperative)
    /* A cooperative launch runs all its blocks at the same time. */
    return run->nblocks;
  return (uint64_t)(one.blocks ? one.blocks : 1) * card->sms;
}

/* Grows the array `resident` so that it has space for more than `blocks` pointers. */
static void make_room(Worker *worker, uint32_t blocks) {
  if (blocks < worker->most)
    return;
  worker->most = worker->most ? 2 * worker->most : 4;
  worker->resident = realloc(worker->resident, worker->most * sizeof *worker->resident);
  assert(worker->resident);
}

/* Increments a counter that only this thread writes. */
static void rise(atomic_uint_least64_t *own) {
  atomic_store_explicit(own, atomic_load_explicit(own, memory_order_relaxed) + 1,
                        memory_order_release);
}

/* Starts the next block, in a Block struct that no running block uses. Returns false if no block
 * remains, or if the maximum number of blocks is resident. */
static bool start_block(Worker *worker, uint32_t running) {
  uint64_t number, start_order;
  if (running && atomic_load(&worker->run->resident) >= worker->run->most_resident)
    return false;
  do {
    if (!next_block(worker, &number, &start_order))
      return false;
    if (!hook_passes_over(worker->run, number))
      break;
    rise(&worker->blocks_done);
  } while (true);
  atomic_fetch_add(&worker->run->resident, 1);
  make_room(worker, running);
  if (worker->nresident == running)
    worker->resident[worker->nresident++] = block_create(worker);
  block_start(worker->resident[running], number, start_order);
  worker->blocks_run++;
  return true;
}

static void end_block(Worker *worker, uint32_t at, uint32_t last) {
  Block *b = worker->resident[at];
  worker->resident[at] = worker->resident[last];
  worker->resident[last] = b;
  atomic_fetch_sub(&worker->run->resident, 1);
  rise(&worker->blocks_done);
}

/* ---- waiting for others ---------------------------------------------------------------------- */
/* Blocks may wait for one another by polling memory. If all blocks of a worker only poll, the
 * worker lets each block poll for longer before the block yields, and starts further blocks. If
 * this has happened twice in all workers and no block has made progress, no running lane will write
 * the polled memory. Then lanes that wait at a convergence point are released, because one of these
 * lanes may write the memory. If no such lanes exist, the block that would write the memory does
 * not run, because only sampled blocks run or because the maximum number of blocks is resident.
 * Then the launch ends. */
enum { PATIENCE = 64, PATIENCE_MOST = 4096 };

/* Returns the sum of the workers' progress counters. Each worker has its own counter, because a
 * common counter would move between the caches of the processors. */
static uint64_t run_progress(const Run *run) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < run->nworkers; i++)
    sum += atomic_load(&run->workers[i].progress);
  return sum;
}

static void made_progress(Worker *worker) {
  worker->patience = PATIENCE;
  worker->idle_passes = 0;
  rise(&worker->progress);
}

/* Returns a warp for reports: the first ready warp in the block with the lowest start order among
 * the blocks of the worker. */
static const Warp *first_waiting(const Worker *worker, uint32_t running) {
  const Block *first = worker->resident[0];
  for (uint32_t i = 1; i < running; i++)
    if (worker->resident[i]->start_order < first->start_order)
      first = worker->resident[i];
  Warp *w = first->warps;
  while (w < first->warps + first->nwarps - 1 && w->state != WARP_READY)
    w++;
  return w;
}

/* Reports the launch and ends it if all remaining warps have only polled host memory for about a
 * second. The host will never write this memory, because it does not continue while a kernel
 * runs. */
static void give_up_on_host(Worker *worker, uint32_t running) {
  enum { VAIN_POLLS = 1 << 25, VAIN_PASSES = 16 };
  Run *run = worker->run;
  const uint64_t passes = worker->idle_passes;
  const Warp *w = first_waiting(worker, running);
  if (passes < VAIN_PASSES || passes * PATIENCE_MOST * running * run->nwarps < VAIN_POLLS ||
      w->state != WARP_READY || !w->npaths || atomic_load(&run->full))
    return;
  const Path *p = &w->paths[0];
  const uint32_t line = p->frame->function->blocks[p->block].line;
  if (!polls_host_memory(w))
    return;
  hook_mistake((Mistake){.kind = MISTAKE_HOST_AWAITED, .at = {w, lowest(p->lanes), line}});
  if (atomic_exchange(&run->full, true))
    return;
  atomic_store(&run->failed[LAUNCH_ENDLESS], 0);
  atomic_store(&run->stop, 0);
}

static void made_none(Worker *worker, uint32_t running) {
  Run *run = worker->run;
  uint64_t progress = run_progress(run);
  if (progress != worker->seen_progress) {
    /* Another worker made progress, so a block of this worker may soon be able to continue. The
     * polls so far must not count as an endless loop, because the operating system may have delayed
     * the other worker. */
    worker->patience = PATIENCE;
    worker->idle_passes = 0;
    for (uint32_t i = 0; i < running; i++)
      for (uint32_t k = 0; k < worker->resident[i]->nwarps; k++)
        worker->resident[i]->warps[k].branches = 0;
  } else if (worker->patience < PATIENCE_MOST) {
    worker->patience *= 2;
  }
  worker->seen_progress = progress;
  if (++worker->idle_passes == 2) {
    /* Count this worker among those that have seen no progress since the sum of the counters was
     * `progress`. */
    uint64_t stuck = atomic_load(&run->stuck), mine;
    do
      mine = stuck >> 16 == (progress & 0xffffffffffff) ? stuck + 1 : progress << 16 | 1;
    while (!atomic_compare_exchange_weak(&run->stuck, &stuck, mine));
  }
  uint64_t stuck = atomic_load(&run->stuck);
  bool all = stuck >> 16 == (progress & 0xffffffffffff) &&
             (stuck & 0xffff) + atomic_load(&run->finished) >= run->nworkers;
  if (worker->idle_passes < 2 || !all) {
    sched_yield();
    return;
  }
  for (uint32_t i = 0; i < running && run->stepwise; i++)
    if (stepwise_let_go(worker->resident[i], true)) {
      made_progress(worker);
      return;
    }
  for (uint32_t i = 0; i < running; i++)
    for (uint32_t k = 0; k < worker->resident[i]->nwarps; k++) {
      Warp *w = &worker->resident[i]->warps[k];
      if (w->state != WARP_READY || !paths_force_progress(w))
        continue;
      made_progress(worker);
      return;
    }
  if (machine_settings()->samples_only && !run->launch->cooperative) {
    /* The running blocks may be waiting for a block that is not sampled. */
    atomic_store(&run->waits_for_skipped, true);
    atomic_store(&run->stop, 0);
  }
  if (atomic_load(&run->next_block) < run->nblocks &&
      atomic_load(&run->resident) >= run->most_resident && !atomic_exchange(&run->full, true)) {
    const uint64_t waiting = run->nblocks - run_blocks_done(run);
    hook_mistake((Mistake){.kind = MISTAKE_TOO_MANY_WAIT,
                           .at.warp = first_waiting(worker, running),
                           .expected = run->most_resident,
                           .come = waiting});
    atomic_store(&run->failed[LAUNCH_ENDLESS], 0);
    atomic_store(&run->stop, 0);
  }
  give_up_on_host(worker, running);
}

/* ---- its blocks ------------------------------------------------------------------------------ */
/* Runs the main loop of a worker. `running`: number of running blocks, which are the first elements
 * of `resident`. */
static void work(void *workers, uint32_t number) {
  Worker *worker = (Worker *)workers + number;
  uint32_t running = 0, at = 0, polling = 0;
  uint64_t turns = 0;
  for (;;) {
    if (running == 0 || turns >= PATIENT_TURNS) {
      turns = 0;
      if (start_block(worker, running)) {
        running++;
        made_progress(worker);
      } else if (running == 0) {
        break;
      } else if (worker->run->grid_memory) {
        sched_yield();
        /* Lets the workers run whose blocks have not reached the grid barrier. */
      }
    }
    hook_launch_runs();
    at = (at + 1) % running;
    bool more = block_turn(worker->resident[at]);
    turns += worker->resident[at]->at_grid_barrier || worker->resident[at]->polling
                 ? PATIENT_TURNS
                 : worker->resident[at]->stalled;
    polling = more && worker->resident[at]->polling ? polling + 1 : 0;
    if (!polling)
      made_progress(worker);
    else if (polling % running == 0 && polling >= running)
      made_none(worker, running);
    if (!more)
      end_block(worker, at, --running);
  }
  atomic_fetch_add(&worker->run->finished, 1);
}

/* ---- beginning and end ----------------------------------------------------------------------- */
static void worker_start(Worker *worker, Run *run, uint32_t number) {
  memset(worker, 0, sizeof *worker);
  worker->run = run;
  worker->number = number;
  worker->patience = PATIENCE;
  worker->recent = calloc(run->module->nfunctions, sizeof *worker->recent);
  worker->unused = calloc(run->module->nfunctions, sizeof *worker->unused);
  assert(worker->recent && worker->unused);
}

static void worker_end(Worker *worker, Children *launched) {
  children_collect(launched, worker);
  for (uint32_t i = 0; i < worker->nresident; i++)
    block_destroy(worker->resident[i]);
  for (uint32_t i = 0; i < worker->run->module->nfunctions; i++) {
    frames_free(worker->unused[i]);
    for (uint32_t k = 0; worker->recent[i] && k < worker->run->module->functions[i].ncode; k++)
      shapes_free(worker->recent[i][k].shape);
    free(worker->recent[i]);
  }
  free(worker->recent);
  free(worker->unused);
  free(worker->resident);
}

/* Sets all_defined for allocations that have been written completely, so that their bitmaps are no
 * longer read. */
static void settle_definedness(void) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if (a->all_defined || a->kind == MEMORY_HEAP)
      continue;
    size_t whole = a->bytes / 8, i = 0;
    while (i < whole && a->defined[i] == 0xff)
      i++;
    uint8_t rest = (uint8_t)((1u << a->bytes % 8) - 1);
    a->all_defined = i == whole && (a->defined[whole] & rest) == rest;
  }
}

static void prepare(Run *run, const Launch *launch) {
  memset(run, 0, sizeof *run);
  run->launch = launch;
  run->module = launch->module;
  run->function = launch->function;
  run->nblocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  run->nthreads = launch->block[0] * launch->block[1] * launch->block[2];
  run->nwarps = (run->nthreads + WARP_LANES - 1) / WARP_LANES;
  uint32_t fixed = launch->function->shared_bytes;
  run->shared_bytes =
      launch->dynamic_shared ? (fixed + 15) / 16 * 16 + launch->dynamic_shared : fixed;
  run->bank_mode = selected_bank_mode(launch->banks);
  run->branch_limit = machine_settings()->branch_limit;
  run->checks = machine_settings()->checks;
  run->in_turn = (run->checks || machine_settings()->samples_only) && run->nblocks > 1 &&
                 run->function->has_fence;
  atomic_store(&run->stop, UINT64_MAX);
  for (unsigned i = 0; i < LAUNCH_STATUSES; i++)
    atomic_store(&run->failed[i], UINT64_MAX);
  run->most_resident = most_resident(run);
  choose_order(run);
  grid_prepare(run);
  stepwise_prepare(run);
}

/* If store addresses of the kernel depend on loaded data (PtxFunction.scatters), sets gaps_expected
 * for the buffers that it writes, because unwritten gaps in such buffers are not a mistake. */
static void expect_gaps(const Launch *launch) {
  for (Allocation *a = memory_next(NULL); a && launch->function->scatters; a = memory_next(a))
    a->gaps_expected = a->gaps_expected || launch_accesses(launch, a) & (PTX_STORES | PTX_CHANGES);
}

typedef struct Parts {
  Run *run;
  unsigned count;
} Parts;

static void settle(void *parts, uint32_t number) {
  hook_launch_part(((Parts *)parts)->run, number, ((Parts *)parts)->count);
}

static LaunchStatus run_grid(const Launch *launch, Children *launched) {
  if (launch->function->refusal) {
    hook_mistake((Mistake){.kind = MISTAKE_REFUSED, .function = launch->function});
    return LAUNCH_REFUSED;
  }
  heap_launch();
  Run run;
  prepare(&run, launch);
  expect_gaps(launch);
  const uint32_t wanted = run.in_turn || run.stepwise ? 1 : machine_settings()->workers;
  const uint32_t count = workers_ready(wanted < run.nblocks ? wanted : (uint32_t)run.nblocks);
  run.nworkers = count;
  Worker *workers = run.workers = aligned_alloc(alignof(Worker), count * sizeof *workers);
  assert(workers);
  for (uint32_t i = 0; i < count; i++)
    worker_start(&workers[i], &run, i);
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    memory_see_host(a);
  hook_launch_begins(&run);
  workers_run(count, work, workers);
  for (uint32_t i = 0; i < count; i++)
    atomic_settle(&workers[i]);
  Parts parts = {&run, hook_launch_parts(&run)};
  workers_run(parts.count, settle, &parts);
  const LaunchStatus status = run_status(&run);
  hook_launch_ends(&run, parts.count, status);
  for (uint32_t i = 0; i < count; i++)
    worker_end(&workers[i], launched);
  free(workers);
  settle_definedness();
  stepwise_done(&run);
  return status;
}

LaunchStatus machine_launch(const Launch *launch) {
  Children launched = {0};
  LaunchStatus status = run_grid(launch, &launched);
  if (status == LAUNCH_DONE)
    return children_run(&launched, launch, run_grid);
  children_drop(&launched);
  return status;
}
