/* Implements divergence: tracks which lanes of a warp run together, and which instruction they
 * execute next.
 *
 * Lanes that run together form a path. When a path diverges at a branch, convergence points are
 * opened for its lanes at the instruction blocks that ptx/postdominators.c has computed. A path
 * that reaches one of its open points waits there until all other members of the point have
 * arrived, have exited, or wait at an outer point. Then the lanes at the point continue as one
 * path, like the lanes of a current GPU after a convergence barrier. All exits of a loop lead to
 * one instruction block, so they have one common point. Lanes that call a function together share a
 * frame. The end of the called function is a convergence point too: these lanes return together.
 *
 * There is one exception. A path that polls memory may be waiting for lanes that themselves wait
 * for the path at a convergence point, for example if a loop takes a lock. Then these lanes
 * continue without the path (paths_force_progress). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "warp.h"

#define MAX_DEPTH 16384
#define MAX_LOCAL (512 * 1024)

/* ---- frames ---------------------------------------------------------------------------------- */
static uint64_t constant_value(const Warp *w, const PtxConstant *c) {
  const Run *run = w->block->run;
  switch ((PtxConstantKind)c->kind) {
  case PTX_VALUE:
    return c->value;
  case PTX_GLOBAL_SYMBOL:
    return module_variable(run->module, c->symbol)->address + c->value;
  case PTX_SHARED_SYMBOL:
    return run->function->shared_offset[c->symbol] + c->value;
  case PTX_DYNAMIC_SHARED:
    return (run->function->shared_bytes + 15) / 16 * 16 + c->value;
  case PTX_FUNCTION_SYMBOL:
    return c->symbol + 1;
  }
  assert(!"constant kind");
  return 0;
}

static void fill_constants(Warp *w, Frame *f) {
  for (uint32_t i = 0; i < f->function->nconstants; i++) {
    const PtxConstant *c = &f->function->constants[i];
    uint64_t value = constant_value(w, c);
    for (int lane = 0; lane < WARP_LANES; lane++)
      if (c->bytes == 8)
        slot64(f->registers, c->slot)[lane] = value;
      else
        slot32(f->registers, c->slot)[lane] = (uint32_t)value;
  }
}

/* Executes the invariant instructions in program order. This is done once per frame; the results
 * are valid for all warps that use the frame later. */
static void fill_invariants(Warp *w, Frame *f) {
  Frame *running = w->frame;
  w->frame = f;
  for (uint32_t i = 0; i < f->function->ninvariant; i++) {
    const PtxInsn *insn = &f->function->code[f->function->invariant[i]];
    if (insn->run)
      insn->run(f->registers, insn);
    else
      insn->step(w, insn, ALL_LANES);
  }
  w->frame = running;
}

static size_t padded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void frame_shape(Warp *w, Frame *f) {
  const PtxFunction *function = f->function;
  size_t registers = padded((size_t)(function->nslots + 2) * PTX_SLOT_BYTES);
  size_t total = registers + ((size_t)function->argument_bytes + 7) / 4 * PTX_SLOT_BYTES;
  f->memory = aligned_alloc(64, padded(total));
  assert(f->memory);
  memset(f->memory, 0, total);
  f->registers = f->memory;
  f->arguments = f->memory + registers;
  fill_constants(w, f);
  fill_invariants(w, f);
}

static uint32_t number_of(const Warp *w, const PtxFunction *function) {
  return (uint32_t)(function - w->block->run->module->functions);
}

static Recent **recent_of(const Warp *w, const PtxFunction *function) {
  return &w->worker->recent[number_of(w, function)];
}

/* Returns the list of unused frames of a function. The most recently used frame is first, because
 * it is probably still in the host's cache. */
static Frame **unused(const Warp *w, const PtxFunction *function) {
  return &w->worker->unused[number_of(w, function)];
}

static Frame *frame_take(Warp *w, const PtxFunction *function) {
  Frame **first = unused(w, function), *f = *first;
  if (f) {
    *first = f->next;
    return f;
  }
  f = calloc(1, sizeof *f);
  assert(f);
  Recent **recent = recent_of(w, function);
  if (!*recent) {
    *recent = calloc(function->ncode + 1u, sizeof **recent);
    assert(*recent);
  }
  f->function = function;
  f->recent = *recent;
  hook_frame_made(w, f);
  frame_shape(w, f);
  return f;
}

