/* Finds the instructions that exist only because a kernel calls printf.
 *
 * A call of printf becomes a call of vprintf(format, buffer). The compiler stores the values in a
 * buffer in local memory, and converts each float to double. This file marks these stores and
 * conversions, so that they are not counted as accesses to local arrays, as spills or as
 * double-precision arithmetic. */
#include "ptx.h"

#include <string.h>

/* The address that a register holds. HERE: byte `offset` of the function's local memory, as an
 * address in .local or generic space. ANYWHERE: unknown. NOWHERE: not computed yet. */
typedef struct Place {
  enum { NOWHERE, HERE, ANYWHERE } kind;
  uint64_t offset;
} Place;

typedef struct Places {
  const Decoder *decoder;
  Place *items;
  uint32_t count;
  bool changed;
} Places;

enum { MAX_SWEEPS = 8 };

static bool constant_value(const Decoder *decoder, uint32_t reg, uint64_t *value) {
  for (uint32_t i = 0; i < decoder->constants.count; i++)
    if (decoder->constants.items[i].slot == reg) {
      *value = decoder->constants.items[i].value;
      return decoder->constants.items[i].kind == PTX_VALUE;
    }
  return false;
}

static Place place_of(const Places *places, uint32_t reg) {
  return reg < places->count ? places->items[reg] : (Place){ANYWHERE, 0};
}

static Place result(const Places *places, const PtxInsn *insn) {
  uint64_t more;
  Place from;
  if (insn->form == PTX_LOCAL_ADDR)
    return (Place){HERE, (uint64_t)insn->imm};
  if (insn->form != PTX_ALU)
    return (Place){ANYWHERE, 0};
  switch ((PtxOp)insn->op) {
  case PTX_OP_MOV_B64:
  case PTX_OP_CVT_U32_U64: /* an address in .local has 32 bits */
  case PTX_OP_CVTA_LOCAL_U64:
  case PTX_OP_CVTA_TO_LOCAL_U64:
    return place_of(places, insn->a);
  case PTX_OP_ADD_U64:
  case PTX_OP_ADD_S64:
    from = place_of(places, insn->a);
    if (from.kind != HERE)
      return from;
    if (!constant_value(places->decoder, insn->b, &more))
      return (Place){ANYWHERE, 0};
    return (Place){HERE, from.offset + more};
  default:
    return (Place){ANYWHERE, 0};
  }
}

static void put(Places *places, uint32_t reg, Place place) {
  if (reg >= places->count || place.kind == NOWHERE)
    return;
  Place *old = &places->items[reg];
  if (old->kind == ANYWHERE || (old->kind == place.kind && old->offset == place.offset))
    return;
  *old = old->kind == NOWHERE ? place : (Place){ANYWHERE, 0};
  places->changed = true;
}

static void sweep(Places *places) {
  const PtxFunction *function = places->decoder->function;
  places->changed = false;
  for (uint32_t i = 0; i < function->ncode; i++) {
    const PtxInsn *insn = &function->code[i];
    put(places, insn->d, result(places, insn));
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      put(places, insn->list[k], (Place){ANYWHERE, 0});
  }
}

static bool prints(const PtxInsn *insn) {
  return insn->form == PTX_CALL && insn->call->function == -1 && insn->call->nargs == 2 &&
         !strcmp(insn->call->name, "vprintf");
}

/* Returns the address of the buffer that code[call], a call of vprintf, receives. The search for
 * the instruction that stores this argument ends at the previous call. */
static Place buffer_of(const Places *places, uint32_t call) {
  const PtxInsn *code = places->decoder->function->code;
  for (uint32_t i = call; i-- > 0 && code[i].form != PTX_CALL;)
    if (code[i].form == PTX_ST_ARG && code[i].imm == code[call].call->args[1].offset)
      return place_of(places, code[i].list[0]);
  return (Place){ANYWHERE, 0};
}

static void mark_conversion(PtxFunction *function, uint32_t value) {
  static const char to_double[] = "cvt.f64.";
  for (uint32_t i = 0; i < function->ncode; i++) {
    PtxInsn *insn = &function->code[i];
    if (insn->form == PTX_ALU && insn->d == value &&
        !strncmp(ptx_op_name((PtxOp)insn->op), to_double, strlen(to_double)))
      insn->parameter = PTX_PRINTED;
  }
}

/* Marks the stores to a buffer of vprintf. The base address of such a store is the start of the
 * buffer; stores to other objects have other base addresses. */
static void mark_stores(const Places *places, Place buffer) {
  PtxFunction *function = places->decoder->function;
  for (uint32_t i = 0; i < function->ncode; i++) {
    PtxInsn *insn = &function->code[i];
    const Place to = place_of(places, insn->a);
    if (insn->form != PTX_ST || insn->space != PTX_LOCAL || insn->imm < 0 || to.kind != HERE ||
        to.offset != buffer.offset)
      continue;
    insn->parameter = PTX_PRINTED;
    for (uint32_t k = 0; k < insn->count; k++)
      mark_conversion(function, insn->list[k]);
  }
}

void find_printed(Decoder *decoder) {
  const PtxFunction *function = decoder->function;
  Places places = {.decoder = decoder, .changed = true};
  for (uint32_t i = 0; i < function->ncode; i++) {
    if (!prints(&function->code[i]))
      continue;
    if (!places.items) {
      places.count = decoder->source->registers.count;
      places.items = ARENA_ARRAY(decoder->loader->scratch, Place, places.count);
      for (int k = 0; places.changed && k < MAX_SWEEPS; k++)
        sweep(&places);
    }
    const Place buffer = buffer_of(&places, i);
    if (!places.changed && buffer.kind == HERE)
      mark_stores(&places, buffer);
  }
}
