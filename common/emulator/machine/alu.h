/* Finds the handlers of PTX_ALU instructions: one per row of arithmetic.def. A handler is a loop
 * over 32 lanes. */
#ifndef MACHINE_ALU_H
#define MACHINE_ALU_H

#include "../ptx/program.h"

typedef void (*AluHandler)(uint8_t *registers, const PtxInsn *);

/* Returns the handler of an instruction, which also applies the modifiers (.ftz, .sat, rounding)
 * and computes all 32 lanes. */
AluHandler alu_handler(const PtxInsn *);
/* Returns the size in bytes of the destination in the register file: 4 for predicates, otherwise
 * 128 or 256. */
unsigned alu_result_bytes(const PtxInsn *);
/* A handler that writes only the results of `lanes`; the other lanes keep their old values. */
typedef void (*AluMaskedHandler)(uint8_t *registers, const PtxInsn *, uint32_t lanes);
AluMaskedHandler alu_masked_handler(const PtxInsn *);

#endif
