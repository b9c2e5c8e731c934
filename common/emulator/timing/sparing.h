/* An order of a block's instructions in which few values are alive at the same time. */
#ifndef TIMING_SPARING_H
#define TIMING_SPARING_H

#include "lowering.h"

enum {
  /* Maximum number of results of one instruction. */
  RESULTS = sizeof((Operands *)0)->writes / sizeof(uint32_t)
};

/* No instruction, or no value. */
#define NOBODY UINT32_MAX

/* Values are numbered: slot s holds value s when the block begins, and result k of instruction i is
 * value nslots + RESULTS * i + k. */
typedef struct Value {
  /* The number of reads in the block, and of those that have not been placed. */
  uint32_t uses, left;
  uint8_t weight;
  /* Whether it is read after the block. */
  bool lives_on;
  /* Whether it is computed here and used for nothing but addresses. */
  bool is_address;
} Value;

typedef struct BlockValues {
  const PtxInsn *code;
  uint32_t count, nslots;
  const Value *values;
  /* Instruction i reads the values reads[first[i]] ... reads[first[i + 1] - 1]. */
  const uint32_t *reads, *first;
} BlockValues;

/* Fills order[count]. The order keeps data dependences and the order of accesses that may touch the
 * same memory. */
void sparing_order(const BlockValues *, uint32_t *order);

#endif
