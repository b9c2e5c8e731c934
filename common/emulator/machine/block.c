/* A block: its warps take turns, and barriers hold them together.
 *
 * A warp runs until it exits, waits or has had its turn. When none can go on, the barrier is looked
 * at: are all threads of the block there? If not, that is the learner's mistake and is reported;
 * the block then goes on as hardware would.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../observe/global_shadow.h"
#include "../observe/shared_shadow.h"
#include "../observe/watch.h"
#include "warp.h"

Block *block_create(Worker *worker) {
  const Run *run = worker->run;
  Block *b = calloc(1, sizeof *b);
  assert(b);
  b->run = run;
  b->nthreads = run->nthreads;
  b->nwarps = run->nwarps;
  b->shared_bytes = run->shared_bytes;
  b->shared = aligned_alloc(64, (b->shared_bytes + 64u) / 64 * 64 + 64);
  b->warps = calloc(b->nwarps, sizeof *b->warps);
  assert(b->shared && b->warps);
  b->shadow = shared_shadow_create(b->shared_bytes, run->function->shared_granule);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    warp_create(&b->warps[i], b, i);
    b->warps[i].worker = worker;
  }
  return b;
}

void block_destroy(Block *b) {
  for (uint32_t i = 0; i < b->nwarps; i++)
    warp_destroy(&b->warps[i]);
  shared_shadow_destroy(b->shadow);
  free(b->warps);
  free(b->shared);
  free(b);
}

void block_start(Block *b, uint64_t number) {
  const uint32_t *grid = b->run->launch->grid;
  b->number = number;
  b->index[0] = (uint32_t)(number % grid[0]);
  b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
  b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
  b->stalled = b->divergent = b->resting = b->holds = false;
  memset(b->arrivals, 0, sizeof b->arrivals);
  memset(b->shared, 0xff, b->shared_bytes); /* NaN, like new device memory */
  shared_shadow_block(b->shadow);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    warp_start(&b->warps[i]);
    b->warps[i].sync_floor = b->shadow->barrier_floor;
  }
}

/* ---- barriers -------------------------------------------------------------------------------- */
/* The barrier that a sleeping lane waits at, or NULL: it waits for lanes of its own warp. */
static const PtxInsn *barrier_of(const Warp *w, unsigned lane) {
  const PtxInsn *insn = sleep_insn(w, lane);
  return insn->form == PTX_BARRIER ? insn : NULL;
}

static uint32_t operand(const Warp *w, uint32_t offset, unsigned lane, uint32_t none) {
  return offset == PTX_NO_REG ? none : slot32(sleep_frame(w, lane)->registers, offset)[lane];
}

typedef struct Gathering { /* who stands at one barrier number */
  uint32_t threads, expected;
  const Warp *first_warp;
  unsigned first_lane;
  const PtxInsn *first;
  const Warp *odd_warp; /* somebody at another barrier instruction */
  unsigned odd_lane;
  const PtxInsn *odd;
  uint32_t ones; /* predicates true, for bar.red */
} Gathering;

static Gathering gather(const Block *b, uint32_t id) {
  Gathering g = {.expected = b->nthreads};
  for (uint32_t i = 0; i < b->nwarps; i++) {
    const Warp *w = &b->warps[i];
    EACH_SET(lane, w->asleep) {
      const PtxInsn *insn = barrier_of(w, lane);
      if (!insn || operand(w, insn->a, lane, 0) != id)
        continue;
      if (!g.first)
        g.first = insn, g.first_warp = w, g.first_lane = lane;
      if (insn != g.first && !g.odd)
        g.odd = insn, g.odd_warp = w, g.odd_lane = lane;
      if (insn->b != PTX_NO_REG)
        g.expected = operand(w, insn->b, lane, b->nthreads);
      g.threads++;
      g.ones += w->barrier_value >> lane & 1;
    }
  }
  return g;
}

static bool is_whole(const Block *b, uint32_t id, const Gathering *g) {
  return g->expected == b->nthreads && b->arrivals[id] == 0;
}

