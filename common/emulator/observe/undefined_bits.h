/* Computes which bits of a result are undefined if some bits of the operands are. The functions
 * work on one lane and have no state.
 *
 * The compiler keeps a struct with padding in registers as a whole, and extracts its members by
 * shifts, masks and permutations. So definedness is tracked for each bit: then padding that is not
 * used is not reported. If an operation mixes bits in a way that is not modelled here, its whole
 * result is undefined. The result of an operation that only extends or masks a completely undefined
 * value is completely undefined too, although some of its bits are zeros. */
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
/* Returns true if the operation only moves bits, so that the result still counts as a copy of the
 * operand. */
bool only_moves_bits(PtxOp);
/* Returns the undefined bits of an element of `bytes` bytes after it is extended to the width of a
 * register, as a load does. */
uint64_t undefined_extended(uint64_t undefined, unsigned bytes, bool by_sign);

#endif
