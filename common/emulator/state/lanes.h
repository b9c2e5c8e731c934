/* A warp's 32 addresses, and the way of 32 elements between memory and registers.
 *
 * An access is one of three patterns. Consecutive lanes, and one address for all, are recognised
 * first and handled as one piece; the inline functions here are called with constant sizes, so that
 * each such access becomes a loop of its own. Everything else (two rows of 16, strides, gathers,
 * lanes that take no part) is a vector of 32 offsets from one place in memory: bounds, alignment,
 * the way of the data and what observers note are loops over these.
 */
#ifndef STATE_LANES_H
#define STATE_LANES_H

#include <string.h>

#include "warp.h"

/* The last lane tells which question is worth asking. */
static ALWAYS_INLINE void find_pattern(Base *base, const uint8_t *a, bool narrow, unsigned bytes) {
  const uint32_t *low = (const uint32_t *)(const void *)a;
  const uint64_t *wide = (const uint64_t *)(const void *)a;
  bool same = narrow ? low[31] == low[0] : wide[31] == wide[0], yes;
  base->first = narrow ? low[0] : wide[0];
  if (same)
    yes = narrow ? lanes_advance32(low, 0) : lanes_advance64(wide, 0);
  else
    yes = narrow ? lanes_advance32(low, bytes) : lanes_advance64(wide, bytes);
  base->pattern = !yes ? SCATTERED : same ? SAME : CONSECUTIVE;
}

/* What 32 bits of address leave out. */
static ALWAYS_INLINE uint64_t narrow_window(const PtxInsn *insn) {
  return insn->space == PTX_CONST ? PTX_CONST_WINDOW : 0;
}

/* How the addresses of a whole warp lie, and the lowest lane's. */
static ALWAYS_INLINE Pattern pattern_of(Warp *w, const uint8_t *registers, const PtxInsn *insn,
                                        uint32_t lanes, unsigned bytes, bool narrow,
                                        uint64_t *first) {
  if (lanes != ALL_LANES || insn->base == PTX_NO_BASE)
    return SCATTERED;
  Base *base = &w->bases[insn->base];
  if (!insn->base_known)
    find_pattern(base, registers + insn->a, narrow, bytes);
  *first = base->first + (uint64_t)insn->imm;
  if (narrow)
    *first = (uint32_t)*first;
  return base->pattern;
}

/* The address of every lane, whatever the pattern; those of lanes that take no part mean nothing. */
static inline void lane_addresses(const uint8_t *registers, const PtxInsn *insn,
                                  uint64_t *address) {
  const uint32_t *low = (const uint32_t *)(const void *)(registers + insn->a);
  const uint64_t *wide = (const uint64_t *)(const void *)(registers + insn->a);
  const uint64_t imm = (uint64_t)insn->imm, window = narrow_window(insn);
  if (insn->a == PTX_NO_REG)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = imm;
  else if (insn->flags & PTX_NARROW_ADDRESS)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = window | (uint32_t)(low[lane] + (uint32_t)imm);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = wide[lane] + imm;
}

/* ---- offsets --------------------------------------------------------------------------------- */
/* Do all of `lanes` lie within a piece of memory, at multiples of their size: at most `most` beyond
 * `from`? offset[lane] counts from `origin`, which is aligned and not behind `from`; lanes that take no
 * part repeat the lowest's, so that reading there is safe. */
static ALWAYS_INLINE bool all_within(uint32_t *offset, const uint64_t *address, uint32_t lanes,
                                     uint64_t origin, uint64_t from, uint64_t most,
                                     unsigned bytes) {
  _Alignas(64) uint64_t active[WARP_LANES];
  if (lanes != ALL_LANES) {
    const uint64_t lead = address[lowest(lanes)];
    for (int lane = 0; lane < WARP_LANES; lane++)
      active[lane] = lanes >> lane & 1 ? address[lane] : lead;
    address = active;
  }
  const Vec64 *at = (const Vec64 *)(const void *)address;
  HalfVec32 *to = (HalfVec32 *)(void *)offset;
  Vec64 wrong = {0};
  for (int i = 0; i < VECS64; i++) {
    wrong |= (Vec64)(at[i] - from > most) | (at[i] & (bytes - 1));
    to[i] = __builtin_convertvector(at[i] - origin, HalfVec32);
  }
  return !vec64_any(wrong);
}

