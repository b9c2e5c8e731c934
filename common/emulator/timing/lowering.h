/* What a GPU's assembler makes of PTX, as far as it costs time.
 *
 * Instructions become machine instructions on pipes. Many cost nothing: copies, parameters (operands in constant
 * memory), conversions of addresses, sums that become an access's offset, products whose only use is a sum, the
 * signs of floating operands. Some are short programs: division, roots, integers of 64 bits.
 */
#ifndef TIMING_LOWERING_H
#define TIMING_LOWERING_H

#include "../ptx/program.h"

typedef enum Pipe {
  PIPE_FP32,  /* multiply-adds in single precision */
  PIPE_HEAVY, /* integer products, on half of those lanes */
  PIPE_INT,   /* integers, logic, comparisons */
  PIPE_ANY,   /* 32-bit sums, which may go to either of the two above */
  PIPE_FP64,
  PIPE_SFU,
  PIPE_CONVERT, /* between integers and floating point */
  PIPE_TENSOR,  /* tensor cores */
  PIPE_CONTROL, /* branches, special registers: a slot of the scheduler only */
  PIPES
} Pipe;

typedef enum OpKind {
  OP_FREE, /* nothing is issued; its result is there with its operands */
  OP_COMPUTE,
  OP_LOAD,
  OP_STORE,
  OP_ATOMIC,
  OP_SHUFFLE, /* and other ways from lane to lane */
  OP_BARRIER,
  OP_FENCE,
  OP_COPY_GROUP, /* ends a group of copies that nobody waits for (cp.async) ... */
  OP_COPY_WAIT   /* ... and waits for all but the last `groups` */
} OpKind;

#define NO_TEST UINT32_MAX

/* One PTX instruction. */
typedef struct Op {
  uint8_t kind;         /* OpKind */
  uint8_t slots[PIPES]; /* machine instructions by pipe */
  uint8_t chain[PIPES]; /* those of them that wait for one another */
  uint16_t products;    /* of PIPE_TENSOR: multiply-adds, as many of halves as take as long */
  uint32_t groups;      /* of OP_COPY_WAIT */
  bool in_double;       /* ... but these in double precision */
  bool three_wide;      /* multiplies and adds what are three registers of 64 bits each time */
  bool fetches;         /* of OP_ATOMIC: the program uses the value before */
  bool induction; /* adds a constant to its own operand: copies of a loop's body need it once */
} Op;

typedef struct LoweredFunction {
  const PtxModule *module;
  const PtxFunction *function;
  Op *ops; /* [ncode] */
  /* [nblocks] of a loop of one block that counts, so that the assembler can unroll it, the
   * instruction that compares; else NO_TEST; and how many rounds it makes one of */
  uint32_t *loop_test;
  uint8_t *unroll;
  /* [nblocks] its branch is none: what it jumps over is short and becomes guarded */
  bool *predicated;
  /* [nblocks] the block that straight code goes on with, or PTX_NO_BLOCK: the only block that
   * follows and has no other before it, or a guarded block, or the block after a guarded one */
  uint32_t *chain_next;
  /* [nblocks] the assembler guards it with the condition of the block before it in the chain */
  bool *guarded;
  uint16_t *accesses;          /* [ncode] accesses to memory before it in its block */
  uint8_t *is_constant;        /* [nslots] */
  struct Schedule **schedules; /* schedule.h: [SCHEDULES * nblocks], made when first needed */
} LoweredFunction;

LoweredFunction *lower_function(const PtxModule *, const PtxFunction *);
void lowered_free(LoweredFunction *);

/* Every register that an instruction reads or writes, as numbers of slots; `reads` may take 32. */
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

#endif
