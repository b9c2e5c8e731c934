#include "copies.h"
#include "liveness.h"
#include "loops.h"
#include "operations.h"
#include "promoted.h"
#include "registers.h"
#include "rejoins.h"
#include "schedule.h"
#include "words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct CostRow {
  const char *spelling;
  uint8_t precise, slots[PIPES];
  const char *chain;
} CostRow;

static const CostRow costs[] = {
#define COST(spelling, precise, f, h, i, d, s, c, k, chain)                                        \
  {spelling,                                                                                       \
   precise,                                                                                        \
   {[PIPE_FP32] = f,                                                                               \
    [PIPE_HEAVY] = h,                                                                              \
    [PIPE_INT] = i,                                                                                \
    [PIPE_FP64] = d,                                                                               \
    [PIPE_SFU] = s,                                                                                \
    [PIPE_CONVERT] = c,                                                                            \
    [PIPE_CONTROL] = k},                                                                           \
   chain},
#include "costs.def"
};

/* ---- one instruction by itself --------------------------------------------------------------- */
static Op wide_product(void) {
  Op op = on_pipe(PIPE_HEAVY, 1, 1);
  op.wide = 1;
  return op;
}

static Op from_row(const CostRow *row) {
  Op op = {.kind = OP_COMPUTE};
  memcpy(op.slots, row->slots, sizeof op.slots);
  for (const char *c = row->chain; *c; c++) {
    char *letter;
    const unsigned long count = strtoul(c, &letter, 10);
    op.chain[*letter == 'f'   ? PIPE_FP32
             : *letter == 'h' ? PIPE_HEAVY
             : *letter == 'i' ? PIPE_INT
             : *letter == 'd' ? PIPE_FP64
             : *letter == 's' ? PIPE_SFU
             : *letter == 'j' ? PIPE_CONTROL
                              : PIPE_CONVERT] += (uint8_t)(letter == c ? 1 : count);
    c = letter;
  }
  return op;
}

static const CostRow *find_row(const char *spelling, bool precise) {
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    if (begins(spelling, costs[i].spelling) &&
        (costs[i].precise == 2 || costs[i].precise == (precise ? 1 : 0)))
      return &costs[i];
  return NULL;
}

/* Returns true for a shift of 64 bits by 32. ptxas uses the other register of the pair instead. */
static bool moves_half(const LoweredFunction *l, const PtxInsn *insn) {
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  return (begins(s, "shl.b64") || begins(s, "shr.u64")) &&
         (int32_t)value_of_constant(l, insn->b) == 32;
}

static Op conversion(const char *s) {
  bool to_float = begins(s, "cvt.f"), from_float = ends(s, ".f32") || ends(s, ".f64");
  bool widens = (begins(s, "cvt.u64.") || begins(s, "cvt.s64.")) && !from_float;
  if (strstr(s, "f64") ||
      /* These run at the rate of special functions (tests/timing/micro/integers.cu). */
      (from_float && !to_float))
    return on_pipe(PIPE_SFU, 1, 1);
  /* HADD2.F32 */
  if (begins(s, "cvt.f32.f16"))
    return on_pipe(PIPE_FP32, 1, 1);
  if (to_float || from_float || strstr(s, "f16"))
    return on_pipe(PIPE_CONVERT, 1, 1);
  if (widens || begins(s, "cvt.u32.u64") || begins(s, "cvt.u32.u") || begins(s, "cvt.u16.u32") ||
      begins(s, "cvt.s32.s64") || begins(s, "cvt.s32.u") || begins(s, "cvt.u32.s32"))
    return (Op){.kind = OP_FREE};
  return on_pipe(PIPE_INT, 1, 1);
}

