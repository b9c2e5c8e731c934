/* Executes the instructions that synchronise lanes: shuffles, votes, matches, __syncwarp, barriers,
 * calls.
 *
 * Each of these instructions is alone in its instruction block, and a lane that must wait sleeps
 * there. A lane with a member mask waits until every lane of the mask that has not exited has
 * reached the same operation. Lanes may reach the operation at different instructions: PTX requires
 * only the same qualifiers and the same mask. */
#include <assert.h>
#include <string.h>

#include "warp.h"

/* Returns the member mask of the lowest lane of `lanes`. Sets `*alike` to the lanes of `lanes` that
 * have the same mask. */
static uint32_t member_mask(const Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t *alike) {
  const uint32_t *masks = slot32(f->registers, insn->form == PTX_SYNCWARP ? insn->a : insn->mask);
  uint32_t mask = masks[lowest(lanes)], same[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    same[lane] = masks[lane] == mask ? UINT32_MAX : 0;
  *alike = lanes_from_truth(same) & lanes;
  return mask;
}

/* Returns the lanes of `here` whose masks name only lanes that are in `there` or have exited. */
static uint32_t complete(const Warp *w, const Frame *f, const PtxInsn *insn, uint32_t here,
                         uint32_t there) {
  uint32_t done = 0, alike;
  for (uint32_t rest = here; rest; rest &= ~alike)
    if (!(member_mask(f, insn, rest, &alike) & w->alive & ~there))
      done |= alike;
  return done;
}

/* Returns true if lanes at these two instructions can synchronise with each other. Lanes in two
 * branches may reach the same operation at two different instructions. Matrix instructions
 * synchronise only at the same instruction, because their register lists are too long to match. */
static bool meets(const PtxInsn *a, const PtxInsn *b) {
  return a == b || (a->form == b->form && a->sub == b->sub && a->type == b->type &&
                    a->form != PTX_BARRIER && a->form != PTX_MMA && a->form != PTX_ROWS);
}

/* Returns the lanes that sleep at this operation, in any frame. */
static uint32_t sleeping_here(const Warp *w, const PtxInsn *insn) {
  uint32_t here = 0;
  for (uint32_t i = 0; i < w->npaths; i++)
    if (w->paths[i].asleep && meets(path_insn(&w->paths[i]), insn))
      here |= w->paths[i].lanes;
  return here;
}

uint32_t sync_missing(const Warp *w, unsigned lane) {
  const Path *p = sleeping_path(w, lane);
  uint32_t alike, mask = member_mask(p->frame, path_insn(p), 1u << lane, &alike);
  return mask & w->alive & ~sleeping_here(w, path_insn(p));
}

bool sync_recheck(Warp *w) {
  for (uint32_t i = 0; i < w->npaths; i++) {
    const Path *p = &w->paths[i];
    const PtxInsn *insn = path_insn(p);
    if (!p->asleep || insn->form == PTX_BARRIER)
      continue;
    uint32_t done = complete(w, p->frame, insn, p->lanes, sleeping_here(w, insn));
    if (!done)
      continue;
    lanes_wake(w, done, false);
    return true;
  }
  return false;
}

/* ---- meetings -------------------------------------------------------------------------------- */
/* Lanes that perform one operation together, grouped by frame and instruction. Usually there is one
 * group. */
typedef struct Meeting {
  uint32_t lanes, nframes;
  Frame *frame[WARP_LANES];
  const PtxInsn *insn[WARP_LANES];
  uint32_t of_frame[WARP_LANES];
} Meeting;

static void join(Meeting *m, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint32_t i = 0;
  if (!lanes)
    return;
  while (i < m->nframes && (m->frame[i] != f || m->insn[i] != insn))
    i++;
  if (i == m->nframes) {
    m->frame[m->nframes++] = f;
    m->insn[i] = insn;
    m->of_frame[i] = 0;
  }
  m->of_frame[i] |= lanes;
  m->lanes |= lanes;
}

/* Selects an operand of an instruction. The returned offset is valid in the frame of the lanes that
 * execute this instruction. */
typedef uint32_t Operand(const PtxInsn *);
static uint32_t operand_a(const PtxInsn *insn) { return insn->a; }
static uint32_t operand_b(const PtxInsn *insn) { return insn->b; }
static uint32_t operand_c(const PtxInsn *insn) { return insn->c; }
static uint32_t operand_d(const PtxInsn *insn) { return insn->d; }
static uint32_t operand_e(const PtxInsn *insn) { return insn->e; }

/* Returns the values of an operand for the lanes of the Meeting. The values of other lanes are
 * undefined. May use `space` for the result. */
static const uint32_t *collect(const Meeting *m, Operand *operand, uint32_t *space) {
  const uint32_t *first = slot32(m->frame[0]->registers, operand(m->insn[0]));
  if (m->nframes == 1)
    return first;
  memcpy(space, first, PTX_SLOT_BYTES);
  for (uint32_t i = 1; i < m->nframes; i++)
    EACH_SET(lane, m->of_frame[i])
  space[lane] = slot32(m->frame[i]->registers, operand(m->insn[i]))[lane];
  return space;
}
static uint32_t collect_predicate(const Meeting *m) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < m->nframes; i++) {
    const uint32_t yes = *slot32(m->frame[i]->registers, m->insn[i]->a);
    mask |= (m->insn[i]->flags & PTX_NEG_SOURCE ? ~yes : yes) & m->of_frame[i];
  }
  return mask;
}
static void hand_out(const Meeting *m, Operand *operand, const uint32_t *value) {
  for (uint32_t i = 0; i < m->nframes; i++)
    if (operand(m->insn[i]) != PTX_NO_REG)
      put32(m->frame[i]->registers, operand(m->insn[i]), m->of_frame[i], value);
}
static void hand_out_predicate(const Meeting *m, Operand *operand, uint32_t value) {
  for (uint32_t i = 0; i < m->nframes; i++) {
    if (operand(m->insn[i]) == PTX_NO_REG)
      continue;
    uint32_t *mask = slot32(m->frame[i]->registers, operand(m->insn[i]));
    *mask = (*mask & ~m->of_frame[i]) | (value & m->of_frame[i]);
  }
}

