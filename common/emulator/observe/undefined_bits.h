/* Which bits of a result nothing computed, when some bits of the operands are such: one lane, no state.
 *
 * A struct with padding travels in registers as a whole, and its members are cut out of them by shifts, masks and
 * permutations: only bits tell that nobody looks at the padding. Where an operation mixes bits in a way that is not
 * followed here, all of its result is undefined. So is what merely extends or masks a value of which no bit is defined:
 * zeros beside nothing are no data.
 */
#ifndef OBSERVE_UNDEFINED_BITS_H
#define OBSERVE_UNDEFINED_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "../ptx/program.h"

typedef struct Operand {
  uint64_t value, undefined;
} Operand;

/* How wide the operands of an operation are: of d, a, b, c. 1: a predicate; 0: there is none. */
typedef struct OpWidths {
  uint8_t d, a, b, c;
} OpWidths;
OpWidths op_widths(PtxOp);
static inline uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Of a PTX_ALU instruction. */
uint64_t undefined_bits(const PtxInsn *, Operand a, Operand b, Operand c);
/* Does the operation only move bits? What it gives of a copy is a copy. */
bool only_moves_bits(PtxOp);
/* Bits of an element of `bytes`, extended to a register's width as a load extends them. */
uint64_t undefined_extended(uint64_t undefined, unsigned bytes, bool by_sign);

#endif