static Op arithmetic(const LoweredFunction *l, const PtxInsn *insn) {
  const PtxModule *m = l->module;
  const char *s = ptx_op_name((PtxOp)insn->op);
  char text[96];
  ptx_instruction_text(m, insn, text, sizeof text);
  const CostRow *row = find_row(s, !strstr(text, ".approx") && !strstr(text, ".full"));
  unsigned both = is_wide(s) ? 2 : 1;
  if (begins(s, "rsqrt") && insn->flags & PTX_FTZ)
    return on_pipe(PIPE_SFU, 1, 1);
  if (row) {
    Op op = from_row(row);
    op.three_wide = begins(s, "div.f64") || begins(s, "sqrt.f64");
    op.wide = begins(s, "mul.lo") || begins(s, "mad.lo") || begins(s, "mul.hi.u32") ||
              begins(s, "mul.hi.s32");
    return op;
  }
  if (begins(s, "mov") || begins(s, "cvta") || begins(s, "neg.f") || begins(s, "abs.f") ||
      ends(s, ".pred"))
    return (Op){.kind = OP_FREE};
  if (begins(s, "cvt."))
    return conversion(s);
  if (begins(s, "setp") || begins(s, "selp") || begins(s, "slct") || begins(s, "set."))
    return ends(s, "f64") ? on_pipe(PIPE_FP64, 1, 1) : on_pipe(PIPE_INT, both, both);
  if (begins(s, "min.f32") || begins(s, "max.f32"))
    return on_pipe(PIPE_INT, 1, 1);
  if (ends(s, "f64"))
    return on_pipe(PIPE_FP64, 1, 1);
  if (ends(s, "f32") || ends(s, "f16") || strstr(s, "x2"))
    return on_pipe(PIPE_FP32, 1, 1);
  if (begins(s, "mul") || begins(s, "mad"))
    return begins(s, "mul.wide") || begins(s, "mad.wide") ? wide_product()
                                                          : on_pipe(PIPE_HEAVY, 1, 1);
  /* ptxas makes a left shift by a constant a product (IMAD.SHL) if that pipe is less busy. */
  const bool doubles =
      begins(s, "shl.b32") && insn->b != PTX_NO_REG && l->is_constant[insn->b / PTX_SLOT_BYTES];
  if (((begins(s, "add") || begins(s, "sub")) && both == 1) || doubles)
    return on_pipe(PIPE_ANY, 1, 1);
  return on_pipe(PIPE_INT, both, both);
}

static Op special(const PtxInsn *insn) {
  switch ((PtxSpecial)insn->sub) {
  case PTX_NTID_X:
  case PTX_NTID_Y:
  case PTX_NTID_Z:
  case PTX_NCTAID_X:
  case PTX_NCTAID_Y:
  case PTX_NCTAID_Z:
    return (Op){.kind = OP_FREE};
  default: {
    Op op = on_pipe(PIPE_CONTROL, 1, 0);
    op.chain[PIPE_SFU] = 1;
    return op;
  }
  }
}

static Op call(const PtxInsn *insn) {
  const char *name = insn->call && insn->call->function == -1 ? insn->call->name : NULL;
  const CostRow *row = name ? find_row(name, true) : NULL;
  /* Four instructions: the call, the return, and copies of arguments. */
  return row ? from_row(row) : on_pipe(PIPE_CONTROL, 4, 0);
}

/* Returns true if the access is part of a wider access to shared memory (ptx/merging.c). */
static bool merged_away(const PtxInsn *insn) {
  return insn->space == PTX_SHARED && !insn->merged.bytes;
}

/* Returns true for a load from constant memory at a constant address. The word becomes an operand
 * of the instruction that uses it. */
static bool is_operand(const LoweredFunction *l, const PtxInsn *insn) {
  return insn->space == PTX_CONST &&
         (insn->a == PTX_NO_REG || l->is_constant[insn->a / PTX_SLOT_BYTES]);
}

/* Tensor cores do half as many 32-bit products as 16-bit products, and twice as many 8-bit
 * products. */
static Op matrix_product(const PtxMatrix *m) {
  Op op = on_pipe(PIPE_TENSOR, 1, 1);
  op.in_double = m->a == PTX_E_F64;
  op.products = (uint16_t)(m->m * m->n * m->k * (op.in_double ? 1.0 : 2.0 / ptx_elements_in(m->a)));
  return op;
}

static Op lower(const LoweredFunction *l, const PtxInsn *insn) {
  switch ((PtxForm)insn->form) {
  case PTX_ALU:
    return arithmetic(l, insn);
  case PTX_SREG:
    return special(insn);
  case PTX_LD:
    return merged_away(insn) || is_operand(l, insn) ? (Op){.kind = OP_FREE} : (Op){.kind = OP_LOAD};
  case PTX_ST:
    return merged_away(insn) ? (Op){.kind = OP_FREE} : (Op){.kind = OP_STORE};
  case PTX_ATOM:
    return (Op){.kind = OP_ATOMIC};
  case PTX_TEX:
    return on_pipe(PIPE_SFU, 1, 1);
  case PTX_FENCE:
    return (Op){.kind = OP_FENCE};
  case PTX_COPIES:
    return insn->sub == PTX_COPIES_GROUP
               ? (Op){.kind = OP_COPY_GROUP}
               : (Op){.kind = OP_COPY_WAIT,
                      .groups = insn->sub == PTX_COPIES_WAIT ? (uint32_t)insn->imm : 0};
  case PTX_BARRIER:
    return (Op){.kind = OP_BARRIER};
  case PTX_SYNCWARP:
    return on_pipe(PIPE_CONTROL, 1, 0);
  case PTX_SHFL:
  case PTX_MATCH:
  case PTX_REDUX:
  case PTX_ROWS:
    return (Op){.kind = OP_SHUFFLE};
  case PTX_MMA:
    return matrix_product(insn->matrix);
  case PTX_VOTE:
  case PTX_ACTIVEMASK:
    return on_pipe(PIPE_INT, 1, 2);
  case PTX_CALL:
    return call(insn);
  default:
    return (Op){.kind = OP_FREE};
  }
}

