/* Runs a block: schedules its warps in turns and implements barriers.
 *
 * In its turn, a warp runs until it exits, waits, or has executed TURN instruction blocks. When no
 * warp can continue, the barriers are examined. If some threads never reach a barrier that all
 * threads of the block must reach, this is a mistake of the student. The mistake is reported, and
 * the block continues as on a GPU. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stepwise.h"

enum { STEPS_OF_TURN = 65536 }; /* for a block whose warps execute single steps */

Block *block_create(Worker *worker) {
  const Run *run = worker->run;
  Block *b = calloc(1, sizeof *b);
  assert(b);
  b->run = run;
  b->nthreads = run->nthreads;
  b->nwarps = run->nwarps;
  b->shared_bytes = run->shared_bytes;
  b->shared = aligned_alloc(64, (b->shared_bytes + SHARED_PADDING + 63u) / 64 * 64);
  b->warps = calloc(b->nwarps, sizeof *b->warps);
  assert(b->shared && b->warps);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    warp_create(&b->warps[i], b, i);
    b->warps[i].worker = worker;
  }
  hook_block_made(b);
  return b;
}

void block_destroy(Block *b) {
  for (uint32_t i = 0; i < b->nwarps; i++)
    warp_destroy(&b->warps[i]);
  hook_block_gone(b);
  free(b->warps);
  free(b->shared);
  free(b);
}

void block_start(Block *b, uint64_t number, uint64_t start_order) {
  const uint32_t *grid = b->run->launch->grid;
  b->number = number;
  b->start_order = start_order;
  b->index[0] = (uint32_t)(number % grid[0]);
  b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
  b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
  b->stalled = b->polling = b->divergent = b->at_grid_barrier = false;
  b->turns = 0;
  memset(b->arrivals, 0, sizeof b->arrivals);
  memset(b->shared, 0xff, b->shared_bytes); /* NaN, like new device memory */
  hook_block_begins(b);
  for (uint32_t i = 0; i < b->nwarps; i++)
    warp_start(&b->warps[i]);
}

/* ---- barriers -------------------------------------------------------------------------------- */
static uint32_t operand(const Path *p, uint32_t offset, unsigned lane, uint32_t none) {
  return offset == PTX_NO_REG ? none : slot32(p->frame->registers, offset)[lane];
}

/* The threads that wait at one barrier. */
typedef struct Gathering {
  uint32_t threads, expected;
  /* `first`: one of the waiting threads. `odd`: a thread that waits at another barrier instruction
   * than `first`; if there is no such thread, its warp is NULL. */
  ThreadPlace first, odd;
  /* The instruction at which `first` waits. */
  const PtxInsn *insn;
  /* For bar.red: number of threads whose predicate is true. */
  uint32_t ones;
} Gathering;

/* Returns the lanes of path p that wait at barrier number `id`. */
static uint32_t lanes_at(const Path *p, uint32_t id) {
  const PtxInsn *insn = p->asleep ? path_insn(p) : NULL;
  uint32_t lanes = 0;
  if (!insn || insn->form != PTX_BARRIER)
    return 0;
  if (insn->a == PTX_NO_REG)
    return id == 0 ? p->lanes : 0;
  EACH_SET(lane, p->lanes) lanes |= (uint32_t)(operand(p, insn->a, lane, 0) == id) << lane;
  return lanes;
}

static Gathering gather(const Block *b, uint32_t id) {
  Gathering g = {.expected = b->nthreads};
  for (uint32_t i = 0; i < b->nwarps; i++) {
    const Warp *w = &b->warps[i];
    for (uint32_t rest = w->asleep, lanes; rest; rest &= ~lanes) {
      const Path *p = sleeping_path(w, lowest(rest));
      const PtxInsn *insn = path_insn(p);
      const ThreadPlace here = {w, lowest(rest), insn->line};
      uint32_t there = lanes_at(p, id);
      lanes = p->lanes;
      if (!there)
        continue;
      if (!g.insn)
        g.insn = insn, g.first = here;
      else if (insn != g.insn && !g.odd.warp)
        g.odd = here;
      if (insn->b != PTX_NO_REG)
        g.expected = operand(p, insn->b, lowest(there), b->nthreads);
      g.threads += (unsigned)__builtin_popcount(there);
      g.ones += (unsigned)__builtin_popcount(w->barrier_value & there);
    }
  }
  return g;
}

