/* Runs warps in a prescribed order: stops them at holds, skips barriers, and single-steps the warps
 * of one block. */
#include "stepwise.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/order.h"

enum { SITES = 1024 }; /* the values of PtxInsn.site, which has ten bits */

enum { STEPS_IN_A_ROW = 4096, WARPS_MOST = 32 };

struct Stepwise {
  /* For each hold: true if it has ended. */
  bool over[HOLDS_MOST];

  /* The following members belong to the block whose warps are single-stepped. */
  /* The index of the current turn in PrescribedOrder.turns. */
  size_t turn;
  /* Number of steps executed in the current turn. After the last of the turns: number of
   * consecutive steps of warp `last`. */
  uint32_t taken;
  /* The warp that executed the last step. */
  uint32_t last;
  /* After the last of these turns: another warp executes the next step. */
  bool moves_on;
  /* The running warp has begun its step. */
  bool begun;
  /* The running warp has reached the beginning of its next step. */
  bool ends;
  /* The line and the active lanes of each warp's current step. */
  struct {
    uint32_t line, lanes;
  } at[WARPS_MOST];
};

/* ---- begin and end of launches and warps ----------------------------------------------------- */
void stepwise_prepare(Run *run) {
  static uint64_t launches;
  run->number = ++launches;
  if (!prescribed_order()->wanted)
    return;
  run->stepwise = calloc(1, sizeof *run->stepwise);
  assert(run->stepwise);
}

void stepwise_done(Run *run) { free(run->stepwise); }

void stepwise_warp_starts(Warp *w) {
  const size_t bytes = SITES * HOLD_ACCESSES * sizeof *w->accesses;
  if (!w->accesses)
    w->accesses = malloc(bytes);
  assert(w->accesses);
  memset(w->accesses, 0, bytes);
  if (stepwise_steps(w->block))
    w->block->run->stepwise->at[w->number].line = 0;
}

void stepwise_warp_gone(Warp *w) { free(w->accesses); }

/* ---- holds ----------------------------------------------------------------------------------- */
static HoldAccess access_of(const PtxInsn *insn) {
  return insn->form == PTX_LD ? HOLD_READ : insn->form == PTX_ST ? HOLD_WRITE : HOLD_CHANGE;
}

static bool is_watched(const PtxInsn *insn) {
  const bool space =
      insn->space == PTX_SHARED || insn->space == PTX_GLOBAL || insn->space == PTX_GENERIC;
  return space && insn->parameter != PTX_PRINTED &&
         (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM);
}

static uint32_t *times(const Warp *w, const PtxInsn *insn) {
  return &w->accesses[insn->site % SITES * HOLD_ACCESSES + access_of(insn)];
}

/* Returns the index of the active hold that stops some of `lanes` at this instruction; HOLDS_MOST:
 * there is no such hold. */
static uint32_t hold_at(const Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const PrescribedOrder *order = prescribed_order();
  const Run *run = w->block->run;
  for (uint32_t i = 0; i < order->nholds; i++) {
    const Hold *h = &order->holds[i];
    if (!run->stepwise->over[i] && h->launch == run->number && h->block == w->block->number &&
        h->warp == w->number && h->lanes & lanes && h->access == access_of(insn) &&
        h->time == *times(w, insn) + 1 && h->line == ptx_line(run->module, insn->line))
      return i;
  }
  return HOLDS_MOST;
}

/* Stops the lanes of path i that the hold names. Returns true if the hold names all active lanes of
 * the path. */
static bool stop(Warp *w, uint32_t i, const PtxInsn *insn, uint32_t hold, uint32_t active) {
  const uint32_t lanes = prescribed_order()->holds[hold].lanes;
  const bool whole = !(active & ~lanes);
  const uint32_t at = whole ? i : path_split(w, i, w->paths[i].lanes & lanes);
  w->paths[at].held = (uint8_t)(hold + 1);
  w->nheld++;
  if (w->paths[at].lanes != w->alive)
    /* The other lanes must not wait at a convergence point for the stopped lanes. */
    path_detach(w, at);
  hook_order(w, insn, w->paths[at].lanes, TAPE_HELD, hold);
  return whole;
}

static bool let_go(Warp *w, uint32_t hold) {
  bool any = false;
  for (uint32_t i = 0; i < w->npaths; i++) {
    Path *p = &w->paths[i];
    if (p->held != hold + 1)
      continue;
    const PtxBlock *b = &p->frame->function->blocks[p->block];
    hook_order(w, &p->frame->function->code[b->first + p->at], p->lanes, TAPE_LET_GO, hold);
    p->held = 0;
    w->nheld--;
    any = true;
  }
  return any;
}

/* ---- single steps ---------------------------------------------------------------------------- */
bool stepwise_steps(const Block *b) {
  const PrescribedOrder *order = prescribed_order();
  return order->stepping && b->run->number == order->step_launch && b->number == order->step_block;
}

/* Returns the warp of the current turn; NULL: all turns have ended. A turn ends early if its warp
 * cannot continue. */