/* ---- shuffles -------------------------------------------------------------------------------- */
/* Computes the source lane of each lane, as PTX ISA specifies for shfl.sync. Returns the lanes
 * whose source lane is in their own segment. */
static ALWAYS_INLINE uint32_t sources_of(PtxShuffle mode, const uint32_t *b, const uint32_t *c,
                                         uint32_t *source) {
  uint32_t inside[WARP_LANES];
  for (int lane = 0; lane < WARP_LANES; lane++) {
    int bval = b[lane] & 31, cval = c[lane] & 31, segment = c[lane] >> 8 & 31;
    int last = (lane & segment) | (cval & ~segment);
    int from = mode == PTX_SHFL_UP     ? lane - bval
               : mode == PTX_SHFL_DOWN ? lane + bval
               : mode == PTX_SHFL_BFLY ? lane ^ bval
                                       : (lane & segment) | (bval & ~segment);
    bool in = mode == PTX_SHFL_UP ? from >= last : from <= last;
    source[lane] = (uint32_t)(in ? from : lane) & 31;
    inside[lane] = in ? UINT32_MAX : 0;
  }
  return lanes_from_truth(inside);
}
static uint32_t shuffle_sources(PtxShuffle mode, const uint32_t *b, const uint32_t *c,
                                uint32_t *source) {
  switch (mode) {
    /* With constant arguments, the compiler generates one vectorised loop per mode. */
  case PTX_SHFL_UP:
    return sources_of(PTX_SHFL_UP, b, c, source);
  case PTX_SHFL_DOWN:
    return sources_of(PTX_SHFL_DOWN, b, c, source);
  case PTX_SHFL_BFLY:
    return sources_of(PTX_SHFL_BFLY, b, c, source);
  default:
    return sources_of(mode, b, c, source);
  }
}

static void shuffle(Warp *w, const Meeting *m, const PtxInsn *insn) {
  uint32_t space[3][WARP_LANES], source[WARP_LANES], d[WARP_LANES];
  const uint32_t *a = collect(m, operand_a, space[0]), *b = collect(m, operand_b, space[1]);
  const uint32_t *c = collect(m, operand_c, space[2]);
  uint32_t inside = shuffle_sources((PtxShuffle)insn->sub, b, c, source);
  lanes_permute(d, a, source);
  for (uint32_t i = 0; i < m->nframes; i++)
    hook_shuffle(w, m->frame[i], m->insn[i], m->of_frame[i], source, m->lanes);
  hand_out(m, operand_d, d);
  hand_out_predicate(m, operand_e, inside);
}

/* ---- votes and matches ----------------------------------------------------------------------- */
static void hand_out_same(const Meeting *m, uint32_t value) {
  uint32_t all[WARP_LANES];
  for (int lane = 0; lane < WARP_LANES; lane++)
    all[lane] = value;
  hand_out(m, operand_d, all);
}