static void frame_give_back(Warp *w, Frame *f) {
  Frame **first = unused(w, f->function);
  f->next = *first;
  *first = f;
}

void frames_free(Frame *f) {
  for (Frame *next; f; f = next) {
    next = f->next;
    hook_frame_gone(f);
    free(f->memory);
    free(f);
  }
}

static void grow_local(Warp *w, uint32_t need) {
  if (need <= w->local_bytes)
    return;
  uint32_t bytes = w->local_bytes ? w->local_bytes : 64;
  while (bytes < need)
    bytes *= 2;
  w->local = realloc(w->local, (size_t)bytes * WARP_LANES);
  assert(w->local);
  memset(w->local + (size_t)w->local_bytes * WARP_LANES, 0xff,
         (size_t)(bytes - w->local_bytes) * WARP_LANES);
  w->local_bytes = bytes;
}

/* Returns the size in bytes per thread that a frame has on a GPU: the arrays of the function, the
 * registers that are live across its calls, and the return address. The GPU's assembler may store
 * more. */
static uint32_t stack_bytes(const PtxFunction *function) {
  enum { RETURNS_TO = 12, PIECE = 16 };
  const uint32_t arrays = function->local_bytes - function->alloca_bytes;
  return (arrays + 4 * function->saved_registers + RETURNS_TO + PIECE - 1) / PIECE * PIECE;
}

/* The stack size in bytes per thread, which limits recursive calls. Without recursion, a GPU
 * computes the size before the launch and provides as much as is needed. */
static size_t stack_limit = 1024;
void machine_stack(size_t bytes) { stack_limit = bytes; }

static bool overflows(const Frame *caller, const PtxFunction *function) {
  if (caller->stack + stack_bytes(function) <= stack_limit)
    return false;
  for (const Frame *f = caller; f; f = f->caller)
    if (f->function == function)
      return true;
  return false;
}

static Frame *frame_open(Warp *w, const PtxFunction *function, Frame *caller, uint32_t lanes) {
  Frame *f = frame_take(w, function);
  f->caller = caller;
  f->call = NULL;
  f->depth = caller ? caller->depth + 1 : 1;
  f->lanes = lanes;
  f->returned = 0;
  f->local_base = caller ? (caller->local_end + 15) / 16 * 16 : 0;
  f->local_end = f->local_base + function->local_bytes;
  f->stack = caller ? caller->stack + stack_bytes(function) : 0;
  grow_local(w, f->local_end);
  hook_frame_begins(w, f, lanes);
  return f;
}

/* ---- points ---------------------------------------------------------------------------------- */
static uint32_t point_make(Warp *w, Frame *frame, uint32_t block, uint32_t members,
                           uint32_t outer) {
  uint32_t at = 0;
  if (!w->free_points) {
    at = w->npoints;
    w->npoints = w->npoints ? 2 * w->npoints : 4;
    w->points = realloc(w->points, w->npoints * sizeof *w->points);
    assert(w->points);
    memset(w->points + at, 0, (w->npoints - at) * sizeof *w->points);
    w->free_points = w->npoints - at;
  }
  while (w->points[at].in_use)
    at++;
  w->free_points--;
  w->points[at] = (ConvergencePoint){
      .frame = frame, .block = block, .members = members, .outer = outer, .in_use = true};
  return at;
}

static void point_free(Warp *w, uint32_t point) {
  w->points[point].in_use = false;
  w->free_points++;
}

/* ---- paths ----------------------------------------------------------------------------------- */
static uint32_t path_add(Warp *w, Path p) {
  assert(w->npaths < WARP_LANES && p.lanes);
  w->paths[w->npaths] = p;
  return w->npaths++;
}

/* Removes path i. The last path gets the number i. */
static void path_remove(Warp *w, uint32_t i) {
  if (i != --w->npaths)
    w->paths[i] = w->paths[w->npaths];
}

