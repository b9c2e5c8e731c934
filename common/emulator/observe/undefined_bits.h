/* Computes which bits of a result are undefined when some bits of the operands are. Works on one
 * lane, without state.
 *
 * A struct with padding is kept in registers as a whole, and its members are extracted by shifts,
 * masks and permutations. So definedness is tracked per bit, to see that padding is not used. If an
 * operation mixes bits in a way that is not modelled here, all of its result is undefined. The same
 * holds for an operation that only extends or masks a completely undefined value: the zeros it adds
 * do not make the value defined. */
#ifndef OBSERVE_UNDEFINED_BITS_H
#define OBSERVE_UNDEFINED_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "../ptx/program.h"

typedef struct Operand {
  uint64_t value, undefined;
} Operand;

/* Widths in bits of the operands d, a, b, c of an operation. 1: a predicate; 0: no such operand. */
typedef struct OpWidths {
  uint8_t d, a, b, c;
} OpWidths;
OpWidths op_widths(PtxOp);
static inline uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* For a PTX_ALU instruction: the undefined bits of its result. */
uint64_t undefined_bits(const PtxInsn *, Operand a, Operand b, Operand c);
/* Returns true if the operation only moves bits, so that the result for a copied value is a copy
 * too. */
bool only_moves_bits(PtxOp);
/* The undefined bits of an element of `bytes` bytes after extension to the register's width, as by
 * a load. */
uint64_t undefined_extended(uint64_t undefined, unsigned bytes, bool by_sign);

#endif
