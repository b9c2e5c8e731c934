/* Prepares a loaded module for execution: binds instructions to the functions that execute them,
 * and joins some instructions into one step. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alu.h"
#include "warp.h"

/* Returns true if the instruction writes `slot`, which is the first slot of a register. */
static bool writes(const PtxInsn *insn, uint32_t slot) {
  if (insn->d == slot || insn->e == slot)
    return true;
  for (unsigned i = 0; i < ptx_written(insn); i++)
    if (insn->list[i] == slot)
      return true;
  return false;
}

/* Minimum number of loads in a loop for which shared.c checks all loads in advance. */
enum { UNROLLED_LEAST = 4 };
/* A register that an instruction block uses as an address, during remember_bases. */
typedef struct Known {
  uint32_t slot;
  unsigned bytes;
  bool rows;
  /* The first load of a possible unrolled loop; NULL: there is no such load. */
  PtxInsn *first;
  PtxInsn *loads[UNROLLED_LEAST];
  /* Number of loads found so far, at most UNROLLED_LEAST. */
  unsigned nloads;
  /* Smallest and largest distance in bytes of a load from the first load. */
  int64_t low, high;
  uint64_t read[2 * PTX_UNROLLED_BYTES / 64 +
                /* Bitmap of the elements that are read. Bit 0 is the element at distance
                 * -PTX_UNROLLED_BYTES. */
                1];
} Known;

static bool reads_shared(const PtxInsn *insn) {
  return insn->form == PTX_LD && insn->space == PTX_SHARED;
}

/* Returns true if this instruction may store to shared memory or let other lanes access it. An
 * unrolled loop ends at such an instruction. */
static bool ends_unrolled(const PtxInsn *insn) {
  return insn->form == PTX_ST
             ? insn->space == PTX_SHARED || insn->space == PTX_GENERIC
             : insn->form != PTX_ALU && insn->form != PTX_LD && insn->form != PTX_LD_PARAM &&
                   insn->form != PTX_UNPACK && insn->form != PTX_PACK;
}

static void note_element(Known *k, int64_t distance) {
  const uint64_t bit = (uint64_t)(distance + PTX_UNROLLED_BYTES) / k->bytes;
  k->read[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Returns the distance in bytes between consecutive elements; 0 if it is not constant. */
static uint16_t stride_of(const Known *k) {
  int last = -1, stride = 0;
  for (int word = 0; word < (int)(sizeof k->read / sizeof k->read[0]); word++)
    for (uint64_t rest = k->read[word]; rest; rest &= rest - 1) {
      const int i = 64 * word + __builtin_ctzll(rest);
      if (last >= 0 && stride && i - last != stride)
        return 0;
      stride = last >= 0 ? i - last : 0;
      last = i;
    }
  return (uint16_t)((unsigned)stride * k->bytes);
}

static void begin_unrolled(Known *k, PtxInsn *insn) {
  insn->unrolled = (PtxUnrolled){0, 0, 0, false};
  k->first = reads_shared(insn) ? insn : NULL;
  memset(k->read, 0, sizeof k->read);
  k->low = k->high = 0;
  k->loads[0] = insn;
  k->nloads = 1;
  if (k->first)
    note_element(k, 0);
}

static void join_unrolled(Known *k, PtxInsn *insn) {
  insn->unrolled = (PtxUnrolled){0, 0, 0, false};
  /* The element types must be the same, because the step function that is chosen at the first load
   * executes all loads. */
  if (!k->first || !reads_shared(insn) || insn->site != k->first->site ||
      insn->sub != k->first->sub)
    return;
  const int64_t distance = insn->imm - k->first->imm, bytes = k->bytes;
  if (distance % bytes || distance < -PTX_UNROLLED_BYTES || distance > PTX_UNROLLED_BYTES)
    return;
  note_element(k, distance);
  k->low = distance < k->low ? distance : k->low;
  k->high = distance > k->high ? distance : k->high;
  if (k->nloads < UNROLLED_LEAST)
    k->loads[k->nloads++] = insn;
  if (k->nloads < UNROLLED_LEAST)
    return;
  insn->unrolled.member = true;
  for (unsigned i = 0; i < UNROLLED_LEAST; i++)
    k->loads[i]->unrolled.member = true;
  k->first->unrolled.low = (int32_t)k->low;
  k->first->unrolled.bytes = (uint32_t)(k->high + bytes - k->low);
  k->first->unrolled.stride = stride_of(k);
}

/* Finds accesses of an instruction block through the same register. At run time, the first access
 * analyses the address pattern. Later accesses, for example in an unrolled loop, reuse the pattern
 * if the register has not changed. */
static void remember_bases(PtxFunction *f, const PtxBlock *b) {
  Known known[PTX_BASES];
  for (unsigned i = 0; i < PTX_BASES; i++)
    known[i].slot = PTX_NO_REG;
  unsigned next = 0;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    PtxInsn *insn = &f->code[i];
    insn->base = PTX_NO_BASE;
    insn->base_known = false;
    if (insn->guard == PTX_NO_REG && access_finds_base(insn)) {
      const unsigned bytes = access_bytes(insn);
      const bool rows = access_finds_rows(insn);
      unsigned at = 0;
      while (at < PTX_BASES &&
             (known[at].slot != insn->a || known[at].bytes != bytes || known[at].rows != rows))
        at++;
      insn->base_known = at < PTX_BASES;
      insn->base = (uint8_t)(at < PTX_BASES ? at : next);
      if (at < PTX_BASES) {
        join_unrolled(&known[at], insn);
      } else {
        known[next].slot = insn->a;
        known[next].bytes = bytes;
        known[next].rows = rows;
        begin_unrolled(&known[next], insn);
        next = (next + 1) % PTX_BASES;
      }
    }
    for (unsigned k = 0; k < PTX_BASES; k++) {
      if (known[k].slot != PTX_NO_REG && writes(insn, known[k].slot))
        known[k].slot = PTX_NO_REG;
      if (ends_unrolled(insn))
        known[k].first = NULL;
    }
  }
}

/* Returns the sentence for a function that is refused because it calls `what`. A mangled name
 * (_Z...) denotes a function of the program, because the functions of the toolkit's headers have C
 * names. */
static const char *refusal(const PtxModule *m, const PtxInsn *insn, const char *what) {
  char text[400];
  snprintf(
      text, sizeof text,
      strncmp(what, "_Z", 2) == 0
          ? "%s (%s:%u) is declared, and no file of the program defines it: what one file's device "
            "code calls of another's is compiled with nvcc -dc or -rdc=true"
          : "%s (%s:%u) is not implemented by the emulated device",
      what, ptx_file(m, insn->line), ptx_line(m, insn->line));
  /* The text is allocated once per refused function and never freed. */
  return strdup(text);
}

/* Returns the index of this access in Shape.cost. Several instructions may share a shape. Their
 * costs depend on whether they load or store, and on the size of the merged access (4, 8, 16 or no
 * bytes), so each combination has its own index. */
static uint8_t cost_slot(const PtxInsn *insn) {
  const unsigned bytes = insn->merged.bytes, size = bytes ? (unsigned)__builtin_ctz(bytes) % 4 : 1;
  return (uint8_t)((insn->form == PTX_LD ? 4 : 0) + size);
}

static void bind(const PtxModule *m, PtxFunction *f) {
  for (uint32_t i = 0; i < f->ncode; i++) {
    PtxInsn *insn = &f->code[i];
    insn->number = i;
    if (insn->form == PTX_ALU) {
      if (insn->guard == PTX_NO_REG)
        insn->run = alu_handler(insn);
      insn->masked = alu_masked_handler(insn);
      continue;
    }
    if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM)
      insn->merged.slot = cost_slot(insn);
    insn->step = access_step(insn);
    if (!insn->step)
      insn->step = move_step(insn);
    if (insn->form != PTX_CALL || insn->call->function != -1)
      continue;
    insn->builtin = builtin_find(insn->call);
    if (!insn->builtin && !f->refusal)
      f->refusal = refusal(m, insn, insn->call->name);
  }
}

