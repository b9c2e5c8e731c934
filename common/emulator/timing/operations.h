/* Helpers of lowering.c and words.c: names of PTX operations, and machine instructions on one
 * pipe. */
#ifndef TIMING_OPERATIONS_H
#define TIMING_OPERATIONS_H

#include <string.h>

#include "lowering.h"

/* Most names differ in the first letter. */
static inline bool begins(const char *text, const char *with) {
  return *text == *with && strncmp(text, with, strlen(with)) == 0;
}

/* Returns `count` machine instructions, of which `chain` depend on one another. */
static inline Op on_pipe(Pipe pipe, unsigned count, unsigned chain) {
  Op op = {.kind = count ? OP_COMPUTE : OP_FREE};
  op.slots[pipe] = (uint8_t)count;
  op.chain[pipe] = (uint8_t)chain;
  return op;
}

/* Returns machine instructions that depend on one another. */
static inline Op in_chain(Pipe pipe, unsigned count) { return on_pipe(pipe, count, count); }

#endif
