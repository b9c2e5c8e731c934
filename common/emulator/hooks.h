/* Everything that happens on the device, told to the observers: one inline function for each thing.
 *
 * The machine calls these and nothing else of observe/, and no other header includes it; an observer that
 * wants to know of something new adds a line here. (The runtime, which sees the host's side itself, also
 * files reports and notes copies: report.h, copies.h.) Observers keep what they need in structs of their own
 * (observe/observed.h), never call back, and never decide what becomes of a launch. The order of the
 * parameters is always: where, which instruction, which lanes, at which addresses.
 */
#ifndef HOOKS_H
#define HOOKS_H

#include <stdlib.h>

#include "state/settings.h"
#include "observe/copies.h"
#include "observe/counters.h"
#include "observe/definedness.h"
#include "observe/global_races.h"
#include "observe/log.h"
#include "observe/mistakes.h"
#include "observe/not_on_a_gpu.h"
#include "observe/order.h"
#include "observe/pending.h"
#include "observe/predict.h"
#include "observe/progress.h"
#include "observe/report.h"
#include "observe/samples.h"
#include "observe/shared_races.h"
#include "observe/stream_races.h"
#include "observe/sum_order.h"
#include "observe/tape.h"
#include "observe/touched.h"
#include "observe/trace.h"
#include "state/lanes.h"

/* ---- launches -------------------------------------------------------------------------------- */
static inline void hook_launch_begins(Run *run) {
  run->observed = calloc(1, sizeof *run->observed);
  if (!run->observed)
    abort();
  global_races_launch(run);
  touched_launch(run->launch->tracked && run->checks);
  predict_launch_begins(run);
  progress_launch_begins(run);
  if (run->checks && run->function->lost_line)
    mistake_lost_store(run);
}
static inline void hook_worker_begins(Worker *worker) {
  WorkerObserved *o = worker->observed = calloc(1, sizeof *o);
  if (!o || !(o->functions = calloc(worker->run->module->nfunctions, sizeof *o->functions)))
    abort();
}
/* The worker comes to that function of the module for the first time. */
static inline void hook_worker_enters(Worker *worker, uint32_t function) {
  const PtxFunction *f = &worker->run->module->functions[function];
  count_create(&worker->observed->functions[function], f);
  samples_want(&worker->observed->functions[function], f);
}
static inline void hook_launch_runs(void) { report_launch_runs(); }
static inline void hook_grid_barrier(Run *run) {
  const unsigned parts = global_races_parts(run) != 0;
  if (parts)
    global_races_settle(run, 0, parts);
  global_races_settled(run, parts);
  global_notes_begin(run);
}
/* All blocks are done: so many workers look at what was noted, side by side, ... */
static inline unsigned hook_launch_parts(const Run *run) { return global_races_parts(run); }
static inline void hook_launch_part(Run *run, unsigned part, unsigned parts) {
  global_races_settle(run, part, parts);
}
/* ... and then one sums up. */
static inline void hook_launch_done(Run *run, unsigned parts) {
  progress_launch_done();
  global_races_settled(run, parts);
  counters_launch(run);
}
static inline void hook_worker_ends(Worker *worker) {
  sum_order_collect(worker);
  predict_add(worker->run, worker);
  counters_add(worker->run, worker);
  for (uint32_t i = 0; i < worker->run->module->nfunctions; i++)
    if (worker->observed->functions[i].blocks)
      count_destroy(&worker->observed->functions[i], &worker->run->module->functions[i]);
  free(worker->observed->functions);
  free(worker->observed);
}
static inline void hook_launch_ends(Run *run) {
  report_launch_done(run_certain(run));
  predict_launch_ends(run);
  order_forget(&run->observed->words);
  free(run->observed->given);
  free(run->observed);
}
static inline void hook_launch_refused(const PtxFunction *f) {
  mistake_refused(f);
  report_launch_done(UINT64_MAX);
}

