/* Helpers of lowering.c, loops.c, copies.c and words.c: names and operands of PTX operations, and
 * machine instructions on one pipe. */
#ifndef TIMING_OPERATIONS_H
#define TIMING_OPERATIONS_H

#include <string.h>

#include "lowering.h"

/* Most names differ in the first letter. */
static inline bool begins(const char *text, const char *with) {
  return *text == *with && strncmp(text, with, strlen(with)) == 0;
}

static inline bool ends(const char *text, const char *with) {
  size_t n = strlen(text), m = strlen(with);
  return n >= m && strcmp(text + n - m, with) == 0;
}
static inline bool is_wide(const char *spelling) {
  return ends(spelling, "64") && !ends(spelling, "f64");
}

static inline bool is_sum(const PtxInsn *i, const char *s) {
  return i->form == PTX_ALU &&
         (begins(s, "add.s") || begins(s, "add.u") || begins(s, "sub.s") || begins(s, "sub.u"));
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

/* Returns the value of a constant operand, or 0 if it is not a constant number. */
static inline uint64_t value_of_constant(const LoweredFunction *l, uint32_t reg) {
  for (uint32_t i = 0; i < l->function->nconstants; i++)
    if (l->function->constants[i].slot == reg && l->function->constants[i].kind == PTX_VALUE)
      return l->function->constants[i].value;
  return 0;
}

static inline bool constant_operand(const LoweredFunction *l, const PtxInsn *i) {
  return (i->a != PTX_NO_REG && l->is_constant[i->a / PTX_SLOT_BYTES]) ||
         (i->b != PTX_NO_REG && l->is_constant[i->b / PTX_SLOT_BYTES]);
}

static inline bool reads_slot(const PtxInsn *insn, uint32_t reg) {
  Operands o;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nreads; i++)
    if (o.reads[i] == reg / PTX_SLOT_BYTES)
      return true;
  return false;
}
static inline bool writes_slot(const PtxInsn *insn, uint32_t reg) {
  Operands o;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nwrites; i++)
    if (o.writes[i] == reg / PTX_SLOT_BYTES)
      return true;
  return false;
}

#endif
