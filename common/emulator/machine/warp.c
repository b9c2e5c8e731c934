/* Runs a warp: contains the loops that execute instruction blocks, path by path.
 *
 * The plain loop (run_plainly) is for the usual case that no register is undefined. If a register
 * may be undefined, instructions are executed by step_carefully, which passes every instruction to
 * the observers. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "alu.h"
#include "stepwise.h"

/* Number of instruction blocks that a warp executes before other warps have a turn. */
#define TURN 65536
/* Number of polls after which a path that has not changed memory yields to other paths of its
 * warp. */
#define POLLS 64
/* Number of branches without a poll after which a path no longer counts as polling. */
#define CALM 32

static void number_threads(Warp *w) {
  const uint32_t *size = w->block->run->launch->block;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
    uint32_t linear = w->number * WARP_LANES + lane;
    w->thread[0][lane] = linear % size[0];
    w->thread[1][lane] = linear / size[0] % size[1];
    w->thread[2][lane] = linear / size[0] / size[1];
  }
}

/* ---- the life of a warp ---------------------------------------------------------------------- */
void warp_create(Warp *w, Block *block, uint32_t number) {
  memset(w, 0, sizeof *w);
  w->block = block;
  w->number = number;
  w->shared = block->shared;
  w->shared_bytes = block->shared_bytes;
  number_threads(w);
}

void warp_destroy(Warp *w) {
  paths_free(w);
  stepwise_warp_gone(w);
}

void warp_start(Warp *w) {
  uint32_t left = w->block->nthreads - w->number * WARP_LANES;
  w->existing = left >= WARP_LANES ? ALL_LANES : (1u << left) - 1;
  w->alive = w->existing;
  w->asleep = 0;
  w->branches = 0;
  w->npolled = w->nswapped = w->lost = 0;
  w->polled = w->changed = w->polling = w->at_grid_barrier = false;
  w->state = WARP_READY;
  w->nheld = 0;
  if (w->block->run->stepwise)
    stepwise_warp_starts(w);
  w->grid_number = w->block->number * w->block->nwarps + w->number;
}

/* ---- the instruction loops ------------------------------------------------------------------- */
static uint32_t predicate(const Frame *f, uint32_t offset) { return *slot32(f->registers, offset); }

/* Passes one instruction to the observers, and executes the instruction for the lanes whose guard
 * is true. */
static void step_carefully(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t active = warp_active(f, insn, lanes);
  hook_instruction(w, f, insn, lanes, active);
  if (!active)
    return;
  if (insn->form == PTX_ALU) {
    if (insn->run && active == f->lanes)
      insn->run(f->registers, insn);
    else
      insn->masked(f->registers, insn, active);
  } else {
    (w->has_undefined ? access_step_careful(insn) : insn->step)(w, insn, active);
  }
}

void warp_step(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  step_carefully(w, f, insn, lanes);
}

/* Executes, one by one, the instructions that were joined into one step. */
static void run_each(Warp *w, Frame *f, const PtxInsn *step, uint32_t lanes) {
  const PtxInsn *insn = &f->function->code[step->number];
  for (unsigned i = 0; i <= step->joins; i++)
    step_carefully(w, f, &insn[i], lanes);
}

/* Executes two loads, and the multiply-add that uses them, one by one. If a register becomes
 * undefined, continues with step_carefully. `apart`: other lanes of the frame are on other paths,
 * so their register values must not change. */
static ALWAYS_INLINE void run_product(Warp *w, Frame *f, const PtxInsn *step, uint32_t lanes,
                                      bool apart) {
  const PtxInsn *each = &f->function->code[step->number];
  unsigned done = 0;
  for (; done < 2 && !w->has_undefined; done++)
    each[done].step(w, &each[done], lanes);
  if (!apart && !w->has_undefined) {
    each[2].run(f->registers, &each[2]);
    return;
  }
  for (; done < 3; done++)
    step_carefully(w, f, &each[done], lanes);
}

/* Executes steps until a register may be undefined. Returns the next step. `apart`: as in
 * run_product. */
