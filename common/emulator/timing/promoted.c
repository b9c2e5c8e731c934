#include "promoted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What a slot holds, by all instructions that write it. */
enum { HOLDS_FIXED = 1, HOLDS_COMPUTED = 2, HOLDS_OTHER = 4 };
enum { MOST_PASSES = 8 };

static bool is_constant(const LoweredFunction *l, uint32_t reg) {
  return reg == PTX_NO_REG || l->is_constant[reg / PTX_SLOT_BYTES];
}

/* The address of a local variable, or a constant more. */
static bool keeps_fixed(const LoweredFunction *l, const PtxInsn *insn, const uint8_t *holds) {
  static const char *const operations[] = {"add.", "or.b64", "or.b32", "mov", "cvta", "cvt.u32.u64",
                                           "cvt.u64.u32"};
  const char *s = ptx_op_name((PtxOp)insn->op);
  bool known = false;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    known = known || strncmp(s, operations[i], strlen(operations[i])) == 0;
  return known && insn->a != PTX_NO_REG && holds[insn->a / PTX_SLOT_BYTES] == HOLDS_FIXED &&
         is_constant(l, insn->b);
}

static uint8_t result_of(const LoweredFunction *l, const PtxInsn *insn, const uint8_t *holds) {
  Operands o;
  if (insn->form == PTX_LOCAL_ADDR)
    return HOLDS_FIXED;
  if (insn->form != PTX_ALU)
    return HOLDS_OTHER;
  if (keeps_fixed(l, insn, holds))
    return HOLDS_FIXED;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nreads; i++)
    if (holds[o.reads[i]] & (HOLDS_FIXED | HOLDS_COMPUTED))
      return HOLDS_COMPUTED;
  return HOLDS_OTHER;
}

static bool find_holdings(const LoweredFunction *l, uint8_t *holds) {
  const PtxFunction *f = l->function;
  bool changed = false;
  Operands o;
  for (uint32_t i = 0; i < f->ncode; i++) {
    const uint8_t result = result_of(l, &f->code[i], holds);
    operands_of(&f->code[i], &o);
    for (uint32_t k = 0; k < o.nwrites; k++) {
      changed = changed || (holds[o.writes[k]] | result) != holds[o.writes[k]];
      holds[o.writes[k]] |= result;
    }
  }
  return changed;
}

static bool is_local(const PtxInsn *insn, const uint8_t *holds) {
  if (!op_is_access(insn))
    return false;
  return insn->space == PTX_LOCAL ||
         (insn->space == PTX_GENERIC && insn->a != PTX_NO_REG &&
          holds[insn->a / PTX_SLOT_BYTES] & (HOLDS_FIXED | HOLDS_COMPUTED));
}

/* Is any local address computed, or given to memory or to another function? */
static bool is_computed(const PtxInsn *insn, const uint8_t *holds) {
  const bool local = is_local(insn, holds);
  Operands o;
  if (local && insn->a != PTX_NO_REG && holds[insn->a / PTX_SLOT_BYTES] != HOLDS_FIXED)
    return true;
  if (insn->form == PTX_ALU || insn->form == PTX_LOCAL_ADDR)
    return false;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nreads; i++)
    if (holds[o.reads[i]] & (HOLDS_FIXED | HOLDS_COMPUTED) &&
        !(local && o.reads[i] == insn->a / PTX_SLOT_BYTES))
      return true;
  return false;
}

void promote_locals(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  uint8_t *holds = calloc(f->nslots + 1u, 1);
  bool computed = false;
  assert(holds);
  for (int pass = 0; pass < MOST_PASSES && find_holdings(l, holds); pass++) {
  }
  for (uint32_t i = 0; i < f->ncode; i++)
    computed = computed || is_computed(&f->code[i], holds);
  for (uint32_t i = 0; i < f->ncode && !computed; i++)
    if (is_local(&f->code[i], holds))
      l->ops[i] = (Op){.kind = OP_FREE};
  free(holds);
}