static bool is_whole(const Block *b, uint32_t id, const Gathering *g) {
  return g->expected == b->nthreads && b->arrivals[id] == 0;
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

static void store_reduced(const Path *p, const PtxInsn *insn, uint32_t lanes, uint32_t value) {
  uint32_t *slot = slot32(p->frame->registers, insn->d);
  if (insn->sub == PTX_BAR_RED_POPC)
    EACH_SET(lane, lanes) slot[lane] = value;
  else
    slot[0] = (slot[0] & ~lanes) | (value & lanes);
}

static void release(Block *b, uint32_t id, const Gathering *g) {
  uint32_t released[1024 / WARP_LANES];
  /* At a barrier for all threads of the block, threads that have exited do not count. */
  const bool of_all = is_whole(b, id, g);
  bool whole = b->arrivals[id] == 0;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    uint32_t all = 0;
    for (uint32_t k = 0; k < w->npaths; k++) {
      const Path *p = &w->paths[k];
      uint32_t lanes = lanes_at(p, id);
      const PtxInsn *insn = lanes ? path_insn(p) : NULL;
      if (insn && insn->d != PTX_NO_REG)
        store_reduced(p, insn, lanes, reduced(insn, g));
      all |= lanes;
    }
    released[i] = all;
    whole = whole && !((of_all ? w->alive : w->existing) & ~all);
    lanes_wake(w, all, true);
  }
  b->arrivals[id] = 0;
  if (whole || b->divergent)
    /* After a report about threads that missed a barrier, every later barrier counts as complete.
     */
    hook_barrier(b, id, NULL);
  else
    hook_barrier(b, id, released);
}

/* Releases a barrier in the usual case: each warp has one path that contains all its threads, and
 * all warps wait at the same instruction. Otherwise returns false. */
static bool release_plain(Block *b) {
  const PtxInsn *first = NULL;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    const Path *p = &w->paths[0];
    if (w->state != WARP_WAITING || w->npaths != 1 || !p->asleep || p->lanes != w->existing ||
        p->frame->caller)
      return false;
    const PtxInsn *insn = path_insn(p);
    if (insn->form != PTX_BARRIER || (first && insn != first))
      return false;
    first = insn;
  }
  if (first->a != PTX_NO_REG || first->b != PTX_NO_REG || first->d != PTX_NO_REG)
    return false;
  hook_barrier(b, 0, NULL);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    w->asleep = 0;
    w->state = WARP_READY;
    w->paths[0].asleep = false;
    path_go(w, 0, w->paths[0].frame->function->blocks[w->paths[0].block].next);
  }
  return true;
}

/* Releases barriers whose participants have all arrived. */
static bool release_complete(Block *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->nwarps; i++)
    any = sync_recheck(&b->warps[i]) || any;
  for (uint32_t id = 0; id < BARRIERS; id++) {
    Gathering g = gather(b, id);
    if (!g.threads || g.threads + b->arrivals[id] < g.expected ||
        (is_whole(b, id, &g) && g.odd.warp))
      continue;
    release(b, id, &g);
    any = true;
  }
  return any;
}

/* Lets lanes that wait at convergence points continue, because other lanes of the warp may be
 * waiting for these lanes. Returns false if no lanes wait at convergence points. */
static bool force_progress(Block *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->nwarps; i++)
    if (paths_force_progress(&b->warps[i])) {
      b->warps[i].state = WARP_READY;
      any = true;
    }
  return any;
}

/* Called when no warp can continue. Releases complete barriers or lanes at convergence points. If
 * there are none and some threads never reach a barrier for the whole block, reports this and
 * releases the barrier. Does not release a barrier for a fixed number of threads. */
static bool release_some(Block *b) {
  if (release_plain(b) || release_complete(b) || force_progress(b))
    return true;
  bool any = false;
  for (uint32_t id = 0; id < BARRIERS; id++) {
    Gathering g = gather(b, id);
    if (!g.threads || !is_whole(b, id, &g))
      continue;
    /* Only the first such barrier of a block is reported, because the later ones are a
     * consequence. */
    if (!b->divergent)
      hook_mistake((Mistake){.kind = MISTAKE_BARRIER,
                             .at = g.first,
                             .odd = g.odd,
                             .missing = g.expected - g.threads,
                             .expected = g.expected});
    b->divergent = true;
    release(b, id, &g);
    any = true;
  }
  return any;
}

