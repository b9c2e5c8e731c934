/* Instructions in which lanes meet: shuffles, votes, matches, __syncwarp, barriers, calls.
 *
 * Each is alone in its block, so a lane that must wait simply sleeps at that block. A lane that
 * comes with a member mask waits until every living lane of the mask has come to the same
 * instruction.
 */
#include <assert.h>
#include <stdio.h>

#include "../observe/shared_shadow.h"
#include "../observe/taint.h"
#include "../observe/watch.h"
#include "warp.h"

/* The member mask of the lowest of `lanes`; *alike: those of them that came with the same. */
static uint32_t member_mask(const Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t *alike) {
  const uint32_t *masks = slot32(f->registers, insn->form == PTX_SYNCWARP ? insn->a : insn->mask);
  uint32_t mask = masks[lowest(lanes)], same = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    same |= (uint32_t)(masks[lane] == mask) << lane;
  *alike = same & lanes;
  return mask;
}

/* Those of `here` whose mask names nobody who is still to come. */
static uint32_t complete(const Warp *w, const Frame *f, const PtxInsn *insn, uint32_t here) {
  uint32_t done = 0, alike;
  for (uint32_t rest = here; rest; rest &= ~alike)
    if (!(member_mask(f, insn, rest, &alike) & f->lanes & w->alive & ~here))
      done |= alike;
  return done;
}

/* Lanes of frame f that sleep at this block of it. */
static uint32_t sleeping_here(const Warp *w, const Frame *f, uint32_t block) {
  uint32_t here = 0;
  EACH_SET(lane, w->asleep)
  here |= (uint32_t)(sleep_frame(w, lane) == f && w->sleep_position[lane] == block) << lane;
  return here;
}

static uint32_t block_of(const Frame *f, uint32_t lanes) {
  return f->parted ? f->positions[lowest(lanes)] : f->position;
}

/* Those who can do it now, sleepers among them; the others wait for the rest. */
static uint32_t meet(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  uint32_t here = w->asleep ? lanes | sleeping_here(w, f, block_of(f, lanes)) : lanes;
  uint32_t together = complete(w, f, insn, here);
  if (lanes & ~together)
    lanes_sleep(w, lanes & ~together);
  return together;
}

uint32_t sync_missing(const Warp *w, unsigned lane) {
  const Frame *f = sleep_frame(w, lane);
  uint32_t alike, mask = member_mask(f, sleep_insn(w, lane), 1u << lane, &alike);
  return mask & w->alive & ~sleeping_here(w, f, w->sleep_position[lane]);
}

bool sync_recheck(Warp *w) {
  EACH_SET(lane, w->asleep) {
    const PtxInsn *insn = sleep_insn(w, lane);
    const Frame *f = sleep_frame(w, lane);
    if (insn->form == PTX_BARRIER)
      continue;
    uint32_t done = complete(w, f, insn, sleeping_here(w, f, w->sleep_position[lane]));
    if (!done)
      continue;
    lanes_wake(w, done, false);
    return true;
  }
  return false;
}

/* ---- shuffles -------------------------------------------------------------------------------- */
/* The lane that `lane` reads from, by PTX ISA "shfl.sync"; *inside: the source lies within the
 * segment. */
static unsigned shuffle_source(PtxShuffle mode, unsigned lane, uint32_t b, uint32_t c,
                               bool *inside) {
  unsigned bval = b & 31, cval = c & 31, segment = c >> 8 & 31;
  unsigned last = (lane & segment) | (cval & ~segment), first = lane & segment;
  int source = mode == PTX_SHFL_UP     ? (int)lane - (int)bval
               : mode == PTX_SHFL_DOWN ? (int)(lane + bval)
               : mode == PTX_SHFL_BFLY ? (int)(lane ^ bval)
                                       : (int)(first | (bval & ~segment));
  *inside = mode == PTX_SHFL_UP ? source >= (int)last : source <= (int)last;
  return *inside ? (unsigned)source : lane;
}

static void set_predicate(Frame *f, uint32_t slot, uint32_t lanes, uint32_t value) {
  if (slot == PTX_NO_REG)
    return;
  uint32_t *mask = slot32(f->registers, slot);
  *mask = (*mask & ~lanes) | (value & lanes);
}

