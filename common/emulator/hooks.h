/* Defines all events on the device of which observers are notified. Each event has one inline
 * function ("hook"), which the machine calls.
 *
 * The machine calls no other functions of the observers, and no header of observe/ includes this
 * header. To observe a new event, add a hook. (The runtime files reports and records copies
 * directly, through report.h and copies.h.) Observers store their data in separate structs
 * (observe/observed.h) and never call the machine. Observers do not influence a launch, except that
 * they decide which blocks are sampled (hook_passes_over). Parameters are always in this order:
 * warp or block, instruction, lanes, addresses. */
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
/* Called when a launch and its workers begin, before any block runs. */
static inline void hook_launch_begins(Run *run) {
  for (uint32_t i = 0; i < run->nworkers; i++) {
    WorkerObserved *o = run->workers[i].observed = calloc(1, sizeof *o);
    if (!o || !(o->functions = calloc(run->module->nfunctions, sizeof *o->functions)))
      abort();
  }
  if (run->stepwise)
    tape_launch_begins(run);
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
/* Called repeatedly while a launch runs. */
static inline void hook_launch_runs(void) { report_launch_runs(); }
/* Called when all blocks of the grid have arrived at the grid barrier and no other worker is
 * running. */
static inline void hook_grid_barrier(Run *run) {
  const unsigned parts = global_races_parts(run) != 0;
  if (parts)
    global_races_settle(run, 0, parts);
  global_races_settled(run, parts);
  global_notes_begin(run);
}
/* Called when all blocks are done. Returns the number of parts into which the search for races
 * between blocks is divided; 0: no search is necessary. */
static inline unsigned hook_launch_parts(const Run *run) { return global_races_parts(run); }
/* Called by each worker for one part of the search for races. The workers search their parts at the
 * same time. */
static inline void hook_launch_part(Run *run, unsigned part, unsigned parts) {
  global_races_settle(run, part, parts);
}
/* Called after the search for races, when the launch ends with this status. */
static inline void hook_launch_ends(Run *run, unsigned parts, LaunchStatus status) {
  progress_launch_done();
  global_races_settled(run, parts);
  counters_launch(run);
  for (Worker *worker = run->workers; worker < run->workers + run->nworkers; worker++) {
    sum_order_collect(worker);
    predict_add(run, worker);
    counters_add(run, worker);
    for (uint32_t i = 0; i < run->module->nfunctions; i++)
      if (worker->observed->functions[i].blocks)
        count_destroy(&worker->observed->functions[i], &run->module->functions[i]);
    free(worker->observed->functions);
    free(worker->observed);
  }
  if (run->stepwise)
    tape_launch_ends(run, (int)status);
  report_launch_done(run_certain(run));
  predict_launch_ends(run);
  order_forget(&run->observed->words);
  free(run->observed->given);
  free(run->observed);
}

/* ---- blocks, warps, calls -------------------------------------------------------------------- */
/* Called when a Block and its Warps have been allocated. They are reused for many blocks of the
 * grid. */
static inline void hook_block_made(Block *b) {
  b->observed = calloc(1, sizeof *b->observed);
  if (!b->observed)
    abort();
  b->observed->shadow = shared_shadow_create(b->shared_bytes, b->run->function->shared_granule);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    WarpObserved *o = b->warps[i].observed = calloc(1, sizeof *o);
    if (!o)
      abort();
    o->shadow = b->observed->shadow;
    o->checks = b->run->checks;
    o->bank_phase = banks_period(b->run->bank_mode) - 1;
  }
}
/* Called when a Block and its Warps are freed. */
static inline void hook_block_gone(Block *b) {
  for (uint32_t i = 0; i < b->nwarps; i++) {
    definedness_free(&b->warps[i]);
    order_warp_gone(&b->warps[i]);
    free(b->warps[i].observed);
  }
  shared_shadow_destroy(b->observed->shadow);
  order_block_gone(b);
  pending_free(b);
  free(b->observed);
}
/* Returns true if block `number` of the grid must be skipped. With LOCKSTEP_SAMPLES_ONLY, only
 * blocks that are sampled for predictions run; grids with a barrier run completely. */
