#include "definedness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "mistakes.h"

#define NO_ORIGIN 255

/* The marks of a frame, by slot. */
struct Marks {
  uint32_t slots, undefined_epoch; /* WarpObserved.undefined_epoch that they are from */
  uint32_t *undefined;             /* lanes whose value nothing defined */
  uint8_t *origin;                 /* number of the Origin, for these lanes */
};

static struct Marks *marks_of(Warp *w, Frame *f) {
  const uint32_t slots = f->function->nslots + 2;
  struct Marks *m = f->marks;
  if (!m)
    m = f->marks = calloc(1, sizeof *m);
  assert(m);
  if (m->slots < slots) {
    m->undefined = realloc(m->undefined, slots * sizeof *m->undefined);
    m->origin = realloc(m->origin, slots);
    assert(m->undefined && m->origin);
    m->slots = slots;
    m->undefined_epoch = 0;
  }
  if (m->undefined_epoch != w->observed->undefined_epoch) {
    memset(m->undefined, 0, slots * sizeof *m->undefined);
    memset(m->origin, 0, slots);
    m->undefined_epoch = w->observed->undefined_epoch;
  }
  return m;
}

static uint32_t *marks(Warp *w, Frame *f, uint32_t slot) {
  return &marks_of(w, f)->undefined[slot / PTX_SLOT_BYTES];
}
static uint8_t *origin_of(Warp *w, Frame *f, uint32_t slot) {
  return &marks_of(w, f)->origin[slot / PTX_SLOT_BYTES];
}

static void now_undefined(Warp *w) {
  w->observed->undefined_epoch += !w->observed->has_undefined;
  w->observed->has_undefined = true;
}

/* ---- warps and frames ------------------------------------------------------------------------ */
void definedness_start(Warp *w) {
  w->observed->has_undefined = false;
  w->observed->norigins = 0;
}

void definedness_free(Warp *w) {
  free(w->observed->origins);
  free(w->observed->local_defined);
}

void definedness_frame_free(Frame *f) {
  if (!f->marks)
    return;
  free(f->marks->undefined);
  free(f->marks->origin);
  free(f->marks);
  f->marks = NULL;
}

static void grow_local(WarpObserved *o, uint32_t bytes) {
  if (bytes <= o->local_bytes)
    return;
  o->local_defined = realloc(o->local_defined, (size_t)bytes * WARP_LANES);
  assert(o->local_defined);
  o->local_bytes = bytes;
}

void definedness_enter(Warp *w, Frame *f, uint32_t lanes) {
  const PtxFunction *function = f->function;
  WarpObserved *o = w->observed;
  if (f->marks)
    f->marks->undefined_epoch = 0;
  if (!o->checks)
    return;
  if (function->local_bytes) {
    grow_local(o, w->local_bytes);
    for (uint32_t at = f->local_base / 4 * 4; at < f->local_end; at += 4)
      if (lanes == w->existing)
        memset(o->local_defined + interleaved(at, 0), 0, PTX_SLOT_BYTES);
      else
        EACH_SET(lane, lanes) memset(o->local_defined + interleaved(at, lane), 0, 4);
  }
  for (uint32_t i = 0; i < function->nundefined; i++) {
    now_undefined(w);
    *marks(w, f, function->undefined[i]) = lanes;
    *origin_of(w, f, function->undefined[i]) = NO_ORIGIN;
  }
}

/* ---- marks through instructions -------------------------------------------------------------- */
static const Origin *origin(Warp *w, Frame *f, uint32_t slot) {
  uint8_t number = *origin_of(w, f, slot);
  return number == NO_ORIGIN ? NULL : &w->observed->origins[number];
}

/* An undefined operand is used for good: say so once, then treat it as defined. */
static void used(Warp *w, Frame *f, uint32_t slot, uint32_t lanes, uint32_t line, const char *use) {
  if (slot == PTX_NO_REG)
    return;
  uint32_t bad = *marks(w, f, slot) & lanes;
  if (!bad)
    return;
  mistake_undefined(w, origin(w, f, slot), lowest(bad), line, use);
  *marks(w, f, slot) &= ~bad;
}