static void shuffle(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t from[WARP_LANES], inside_mask = 0, undefined = 0;
  const uint32_t *b = slot32(f->registers, insn->b), *c = slot32(f->registers, insn->c);
  uint32_t *d = insn->d == PTX_NO_REG ? NULL : slot32(f->registers, insn->d);
  uint32_t before = f->undefined[insn->a / PTX_SLOT_BYTES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    from[lane] = slot32(f->registers, insn->a)[lane];
  EACH_SET(lane, lanes) {
    bool inside;
    unsigned source = shuffle_source((PtxShuffle)insn->sub, lane, b[lane], c[lane], &inside);
    inside_mask |= (uint32_t)inside << lane;
    undefined |= (before >> source & 1) << lane;
    if (!(lanes >> source & 1))
      watch_absent(w, insn, lane, source, lanes);
    if (d)
      d[lane] = from[source];
  }
  set_predicate(f, insn->e, lanes, inside_mask);
  if (w->tainted && d) {
    uint32_t *mark = &f->undefined[insn->d / PTX_SLOT_BYTES];
    *mark = (*mark & ~lanes) | undefined;
    f->origin[insn->d / PTX_SLOT_BYTES] = f->origin[insn->a / PTX_SLOT_BYTES];
  }
}

/* ---- votes and matches ----------------------------------------------------------------------- */
static void vote(Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t yes = *slot32(f->registers, insn->a);
  yes = (insn->flags & PTX_NEG_SOURCE ? ~yes : yes) & lanes;
  if (insn->sub == PTX_VOTE_BALLOT) {
    EACH_SET(lane, lanes) slot32(f->registers, insn->d)[lane] = yes;
    return;
  }
  bool answer = insn->sub == PTX_VOTE_ALL   ? yes == lanes
                : insn->sub == PTX_VOTE_ANY ? yes != 0
                                            : yes == 0 || yes == lanes;
  set_predicate(f, insn->d, lanes, answer ? ALL_LANES : 0);
}

static uint64_t lane_value(const Frame *f, const PtxInsn *insn, unsigned lane) {
  return ptx_type_bytes((PtxType)insn->type) == 8 ? slot64(f->registers, insn->a)[lane]
                                                  : slot32(f->registers, insn->a)[lane];
}

static void match(Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t same[WARP_LANES] = {0};
  bool all = true;
  EACH_SET(lane, lanes) {
    for (unsigned other = 0; other < WARP_LANES; other++)
      same[lane] |= (uint32_t)((lanes >> other & 1) &&
                               lane_value(f, insn, other) == lane_value(f, insn, lane))
                    << other;
    all = all && same[lane] == lanes;
  }
  EACH_SET(each, lanes)
  slot32(f->registers, insn->d)[each] = insn->sub == 0 ? same[each] : all ? lanes : 0;
  set_predicate(f, insn->e, lanes, all ? ALL_LANES : 0);
}

static uint32_t reduce(PtxAtomic operation, PtxType type, uint32_t a, uint32_t b) {
  bool is_signed = type == PTX_S32;
  switch (operation) {
  case PTX_ATOM_ADD:
    return a + b;
  case PTX_ATOM_MIN:
    return is_signed ? ((int32_t)a < (int32_t)b ? a : b) : a < b ? a : b;
  case PTX_ATOM_MAX:
    return is_signed ? ((int32_t)a > (int32_t)b ? a : b) : a > b ? a : b;
  case PTX_ATOM_AND:
    return a & b;
  case PTX_ATOM_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static void redux(Frame *f, const PtxInsn *insn, uint32_t lanes) {
  const uint32_t *a = slot32(f->registers, insn->a);
  uint32_t sum = a[lowest(lanes)];
  EACH_SET(lane, lanes & (lanes - 1))
  sum = reduce((PtxAtomic)insn->sub, (PtxType)insn->type, sum, a[lane]);
  EACH_SET(each, lanes) slot32(f->registers, insn->d)[each] = sum;
}

/* ---- barriers and calls ---------------------------------------------------------------------- */
static uint32_t barrier(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  if (insn->sub == PTX_BAR_ARRIVE) {
    uint32_t id = insn->a == PTX_NO_REG ? 0 : slot32(f->registers, insn->a)[lowest(lanes)];
    w->block->arrivals[id % 16] += (unsigned)__builtin_popcount(lanes);
    return lanes;
  }
  uint32_t value = insn->c == PTX_NO_REG ? 0 : *slot32(f->registers, insn->c);
  value = insn->flags & PTX_NEG_SOURCE ? ~value : value;
  w->barrier_value = (w->barrier_value & ~lanes) | (value & lanes);
  if (w->tainted)
    taint_meet(f, insn, lanes);
  lanes_sleep(w, lanes);
  return 0;
}

static uint32_t call_function(Warp *w, const PtxInsn *insn, const PtxFunction *function,
                              uint32_t lanes) {
  if (frame_push(w, function, insn->call, lanes))
    return 0;
  watch_stop(w, REPORT_STACK, insn->line, lowest(lanes), "made one call more",
             "calls nested too deep: the stack is full");
  run_fail(w->worker->run, LAUNCH_ILLEGAL_ADDRESS);
  atomic_store(&w->worker->run->stop, true);
  return lanes;
}

static uint32_t call(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  const PtxModule *module = w->block->run->module;
  int64_t target = insn->call->function;
  if (target == -2) { /* through a register: lanes with another target call later */
    uint64_t handle = slot64(f->registers, insn->a)[lowest(lanes)];
    uint32_t same = 0;
    EACH_SET(lane, lanes) same |= (uint32_t)(slot64(f->registers, insn->a)[lane] == handle) << lane;
    if (handle == 0 || handle > module->nfunctions || !module->functions[handle - 1].is_defined) {
      watch_stop(w, REPORT_BAD_CALL, insn->line, lowest(lanes), "made the call",
                 "call through a pointer to no function");
      run_fail(w->worker->run, LAUNCH_ILLEGAL_ADDRESS);
      return lanes;
    }
    if (module->functions[handle - 1].refusal) { /* nobody could tell before the launch */
      watch_stop(w, REPORT_UNSUPPORTED, insn->line, lowest(lanes), "made the call",
                 module->functions[handle - 1].refusal);
      run_fail(w->worker->run, LAUNCH_REFUSED);
      atomic_store(&w->worker->run->stop, true);
      return lanes;
    }
    if (same != lanes) {
      lanes_sleep(w, lanes & ~same);
      lanes_wake(w, lanes & ~same, false);
    }
    target = (int64_t)handle - 1;
    call_function(w, insn, &module->functions[target], same);
    return 0;
  }
  if (target >= 0)
    return call_function(w, insn, &module->functions[target], lanes);
  assert(insn->builtin); /* machine_load refuses functions that call anything else */
  insn->builtin(w, insn->call, lanes);
  return lanes;
}

/* ---- the switch ------------------------------------------------------------------------------ */
static void meet_and_do(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  switch (insn->form) {
  case PTX_SHFL:
    shuffle(w, f, insn, lanes);
    break;
  case PTX_VOTE:
    vote(f, insn, lanes);
    break;
  case PTX_MATCH:
    match(f, insn, lanes);
    break;
  case PTX_REDUX:
    redux(f, insn, lanes);
    break;
  case PTX_SYNCWARP:
    shared_shadow_syncwarp(w->block->shadow, w);
    break;
  default:
    assert(!"not a meeting");
  }
}

uint32_t sync_step(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  switch (insn->form) {
  case PTX_BARRIER:
    return barrier(w, f, insn, lanes);
  case PTX_CALL:
    return call(w, f, insn, lanes);
  case PTX_ACTIVEMASK:
    EACH_SET(lane, lanes) slot32(f->registers, insn->d)[lane] = lanes;
    if (w->tainted)
      taint_meet(f, insn, lanes);
    return lanes;
  default: {
    uint32_t together = meet(w, insn, lanes), alike;
    for (uint32_t rest = together; rest; rest &= ~alike) { /* each mask's lanes by themselves */
      uint32_t mask = member_mask(f, insn, rest, &alike);
      if (alike & ~mask)
        watch_left_out(w, insn, lowest(alike & ~mask), mask);
      meet_and_do(w, f, insn, alike);
      if (w->tainted)
        taint_meet(f, insn, alike);
    }
    lanes_wake(w, together & ~lanes, true); /* those that waited; the caller moves the others */
    return together & lanes;
  }
  }
}