/* ---- operands -------------------------------------------------------------------------------- */
static void read(Operands *o, uint32_t reg) {
  if (reg != PTX_NO_REG && o->nreads < sizeof o->reads / sizeof *o->reads)
    o->reads[o->nreads++] = reg / PTX_SLOT_BYTES;
}
static void write(Operands *o, uint32_t reg) {
  if (reg != PTX_NO_REG && o->nwrites < sizeof o->writes / sizeof *o->writes)
    o->writes[o->nwrites++] = reg / PTX_SLOT_BYTES;
}

void operands_of(const PtxInsn *insn, Operands *o) {
  o->nreads = o->nwrites = 0;
  const uint32_t reads[] = {insn->a, insn->b, insn->c, insn->mask, insn->guard};
  for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
    read(o, reads[i]);
  for (uint32_t i = 0; i < insn->count; i++)
    (i < ptx_written(insn) ? write : read)(o, insn->list[i]);
  write(o, insn->d);
  write(o, insn->e);
  /* Lanes whose guard is false keep the old value, so the instruction reads it. */
  if (insn->guard != PTX_NO_REG)
    for (uint32_t i = 0; i < o->nwrites; i++)
      read(o, o->writes[i] * PTX_SLOT_BYTES);
}

/* ---- what costs nothing beside its neighbours ------------------------------------------------ */
typedef enum Use { USE_NONE, USE_ADDRESS, USE_SUM, USE_LOGIC, USE_OTHER } Use;

static bool is_logic(const PtxInsn *i, const char *s) {
  return i->form == PTX_ALU &&
         (begins(s, "and.b") || begins(s, "or.b") || begins(s, "xor.b") || begins(s, "not.b"));
}

static Use use_of(const PtxInsn *insn, uint32_t slot) {
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  bool as_address = insn->a != PTX_NO_REG && insn->a / PTX_SLOT_BYTES == slot;
  if (op_is_access(insn)) {
    for (uint32_t i = 0; i < insn->count && insn->form == PTX_ST; i++)
      as_address = as_address && insn->list[i] / PTX_SLOT_BYTES != slot;
    return as_address ? USE_ADDRESS : USE_OTHER;
  }
  return is_sum(insn, s) ? USE_SUM : is_logic(insn, s) ? USE_LOGIC : USE_OTHER;
}

/* Returns the kind of use of the result of code[at] if all uses are of one kind and in its block,
 * otherwise USE_OTHER. Stores the number of uses in *count. */
static Use uses_of(const PtxFunction *f, const PtxBlock *b, const uint8_t *live_out, uint32_t at,
                   uint32_t *count) {
  const uint32_t slot = f->code[at].d / PTX_SLOT_BYTES, end = b->first + b->count;
  Use all = USE_NONE;
  Operands o;
  *count = 0;
  for (uint32_t i = at + 1; i < end; i++) {
    bool reads = false, writes = false;
    operands_of(&f->code[i], &o);
    for (uint32_t k = 0; k < o.nreads; k++)
      reads = reads || o.reads[k] == slot;
    for (uint32_t k = 0; k < o.nwrites; k++)
      writes = writes || o.writes[k] == slot;
    if (reads) {
      Use use = use_of(&f->code[i], slot);
      all = all == USE_NONE || all == use ? use : USE_OTHER;
      ++*count;
    }
    if (writes)
      return all;
  }
  if ((b->end == PTX_END_IF || b->end == PTX_END_TABLE) && b->predicate / PTX_SLOT_BYTES == slot)
    return USE_OTHER;
  return live_out[slot] ? USE_OTHER : all;
}

static void fold(LoweredFunction *l, const PtxBlock *b, const uint8_t *live_out, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  Op *op = &l->ops[at];
  uint32_t count;
  if (op->kind == OP_ATOMIC)
    op->fetches =
        insn->d != PTX_NO_REG && uses_of(l->function, b, live_out, at, &count) != USE_NONE;
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  if (insn->form != PTX_ALU || op->kind != OP_COMPUTE || insn->d == PTX_NO_REG)
    return;
  Use use = uses_of(l->function, b, live_out, at, &count);
  const bool wide = begins(s, "mul.wide");
  bool product = wide || begins(s, "shl.b") || begins(s, "mul.lo.s32") || begins(s, "mul.lo.u32") ||
                 op->wide_product;
  op->induction = is_sum(insn, s) && insn->d == insn->a && constant_operand(l, insn);
  /* ptxas repeats a wide product in each sum, because a wide multiply-add is shorter than a 64-bit
   * sum (SASS of the row 'integral image'). */
  if ((product && use == USE_SUM && (count == 1 || wide)) ||
      (is_logic(insn, s) && use == USE_LOGIC && count == 1) ||
      (is_sum(insn, s) && use == USE_ADDRESS && constant_operand(l, insn)) ||
      (is_sum(insn, s) && use == USE_SUM && count == 1 && !is_wide(s)))
    *op = (Op){.kind = OP_FREE, .wide_product = op->wide_product};
}