static Warp *warp_of_turn(Block *b) {
  const PrescribedOrder *order = prescribed_order();
  struct Stepwise *s = b->run->stepwise;
  for (; s->turn < order->nturns; s->turn++, s->taken = 0) {
    const Turn *t = &order->turns[s->turn];
    if (s->taken < t->steps && t->warp < b->nwarps && b->warps[t->warp].state == WARP_READY)
      return &b->warps[t->warp];
  }
  return NULL;
}

Warp *stepwise_next(Block *b) {
  struct Stepwise *s = b->run->stepwise;
  Warp *w = warp_of_turn(b);
  s->begun = s->ends = false;
  if (!w) {
    const uint32_t first = s->moves_on ? s->last + 1 : s->last;
    for (uint32_t i = 0; i < b->nwarps && !w; i++) {
      Warp *next = &b->warps[(first + i) % b->nwarps];
      w = next->state == WARP_READY ? next : NULL;
    }
    s->taken = w && w->number == s->last && !s->moves_on ? s->taken : 0;
  }
  s->last = w ? w->number : s->last;
  return w;
}

void stepwise_stepped(const Warp *w) {
  struct Stepwise *s = w->block->run->stepwise;
  const bool in_turn = s->turn < prescribed_order()->nturns;
  s->moves_on = w->state != WARP_READY || w->polling || s->taken >= STEPS_IN_A_ROW;
  if (in_turn && w->nheld && !s->begun) {
    s->turn++;
    s->taken = 0;
  }
}

/* Returns false if the warp has taken its step and this instruction would begin another one.
 * Otherwise the instruction belongs to the current step, or begins it. */
static bool goes_on(const Warp *w, const PtxInsn *insn, uint32_t lanes, bool begins) {
  struct Stepwise *s = w->block->run->stepwise;
  const uint32_t line = ptx_line(w->block->run->module, insn->line);
  if (s->begun && !begins && (!line || line == s->at[w->number].line) &&
      lanes == s->at[w->number].lanes)
    return true;
  if (s->begun) {
    s->ends = true;
    return false;
  }
  s->begun = true;
  s->taken++;
  s->at[w->number].line = line;
  s->at[w->number].lanes = lanes;
  hook_order(w, insn, lanes, TAPE_STEP, 0);
  return true;
}

bool stepwise_ends(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  return stepwise_steps(w->block) && !goes_on(w, insn, lanes, true);
}

bool stepwise_over(const Warp *w) {
  return stepwise_steps(w->block) && w->block->run->stepwise->ends;
}

bool stepwise_let_go(Block *b, bool blocks) {
  const PrescribedOrder *order = prescribed_order();
  for (uint32_t hold = 0; hold < order->nholds; hold++) {
    bool any = false;
    for (uint32_t i = 0; i < b->nwarps && order->holds[hold].blocks == blocks; i++)
      any = (b->warps[i].nheld && let_go(&b->warps[i], hold)) || any;
    b->run->stepwise->over[hold] |= any;
    if (any)
      return true;
  }
  return false;
}

bool stepwise_skips(const Warp *w, const PtxInsn *insn) {
  const PrescribedOrder *order = prescribed_order();
  const bool plain = insn->form == PTX_BARRIER ? insn->sub == PTX_BAR_SYNC && insn->d == PTX_NO_REG
                                               : insn->form == PTX_SYNCWARP;
  const uint32_t line = plain ? ptx_line(w->block->run->module, insn->line) : 0;
  for (uint32_t i = 0; plain && i < order->nskips; i++)
    if (order->skips[i] == line)
      return true;
  return false;
}

/* ---- instructions ---------------------------------------------------------------------------- */
/* Executes one instruction. For an access, uses the step function that accepts any lanes, because
 * the usual step function may depend on an earlier access of the instruction block. */
static void step(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t active) {
  if (!is_watched(insn) || !active) {
    warp_step(w, f, insn, lanes);
    return;
  }
  hook_access_begins(w, insn, active, ++*times(w, insn));
  hook_instruction(w, f, insn, lanes, active);
  access_step_careful(insn)(w, insn, active);
  hook_access_ends(w, insn);
}

bool stepwise_block(Warp *w, uint32_t i, const PtxBlock *b) {
  Frame *f = w->frame;
  const bool steps = stepwise_steps(w->block);
  for (; w->paths[i].at < b->count; w->paths[i].at++) {
    const PtxInsn *insn = &f->function->code[b->first + w->paths[i].at];
    if (insn->invariant)
      continue;
    if (is_watched(insn)) {
      const uint32_t active = warp_active(f, insn, w->paths[i].lanes);
      const uint32_t hold = active ? hold_at(w, insn, active) : HOLDS_MOST;
      if (hold < HOLDS_MOST && stop(w, i, insn, hold, active))
        return false;
    }
    if (steps && !goes_on(w, insn, w->paths[i].lanes, is_watched(insn)))
      return false;
    const uint32_t lanes = w->paths[i].lanes;
    step(w, f, insn, lanes, warp_active(f, insn, lanes));
  }
  w->paths[i].at = 0;
  return true;
}