/* join_polls adds path p to lanes that reconverge or return together. The polls of the common path
 * are the lowest count of polls and the highest count of calm branches of all these lanes.
 * `others`: the lanes that have arrived before. */
static void arrive(Warp *w, Path p);

static void join_polls(Polls *all, uint32_t others, const Path *p) {
  if (!others || p->polls.count < all->count)
    all->count = p->polls.count;
  if (!others || p->polls.calm > all->calm)
    all->calm = p->polls.calm;
}

static void release(Warp *w, uint32_t point) {
  ConvergencePoint met = w->points[point];
  point_free(w, point);
  if (met.arrived)
    arrive(w, (Path){.lanes = met.arrived,
                     .block = met.block,
                     .point = met.outer,
                     .frame = met.frame,
                     .polls = met.polls});
}

/* Returns the open convergence point at an instruction block, or NO_POINT. */
static uint32_t point_at(const Warp *w, uint32_t point, uint32_t block) {
  while (point != NO_POINT && w->points[point].block != block)
    point = w->points[point].outer;
  return point;
}

static void drop_members(Warp *w, uint32_t point, uint32_t until, uint32_t lanes);

/* Called when a path has reached its next instruction block. If this block is an open convergence
 * point of the path, the path waits; otherwise it runs. */
static void arrive(Warp *w, Path p) {
  uint32_t at = point_at(w, p.point, p.block);
  if (at == NO_POINT) {
    path_add(w, p);
    return;
  }
  join_polls(&w->points[at].polls, w->points[at].arrived, &p);
  w->points[at].arrived |= p.lanes;
  if (at != p.point)
    drop_members(w, p.point, at, p.lanes);
  if (w->points[at].in_use && w->points[at].arrived == w->points[at].members)
    release(w, at);
}

void path_go(Warp *w, uint32_t i, uint32_t block) {
  Path *p = &w->paths[i];
  p->block = block;
  if (point_at(w, p->point, block) != NO_POINT) {
    Path gone = *p;
    path_remove(w, i);
    arrive(w, gone);
  }
}

/* Opens the convergence points of a branch for the lanes of path i. Removes the path from the list
 * and returns it. */
static Path open_points(Warp *w, uint32_t i, const PtxBlock *b) {
  Path p = w->paths[i];
  path_remove(w, i);
  for (int k = 1; k >= 0; k--)
    if (b->meet[k] != PTX_NO_BLOCK && point_at(w, p.point, b->meet[k]) == NO_POINT)
      p.point = point_make(w, p.frame, b->meet[k], p.lanes, p.point);
  return p;
}

void path_diverge(Warp *w, uint32_t i, const PtxBlock *b, uint32_t taken) {
  Path p = open_points(w, i, b), other = p;
  p.lanes &= ~taken;
  p.block = b->next;
  other.lanes = taken;
  other.block = b->taken;
  arrive(w, p);
  arrive(w, other);
}

void path_diverge_many(Warp *w, uint32_t i, const PtxBlock *b, const uint32_t *to) {
  Path p = open_points(w, i, b);
  for (uint32_t rest = p.lanes, same; rest; rest &= ~same) {
    uint32_t first = lowest(rest);
    same = 0;
    EACH_SET(lane, rest) same |= (uint32_t)(to[lane] == to[first]) << lane;
    p.lanes = same;
    p.block = to[first];
    arrive(w, p);
  }
}

void path_open(Warp *w, uint32_t i, uint32_t block) {
  Path *p = &w->paths[i];
  if (point_at(w, p->point, block) == NO_POINT)
    p->point = point_make(w, p->frame, block, p->lanes, p->point);
}

uint32_t path_split(Warp *w, uint32_t i, uint32_t lanes) {
  Path other = w->paths[i];
  other.lanes = lanes;
  w->paths[i].lanes &= ~lanes;
  return path_add(w, other);
}

/* ---- leaving --------------------------------------------------------------------------------- */
/* Removes lanes from the members of `point` and of its outer points, up to but excluding `until`.
 * Releases points whose remaining members have all arrived. */