/* ---- blocks, warps, calls -------------------------------------------------------------------- */
static inline void hook_block_made(Block *b) {
  b->observed = calloc(1, sizeof *b->observed);
  if (!b->observed)
    abort();
  b->observed->shadow = shared_shadow_create(b->shared_bytes, b->run->function->shared_granule);
}
static inline void hook_warp_made(Warp *w) {
  w->observed = calloc(1, sizeof *w->observed);
  if (!w->observed)
    abort();
  w->observed->shadow = w->block->observed->shadow;
  w->observed->checks = w->block->run->checks;
  w->observed->bank_phase = banks_period(w->block->run->bank_mode) - 1;
}
static inline void hook_warp_gone(Warp *w) {
  definedness_free(w);
  order_warp_gone(w);
  free(w->observed);
}
static inline void hook_block_gone(Block *b) {
  shared_shadow_destroy(b->observed->shadow);
  order_block_gone(b);
  pending_free(b);
  free(b->observed);
}
/* With LOCKSTEP_SAMPLES_ONLY blocks that no prediction is made from do not run, and none of a launch that is not sampled;
 * those of a grid with a barrier do. */
static inline bool hook_passes_over(const Run *run, uint64_t number) {
  Trace *trace = run->observed->trace;
  return __builtin_expect(machine_settings()->samples_only, 0) && !run->launch->cooperative &&
         !(trace && trace_block(trace, number));
}
/* Is it for one of those that all wait? */
static inline bool hook_waits_for_passed_over(const Run *run) {
  Trace *trace = run->observed->trace;
  if (!machine_settings()->samples_only || !trace || run->launch->cooperative)
    return false;
  return trace->waits_for_others = true;
}
static inline void hook_block_begins(Block *b) {
  Trace *trace = b->run->observed->trace;
  b->observed->trace = trace ? trace_block(trace, b->number) : NULL;
  order_block_begins(b);
  b->observed->noted_in = 0;
  shared_shadow_block(b->observed->shadow, b);
  pending_block(b);
}
static inline void hook_warp_begins(Warp *w) {
  WarpObserved *o = w->observed;
  TracedBlock *traced = w->block->observed->trace;
  o->trace = traced ? &traced->warps[w->number] : NULL;
  definedness_start(w);
  order_warp_begins(w);
  o->branch_line = o->stored_nothing = 0;
  o->sync_floor = o->shadow->barrier_floor;
  memset(o->diverged_line, 0, sizeof o->diverged_line);
}
static inline void hook_frame_made(const Warp *w, Frame *f) {
  f->count = &w->worker->observed->functions[f->function - w->block->run->module->functions];
  f->access = f->count->access;
  f->blocks = f->count->blocks;
}
static inline void hook_frame_begins(Warp *w, Frame *f, uint32_t lanes) {
  if (f->marks || f->function->local_bytes || f->function->nundefined)
    definedness_enter(w, f, lanes);
}
static inline void hook_frame_gone(Frame *f) { definedness_frame_free(f); }
/* A call's arguments, or its result, come from one frame to another: offsets in their areas. */
static inline void hook_argument(Warp *w, const Frame *from, uint32_t source, Frame *to,
                                 uint32_t target, uint32_t bytes, uint32_t lanes) {
  if (w->observed->has_undefined)
    definedness_argument(w, from, source, to, target, bytes, lanes);
}
static inline void hook_builtin(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (w->observed->has_undefined)
    definedness_builtin(w, f, insn, lanes);
}

/* ---- flow ------------------------------------------------------------------------------------ */
/* Does any register perhaps hold a value that nothing computed? Then every instruction is looked at. */
static inline bool hook_wants_all(const Warp *w) { return w->observed->has_undefined; }
/* How often a block looks for what another one writes is no part of a sample, where few blocks run. */
static inline bool hook_waits(const Warp *w) {
  return machine_settings()->samples_only && w->block->polling;
}
/* Lanes run a block of instructions. true: this warp's accesses in it are wanted as samples, each
 * instruction before it runs (hook_sample), and the end of the block (hook_sampled). */
