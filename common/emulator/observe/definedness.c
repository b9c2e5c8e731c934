/* Marks undefined values in registers, local memory and arguments, and propagates the marks through
 * instructions (definedness.h). */
#include "definedness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "mistakes.h"
#include "shared_races.h"
#include "undefined_bits.h"

/* A flag in an origin number: the value was only copied since it was loaded, or its register was
 * never set. */
#define RAW 64
/* The origin number of a value whose register was never set. */
#define NO_ORIGIN 63

/* The marks of a frame: for each register slot, and for each byte of its arguments. */
struct Marks {
  /* `slots`: number of elements of the arrays for registers. `undefined_epoch`: the marks are valid
   * only if WarpObserved.undefined_epoch has the same value. */
  uint32_t slots, undefined_epoch;
  /* For each slot: the lanes whose value has undefined bits. */
  uint32_t *undefined;
  /* For each slot and lane: the undefined bits. A predicate has only bit 0. */
  uint64_t (*bits)[WARP_LANES];
  /* For each slot: the number of the Origin of the values in the lanes of `undefined`. */
  uint8_t *origin;
  uint32_t argument_bytes;
  /* A copy of the layout of Frame.arguments: a bit is 1 if the corresponding bit of the arguments
   * is undefined. */
  uint8_t *arguments;
  /* For each argument byte: the number of its origin. */
  uint8_t *argument_origin;
};

static struct Marks *marks_of(Warp *w, Frame *f) {
  const uint32_t slots = f->function->nslots + 2, bytes = f->function->argument_bytes + 4;
  struct Marks *m = f->marks;
  if (!m)
    m = f->marks = calloc(1, sizeof *m);
  assert(m);
  if (m->slots < slots || m->argument_bytes < bytes) {
    m->undefined = realloc(m->undefined, slots * sizeof *m->undefined);
    m->bits = realloc(m->bits, slots * sizeof *m->bits);
    m->origin = realloc(m->origin, slots);
    m->arguments = realloc(m->arguments, (size_t)bytes * WARP_LANES);
    m->argument_origin = realloc(m->argument_origin, bytes);
    assert(m->undefined && m->bits && m->origin && m->arguments && m->argument_origin);
    m->slots = slots;
    m->argument_bytes = bytes;
    m->undefined_epoch = 0;
  }
  if (m->undefined_epoch != w->observed->undefined_epoch) {
    memset(m->undefined, 0, slots * sizeof *m->undefined);
    memset(m->origin, 0, slots);
    memset(m->arguments, 0, (size_t)bytes * WARP_LANES);
    memset(m->argument_origin, NO_ORIGIN | RAW, bytes);
    m->undefined_epoch = w->observed->undefined_epoch;
  }
  return m;
}

static uint32_t *marks(Warp *w, Frame *f, uint32_t slot) {
  return &marks_of(w, f)->undefined[slot / PTX_SLOT_BYTES];
}
static uint64_t *bits_of(Warp *w, Frame *f, uint32_t slot) {
  return marks_of(w, f)->bits[slot / PTX_SLOT_BYTES];
}
static uint8_t *origin_of(Warp *w, Frame *f, uint32_t slot) {
  return &marks_of(w, f)->origin[slot / PTX_SLOT_BYTES];
}

static void now_undefined(Warp *w) {
  w->observed->undefined_epoch += !w->has_undefined;
  w->has_undefined = true;
}

/* ---- warps and frames ------------------------------------------------------------------------ */
void definedness_start(Warp *w) {
  w->has_undefined = false;
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
  free(f->marks->bits);
  free(f->marks->origin);
  free(f->marks->argument_origin);
  free(f->marks->arguments);
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

static void set_all(Warp *w, Frame *f, uint32_t slot, uint32_t lanes) {
  *marks(w, f, slot) = lanes;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    bits_of(w, f, slot)[lane] = UINT64_MAX;
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
    set_all(w, f, function->undefined[i], lanes);
    *origin_of(w, f, function->undefined[i]) = NO_ORIGIN | RAW;
  }
}