static void vote(const Meeting *m, const PtxInsn *insn) {
  if (insn->sub == PTX_VOTE_ELECT) {
    /* Elect the lowest lane. */
    hand_out_same(m, lowest(m->lanes));
    hand_out_predicate(m, operand_e, 1u << lowest(m->lanes));
    return;
  }
  const uint32_t yes = collect_predicate(m);
  if (insn->sub == PTX_VOTE_BALLOT) {
    hand_out_same(m, yes);
    return;
  }
  bool answer = insn->sub == PTX_VOTE_ALL   ? yes == m->lanes
                : insn->sub == PTX_VOTE_ANY ? yes != 0
                                            : yes == 0 || yes == m->lanes;
  hand_out_predicate(m, operand_d, answer ? ALL_LANES : 0);
}

/* Computes for each lane the mask of the lanes in `lanes` that have the same value. Returns true if
 * all lanes in `lanes` have the same value. */
static ALWAYS_INLINE bool find_alike(const uint32_t *low, const uint32_t *high, uint32_t lanes,
                                     uint32_t *alike) {
  uint32_t like = 0;
  for (uint32_t rest = lanes; rest; rest &= ~like) {
    /* Handle each distinct value once. */
    const uint32_t first = lowest(rest);
    uint32_t equal[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
      equal[lane] =
          low[lane] == low[first] && (!high || high[lane] == high[first]) ? UINT32_MAX : 0;
    like = lanes_from_truth(equal) & lanes;
    for (int lane = 0; lane < WARP_LANES; lane++)
      alike[lane] = equal[lane] ? like : alike[lane];
  }
  return like == lanes;
}

static void match(const Meeting *m, const PtxInsn *insn) {
  uint32_t space[WARP_LANES], high[WARP_LANES] = {0}, alike[WARP_LANES] = {0};
  bool all;
  if (ptx_type_bytes((PtxType)insn->type) == 8) {
    for (uint32_t i = 0; i < m->nframes; i++)
      EACH_SET(lane, m->of_frame[i]) {
        uint64_t value = slot64(m->frame[i]->registers, m->insn[i]->a)[lane];
        space[lane] = (uint32_t)value;
        high[lane] = (uint32_t)(value >> 32);
      }
    all = find_alike(space, high, m->lanes, alike);
  } else {
    all = find_alike(collect(m, operand_a, space), NULL, m->lanes, alike);
  }
  if (insn->sub == 0)
    hand_out(m, operand_d, alike);
  else
    hand_out_same(m, all ? m->lanes : 0);
  hand_out_predicate(m, operand_e, all ? ALL_LANES : 0);
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

static void redux(const Meeting *m, const PtxInsn *insn) {
  uint32_t space[WARP_LANES];
  const uint32_t *a = collect(m, operand_a, space);
  uint32_t sum = a[lowest(m->lanes)];
  EACH_SET(lane, m->lanes & (m->lanes - 1))
  sum = reduce((PtxAtomic)insn->sub, (PtxType)insn->type, sum, a[lane]);
  hand_out_same(m, sum);
}

/* ---- matrices -------------------------------------------------------------------------------- */
static void matrices(Warp *w, const Meeting *m, const PtxInsn *insn) {
  static _Thread_local uint64_t values[UINT8_MAX][WARP_LANES];
  uint32_t low[WARP_LANES];
  for (uint32_t i = 0; i < insn->count; i++) {
    const bool wide = insn->form == PTX_MMA && insn->matrix->d == PTX_E_F64;
    for (uint32_t k = 0; k < m->nframes; k++)
      EACH_SET(lane, m->of_frame[k])
    values[i][lane] = wide ? slot64(m->frame[k]->registers, insn->list[i])[lane]
                           : slot32(m->frame[k]->registers, insn->list[i])[lane];
  }
  hook_uses(w, m->frame[0], insn, m->of_frame[0]);
  (insn->form == PTX_MMA ? matrix_multiply_add : matrix_exchange)(insn, values);
  for (uint32_t i = 0; i < ptx_written(insn); i++) {
    if (insn->form == PTX_MMA && insn->matrix->d == PTX_E_F64) {
      for (uint32_t k = 0; k < m->nframes; k++)
        put64(m->frame[k]->registers, insn->list[i], m->of_frame[k], values[i]);
      continue;
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
      low[lane] = (uint32_t)values[i][lane];
    for (uint32_t k = 0; k < m->nframes && insn->list[i] != PTX_NO_REG; k++)
      put32(m->frame[k]->registers, insn->list[i], m->of_frame[k], low);
  }
}

static void meet_and_do(Warp *w, const Meeting *m, const PtxInsn *insn) {
  switch (insn->form) {
  case PTX_SHFL:
    shuffle(w, m, insn);
    break;
  case PTX_VOTE:
    vote(m, insn);
    break;
  case PTX_MATCH:
    match(m, insn);
    break;
  case PTX_REDUX:
    redux(m, insn);
    break;
  case PTX_MMA:
  case PTX_ROWS:
    matrices(w, m, insn);
    break;
  case PTX_SYNCWARP:
    break;
  default:
    assert(!"not a meeting");
  }
  for (uint32_t i = 0; i < m->nframes; i++)
    hook_met(w, m->frame[i], m->insn[i], m->of_frame[i]);
  hook_lanes_met(w, m->lanes);
}

/* Performs the operation in the usual case: all lanes of the warp are in one path, and the masks
 * name only lanes of this path. Otherwise returns false. */
static bool meet_plainly(Warp *w, const PtxInsn *insn) {
  const uint32_t lanes = w->paths[0].lanes;
  uint32_t alike, mask;
  Meeting m;
  if (w->npaths > 1)
    return false;
  mask = member_mask(w->paths[0].frame, insn, lanes, &alike);
  if (alike != lanes || mask & w->alive & ~lanes)
    return false;
  m.lanes = m.of_frame[0] = lanes;
  m.nframes = 1;
  m.frame[0] = w->paths[0].frame;
  m.insn[0] = insn;
  if (lanes & ~mask)
    hook_mistake((Mistake){
        .kind = MISTAKE_MASK, .at = {w, lowest(lanes & ~mask), insn->line}, .lanes = mask});
  meet_and_do(w, &m, insn);
  return true;
}

/* Performs the operation for all lanes whose masks are complete, including sleeping lanes of other
 * paths. The other lanes of path i sleep. */
static void meet(Warp *w, uint32_t i, const PtxInsn *insn) {
  Frame *f = w->paths[i].frame;
  if (meet_plainly(w, insn)) {
    path_go(w, i, f->function->blocks[w->paths[i].block].next);
    return;
  }
  const uint32_t lanes = w->paths[i].lanes;
  const uint32_t there = w->asleep ? lanes | sleeping_here(w, insn) : lanes;
  uint32_t together = 0;
  for (uint32_t k = 0; k < w->npaths; k++) {
    const Path *p = &w->paths[k];
    if (k == i || (w->asleep && p->asleep && meets(path_insn(p), insn)))
      together |= complete(w, p->frame, k == i ? insn : path_insn(p), p->lanes, there);
  }
  if (lanes & ~together) {
    if (lanes & together)
      path_sleep(w, path_split(w, i, lanes & ~together));
    else
      path_sleep(w, i);
  }
  for (uint32_t rest = together, alike; rest; rest &= ~alike) {
    /* The lanes of each distinct mask perform the operation separately. */
    const Frame *first = f;
    const PtxInsn *its = insn;
    for (uint32_t k = 0; k < w->npaths; k++)
      if (w->paths[k].lanes >> lowest(rest) & 1) {
        first = w->paths[k].frame;
        its = k == i ? insn : path_insn(&w->paths[k]);
      }
    Meeting m = {0};
    uint32_t mask = member_mask(first, its, rest & first->lanes, &alike);
    for (uint32_t k = 0; k < w->npaths; k++) {
      Path *p = &w->paths[k];
      uint32_t of_path = p->lanes & rest, same;
      if (!of_path || (k != i && !meets(path_insn(p), insn)))
        continue;
      its = k == i ? insn : path_insn(p);
      for (; of_path; of_path &= ~same)
        if (member_mask(p->frame, its, of_path, &same) == mask)
          join(&m, p->frame, its, same);
    }
    alike = m.lanes;
    if (alike & ~mask)
      hook_mistake((Mistake){
          .kind = MISTAKE_MASK, .at = {w, lowest(alike & ~mask), insn->line}, .lanes = mask});
    meet_and_do(w, &m, insn);
  }
  if (together == (lanes & together)) {
    if (together)
      path_go(w, i, f->function->blocks[w->paths[i].block].next);
    return;
  }
  if (lanes & together)
    /* This path sleeps too, so that lanes_wake merges it with the lanes that were waiting. */
    path_sleep(w, i);
  lanes_wake(w, together, true);
}

/* ---- barriers and calls ---------------------------------------------------------------------- */
static void barrier(Warp *w, uint32_t i, const PtxInsn *insn) {
  Frame *f = w->frame;
  const uint32_t lanes = w->paths[i].lanes;
  if (insn->sub == PTX_BAR_ARRIVE) {
    uint32_t id = insn->a == PTX_NO_REG ? 0 : slot32(f->registers, insn->a)[lowest(lanes)];
    if (id < BARRIERS) {
      w->block->arrivals[id] += (unsigned)__builtin_popcount(lanes);
      hook_arrived(w, id, lanes);
    }
    path_go(w, i, f->function->blocks[w->paths[i].block].next);
    return;
  }
  uint32_t value = insn->c == PTX_NO_REG ? 0 : *slot32(f->registers, insn->c);
  value = insn->flags & PTX_NEG_SOURCE ? ~value : value;
  w->barrier_value = (w->barrier_value & ~lanes) | (value & lanes);
  hook_met(w, f, insn, lanes);
  path_sleep(w, i);
}

static void call_function(Warp *w, uint32_t i, const PtxInsn *insn, const PtxFunction *function) {
  if (path_call(w, i, function, insn->call))
    return;
  hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                         .at = {w, lowest(w->paths[i].lanes), insn->line},
                         .report = REPORT_STACK,
                         .did = "made one call more",
                         .sentence = "calls nested too deep: the stack is full"});
  run_stop(w, LAUNCH_ILLEGAL_ADDRESS);
}

/* Returns the target of a call through a register, for the lowest lane. Lanes with another target
 * are split off and call later. If the target is invalid, reports this and returns NULL. */
static const PtxFunction *called(Warp *w, uint32_t i, const PtxInsn *insn) {
  const PtxModule *module = w->block->run->module;
  const uint64_t *handles = slot64(w->frame->registers, insn->a);
  const uint32_t lanes = w->paths[i].lanes, first = lowest(lanes);
  const uint64_t handle = handles[first];
  uint32_t same = 0;
  EACH_SET(lane, lanes) same |= (uint32_t)(handles[lane] == handle) << lane;
  if (same != lanes) {
    path_open(w, i, w->frame->function->blocks[w->paths[i].block].next);
    path_split(w, i, lanes & ~same);
  }
  if (handle == 0 || handle > module->nfunctions || !module->functions[handle - 1].is_defined) {
    /* Do not report a handle that was loaded by an invalid load, because that load has been
     * reported. */
    if (!(w->lost >> first & 1) || handle != NO_VALUE)
      hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                             .at = {w, first, insn->line},
                             .report = REPORT_BAD_CALL,
                             .did = "made the call",
                             .sentence = "call through a pointer to no function"});
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    return NULL;
  }
  const PtxFunction *function = &module->functions[handle - 1];
  if (function->refusal) {
    /* The target of an indirect call is not known before the launch, so an unsupported function is
     * refused here. */
    hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                           .at = {w, first, insn->line},
                           .report = REPORT_UNSUPPORTED,
                           .did = "made the call",
                           .sentence = function->refusal});
    run_stop(w, LAUNCH_REFUSED);
    return NULL;
  }
  return function;
}