static inline bool hook_passes_over(const Run *run, uint64_t number) {
  Trace *trace = run->observed->trace;
  return __builtin_expect(machine_settings()->samples_only, 0) && !run->launch->cooperative &&
         !(trace && trace_block(trace, number));
}
/* Called when a Block and its Warps begin block b->number of the grid. */
static inline void hook_block_begins(Block *b) {
  Trace *trace = b->run->observed->trace;
  TracedBlock *traced = b->observed->trace = trace ? trace_block(trace, b->number) : NULL;
  order_block_begins(b);
  b->observed->noted_in = 0;
  shared_shadow_block(b->observed->shadow, b);
  pending_block(b);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    WarpObserved *o = b->warps[i].observed;
    o->trace = traced ? &traced->warps[i] : NULL;
    definedness_start(&b->warps[i]);
    order_warp_begins(&b->warps[i]);
    o->branch_line = o->stored_nothing = 0;
    o->sync_floor = o->shadow->barrier_floor;
    memset(o->diverged_line, 0, sizeof o->diverged_line);
  }
}
/* Called when a frame has been allocated: connects the frame with the counts of its function. */
static inline void hook_frame_made(const Warp *w, Frame *f) {
  f->count = &w->worker->observed->functions[f->function - w->block->run->module->functions];
  if (!f->count->blocks) { /* the first frame of this function on this worker */
    count_create(f->count, f->function);
    samples_want(f->count, f->function);
  }
  f->access = f->count->access;
  f->blocks = f->count->blocks;
}
/* Called when lanes enter a function with this frame. */
static inline void hook_frame_begins(Warp *w, Frame *f, uint32_t lanes) {
  if (f->marks || f->function->local_bytes || f->function->nundefined)
    definedness_enter(w, f, lanes);
}
/* Called when a frame is freed. */
static inline void hook_frame_gone(Frame *f) { definedness_frame_free(f); }
/* Called when arguments or a result are copied between two frames. `source` and `target`: offsets
 * in the argument areas of the frames. */
static inline void hook_argument(Warp *w, const Frame *from, uint32_t source, Frame *to,
                                 uint32_t target, uint32_t bytes, uint32_t lanes) {
  if (w->has_undefined)
    definedness_argument(w, from, source, to, target, bytes, lanes);
}
/* Called before a call of an external function, or a matrix instruction, uses values of these
 * lanes. */
static inline void hook_uses(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (!w->has_undefined)
    return;
  if (insn->form == PTX_CALL)
    definedness_builtin(w, f, insn, lanes);
  else
    definedness_matrices(w, f, insn, lanes);
}

/* ---- flow ------------------------------------------------------------------------------------ */
/* Returns true if the block must not be sampled: only sampled blocks run, and the block polls for
 * another block. */
static inline bool is_not_sampled(const Warp *w) {
  return w->block->polling && machine_settings()->samples_only;
}
/* Called when lanes execute an instruction block. Returns true if the accesses of the block are
 * sampled: then the machine calls hook_sample before each instruction and hook_sampled after the
 * block. */