/* ---- propagation through instructions -------------------------------------------------------- */
static const Origin *origin_numbered(Warp *w, uint8_t number) {
  number &= (uint8_t)~RAW;
  return number == NO_ORIGIN ? NULL : &w->observed->origins[number];
}
static const Origin *origin(Warp *w, Frame *f, uint32_t slot) {
  return origin_numbered(w, *origin_of(w, f, slot));
}

/* If `bad` is not 0, reports that the undefined register `slot` is used in these lanes. Afterwards
 * these lanes count as defined, so that the mistake is reported only once. */
static void used_by(Warp *w, Frame *f, uint32_t slot, uint32_t bad, uint32_t line,
                    const char *use) {
  if (!bad)
    return;
  const Origin *from = origin(w, f, slot);
  /* Prefer a lane that got its value from this origin. Other lanes may have got theirs from another
   * load. */
  const uint32_t own = from ? bad & from->lanes : bad;
  mistake_undefined(w, from, lowest(own ? own : bad), line, use);
  *marks(w, f, slot) &= ~bad;
}
static void used(Warp *w, Frame *f, uint32_t slot, uint32_t lanes, uint32_t line, const char *use) {
  if (slot != PTX_NO_REG)
    used_by(w, f, slot, *marks(w, f, slot) & lanes, line, use);
}

static uint8_t undefined_from(Warp *w, Frame *f, uint32_t slot) {
  return slot == PTX_NO_REG ? NO_ORIGIN : *origin_of(w, f, slot);
}

/* Returns the lanes of `lanes` in which a source register is undefined. If there are any, sets
 * `*from` to the number of their origin. */
static uint32_t source(Warp *w, Frame *f, uint32_t slot, uint32_t lanes, uint8_t *from) {
  if (slot == PTX_NO_REG)
    return 0;
  uint32_t bad = *marks(w, f, slot) & lanes;
  if (bad)
    *from = *origin_of(w, f, slot);
  return bad;
}

/* Sets the marks of a register in the active lanes to `bits`. */
static void mark_bits(Warp *w, Frame *f, uint32_t slot, uint32_t active, const uint64_t *bits,
                      uint8_t from) {
  if (slot == PTX_NO_REG)
    return;
  uint32_t undefined = 0;
  uint64_t *mine = bits_of(w, f, slot);
  EACH_SET(lane, active) {
    undefined |= (uint32_t)(bits[lane] != 0) << lane;
    mine[lane] = bits[lane];
  }
  *marks(w, f, slot) = (*marks(w, f, slot) & ~active) | undefined;
  if (undefined)
    *origin_of(w, f, slot) = from;
}
/* Marks all bits of a register as undefined in the lanes of `undefined`, and as defined in the
 * other active lanes. */
static void mark(Warp *w, Frame *f, uint32_t slot, uint32_t active, uint32_t undefined,
                 uint8_t from) {
  uint64_t bits[WARP_LANES] = {0};
  if (slot == PTX_NO_REG)
    return;
  if (!undefined) {
    *marks(w, f, slot) &= ~active;
    return;
  }
  EACH_SET(lane, undefined) bits[lane] = UINT64_MAX;
  mark_bits(w, f, slot, active, bits, from);
}

static uint64_t undefined_of(Warp *w, Frame *f, uint32_t slot, unsigned lane) {
  return slot != PTX_NO_REG && *marks(w, f, slot) >> lane & 1 ? bits_of(w, f, slot)[lane] : 0;
}
static Operand operand(Warp *w, Frame *f, uint32_t slot, unsigned bits, unsigned lane) {
  Operand o = {0, 0};
  if (slot == PTX_NO_REG || bits == 0)
    return o;
  o.value = bits == 1    ? *slot32(f->registers, slot) >> lane & 1
            : bits == 64 ? slot64(f->registers, slot)[lane]
                         : slot32(f->registers, slot)[lane];
  o.value &= low_bits(bits);
  o.undefined = undefined_of(w, f, slot, lane) & low_bits(bits);
  return o;
}

