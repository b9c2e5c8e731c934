/* Implements the transfer of elements of 32 lanes at any offsets (lanes.h). Each element width has
 * one loop for all address patterns. */
#include "lanes.h"

/* ---- extension and truncation ---------------------------------------------------------------- */
/* Extends elements as the type of the instruction requires, and stores them in a register. `raw`:
 * the elements, zero-extended to 32 bits. */
static void put_extended(uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                         uint32_t *raw) {
  const bool wide = has_wide_registers(insn);
  uint64_t value[WARP_LANES];
  if (insn->type == PTX_S8)
    for (int lane = 0; lane < WARP_LANES; lane++)
      raw[lane] = (uint32_t)(int8_t)raw[lane];
  else if (insn->type == PTX_S16)
    for (int lane = 0; lane < WARP_LANES; lane++)
      raw[lane] = (uint32_t)(int16_t)raw[lane];
  if (!wide) {
    put32(registers, slot, lanes, raw);
    return;
  }
  if (insn->type == PTX_S8 || insn->type == PTX_S16 || insn->type == PTX_S32)
    for (int lane = 0; lane < WARP_LANES; lane++)
      value[lane] = (uint64_t)(int32_t)raw[lane];
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      value[lane] = raw[lane];
  put64(registers, slot, lanes, value);
}

/* ---- any offsets ----------------------------------------------------------------------------- */
#define GATHER(bits, out)                                                                          \
  for (int lane = 0; lane < WARP_LANES; lane++) {                                                  \
    uint##bits##_t element;                                                                        \
    memcpy(&element, base + (int32_t)offset[lane], sizeof element);                                \
    (out)[lane] = element;                                                                         \
  }

/* Gathers are implemented with vectors of 16 bytes, because this is faster than the gather
 * instructions of current CPUs. Each vector is stored with one write, so that store forwarding
 * works for later reads of 16 bytes. */
typedef uint32_t Quad __attribute__((vector_size(16), may_alias));
typedef uint64_t Pair __attribute__((vector_size(16), may_alias));

static ALWAYS_INLINE uint32_t word_at(const uint8_t *base, uint32_t offset) {
  uint32_t word;
  memcpy(&word, base + (int32_t)offset, sizeof word);
  return word;
}
static ALWAYS_INLINE uint64_t pair_at(const uint8_t *base, uint32_t offset) {
  uint64_t pair;
  memcpy(&pair, base + (int32_t)offset, sizeof pair);
  return pair;
}
static void gather_words(uint32_t *to, const uint8_t *base, const uint32_t *offset) {
  Quad *quads = __builtin_assume_aligned(to, 64);
  for (int i = 0; i < WARP_LANES / 4; i++, offset += 4)
    quads[i] = (Quad){word_at(base, offset[0]), word_at(base, offset[1]), word_at(base, offset[2]),
                      word_at(base, offset[3])};
}
static void gather_pairs(uint64_t *to, const uint8_t *base, const uint32_t *offset) {
  Pair *pairs = __builtin_assume_aligned(to, 64);
  for (int i = 0; i < WARP_LANES / 2; i++, offset += 2)
    pairs[i] = (Pair){pair_at(base, offset[0]), pair_at(base, offset[1])};
}

#ifdef __clang__
#define PICKED(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define PICKED(a, b, i, j, k, l) __builtin_shuffle(a, b, (Quad){i, j, k, l})
#endif

/* Gathers four words per lane into four registers. For four lanes at a time, transposes a matrix of
 * 4 x 4 words. */
