/* Finds the registers that a GPU's assembler treats as uniform: they have the same value in all
 * lanes. A uniform value is computed from arguments, constants, block indices and other uniform
 * values, or loaded from a uniform address. If several instructions write a register, it is uniform
 * only if no branch of the function can diverge. */
#include "ptx.h"

enum { MAX_SWEEPS = 64 };

typedef struct Lanes {
  const Decoder *decoder;
  bool *differ;
  uint8_t *writes;
  bool parted, changed;
} Lanes;

static bool differs(const Lanes *l, uint32_t reg) { return reg != PTX_NO_REG && l->differ[reg]; }

static bool special_differs(PtxSpecial special) {
  return special <= PTX_TID_Z || (special >= PTX_LANEID && special <= PTX_WARPID) ||
         (special >= PTX_LANEMASK_EQ && special <= PTX_GLOBALTIMER);
}

static bool result_differs(const Lanes *l, const PtxInsn *insn) {
  bool any =
      differs(l, insn->a) || differs(l, insn->b) || differs(l, insn->c) || differs(l, insn->guard);
  switch ((PtxForm)insn->form) {
  case PTX_SREG:
    return special_differs((PtxSpecial)insn->sub);
  case PTX_ALU:
  case PTX_UNPACK:
    return any;
  case PTX_PACK:
    for (uint32_t i = 0; i < insn->count; i++)
      any |= differs(l, insn->list[i]);
    return any;
  case PTX_LD:
    return any || insn->space == PTX_LOCAL || insn->flags & PTX_VOLATILE;
  case PTX_LD_PARAM:
    return any || !l->decoder->function->is_entry;
  default:
    return true;
  }
}

static void mark(Lanes *l, uint32_t reg, bool value) {
  if (reg == PTX_NO_REG || l->differ[reg])
    return;
  value |= l->parted && l->writes[reg] > 1;
  l->differ[reg] = value;
  l->changed |= value;
}

static void sweep(Lanes *l, const PtxFunction *f) {
  l->changed = false;
  for (uint32_t i = 0; i < f->ncode; i++) {
    const PtxInsn *insn = &f->code[i];
    const bool value = result_differs(l, insn);
    mark(l, insn->d, value);
    mark(l, insn->e, true);
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      mark(l, insn->list[k], value);
  }
  for (uint32_t b = 0; b < f->nblocks && !l->parted; b++) {
    l->parted = differs(l, f->blocks[b].predicate);
    l->changed |= l->parted;
  }
}

bool *find_differing(const Decoder *decoder, uint8_t *writes) {
  const uint32_t n = decoder->source->registers.count;
  Lanes l = {.decoder = decoder,
             .differ = ARENA_ARRAY(decoder->loader->scratch, bool, n + 1),
             .writes = writes,
             .parted = !decoder->function->is_entry,
             .changed = true};
  for (int i = 0; l.changed && i < MAX_SWEEPS; i++)
    sweep(&l, decoder->function);
  if (l.changed)
    memset(l.differ, true, n);
  return l.differ;
}