static void drop_members(Warp *w, uint32_t point, uint32_t until, uint32_t lanes) {
  for (uint32_t at = point; at != until; at = w->points[at].outer)
    w->points[at].members &= ~lanes;
  while (point != until && w->points[point].in_use) {
    ConvergencePoint *c = &w->points[point];
    uint32_t outer = c->outer;
    if (c->arrived == c->members)
      release(w, point);
    point = outer;
  }
}

void path_detach(Warp *w, uint32_t i) {
  const uint32_t point = w->paths[i].point;
  w->paths[i].point = NO_POINT;
  drop_members(w, point, NO_POINT, w->paths[i].lanes);
}

/* Copies an argument or a result of these lanes from one frame to another. */
static void copy_parameter(Warp *w, const Frame *from, PtxParameter source, Frame *to,
                           PtxParameter target, uint32_t lanes) {
  uint32_t bytes = source.bytes < target.bytes ? source.bytes : target.bytes, at = 0;
  if (source.offset % 4 == 0 && target.offset % 4 == 0)
    for (; at + 4 <= bytes; at += 4)
      put32(to->arguments, (uint32_t)interleaved(target.offset + at, 0), lanes,
            slot32(from->arguments, (uint32_t)interleaved(source.offset + at, 0)));
  for (; at < bytes; at++)
    EACH_SET(lane, lanes)
  to->arguments[interleaved(target.offset + at, lane)] =
      from->arguments[interleaved(source.offset + at, lane)];
  hook_argument(w, from, source.offset, to, target.offset, bytes, lanes);
}

/* Lets the lanes that have returned from the frame continue after the call. Returns false if no
 * lanes have returned. */
static bool leave_frame(Warp *w, Frame *f) {
  Frame *caller = f->caller;
  const uint32_t lanes = f->returned;
  f->returned = 0;
  if (!lanes)
    return false;
  if (f->call->has_result && f->function->has_result)
    copy_parameter(w, f, f->function->result, caller, f->call->result, lanes);
  arrive(w, (Path){.lanes = lanes,
                   .block = caller->function->blocks[f->call_block].next,
                   .point = f->call_point,
                   .frame = caller,
                   .polls = f->polls});
  return true;
}

/* Ends a kernel in the usual case: all lanes exit together. Otherwise returns false. */
static bool leave_together(Warp *w, Frame *f) {
  if (f->caller || w->npaths != 1 || w->paths[0].lanes != f->lanes || w->paths[0].point != NO_POINT)
    return false;
  w->alive &= ~f->lanes;
  w->npaths = 0;
  f->lanes = 0;
  frame_give_back(w, f);
  return true;
}

void path_leave(Warp *w, uint32_t i, bool exit) {
  if (leave_together(w, w->paths[i].frame))
    return;
  Path p = w->paths[i];
  Frame *f = p.frame;
  exit = exit || !f->caller;
  path_remove(w, i);
  if (exit) {
    w->alive &= ~p.lanes;
  } else {
    join_polls(&f->polls, f->returned, &p);
    f->returned |= p.lanes;
  }
  uint32_t point = p.point;
  do {
    Frame *caller = f->caller;
    uint32_t call_point = f->call_point;
    f->lanes &= ~p.lanes;
    drop_members(w, point, NO_POINT, p.lanes);
    if (!f->lanes) {
      leave_frame(w, f);
      frame_give_back(w, f);
    }
    f = caller;
    point = call_point;
  } while (exit && f);
}

/* ---- calls ----------------------------------------------------------------------------------- */
bool path_call(Warp *w, uint32_t i, const PtxFunction *function, const PtxCall *call) {
  Path *p = &w->paths[i];
  Frame *caller = p->frame;
  if (caller->depth >= MAX_DEPTH || caller->local_end + function->local_bytes > MAX_LOCAL ||
      overflows(caller, function))
    return false;
  Frame *f = frame_open(w, function, caller, p->lanes);
  f->call = call;
  f->call_block = p->block;
  f->call_point = p->point;
  for (uint32_t k = 0; k < call->nargs && k < function->nparams; k++)
    copy_parameter(w, caller, call->args[k], f, function->params[k], p->lanes);
  p->frame = f;
  p->point = NO_POINT;
  p->block = 0;
  return true;
}