static void gather_fours(uint8_t *registers, const uint32_t *slots, const uint8_t *base,
                         const uint32_t *offset) {
  Quad *to[4];
  for (int i = 0; i < 4; i++)
    to[i] = (Quad *)(void *)slot32(registers, slots[i]);
  for (int i = 0; i < WARP_LANES / 4; i++, offset += 4) {
    Quad row[4];
    for (int k = 0; k < 4; k++)
      memcpy(&row[k], base + (int32_t)offset[k], sizeof row[k]);
    const Quad low = PICKED(row[0], row[1], 0, 4, 1, 5), low2 = PICKED(row[2], row[3], 0, 4, 1, 5),
               high = PICKED(row[0], row[1], 2, 6, 3, 7),
               high2 = PICKED(row[2], row[3], 2, 6, 3, 7);
    to[0][i] = PICKED(low, low2, 0, 1, 4, 5);
    to[1][i] = PICKED(low, low2, 2, 3, 6, 7);
    to[2][i] = PICKED(high, high2, 0, 1, 4, 5);
    to[3][i] = PICKED(high, high2, 2, 3, 6, 7);
  }
}
static bool has_four_words(const PtxInsn *insn) {
  bool all =
      insn->count == 4 && ptx_type_bytes((PtxType)insn->type) == 4 && !has_wide_registers(insn);
  for (uint32_t i = 0; i < 4 && all; i++)
    all = insn->list[i] != PTX_NO_REG;
  return all;
}

void put_row(uint8_t *registers, const PtxInsn *insn, const uint8_t *from) {
  _Alignas(64) uint32_t raw[WARP_LANES];
  uint16_t half[WARP_LANES];
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  if (insn->list[0] == PTX_NO_REG)
    return;
  if (bytes == 4) {
    memcpy(raw, from, sizeof raw);
  } else if (bytes == 2) {
    memcpy(half, from, sizeof half);
    for (int lane = 0; lane < WARP_LANES; lane++)
      raw[lane] = half[lane];
  } else {
    for (int lane = 0; lane < WARP_LANES; lane++)
      raw[lane] = from[lane];
  }
  put_extended(registers, insn, insn->list[0], ALL_LANES, raw);
}

void put_one(uint8_t *registers, const PtxInsn *insn, const uint8_t *from) {
  _Alignas(64) uint32_t raw[WARP_LANES];
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint32_t value = 0;
  memcpy(&value, from, bytes);
  for (int lane = 0; lane < WARP_LANES; lane++)
    raw[lane] = value;
  put_extended(registers, insn, insn->list[0], ALL_LANES, raw);
}

void get_row(const uint8_t *registers, const PtxInsn *insn, uint8_t *to) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const bool wide = has_wide_registers(insn);
  const uint32_t *low = (const uint32_t *)(const void *)(registers + insn->list[0]);
  const uint64_t *all = (const uint64_t *)(const void *)(registers + insn->list[0]);
  uint32_t word[WARP_LANES];
  uint16_t half[WARP_LANES];
  if (bytes == 8 || (bytes == 4 && !wide)) {
    memcpy(to, low, bytes * WARP_LANES);
    return;
  }
  for (int lane = 0; lane < WARP_LANES; lane++)
    word[lane] = wide ? (uint32_t)all[lane] : low[lane];
  for (int lane = 0; lane < WARP_LANES; lane++)
    half[lane] = (uint16_t)word[lane];
  if (bytes == 4)
    memcpy(to, word, sizeof word);
  else if (bytes == 2)
    memcpy(to, half, sizeof half);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      to[lane] = (uint8_t)word[lane];
}

