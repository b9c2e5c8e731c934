/* Determines how a GPU executes an atomic operation after its assembler has translated it
 * (PtxTurns). This depends on the type, on whether the result is used, and on whether all lanes
 * access one address. The rules were found by experiment with ptxas of CUDA 13.0 for sm_90.
 * observe/banks.h computes the costs. */
#include "ptx.h"

static bool is_one(const Decoder *decoder, uint32_t reg) {
  for (uint32_t i = 0; i < decoder->constants.count; i++)
    if (decoder->constants.items[i].slot == reg)
      return decoder->constants.items[i].kind == PTX_VALUE &&
             (uint32_t)decoder->constants.items[i].value == 1;
  return false;
}

/* Returns true if the assembler combines the operands of all lanes and then executes one access. It
 * does so if all lanes access one address; for a 64-bit type, all operands must also be equal. */
static bool adds_up(const PtxInsn *insn, bool wanted, const bool *differ) {
  const bool adds = insn->sub == PTX_ATOM_ADD, global = insn->space == PTX_GLOBAL;
  const bool floats = insn->type == PTX_F32 || insn->type == PTX_F64 || insn->type == PTX_F16 ||
                      insn->type == PTX_F16X2;
  if (floats || insn->sub > PTX_ATOM_XOR || insn->guard != PTX_NO_REG ||
      (insn->a != PTX_NO_REG && differ[insn->a]))
    return false;
  if (ptx_type_bytes((PtxType)insn->type) == 8)
    return adds && global && !differ[insn->b];
  return adds || !wanted;
}

static PtxTurns turns_of(const Decoder *decoder, const PtxInsn *insn, bool wanted,
                         const bool *differ) {
  const bool wide = ptx_type_bytes((PtxType)insn->type) == 8,
             word = insn->type == PTX_U32 || insn->type == PTX_S32 || insn->type == PTX_B32;
  if (insn->space == PTX_GLOBAL)
    return adds_up(insn, wanted, differ) ? PTX_TURNS_ONE : PTX_TURNS_LANES;
  if (insn->sub == PTX_ATOM_CAS)
    return PTX_TURNS_SWAP;
  if (insn->sub == PTX_ATOM_EXCH)
    return PTX_TURNS_LANES;
  if (wide || !word)
    return PTX_TURNS_LOOP;
  if (insn->sub == PTX_ATOM_ADD && !wanted && is_one(decoder, insn->b))
    return PTX_TURNS_WORDS;
  return adds_up(insn, wanted, differ) ? PTX_TURNS_ONE : PTX_TURNS_LANES;
}

/* Finds the registers that some instruction reads. A result register that is never read means that
 * the result is not used. */
static bool *find_read(const Decoder *decoder) {
  const PtxFunction *f = decoder->function;
  bool *read = ARENA_ARRAY(decoder->loader->scratch, bool, decoder->source->registers.count + 1);
  for (uint32_t i = 0; i < f->ncode; i++) {
    const PtxInsn *insn = &f->code[i];
    const uint32_t operands[] = {insn->a, insn->b, insn->c, insn->mask, insn->guard};
    for (size_t k = 0; k < sizeof operands / sizeof *operands; k++)
      if (operands[k] != PTX_NO_REG)
        read[operands[k]] = true;
    for (uint32_t k = ptx_written(insn); k < insn->count; k++)
      if (insn->list[k] != PTX_NO_REG)
        read[insn->list[k]] = true;
  }
  return read;
}

void find_turns(Decoder *decoder) {
  PtxFunction *f = decoder->function;
  const bool *differ = NULL, *read = NULL;
  for (uint32_t i = 0; i < f->ncode; i++) {
    if (f->code[i].form != PTX_ATOM)
      continue;
    if (!differ) {
      differ = find_differing(decoder, count_writes(decoder));
      read = find_read(decoder);
    }
    const bool wanted = f->code[i].d != PTX_NO_REG && read[f->code[i].d];
    f->code[i].merged.turns = (uint8_t)turns_of(decoder, &f->code[i], wanted, differ);
  }
}