static const PtxInsn *before_in_block(const LoweredFunction *l, const PtxBlock *b, uint32_t at,
                                      uint32_t reg) {
  while (reg != PTX_NO_REG && at-- > b->first)
    if (l->function->code[at].d == reg)
      return &l->function->code[at];
  return NULL;
}

/* Returns true if the assembler may fuse this product or sum into a multiply-add: PTX allows it for
 * instructions without .rn. */
static bool may_contract(const LoweredFunction *l, const PtxInsn *insn, bool product) {
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  char text[96];
  if (product ? !begins(s, "mul.f32") && !begins(s, "mul.f64")
              : !begins(s, "add.f32") && !begins(s, "add.f64") && !begins(s, "sub.f32") &&
                    !begins(s, "sub.f64"))
    return false;
  ptx_instruction_text(l->module, insn, text, sizeof text);
  return !strstr(text, ".rn") && !strstr(text, ".sat");
}

/* Returns the only instruction that reads the result of code[at]; NULL if there are several, or one
 * outside the block. */
static const PtxInsn *only_use(const LoweredFunction *l, const PtxBlock *b, const uint8_t *live_out,
                               uint32_t at) {
  const PtxInsn *code = l->function->code, *insn = &code[at];
  uint32_t count, use = at + 1;
  uses_of(l->function, b, live_out, at, &count);
  bool lives = live_out[insn->d / PTX_SLOT_BYTES];
  for (uint32_t i = at + 1; i < b->first + b->count; i++)
    lives = lives && code[i].d != insn->d;
  if (lives || count != 1)
    return NULL;
  while (use < b->first + b->count && !reads_slot(&code[use], insn->d))
    use++;
  return use < b->first + b->count ? &code[use] : NULL;
}

/* Makes a floating-point product free if its only use is a sum, because ptxas fuses the two into a
 * multiply-add. A sum can be fused with one product. */
static void contract(LoweredFunction *l, const PtxBlock *b, const uint8_t *live_out, uint32_t at) {
  const PtxInsn *code = l->function->code, *insn = &code[at];
  if (!may_contract(l, insn, true))
    return;
  const PtxInsn *use = only_use(l, b, live_out, at);
  if (!use || !may_contract(l, use, false))
    return;
  const PtxInsn *other =
      before_in_block(l, b, (uint32_t)(use - code), use->a == insn->d ? use->b : use->a);
  if (!other || !may_contract(l, other, true) || l->ops[other - code].kind != OP_FREE)
    l->ops[at] = (Op){.kind = OP_FREE};
}

/* Makes an integer operation free that ptxas executes together with its only use: a logical
 * operation whose result is compared with 0 (LOP3), a right shift before a 32-bit sum (LEA.HI), as
 * in the row 'queues at a counter', and from compute capability 9.0 on a 32-bit sum before a
 * minimum (VIADDMNMX), as in 'likely states'. A sum has one shifted operand. */
static void fuse_integers(LoweredFunction *l, const PtxBlock *b, const uint8_t *live_out,
                          uint32_t at, bool adds_minimum) {
  const PtxInsn *code = l->function->code, *insn = &code[at];
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  const bool shifts = (begins(s, "shr.u32") || begins(s, "shr.s32")) && constant_operand(l, insn);
  const bool sums = adds_minimum && begins(s, "add.s32"), masks = begins(s, "and.b32");
  if ((!shifts && !sums && !masks) || insn->d == PTX_NO_REG || l->ops[at].kind != OP_COMPUTE)
    return;
  const PtxInsn *use = only_use(l, b, live_out, at);
  const char *with = use && use->form == PTX_ALU ? ptx_op_name((PtxOp)use->op) : "";
  bool fuses = false;
  if (shifts && begins(with, "add.s32") && use->a != use->b && !constant_operand(l, use)) {
    const uint32_t operand = use->a == insn->d ? use->b : use->a;
    const PtxInsn *other = before_in_block(l, b, (uint32_t)(use - code), operand);
    fuses = !other || l->ops[other - code].kind != OP_FREE;
  }
  if (masks && (begins(with, "setp.eq.") || begins(with, "setp.ne.")))
    fuses = use->a == insn->d && l->is_constant[use->b / PTX_SLOT_BYTES] &&
            !(int32_t)value_of_constant(l, use->b);
  if (sums)
    fuses = begins(with, "min.s32") || begins(with, "max.s32") || begins(with, "min.u32") ||
            begins(with, "max.u32");
  if (fuses)
    l->ops[at] = (Op){.kind = OP_FREE};
}