static inline bool hook_instructions(Warp *w, const Frame *f, uint32_t block, uint32_t lanes) {
  BlockCount *c = &f->blocks[block];
  c->runs++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  bool traced = __builtin_expect(w->observed->trace != NULL, 0) && !hook_waits(w) &&
                trace_run(w, f, block, lanes);
  return w->grid_number < c->unsampled || traced;
}
static inline void hook_sample(Warp *w, const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  samples_take(w, f, insn, lanes);
  if (w->observed->trace && !hook_waits(w))
    trace_access(w, f, insn, lanes);
}
static inline void hook_sampled(const Frame *f, const PtxBlock *b) {
  samples_settle(f->count, f->function, b);
}
static inline void hook_instruction(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                    uint32_t active) {
  if (w->observed->has_undefined)
    definedness_check(w, f, insn, lanes, active);
}
/* A guarded instruction has computed on some lanes. */
static inline void hook_guarded(Frame *f, const PtxInsn *insn, uint32_t active) {
  f->count->guarded_flop += ptx_op_flop((PtxOp)insn->op) * (unsigned)__builtin_popcount(active);
}
/* Lanes come to a condition; those in `taken` jump. */
static inline void hook_branch(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes,
                               uint32_t taken) {
  if (w->observed->has_undefined)
    definedness_branch(w, f, b, lanes);
  w->observed->branch_line = b->line;
  if (taken == 0 || taken == lanes)
    return;
  f->blocks[b - f->function->blocks].diverged++;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    w->observed->diverged_line[lane] =
        lanes >> lane & 1 ? b->line : w->observed->diverged_line[lane];
}
/* Lanes leave a function, or the kernel. */
static inline void hook_leave(Warp *w, const PtxBlock *b, uint32_t lanes) {
  WarpObserved *o = w->observed;
  uint32_t line = o->branch_line ? o->branch_line : b->line;
  const uint32_t apart = w->npaths > 1 ? UINT32_MAX : 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint32_t own = o->diverged_line[lane] & apart, left = own ? own : line;
    o->exit_line[lane] = lanes >> lane & 1 ? left : o->exit_line[lane];
  }
}

/* ---- a prescribed order ------------------------------------------------------------------------ */
static inline void hook_stepwise_begins(const Run *run) { tape_launch_begins(run); }
static inline void hook_stepwise_ends(const Run *run, int status) { tape_launch_ends(run, status); }
/* Lanes are about to access memory for the `time`-th time at that line; then they have. */
static inline void hook_access_begins(const Warp *w, const PtxInsn *insn, uint32_t lanes,
                                      uint32_t time) {
  tape_access_begins(w, insn, lanes, time);
}
static inline void hook_access_ends(const Warp *w, const PtxInsn *insn) {
  tape_access_ends(w, insn);
}
/* Lanes come to an instruction in which lanes or threads meet. */
static inline void hook_arrives(const Warp *w, const PtxInsn *insn, uint32_t lanes) {
  tape_arrives(w, insn, lanes);
}
/* Lanes stop at a hold, or go on from it. */
static inline void hook_held(const Warp *w, uint32_t hold, uint32_t lanes, uint32_t line,
                             bool let_go) {
  tape_hold(w, hold, lanes, line, let_go);
}

/* ---- shared memory --------------------------------------------------------------------------- */
/* A row: lane i at address + i * bytes. Something to note, or to say? The answer to `true` is
 * hook_shared_row_noted. */
static ALWAYS_INLINE bool hook_shared_row_load(Warp *w, const PtxInsn *insn, uint64_t address,
                                               unsigned bytes) {
  if (w->observed->checks && !shadow_quiet(w->observed->shadow, (uint32_t)address, 32 * bytes))
    return true;
  access_count(w, insn)->whole++;
  return false;
}
/* First readers, or a mistake; or nobody has looked since the last barrier. */
static ALWAYS_INLINE void hook_shared_row_noted(Warp *w, const PtxInsn *insn, uint32_t address,
                                                unsigned bytes) {
  bool quiet;
  access_count(w, insn)->whole++;
  uint32_t undefined = shadow_read_run(w, insn, address, bytes, &quiet);
  if (quiet)
    shadow_look(w->observed->shadow, address, 32 * bytes);
  if (!undefined)
    return;
  uint64_t addresses[WARP_LANES];
  lane_addresses(w->frame->registers, insn, addresses);
  definedness_load(w, w->frame, insn, ALL_LANES, undefined, addresses, PTX_SHARED);
}
/* All lanes at one address. false: it must be told lane by lane (hook_shared_load). */
static ALWAYS_INLINE bool hook_shared_same_load(Warp *w, const PtxInsn *insn, uint64_t address,
                                                unsigned bytes) {
  if (w->observed->checks && !shadow_read_same(w, insn, (uint32_t)address, bytes))
    return false;
  access_count(w, insn)->same++;
  return true;
}
static ALWAYS_INLINE void hook_shared_row_store(Warp *w, const PtxInsn *insn, uint64_t address,
                                                unsigned bytes) {
  access_count(w, insn)->whole++;
  if (w->observed->checks)
    shadow_write_run(w, insn, (uint32_t)address, bytes);
}
/* Any lanes; all of them right. `at`: of the lowest. Something to note at length, or to say? The answer to
 * `true` is hook_shared_load. */