/* The same for addresses of 32 bits in a piece of memory that begins at 0. */
static ALWAYS_INLINE bool all_within_narrow(uint32_t *offset, const uint32_t *address, uint32_t imm,
                                            uint32_t lanes, uint32_t most, unsigned bytes) {
  const Vec32 *at = (const Vec32 *)(const void *)address;
  Vec32 *to = (Vec32 *)(void *)offset, wrong = {0};
  if (lanes != ALL_LANES) {
    const uint32_t lead = address[lowest(lanes)];
    for (int lane = 0; lane < WARP_LANES; lane++)
      offset[lane] = lanes >> lane & 1 ? address[lane] : lead;
    at = to;
  }
  for (int i = 0; i < VECS32; i++) {
    to[i] = at[i] + imm;
    wrong |= (Vec32)(to[i] > most) | (to[i] & (bytes - 1));
  }
  return !vec32_any(wrong);
}

/* Those of `lanes` that do; the offsets of all others repeat that of `lead`, which does. */
static inline uint32_t lanes_within(uint32_t *offset, const uint64_t *address, uint32_t lanes,
                                    unsigned lead, uint64_t origin, uint64_t from, uint64_t most,
                                    unsigned bytes) {
  uint32_t truth[WARP_LANES];
  if (all_within(offset, address, lanes, origin, from, most, bytes))
    return lanes;
  for (int lane = 0; lane < WARP_LANES; lane++)
    truth[lane] = address[lane] - from <= most && !(address[lane] & (bytes - 1)) ? UINT32_MAX : 0;
  lanes &= lanes_from_truth(truth);
  for (int lane = 0; lane < WARP_LANES; lane++)
    offset[lane] = (uint32_t)(address[lanes >> lane & 1 ? (unsigned)lane : lead] - origin);
  return lanes;
}

/* ---- shapes ---------------------------------------------------------------------------------- */
/* Finds out all about a shape. */
void shape_learn(Shape *, uint32_t lanes, const uint32_t *offset, unsigned bytes);
Shape *shape_make(void);
enum { FEW_PLACES = 4 }; /* found at once, where the lanes of a place are neighbours */
/* The number of its different places, which are then filled in. */
uint32_t shape_find_places(Shape *);
static inline uint32_t shape_places(const Shape *s) {
  return s->nplaces ? s->nplaces : shape_find_places((Shape *)s); /* only remembers */
}

/* Its words, a multiple of VEC32_LANES, the last ones perhaps nobody's; 0: it has too many, or odd
 * bytes. */
uint32_t shape_find_words(Shape *, unsigned bytes);
static inline uint32_t shape_words(const Shape *s, unsigned bytes) {
  return s->words_asked ? s->nwords : shape_find_words((Shape *)s, bytes); /* only remembers */
}

/* The shape of a request of at least one lane; it is good until the instruction's next request. */
static inline const Shape *shape_of(Recent *recent, uint32_t lanes, const uint32_t *offset,
                                    unsigned bytes) {
  if (!recent->shape)
    recent->shape = shape_make();
  Shape *s = recent->shape;
  const Vec32 *now = (const Vec32 *)(const void *)offset;
  const Vec32 *before = (const Vec32 *)(const void *)s->offset;
  const uint32_t first = offset[lowest(lanes)];
  Vec32 differ = {0};
  for (int i = 0; i < VECS32; i++)
    differ |= before[i] ^ (now[i] - first);
  if (__builtin_expect(s->lanes != lanes || vec32_any(differ), 0))
    shape_learn(s, lanes, offset, bytes);
  return s;
}

/* ---- consecutive, and one address for all ---------------------------------------------------- */
/* Whole warps of 4- and 8-byte elements; `size` and `count` are constants where it is called from.
 */
static ALWAYS_INLINE void put_consecutive(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                          unsigned count, const uint8_t *from) {
  if (count == 1) {
    lanes_copy(registers + insn->list[0], from, size);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    if (size == 4) {
      uint32_t *to = slot32(registers, insn->list[i]);
      for (unsigned lane = 0; lane < 32; lane++)
        memcpy(to + lane, from + (lane * count + i) * 4, 4);
    } else {
      uint64_t *to = slot64(registers, insn->list[i]);
      for (unsigned lane = 0; lane < 32; lane++)
        memcpy(to + lane, from + (lane * count + i) * 8, 8);
    }
  }
}