static ALWAYS_INLINE const PtxInsn *run_plainly(Warp *w, Frame *f, const PtxInsn *insn,
                                                const PtxInsn *end, uint32_t lanes, bool apart) {
  uint8_t *registers = f->registers;
  for (; insn < end && !__builtin_expect(w->has_undefined, 0); insn++) {
    for (; insn < end && insn->run && (!apart || insn->temporary); insn++)
      insn->run(registers, insn);
    if (insn == end)
      break;
    if (insn->joins == 2) {
      if (!shared_product(w, insn))
        run_product(w, f, insn, lanes, apart);
    } else if (insn->guard != PTX_NO_REG)
      step_carefully(w, f, insn, lanes);
    else if (apart && insn->form == PTX_ALU)
      insn->masked(registers, insn, lanes);
    else
      insn->step(w, insn, lanes);
  }
  return insn;
}

/* Executes the steps of an instruction block. Invariant instructions are not among the steps,
 * because they were executed when the frame was created. */
static void run_block(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  const PtxInsn *insn = f->function->steps + b->first_step, *end = insn + b->nsteps;
  insn = lanes == f->lanes ? run_plainly(w, f, insn, end, lanes, false)
                           : run_plainly(w, f, insn, end, lanes, true);
  for (; insn < end; insn++)
    run_each(w, f, insn, lanes);
}

/* Like run_block, for a warp whose accesses are recorded as samples. This is rare. */
static __attribute__((noinline)) void run_block_sampled(Warp *w, Frame *f, const PtxBlock *b,
                                                        uint32_t lanes) {
  const PtxInsn *insn = f->function->code + b->first, *end = insn + b->count;
  for (; insn < end; insn++) {
    if (insn->invariant)
      continue;
    hook_sample(w, f, insn, warp_active(f, insn, lanes));
    step_carefully(w, f, insn, lanes);
  }
  hook_sampled(f, b);
}

/* ---- ends of blocks: each function returns whether the path continues at its new block ------- */
static ALWAYS_INLINE bool go(Warp *w, uint32_t i, uint32_t block) {
  Path *p = &w->paths[i];
  for (uint32_t point = p->point; __builtin_expect(point != NO_POINT, 0);
       point = w->points[point].outer)
    if (w->points[point].block == block) {
      path_go(w, i, block);
      return false;
    }
  p->block = block;
  return true;
}

static bool finish_table(Warp *w, uint32_t i, const PtxBlock *b, uint32_t lanes) {
  const uint32_t *index = slot32(w->frame->registers, b->predicate);
  uint32_t targets[WARP_LANES], same = 0, first = lowest(lanes);
  EACH_SET(lane, lanes)
  /* PTX does not define the effect of an index beyond the table. Use the last entry. */
  targets[lane] = b->table[index[lane] < b->ntable ? index[lane] : b->ntable - 1];
  EACH_SET(each, lanes) same |= (uint32_t)(targets[each] == targets[first]) << each;
  hook_branch(w, w->frame, b, lanes, same);
  if (same == lanes)
    return go(w, i, targets[first]);
  path_diverge_many(w, i, b, targets);
  return false;
}

/* Detects polling: a path repeatedly reads memory that other threads may change, and changes no
 * memory itself. Returns false after POLLS polls, so that other paths of the warp, and other
 * blocks, can run. */
static __attribute__((noinline)) bool may_go_on(Warp *w, uint32_t i) {
  Path *p = &w->paths[i];
  if (w->changed) {
    p->polls = (Polls){0};
  } else if (w->polled) {
    p->polls.count++;
    p->polls.calm = 0;
  } else if (++p->polls.calm > CALM) {
    p->polls = (Polls){0};
  }
  w->polled = w->changed = false;
  return p->polls.count < POLLS;
}

/* The maximum number of branches of a warp after one of its loads was invalid. A GPU ends the
 * kernel at such a load. The emulator continues, and a loop may wait forever for the missing
 * value. */