static ALWAYS_INLINE bool hook_shared_shape_load(Warp *w, const PtxInsn *insn, const Shape *shape,
                                                 uint32_t at, unsigned bytes) {
  if (w->observed->checks && !shadow_read_plain(w, insn, shape, at, bytes))
    return true;
  count_shared(w, insn, shape, at);
  return false;
}
/* Is it known that there is nothing to say, to note or to work out? */
static ALWAYS_INLINE bool hook_shared_shape_is_quiet(Warp *w, const PtxInsn *insn,
                                                     const Shape *shape, uint32_t at) {
  if (w->observed->checks && (shape->span > SHADOW_SPAN_MOST ||
                              !shadow_quiet(w->observed->shadow, at - shape->below, shape->span)))
    return false;
  return count_shared_known(w, insn, shape, at);
}
/* The loads of an unrolled loop, of which this is the first, read in [low, low + span), this one at `first`. Is
 * there nothing to say, and all noted? Then each is told by one of the three after this, which has nothing to
 * do but count. */
static inline bool hook_shared_loads_ahead(Warp *w, const PtxInsn *insn, const Base *base,
                                           uint64_t first, uint32_t low, uint32_t span) {
  return !w->observed->checks || shadow_read_ahead(w, insn, base, (uint32_t)first, low, span);
}
static ALWAYS_INLINE void hook_shared_clear_row(Warp *w, const PtxInsn *insn) {
  access_count(w, insn)->whole++;
}
static ALWAYS_INLINE void hook_shared_clear_same(Warp *w, const PtxInsn *insn) {
  access_count(w, insn)->same++;
}
/* false: it must be told of by hook_shared_load. */
static ALWAYS_INLINE bool hook_shared_clear_shape(Warp *w, const PtxInsn *insn, const Shape *shape,
                                                  uint32_t at) {
  return count_shared_known(w, insn, shape, at);
}
static inline void hook_shared_load(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  count_shared(w, insn, shape, at);
  if (!w->observed->checks)
    return;
  uint32_t undefined = shadow_read(w, insn, shape, at);
  if (!undefined && !w->observed->has_undefined)
    return;
  uint64_t addresses[WARP_LANES];
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    addresses[lane] = shape_at(shape, at, lane);
  definedness_load(w, w->frame, insn, shape->lanes, undefined, addresses, PTX_SHARED);
}
static inline void hook_shared_store(Warp *w, const PtxInsn *insn, const Shape *shape,
                                     uint32_t at) {
  count_shared(w, insn, shape, at);
  if (w->observed->checks)
    shadow_write(w, insn, shape, at);
  if (insn->flags & PTX_ASYNC && w->observed->checks)
    pending_note(w, insn, shape, at);
  if (__builtin_expect(w->observed->stored_nothing, 0))
    shadow_write_nothing(w, insn, shape, at);
}
static inline void hook_shared_atomic(Warp *w, const PtxInsn *insn, const Shape *shape,
                                      uint32_t at) {
  count_shared(w, insn, shape, at);
  uint32_t undefined = w->observed->checks ? shadow_atomic(w, insn, shape, at) : 0;
  EACH_SET(lane, insn->sub == PTX_ATOM_EXCH ? 0 : undefined)
  mistake_undefined_atomic(w, insn, lane, PTX_SHARED, shape_at(shape, at, lane));
}

