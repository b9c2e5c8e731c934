/* A warp's 32 addresses, and the way of 32 elements between memory and registers.
 *
 * The addresses are usually consecutive or all the same. Both are recognised first and then handled
 * as one piece; the inline functions here are called with constant sizes, so that each such access
 * becomes a loop of its own.
 */
#ifndef MACHINE_LANES_H
#define MACHINE_LANES_H

#include <string.h>

#include "vector.h"
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

void scattered_addresses(const uint8_t *registers, const PtxInsn *insn, uint64_t *address);

/* One lane's elements of a load or store: extended to the register's width as their type says, or
 * cut off to it. */
void put_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, const uint8_t *from);
void get_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *to);
/* What a lane reads where there is nothing to read: all bits set, NaN. */
extern const uint8_t no_value[64];

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
      for (unsigned lane = 0; lane < WARP_LANES; lane++)
        memcpy(to + lane, from + (lane * count + i) * 4, 4);
    } else {
      uint64_t *to = slot64(registers, insn->list[i]);
      for (unsigned lane = 0; lane < WARP_LANES; lane++)
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
      for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to[lane] = value;
    } else {
      uint64_t value, *to = __builtin_assume_aligned(slot64(registers, insn->list[i]), 64);
      memcpy(&value, from + i * 8, 8);
      for (unsigned lane = 0; lane < WARP_LANES; lane++)
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
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      memcpy(to + (lane * count + i) * size, registers + insn->list[i] + lane * size, size);
}

#endif
