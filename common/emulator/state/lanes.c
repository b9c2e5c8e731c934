/* Elements of 32 lanes at any offsets: one loop for each width, whatever the pattern. */
#include "lanes.h"

#include <assert.h>
#include <stdlib.h>

/* ---- shapes ---------------------------------------------------------------------------------- */
Shape *shape_make(void) {
  Shape *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  assert(s);
  memset(s, 0, sizeof *s);
  return s;
}

uint32_t shape_find_places(Shape *s) {
  uint32_t equal[WARP_LANES], seen = 0, rises = 1;
  for (int lane = 1; lane < WARP_LANES; lane++)
    rises &= (int32_t)(s->offset[lane] - s->offset[lane - 1]) > 0;
  EACH_SET(first, s->lanes) {
    uint32_t all = 1u << first;
    if (seen >> first & 1)
      continue;
    for (int lane = 0; lane < WARP_LANES && !rises; lane++)
      equal[lane] = s->offset[lane] == s->offset[first] ? UINT32_MAX : 0;
    if (!rises)
      all = lanes_from_truth(equal) & s->lanes;
    seen |= all;
    s->place[s->nplaces] = (uint8_t)first;
    s->lanes_of_place[s->nplaces] = all;
    s->shared[s->nplaces++] = (all & (all - 1)) != 0;
  }
  return s->nplaces;
}

uint32_t shape_find_words(Shape *s, unsigned bytes) {
  const uint32_t words = (s->span + 3) / 4,
                 padded = (words + VEC32_LANES - 1) / VEC32_LANES * VEC32_LANES;
  uint32_t odd = bytes % 4;
  s->words_asked = true;
  s->words_shared = false;
  s->nwords = 0;
  EACH_SET(lane, s->lanes) odd |= (s->offset[lane] + s->below) % 4;
  if (odd || padded > SHAPE_WORDS)
    return 0;
  s->nwords = padded;
  memset(s->lane_of_word, 0xff, padded * sizeof *s->lane_of_word);
  memset(s->several_of_word, 0, padded * sizeof *s->several_of_word);
  EACH_SET(each, s->lanes)
  for (uint32_t i = 0, at = (s->offset[each] + s->below) / 4; i < bytes / 4; i++) {
    if (s->lane_of_word[at + i] == NO_LANE)
      s->lane_of_word[at + i] = each;
    else
      s->several_of_word[at + i] = UINT32_MAX, s->words_shared = true;
  }
  return padded;
}

void shape_learn(Shape *s, uint32_t lanes, const uint32_t *offset, unsigned bytes) {
  const uint32_t first = offset[lowest(lanes)];
  uint32_t least = UINT32_MAX, most = 0, odd = 0;
  for (int lane = 0; lane < WARP_LANES; lane++) {
    least = offset[lane] < least ? offset[lane] : least;
    most = offset[lane] > most ? offset[lane] : most;
  }
  for (int lane = 0; lane < WARP_LANES; lane++) {
    s->offset[lane] = offset[lane] - first;
    s->word[lane] = (offset[lane] - least) / 4;
    odd |= offset[lane] - least;
  }
  s->lanes = lanes;
  s->number++;
  s->below = first - least;
  s->span = most - least + bytes;
  s->in_window = s->span <= SHAPE_WINDOW && odd % 4 == 0;
  s->nplaces = 0;
  s->words_asked = false;
  uint32_t changes = 1; /* from lane to lane: where there are few, so are the places */
  for (int lane = 1; lane < WARP_LANES; lane++)
    changes += s->offset[lane] != s->offset[lane - 1];
  if (changes <= FEW_PLACES)
    shape_find_places(s);
}

/* ---- extending and cutting off --------------------------------------------------------------- */
/* What was read as zero-extended 32 or 64 bits becomes the register's value. */
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
    memcpy(&element, base + offset[lane], sizeof element);                                         \
    (out)[lane] = element;                                                                         \
  }

