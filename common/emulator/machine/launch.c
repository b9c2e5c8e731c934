/* A launch: worker threads take blocks until the grid is done.
 *
 * A worker runs one block at a time. A block that uses up several turns without getting anywhere
 * may be waiting for one that has not started, so the worker then starts another beside it, up to
 * what one multiprocessor would hold; they share the worker turn by turn. Nothing that is counted
 * depends on which worker runs which block.
 */
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../observe/counters.h"
#include "../observe/global_shadow.h"
#include "../observe/samples.h"
#include "../observe/watch.h"
#include "alu.h"
#include "warp.h"

#define PATIENT_TURNS                                                                              \
  16 /* without the block being done, before the next block starts beside it                       \
      */

/* One round of a 64-bit mixing function: well spread numbers from a seed. */
uint64_t mix(uint64_t seed, uint64_t value) {
  uint64_t z = (seed + value * UINT64_C(0x9e3779b97f4a7c15)) ^ UINT64_C(0x632be59bd9b4e019);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

void run_fail(Run *run, LaunchStatus status) {
  int none = LAUNCH_DONE;
  atomic_compare_exchange_strong(&run->status, &none, (int)status);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Block order under a seed: i -> (offset + i * multiplier) mod n, a permutation when the two are
 * coprime. */
static void choose_order(Run *run) {
  uint64_t seed = machine_settings()->seed, n = run->nblocks;
  run->order_multiplier = 1;
  run->order_offset = 0;
  if (!seed || n < 2)
    return;
  run->order_offset = mix(seed, 1) % n;
  run->order_multiplier = mix(seed, 2) % n;
  while (common_divisor(run->order_multiplier, n) != 1)
    run->order_multiplier++;
}

static bool next_block(Run *run, uint64_t *number) {
  uint64_t i = atomic_fetch_add(&run->next_block, 1);
  if (i >= run->nblocks || atomic_load_explicit(&run->stop, memory_order_relaxed))
    return false;
  *number =
      (uint64_t)((run->order_offset + (unsigned __int128)i * run->order_multiplier) % run->nblocks);
  return true;
}

/* ---- a worker -------------------------------------------------------------------------------- */
static uint32_t most_resident(const Run *run) {
  const Device *l = selected_device();
  uint32_t by_threads = l->threads_per_sm / run->nthreads;
  if (run->launch->cooperative)
    return (uint32_t)run->nblocks; /* they are on the device all at once */
  return by_threads < 1 ? 1 : by_threads < l->blocks_per_sm ? by_threads : l->blocks_per_sm;
}

/* Starts one more block in a context that no running one has. */
static bool start_block(Worker *worker, uint32_t running) {
  uint64_t number;
  if (!next_block(worker->run, &number))
    return false;
  if (worker->nresident == running)
    worker->resident[worker->nresident++] = block_create(worker);
  block_start(worker->resident[running], number);
  worker->blocks_run++;
  return true;
}

static void end_block(Worker *worker, uint32_t at, uint32_t last) {
  Block *b = worker->resident[at];
  worker->resident[at] = worker->resident[last];
  worker->resident[last] = b;
  atomic_fetch_add(&worker->run->grid_done, 1);
}

/* The running blocks are the first of the worker's. */
static void *work(void *argument) {
  Worker *worker = argument;
  Block **active = worker->resident;
  uint32_t running = 0, at = 0;
  uint64_t turns = 0;
  for (;;) {
    if (running == 0 || (turns >= PATIENT_TURNS && running < worker->most)) {
      turns = 0;
      if (start_block(worker, running))
        running++;
      else if (running == 0)
        return NULL;
      else if (worker->run->grid_memory)
        sched_yield(); /* to those that the grid waits for */
    }
    report_launch_runs();
    at = (at + 1) % running;
    turns += active[at]->resting ? PATIENT_TURNS : active[at]->stalled;
    if (!block_turn(active[at]))
      end_block(worker, at, --running);
  }
}

/* ---- counting -------------------------------------------------------------------------------- */
void count_create(FunctionCount *c, const PtxFunction *f) {
  c->block_runs = calloc(4 * (size_t)f->nblocks + 1, sizeof *c->block_runs);
  c->access = calloc(f->ncode + 1u, sizeof *c->access);
  c->recent = calloc(f->ncode + 1u, sizeof *c->recent);
  c->samples = calloc(f->ncode + 1u, sizeof *c->samples);
  assert(c->block_runs && c->access && c->recent && c->samples);
  c->block_lanes = c->block_runs + f->nblocks;
  c->parted = c->block_lanes + f->nblocks;
  c->unsampled = c->parted + f->nblocks;
}

void count_destroy(FunctionCount *c, const PtxFunction *f) {
  samples_destroy(c, f);
  free(c->block_runs);
  free(c->access);
  free(c->recent);
}

static void worker_start(Worker *worker, Run *run, uint32_t number) {
  memset(worker, 0, sizeof *worker);
  worker->run = run;
  worker->number = number;
  worker->functions = calloc(run->module->nfunctions, sizeof *worker->functions);
  worker->most = most_resident(run);
  worker->resident = calloc(worker->most, sizeof *worker->resident);
  assert(worker->functions && worker->resident);
  for (uint32_t i = 0; i < run->module->nfunctions; i++) {
    count_create(&worker->functions[i], &run->module->functions[i]);
    samples_want(&worker->functions[i], &run->module->functions[i]);
  }
}

static void worker_end(Worker *worker) {
  counters_add(worker->run, worker);
  for (uint32_t i = 0; i < worker->nresident; i++)
    block_destroy(worker->resident[i]);
  for (uint32_t i = 0; i < worker->run->module->nfunctions; i++)
    count_destroy(&worker->functions[i], &worker->run->module->functions[i]);
  free(worker->resident);
  free(worker->functions);
}

/* A buffer the kernel filled completely needs no map of what is defined any more. */
static void settle_definedness(void) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if (a->all_defined)
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
  run->bank_bytes = selected_bank_mode(launch->banks);
  run->branch_limit = machine_settings()->branch_limit;
  run->checks = machine_settings()->checks;
  choose_order(run);
  grid_prepare(run);
  global_shadow_launch(run);
}

LaunchStatus machine_launch(const Launch *launch) {
  if (launch->function->refusal) {
    Report r = report_make(REPORT_UNSUPPORTED);
    r.kernel = launch->function->name;
    strncpy(r.sentence, launch->function->refusal, sizeof r.sentence - 1);
    report_file(&r);
    return LAUNCH_REFUSED;
  }
  Run run;
  prepare(&run, launch);
  uint32_t count = machine_settings()->workers;
  if (count > run.nblocks)
    count = (uint32_t)run.nblocks;
  Worker *workers = calloc(count, sizeof *workers);
  assert(workers);
  for (uint32_t i = 0; i < count; i++)
    worker_start(&workers[i], &run, i);
  for (uint32_t i = 1; i < count; i++)
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
      workers[i].number = UINT32_MAX; /* no thread to be had: the others do its part */
  work(&workers[0]);
  for (uint32_t i = 1; i < count; i++)
    if (workers[i].number != UINT32_MAX)
      pthread_join(workers[i].thread, NULL);
  counters_launch(&run);
  for (uint32_t i = 0; i < count; i++)
    worker_end(&workers[i]);
  free(workers);
  settle_definedness();
  report_launch_done();
  return (LaunchStatus)atomic_load(&run.status);
}
