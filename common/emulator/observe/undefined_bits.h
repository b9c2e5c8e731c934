/* Computes which bits of an operation's result are undefined, from the undefined bits of the
 * operands. The functions compute one lane and have no state.
 *
 * The compiler may load a struct with its padding into one register, and extract the members by
 * shifts, masks and permutations. Therefore definedness is tracked for each bit, so that unused
 * padding is not reported. If an operation has no rule here, its whole result is undefined. If an
 * operation only extends or masks a completely undefined value, its result is completely undefined
 * too, although some of its bits are always 0. */
#ifndef OBSERVE_UNDEFINED_BITS_H
#define OBSERVE_UNDEFINED_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "../ptx/program.h"

typedef struct Operand {
  uint64_t value, undefined;
} Operand;

/* The widths of the operands d, a, b and c of an operation, in bits. 1: a predicate. 0: no such
 * operand. */
typedef struct OpWidths {
  uint8_t d, a, b, c;
} OpWidths;
OpWidths op_widths(PtxOp);
static inline uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Returns the undefined bits of the result of a PTX_ALU instruction. */
uint64_t undefined_bits(const PtxInsn *, Operand a, Operand b, Operand c);
/* Returns true if the operation only moves bits. Then its result still counts as a copy of the
 * operand. */
bool only_moves_bits(PtxOp);
/* Returns the undefined bits of an element of `bytes` bytes after a load has extended it to the
 * width of a register. */
uint64_t undefined_extended(uint64_t undefined, unsigned bytes, bool by_sign);

#endif