/* ---- global and constant memory -------------------------------------------------------------- */
/* Whole warps: is there nothing to say about reading [address, address + span) of `a`? */
static ALWAYS_INLINE bool hook_global_is_defined(const Allocation *a, uint64_t address,
                                                 uint64_t span) {
  return a->all_defined || definedness_of_range(a, address - a->address, span);
}
static ALWAYS_INLINE void hook_global_row_load(Warp *w, const PtxInsn *insn, Allocation *a,
                                               uint64_t address, unsigned bytes) {
  AccessCount *c = access_count(w, insn);
  c->whole++;
  c->sum.sectors += sectors_between(address, address + 32 * bytes);
  if (a->watched) {
    if (a->shadow)
      global_races_row(w, insn, a, address, ACCESS_READS);
    if (a->touched)
      touched_span(w, insn, TOUCH_READ, a, address, 32 * bytes);
  }
}
static ALWAYS_INLINE void hook_global_same_load(Warp *w, const PtxInsn *insn, Allocation *a,
                                                uint64_t address, unsigned bytes) {
  AccessCount *c = access_count(w, insn);
  c->same++;
  c->sum.sectors += sectors_between(address, address + bytes);
  if (a->watched) {
    if (a->shadow)
      global_races_read_one(w, insn, a, address);
    if (a->touched)
      touched_span(w, insn, TOUCH_READ, a, address, bytes);
  }
}
static ALWAYS_INLINE void hook_global_row_store(Warp *w, const PtxInsn *insn, Allocation *a,
                                                uint64_t address, unsigned bytes) {
  AccessCount *c = access_count(w, insn);
  c->whole++;
  c->sum.sectors += sectors_between(address, address + 32 * bytes);
  if (a->watched) {
    if (a->shadow)
      global_races_row(w, insn, a, address, ACCESS_WRITES);
    if (a->touched)
      touched_span(w, insn, TOUCH_WRITE, a, address, 32 * bytes);
  }
}
/* Any lanes in one allocation, `at`: the lowest one's address; `more`: lanes of a request whose others
 * were told of before. */
static inline void hook_global_load(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                                    uint64_t at, bool more) {
  count_global(w, insn, shape, at, more);
  if (a->watched) {
    if (a->shadow)
      global_races_access(w, insn, shape, a, at, ACCESS_READS);
    if (a->touched)
      touched_lanes(w, insn, TOUCH_READ, shape, a, at);
  }
  if (insn->flags & PTX_VOLATILE)
    order_access(w, insn, shape, at, a->view + (at - a->address), false);
  if (!w->observed->checks || (a->all_defined && !w->observed->has_undefined))
    return;
  uint32_t undefined = definedness_of_global(a, shape, at, access_bytes(insn));
  if (!undefined && !w->observed->has_undefined)
    return;
  uint64_t addresses[WARP_LANES];
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    addresses[lane] = shape_at(shape, at, lane);
  definedness_load(w, w->frame, insn, shape->lanes, undefined, addresses, PTX_GLOBAL);
}
/* Would that have nothing to do but count? Then this is as good. */
static ALWAYS_INLINE bool hook_global_is_quiet(const Warp *w, const Allocation *a) {
  return !a->watched && (!w->observed->checks || (a->all_defined && !w->observed->has_undefined));
}
static ALWAYS_INLINE void hook_global_quiet_load(Warp *w, const PtxInsn *insn, const Shape *shape,
                                                 uint64_t at) {
  count_global(w, insn, shape, at, false);
}
static inline void hook_global_store(Warp *w, const PtxInsn *insn, const Shape *shape,
                                     Allocation *a, uint64_t at, bool more) {
  count_global(w, insn, shape, at, more);
  if (a->watched) {
    if (a->shadow)
      global_races_access(w, insn, shape, a, at, ACCESS_WRITES);
    if (a->touched)
      touched_lanes(w, insn, TOUCH_WRITE, shape, a, at);
  }
  if (insn->flags & PTX_VOLATILE)
    order_access(w, insn, shape, at, a->view + (at - a->address), false);
}
/* Before memory is defined by it. */
/* A lane added to a float, and the sum was rounded. */
static inline void hook_sum_rounded(Warp *w, const PtxInsn *insn, uint64_t address) {
  if (w->block->run->checks)
    sum_order_note(w, insn, address);
}
static inline void hook_global_atomic(Warp *w, const PtxInsn *insn, const Shape *shape,
                                      Allocation *a, uint64_t at, bool more) {
  count_global(w, insn, shape, at, more);
  if (a->watched) {
    if (a->shadow)
      global_races_access(w, insn, shape, a, at, ACCESS_CHANGES);
    if (a->touched)
      touched_lanes(w, insn, TOUCH_ATOMIC, shape, a, at);
  }
  order_access(w, insn, shape, at, a->view + (at - a->address), false);
  if (a->all_defined || !w->observed->checks || insn->sub == PTX_ATOM_EXCH)
    return;
  uint32_t undefined = definedness_of_global(a, shape, at, access_bytes(insn));
  EACH_SET(lane, undefined)
  mistake_undefined_atomic(w, insn, lane, PTX_GLOBAL, shape_at(shape, at, lane));
}
static inline void hook_texel(const Warp *w, const Allocation *a, uint64_t offset, unsigned bytes) {
  if (a->touched)
    touched_texel(w, a, offset, bytes);
}
static inline void hook_texture_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                     uint32_t undefined, const uint64_t *address) {
  if (w->observed->checks && (undefined || w->observed->has_undefined))
    definedness_load(w, f, insn, lanes, undefined, address, PTX_GLOBAL);
}