static void report_divergent(const Block *b, const Gathering *g) {
  Report r = report_make(REPORT_BARRIER);
  r.kernel = b->run->function->name;
  watch_place(&r.at, g->first_warp, g->first_lane, g->first->line);
  if (g->odd) {
    watch_place(&r.other, g->odd_warp, g->odd_lane, g->odd->line);
    snprintf(r.sentence, sizeof r.sentence, "threads of one block wait at different barriers");
    snprintf(r.at.did, sizeof r.at.did, "waits at this barrier");
    snprintf(r.other.did, sizeof r.other.did, "waits at this one");
    report_file(&r);
    return;
  }
  snprintf(r.at.did, sizeof r.at.did, "waits at the barrier");
  snprintf(r.sentence, sizeof r.sentence, "barrier that %u of %u threads never reach",
           g->expected - g->threads, g->expected);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    uint32_t gone = b->warps[i].existing & ~b->warps[i].alive;
    if (!gone)
      continue;
    watch_place(&r.other, &b->warps[i], lowest(gone), b->warps[i].exit_line[lowest(gone)]);
    snprintf(r.other.did, sizeof r.other.did, "has returned already");
    break;
  }
  for (uint32_t i = 0; i < b->nwarps && !r.other.line; i++)
    EACH_SET(lane, b->warps[i].asleep) {
      if (sleep_insn(&b->warps[i], lane) == g->first)
        continue;
      watch_place(&r.other, &b->warps[i], lane, sleep_insn(&b->warps[i], lane)->line);
      snprintf(r.other.did, sizeof r.other.did, "waits here");
      break;
    }
  report_file(&r);
}

static uint32_t reduced(const PtxInsn *insn, const Gathering *g) {
  switch ((PtxBarrier)insn->sub) {
  case PTX_BAR_RED_POPC:
    return g->ones;
  case PTX_BAR_RED_AND:
    return g->ones == g->threads ? ALL_LANES : 0;
  case PTX_BAR_RED_OR:
    return g->ones ? ALL_LANES : 0;
  default:
    return 0;
  }
}

static void store_reduced(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t value) {
  uint32_t *slot = slot32(sleep_frame(w, lane)->registers, insn->d);
  if (insn->sub == PTX_BAR_RED_POPC)
    slot[lane] = value;
  else
    slot[0] = (slot[0] & ~(1u << lane)) | (value & 1u << lane);
}

static void release(Block *b, uint32_t id, const Gathering *g) {
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    uint32_t lanes = 0;
    EACH_SET(lane, w->asleep) {
      const PtxInsn *insn = barrier_of(w, lane);
      if (!insn || operand(w, insn->a, lane, 0) != id)
        continue;
      lanes |= 1u << lane;
      if (insn->d != PTX_NO_REG)
        store_reduced(w, insn, lane, reduced(insn, g));
    }
    lanes_wake(w, lanes, true);
  }
  b->arrivals[id] = 0;
  shared_shadow_barrier(b->shadow);
  global_shadow_block_barrier(b);
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->warps[i].sync_floor = b->shadow->barrier_floor;
}

/* The usual barrier: every warp whole, at the same instruction, all threads alive. */
static bool release_plain(Block *b) {
  const PtxInsn *first = NULL;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    if (w->state != WARP_WAITING || w->asleep != w->existing || w->depth != 1 ||
        w->frames[0].parted)
      return false;
    const PtxInsn *insn =
        &w->frames[0].function->code[w->frames[0].function->blocks[w->frames[0].position].first];
    if (insn->form != PTX_BARRIER || (first && insn != first))
      return false;
    first = insn;
  }
  if (first->a != PTX_NO_REG || first->b != PTX_NO_REG || first->d != PTX_NO_REG)
    return false;
  shared_shadow_barrier(b->shadow);
  global_shadow_block_barrier(b);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    w->asleep = 0;
    w->state = WARP_READY;
    w->sync_floor = b->shadow->barrier_floor;
    w->frames[0].position = w->frames[0].function->blocks[w->frames[0].position].next;
  }
  return true;
}