static inline bool hook_instructions(Warp *w, const Frame *f, uint32_t block, uint32_t lanes) {
  BlockCount *c = &f->blocks[block];
  c->runs++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  bool traced = __builtin_expect(w->observed->trace != NULL, 0) && !is_not_sampled(w) &&
                trace_run(w, f, block, lanes);
  return w->grid_number < c->unsampled || traced;
}
/* Called before these lanes execute an instruction of a sampled instruction block. */
static inline void hook_sample(Warp *w, const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  samples_take(w, f, insn, lanes);
  if (w->observed->trace && !is_not_sampled(w))
    trace_access(w, f, insn, lanes);
}
/* Called when a sampled instruction block has been executed. */
static inline void hook_sampled(const Frame *f, const PtxBlock *b) {
  samples_settle(f->count, f->function, b);
}
/* Called before an instruction is executed. `active`: the lanes of `lanes` whose guard is true. */
static inline void hook_instruction(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                    uint32_t active) {
  if (w->has_undefined)
    definedness_check(w, f, insn, lanes, active);
  if (insn->form == PTX_ALU && insn->guard != PTX_NO_REG)
    f->count->guarded_flop += ptx_op_flop((PtxOp)insn->op) * (unsigned)__builtin_popcount(active);
}
/* Called when lanes execute a conditional branch. `taken`: the lanes that jump. */
static inline void hook_branch(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes,
                               uint32_t taken) {
  if (w->has_undefined)
    definedness_branch(w, f, b, lanes);
  w->observed->branch_line = b->line;
  if (taken == 0 || taken == lanes)
    return;
  f->blocks[b - f->function->blocks].diverged++;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    w->observed->diverged_line[lane] =
        lanes >> lane & 1 ? b->line : w->observed->diverged_line[lane];
}
/* Called when lanes return from a function, or exit. */
static inline void hook_leave(Warp *w, const PtxBlock *b, uint32_t lanes) {
  WarpObserved *o = w->observed;
  uint32_t line = o->branch_line ? o->branch_line : b->line;
  const uint32_t apart = w->npaths > 1 ? UINT32_MAX : 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint32_t own = o->diverged_line[lane] & apart, left = own ? own : line;
    o->exit_line[lane] = lanes >> lane & 1 ? left : o->exit_line[lane];
  }
}

/* ---- a prescribed order ---------------------------------------------------------------------- */
/* Called before lanes access memory. `time`: number of accesses of the same kind that the warp has
 * made at this line, including this one. */
static inline void hook_access_begins(const Warp *w, const PtxInsn *insn, uint32_t lanes,
                                      uint32_t time) {
  tape_access_begins(w, insn, lanes, time);
}
/* Called when the access for which hook_access_begins was called is done. */
static inline void hook_access_ends(const Warp *w, const PtxInsn *insn) {
  tape_access_ends(w, insn);
}
/* Called when lanes begin a step at this instruction (TAPE_STEP), reach a barrier or a __syncwarp()
 * (TAPE_ARRIVES), are stopped by hold number `hold` (TAPE_HELD) or are released by the hold
 * (TAPE_LET_GO). */
static inline void hook_order(const Warp *w, const PtxInsn *insn, uint32_t lanes, TapeKind event,
                              uint32_t hold) {
  tape_order(w, insn, lanes, event, hold);
}

/* ---- shared memory --------------------------------------------------------------------------- */
/* Called when a full warp stores a row: lane i stores at address + i * bytes. */
static ALWAYS_INLINE void hook_shared_store_row(Warp *w, const PtxInsn *insn, uint32_t address,
                                                unsigned bytes) {
  access_count(w, insn)->whole++;
  if (w->observed->checks)
    shadow_write_run(w, insn, address, bytes);
}
static ALWAYS_INLINE void shared_row(Warp *w, const PtxInsn *insn, uint32_t address,
                                     unsigned bytes) {
  bool quiet;
  access_count(w, insn)->whole++;
  if (!w->observed->checks || shadow_quiet(w->observed->shadow, address, 32 * bytes))
    return;
  uint32_t undefined = shadow_read_run(w, insn, address, bytes, &quiet);
  if (quiet)
    shadow_look(w->observed->shadow, address, 32 * bytes);
  if (!undefined)
    return;
  uint64_t addresses[WARP_LANES];
  lane_addresses(w->frame->registers, insn, addresses);
  definedness_load(w, w->frame, insn, ALL_LANES, undefined, addresses, PTX_SHARED);
}
/* Called when lanes load in this pattern. CONSECUTIVE: lane i loads at at + i * bytes. SAME: all
 * lanes load at `at`. SCATTERED: the lanes load at the offsets of `shape`, and the lowest lane at
 * `at`. Returns false if hook_shared_access must be called instead. */