/* ---- local memory ---------------------------------------------------------------------------- */
static inline void hook_local_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                   const uint32_t *offset, bool same) {
  AccessCount *c = access_count(w, insn);
  c->sum.requests++;
  c->sum.lanes += (unsigned)__builtin_popcount(lanes);
  if (w->observed->checks)
    definedness_local_load(w, f, insn, lanes, offset, same);
}
static inline void hook_local_store(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                    const uint32_t *offset, bool same) {
  AccessCount *c = access_count(w, insn);
  c->sum.requests++;
  c->sum.lanes += (unsigned)__builtin_popcount(lanes);
  if (w->observed->checks)
    definedness_local_store(w, f, insn, lanes, offset, same);
}

/* A call gave something back through a pointer. */
static inline void hook_local_given(Warp *w, unsigned lane, uint32_t offset, size_t bytes) {
  if (w->observed->checks)
    definedness_local_given(w, lane, offset, bytes);
}
static inline void hook_shared_given(Warp *w, unsigned lane, uint32_t offset, size_t bytes) {
  if (w->observed->checks)
    shadow_given(w, lane, offset, (uint32_t)bytes);
}

/* ---- lanes meet ------------------------------------------------------------------------------ */
/* All threads of the block go on. */
static inline void hook_barrier_passed(Block *b) {
  order_barrier(b);
  if (b->run->stepwise)
    tape_barrier(b);
  pending_barrier(b);
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->warps[i].observed->sync_floor = b->observed->shadow->barrier_floor;
}
/* Only lanes[i] of each warp i, at the barrier of that number; others have come and gone on (bar.arrive). */
static inline void hook_barrier_of_some(Block *b, uint32_t number, const uint32_t *lanes) {
  order_named_barrier(b, number, lanes);
}
static inline void hook_arrived(Warp *w, uint32_t number, uint32_t lanes) {
  order_arrive(w, number, lanes);
}
/* Asynchronous copies: a group ends, or is waited for. */
static inline void hook_copies(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  pending_copies(w, insn, lanes);
}
/* Lanes multiply or exchange matrices: what they bring is used. */
static inline void hook_matrices(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (w->observed->has_undefined)
    definedness_matrices(w, f, insn, lanes);
}
/* `wide`: for other blocks, too. */
static inline void hook_fence(Warp *w, uint32_t lanes, bool wide) {
  if (w->worker->run->observed->orders)
    order_fence(w, lanes, wide);
}
/* A shuffle: lane i has the value of lane source[i], which is undefined if that lane is not `present`. */
static inline void hook_shuffle(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                const uint32_t *source, uint32_t present) {
  uint32_t absent = 0;
  for (unsigned lane = 0; lane < WARP_LANES && present != ALL_LANES; lane++)
    absent |= (~present >> source[lane] & 1) << lane;
  absent = w->observed->checks ? absent & lanes : 0;
  if (w->observed->has_undefined || absent)
    definedness_shuffle(w, f, insn, lanes, source, present, absent);
}
/* Any instruction in which lanes meet has given its results. */
static inline void hook_met(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (w->observed->has_undefined)
    definedness_meet(w, f, insn, lanes);
}
/* Lanes of one warp have met. */
static inline void hook_lanes_met(Warp *w, uint32_t lanes) {
  if (w->observed->checks)
    order_lanes(w, lanes);
}