/* Lets go whoever has nobody left to wait for. */
static bool release_complete(Block *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->nwarps; i++)
    any = sync_recheck(&b->warps[i]) || any;
  for (uint32_t id = 0; id < 16; id++) {
    Gathering g = gather(b, id);
    if (!g.threads || g.threads + b->arrivals[id] < g.expected || (is_whole(b, id, &g) && g.odd))
      continue;
    release(b, id, &g);
    any = true;
  }
  return any;
}

/* Nobody can go on by himself: a barrier of the whole block that some threads never reach is let go
 * with a report; one for fewer threads waits until its number is there. */
static bool release_some(Block *b) {
  if (release_plain(b) || release_complete(b))
    return true;
  bool any = false;
  for (uint32_t id = 0; id < 16; id++) {
    Gathering g = gather(b, id);
    if (!g.threads || !is_whole(b, id, &g))
      continue;
    if (!b->divergent) /* later ones follow from the first */
      report_divergent(b, &g);
    b->divergent = true;
    release(b, id, &g);
    any = true;
  }
  return any;
}

/* Whom a sleeping lane waits for: others at its barrier, or lanes of its warp, one of which is asked
 * for where it is. */
static void report_deadlock(const Warp *w, unsigned lane) {
  const PtxInsn *insn = sleep_insn(w, lane);
  Report r = report_make(REPORT_DEADLOCK);
  r.kernel = w->block->run->function->name;
  watch_place(&r.at, w, lane, insn->line);
  if (insn->form == PTX_BARRIER) {
    uint32_t id = operand(w, insn->a, lane, 0);
    Gathering g = gather(w->block, id);
    snprintf(r.at.did, sizeof r.at.did, "waits at the barrier");
    snprintf(r.sentence, sizeof r.sentence, "barrier %u is for %u threads, and %u come", id,
             g.expected, g.threads + w->block->arrivals[id]);
    r.cause = "the count of a named barrier is that of all the threads that come to it";
  } else {
    uint32_t missing = sync_missing(w, lane);
    snprintf(r.at.did, sizeof r.at.did, "waits here");
    snprintf(r.sentence, sizeof r.sentence, "lanes of a warp wait for others that do not come");
    snprintf(r.detail, sizeof r.detail, "the mask here names lanes 0x%08x, too", missing);
    if (missing & w->asleep) {
      unsigned other = lowest(missing & w->asleep);
      watch_place(&r.other, w, other, sleep_insn(w, other)->line);
      snprintf(r.other.did, sizeof r.other.did, "waits here");
    }
  }
  report_file(&r);
}

/* Nobody can go on, and no barrier of the whole block is to blame. */
static bool release_deadlock(Block *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    if (!w->asleep)
      continue;
    if (!any)
      report_deadlock(w, lowest(w->asleep));
    run_fail(w->worker->run, LAUNCH_ENDLESS);
    atomic_store(&w->worker->run->stop, true);
    any = true;
  }
  for (uint32_t i = 0; any && i < b->nwarps; i++)
    lanes_wake(&b->warps[i], b->warps[i].asleep, true);
  return any;
}

/* ---- turns ----------------------------------------------------------------------------------- */
bool block_turn(Block *b) {
  if (grid_rests(b))
    return true;
  uint64_t seed = machine_settings()->seed;
  uint32_t start = 0, step = 1;
  if (seed) { /* another order of warps at each turn */
    uint64_t order = mix(seed, b->number * 0x10001 + b->shadow->turns++);
    start = (uint32_t)(order % b->nwarps);
    step = order >> 32 & 1 ? b->nwarps - 1 : 1;
  }
  bool ready = false, done = true;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[(start + (uint64_t)i * step) % b->nwarps];
    if (w->state == WARP_READY)
      warp_run(w);
    ready = ready || w->state == WARP_READY;
    done = done && w->state == WARP_DONE;
  }
  b->stalled = ready;
  if (done || atomic_load_explicit(&b->run->stop, memory_order_relaxed))
    return false; /* a lost launch: who waits for whom means nothing any more */
  if (ready)
    release_complete(b); /* one that runs may be waiting, in a loop, for one that sleeps */
  else if (!release_some(b) && !release_deadlock(b))
    assert(!"a block with nobody ready, nobody done and nobody waiting");
  return true;
}