/* Counts two neighbouring operations on halves as one: clang's PTX has two where nvcc's PTX has one
 * instruction on a pair of halves. */
static void pair_halves(LoweredFunction *l, const PtxBlock *b) {
  const PtxInsn *first = NULL;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const PtxInsn *insn = &l->function->code[i];
    if (insn->form != PTX_ALU || !ends(ptx_op_name((PtxOp)insn->op), ".f16") ||
        begins(ptx_op_name((PtxOp)insn->op), "cvt") || l->ops[i].kind != OP_COMPUTE)
      continue;
    const bool pairs = first && first->op == insn->op && insn->a != first->d &&
                       insn->b != first->d && insn->c != first->d;
    if (pairs)
      l->ops[i] = (Op){.kind = OP_FREE};
    first = pairs ? NULL : insn;
  }
}

/* Fuses a 64-bit sum with the product that it adds: one wide multiply-add. A product of 64-bit
 * factors begins with a wide multiply-add, which can add, too. If the other addend has 32 bits, an
 * instruction computes its upper word, the sign. Other sums need none (LEA.HI.X.SX32 in the row
 * 'longest matches behind'). */
static void fuse_wide(LoweredFunction *l, const PtxBlock *b, const uint8_t *live_out, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  if (!is_sum(insn, s) || !is_wide(s) || l->ops[at].kind != OP_COMPUTE)
    return;
  for (uint32_t i = at; i-- > b->first;) {
    const PtxInsn *from = &l->function->code[i];
    if (from->d == PTX_NO_REG || (from->d != insn->a && from->d != insn->b) ||
        from->form != PTX_ALU)
      continue;
    const char *name = ptx_op_name((PtxOp)from->op);
    if ((begins(name, "mul.wide") || l->ops[i].wide_product) && l->ops[i].kind == OP_FREE) {
      const uint32_t addend = from->d == insn->a ? insn->b : insn->a;
      const PtxInsn *other = before_in_block(l, b, at, addend);
      l->ops[at] = wide_product();
      l->ops[at].slots[PIPE_INT] +=
          other && other->form == PTX_ALU && begins(ptx_op_name((PtxOp)other->op), "cvt.s64.s32");
    }
    uint32_t count;
    if (begins(name, "mul.lo") && l->ops[i].kind == OP_COMPUTE &&
        uses_of(l->function, b, live_out, i, &count) == USE_SUM && count == 1) {
      l->ops[at] = l->ops[i];
      /* A move makes a register pair of a constant. */
      l->ops[at].slots[PIPE_ANY] += constant_operand(l, insn);
      l->ops[i] = (Op){.kind = OP_FREE};
    }
    return;
  }
}

/* Makes the instruction free that joins two words to a 64-bit value, as shuffles of such values do
 * (SASS of the row 'gradients by one block'). */
static void join_halves(LoweredFunction *l, const PtxBlock *b, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  if (insn->form != PTX_ALU || !begins(ptx_op_name((PtxOp)insn->op), "or.b64"))
    return;
  const PtxInsn *upper = before_in_block(l, b, at, insn->a);
  const PtxInsn *lower = before_in_block(l, b, at, insn->b);
  if ((upper && moves_half(l, upper)) || (lower && moves_half(l, lower)))
    l->ops[at] = (Op){.kind = OP_FREE};
}

/* Counts a rotation of 64 bits, which is two shifts and their sum in clang's PTX, as two funnel
 * shifts. A rotation by 32 exchanges the registers of the pair. */
static void find_rotation(LoweredFunction *l, const PtxBlock *b, uint32_t at) {
  if (at < b->first + 2)
    return;
  const PtxInsn *left = &l->function->code[at - 2], *right = left + 1, *sum = left + 2;
  if (left->form != PTX_ALU || right->form != PTX_ALU || sum->form != PTX_ALU)
    return;
  const char *shift = ptx_op_name((PtxOp)right->op), *name = ptx_op_name((PtxOp)sum->op);
  const int32_t by = (int32_t)value_of_constant(l, left->b);
  const bool rotates = begins(ptx_op_name((PtxOp)left->op), "shl.b64") &&
                       (begins(shift, "shr.b64") || begins(shift, "shr.u64")) &&
                       left->a == right->a && by > 0 &&
                       by + (int32_t)value_of_constant(l, right->b) == 64;
  const bool joins = begins(name, "add.s64") || begins(name, "add.u64") || begins(name, "or.b64");
  if (!rotates || !joins || sum->a != left->d || sum->b != right->d)
    return;
  l->ops[at - 2] = l->ops[at - 1] = (Op){.kind = OP_FREE};
  l->ops[at] = by == 32 ? (Op){.kind = OP_FREE} : on_pipe(PIPE_INT, 2, 1);
}

