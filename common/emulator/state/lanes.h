/* Computes the 32 addresses of an access by a warp, and transfers 32 elements between memory and
 * registers.
 *
 * An access has one of three address patterns. If the addresses are consecutive, or all lanes have
 * one address, the access is executed as a whole. The inline functions of this file are called with
 * constant sizes, so the compiler generates a specialised loop for each size. All other accesses
 * (two rows of 16, strides, gathers, inactive lanes) are described by a shape: 32 offsets from the
 * lowest lane's address. New shapes are rare, so bounds, alignment and costs are computed once per
 * shape. The functions that transfer data, and the observers, loop over the offsets of a shape. */
#ifndef STATE_LANES_H
#define STATE_LANES_H

#include <string.h>

#include "warp.h"

/* Returns the upper bits of an address whose register has only 32 bits. */
static ALWAYS_INLINE uint64_t narrow_window(const PtxInsn *insn) {
  return insn->space == PTX_CONST ? PTX_CONST_WINDOW : 0;
}

/* Computes the address of every lane, for any pattern. The results for inactive lanes are
 * undefined. */
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

/* ---- shapes ---------------------------------------------------------------------------------- */
/* Computes the offsets and properties of a shape. Returns false if the addresses are too far
 * apart. */
bool shape_learn(Shape *, uint32_t lanes, const uint64_t *address, unsigned bytes);
void shapes_free(Shape *);
/* The maximum number of distinct offsets for which shape_learn calls shape_find_places. Equal
 * offsets must be in adjacent lanes. */
enum { FEW_PLACES = 4 };
/* Computes the distinct offsets: fills in `place`, `several` and `lanes_of_place`, and returns
 * their number. */
uint32_t shape_find_places(Shape *);
static inline uint32_t shape_places(const Shape *s) {
  /* The cast is allowed because the function only stores computed results in the shape. */
  return s->nplaces ? s->nplaces : shape_find_places((Shape *)s);
}

/* Fills in the members of the shape that describe the words of its span. Returns the number of
 * words, padded to a multiple of VEC32_LANES; the padding words have NO_LANE. Returns 0 if there
 * are too many words, or if an access does not consist of whole words. */
uint32_t shape_find_words(Shape *, unsigned bytes);
static inline uint32_t shape_words(const Shape *s, unsigned bytes) {
  /* The cast is allowed because the function only stores computed results in the shape. */
  return s->words_asked ? s->nwords : shape_find_words((Shape *)s, bytes);
}

/* Returns true if the shape describes these lanes and addresses. */
static inline bool shape_is(const Shape *s, uint32_t lanes, const uint64_t *address) {
  const Vec64 *at = (const Vec64 *)(const void *)address;
  const HalfVecS32 *offset = (const HalfVecS32 *)(const void *)s->offset;
  const HalfVecS32 *member = (const HalfVecS32 *)(const void *)s->member;
  const uint64_t first = address[lowest(lanes)];
  Vec64 differ = {0};
  if (s->lanes != lanes)
    return false;
  if (lanes == ALL_LANES)
    for (int i = 0; i < VECS64; i++)
      differ |= (at[i] - first) ^ (Vec64) __builtin_convertvector(offset[i], VecS64);
  else
    for (int i = 0; i < VECS64; i++)
      differ |= ((at[i] - first) ^ (Vec64) __builtin_convertvector(offset[i], VecS64)) &
                (Vec64) __builtin_convertvector(member[i], VecS64);
  return !vec64_any(differ);
}
static inline bool shape_is_narrow(const Shape *s, uint32_t lanes, const uint32_t *address) {
  const Vec32 *at = (const Vec32 *)(const void *)address;
  const Vec32 *offset = (const Vec32 *)(const void *)s->offset;
  const Vec32 *member = (const Vec32 *)(const void *)s->member;
  const uint32_t first = address[lowest(lanes)];
  Vec32 differ = {0};
  if (s->lanes != lanes)
    return false;
  for (int i = 0; i < VECS32; i++)
    differ |= ((at[i] - first) ^ offset[i]) & member[i];
  return !vec32_any(differ);
}

/* Called if the request does not have the shape of the last request: searches the stored shapes of
 * the instruction, or makes a new shape. */
const Shape *shape_find(Recent *, uint32_t lanes, const uint64_t *address, unsigned bytes);
const Shape *shape_find_narrow(Recent *, uint32_t lanes, const uint32_t *address, unsigned bytes);
/* Returns the shape of a request of at least one lane; NULL if the lanes are too far apart. The
 * shape is valid until the next request of the instruction. */