static void through_alu(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  uint8_t from = NO_ORIGIN;
  uint32_t bad = source(w, f, insn->a, active, &from) | source(w, f, insn->b, active, &from) |
                 source(w, f, insn->c, active, &from);
  const OpWidths width = op_widths((PtxOp)insn->op);
  uint64_t bits[WARP_LANES] = {0};
  EACH_SET(lane, bad) {
    Operand c = operand(w, f, insn->c, width.c, lane);
    if (ptx_op_is_select((PtxOp)insn->op) && insn->flags & PTX_NEG_SOURCE)
      c.value ^= 1;
    bits[lane] = undefined_bits(insn, operand(w, f, insn->a, width.a, lane),
                                operand(w, f, insn->b, width.b, lane), c);
  }
  if (!only_moves_bits((PtxOp)insn->op))
    from &= (uint8_t)~RAW;
  if (bad)
    mark_bits(w, f, insn->d, active, bits, from);
  else
    mark(w, f, insn->d, active, 0, from);
}

static void through_pack(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  const unsigned piece = 8 * ptx_type_bytes((PtxType)insn->type) / insn->count;
  uint8_t from = NO_ORIGIN;
  uint64_t bits[WARP_LANES] = {0};
  for (unsigned i = 0; i < insn->count; i++) {
    uint8_t own = NO_ORIGIN;
    EACH_SET(lane, source(w, f, insn->list[i], active, &own))
    bits[lane] |= (undefined_of(w, f, insn->list[i], lane) & low_bits(piece)) << piece * i;
    from = own == NO_ORIGIN ? from : own;
  }
  mark_bits(w, f, insn->d, active, bits, from);
}

static void through_unpack(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  const unsigned piece = 8 * ptx_type_bytes((PtxType)insn->type) / insn->count;
  uint8_t from = NO_ORIGIN;
  uint64_t whole[WARP_LANES] = {0}, bits[WARP_LANES] = {0};
  EACH_SET(lane, source(w, f, insn->a, active, &from))
  whole[lane] = undefined_of(w, f, insn->a, lane);
  for (unsigned i = 0; i < insn->count; i++) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      bits[lane] = whole[lane] >> piece * i & low_bits(piece);
    mark_bits(w, f, insn->list[i], active, bits, from);
  }
}

/* Returns true if the byte that a lane read at the address is defined. */
static bool byte_defined(const Warp *w, PtxSpace space, unsigned lane, uint64_t address) {
  if (space == PTX_LOCAL)
    return address < w->observed->local_bytes &&
           w->observed->local_defined[interleaved((uint32_t)address, lane)] == 255;
  if (space == PTX_SHARED) {
    const SharedShadow *s = w->observed->shadow;
    uint64_t at = address >= PTX_SHARED_WINDOW ? address - PTX_SHARED_WINDOW : address;
    return at >> s->shift < s->entries && s->writer[at >> s->shift] >= s->block_floor;
  }
  const Allocation *a = space == PTX_GLOBAL ? memory_find(address) : NULL;
  return a && definedness_of_range(a, address - a->address, 1);
}

/* ---- stores ---------------------------------------------------------------------------------- */
/* Returns the number of defined bytes of a stored element. A byte is defined if all its bits are
 * defined. `moved`: the value was only copied. Then one defined bit is enough, because the
 * undefined bits may be the padding between bit fields. */
static unsigned defined_bytes(uint64_t undefined, unsigned bytes, bool moved) {
  unsigned n = 0;
  for (unsigned i = 0; i < bytes; i++) {
    const unsigned byte = undefined >> 8 * i & 255;
    n += byte == 0 || (moved && byte != 255);
  }
  return n;
}

static unsigned stored_bytes(const PtxInsn *insn) {
  return insn->count * ptx_type_bytes((PtxType)insn->type);
}
/* Returns true if this store is part of copying a struct, whose padding may be undefined. In such a
 * copy, the same source line also stores a wider element next to this one, possibly through another
 * pointer. For an element of 8 bytes, the neighbour may be the other half of a struct of 16
 * bytes. */
