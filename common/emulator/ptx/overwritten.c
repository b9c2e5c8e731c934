/* Finds stores to shared memory whose values are lost: the same thread later stores another value
 * at the same address, and no instruction between the two stores can read the first value. A
 * typical cause is that two arrays begin at the same byte of one extern __shared__ array.
 *
 * Programs also overwrite values on purpose, for example initial zeros, or a value that other
 * instructions use too. Therefore a line is reported only if all its stores in an instruction block
 * are lost, and if each stored value was loaded from memory only for this store. */
#include "ptx.h"

/* Maximum number of instructions that are examined after a store. */
enum { LOOKED_AT = 64 };

static bool is_plain_store(const PtxInsn *insn) {
  return insn->form == PTX_ST && insn->space == PTX_SHARED && insn->guard == PTX_NO_REG &&
         !(insn->flags & (PTX_VOLATILE | PTX_ASYNC)) && insn->a != PTX_NO_REG;
}

/* Returns true if the instruction may read the stored value, or let other threads read it. */
static bool may_read(const PtxInsn *insn) {
  switch ((PtxForm)insn->form) {
  case PTX_ALU:
  case PTX_SREG:
  case PTX_LOCAL_ADDR:
  case PTX_PACK:
  case PTX_UNPACK:
  case PTX_LD_PARAM:
  case PTX_ST:
    return false;
  case PTX_LD:
    return insn->space == PTX_SHARED || insn->space == PTX_GENERIC;
  default:
    return true;
  }
}

static bool writes(const PtxInsn *insn, uint32_t reg) {
  bool any = insn->d == reg || insn->e == reg;
  for (uint32_t i = 0; i < ptx_written(insn); i++)
    any = any || insn->list[i] == reg;
  return any;
}

static bool same_place(const PtxInsn *a, const PtxInsn *b) {
  return a->a == b->a && a->imm == b->imm && a->count == b->count &&
         ptx_type_bytes((PtxType)a->type) == ptx_type_bytes((PtxType)b->type);
}

/* Returns the store that overwrites the value stored by code[i]; NULL: no such store is found. */
static const PtxInsn *overwriter(const PtxFunction *f, const PtxBlock *block, uint32_t i) {
  const PtxInsn *store = &f->code[i];
  for (uint32_t k = i + 1; k < block->first + block->count && k <= i + LOOKED_AT; k++) {
    const PtxInsn *insn = &f->code[k];
    if (is_plain_store(insn) && same_place(store, insn))
      return insn;
    if (may_read(insn) || writes(insn, store->a))
      return NULL;
  }
  return NULL;
}

/* How a register is used. `reads`: number of instructions that read the register. `loaded`: a load
 * writes the register. `computed`: an instruction other than a load writes the register. */
typedef struct Use {
  uint32_t reads;
  bool loaded, computed;
} Use;

static Use *count_uses(const Decoder *decoder) {
  const PtxFunction *f = decoder->function;
  Use *uses = ARENA_ARRAY(decoder->loader->scratch, Use, decoder->source->registers.count);
  for (uint32_t i = 0; i < f->ncode; i++) {
    const PtxInsn *insn = &f->code[i];
    const uint32_t reads[] = {insn->a, insn->b, insn->c, insn->mask, insn->guard};
    const bool loads = insn->form == PTX_LD && insn->guard == PTX_NO_REG;
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++)
      if (reads[k] != PTX_NO_REG)
        uses[reads[k]].reads++;
    if (insn->d != PTX_NO_REG)
      uses[insn->d].computed = true;
    if (insn->e != PTX_NO_REG)
      uses[insn->e].computed = true;
    for (uint32_t k = 0; k < insn->count; k++) {
      if (insn->list[k] == PTX_NO_REG)
        continue;
      Use *use = &uses[insn->list[k]];
      use->reads += k >= ptx_written(insn);
      use->loaded |= k < ptx_written(insn) && loads;
      use->computed |= k < ptx_written(insn) && !loads;
    }
  }
  for (uint32_t b = 0; b < f->nblocks; b++)
    if (f->blocks[b].end == PTX_END_IF || f->blocks[b].end == PTX_END_TABLE)
      uses[f->blocks[b].predicate].reads++;
  return uses;
}

static bool loaded_for_it(const Use *uses, const PtxInsn *store) {
  for (uint32_t k = 0; k < store->count; k++) {
    const Use *use = &uses[store->list[k]];
    if (!use->loaded || use->computed || use->reads != 1)
      return false;
  }
  return store->count != 0;
}

/* Returns true if all values that source line `line` stores in this instruction block are lost. */
static bool line_is_lost(const PtxFunction *f, const PtxBlock *block, const Use *uses,
                         uint32_t line) {
  for (uint32_t i = block->first; i < block->first + block->count; i++) {
    const PtxInsn *insn = &f->code[i];
    if (insn->form != PTX_ST || insn->line != line)
      continue;
    const PtxInsn *by = is_plain_store(insn) ? overwriter(f, block, i) : NULL;
    if (!by || by->line == line || !loaded_for_it(uses, insn))
      return false;
  }
  return true;
}

void find_overwritten(Decoder *decoder) {
  PtxFunction *f = decoder->function;
  const Use *uses = NULL;
  for (uint32_t b = 0; b < f->nblocks && !f->lost_line; b++) {
    const PtxBlock *block = &f->blocks[b];
    for (uint32_t i = block->first; i < block->first + block->count && !f->lost_line; i++) {
      const PtxInsn *by = is_plain_store(&f->code[i]) ? overwriter(f, block, i) : NULL;
      if (!by || !f->code[i].line)
        continue;
      uses = uses ? uses : count_uses(decoder);
      if (line_is_lost(f, block, uses, f->code[i].line)) {
        f->lost_line = f->code[i].line;
        f->lost_to = by->line;
      }
    }
  }
}
