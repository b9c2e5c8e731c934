/* The machine instructions that a GPU's assembler generates from PTX, as far as they cost time.
 *
 * PTX instructions become machine instructions on pipes. Many cost nothing: copies, parameters
 * (operands in constant memory), conversions of addresses, sums that become the offset of an
 * access, products that are only added, the signs of floating-point operands. Some become short
 * programs: division, roots, 64-bit integers.
 */
#ifndef TIMING_LOWERING_H
#define TIMING_LOWERING_H

#include "../ptx/program.h"

typedef enum Pipe {
  /* Multiply-adds in single precision. */
  PIPE_FP32,
  /* Integer products, on half of the lanes of PIPE_FP32. */
  PIPE_HEAVY,
  /* Integers, logic, comparisons. */
  PIPE_INT,
  /* 32-bit sums, which can run on PIPE_FP32 or PIPE_INT. */
  PIPE_ANY,
  PIPE_FP64,
  PIPE_SFU,
  /* Conversions between integers and floating point. */
  PIPE_CONVERT,
  /* Tensor cores. */
  PIPE_TENSOR,
  /* Branches and special registers, which need only an issue slot. */
  PIPE_CONTROL,
  PIPES
} Pipe;

typedef enum OpKind {
  /* Nothing is issued. The result is available when the operands are. */
  OP_FREE,
  OP_COMPUTE,
  OP_LOAD,
  OP_STORE,
  OP_ATOMIC,
  /* Shuffles and other exchanges between lanes. */
  OP_SHUFFLE,
  OP_BARRIER,
  OP_FENCE,
  /* Closes a group of asynchronous copies (cp.async). */
  OP_COPY_GROUP,
  /* Waits for all groups of copies except the last Op.groups. */
  OP_COPY_WAIT
} OpKind;

#define NO_TEST UINT32_MAX

/* One PTX instruction. */
typedef struct Op {
  /* An OpKind. */
  uint8_t kind;
  /* Machine instructions by pipe. */
  uint8_t slots[PIPES];
  /* The number of these machine instructions on the longest dependence chain. */
  uint8_t chain[PIPES];
  /* PIPE_TENSOR: the multiply-adds in half precision that take the same time. */
  uint16_t products;
  /* OP_COPY_WAIT: the number of newer groups that it does not wait for. */
  uint32_t groups;
  /* PIPE_TENSOR: `products` counts multiply-adds in double precision. */
  bool in_double;
  /* A multiply-add that reads three 64-bit registers. */
  bool three_wide;
  /* OP_ATOMIC: the program uses the returned value. */
  bool fetches;
  /* An access to one of several local variables in registers, chosen by a condition. */
  bool chosen;
  /* A 64-bit product of factors with 32 bits. */
  bool wide_product;
  /* PIPE_HEAVY: the number of products with a 64-bit result or its upper word. */
  uint8_t wide;
  /* Adds a constant to its own operand. An unrolled loop body executes it once. */
  bool induction;
} Op;

/* Lanes may diverge at the end of a block. They reconverge once on these ways, or later with those
 * that diverged before. */
enum { REJOINS_TAKEN = 1, REJOINS_NEXT = 2, REJOINS_BOTH = 3, REJOINS_LATER = 4 };

typedef struct LoweredFunction {
  const PtxModule *module;
  const PtxFunction *function;
  /* [ncode] */
  Op *ops;
  /* [nblocks] The instruction that compares in a counting loop, which the assembler can unroll;
   * NO_TEST for blocks that end no such loop. A loop is one block, or a chain with guarded blocks.
   * For its first block, `loop_end` is the last block, and `unroll` the number of iterations in one
   * unrolled body; 1 for other blocks. */
  uint32_t *loop_test;
  uint32_t *loop_end;
  uint8_t *unroll;
  /* [nblocks] For the last block of a counting loop with branches: the number of iterations in one
   * unrolled body, which counts and jumps back once; 1 for other blocks. */
  uint8_t *turns;
  /* [nblocks] The block has no branch in machine code: the code that it would skip is short and
   * predicated. */
  bool *predicated;
  /* [nblocks] The next block of straight-line code, or PTX_NO_BLOCK: the only successor if this
   * block is its only predecessor, or a guarded block, or the block after a guarded block. */
  uint32_t *chain_next;
  /* [nblocks] The assembler predicates the block with the condition of the block before it in the
   * chain. */
  bool *guarded;
  /* [nblocks] REJOINS_TAKEN, REJOINS_NEXT, REJOINS_LATER; 0 if lanes cannot diverge. */
  uint8_t *rejoins;
  /* [ncode] The number of memory accesses before it in its block. */
  uint16_t *accesses;
  /* [nslots] */
  uint8_t *is_constant;
  /* [SCHEDULES * nblocks], built on first use (schedule.h). */
  struct Schedule **schedules;
} LoweredFunction;

/* `chains_guarded`: a guarded block is straight-line code with the blocks around it. */
LoweredFunction *lower_function(const PtxModule *, const PtxFunction *, bool chains_guarded,
                                bool adds_minimum);
void lowered_free(LoweredFunction *);

/* The slot numbers of all registers that an instruction reads or writes. An instruction reads at
 * most 32 registers of its list. */
typedef struct Operands {
  uint32_t reads[40], writes[18], nreads, nwrites;
} Operands;
void operands_of(const PtxInsn *, Operands *);

static inline bool op_is_access(const PtxInsn *insn) {
  return insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM;
}
static inline unsigned op_slots(const Op *op) {
  unsigned sum = 0;
  for (int p = 0; p < PIPES; p++)
    sum += op->slots[p];
  return sum;
}

/* A precise division or root branches to a path for unusual operands, so the assembler sees two
 * basic blocks. It moves no load of the second into the first (cuobjdump -sass of a loop with
 * sqrtf), and the warp issues nothing of the second before the chain of the first is done: the
 * instruction before the branch reads its end (SASS of the row 'vortices, double'). */
static inline bool divides_code(const Op *op) {
  return op->kind == OP_COMPUTE && op->slots[PIPE_CONTROL] && op_slots(op) > 1;
}

#endif