/* ---- what is wrong --------------------------------------------------------------------------- */
static inline void hook_out_of_bounds(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                                      uint64_t address, unsigned bytes) {
  mistake_out_of_bounds(w, insn, lane, space, address, bytes);
}
static inline void hook_misaligned(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                                   uint64_t address, unsigned bytes) {
  mistake_misaligned(w, insn, lane, space, address, bytes);
}
static inline void hook_constant_written(Warp *w, const PtxInsn *insn, unsigned lane,
                                         uint64_t address, unsigned bytes) {
  mistake_constant_written(w, insn, lane, address, bytes);
}
/* A lane executes a warp function whose mask leaves it out. */
static inline void hook_left_out(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t mask) {
  mistake_left_out(w, insn, lane, mask);
}
static inline void hook_endless(Warp *w, uint32_t line, unsigned lane) {
  mistake_endless(w, line, lane);
}
static inline bool hook_waits_for_host(Warp *w, uint32_t line, unsigned lane) {
  return mistake_waits_for_host(w, line, lane);
}
static inline void hook_stopped(Warp *w, ReportKind kind, uint32_t line, unsigned lane,
                                const char *did, const char *sentence) {
  mistake_stop(w, kind, line, lane, did, sentence);
}
static inline void hook_not_on_a_gpu(const Warp *w, NotOnAGpu which, uint32_t line, unsigned lane,
                                     const char *did, const char *sentence) {
  mistake_not_on_a_gpu(w, which, line, lane, did, sentence);
}
static inline void hook_barrier_missed(const Block *b, ThreadPlace first, ThreadPlace odd,
                                       uint32_t missing, uint32_t expected) {
  mistake_barrier(b, first, odd, missing, expected);
}
static inline void hook_barrier_count(ThreadPlace p, uint32_t number, uint32_t expected,
                                      uint32_t come) {
  mistake_barrier_count(p, number, expected, come);
}
static inline void hook_lanes_missing(ThreadPlace p, uint32_t missing) {
  mistake_lanes_missing(p, missing);
}
/* A kernel launches one that the card does not run; more at once than a card keeps; and one that launches the next, without
 * end. */
static inline void hook_child_refused(ThreadPlace p, const PtxFunction *child, const char *why) {
  mistake_child_refused(p, child, why);
}
static inline void hook_children_too_many(const PtxFunction *parent, size_t most) {
  mistake_children_too_many(parent, most);
}
static inline void hook_children_endless(const PtxFunction *child) {
  mistake_children_endless(child);
}
/* All that the card holds wait for others that cannot start before them. */
static inline void hook_too_many_wait(const Warp *w, uint64_t fit, uint64_t waiting) {
  mistake_too_many_wait(w, fit, waiting);
}
static inline void hook_grid_barrier_absent(ThreadPlace p) { mistake_grid_barrier(p); }
static inline void hook_grid_barrier_lost(ThreadPlace p, uint64_t missing, uint64_t blocks) {
  mistake_grid_lost(p, missing, blocks);
}

/* ---- the host's side ------------------------------------------------------------------------- */
static inline void hook_freed(Allocation *a) {
  global_races_free(a);
  stream_races_free(a);
  touched_free(a);
}

#endif