static inline const Shape *shape_of(Recent *recent, uint32_t lanes, const uint64_t *address,
                                    unsigned bytes) {
  const Shape *s = recent->shape;
  return s && shape_is(s, lanes, address) ? s : shape_find(recent, lanes, address, bytes);
}
static inline const Shape *shape_of_narrow(Recent *recent, uint32_t lanes, const uint32_t *address,
                                           unsigned bytes) {
  const Shape *s = recent->shape;
  return s && shape_is_narrow(s, lanes, address) ? s
                                                 : shape_find_narrow(recent, lanes, address, bytes);
}

/* Returns true if all lanes access bytes in [memory, memory + size) and all addresses are multiples
 * of `bytes`. `at`: the lowest lane's address. */
static ALWAYS_INLINE bool shape_fits(const Shape *s, uint64_t at, uint64_t memory, uint64_t size,
                                     unsigned bytes) {
  return s->span <= size && at - s->below - memory <= size - s->span &&
         !((at | s->odd) & (bytes - 1));
}

/* Returns the address of a lane. `at`: the lowest lane's address. */
static ALWAYS_INLINE uint64_t shape_at(const Shape *s, uint64_t at, uint32_t lane) {
  return at + (uint64_t)(int64_t)(int32_t)s->offset[lane];
}

/* ---- patterns -------------------------------------------------------------------------------- */
/* Finds the pattern of 32 addresses. Tests for SAME if the first and the last lane have the same
 * address, otherwise for CONSECUTIVE. */
static ALWAYS_INLINE void find_pattern(Base *base, const uint8_t *a, bool narrow, unsigned bytes) {
  const uint32_t *low = (const uint32_t *)(const void *)a;
  const uint64_t *wide = (const uint64_t *)(const void *)a;
  bool same = narrow ? low[31] == low[0] : wide[31] == wide[0], yes;
  base->pattern = SCATTERED;
  base->first = narrow ? low[0] : wide[0];
  if (same)
    yes = narrow ? lanes_advance32(low, 0) : lanes_advance64(wide, 0);
  else
    yes = narrow ? lanes_advance32(low, bytes) : lanes_advance64(wide, bytes);
  base->pattern = !yes ? SCATTERED : same ? SAME : CONSECUTIVE;
}

/* Returns the address pattern of an access. If it is SCATTERED, base_shape returns the shape. */
static ALWAYS_INLINE Pattern pattern_of(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                        unsigned bytes, bool narrow) {
  Base *base = &w->bases[insn->base];
  if (insn->base_known)
    return base->pattern;
  if (lanes == ALL_LANES)
    find_pattern(base, w->frame->registers + insn->a, narrow, bytes);
  else
    base->pattern = SCATTERED;
  return base->pattern;
}
static ALWAYS_INLINE const Shape *base_shape(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                             bool narrow) {
  Base *base = &w->bases[insn->base];
  Recent *recent = &w->frame->recent[insn->number];
  const uint32_t *low = slot32(w->frame->registers, insn->a);
  const uint64_t *wide = slot64(w->frame->registers, insn->a);
  if (insn->base_known)
    return base->shape;
  base->pattern = SCATTERED;
  base->first = narrow ? low[lowest(lanes)] : wide[lowest(lanes)];
  return base->shape = narrow ? shape_of_narrow(recent, lanes, low, access_bytes(insn))
                              : shape_of(recent, lanes, wide, access_bytes(insn));
}

/* Returns the address of the lowest active lane. */
static ALWAYS_INLINE uint64_t first_of(const Warp *w, const PtxInsn *insn, bool narrow) {
  const uint64_t first = w->bases[insn->base].first + (uint64_t)insn->imm;
  return narrow ? narrow_window(insn) | (uint32_t)first : first;
}

/* ---- consecutive, and one address for all ---------------------------------------------------- */
/* Transfer one element of at most 4 bytes per lane: to or from consecutive addresses (put_row,
 * get_row), or from one address for all lanes (put_one). Loaded values are extended as the type of
 * the instruction requires. */
void put_row(uint8_t *registers, const PtxInsn *insn, const uint8_t *from);
void put_one(uint8_t *registers, const PtxInsn *insn, const uint8_t *from);
void get_row(const uint8_t *registers, const PtxInsn *insn, uint8_t *to);

/* Transfer `count` elements of `size` bytes for each lane of a full warp: to or from consecutive
 * addresses (put_consecutive, get_consecutive), or from one address for all lanes (put_same).
 * `size` and `count` are constants in each call. If count > 1, `size` is 4 or 8. */
static ALWAYS_INLINE void put_consecutive(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                          unsigned count, const uint8_t *from) {
  if (size < 4) {
    put_row(registers, insn, from);
    return;
  }
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
  if (size < 4) {
    put_one(registers, insn, from);
    return;
  }
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
  if (size < 4) {
    get_row(registers, insn, to);
    return;
  }
  if (count == 1) {
    lanes_copy(to, registers + insn->list[0], size);
    return;
  }
  for (unsigned i = 0; i < count; i++)
    for (unsigned lane = 0; lane < 32; lane++)
      memcpy(to + (lane * count + i) * size, registers + insn->list[i] + lane * size, size);
}

