/* A module moves in: operations are bound to their handlers. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alu.h"
#include "warp.h"

/* Which slots does this instruction write? A 64-bit register's first slot stands for it. */
static bool writes(const PtxInsn *insn, uint32_t slot) {
  if (insn->d == slot || insn->e == slot)
    return true;
  bool into_list = insn->form == PTX_LD || insn->form == PTX_UNPACK || insn->form == PTX_LD_PARAM ||
                   insn->form == PTX_LD_ARG || insn->form == PTX_TEX;
  for (unsigned i = 0; into_list && i < insn->count; i++)
    if (insn->list[i] == slot)
      return true;
  return false;
}

/* Unrolled loops access memory again and again from the same register: the first access of a block
 * finds out how its addresses lie, the others need not look. */
static void remember_bases(PtxFunction *f, const PtxBlock *b) {
  struct {
    uint32_t slot;
    unsigned bytes;
    bool rows;
  } known[PTX_BASES];
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
      if (at == PTX_BASES) {
        known[next].slot = insn->a;
        known[next].bytes = bytes;
        known[next].rows = rows;
        next = (next + 1) % PTX_BASES;
      }
    }
    for (unsigned k = 0; k < PTX_BASES; k++)
      if (known[k].slot != PTX_NO_REG && writes(insn, known[k].slot))
        known[k].slot = PTX_NO_REG;
  }
}

static const char *refusal(const PtxModule *m, const PtxInsn *insn, const char *what) {
  char text[300];
  snprintf(text, sizeof text, "%s (%s:%u) is not implemented by the emulated device", what,
           ptx_file(m, insn->line), ptx_line(m, insn->line));
  return strdup(text); /* once per refused function, for the life of the program */
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
    insn->step = access_step(insn);
    if (!insn->step)
      insn->step = simple_step(insn);
    if (insn->form != PTX_CALL || insn->call->function != -1)
      continue;
    insn->builtin = builtin_find(insn->call);
    if (!insn->builtin && !f->refusal)
      f->refusal = refusal(m, insn, insn->call->name);
  }
}

/* A kernel that calls a refused function is refused, too; so is one that calls what is declared but
 * nowhere defined. */
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
  }
  spread_refusals(m);
}