static bool is_piece(const Frame *f, const PtxInsn *insn, unsigned lane) {
  const unsigned bytes = stored_bytes(insn);
  const PtxInsn *first = f->function->code, *end = first + f->function->ncode;
  insn = first + insn->number;
  uint64_t mine[WARP_LANES], its[WARP_LANES];
  lane_addresses(f->registers, insn, mine);
  for (const PtxInsn *i = insn - first > 32 ? insn - 32 : first; i < end && i < insn + 32; i++) {
    if (i->form != PTX_ST || i->space != insn->space || i->line != insn->line)
      continue;
    lane_addresses(f->registers, i, its);
    if (its[lane] - mine[lane] + 128 <= 256 &&
        (stored_bytes(i) > bytes ||
         (bytes == 8 && i->a == insn->a && insn->imm % 16 && i->imm % 16 == 0 &&
          i->imm + 8 != insn->imm && stored_bytes(i) == 8)))
      return true;
  }
  return false;
}

/* The compiler may store an 8-byte value in pieces, in the order of descending addresses. Returns
 * the store of the adjacent piece below (`down` = 1) or above (`down` = -1) this one in memory;
 * NULL: there is no such store. */
static const PtxInsn *next_piece(const Frame *f, const PtxInsn *insn, unsigned lane, int down) {
  const uint32_t at = insn->number;
  const PtxInsn *other = f->function->code + at + down;
  uint64_t mine[WARP_LANES], its[WARP_LANES];
  if (at + (uint32_t)down >= f->function->ncode || other->form != PTX_ST || other->count != 1 ||
      insn->count != 1 || stored_bytes(other) != stored_bytes(insn) || other->line != insn->line)
    return NULL;
  lane_addresses(f->registers, insn, mine);
  lane_addresses(f->registers, other, its);
  return its[lane] + (uint64_t)((int64_t)down * stored_bytes(insn)) == mine[lane] &&
                 its[lane] / 8 == mine[lane] / 8
             ? other
             : NULL;
}
static unsigned defined_in_pieces(Warp *w, Frame *f, const PtxInsn *insn, unsigned lane) {
  const unsigned bytes = stored_bytes(insn);
  unsigned n = 0;
  for (int down = -1; down <= 1; down += 2)
    for (const PtxInsn *i = insn; (i = next_piece(f, i, lane, down));)
      n += defined_bytes(undefined_of(w, f, i->list[0], lane), bytes, true);
  return n;
}

/* Returns true if the store is in a basic block that branches to itself. Such a loop may copy a
 * large struct byte by byte. */
static bool in_loop(const Frame *f, const PtxInsn *insn) {
  const uint32_t at = insn->number;
  for (uint32_t i = 0; i < f->function->nblocks; i++) {
    const PtxBlock *b = &f->function->blocks[i];
    if (at >= b->first && at < b->first + b->count)
      return b->end == PTX_END_IF && (b->taken == i || b->next == i);
  }
  return false;
}
static bool is_byte_of_struct(const Warp *w, const Frame *f, const PtxInsn *insn, unsigned lane,
                              const Origin *from) {
  if (stored_bytes(insn) != 1 || !from || from->insn->line != insn->line || !in_loop(f, insn))
    return false;
  const uint64_t around = from->address[lane] / 16 * 16;
  for (uint64_t at = around; at < around + 16; at++)
    if (byte_defined(w, (PtxSpace)from->space, lane, at))
      return true;
  return false;
}

/* Returns the lanes for which the store is a mistake, because no byte of the element is defined.
 * Undefined bytes next to defined bytes of the same element are assumed to be padding. A completely
 * undefined element counts as padding if it was only copied and one of these is true: it is next to
 * a partly defined or a wider element, or it is one byte that is stored in a loop. */
static uint32_t stores_nothing(Warp *w, Frame *f, const PtxInsn *insn, unsigned which,
                               uint32_t active) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const bool real = insn->type == PTX_F16 || insn->type == PTX_F32 || insn->type == PTX_F64;
  uint8_t from = 0;
  uint32_t nothing = 0;
  EACH_SET(lane, source(w, f, insn->list[which], active, &from)) {
    unsigned own = defined_bytes(undefined_of(w, f, insn->list[which], lane), bytes, from & RAW);
    unsigned others = 0;
    for (unsigned i = 0; i < insn->count; i++)
      others += defined_bytes(undefined_of(w, f, insn->list[i], lane), bytes, true);
    const bool copied = from & RAW && !(real && from == (NO_ORIGIN | RAW));
    others += defined_in_pieces(w, f, insn, lane);
    const bool padding =
        copied && (others || is_piece(f, insn, lane) ||
                   is_byte_of_struct(w, f, insn, lane, origin(w, f, insn->list[which])));
    nothing |= (uint32_t)(own == 0 && !padding) << lane;
  }
  return nothing;
}

