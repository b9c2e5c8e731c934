#include "taint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../machine/alu.h"
#include "watch.h"

#define NO_ORIGIN 255

static uint32_t *marks(Frame *f, uint32_t slot) { return &f->undefined[slot / PTX_SLOT_BYTES]; }
static uint8_t *origin_of(Frame *f, uint32_t slot) { return &f->origin[slot / PTX_SLOT_BYTES]; }

void taint_enter(Warp *w, Frame *f) {
  const PtxFunction *function = f->function;
  if (w->tainted)
    memset(f->undefined, 0, (function->nslots + 1) * sizeof *f->undefined);
  if (!w->worker->run->checks)
    return;
  for (uint32_t i = 0; i < function->nundefined; i++) {
    *marks(f, function->undefined[i]) = f->lanes;
    *origin_of(f, function->undefined[i]) = NO_ORIGIN;
    w->tainted = true;
  }
}

static const Origin *origin(const Warp *w, Frame *f, uint32_t slot) {
  uint8_t number = *origin_of(f, slot);
  return number == NO_ORIGIN ? NULL : &w->origins[number];
}

/* An undefined operand is used for good: say so once, then treat it as defined. */
static void used(Warp *w, Frame *f, uint32_t slot, uint32_t lanes, uint32_t line, const char *use) {
  if (slot == PTX_NO_REG)
    return;
  uint32_t bad = *marks(f, slot) & lanes;
  if (!bad)
    return;
  watch_undefined(w, origin(w, f, slot), lowest(bad), line, use);
  *marks(f, slot) &= ~bad;
}

/* Marks of a source, those of `lanes`; remembers where the first marked one came from. */
static uint32_t source(Frame *f, uint32_t slot, uint32_t lanes, uint8_t *from) {
  if (slot == PTX_NO_REG)
    return 0;
  uint32_t bad = *marks(f, slot) & lanes;
  if (bad)
    *from = *origin_of(f, slot);
  return bad;
}

static void mark(Frame *f, uint32_t slot, uint32_t active, uint32_t undefined, uint8_t from) {
  if (slot == PTX_NO_REG)
    return;
  *marks(f, slot) = (*marks(f, slot) & ~active) | undefined;
  if (undefined)
    *origin_of(f, slot) = from;
}

static uint32_t select_marks(Frame *f, const PtxInsn *insn, uint32_t active, uint8_t *from) {
  uint32_t choose = *slot32(f->registers, insn->c);
  if (insn->flags & PTX_NEG_SOURCE)
    choose = ~choose;
  uint32_t bad = source(f, insn->c, active, from);
  bad |= source(f, insn->a, active & choose, from);
  return bad | source(f, insn->b, active & ~choose, from);
}

static void through_alu(Frame *f, const PtxInsn *insn, uint32_t active) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad;
  if (alu_is_select(insn))
    bad = select_marks(f, insn, active, &from);
  else
    bad = source(f, insn->a, active, &from) | source(f, insn->b, active, &from) |
          source(f, insn->c, active, &from);
  mark(f, insn->d, active, bad, from);
}

/* A register that nothing sets beside others is the padding of a struct, which travels along. */
static uint32_t pack_marks(Frame *f, const PtxInsn *insn, uint32_t active, uint8_t *from) {
  uint32_t bad = 0, all = active;
  for (unsigned i = 0; i < insn->count; i++) {
    uint8_t own = NO_ORIGIN;
    uint32_t piece = source(f, insn->list[i], active, &own);
    all &= piece;
    if (own == NO_ORIGIN)
      continue;
    bad |= piece;
    *from = own;
  }
  return bad | all;
}

static void through_list(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad = 0;
  switch (insn->form) {
  case PTX_PACK:
    mark(f, insn->d, active, pack_marks(f, insn, active, &from), from);
    break;
  case PTX_UNPACK:
    bad = source(f, insn->a, active, &from);
    for (unsigned i = 0; i < insn->count; i++)
      mark(f, insn->list[i], active, bad, from);
    break;
  case PTX_ST: /* local memory keeps the mark: see access.c */
    if (insn->space != PTX_LOCAL)
      for (unsigned i = 0; i < insn->count; i++)
        used(w, f, insn->list[i], active, insn->line, "stored it");
    break;
  case PTX_ST_ARG: /* what a call gets or returns leaves the frame */
    for (unsigned i = 0; i < insn->count; i++)
      used(w, f, insn->list[i], active, insn->line, "passed it on");
    break;
  case PTX_LD_ARG:
  case PTX_LD_PARAM:
    for (unsigned i = 0; i < insn->count; i++)
      mark(f, insn->list[i], active, 0, NO_ORIGIN);
    break;
  default:
    break;
  }
}

void taint_check(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t active) {
  used(w, f, insn->guard, lanes, insn->line, "decided by it what to run");
  if (insn->form == PTX_ALU) {
    through_alu(f, insn, active);
    return;
  }
  if (insn->form == PTX_TEX) {
    used(w, f, insn->b, active, insn->line, "fetched at it");
    used(w, f, insn->c, active, insn->line, "fetched at it");
    used(w, f, insn->mask, active, insn->line, "fetched at it");
  }
  if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM ||
      insn->form == PTX_TEX)
    used(w, f, insn->a, active, insn->line, "used it as an address");
  if (insn->form == PTX_ATOM) {
    used(w, f, insn->b, active, insn->line, "stored it");
    used(w, f, insn->c, active, insn->line, "stored it");
    mark(f, insn->d, active, 0, NO_ORIGIN);
  }
  if (insn->form == PTX_SREG || insn->form == PTX_LOCAL_ADDR)
    mark(f, insn->d, active, 0, NO_ORIGIN);
  through_list(w, f, insn, active);
}

void taint_branch(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  used(w, f, b->predicate, lanes, b->line, "decided by it where to go");
}

void taint_meet(Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad = 0;
  if (insn->form == PTX_VOTE || insn->form == PTX_MATCH || insn->form == PTX_REDUX)
    bad = source(f, insn->a, lanes, &from) ? lanes : 0;
  if (insn->form != PTX_SHFL)
    mark(f, insn->d, lanes, bad, from);
  mark(f, insn->e, lanes, bad, from);
}

static uint8_t remember(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address,
                        PtxSpace space) {
  if (!w->origins)
    w->origins = calloc(ORIGINS, sizeof *w->origins);
  assert(w->origins);
  uint32_t number = 0;
  while (number < w->norigins &&
         (w->origins[number].insn != insn || w->origins[number].space != space))
    number++;
  if (number == ORIGINS)
    number = 0;
  Origin *o = &w->origins[number];
  if (number == w->norigins || o->insn != insn || o->space != space)
    *o = (Origin){.insn = insn, .space = (uint8_t)space};
  if (number == w->norigins)
    w->norigins++;
  EACH_SET(lane, lanes) o->address[lane] = address[lane];
  o->lanes |= lanes;
  return (uint8_t)number;
}

void taint_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active, uint32_t undefined,
                const uint64_t *address, PtxSpace space) {
  uint8_t from = NO_ORIGIN;
  if (undefined) {
    w->tainted = true;
    from = remember(w, insn, undefined, address, space);
  }
  for (unsigned i = 0; i < insn->count; i++)
    mark(f, insn->list[i], active, undefined, from);
}