/* Finds multiply-adds in double precision that do not share both factors with the one before. */
static bool factors_of(const PtxInsn *i, uint32_t factor) {
  return i->a == factor || i->b == factor;
}
static void find_three_wide(LoweredFunction *l, const PtxBlock *b) {
  const PtxInsn *before = NULL;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const PtxInsn *insn = &l->function->code[i];
    if (insn->form != PTX_ALU || !begins(ptx_op_name((PtxOp)insn->op), "fma.f64"))
      continue;
    l->ops[i].three_wide = !constant_operand(l, insn) &&
                           !(before && factors_of(before, insn->a) && factors_of(before, insn->b));
    before = insn;
  }
}

/* ---- division of integers -------------------------------------------------------------------- */
/* Returns true if the reciprocal of the divisor was computed before: by an earlier division of the
 * block, or because the block is a loop that does not change the divisor. */
static bool has_reciprocal(const LoweredFunction *l, uint32_t number, uint32_t at) {
  const PtxFunction *f = l->function;
  const PtxBlock *b = &f->blocks[number];
  const uint32_t divisor = f->code[at].b;
  bool changed = false;
  for (uint32_t i = at; i-- > b->first && !changed;) {
    changed = writes_slot(&f->code[i], divisor);
    if (!changed && f->code[i].form == PTX_ALU && f->code[i].op == f->code[at].op &&
        f->code[i].b == divisor)
      return true;
  }
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    changed = changed || writes_slot(&f->code[i], divisor);
  return !changed && b->end == PTX_END_IF && (b->taken == number || b->next == number);
}

/* Chooses the shorter code of a 32-bit division if the reciprocal is available. For 64 bits, clang
 * and nvcc test at run time whether 32 bits are enough. */
static void choose_division(LoweredFunction *l, uint32_t number, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
  if ((begins(s, "div.") || begins(s, "rem.")) && (ends(s, "u32") || ends(s, "s32")) &&
      has_reciprocal(l, number, at))
    l->ops[at] = from_row(find_row(ends(s, "s32") ? "again.s32" : "again.u32", true));
}

/* ---- sine and cosine of one angle ------------------------------------------------------------ */
static const char *function_called(const PtxInsn *insn) {
  return insn->form == PTX_CALL && insn->call->function == -1 ? insn->call->name : "";
}

/* Returns the register that contains the only argument of the call, or PTX_NO_REG. */
static uint32_t argument_of(const PtxFunction *f, uint32_t call) {
  uint32_t i = call;
  while (i > 0 && f->code[i].form != PTX_ST_ARG)
    i--;
  return f->code[i].form == PTX_ST_ARG && f->code[i].count == 1 ? f->code[i].list[0] : PTX_NO_REG;
}