void put_gathered(uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                  const uint8_t *base, const uint32_t *offset) {
  _Alignas(64) uint32_t raw[WARP_LANES];
  _Alignas(64) uint64_t value[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  switch (ptx_type_bytes((PtxType)insn->type)) {
  case 8:
    gather_pairs(lanes == ALL_LANES ? slot64(registers, slot) : value, base, offset);
    if (lanes != ALL_LANES)
      put64(registers, slot, lanes, value);
    return;
  case 4:
    if (lanes == ALL_LANES && !has_wide_registers(insn)) {
      gather_words(slot32(registers, slot), base, offset);
      return;
    }
    gather_words(raw, base, offset);
    break;
  case 2:
    GATHER(16, raw)
    break;
  default:
    GATHER(8, raw)
  }
  put_extended(registers, insn, slot, lanes, raw);
}

#define SCATTER(bits, lane_of)                                                                     \
  if (lanes == ALL_LANES)                                                                          \
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {                                           \
      uint##bits##_t element = (uint##bits##_t)lane_of;                                            \
      memcpy(base + (int32_t)offset[lane], &element, sizeof element);                              \
    }                                                                                              \
  else                                                                                             \
    EACH_SET(lane, lanes) {                                                                        \
      uint##bits##_t element = (uint##bits##_t)lane_of;                                            \
      memcpy(base + (int32_t)offset[lane], &element, sizeof element);                              \
    }

void get_scattered(const uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                   uint8_t *base, const uint32_t *offset) {
  const uint32_t *low = (const uint32_t *)(const void *)(registers + slot);
  const uint64_t *wide = (const uint64_t *)(const void *)(registers + slot);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  if (bytes == 8) {
    SCATTER(64, wide[lane])
  } else if (has_wide_registers(insn)) {
    if (bytes == 4) {
      SCATTER(32, wide[lane])
    } else if (bytes == 2) {
      SCATTER(16, wide[lane])
    } else {
      SCATTER(8, wide[lane])
    }
  } else if (bytes == 4) {
    SCATTER(32, low[lane])
  } else if (bytes == 2) {
    SCATTER(16, low[lane])
  } else {
    SCATTER(8, low[lane])
  }
}

/* Loads one element of 4 or 8 bytes per lane. All elements are in one window of SHAPE_WINDOW
 * bytes. */
static void put_from_window(uint8_t *registers, const PtxInsn *insn, uint32_t slot,
                            const Shape *shape, const uint8_t *window) {
  _Alignas(64) uint32_t value[WARP_LANES];
  _Alignas(64) uint64_t wide[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  if (!has_wide_registers(insn)) {
    const uint32_t *words = (const uint32_t *)(const void *)window;
    if (shape->lanes == ALL_LANES) {
      lanes_permute(slot32(registers, slot), words, shape->word);
    } else {
      lanes_permute(value, words, shape->word);
      put32(registers, slot, shape->lanes, value);
    }
    return;
  }
  lanes_permute64(wide, (const uint64_t *)(const void *)window, shape->word);
  put64(registers, slot, shape->lanes, wide);
}

/* Loads one word per lane for a shape with few distinct offsets: reads each distinct word only
 * once. */
static void put_few(uint8_t *registers, uint32_t slot, const Shape *shape, const uint8_t *lead) {
  _Alignas(64) uint32_t value[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  for (uint32_t i = 0; i < shape->nplaces; i++) {
    uint32_t word;
    memcpy(&word, lead + (int32_t)shape->offset[shape->place[i]], 4);
    for (int lane = 0; lane < WARP_LANES; lane++)
      value[lane] = !i || shape->lanes_of_place[i] >> lane & 1 ? word : value[lane];
  }
  put32(registers, slot, shape->lanes, value);
}

static void get_runs(const uint8_t *from, const Shape *shape, uint8_t *lead, unsigned bytes) {
  for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
    if (bytes == 8)
      memcpy(lead + (int32_t)shape->offset[lane], from + lane * 8, 64);
    else
      memcpy(lead + (int32_t)shape->offset[lane], from + lane * 4, 32);
}

void put_lanes(uint8_t *registers, const PtxInsn *insn, const Shape *shape, const uint8_t *lead,
               const uint8_t *end) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const uint8_t *start = lead - shape->below;
  const bool plain = bytes == 8 || (bytes == 4 && !has_wide_registers(insn));
  if (plain && shape->runs && insn->count == 1 && insn->list[0] != PTX_NO_REG)
    put_runs(registers + insn->list[0], shape, lead, bytes);
  else if (plain && shape->in_window && end - start >= SHAPE_WINDOW + 16 &&
           (bytes == 4 || !(shape->odd % 8)))
    for (unsigned i = 0; i < insn->count; i++)
      put_from_window(registers, insn, insn->list[i], shape, start + i * bytes);
  else if (plain && bytes == 4 && shape->nplaces && shape->nplaces <= FEW_PLACES)
    for (unsigned i = 0; i < insn->count; i++)
      put_few(registers, insn->list[i], shape, lead + i * bytes);
  else if (shape->lanes == ALL_LANES && has_four_words(insn))
    gather_fours(registers, insn->list, lead, shape->offset);
  else
    for (unsigned i = 0; i < insn->count; i++)
      put_gathered(registers, insn, insn->list[i], shape->lanes, lead + i * bytes, shape->offset);
}

void get_lanes(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *base,
               const uint32_t *offset) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  for (unsigned i = 0; i < insn->count; i++)
    get_scattered(registers, insn, insn->list[i], lanes, base + i * bytes, offset);
}

void get_shape(const uint8_t *registers, const PtxInsn *insn, const Shape *shape, uint8_t *lead) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  if (shape->row && insn->count == 1)
    get_row(registers, insn, lead);
  else if (shape->runs && insn->count == 1 &&
           (bytes == 8 || (bytes == 4 && !has_wide_registers(insn))))
    get_runs(registers + insn->list[0], shape, lead, bytes);
  else
    get_lanes(registers, insn, shape->lanes, lead, shape->offset);
}