static ALWAYS_INLINE bool hook_shared_load(Warp *w, const PtxInsn *insn, Pattern pattern,
                                           const Shape *shape, uint32_t at, unsigned bytes) {
  if (pattern == CONSECUTIVE) {
    shared_row(w, insn, at, bytes);
    return true;
  }
  if (w->observed->checks && !(pattern == SAME ? shadow_read_same(w, insn, at, bytes)
                                               : shadow_read_few(w, insn, shape, at, bytes)))
    return false;
  if (pattern == SAME)
    access_count(w, insn)->same++;
  else
    count_shared(w, insn, shape, at);
  return true;
}
/* Called before a warp executes the first load of an unrolled loop, which reads at `first`. All
 * loads of the loop read [low, low + span). Returns true if all these loads have been checked and
 * recorded; then hook_shared_foreseen is called for each load. */
static inline bool hook_shared_loads_ahead(Warp *w, const PtxInsn *insn, const Base *base,
                                           uint64_t first, uint32_t low, uint32_t span) {
  return !w->observed->checks || shadow_read_ahead(w, insn, base, (uint32_t)first, low, span);
}
/* Called when a load is executed that hook_shared_loads_ahead has checked and recorded. Returns
 * false if hook_shared_access must be called instead. */
static ALWAYS_INLINE bool hook_shared_foreseen(Warp *w, const PtxInsn *insn, Pattern pattern,
                                               const Shape *shape, uint32_t at) {
  if (pattern == SCATTERED)
    return count_shared_known(w, insn, shape, at);
  if (pattern == CONSECUTIVE)
    access_count(w, insn)->whole++;
  else
    access_count(w, insn)->same++;
  return true;
}
/* Called when lanes load, store or atomically change the elements of a shape. `at`: the lowest
 * lane's offset. */
static inline void hook_shared_access(Warp *w, const PtxInsn *insn, const Shape *shape,
                                      uint32_t at) {
  count_shared(w, insn, shape, at);
  if (insn->form == PTX_ATOM) {
    uint32_t undefined = w->observed->checks ? shadow_atomic(w, insn, shape, at) : 0;
    EACH_SET(lane, insn->sub == PTX_ATOM_EXCH ? 0 : undefined)
    mistake_undefined_atomic(w, insn, lane, PTX_SHARED, shape_at(shape, at, lane));
    return;
  }
  if (insn->form == PTX_ST) {
    if (w->observed->checks)
      shadow_write(w, insn, shape, at);
    if (insn->flags & PTX_ASYNC && w->observed->checks)
      pending_note(w, insn, shape, at);
    if (__builtin_expect(w->observed->stored_nothing, 0))
      shadow_write_nothing(w, insn, shape, at);
    return;
  }
  if (!w->observed->checks)
    return;
  uint32_t undefined = shadow_read(w, insn, shape, at);
  if (!undefined && !w->has_undefined)
    return;
  uint64_t addresses[WARP_LANES];
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    addresses[lane] = shape_at(shape, at, lane);
  definedness_load(w, w->frame, insn, shape->lanes, undefined, addresses, PTX_SHARED);
}

