/* Lane by lane: slow, and right for every type, width and mask. */
#include "lanes.h"

#include <string.h>

void scattered_addresses(const uint8_t *registers, const PtxInsn *insn, uint64_t *address) {
  if (insn->a == PTX_NO_REG)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = (uint64_t)insn->imm;
  else if (insn->flags & PTX_NARROW_ADDRESS)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = narrow_window(insn) |
                      (uint32_t)(((const uint32_t *)(const void *)(registers + insn->a))[lane] +
                                 (uint32_t)insn->imm);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] =
          ((const uint64_t *)(const void *)(registers + insn->a))[lane] + (uint64_t)insn->imm;
}

/* One element into one lane: extended to the register's width as its type says. */
static void put_lane(uint8_t *registers, uint32_t slot, unsigned lane, unsigned type, unsigned wide,
                     const uint8_t *from) {
  uint64_t raw = 0;
  unsigned bytes = ptx_type_bytes((PtxType)type);
  memcpy(&raw, from, bytes);
  if (type == PTX_S8)
    raw = (uint64_t)(int8_t)raw;
  else if (type == PTX_S16)
    raw = (uint64_t)(int16_t)raw;
  else if (type == PTX_S32)
    raw = (uint64_t)(int32_t)raw;
  if (slot == PTX_NO_REG)
    return;
  if (wide == 8)
    slot64(registers, slot)[lane] = raw;
  else
    slot32(registers, slot)[lane] = (uint32_t)raw;
}

/* One element out of one lane: a wide register's low part when the type is narrower. */
static void get_lane(uint8_t *registers, uint32_t slot, unsigned lane, unsigned type, unsigned wide,
                     uint8_t *to) {
  unsigned bytes = ptx_type_bytes((PtxType)type);
  if (wide == 8)
    memcpy(to, slot64(registers, slot) + lane, bytes);
  else
    memcpy(to, slot32(registers, slot) + lane, bytes);
}

static bool is_wide_register(const PtxInsn *insn) {
  return insn->sub == 8 || ptx_type_bytes((PtxType)insn->type) == 8;
}

void put_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, const uint8_t *from) {
  unsigned bytes = ptx_type_bytes((PtxType)insn->type), wide = is_wide_register(insn) ? 8 : 4;
  for (unsigned i = 0; i < insn->count; i++)
    put_lane(registers, insn->list[i], lane, insn->type, wide, from + i * bytes);
}

void get_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *to) {
  unsigned bytes = ptx_type_bytes((PtxType)insn->type), wide = is_wide_register(insn) ? 8 : 4;
  for (unsigned i = 0; i < insn->count; i++)
    get_lane(registers, insn->list[i], lane, insn->type, wide, to + i * bytes);
}

const uint8_t no_value[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                              255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                              255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                              255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                              255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