/* ---- sleeping and waking --------------------------------------------------------------------- */
void path_sleep(Warp *w, uint32_t i) {
  w->paths[i].asleep = true;
  w->asleep |= w->paths[i].lanes;
}

/* Wakes sleeping lanes. Lanes in the same frame, at the same instruction block and with the same
 * convergence point become one path. */
void lanes_wake(Warp *w, uint32_t lanes, bool next) {
  lanes &= w->asleep;
  if (!lanes)
    return;
  w->asleep &= ~lanes;
  w->state = WARP_READY;
  while (lanes) {
    Path woken = {0};
    for (uint32_t i = 0; i < w->npaths;) {
      Path *p = &w->paths[i];
      uint32_t some = p->asleep ? p->lanes & lanes : 0;
      bool together = !woken.lanes || (p->frame == woken.frame && p->block == woken.block &&
                                       p->point == woken.point);
      if (!some || !together) {
        i++;
        continue;
      }
      some |= woken.lanes;
      uint32_t rest = p->lanes & ~some;
      woken = *p;
      woken.lanes = some;
      woken.asleep = false;
      p->lanes = rest;
      if (!rest)
        path_remove(w, i);
      else
        i++;
    }
    lanes &= ~woken.lanes;
    if (next)
      woken.block = woken.frame->function->blocks[woken.block].next;
    arrive(w, woken);
  }
}

/* ---- scheduling ------------------------------------------------------------------------------ */
/* Returns the path with the fewest polls among the paths that can run. If several have the same
 * number, prefers the innermost call, and then the earliest instruction block. */
uint32_t paths_choose(const Warp *w) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < w->npaths; i++) {
    const Path *p = &w->paths[i], *b = &w->paths[best == UINT32_MAX ? i : best];
    if (p->asleep || p->held)
      continue;
    if (best == UINT32_MAX || p->polls.count < b->polls.count ||
        (p->polls.count == b->polls.count &&
         (p->frame->depth != b->frame->depth ? p->frame->depth > b->frame->depth
                                             : p->block < b->block)))
      best = i;
  }
  return best;
}

/* Lets lanes that wait for path p continue without it. Searches the convergence points of the path
 * from the innermost to the outermost, then the end of its function, then the points and ends of
 * its callers. Releases the first waiting lanes that are found. Returns false if no lanes wait. */
static bool force_progress_of(Warp *w, const Path *p) {
  Frame *f = p->frame;
  for (uint32_t point = p->point; f; point = f->call_point, f = f->caller) {
    for (; point != NO_POINT; point = w->points[point].outer) {
      ConvergencePoint *c = &w->points[point];
      uint32_t lanes = c->arrived;
      if (!lanes)
        continue;
      c->members &= ~lanes;
      c->arrived = 0;
      arrive(w, (Path){.lanes = lanes, .block = c->block, .point = c->outer, .frame = c->frame});
      return true;
    }
    f->polls = (Polls){0};
    if (leave_frame(w, f))
      return true;
  }
  return false;
}

/* Lanes that wait for a path that can run are released first, then those that wait for a sleeping
 * path. */
bool paths_force_progress(Warp *w) {
  for (int asleep = 0; asleep < 2; asleep++)
    for (uint32_t i = 0; i < w->npaths; i++)
      if (w->paths[i].asleep == asleep) {
        Path p = w->paths[i];
        if (force_progress_of(w, &p))
          return true;
      }
  return false;
}

/* ---- beginning and end ----------------------------------------------------------------------- */
void paths_start(Warp *w) {
  for (uint32_t i = 0; i < w->npoints; i++)
    w->points[i].in_use = false;
  w->free_points = w->npoints;
  w->npaths = 0;
  Frame *f = frame_open(w, w->block->run->function, NULL, w->alive);
  w->running = path_add(w, (Path){.lanes = w->alive, .point = NO_POINT, .frame = f});
}

/* Called when the launch was stopped. Paths may still be inside called functions. */
static void give_back_all(Warp *w) {
  while (w->npaths) {
    w->asleep &= ~w->paths[0].lanes;
    path_leave(w, 0, true);
  }
}

void paths_free(Warp *w) {
  give_back_all(w);
  free(w->points);
  free(w->local);
}
