/* Finds instructions that compute the same value at each execution in a launch, because they depend
 * only on kernel arguments, constants and the dimensions of the grid and block. The machine
 * executes such an instruction once for each register file (machine/paths.c). Therefore no other
 * instruction may write its result register, and no other register may share the slot. */
#include "ptx.h"

enum { MAX_INVARIANT = 256 }; /* per function; each result needs its own slot */

typedef struct Finder {
  Decoder *decoder;
  Register *registers;
  const bool *undefined;
  uint8_t *writes;
} Finder;

static bool is_size(PtxSpecial special) {
  return (special >= PTX_NTID_X && special <= PTX_NTID_Z) ||
         (special >= PTX_NCTAID_X && special <= PTX_NCTAID_Z) || special == PTX_DYNAMIC_SMEM_SIZE;
}

static bool reads_invariant(const Finder *f, uint32_t reg) {
  return reg == PTX_NO_REG || f->registers[reg].constant || f->registers[reg].invariant;
}

static bool may_hold(const Finder *f, uint32_t reg) {
  return reg == PTX_NO_REG || (f->writes[reg] == 1 && !f->undefined[reg]);
}

static bool has_invariant_result(const Finder *f, const PtxInsn *insn) {
  const uint32_t written = ptx_written(insn);
  switch ((PtxForm)insn->form) {
  case PTX_ALU:
  case PTX_PACK:
  case PTX_UNPACK:
    break;
  case PTX_SREG:
    if (!is_size((PtxSpecial)insn->sub))
      return false;
    break;
  case PTX_LD_PARAM:
    if (insn->a != PTX_NO_REG || insn->imm < 0 ||
        (uint64_t)insn->imm + (uint64_t)insn->count * ptx_type_bytes((PtxType)insn->type) >
            f->decoder->function->param_bytes)
      return false;
    break;
  default:
    return false;
  }
  bool all = insn->guard == PTX_NO_REG && insn->mask == PTX_NO_REG && may_hold(f, insn->d) &&
             may_hold(f, insn->e) && reads_invariant(f, insn->a) && reads_invariant(f, insn->b) &&
             reads_invariant(f, insn->c);
  for (uint32_t i = 0; i < insn->count && all; i++)
    all = i < written ? may_hold(f, insn->list[i]) : reads_invariant(f, insn->list[i]);
  return all;
}

static void keep(Finder *f, uint32_t reg) {
  if (reg != PTX_NO_REG)
    f->registers[reg].invariant = true;
}

static bool is_invariant(Finder *f, const PtxInsn *insn) {
  if (f->decoder->function->ninvariant == MAX_INVARIANT || !has_invariant_result(f, insn))
    return false;
  keep(f, insn->d);
  keep(f, insn->e);
  for (uint32_t k = 0; k < ptx_written(insn); k++)
    keep(f, insn->list[k]);
  return true;
}

void find_invariants(Decoder *decoder, const bool *undefined) {
  PtxFunction *function = decoder->function;
  PtxArena *arena = decoder->loader->module->arena;
  Finder f = {decoder, decoder->source->registers.items, undefined, count_writes(decoder)};
  function->invariant = ARENA_ARRAY(arena, uint32_t, MAX_INVARIANT);
  for (uint32_t b = 0; b < function->nblocks; b++) {
    PtxBlock *block = &function->blocks[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
      PtxInsn *insn = &function->code[i];
      insn->invariant = function->is_entry && is_invariant(&f, insn);
      if (insn->invariant)
        function->invariant[function->ninvariant++] = i;
    }
  }
  function->steps = ARENA_ARRAY(arena, PtxInsn, function->ncode);
}