enum { BRANCHES_AFTER_LOSS = 200000 };

static bool count_branch(Warp *w, uint32_t i, const PtxBlock *b, uint32_t lanes) {
  if (++w->branches > (w->lost ? BRANCHES_AFTER_LOSS : w->worker->run->branch_limit)) {
    run_stop(w, w->lost ? LAUNCH_ILLEGAL_ADDRESS : LAUNCH_ENDLESS);
    if (!w->lost)
      hook_mistake((Mistake){.kind = MISTAKE_ENDLESS, .at = {w, lowest(lanes), b->line}});
    w->branches = 0;
  }
  return !(w->polled | w->changed | (w->paths[i].polls.count != 0)) || may_go_on(w, i);
}

static bool finish_block(Warp *w, uint32_t i, const PtxBlock *b, uint32_t lanes) {
  Frame *f = w->frame;
  switch ((PtxEnd)b->end) {
  case PTX_END_FALL:
    return go(w, i, b->next);
  case PTX_END_RET:
  case PTX_END_EXIT:
    hook_leave(w, b, lanes);
    path_leave(w, i, b->end == PTX_END_EXIT);
    return false;
  case PTX_END_BRANCH: {
    bool patient = count_branch(w, i, b, lanes);
    return go(w, i, b->taken) && patient;
  }
  case PTX_END_TABLE: {
    bool patient = count_branch(w, i, b, lanes);
    return finish_table(w, i, b, lanes) && patient;
  }
  case PTX_END_IF: {
    uint32_t mask = predicate(f, b->predicate);
    uint32_t taken = lanes & (b->negated ? ~mask : mask);
    bool patient = count_branch(w, i, b, lanes);
    hook_branch(w, f, b, lanes, taken);
    if (taken == lanes)
      return go(w, i, b->taken) && patient;
    if (!taken)
      return go(w, i, b->next) && patient;
    path_diverge(w, i, b, taken);
    return false;
  }
  }
  return true;
}

/* ---- paths that wait for others -------------------------------------------------------------- */
/* Returns the lanes that wait at convergence points, which are in no path and not asleep. */
static uint32_t waiting(const Warp *w) {
  uint32_t lanes = w->alive & ~w->asleep;
  for (uint32_t i = 0; i < w->npaths; i++)
    lanes &= ~w->paths[i].lanes;
  return lanes;
}

/* Returns true if a lane that waits at a convergence point wrote the value that a path is polling.
 * Such a lane may, for example, hold a lock. */
static bool is_held_up(const Warp *w) {
  uint32_t lanes = waiting(w);
  for (uint32_t i = 0; lanes && i < POLLED && i < w->npolled; i++)
    for (uint32_t k = 0; k < POLLED && k < w->nswapped; k++)
      if (w->polled_at[i] == w->swapped_at[k] && w->swapped_by[k] & lanes &&
          w->polled_value[i] == w->swapped_in[k])
        return true;
  return false;
}

/* Returns the number of the path to run next; UINT32_MAX if all paths sleep or only poll.
 * `*rounds`: number of times in this turn that all paths were found polling. */
static uint32_t choose(Warp *w, uint32_t *rounds) {
  if (w->npaths == 1 && !w->paths[0].asleep && !w->paths[0].held && w->paths[0].polls.count < POLLS)
    return 0;
  uint32_t i = paths_choose(w);
  if (i == UINT32_MAX || w->paths[i].polls.count < POLLS)
    return i;
  if (is_held_up(w) && paths_force_progress(w))
    return paths_choose(w);
  for (uint32_t k = 0; k < w->npaths; k++)
    w->paths[k].polls.count = 1;
  w->polling = ++*rounds * POLLS >= w->worker->patience;
  return w->polling ? UINT32_MAX : i;
}

static void stop_here(Warp *w) {
  w->asleep = 0;
  while (w->npaths)
    path_leave(w, 0, true);
  w->alive = 0;
}

/* Runs path i for at most `*turns` instruction blocks, and subtracts their number from `*turns`.
 * Returns true if the path can continue. */