/* Returns the lanes that store to another space than local memory, which has marks of its own
 * (definedness_local_store). */
static uint32_t not_local(const Frame *f, const PtxInsn *insn, uint32_t active) {
  uint64_t address[WARP_LANES];
  if (insn->space == PTX_LOCAL)
    return 0;
  if (insn->space == PTX_GENERIC) {
    lane_addresses(f->registers, insn, address);
    EACH_SET(lane, active)
    active &= ~((uint32_t)(address[lane] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) << lane);
  }
  return active;
}

/* Returns true for a store that a library such as cub makes: it has no source line. In cub, all
 * warps store a sum in shared memory, but only the valid sums are used later. */
static bool is_a_librarys(const PtxInsn *insn) { return insn->space == PTX_SHARED && !insn->line; }

static void through_store(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  uint32_t nothing[16] = {0};
  if (is_a_librarys(insn))
    return;
  active = not_local(f, insn, active);
  for (unsigned i = 0; i < insn->count && i < 16; i++)
    nothing[i] = stores_nothing(w, f, insn, i, active);
  for (unsigned i = 0; i < insn->count && i < 16; i++)
    if (insn->space == PTX_SHARED && nothing[i] && !origin(w, f, insn->list[i]))
      w->observed->stored_nothing |=
          /* The register was never set, for example beyond the end of a tile. A later read of this
           * shared memory will be reported. */
          nothing[i];
    else
      used_by(w, f, insn->list[i], nothing[i], insn->line, "stored a result of it");
}

/* ---- arguments: passed between frames by calls ----------------------------------------------- */
static void through_argument(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const bool by_sign = insn->type == PTX_S8 || insn->type == PTX_S16 || insn->type == PTX_S32;
  uint8_t *arguments = marks_of(w, f)->arguments, *from = marks_of(w, f)->argument_origin;
  uint32_t at = (uint32_t)insn->imm;
  for (unsigned i = 0; i < insn->count; i++, at += bytes) {
    uint64_t bits[WARP_LANES] = {0};
    if (insn->form == PTX_ST_ARG)
      memset(from + at, undefined_from(w, f, insn->list[i]), bytes);
    EACH_SET(lane, active)
    for (unsigned k = 0; k < bytes; k++) {
      uint8_t *byte = &arguments[interleaved(at + k, lane)];
      if (insn->form == PTX_ST_ARG)
        *byte = (uint8_t)(undefined_of(w, f, insn->list[i], lane) >> 8 * k);
      else
        bits[lane] |= (uint64_t)*byte << 8 * k;
    }
    for (unsigned lane = 0; lane < WARP_LANES && insn->form == PTX_LD_ARG; lane++)
      bits[lane] = bits[lane] ? undefined_extended(bits[lane], bytes, by_sign) : 0;
    if (insn->form == PTX_LD_ARG)
      mark_bits(w, f, insn->list[i], active, bits, from[at] | RAW);
  }
}

void definedness_argument(Warp *w, const Frame *from, uint32_t source, Frame *to, uint32_t target,
                          uint32_t bytes, uint32_t lanes) {
  const struct Marks *there = marks_of(w, (Frame *)from);
  struct Marks *here = marks_of(w, to);
  memcpy(here->argument_origin + target, there->argument_origin + source, bytes);
  for (uint32_t i = 0; i < bytes; i++)
    EACH_SET(lane, lanes)
  here->arguments[interleaved(target + i, lane)] = there->arguments[interleaved(source + i, lane)];
}