void put_no_value(uint8_t *registers, const PtxInsn *insn, uint32_t lanes) {
  for (unsigned i = 0; i < insn->count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    EACH_SET(lane, lanes)
    if (has_wide_registers(insn))
      slot64(registers, insn->list[i])[lane] = NO_VALUE;
    else
      slot32(registers, insn->list[i])[lane] = (uint32_t)NO_VALUE;
  }
}

void lane_value(const uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *out) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const unsigned step = has_wide_registers(insn) ? 8 : 4;
  for (unsigned i = 0; i < insn->count; i++)
    memcpy(out + i * bytes, registers + insn->list[i] + lane * step, bytes);
}

/* ---- interleaved memory ---------------------------------------------------------------------- */
/* Computes the position of each lane's offset in interleaved memory, in bytes. */
static void spread(uint32_t *at, const uint32_t *offset, bool same) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint32_t own = same ? offset[0] : offset[lane];
    at[lane] = own / 4 * PTX_SLOT_BYTES + lane * 4 + own % 4;
  }
}

/* Returns word number `word` of each lane's elements. `at`: the positions that spread() computed.
 * May use `space` for the result. */
static inline const uint32_t *words(const uint8_t *area, const uint32_t *at, unsigned word,
                                    bool same, uint32_t *space) {
  if (same)
    return (const uint32_t *)(const void *)(area + at[0] + (size_t)word * PTX_SLOT_BYTES);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    memcpy(&space[lane], area + at[lane] + (size_t)word * PTX_SLOT_BYTES, 4);
  return space;
}

void put_interleaved(uint8_t *registers, const PtxInsn *insn, uint32_t lanes, const uint8_t *area,
                     const uint32_t *offset, bool same) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  _Alignas(64) uint32_t at[WARP_LANES], low_space[WARP_LANES], high_space[WARP_LANES];
  _Alignas(64) uint64_t value[WARP_LANES];
  for (unsigned i = 0; i < insn->count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    uint32_t element[WARP_LANES];
    for (unsigned lane = 0; lane < (same ? 1 : WARP_LANES); lane++)
      element[lane] = offset[lane] + i * bytes;
    spread(at, element, same);
    if (bytes == 8) {
      const uint32_t *low = words(area, at, 0, same, low_space),
                     *high = words(area, at, 1, same, high_space);
      for (int lane = 0; lane < WARP_LANES; lane++)
        value[lane] = (uint64_t)high[lane] << 32 | low[lane];
      put64(registers, insn->list[i], lanes, value);
    } else if (bytes == 4 && !has_wide_registers(insn)) {
      put32(registers, insn->list[i], lanes, words(area, at, 0, same, low_space));
    } else {
      put_gathered(registers, insn, insn->list[i], lanes, area, at);
    }
  }
}

void get_interleaved(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *area,
                     const uint32_t *offset, bool same) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint32_t at[WARP_LANES];
  for (unsigned i = 0; i < insn->count; i++) {
    const uint8_t *from = registers + insn->list[i];
    uint32_t element[WARP_LANES];
    for (unsigned lane = 0; lane < (same ? 1 : WARP_LANES); lane++)
      element[lane] = offset[lane] + i * bytes;
    spread(at, element, same);
    if (same && bytes == 4 && lanes == ALL_LANES && !has_wide_registers(insn)) {
      memcpy(area + at[0], from, PTX_SLOT_BYTES);
    } else if (bytes == 8) {
      EACH_SET(lane, lanes) {
        memcpy(area + at[lane], from + lane * 8, 4);
        memcpy(area + at[lane] + PTX_SLOT_BYTES, from + lane * 8 + 4, 4);
      }
    } else {
      get_scattered(registers, insn, insn->list[i], lanes, area, at);
    }
  }
}