static ALWAYS_INLINE bool run_path(Warp *w, uint32_t i, uint32_t *turns) {
  Path *p = &w->paths[i];
  Frame *f = w->frame = p->frame;
  const PtxBlock *blocks = f->function->blocks;
  const uint32_t lanes = p->lanes;
  w->running = i;
  while ((*turns)--) {
    const PtxBlock *b = &blocks[p->block];
    if (__builtin_expect(is_stopped(w), 0)) {
      stop_here(w);
      return false;
    }
    bool sampled = hook_instructions(w, f, p->block, lanes);
    if (b->alone) {
      sync_step(w, i, &f->function->code[b->first]);
      return false;
    }
    if (__builtin_expect(sampled, 0))
      run_block_sampled(w, f, b, lanes);
    else
      run_block(w, f, b, lanes);
    bool goes_on = finish_block(w, i, b, lanes);
    if (!goes_on || __builtin_expect(w->at_grid_barrier, 0))
      return goes_on;
  }
  return true;
}

/* Like run_path, for a run with a prescribed order: a hold may stop the path at any access. */
static __attribute__((noinline)) bool run_path_stepwise(Warp *w, uint32_t i, uint32_t *turns) {
  Frame *f = w->frame = w->paths[i].frame;
  w->running = i;
  while ((*turns)--) {
    const PtxBlock *b = &f->function->blocks[w->paths[i].block];
    if (is_stopped(w)) {
      stop_here(w);
      return false;
    }
    const PtxInsn *alone = b->alone ? &f->function->code[b->first] : NULL;
    if (alone && stepwise_ends(w, alone, w->paths[i].lanes))
      return false;
    if (!w->paths[i].at)
      hook_instructions(w, f, w->paths[i].block, w->paths[i].lanes);
    if (alone && stepwise_skips(w, alone)) {
      path_go(w, i, b->next);
      return false;
    }
    if (alone) {
      if (alone->form == PTX_BARRIER || alone->form == PTX_SYNCWARP)
        hook_order(w, alone, w->paths[i].lanes, TAPE_ARRIVES, 0);
      sync_step(w, i, alone);
      return false;
    }
    if (!stepwise_block(w, i, b))
      return false;
    bool goes_on = finish_block(w, i, b, w->paths[i].lanes);
    if (!goes_on || w->at_grid_barrier)
      return goes_on;
  }
  return true;
}

/* Like warp_run, for a run with a prescribed order. Paths that are stopped at a hold do not run. If
 * all paths are stopped or asleep, the warp waits until a hold ends. */
static __attribute__((noinline)) void run_stepwise(Warp *w) {
  uint32_t rounds = 0, turns = TURN, i;
  bool ran = false;
  for (;;) {
    const bool held = w->npaths == 1 && w->paths[0].held;
    i = held ? UINT32_MAX : choose(w, &rounds);
    if (i == UINT32_MAX || !turns || w->at_grid_barrier)
      break;
    ran = true;
    if (run_path_stepwise(w, i, &turns) || stepwise_over(w))
      break;
  }
  if (!w->npaths)
    w->state = WARP_DONE;
  else if (i == UINT32_MAX && w->nheld)
    w->polling = w->polling || !ran;
  else if (i == UINT32_MAX && !w->polling)
    w->state = WARP_WAITING;
}

void warp_run(Warp *w) {
  w->polling = false;
  if (!w->npaths) /* the first turn of the warp */
    paths_start(w);
  if (__builtin_expect(w->block->run->stepwise != NULL, 0)) {
    run_stepwise(w);
    return;
  }
  uint32_t rounds = 0, turns = TURN, i = choose(w, &rounds);
  while (i != UINT32_MAX && !run_path(w, i, &turns)) {
    i = choose(w, &rounds);
    if (!turns || w->at_grid_barrier)
      break;
  }
  if (!w->npaths)
    w->state = WARP_DONE;
  else if (i == UINT32_MAX && !w->polling)
    w->state = WARP_WAITING;
}