void definedness_builtin(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint8_t *arguments = marks_of(w, f)->arguments, from = NO_ORIGIN;
  uint32_t bad = 0;
  const PtxCall *call = insn->call;
  for (uint32_t i = 0; i < call->nargs; i++)
    for (uint32_t k = 0; k < call->args[i].bytes; k++)
      EACH_SET(lane, lanes) {
        uint8_t *byte = &arguments[interleaved(call->args[i].offset + k, lane)];
        if (*byte && !bad)
          from = marks_of(w, f)->argument_origin[call->args[i].offset + k];
        bad |= (uint32_t)(*byte != 0) << lane;
        *byte = 0;
      }
  if (bad)
    mistake_undefined(w, origin_numbered(w, from), lowest(bad), insn->line, "passed it on");
  for (uint32_t k = 0; call->has_result && k < call->result.bytes; k++)
    EACH_SET(lane, lanes) arguments[interleaved(call->result.offset + k, lane)] = 0;
}

static void through_list(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active) {
  switch (insn->form) {
  case PTX_PACK:
    through_pack(w, f, insn, active);
    break;
  case PTX_UNPACK:
    through_unpack(w, f, insn, active);
    break;
  case PTX_ST:
    through_store(w, f, insn, active);
    break;
  case PTX_ST_ARG:
  case PTX_LD_ARG:
    through_argument(w, f, insn, active);
    break;
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
    if (insn->sub & PTX_TEX_PLACE)
      mark(w, f, insn->d, active, 0, NO_ORIGIN);
  }
  if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM ||
      insn->form == PTX_TEX)
    used(w, f, insn->a, active, insn->line, "used it as an address");
  if (insn->form == PTX_ATOM) {
    used(w, f, insn->b, active, insn->line, "stored a result of it");
    used(w, f, insn->c, active, insn->line, "stored a result of it");
    mark(w, f, insn->d, active, 0, NO_ORIGIN);
  }
  if (insn->form == PTX_SREG || insn->form == PTX_LOCAL_ADDR)
    mark(w, f, insn->d, active, 0, NO_ORIGIN);
  through_list(w, f, insn, active);
}

void definedness_branch(Warp *w, Frame *f, const PtxBlock *b, uint32_t lanes) {
  used(w, f, b->predicate, lanes, b->line, "decided by it where to go");
}

/* Handles matrix instructions. Only a matrix multiplication counts as a use of its operands. A
 * matrix load is not reported, even if the address of a row is missing and its elements are
 * unknown. */
void definedness_matrices(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes) {
  for (uint32_t i = ptx_written(insn); i < insn->count && insn->form == PTX_MMA; i++)
    used(w, f, insn->list[i], lanes, insn->line, "multiplied it");
  for (uint32_t i = 0; i < ptx_written(insn); i++)
    mark(w, f, insn->list[i], lanes, 0, NO_ORIGIN);
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
  return (uint8_t)(number | RAW);
}

/* Returns the undefined bits of the register that receives element i of a load. `undefined`: the
 * undefined bits in memory. Bytes that the compiler declares unused (PtxInsn.unused) count as
 * defined. */
static uint64_t loaded(const PtxInsn *insn, unsigned i, uint64_t undefined) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  for (unsigned k = 0; insn->unused && k < bytes; k++)
    if (insn->unused >> (i * bytes + k) & 1)
      undefined &= ~(UINT64_C(255) << 8 * k);
  const bool by_sign = insn->type == PTX_S8 || insn->type == PTX_S16 || insn->type == PTX_S32;
  return undefined ? undefined_extended(undefined, bytes, by_sign) : 0;
}

void definedness_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t active, uint32_t undefined,
                      const uint64_t *address, PtxSpace space) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint8_t from = NO_ORIGIN;
  if (undefined) {
    now_undefined(w);
    from = remember(w, insn, undefined, address, space);
  }
  for (unsigned i = 0; i < insn->count; i++) {
    uint64_t bits[WARP_LANES] = {0};
    EACH_SET(lane, undefined) {
      for (unsigned k = 0; k < bytes && insn->form != PTX_TEX; k++)
        if (!byte_defined(w, space, lane, address[lane] + i * bytes + k))
          bits[lane] |= UINT64_C(255) << 8 * k;
      bits[lane] = insn->form == PTX_TEX ? UINT64_MAX : loaded(insn, i, bits[lane]);
    }
    mark_bits(w, f, insn->list[i], active, bits, from);
  }
}

