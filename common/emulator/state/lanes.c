/* Elements of 32 lanes at any offsets: one loop for each width, whatever the pattern. */
#include "lanes.h"

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

void put_lanes(uint8_t *registers, const PtxInsn *insn, uint32_t lanes, const uint8_t *base,
               const uint32_t *offset) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  for (unsigned i = 0; i < insn->count; i++)
    put_gathered(registers, insn, insn->list[i], lanes, base + i * bytes, offset);
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
