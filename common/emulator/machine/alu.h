/* PTX_ALU operations, one handler per row of arithmetic.def, each a loop over the 32 lanes. */
#ifndef MACHINE_ALU_H
#define MACHINE_ALU_H

#include "../ptx/program.h"

typedef void (*AluHandler)(uint8_t *registers, const PtxInsn *);

/* The handler for an instruction, including its modifiers (.ftz, .sat, rounding). It computes all
 * 32 lanes. */
AluHandler alu_handler(const PtxInsn *);
/* Size of the destination in the register file: 4 bytes for predicates, otherwise 128 or 256. */
unsigned alu_result_bytes(const PtxInsn *);
/* Computes `lanes` only; the other lanes keep their old values. */
typedef void (*AluMaskedHandler)(uint8_t *registers, const PtxInsn *, uint32_t lanes);
AluMaskedHandler alu_masked_handler(const PtxInsn *);

#endif
