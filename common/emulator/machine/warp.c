/* A warp: where its lanes are, which of them run next, and the loop that runs a block of
 * instructions.
 *
 * Two loops do the work. The plain one serves the usual case: every lane of the frame takes part,
 * no register holds an undefined value. The careful one keeps the sleeping lanes' registers and
 * carries undefinedness along.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../observe/samples.h"
#include "../observe/taint.h"
#include "../observe/watch.h"
#include "alu.h"
#include "warp.h"

#define TURN 65536 /* blocks of instructions a warp runs before others get their turn */
#define MAX_DEPTH 1024
#define MAX_LOCAL (512 * 1024)
#define PATIENCE 1024 /* choices of the earliest lanes before others get some, too */
#define RELIEF 64

static void number_threads(Warp *w) {
  const uint32_t *size = w->block->run->launch->block;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
    uint32_t linear = w->number * WARP_LANES + lane;
    w->thread[0][lane] = linear % size[0];
    w->thread[1][lane] = linear / size[0] % size[1];
    w->thread[2][lane] = linear / size[0] / size[1];
  }
}

/* ---- frames ------------------------------------------------------------------------------------
 */
static uint64_t constant_value(const Warp *w, const PtxConstant *c) {
  const Run *run = w->block->run;
  switch ((PtxConstantKind)c->kind) {
  case PTX_VALUE:
    return c->value;
  case PTX_GLOBAL_SYMBOL:
    return machine_variable(run->module, c->symbol)->address + c->value;
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

static size_t padded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void frame_shape(Warp *w, Frame *f, const PtxFunction *function) {
  size_t registers = padded((size_t)(function->nslots + 2) * PTX_SLOT_BYTES);
  size_t undefined = padded((function->nslots + 2) * sizeof(uint32_t));
  size_t origin = padded(function->nslots + 2);
  size_t total =
      registers + undefined + origin + padded((size_t)function->argument_bytes * WARP_LANES);
  if (total > f->capacity) {
    free(f->memory);
    f->memory = aligned_alloc(64, total);
    assert(f->memory);
    f->capacity = total;
  }
  memset(f->memory, 0, total);
  f->function = function;
  f->registers = f->memory;
  f->undefined = (uint32_t *)(void *)(f->memory + registers);
  f->origin = f->memory + registers + undefined;
  f->arguments = f->memory + registers + undefined + origin;
  fill_constants(w, f);
}

static void grow_local(Warp *w, uint32_t need) {
  if (need <= w->local_size)
    return;
  uint32_t size = w->local_size ? w->local_size : 64;
  while (size < need)
    size *= 2;
  uint8_t *bytes = malloc((size_t)size * WARP_LANES), *defined = calloc(WARP_LANES, size);
  assert(bytes && defined);
  memset(bytes, 0xff, (size_t)size * WARP_LANES);
  for (size_t lane = 0; w->local && lane < WARP_LANES; lane++) {
    memcpy(bytes + lane * size, w->local + lane * w->local_size, w->local_size);
    memcpy(defined + lane * size, w->local_defined + lane * w->local_size, w->local_size);
  }
  free(w->local);
  free(w->local_defined);
  w->local = bytes;
  w->local_defined = defined;
  w->local_size = size;
}

static Frame *frame_open(Warp *w, const PtxFunction *function, uint32_t lanes) {
  if (w->depth == w->frame_capacity) {
    uint32_t capacity = w->frame_capacity ? 2 * w->frame_capacity : 1;
    w->frames = realloc(w->frames, capacity * sizeof *w->frames);
    assert(w->frames);
    memset(w->frames + w->frame_capacity, 0, (capacity - w->frame_capacity) * sizeof *w->frames);
    w->frame_capacity = capacity;
  }
  Frame *f = w->top = &w->frames[w->depth++];
  if (f->function != function)
    frame_shape(w, f, function);
  f->count = &w->worker->functions[function - w->block->run->module->functions];
  f->access = f->count->access;
  f->call = NULL;
  f->lanes = f->called = lanes;
  f->parted = false;
  f->position = 0;
  f->local_base = (w->local_used + 15) / 16 * 16;
  w->local_used = f->local_base + function->local_bytes;
  grow_local(w, w->local_used);
  if (w->local_used > f->local_base)
    for (size_t lane = 0; lane < WARP_LANES; lane++)
      memset(w->local_defined + lane * w->local_size + f->local_base, 0, function->local_bytes);
  taint_enter(w, f);
  return f;
}

static void copy_arguments(const Frame *caller, const Frame *callee, const PtxCall *call,
                           uint32_t lanes) {
  for (uint32_t i = 0; i < call->nargs && i < callee->function->nparams; i++) {
    PtxParameter from = call->args[i], to = callee->function->params[i];
    uint32_t bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    EACH_SET(lane, lanes)
    memcpy(callee->arguments + lane * callee->function->argument_bytes + to.offset,
           caller->arguments + lane * caller->function->argument_bytes + from.offset, bytes);
  }
}

bool frame_push(Warp *w, const PtxFunction *function, const PtxCall *call, uint32_t lanes) {
  if (w->depth >= MAX_DEPTH || w->local_used + function->local_bytes > MAX_LOCAL)
    return false;
  frame_open(w, function, lanes);
  Frame *f = warp_frame(w);
  f->call = call;
  copy_arguments(f - 1, f, call, lanes);
  return true;
}

static void part_lanes(Frame *f, uint32_t lanes, uint32_t position) {
  if (!f->parted) {
    for (int lane = 0; lane < WARP_LANES; lane++)
      f->positions[lane] = f->lanes >> lane & 1 ? f->position : NOWHERE;
    f->parted = true;
  }
  EACH_SET(lane, lanes) f->positions[lane] = position;
}

static ALWAYS_INLINE void set_position(Frame *f, uint32_t lanes, uint32_t position) {
  if (__builtin_expect(lanes != f->lanes, 0)) {
    part_lanes(f, lanes, position);
    return;
  }
  f->parted = false; /* all together (again) */
  f->position = position;
}

/* The last lane has left a called function: its results go to the caller, which continues. */
static void frame_pop(Warp *w) {
  Frame *f = warp_frame(w);
  w->local_used = f->local_base;
  if (--w->depth == 0)
    return;
  w->top = f - 1;
  Frame *caller = warp_frame(w);
  uint32_t lanes = f->called & w->alive;
  if (f->call->has_result && f->function->has_result) {
    PtxParameter from = f->function->result, to = f->call->result;
    uint32_t bytes = from.bytes < to.bytes ? from.bytes : to.bytes;
    EACH_SET(lane, lanes)
    memcpy(caller->arguments + lane * caller->function->argument_bytes + to.offset,
           f->arguments + lane * f->function->argument_bytes + from.offset, bytes);
  }
  if (!lanes)
    return;
  uint32_t at = caller->parted ? caller->positions[lowest(lanes)] : caller->position;
  set_position(caller, lanes, caller->function->blocks[at].next);
}

/* ---- the life of a warp ---------------------------------------------------------------------- */
void warp_create(Warp *w, Block *block, uint32_t number) {
  memset(w, 0, sizeof *w);
  w->block = block;
  w->number = number;
  w->shared = block->shared;
  w->shared_bytes = block->shared_bytes;
  w->shadow = block->shadow;
  w->checks = block->run->checks;
  number_threads(w);
}

void warp_destroy(Warp *w) {
  for (uint32_t i = 0; i < w->frame_capacity; i++)
    free(w->frames[i].memory);
  free(w->frames);
  free(w->origins);
  free(w->local);
  free(w->local_defined);
}

void warp_start(Warp *w) {
  uint32_t left = w->block->nthreads - w->number * WARP_LANES;
  w->existing = left >= WARP_LANES ? ALL_LANES : (1u << left) - 1;
  w->alive = w->existing;
  w->asleep = 0;
  w->depth = 0;
  w->local_used = 0;
  w->branches = 0;
  w->picks = 0;
  w->passed = w->holds = w->gives_back = 0;
  w->tainted = w->resting = false;
  w->norigins = 0;
  w->turn = 0;
  memset(w->parting, 0, sizeof w->parting);
  w->state = WARP_READY;
  w->place = w->block->number * w->block->nwarps + w->number;
  frame_open(w, w->block->run->function, w->alive);
}

/* ---- sleeping and waking --------------------------------------------------------------------- */
void lanes_sleep(Warp *w, uint32_t lanes) {
  Frame *f = warp_frame(w);
  w->asleep |= lanes;
  if (!f->parted && w->depth == 1 && lanes == f->lanes) { /* nobody else's place to be kept */
    for (int lane = 0; lane < WARP_LANES; lane++) {
      w->sleep_position[lane] = f->position;
      w->sleep_depth[lane] = 0;
    }
    return;
  }
  if (!f->parted && lanes != f->lanes)
    part_lanes(f, lanes, f->position);
  EACH_SET(lane, lanes) {
    w->sleep_position[lane] = f->parted ? f->positions[lane] : f->position;
    w->sleep_depth[lane] = w->depth - 1;
    f->positions[lane] = NOWHERE;
  }
}

void lanes_wake(Warp *w, uint32_t lanes, bool next) {
  lanes &= w->asleep;
  if (!lanes)
    return;
  w->asleep &= ~lanes;
  w->state = WARP_READY;
  while (lanes) { /* together those that sleep together */
    uint32_t position = w->sleep_position[lowest(lanes)], depth = w->sleep_depth[lowest(lanes)];
    uint32_t same = 0;
    EACH_SET(lane, lanes)
    same |= (uint32_t)(w->sleep_position[lane] == position && w->sleep_depth[lane] == depth)
            << lane;
    Frame *f = &w->frames[depth];
    if (!f->parted && same != f->lanes) { /* all slept at one place, and some stay there */
      part_lanes(f, same, position);
      EACH_SET(lane, f->lanes & ~same) f->positions[lane] = NOWHERE;
    }
    set_position(f, same, next ? f->function->blocks[position].next : position);
    lanes &= ~same;
  }
}

/* Lanes that run next, and their block. Usually the earliest in reverse post-order; now and then
 * others, so that a loop that waits for another lane of its own warp lets that lane come. */
static uint32_t pick(Warp *w, Frame *f, uint32_t *position) {
  if (!f->parted) {
    *position = f->position;
    return w->asleep & f->lanes ? 0 : f->lanes;
  }
  uint32_t earliest = NOWHERE;
  for (int lane = 0; lane < WARP_LANES; lane++)
    earliest = f->positions[lane] < earliest ? f->positions[lane] : earliest;
  if (earliest == NOWHERE)
    return 0;
  uint32_t picks = w->picks++;
  if (picks % (PATIENCE + RELIEF) >= PATIENCE) {
    uint32_t lane = picks / (PATIENCE + RELIEF);
    while (f->positions[lane % WARP_LANES] == NOWHERE)
      lane++;
    earliest = f->positions[lane % WARP_LANES];
  }
  uint32_t lanes = 0;
  for (int lane = 0; lane < WARP_LANES; lane++)
    lanes |= (uint32_t)(f->positions[lane] == earliest) << lane;
  *position = earliest;
  return lanes;
}

/* ---- the instruction loops ------------------------------------------------------------------- */
static uint32_t predicate(const Frame *f, uint32_t offset) { return *slot32(f->registers, offset); }

static uint32_t guarded(const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (insn->guard == PTX_NO_REG)
    return lanes;
  uint32_t mask = predicate(f, insn->guard);
  return lanes & (insn->flags & PTX_NEG_PRED ? ~mask : mask);
}

/* Runs an operation on some lanes only: the others' results are put back. */
static void run_masked(uint8_t *registers, const PtxInsn *insn, uint32_t lanes) {
  unsigned bytes = alu_result_bytes(insn);
  _Alignas(64) uint8_t old[2 * PTX_SLOT_BYTES];
  memcpy(old, registers + insn->d, bytes);
  alu_handler(insn)(registers, insn);
  if (bytes == 4) {
    uint32_t *mask = slot32(registers, insn->d);
    *mask = (*mask & lanes) | (*slot32(old, 0) & ~lanes);
  } else if (bytes == PTX_SLOT_BYTES) {
    uint32_t *now = slot32(registers, insn->d), *before = slot32(old, 0);
    for (int lane = 0; lane < WARP_LANES; lane++)
      now[lane] = lanes >> lane & 1 ? now[lane] : before[lane];
  } else {
    uint64_t *now = slot64(registers, insn->d), *before = slot64(old, 0);
    for (int lane = 0; lane < WARP_LANES; lane++)
      now[lane] = lanes >> lane & 1 ? now[lane] : before[lane];
  }
}

/* One instruction on some lanes, guard and undefinedness included. */
static void step_carefully(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t active = guarded(f, insn, lanes);
  if (w->tainted)
    taint_check(w, f, insn, lanes, active);
  if (!active)
    return;
  if (insn->form == PTX_ALU) {
    if (active == f->lanes)
      alu_handler(insn)(f->registers, insn);
    else
      run_masked(f->registers, insn, active);
    if (insn->guard != PTX_NO_REG)
      f->count->guarded_flop += alu_flop(insn) * (unsigned)__builtin_popcount(active);
  } else {
    insn->step(w, insn, active);
  }
}

static void run_block(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  const PtxInsn *insn = f->function->code + b->first, *end = insn + b->count;
  if (lanes == f->lanes && !w->tainted) {
    uint8_t *registers = f->registers;
    for (; insn < end; insn++) {
      if (insn->run) {
        insn->run(registers, insn);
        continue;
      }
      if (insn->guard == PTX_NO_REG)
        insn->step(w, insn, lanes);
      else
        step_carefully(w, f, insn, lanes);
      if (w->tainted) {
        insn++;
        break;
      }
    }
  }
  for (; insn < end; insn++)
    step_carefully(w, f, insn, lanes);
}

/* The same for a block that wants samples of this warp's accesses. Not often. */
static __attribute__((noinline)) void run_block_sampled(Warp *w, Frame *f, const PtxBlock *b,
                                                        uint32_t lanes) {
  const PtxInsn *insn = f->function->code + b->first, *end = insn + b->count;
  for (; insn < end; insn++) {
    samples_take(w, f, insn, guarded(f, insn, lanes));
    step_carefully(w, f, insn, lanes);
  }
  samples_settle(f->count, f->function, b);
}

/* ---- how a block ends ------------------------------------------------------------------------ */
static void leave(Warp *w, Frame *f, uint32_t lanes, const PtxBlock *b, bool exit) {
  uint32_t turn = w->turn ? w->turn : b->line;
  EACH_SET(lane, lanes)
  w->exit_line[lane] = f->parted && w->parting[lane] ? w->parting[lane] : turn;
  if (f->parted)
    EACH_SET(lane, lanes) f->positions[lane] = NOWHERE;
  f->lanes &= ~lanes;
  if (exit || w->depth == 1) {
    w->alive &= ~lanes;
    for (uint32_t i = 0; i + 1 < w->depth; i++) {
      Frame *outer = &w->frames[i];
      outer->lanes &= ~lanes;
      EACH_SET(lane, lanes) outer->positions[lane] = NOWHERE;
    }
  }
  while (w->depth && warp_frame(w)->lanes == 0)
    frame_pop(w);
}

static void endless(Warp *w, const PtxBlock *b, uint32_t lanes) {
  Run *run = w->worker->run;
  run_fail(run, LAUNCH_ENDLESS);
  if (atomic_exchange(&run->stop, true))
    return;
  watch_endless(w, b->line, lowest(lanes));
}

static void part(Warp *w, Frame *f, uint32_t lanes, uint32_t taken, const PtxBlock *b) {
  EACH_SET(lane, lanes) w->parting[lane] = b->line;
  set_position(f, taken, b->taken);
  set_position(f, lanes & ~taken, b->next);
}

static void finish_table(Frame *f, const PtxBlock *b, uint32_t lanes) {
  uint32_t left = lanes;
  while (left) {
    uint32_t index = slot32(f->registers, b->predicate)[lowest(left)], same = 0;
    EACH_SET(lane, left)
    same |= (uint32_t)(slot32(f->registers, b->predicate)[lane] == index) << lane;
    /* an index beyond the table is undefined in PTX; the last entry is as good as any */
    set_position(f, same, b->table[index < b->ntable ? index : b->ntable - 1]);
    left &= ~same;
  }
}

static void finish_block(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  switch ((PtxEnd)b->end) {
  case PTX_END_FALL:
    set_position(f, lanes, b->next);
    return;
  case PTX_END_RET:
  case PTX_END_EXIT:
    leave(w, f, lanes, b, b->end == PTX_END_EXIT);
    return;
  case PTX_END_BRANCH:
    set_position(f, lanes, b->taken);
    break;
  case PTX_END_TABLE:
    finish_table(f, b, lanes);
    break;
  case PTX_END_IF: {
    uint32_t mask = predicate(f, b->predicate);
    uint32_t taken = lanes & (b->negated ? ~mask : mask);
    if (w->tainted)
      taint_branch(w, f, b, lanes);
    w->turn = b->line;
    if (taken == lanes) {
      set_position(f, lanes, b->taken);
    } else if (!taken) {
      set_position(f, lanes, b->next);
    } else {
      f->count->parted[b - f->function->blocks]++;
      part(w, f, lanes, taken, b);
    }
    break;
  }
  }
  if (++w->branches > w->worker->run->branch_limit)
    endless(w, b, lanes);
}

/* Lanes at an instruction that is alone in its block. */
static void run_meeting(Warp *w, Frame *f, uint32_t position, uint32_t lanes) {
  const PtxBlock *b = &f->function->blocks[position];
  const PtxInsn *insn = &f->function->code[b->first];
  uint32_t active = guarded(f, insn, lanes);
  if (active != lanes) /* the lanes that its guard keeps out go ahead */
    set_position(f, lanes & ~active, b->next);
  uint32_t onward = active ? sync_step(w, insn, active) : 0;
  if (onward)
    set_position(warp_frame(w), onward, b->next);
}

void warp_run(Warp *w) {
  atomic_bool *stop = &w->worker->run->stop;
  for (uint32_t turn = 0; w->depth && turn < TURN; turn++) {
    Frame *f = w->top;
    uint32_t position = f->position, lanes = f->lanes;
    if (f->parted || w->asleep & lanes)
      lanes = pick(w, f, &position);
    if (!lanes) {
      w->state = WARP_WAITING;
      return;
    }
    if (atomic_load_explicit(stop, memory_order_relaxed)) {
      w->depth = 0;
      w->alive = 0;
      break;
    }
    const PtxBlock *b = &f->function->blocks[position];
    f->count->block_runs[position]++;
    f->count->block_lanes[position] += (unsigned)__builtin_popcount(lanes);
    if (b->meeting) {
      run_meeting(w, f, position, lanes);
      continue;
    }
    if (__builtin_expect(w->place < f->count->unsampled[position], 0))
      run_block_sampled(w, f, b, lanes);
    else
      run_block(w, f, b, lanes);
    finish_block(w, f, b, lanes);
    if (__builtin_expect(w->resting, 0))
      break;
  }
  if (!w->depth)
    w->state = WARP_DONE;
}
