/* A GPU computes 64-bit integers as two 32-bit words, and ptxas omits instructions for words that
 * are known to be zero: a product of zero-extended factors is one IMAD.WIDE.U32, a mask of the
 * lower word or a shift by 32 is no instruction (machine code of the rows 'pi by Philox' and
 * 'squares of 256 bits'). A data-flow analysis finds these words. */
#include "words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "liveness.h"
#include "operations.h"

/* The known words of the value in a slot at one place in the code. */
enum {
  UPPER_ZERO = 1,
  LOWER_ZERO = 2,
  /* All bits of the word are 1. Only constants have this. */
  UPPER_ONES = 4,
  LOWER_ONES = 8,
  ALL_KNOWN = 15
};

typedef struct Words {
  LoweredFunction *lowered;
  /* [nslots] The value of a constant, otherwise 0. */
  uint64_t *constant;
  /* [nslots] The known words before the current instruction. */
  uint8_t *known;
} Words;

static uint8_t known_of(const Words *w, uint32_t reg) {
  return reg == PTX_NO_REG ? 0 : w->known[reg / PTX_SLOT_BYTES];
}

/* Returns the value of a constant operand, or `otherwise`. */
static uint64_t constant_of(const Words *w, uint32_t reg, uint64_t otherwise) {
  const uint32_t slot = reg / PTX_SLOT_BYTES;
  return reg != PTX_NO_REG && w->lowered->is_constant[slot] ? w->constant[slot] : otherwise;
}

static uint8_t known_of_constant(uint64_t value) {
  const uint32_t upper = (uint32_t)(value >> 32), lower = (uint32_t)value;
  return (uint8_t)((upper == 0 ? UPPER_ZERO : 0) | (lower == 0 ? LOWER_ZERO : 0) |
                   (upper == UINT32_MAX ? UPPER_ONES : 0) | (lower == UINT32_MAX ? LOWER_ONES : 0));
}

/* ---- the known words of a result ------------------------------------------------------------- */
static uint8_t of_shift(const char *s, uint8_t a, uint64_t count) {
  if (begins(s, "shl"))
    return (uint8_t)(count >= 32 && count < 64 ? LOWER_ZERO : a & LOWER_ZERO);
  return (uint8_t)(count >= 32 && count < 64 ? UPPER_ZERO : a & UPPER_ZERO);
}

static uint8_t of_result(const Words *w, const PtxInsn *insn) {
  const uint8_t zeros = UPPER_ZERO | LOWER_ZERO;
  const uint8_t a = known_of(w, insn->a), b = known_of(w, insn->b);
  if (insn->form == PTX_LD)
    return insn->type == PTX_B32 || insn->type == PTX_U8 || insn->type == PTX_U16 ||
                   insn->type == PTX_U32
               ? UPPER_ZERO
               : 0;
  if (insn->form != PTX_ALU)
    return 0;
  const char *s = ptx_op_name((PtxOp)insn->op);
  if (begins(s, "cvt.u64.u32") || begins(s, "cvt.u64.u16") || begins(s, "cvt.u64.u8"))
    return UPPER_ZERO;
  if (begins(s, "mov.b64"))
    return a;
  if (begins(s, "and.b64"))
    return (a | b) & zeros;
  if (begins(s, "or.b64") || begins(s, "xor.b64") || begins(s, "selp.b64"))
    return a & b & zeros;
  if (begins(s, "shl.b64") || begins(s, "shr.u64"))
    return of_shift(s, a, constant_of(w, insn->b, 64));
  if (begins(s, "bfe.u64"))
    return constant_of(w, insn->c, 64) <= 32 ? UPPER_ZERO : 0;
  if (begins(s, "div.u64"))
    return a & UPPER_ZERO;
  if (begins(s, "rem.u64") || begins(s, "min.u64"))
    return (a | b) & UPPER_ZERO;
  return 0;
}

static void pass_by(Words *w, const PtxInsn *insn) {
  const uint8_t known = of_result(w, insn);
  Operands o;
  operands_of(insn, &o);
  for (uint32_t i = 0; i < o.nwrites; i++)
    w->known[o.writes[i]] = insn->guard == PTX_NO_REG ? known : known & w->known[o.writes[i]];
}

/* ---- costs ----------------------------------------------------------------------------------- */
/* A word needs no instruction if the result is zero or one of the operands. */
static unsigned logic_words(const char *s, uint8_t a, uint8_t b) {
  const unsigned either = begins(s, "and") ? ALL_KNOWN : UPPER_ZERO | LOWER_ZERO;
  const unsigned known = (a | b) & either;
  return 2u - !!(known & (UPPER_ZERO | UPPER_ONES)) - !!(known & (LOWER_ZERO | LOWER_ONES));
}