static ALWAYS_INLINE void put_same(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                   unsigned count, const uint8_t *from) {
  for (unsigned i = 0; i < count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    if (size == 4) {
      uint32_t value, *to = __builtin_assume_aligned(slot32(registers, insn->list[i]), 64);
      memcpy(&value, from + i * 4, 4);
      for (unsigned lane = 0; lane < 32; lane++)
        to[lane] = value;
    } else {
      uint64_t value, *to = __builtin_assume_aligned(slot64(registers, insn->list[i]), 64);
      memcpy(&value, from + i * 8, 8);
      for (unsigned lane = 0; lane < 32; lane++)
        to[lane] = value;
    }
  }
}

static ALWAYS_INLINE void get_consecutive(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                          unsigned count, uint8_t *to) {
  if (count == 1) {
    lanes_copy(to, registers + insn->list[0], size);
    return;
  }
  for (unsigned i = 0; i < count; i++)
    for (unsigned lane = 0; lane < 32; lane++)
      memcpy(to + (lane * count + i) * size, registers + insn->list[i] + lane * size, size);
}

/* ---- any offsets ----------------------------------------------------------------------------- */
/* What a lane reads where there is nothing to read: all bits set, NaN. */
#define NO_VALUE UINT64_MAX

/* Is a register of the instruction's list 8 bytes wide? */
static inline bool has_wide_registers(const PtxInsn *insn) {
  return insn->sub == 8 || ptx_type_bytes((PtxType)insn->type) == 8;
}

/* A register's new values on some lanes; the others keep theirs. */
static inline void put32(uint8_t *registers, uint32_t slot, uint32_t lanes, const uint32_t *value) {
  uint32_t *to = __builtin_assume_aligned(slot32(registers, slot), 64);
  if (lanes == ALL_LANES)
    memcpy(to, value, PTX_SLOT_BYTES);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      to[lane] = lanes >> lane & 1 ? value[lane] : to[lane];
}
static inline void put64(uint8_t *registers, uint32_t slot, uint32_t lanes, const uint64_t *value) {
  uint64_t *to = __builtin_assume_aligned(slot64(registers, slot), 64);
  if (lanes == ALL_LANES)
    memcpy(to, value, 2 * PTX_SLOT_BYTES);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      to[lane] = lanes >> lane & 1 ? value[lane] : to[lane];
}

/* One element of each lane from memory into a register, extended as its type says; `base` is where
 * offset 0 lies. */
void put_gathered(uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                  const uint8_t *base, const uint32_t *offset);
/* And back, cut off to the type, in ascending order of lanes. */
void get_scattered(const uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                   uint8_t *base, const uint32_t *offset);
/* All elements of the instruction's list on all those lanes. `room`: bytes that may be read from
 * `base` on, whether or not they are wanted. */
void put_lanes(uint8_t *registers, const PtxInsn *insn, const Shape *, const uint8_t *base,
               const uint32_t *offset, uint64_t room);
void get_lanes(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *base,
               const uint32_t *offset);
/* NO_VALUE into the list's registers on those lanes. */
void put_no_value(uint8_t *registers, const PtxInsn *insn, uint32_t lanes);
/* The bytes that one lane is about to store, at most 32. */
void lane_value(const uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *out);

/* ---- interleaved memory ---------------------------------------------------------------------- */
/* Local memory and arguments: word i of all lanes lies together, then word i + 1, as on a GPU. */
static inline size_t interleaved(uint32_t offset, unsigned lane) {
  return (size_t)(offset / 4) * PTX_SLOT_BYTES + lane * 4 + offset % 4;
}
static inline void interleaved_get(const uint8_t *area, unsigned lane, uint32_t offset, void *out,
                                   size_t bytes) {
  uint8_t *to = out;
  for (size_t i = 0; i < bytes;) {
    size_t step = bytes - i >= 4 && (offset + i) % 4 == 0 ? 4 : 1;
    memcpy(to + i, area + interleaved(offset + (uint32_t)i, lane), step);
    i += step;
  }
}
static inline void interleaved_put(uint8_t *area, unsigned lane, uint32_t offset, const void *in,
                                   size_t bytes) {
  const uint8_t *from = in;
  for (size_t i = 0; i < bytes;) {
    size_t step = bytes - i >= 4 && (offset + i) % 4 == 0 ? 4 : 1;
    memcpy(area + interleaved(offset + (uint32_t)i, lane), from + i, step);
    i += step;
  }
}
/* The elements of an instruction's list between registers and such memory, from each lane's offset
 * on (`same`: all lanes have the first one's). */
void put_interleaved(uint8_t *registers, const PtxInsn *insn, uint32_t lanes, const uint8_t *area,
                     const uint32_t *offset, bool same);
void get_interleaved(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *area,
                     const uint32_t *offset, bool same);

#endif