/* Returns one mad.wide step for a mul.wide and the following add, which together compute the
 * address of an array element. */
static PtxInsn address_step(const PtxInsn *product, const PtxInsn *sum) {
  PtxInsn both = *sum;
  both.number = product->number;
  both.op = product->op == PTX_OP_MUL_WIDE_S32 ? PTX_OP_MAD_WIDE_S32 : PTX_OP_MAD_WIDE_U32;
  both.type = product->type;
  both.c = sum->a == product->d ? sum->b : sum->a;
  both.a = product->a;
  both.b = product->b;
  both.run = alu_handler(&both);
  both.masked = alu_masked_handler(&both);
  return both;
}

/* Returns true for the later loads of an unrolled loop, which the first load has checked. */
static bool is_foreseen(const PtxInsn *load) {
  return load->unrolled.member && !load->unrolled.bytes;
}

static PtxInsn step_of(const PtxInsn *insn) {
  PtxInsn step = insn->joins == 1 ? address_step(insn, insn + 1) : *insn;
  const bool apart = insn->joins == 2 && !(is_foreseen(insn) && is_foreseen(insn + 1));
  step.joins = apart ? 0 : insn->joins;
  return step;
}

static void list_steps(PtxFunction *f) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < f->nblocks; k++) {
    PtxBlock *b = &f->blocks[k];
    b->first_step = n;
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      if (f->code[i].invariant)
        continue;
      f->steps[n] = step_of(&f->code[i]);
      i += f->steps[n++].joins;
    }
    b->nsteps = n - b->first_step;
  }
}

/* Refuses each function that calls a refused function, or a function that is declared but not
 * defined. */
static void spread_refusals(PtxModule *m) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < m->nfunctions; i++) {
      PtxFunction *f = &m->functions[i];
      for (uint32_t k = 0; k < f->ncode && !f->refusal; k++) {
        const PtxInsn *insn = &f->code[k];
        if (insn->form != PTX_CALL || insn->call->function < 0)
          continue;
        const PtxFunction *callee = &m->functions[insn->call->function];
        if (callee->refusal)
          f->refusal = callee->refusal;
        else if (!callee->is_defined)
          f->refusal = refusal(m, insn, callee->name);
        changed = changed || f->refusal;
      }
    }
  }
}

void machine_load(PtxModule *m) {
  module_place(m);
  for (uint32_t i = 0; i < m->nfunctions; i++) {
    for (uint32_t k = 0; k < m->functions[i].nblocks; k++) {
      PtxBlock *b = &m->functions[i].blocks[k];
      b->alone = b->count && is_alone(m->functions[i].code[b->first].form);
      remember_bases(&m->functions[i], b);
    }
    bind(m, &m->functions[i]);
    list_steps(&m->functions[i]);
  }
  spread_refusals(m);
}