/* Marks of a source, those of `lanes`; remembers where the first marked one came from. */
static uint32_t source(Warp *w, Frame *f, uint32_t slot, uint32_t lanes, uint8_t *from) {
  if (slot == PTX_NO_REG)
    return 0;
  uint32_t bad = *marks(w, f, slot) & lanes;
  if (bad)
    *from = *origin_of(w, f, slot);
  return bad;
}

static void mark(Warp *w, Frame *f, uint32_t slot, uint32_t active, uint32_t undefined,
                 uint8_t from) {
  if (slot == PTX_NO_REG)
    return;
  *marks(w, f, slot) = (*marks(w, f, slot) & ~active) | undefined;
  if (undefined)
    *origin_of(w, f, slot) = from;
}

static uint32_t select_marks(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active,
                             uint8_t *from) {
  uint32_t choose = *slot32(f->registers, insn->c);
  if (insn->flags & PTX_NEG_SOURCE)
    choose = ~choose;
  uint32_t bad = source(w, f, insn->c, active, from);
  bad |= source(w, f, insn->a, active & choose, from);
  return bad | source(w, f, insn->b, active & ~choose, from);
}

static void through_alu(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad;
  if (ptx_op_is_select((PtxOp)insn->op))
    bad = select_marks(w, f, insn, active, &from);
  else
    bad = source(w, f, insn->a, active, &from) | source(w, f, insn->b, active, &from) |
          source(w, f, insn->c, active, &from);
  mark(w, f, insn->d, active, bad, from);
}

/* A register that nothing sets beside others is the padding of a struct, which travels along. */
static uint32_t pack_marks(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active, uint8_t *from) {
  uint32_t bad = 0, all = active;
  for (unsigned i = 0; i < insn->count; i++) {
    uint8_t own = NO_ORIGIN;
    uint32_t piece = source(w, f, insn->list[i], active, &own);
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
    mark(w, f, insn->d, active, pack_marks(w, f, insn, active, &from), from);
    break;
  case PTX_UNPACK:
    bad = source(w, f, insn->a, active, &from);
    for (unsigned i = 0; i < insn->count; i++)
      mark(w, f, insn->list[i], active, bad, from);
    break;
  case PTX_ST: /* local memory keeps the mark: definedness_local_store */
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
      mark(w, f, insn->list[i], active, 0, NO_ORIGIN);
    break;
  default:
    break;
  }
}

void definedness_check(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t active) {
  used(w, f, insn->guard, lanes, insn->line, "decided by it what to run");
  if (insn->form == PTX_ALU) {
    through_alu(w, f, insn, active);
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
    mark(w, f, insn->d, active, 0, NO_ORIGIN);
  }
  if (insn->form == PTX_SREG || insn->form == PTX_LOCAL_ADDR)
    mark(w, f, insn->d, active, 0, NO_ORIGIN);
  through_list(w, f, insn, active);
}

void definedness_branch(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  used(w, f, b->predicate, lanes, b->line, "decided by it where to go");
}

void definedness_meet(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad = 0;
  if (insn->form == PTX_VOTE || insn->form == PTX_MATCH || insn->form == PTX_REDUX)
    bad = source(w, f, insn->a, lanes, &from) ? lanes : 0;
  if (insn->form != PTX_SHFL)
    mark(w, f, insn->d, lanes, bad, from);
  mark(w, f, insn->e, lanes, bad, from);
}

static uint8_t remember(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address,
                        PtxSpace space) {
  if (!w->observed->origins)
    w->observed->origins = calloc(ORIGINS, sizeof *w->observed->origins);
  assert(w->observed->origins);
  uint32_t number = 0;
  while (number < w->observed->norigins &&
         (w->observed->origins[number].insn != insn || w->observed->origins[number].space != space))
    number++;
  if (number == ORIGINS)
    number = 0;
  Origin *o = &w->observed->origins[number];
  if (number == w->observed->norigins || o->insn != insn || o->space != space)
    *o = (Origin){.insn = insn, .space = (uint8_t)space};
  if (number == w->observed->norigins)
    w->observed->norigins++;
  EACH_SET(lane, lanes) o->address[lane] = address[lane];
  o->lanes |= lanes;
  return (uint8_t)number;
}