static const char *other_of_pair(const char *name) {
  static const char *const pairs[][2] = {
      {"__nv_sinf", "__nv_cosf"}, {"__nv_sinpif", "__nv_cospif"}, {"__nv_sin", "__nv_cos"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(name, pairs[i][k]) == 0)
        return pairs[i][1 - k];
  return NULL;
}

/* Returns where the straight-line code begins that contains the block. */
static uint32_t straight_from(const LoweredFunction *l, uint32_t number) {
  while (number && l->chain_next[number - 1] == number && !l->guarded[number - 1])
    number--;
  return l->function->blocks[number].first;
}

static void share_angle(LoweredFunction *l, uint32_t number, uint32_t at) {
  const PtxFunction *f = l->function;
  const char *name = function_called(&f->code[at]), *other = other_of_pair(name);
  const uint32_t angle = other ? argument_of(f, at) : PTX_NO_REG;
  const uint32_t from = angle != PTX_NO_REG ? straight_from(l, number) : at;
  for (uint32_t i = at; i-- > from;) {
    if (writes_slot(&f->code[i], angle))
      return;
    if (strcmp(function_called(&f->code[i]), other) != 0 || argument_of(f, i) != angle)
      continue;
    char spelling[64] = "second ";
    strncat(spelling, name, sizeof spelling - sizeof "second ");
    l->ops[at] = from_row(find_row(spelling, true));
    return;
  }
}

/* ---- constant memory ------------------------------------------------------------------------- */
static bool is_constant_word(const LoweredFunction *l, uint32_t at) {
  const PtxInsn *insn = &l->function->code[at];
  return insn->form == PTX_LD && insn->space == PTX_CONST && insn->count == 1 &&
         ptx_type_bytes((PtxType)insn->type) == 4 && l->ops[at].kind == OP_LOAD;
}

/* Returns true if the address before code[at] is known to be a multiple of 8: a variable, or a
 * shift by 3 or more, or a sum of such values. */
static bool is_multiple_of_8(const LoweredFunction *l, uint32_t reg, uint32_t at, int depth) {
  if (reg == PTX_NO_REG || depth == 0)
    return false;
  if (l->is_constant[reg / PTX_SLOT_BYTES])
    return value_of_constant(l, reg) % 8 == 0;
  while (at-- > 0) {
    const PtxInsn *insn = &l->function->code[at];
    if (insn->d != reg)
      continue;
    const char *s = insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : "";
    if (begins(s, "mov.") || begins(s, "cvta"))
      return is_multiple_of_8(l, insn->a, at, depth - 1);
    if (begins(s, "shl."))
      return value_of_constant(l, insn->b) >= 3;
    return is_sum(insn, s) && is_multiple_of_8(l, insn->a, at, depth - 1) &&
           is_multiple_of_8(l, insn->b, at, depth - 1);
  }
  return false;
}

/* ptxas loads two neighbouring words of constant memory at once (LDC.64 in the row 'cosine
 * transform, 8x8') if the address is a multiple of 8. The second word is free. */
static void pair_constants(LoweredFunction *l, const PtxBlock *b, uint32_t at) {
  const PtxInsn *code = l->function->code;
  if (!is_constant_word(l, at) || code[at].imm % 8 || !is_multiple_of_8(l, code[at].a, at, 4))
    return;
  for (uint32_t i = at + 1; i < b->first + b->count; i++) {
    if (writes_slot(&code[i - 1], code[at].a))
      return;
    if (is_constant_word(l, i) && code[i].a == code[at].a && code[i].imm == code[at].imm + 4) {
      l->ops[i] = (Op){.kind = OP_FREE};
      return;
    }
  }
}

/* ---- remainders of a counter ----------------------------------------------------------------- */
static bool is_known(const LoweredFunction *l, const uint8_t *known, const uint8_t *fixed,
                     uint32_t reg) {
  const uint32_t slot = reg / PTX_SLOT_BYTES;
  return reg == PTX_NO_REG || l->is_constant[slot] || known[slot] || fixed[slot];
}

/* Marks the slots whose only value in the function is a copy of a constant, such as the address of
 * a variable in shared memory. */
static void find_copied_constants(const LoweredFunction *l, uint8_t *known) {
  const PtxFunction *f = l->function;
  uint8_t *written = calloc(f->nslots + 1u, 1);
  assert(written);
  for (uint32_t i = 0; i < f->ncode; i++) {
    const PtxInsn *insn = &f->code[i];
    const bool copies = insn->form == PTX_ALU && insn->guard == PTX_NO_REG &&
                        begins(ptx_op_name((PtxOp)insn->op), "mov.") &&
                        l->is_constant[insn->a / PTX_SLOT_BYTES];
    Operands o;
    operands_of(insn, &o);
    for (uint32_t k = 0; k < o.nwrites; k++) {
      known[o.writes[k]] = copies && !written[o.writes[k]];
      written[o.writes[k]] = 1;
    }
  }
  free(written);
}

/* Returns true if the instruction computes the remainder of the counter by a power of two that
 * divides the number of iterations in one unrolled body. */
static bool is_remainder(const LoweredFunction *l, const PtxInsn *insn, uint32_t counter,
                         unsigned rounds) {
  if (!begins(ptx_op_name((PtxOp)insn->op), "and.b32") || insn->a != counter ||
      insn->b == PTX_NO_REG)
    return false;
  const uint64_t divisor = value_of_constant(l, insn->b) + 1;
  return divisor > 1 && divisor <= rounds && (divisor & (divisor - 1)) == 0;
}

/* Makes instructions free whose results are constants in each iteration of an unrolled body, and
 * the sums of these that become offsets of accesses: buffers that are used in turn, as in the row
 * 'options on a grid of prices' (machine code). */
static void find_remainders(LoweredFunction *l, const Liveness *live, uint32_t head) {
  const PtxFunction *f = l->function;
  const uint32_t end = l->loop_end[head];
  const PtxBlock *b = &f->blocks[end];
  const uint8_t *live_out = live->out + (size_t)end * f->nslots;
  if (l->unroll[head] < 2)
    return;
  const uint32_t counter = f->code[counter_of(l, b, l->loop_test[end])].d;
  if (!starts_with_constant(l, head, counter))
    return;
  uint8_t *known = calloc(f->nslots + 1u, 1), *fixed = calloc(f->nslots + 1u, 1);
  assert(known && fixed);
  find_copied_constants(l, fixed);
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const PtxInsn *insn = &f->code[i];
    uint32_t count;
    Operands o;
    operands_of(insn, &o);
    const bool computes = insn->form == PTX_ALU && insn->guard == PTX_NO_REG;
    const bool some = computes && ((insn->a != PTX_NO_REG && known[insn->a / PTX_SLOT_BYTES]) ||
                                   (insn->b != PTX_NO_REG && known[insn->b / PTX_SLOT_BYTES]));
    const bool now =
        computes && (is_remainder(l, insn, counter, l->unroll[head]) ||
                     (some && is_known(l, known, fixed, insn->a) &&
                      is_known(l, known, fixed, insn->b) && is_known(l, known, fixed, insn->c)));
    const bool offset = some && is_sum(insn, ptx_op_name((PtxOp)insn->op)) &&
                        uses_of(f, b, live_out, i, &count) == USE_ADDRESS;
    if (now || offset)
      l->ops[i] = (Op){.kind = OP_FREE};
    for (uint32_t k = 0; k < o.nwrites; k++)
      known[o.writes[k]] = now;
  }
  free(known);
  free(fixed);
}