/* ---- offsets --------------------------------------------------------------------------------- */
/* Returns true if the addresses of all lanes in `lanes` are in [from, from + most] and multiples of
 * `bytes`. Computes the offset of each lane from `origin`, which is aligned and not above `from`.
 * Inactive lanes get the lowest lane's offset, so that reading at their offsets is safe. */
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

/* Returns the lanes of `lanes` whose addresses satisfy the conditions of all_within. The other
 * lanes get the offset of lane `lead`, which satisfies these conditions. */
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

/* ---- any offsets ----------------------------------------------------------------------------- */
/* The value that an invalid load returns. All bits are set, so it is NaN in every type. */
#define NO_VALUE UINT64_MAX

/* Returns true if the registers in the instruction's list are 8 bytes wide. */
static inline bool has_wide_registers(const PtxInsn *insn) {
  return insn->sub == 8 || ptx_type_bytes((PtxType)insn->type) == 8;
}

/* Stores `value` in a register for `lanes`. The other lanes keep their values. */
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

/* Loads one element per lane into a register, and extends it as the type of the instruction
 * requires. `offset`: signed distance in bytes of each lane's element from `base`. */
void put_gathered(uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                  const uint8_t *base, const uint32_t *offset);
/* Stores one element per lane, truncated to the type of the instruction, in ascending order of
 * lanes. */
void get_scattered(const uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                   uint8_t *base, const uint32_t *offset);
/* Loads all elements of the instruction's list for all lanes of a shape. `lead`: host address of
 * the lowest lane's element. The function may read any bytes before `end`. */
void put_lanes(uint8_t *registers, const PtxInsn *insn, const Shape *, const uint8_t *lead,
               const uint8_t *end);
/* Loads one element of 4 or 8 bytes per lane for a shape with Shape.runs, in groups of 8 lanes. */
static ALWAYS_INLINE void put_runs(uint8_t *to, const Shape *shape, const uint8_t *lead,
                                   unsigned bytes) {
  for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
    if (bytes == 8)
      memcpy(to + lane * 8, lead + (int32_t)shape->offset[lane], 64);
    else
      memcpy(to + lane * 4, lead + (int32_t)shape->offset[lane], 32);
}
/* Like put_lanes, with fast paths for the most common shapes. `size` and `count` are constants in
 * each call. */
static ALWAYS_INLINE void put_shape(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                    unsigned count, const Shape *shape, const uint8_t *lead,
                                    const uint8_t *end) {
  const uint8_t *start = lead - shape->below;
  if (count == 1 && shape->runs) {
    put_runs(registers + insn->list[0], shape, lead, size);
    return;
  }
  if (shape->lanes != ALL_LANES || !shape->in_window || end - start < SHAPE_WINDOW + 16 ||
      (size == 8 && shape->odd % 8)) {
    put_lanes(registers, insn, shape, lead, end);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    const uint8_t *window = start + i * size;
    if (count > 1 && insn->list[i] == PTX_NO_REG)
      continue;
    if (size == 4)
      lanes_permute(slot32(registers, insn->list[i]), (const uint32_t *)(const void *)window,
                    shape->word);
    else
      lanes_permute64(slot64(registers, insn->list[i]), (const uint64_t *)(const void *)window,
                      shape->word);
  }
}
/* Store all elements of the instruction's list for the lanes of a shape, or for lanes at any
 * offsets. */
void get_shape(const uint8_t *registers, const PtxInsn *insn, const Shape *, uint8_t *lead);
void get_lanes(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *base,
               const uint32_t *offset);
/* Stores NO_VALUE in the registers of the instruction's list, for `lanes`. */
void put_no_value(uint8_t *registers, const PtxInsn *insn, uint32_t lanes);
/* Writes the bytes that one lane is about to store to `out`, at most 32 bytes. */
void lane_value(const uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *out);

/* ---- interleaved memory ---------------------------------------------------------------------- */
/* Local memory and arguments are interleaved as on a GPU: word i of all 32 lanes is followed by
 * word i + 1 of all lanes. `interleaved` returns the position in the memory of byte number `offset`
 * of a lane. */
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
/* Transfer the elements of the instruction's list between registers and interleaved memory.
 * `offset`: the offset of each lane's first element. `same`: all lanes have offset[0]. */
void put_interleaved(uint8_t *registers, const PtxInsn *insn, uint32_t lanes, const uint8_t *area,
                     const uint32_t *offset, bool same);
void get_interleaved(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *area,
                     const uint32_t *offset, bool same);

#endif