void definedness_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active, uint32_t undefined,
                      const uint64_t *address, PtxSpace space) {
  uint8_t from = NO_ORIGIN;
  if (undefined) {
    now_undefined(w);
    from = remember(w, insn, undefined, address, space);
  }
  for (unsigned i = 0; i < insn->count; i++)
    mark(w, f, insn->list[i], active, undefined, from);
}

void definedness_shuffle(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                         const uint32_t *from) {
  if (insn->d == PTX_NO_REG)
    return;
  uint32_t before = *marks(w, f, insn->a), undefined = 0;
  EACH_SET(lane, lanes) undefined |= (before >> from[lane] & 1) << lane;
  mark(w, f, insn->d, lanes, undefined, *origin_of(w, f, insn->a));
}

/* ---- local memory ---------------------------------------------------------------------------- */
void definedness_local_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                            const uint32_t *offset, bool same) {
  const unsigned bytes = access_bytes(insn);
  const uint8_t *defined = w->observed->local_defined;
  uint32_t undefined = 0;
  if (bytes % 4 == 0) {
    for (uint32_t i = 0; i < bytes; i += 4)
      for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t word;
        memcpy(&word, defined + interleaved(offset[same ? 0 : lane] + i, lane), 4);
        undefined |= (uint32_t)(word != UINT32_MAX) << lane;
      }
    undefined &= lanes;
  } else {
    EACH_SET(lane, lanes)
    for (uint32_t i = 0; i < bytes; i++)
      undefined |= (uint32_t)!defined[interleaved(offset[same ? 0 : lane] + i, lane)] << lane;
  }
  if (!undefined && !w->observed->has_undefined)
    return;
  uint64_t address[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    address[lane] = offset[same ? 0 : lane];
  definedness_load(w, f, insn, lanes, undefined, address, PTX_LOCAL);
}

/* Copying an undefined value here is no mistake yet. */
void definedness_local_store(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                             const uint32_t *offset, bool same) {
  const unsigned bytes = access_bytes(insn);
  uint32_t unknown = 0;
  for (unsigned i = 0; i < insn->count && w->observed->has_undefined; i++)
    unknown |= *marks(w, f, insn->list[i]);
  if (same && lanes == w->existing && !unknown && offset[0] % 4 == 0 && bytes % 4 == 0) {
    memset(w->observed->local_defined + interleaved(offset[0], 0), 0xff,
           (size_t)bytes * WARP_LANES);
    return;
  }
  EACH_SET(lane, lanes)
  for (uint32_t i = 0; i < bytes; i++)
    w->observed->local_defined[interleaved(offset[same ? 0 : lane] + i, lane)] =
        unknown >> lane & 1 ? 0 : 0xff;
}

/* ---- global memory --------------------------------------------------------------------------- */
bool definedness_of_range(const Allocation *a, uint64_t offset, uint64_t bytes) {
  if (a->all_defined)
    return true;
  uint64_t end = offset + bytes;
  for (; offset < end && offset % 8; offset++)
    if (!(a->defined[offset / 8] >> offset % 8 & 1))
      return false;
  for (; offset + 8 <= end; offset += 8)
    if (a->defined[offset / 8] != 0xff)
      return false;
  for (; offset < end; offset++)
    if (!(a->defined[offset / 8] >> offset % 8 & 1))
      return false;
  return true;
}

uint32_t definedness_of_global(const Allocation *a, const Shape *shape, uint64_t at,
                               unsigned bytes) {
  uint32_t undefined = 0;
  if (a->all_defined)
    return 0;
  EACH_SET(lane, shape->lanes)
  undefined |= (uint32_t)!definedness_of_range(a, shape_at(shape, at, lane) - a->address, bytes)
               << lane;
  return undefined;
}