/* ---- global and constant memory -------------------------------------------------------------- */
static ALWAYS_INLINE void global_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                                     unsigned bytes, bool store) {
  AccessCount *c = access_count(w, insn);
  c->whole++;
  c->sum.sectors +=
      insn->space == PTX_CONST ? WARP_LANES : sectors_between(address, address + 32 * bytes);
  if (a->watched) {
    if (a->shadow)
      global_races_row(w, insn, a, address, store ? ACCESS_WRITES : ACCESS_READS);
    if (a->touched)
      touched_span(w, insn, store ? TOUCH_WRITE : TOUCH_READ, a, address, 32 * bytes);
  }
}
static ALWAYS_INLINE void global_same(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                                      unsigned bytes) {
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
/* Called when a full warp stores a row: lane i stores at address + i * bytes. */
static ALWAYS_INLINE void hook_global_store_row(Warp *w, const PtxInsn *insn, Allocation *a,
                                                uint64_t address, unsigned bytes) {
  global_row(w, insn, a, address, bytes, true);
}
/* Called when lanes load from one allocation in this pattern (see hook_shared_load). Returns false
 * if hook_global_access must be called instead. */
static ALWAYS_INLINE bool hook_global_load(Warp *w, const PtxInsn *insn, Pattern pattern,
                                           const Shape *shape, Allocation *a, uint64_t at,
                                           unsigned bytes) {
  if (pattern == SCATTERED) {
    if (a->watched || (w->observed->checks && (!a->all_defined || w->has_undefined)))
      return false;
    count_global(w, insn, shape, at, false);
    return true;
  }
  if (!a->all_defined &&
      !definedness_of_range(a, at - a->address, pattern == CONSECUTIVE ? 32 * bytes : bytes))
    return false;
  if (pattern == CONSECUTIVE)
    global_row(w, insn, a, at, bytes, false);
  else
    global_same(w, insn, a, at, bytes);
  return true;
}
/* Called when lanes load, store or atomically change the elements of a shape in one allocation,
 * before the access marks memory as defined. `at`: the lowest lane's address. `more`: this hook has
 * been called for other lanes of the same request. */
static inline void hook_global_access(Warp *w, const PtxInsn *insn, const Shape *shape,
                                      Allocation *a, uint64_t at, bool more) {
  const bool atomic = insn->form == PTX_ATOM, store = insn->form == PTX_ST;
  count_global(w, insn, shape, at, more);
  if (a->watched) {
    if (a->shadow)
      global_races_access(w, insn, shape, a, at,
                          atomic  ? ACCESS_CHANGES
                          : store ? ACCESS_WRITES
                                  : ACCESS_READS);
    if (a->touched)
      touched_lanes(w, insn,
                    atomic  ? TOUCH_ATOMIC
                    : store ? TOUCH_WRITE
                            : TOUCH_READ,
                    shape, a, at);
  }
  if (atomic || insn->flags & PTX_VOLATILE)
    order_access(w, insn, shape, at, a->view + (at - a->address), false);
  if (store || !w->observed->checks || (a->all_defined && (atomic || !w->has_undefined)) ||
      (atomic && insn->sub == PTX_ATOM_EXCH))
    return;
  uint32_t undefined = definedness_of_global(a, shape, at, access_bytes(insn));
  if (atomic) {
    EACH_SET(lane, undefined)
    mistake_undefined_atomic(w, insn, lane, PTX_GLOBAL, shape_at(shape, at, lane));
    return;
  }
  if (!undefined && !w->has_undefined)
    return;
  uint64_t addresses[WARP_LANES];
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    addresses[lane] = shape_at(shape, at, lane);
  definedness_load(w, w->frame, insn, shape->lanes, undefined, addresses, PTX_GLOBAL);
}
/* Called when a lane has added to a floating-point number and the sum was rounded. */
static inline void hook_sum_rounded(Warp *w, const PtxInsn *insn, uint64_t address) {
  if (w->block->run->checks)
    sum_order_note(w, insn, address);
}
/* Called when a texture fetch reads `bytes` bytes of a texel. */
static inline void hook_texel(const Warp *w, const Allocation *a, uint64_t offset, unsigned bytes) {
  if (a->touched)
    touched_texel(w, a, offset, bytes);
}
/* Called when a texture fetch is done. `undefined`: the lanes that read memory which was never
 * written. */
static inline void hook_texture_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                     uint32_t undefined, const uint64_t *address) {
  if (w->observed->checks && (undefined || w->has_undefined))
    definedness_load(w, f, insn, lanes, undefined, address, PTX_GLOBAL);
}