/* Reports what a sleeping lane waits for: threads at a named barrier, or lanes of its warp. */
static void tell_deadlock(const Warp *w, unsigned lane) {
  const Path *p = sleeping_path(w, lane);
  const PtxInsn *insn = path_insn(p);
  const ThreadPlace place = {w, lane, insn->line};
  if (insn->form != PTX_BARRIER) {
    hook_mistake((Mistake){.kind = MISTAKE_LANES, .at = place, .lanes = sync_missing(w, lane)});
    return;
  }
  uint32_t id = operand(p, insn->a, lane, 0);
  Gathering g = gather(w->block, id);
  uint32_t arrived = id < BARRIERS ? w->block->arrivals[id] : 0;
  hook_mistake((Mistake){.kind = MISTAKE_BARRIER_COUNT,
                         .at = place,
                         .number = id,
                         .expected = g.expected,
                         .come = g.threads + arrived});
}

/* Called when no warp can continue and no barrier for the whole block could be released: reports
 * one sleeping lane and stops the launch. Returns false if no lane sleeps. */
static bool release_deadlock(Block *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    if (!w->asleep)
      continue;
    if (!any)
      tell_deadlock(w, lowest(w->asleep));
    run_stop(w, LAUNCH_ENDLESS);
    any = true;
  }
  for (uint32_t i = 0; any && i < b->nwarps; i++)
    lanes_wake(&b->warps[i], b->warps[i].asleep, true);
  return any;
}

/* ---- turns ----------------------------------------------------------------------------------- */
/* Gives each ready warp a turn. If `steps`, only one ready warp runs, for one step. Returns false
 * if all warps have exited. */
static bool take_turn(Block *b, bool steps) {
  if (grid_waits(b)) {
    /* This block may be waiting for a block that is stopped at a hold. */
    b->polling = b->run->stepwise;
    return true;
  }
  uint64_t seed = machine_settings()->seed;
  /* `start`: the first warp. `step`: distance to the next warp, at most b->nwarps. */
  uint32_t start = 0, step = 1;
  if (seed) {
    /* With a seed, the order of warps is different in each turn. */
    uint64_t order = mix(seed, b->number * 0x10001 + b->turns++);
    start = (uint32_t)(order % b->nwarps);
    step = order >> 32 & 1 ? b->nwarps - 1 : 1;
  }
  Warp *next = steps ? stepwise_next(b) : NULL; /* the only warp that runs */
  bool ready = false, done = true, polling = true;
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[start];
    start = start + step < b->nwarps ? start + step : start + step - b->nwarps;
    if (w->state == WARP_READY) {
      if (!steps || w == next)
        warp_run(w);
      polling = polling && w->polling;
    }
    ready = ready || w->state == WARP_READY;
    done = done && w->state == WARP_DONE;
  }
  if (next)
    stepwise_stepped(next);
  b->stalled = ready;
  b->polling = ready && polling;
  if (done)
    return false;
  if (is_stopped(b->warps)) {
    /* The launch has been stopped. Wake all lanes so that they can exit. */
    for (uint32_t i = 0; i < b->nwarps; i++)
      lanes_wake(&b->warps[i], b->warps[i].asleep, true);
    return true;
  }
  if (ready)
    /* A running warp may be polling for a warp that sleeps at a barrier, so release complete
     * barriers now. */
    b->polling =
        !release_complete(b) && b->polling && !(b->run->stepwise && stepwise_let_go(b, false));
  else if (!release_some(b) && !release_deadlock(b))
    assert(!"a block with nobody ready, nobody done and nobody waiting");
  return true;
}

bool block_turn(Block *b) {
  if (__builtin_expect(!b->run->stepwise, 1) || !stepwise_steps(b))
    return take_turn(b, false);
  for (uint32_t i = 0; i < STEPS_OF_TURN; i++)
    if (!take_turn(b, true))
      return false;
    else if (b->polling || b->at_grid_barrier)
      break;
  return true;
}