LoweredFunction *lower_function(const PtxModule *m, const PtxFunction *f, bool chains_guarded,
                                bool adds_minimum) {
  LoweredFunction *l = calloc(1, sizeof *l);
  assert(l);
  l->module = m;
  l->function = f;
  l->ops = calloc(f->ncode + 1u, sizeof *l->ops);
  l->accesses = calloc(f->ncode + 1u, sizeof *l->accesses);
  l->loop_test = calloc(f->nblocks + 1u, sizeof *l->loop_test);
  l->loop_end = calloc(f->nblocks + 1u, sizeof *l->loop_end);
  l->unroll = calloc(f->nblocks + 1u, sizeof *l->unroll);
  l->predicated = calloc(f->nblocks + 1u, sizeof *l->predicated);
  l->turns = calloc(f->nblocks + 1u, sizeof *l->turns);
  l->chain_next = calloc(f->nblocks + 1u, sizeof *l->chain_next);
  l->guarded = calloc(f->nblocks + 1u, sizeof *l->guarded);
  l->rejoins = calloc(f->nblocks + 1u, sizeof *l->rejoins);
  l->is_constant = calloc(f->nslots + 1u, 1);
  l->schedules = calloc(SCHEDULES * (size_t)f->nblocks + 1, sizeof *l->schedules);
  assert(l->ops && l->accesses && l->loop_test && l->loop_end && l->unroll && l->predicated &&
         l->turns && l->chain_next && l->guarded && l->rejoins && l->is_constant && l->schedules);
  for (uint32_t i = 0; i < f->nconstants; i++)
    l->is_constant[f->constants[i].slot / PTX_SLOT_BYTES] = 1;
  for (uint32_t i = 0; i < f->ncode; i++)
    l->ops[i] = lower(l, &f->code[i]);
  promote_locals(l);
  narrow_words(l);
  Liveness live = liveness_of(f);
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const PtxBlock *block = &f->blocks[b];
    uint16_t accesses = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
      find_rotation(l, block, i);
    for (uint32_t i = block->first + block->count; i-- > block->first;)
      fold(l, block, live.out + (size_t)b * f->nslots, i);
    for (uint32_t i = block->first + block->count; i-- > block->first;)
      contract(l, block, live.out + (size_t)b * f->nslots, i);
    for (uint32_t i = block->first + block->count; i-- > block->first;)
      fuse_integers(l, block, live.out + (size_t)b * f->nslots, i, adds_minimum);
    pair_halves(l, block);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
      choose_division(l, b, i);
      pair_constants(l, block, i);
      fuse_wide(l, block, live.out + (size_t)b * f->nslots, i);
      join_halves(l, block, i);
      l->accesses[i] = accesses;
      accesses += op_is_access(&f->code[i]);
    }
    find_three_wide(l, block);
  }
  find_chains(l, chains_guarded);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].count; i++)
      share_angle(l, b, i);
  find_rejoins(l);
  find_loops(l, &live);
  find_branching_loops(l);
  for (uint32_t b = 0; b < f->nblocks; b++)
    find_remainders(l, &live, b);
  find_copies(l, &live);
  free(live.out);
  return l;
}

void lowered_free(LoweredFunction *l) {
  if (!l)
    return;
  for (size_t i = 0; i < SCHEDULES * (size_t)l->function->nblocks; i++)
    schedule_free(l->schedules[i]);
  free(l->schedules);
  free(l->ops);
  free(l->accesses);
  free(l->loop_test);
  free(l->loop_end);
  free(l->unroll);
  free(l->predicated);
  free(l->turns);
  free(l->chain_next);
  free(l->guarded);
  free(l->rejoins);
  free(l->is_constant);
  free(l);
}