void put_gathered(uint8_t *registers, const PtxInsn *insn, uint32_t slot, uint32_t lanes,
                  const uint8_t *base, const uint32_t *offset) {
  _Alignas(64) uint32_t raw[WARP_LANES];
  _Alignas(64) uint64_t value[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  switch (ptx_type_bytes((PtxType)insn->type)) {
  case 8:
    GATHER(64, value)
    put64(registers, slot, lanes, value);
    return;
  case 4:
    GATHER(32, raw)
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
      memcpy(base + offset[lane], &element, sizeof element);                                       \
    }                                                                                              \
  else                                                                                             \
    EACH_SET(lane, lanes) {                                                                        \
      uint##bits##_t element = (uint##bits##_t)lane_of;                                            \
      memcpy(base + offset[lane], &element, sizeof element);                                       \
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

/* 32 words out of a window that holds all of them; and 32 double words. */
static void put_from_window(uint8_t *registers, const PtxInsn *insn, uint32_t slot,
                            const Shape *shape, const uint8_t *window) {
  _Alignas(64) uint32_t value[WARP_LANES];
  _Alignas(64) uint64_t wide[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  if (!has_wide_registers(insn)) {
    lanes_permute(value, (const uint32_t *)(const void *)window, shape->word);
    put32(registers, slot, shape->lanes, value);
    return;
  }
#ifdef __AVX512F__
  const __m512i low = _mm512_loadu_si512(window), high = _mm512_loadu_si512(window + 64);
  for (int i = 0; i < 4; i++) {
    __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)(shape->word + 8 * i));
    __m512i pair = _mm512_srli_epi64(_mm512_cvtepu32_epi64(word), 1);
    _mm512_store_si512(wide + 8 * i, _mm512_permutex2var_epi64(low, pair, high));
  }
#else
  for (int lane = 0; lane < WARP_LANES; lane++)
    memcpy(&wide[lane], window + shape->word[lane] * 4, 8);
#endif
  put64(registers, slot, shape->lanes, wide);
}

/* One word for each of a few places. */
static void put_few(uint8_t *registers, uint32_t slot, const Shape *shape, const uint8_t *base,
                    const uint32_t *offset) {
  _Alignas(64) uint32_t value[WARP_LANES];
  if (slot == PTX_NO_REG)
    return;
  for (uint32_t i = 0; i < shape->nplaces; i++) {
    uint32_t word;
    memcpy(&word, base + offset[shape->place[i]], 4);
    for (int lane = 0; lane < WARP_LANES; lane++)
      value[lane] = !i || shape->lanes_of_place[i] >> lane & 1 ? word : value[lane];
  }
  put32(registers, slot, shape->lanes, value);
}

void put_lanes(uint8_t *registers, const PtxInsn *insn, const Shape *shape, const uint8_t *base,
               const uint32_t *offset, uint64_t room) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const uint64_t start = offset[lowest(shape->lanes)] - shape->below;
  const bool plain = bytes == 8 || (bytes == 4 && !has_wide_registers(insn));
  if (plain && shape->in_window && start + SHAPE_WINDOW + 16 <= room &&
      (bytes == 4 || start % 8 == 0))
    for (unsigned i = 0; i < insn->count; i++)
      put_from_window(registers, insn, insn->list[i], shape, base + start + i * bytes);
  else if (plain && bytes == 4 && shape->nplaces && shape->nplaces <= FEW_PLACES)
    for (unsigned i = 0; i < insn->count; i++)
      put_few(registers, insn->list[i], shape, base + i * bytes, offset);
  else
    for (unsigned i = 0; i < insn->count; i++)
      put_gathered(registers, insn, insn->list[i], shape->lanes, base + i * bytes, offset);
}

void get_lanes(const uint8_t *registers, const PtxInsn *insn, uint32_t lanes, uint8_t *base,
               const uint32_t *offset) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  for (unsigned i = 0; i < insn->count; i++)
    get_scattered(registers, insn, insn->list[i], lanes, base + i * bytes, offset);
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
/* Where lanes' offsets differ, their bytes lie at these. */
static void spread(uint32_t *at, const uint32_t *offset, bool same) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint32_t own = same ? offset[0] : offset[lane];
    at[lane] = own / 4 * PTX_SLOT_BYTES + lane * 4 + own % 4;
  }
}

/* Word `word` of the elements that begin at `at` (spread). */
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