static unsigned shift_words(const char *s, uint8_t a, uint64_t count) {
  const bool empty = a & (begins(s, "shl") ? LOWER_ZERO : UPPER_ZERO);
  if (count == 0 || count == 32 || (empty && count > 32))
    return 0;
  return count > 32 || empty ? 1 : 2;
}

/* Comparisons need one instruction if both upper words are zero, or if the lower word cannot change
 * the result. */
static bool compares_a_word(const char *s, uint8_t a, uint8_t b) {
  return (a & b & UPPER_ZERO) || (b & LOWER_ZERO && (begins(s + 5, "lt") || begins(s + 5, "ge")));
}

static void narrow(Words *w, uint32_t at) {
  const PtxInsn *insn = &w->lowered->function->code[at];
  Op *op = &w->lowered->ops[at];
  if (insn->form != PTX_ALU || op->kind != OP_COMPUTE)
    return;
  const char *s = ptx_op_name((PtxOp)insn->op);
  const uint8_t a = known_of(w, insn->a), b = known_of(w, insn->b);
  if (begins(s, "and.b64") || begins(s, "or.b64") || begins(s, "xor.b64")) {
    *op = in_chain(PIPE_INT, logic_words(s, a, b));
  } else if (begins(s, "shl.b64") || begins(s, "shr.u64")) {
    const uint64_t count = constant_of(w, insn->b, 64);
    if (count < 64)
      *op = in_chain(PIPE_INT, shift_words(s, a, count));
  } else if (begins(s, "mul.lo.s64") || begins(s, "mul.lo.u64")) {
    const bool whole = a & b & UPPER_ZERO;
    if ((a | b) & UPPER_ZERO)
      *op = in_chain(PIPE_HEAVY, whole ? 1 : 2);
    /* A sum joins the upper words: IMAD.WIDE.U32, IMAD, IADD3. ptxas 13 adds to the upper word even
     * if the other product is zero (machine code of the row 'pi by Philox'). */
    op->slots[PIPE_INT] = 1;
    op->wide_product = whole;
    op->wide = 1;
  } else if (begins(s, "setp.") && (strstr(s, "u64") || strstr(s, "s64") || strstr(s, "b64"))) {
    if (compares_a_word(s, a, b))
      *op = on_pipe(PIPE_INT, 1, 1);
  } else if (begins(s, "selp.b64") && a & b & UPPER_ZERO) {
    *op = on_pipe(PIPE_INT, 1, 1);
  }
}

/* ---- flow ------------------------------------------------------------------------------------ */
/* Computes the known words at the start of the successors of a block. Returns true if a successor
 * has fewer than before. */
static bool flow_on(Words *w, uint32_t number, uint8_t *in) {
  const PtxFunction *f = w->lowered->function;
  const PtxBlock *b = &f->blocks[number];
  uint32_t next[MOST_SUCCESSORS], n = block_successors(b, next, MOST_SUCCESSORS);
  bool changed = false;
  memcpy(w->known, in + (size_t)number * f->nslots, f->nslots);
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    pass_by(w, &f->code[i]);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t s = 0; s < f->nslots; s++) {
      uint8_t *to = &in[(size_t)next[k] * f->nslots + s];
      changed = changed || (*to & ~w->known[s]);
      *to &= w->known[s];
    }
  return changed;
}

static void find_constants(Words *w, uint8_t *entry) {
  const PtxFunction *f = w->lowered->function;
  for (uint32_t i = 0; i < f->nconstants; i++) {
    const PtxConstant *c = &f->constants[i];
    const uint32_t slot = c->slot / PTX_SLOT_BYTES;
    w->constant[slot] = c->value;
    entry[slot] = c->kind == PTX_VALUE ? known_of_constant(c->value) : 0;
  }
}

void narrow_words(LoweredFunction *l) {
  const PtxFunction *f = l->function;
  if (!f->nblocks)
    return;
  Words w = {l, calloc(f->nslots + 1u, sizeof *w.constant), calloc(f->nslots + 1u, 1)};
  uint8_t *in = malloc((size_t)f->nblocks * f->nslots + 1);
  assert(w.constant && w.known && in);
  memset(in, ALL_KNOWN, (size_t)f->nblocks * f->nslots);
  memset(in, 0, f->nslots);
  find_constants(&w, in);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
      changed = flow_on(&w, b, in) || changed;
  }
  for (uint32_t number = 0; number < f->nblocks; number++) {
    const PtxBlock *b = &f->blocks[number];
    memcpy(w.known, in + (size_t)number * f->nslots, f->nslots);
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      narrow(&w, i);
      pass_by(&w, &f->code[i]);
    }
  }
  free(w.constant);
  free(w.known);
  free(in);
}