static void call(Warp *w, uint32_t i, const PtxInsn *insn) {
  const PtxModule *module = w->block->run->module;
  const PtxFunction *function = NULL;
  if (insn->call->function >= 0)
    function = &module->functions[insn->call->function];
  else if (insn->call->function == -2)
    function = called(w, i, insn);
  else {
    /* machine_load refuses a function that calls another external function. */
    assert(insn->builtin);
    hook_uses(w, w->frame, insn, w->paths[i].lanes);
    insn->builtin(w, insn->call, w->paths[i].lanes);
  }
  if (function)
    call_function(w, i, insn, function);
  else
    path_go(w, i, w->frame->function->blocks[w->paths[i].block].next);
}

/* ---- dispatch -------------------------------------------------------------------------------- */
void sync_step(Warp *w, uint32_t i, const PtxInsn *insn) {
  Frame *f = w->frame;
  const uint32_t next = f->function->blocks[w->paths[i].block].next;
  if (insn->guard != PTX_NO_REG) {
    /* Lanes whose guard is false continue without waiting. */
    uint32_t mask = *slot32(f->registers, insn->guard), lanes = w->paths[i].lanes;
    uint32_t out = lanes & (insn->flags & PTX_NEG_PRED ? mask : ~mask);
    if (out == lanes) {
      path_go(w, i, next);
      return;
    }
    if (out)
      path_go(w, path_split(w, i, out), next);
  }
  switch (insn->form) {
  case PTX_BARRIER:
    barrier(w, i, insn);
    return;
  case PTX_CALL:
    call(w, i, insn);
    return;
  case PTX_ACTIVEMASK: {
    uint32_t lanes = w->paths[i].lanes, value[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
      value[lane] = lanes;
    put32(f->registers, insn->d, lanes, value);
    hook_met(w, f, insn, lanes);
    path_go(w, i, next);
    return;
  }
  default:
    meet(w, i, insn);
  }
}