/* Marks the undefined bits of the values that a shuffle exchanges. A value from an absent lane is
 * marked but not reported, because the program may discard it, as in `if (lane + d < n) v += u`. */
void definedness_shuffle(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                         const uint32_t *from, uint32_t present, uint32_t absent) {
  if (insn->d == PTX_NO_REG)
    return;
  uint64_t bits[WARP_LANES] = {0}, wanted[WARP_LANES];
  if (absent)
    now_undefined(w);
  EACH_SET(lane, lanes & ~absent) bits[lane] = undefined_of(w, f, insn->a, from[lane]);
  EACH_SET(lane, absent) bits[lane] = UINT32_MAX;
  uint8_t number = *origin_of(w, f, insn->a);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    wanted[lane] = from[lane];
  if (absent) {
    number = remember(w, insn, absent, wanted, (PtxSpace)insn->space) & (uint8_t)~RAW;
    w->observed->origins[number].present = present;
  }
  mark_bits(w, f, insn->d, lanes, bits, number);
}

/* ---- local memory ---------------------------------------------------------------------------- */
/* Returns the lanes that read an undefined bit of local memory. */
static uint32_t local_undefined(const Warp *w, const PtxInsn *insn, uint32_t lanes,
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
      undefined |= (uint32_t)(defined[interleaved(offset[same ? 0 : lane] + i, lane)] != 255)
                   << lane;
  }
  return undefined;
}

void definedness_local_load(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                            const uint32_t *offset, bool same) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const uint32_t undefined = local_undefined(w, insn, lanes, offset, same);
  uint8_t from = NO_ORIGIN;
  if (!undefined && !w->has_undefined)
    return;
  if (undefined) {
    uint64_t address[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      address[lane] = offset[same ? 0 : lane];
    now_undefined(w);
    from = remember(w, insn, undefined, address, PTX_LOCAL);
  }
  for (unsigned i = 0; i < insn->count; i++) {
    uint64_t bits[WARP_LANES] = {0};
    EACH_SET(lane, undefined) {
      const uint32_t at = offset[same ? 0 : lane] + i * bytes;
      for (unsigned k = 0; k < bytes; k++)
        bits[lane] |= (uint64_t)(uint8_t)~w->observed->local_defined[interleaved(at + k, lane)]
                      << 8 * k;
      bits[lane] = loaded(insn, i, bits[lane]);
    }
    mark_bits(w, f, insn->list[i], lanes, bits, from);
  }
}

/* A store to local memory copies the marks of the value and is never reported. */
void definedness_local_store(Warp *w, Frame *f, const PtxInsn *insn, uint32_t lanes,
                             const uint32_t *offset, bool same) {
  const unsigned bytes = access_bytes(insn), each = ptx_type_bytes((PtxType)insn->type);
  uint8_t *defined = w->observed->local_defined;
  uint32_t unknown = 0;
  for (unsigned i = 0; i < insn->count && w->has_undefined; i++)
    unknown |= *marks(w, f, insn->list[i]);
  if (same && lanes == w->existing && !unknown && offset[0] % 4 == 0 && bytes % 4 == 0) {
    memset(defined + interleaved(offset[0], 0), 0xff, (size_t)bytes * WARP_LANES);
    return;
  }
  EACH_SET(lane, lanes)
  for (uint32_t i = 0; i < bytes; i++) {
    const uint64_t undefined =
        unknown >> lane & 1 ? undefined_of(w, f, insn->list[i / each], lane) : 0;
    defined[interleaved(offset[same ? 0 : lane] + i, lane)] =
        (uint8_t) ~(undefined >> 8 * (i % each));
  }
}

void definedness_local_given(Warp *w, unsigned lane, uint32_t offset, size_t bytes) {
  for (uint32_t i = 0; i < bytes; i++)
    w->observed->local_defined[interleaved(offset + i, lane)] = 0xff;
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