/* ---- local memory ---------------------------------------------------------------------------- */
/* Called when lanes load from or store to local memory. `same`: all lanes have offset[0]. */
static inline void hook_local_access(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                     const uint32_t *offset, bool same) {
  AccessCount *c = access_count(w, insn);
  c->sum.requests++;
  c->sum.lanes += (unsigned)__builtin_popcount(lanes);
  if (!w->observed->checks)
    return;
  if (insn->form == PTX_LD)
    definedness_local_load(w, f, insn, lanes, offset, same);
  else
    definedness_local_store(w, f, insn, lanes, offset, same);
}
/* Called when an external function has written `bytes` bytes of one lane's local memory, or of
 * shared memory. */
static inline void hook_given(Warp *w, unsigned lane, PtxSpace space, uint32_t offset,
                              uint32_t bytes) {
  if (!w->observed->checks)
    return;
  if (space == PTX_LOCAL)
    definedness_local_given(w, lane, offset, bytes);
  else
    shadow_given(w, lane, offset, bytes);
}

/* ---- synchronisation of lanes ---------------------------------------------------------------- */
/* Called when threads pass barrier `number`: all threads of the block if `lanes` is NULL, otherwise
 * the lanes lanes[i] of each warp i. */
static inline void hook_barrier(Block *b, uint32_t number, const uint32_t *lanes) {
  trace_barrier(b, lanes);
  if (lanes) {
    order_named_barrier(b, number, lanes);
    return;
  }
  order_barrier(b);
  if (b->run->stepwise)
    tape_barrier(b);
  pending_barrier(b);
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->warps[i].observed->sync_floor = b->observed->shadow->barrier_floor;
}
/* Called when lanes arrive at barrier `number` without waiting (bar.arrive). */
static inline void hook_arrived(Warp *w, uint32_t number, uint32_t lanes) {
  order_arrive(w, number, lanes);
}
/* Called when lanes execute a fence, commit a group of asynchronous copies, or wait for such
 * groups. */
static inline void hook_fence(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  if (insn->form == PTX_COPIES)
    pending_copies(w, insn, lanes);
  else if (w->worker->run->observed->orders)
    order_fence(w, lanes, insn->sub);
}
/* Called when lanes execute a shuffle: lane i gets the value of lane source[i]. The value is
 * undefined if lane source[i] is not in `present`. */
static inline void hook_shuffle(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                                const uint32_t *source, uint32_t present) {
  uint32_t absent = 0;
  for (unsigned lane = 0; lane < WARP_LANES && present != ALL_LANES; lane++)
    absent |= (~present >> source[lane] & 1) << lane;
  absent = w->observed->checks ? absent & lanes : 0;
  if (w->has_undefined || absent)
    definedness_shuffle(w, f, insn, lanes, source, present, absent);
}
/* Called when a warp-wide instruction has written its results in these lanes of a frame. */
static inline void hook_met(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (w->has_undefined)
    definedness_meet(w, f, insn, lanes);
}
/* Called when lanes of one warp have synchronised with one another. */
static inline void hook_lanes_met(Warp *w, uint32_t lanes) {
  if (w->observed->checks)
    order_lanes(w, lanes);
}

/* ---- mistakes -------------------------------------------------------------------------------- */
/* Called when an access of a lane is invalid. `why`: REPORT_OUT_OF_BOUNDS, REPORT_MISALIGNED or
 * REPORT_READ_ONLY. */
static inline void hook_wrong_access(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                                     uint64_t address, unsigned bytes, ReportKind why) {
  mistake_access(w, insn, lane, space, address, bytes, why);
}
/* Called when the machine has found another mistake, for example threads that wait forever. */
static inline void hook_mistake(Mistake mistake) { mistake_tell(&mistake); }

/* ---- the host's side ------------------------------------------------------------------------- */
/* Called when the host frees an allocation. */
static inline void hook_freed(Allocation *a) {
  global_races_free(a);
  stream_races_free(a);
  touched_free(a);
}

#endif
