#include "promoted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "liveness.h"

/* The kind of value in a slot at one place in the code. Registers share slots, so a slot holds
 * different kinds at different places. */
typedef enum Held {
  HOLDS_NOTHING,
  /* The address of a local variable, or such an address plus a constant. */
  HOLDS_FIXED,
  /* One of several such addresses, chosen by a condition. */
  HOLDS_CHOSEN,
  /* Another local address. */
  HOLDS_COMPUTED,
  HOLDS_OTHER
} Held;
enum { MOST_PASSES = 8 };

static bool is_constant(const LoweredFunction *l, uint32_t reg) {
  return reg == PTX_NO_REG || l->is_constant[reg / PTX_SLOT_BYTES];
}

static Held held_in(uint32_t reg, const uint8_t *holds) {
  return reg == PTX_NO_REG ? HOLDS_OTHER : (Held)holds[reg / PTX_SLOT_BYTES];
}
static bool is_known(Held held) { return held == HOLDS_FIXED || held == HOLDS_CHOSEN; }
static bool is_address(Held held) { return is_known(held) || held == HOLDS_COMPUTED; }

static bool selects_known(const PtxInsn *insn, const uint8_t *holds) {
  return strncmp(ptx_op_name((PtxOp)insn->op), "selp", 4) == 0 &&
         is_known(held_in(insn->a, holds)) && is_known(held_in(insn->b, holds));
}

static bool keeps_address(const LoweredFunction *l, const PtxInsn *insn, const uint8_t *holds) {
  static const char *const operations[] = {"add.", "or.b64",      "or.b32",     "mov",
                                           "cvta", "cvt.u32.u64", "cvt.u64.u32"};
  const char *s = ptx_op_name((PtxOp)insn->op);
  bool known = false;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    known = known || strncmp(s, operations[i], strlen(operations[i])) == 0;
  return known && is_known(held_in(insn->a, holds)) && is_constant(l, insn->b);
}

static Held result_of(const LoweredFunction *l, const PtxInsn *insn, const uint8_t *holds) {
  Operands o;
  if (insn->form == PTX_LOCAL_ADDR)
    return HOLDS_FIXED;
  if (insn->form != PTX_ALU)
    return HOLDS_OTHER;
  if (selects_known(insn, holds))
    return HOLDS_CHOSEN;
  if (keeps_address(l, insn, holds))
    return held_in(insn->a, holds);
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nreads; i++)
    if (is_address(holds[o.reads[i]]))
      return HOLDS_COMPUTED;
  return HOLDS_OTHER;
}

static void execute(const LoweredFunction *l, const PtxInsn *insn, uint8_t *holds) {
  const Held result = result_of(l, insn, holds);
  Operands o;
  operands_of(insn, &o);
  for (uint32_t k = 0; k < o.nwrites; k++)
    holds[o.writes[k]] = (uint8_t)result;
}

/* The state at the end of a block is the state at the start of its successors. If two predecessors
 * differ, the slot holds no usable address. */
static bool flow_on(const LoweredFunction *l, uint32_t number, uint8_t *in, uint8_t *holds) {
  const PtxFunction *f = l->function;
  const PtxBlock *b = &f->blocks[number];
  uint32_t next[MOST_SUCCESSORS], n = block_successors(b, next, MOST_SUCCESSORS);
  bool changed = false;
  memcpy(holds, in + (size_t)number * f->nslots, f->nslots);
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    execute(l, &f->code[i], holds);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t s = 0; s < f->nslots; s++) {
      uint8_t *to = &in[(size_t)next[k] * f->nslots + s];
      const uint8_t joined = *to == HOLDS_NOTHING || *to == holds[s] ? holds[s]
                             : holds[s] == HOLDS_NOTHING             ? *to
                                                                     : HOLDS_OTHER;
      changed = changed || joined != *to;
      *to = joined;
    }
  return changed;
}

static bool is_local(const PtxInsn *insn, const uint8_t *holds) {
  if (!op_is_access(insn))
    return false;
  return insn->space == PTX_LOCAL || (insn->space == PTX_GENERIC && insn->a != PTX_NO_REG &&
                                      is_address(holds[insn->a / PTX_SLOT_BYTES]));
}

/* Returns true if a local address is computed at run time, stored to memory, or passed to a
 * function. */
static bool escapes(const PtxInsn *insn, const uint8_t *holds) {
  const bool local = is_local(insn, holds);
  Operands o;
  if (local && insn->a != PTX_NO_REG && !is_known(held_in(insn->a, holds)))
    return true;
  if (insn->form == PTX_ALU || insn->form == PTX_LOCAL_ADDR)
    return false;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nreads; i++)
    if (is_address(holds[o.reads[i]]) && !(local && o.reads[i] == insn->a / PTX_SLOT_BYTES))
      return true;
  return false;
}

/* With `promotes`, makes the accesses free. Otherwise returns true if an address escapes. */
static bool look_at_accesses(LoweredFunction *l, const uint8_t *in, uint8_t *holds, bool promotes) {
  const PtxFunction *f = l->function;
  bool found = false;
  for (uint32_t number = 0; number < f->nblocks; number++) {
    const PtxBlock *b = &f->blocks[number];
    memcpy(holds, in + (size_t)number * f->nslots, f->nslots);
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      found = found || escapes(&f->code[i], holds);
      if (promotes && is_local(&f->code[i], holds))
        l->ops[i] = (Op){.kind = OP_FREE, .chosen = held_in(f->code[i].a, holds) == HOLDS_CHOSEN};
      execute(l, &f->code[i], holds);
    }
  }
  return found;
}

void promote_locals(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  uint8_t *in, *holds;
  if (!f->local_bytes)
    return;
  in = calloc((size_t)f->nblocks * f->nslots + 1, 1);
  holds = calloc(f->nslots + 1u, 1);
  assert(in && holds);
  bool changed = true;
  for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
    changed = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
      changed = flow_on(l, b, in, holds) || changed;
  }
  if (!look_at_accesses(l, in, holds, false))
    look_at_accesses(l, in, holds, true);
  free(in);
  free(holds);
}
