#include "stepwise.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/order.h"

enum { SITES = 1024 }; /* PtxInsn.site has ten bits */

struct Stepwise {
  bool over[HOLDS_MOST]; /* that hold has ended */
};

/* ---- the life of a launch and of a warp -------------------------------------------------------- */
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
}

void stepwise_warp_gone(Warp *w) { free(w->accesses); }

/* ---- holds ------------------------------------------------------------------------------------- */
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

/* The hold that stops some of these lanes here, HOLDS_MOST: none does. */
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

/* Stops those lanes of a path that the hold names. true: they are all of it. */
static bool stop(Warp *w, uint32_t i, const PtxInsn *insn, uint32_t hold, uint32_t active) {
  const uint32_t lanes = prescribed_order()->holds[hold].lanes;
  const bool whole = !(active & ~lanes);
  const uint32_t at = whole ? i : path_split(w, i, w->paths[i].lanes & lanes);
  w->paths[at].held = (uint8_t)(hold + 1);
  w->nheld++;
  if (w->paths[at].lanes != w->alive) /* the others need not wait for it where they converge */
    path_detach(w, at);
  hook_held(w, hold, w->paths[at].lanes, insn->line, false);
  return whole;
}

static bool let_go(Warp *w, uint32_t hold) {
  bool any = false;
  for (uint32_t i = 0; i < w->npaths; i++) {
    Path *p = &w->paths[i];
    if (p->held != hold + 1)
      continue;
    const PtxBlock *b = &p->frame->function->blocks[p->block];
    hook_held(w, hold, p->lanes, p->frame->function->code[b->first + p->at].line, true);
    p->held = 0;
    w->nheld--;
    any = true;
  }
  return any;
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

/* ---- instructions ------------------------------------------------------------------------------ */
/* By the steps that take any lanes and rely on nothing that an earlier instruction of the block has left. */
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
    const uint32_t lanes = w->paths[i].lanes;
    step(w, f, insn, lanes, warp_active(f, insn, lanes));
  }
  w->paths[i].at = 0;
  return true;
}
