/* Fetches through texture objects: tex.2d.v4.f32.f32 {d, d, d, d}, [object, {x, y}]. One, two or
 * three dimensions at their largest level; the others, and texture references (a name in place of
 * the object), are refused by name.
 */
#include "ptx.h"

static uint32_t dimensions(Decoder *decoder) {
  static const char *const words[] = {"1d", "2d", "3d"};
  for (uint32_t i = 0; i < 3; i++)
    if (slice_is(decoder->part[1], words[i]))
      return i + 1;
  refuse_opcode(decoder);
}

static uint32_t *targets(Decoder *decoder, const Operand *data, PtxType type) {
  uint32_t *list = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, 4), n = 0;
  if (data->kind != OPERAND_VECTOR)
    refuse_opcode(decoder);
  for (const Operand *part = data->parts; part; part = part->next) {
    if (n == 4)
      refuse_opcode(decoder);
    list[n++] = part->kind == OPERAND_SINK ? PTX_NO_REG : target_operand(decoder, part, type);
  }
  if (n != 4)
    refuse_opcode(decoder);
  return list;
}

void decode_texture(Decoder *decoder) {
  PtxType type, coordinate;
  if (decoder->nparts != 5 || !slice_is(decoder->part[2], "v4") ||
      !parse_type(decoder->part[3], &type) || !parse_type(decoder->part[4], &coordinate) ||
      (type != PTX_F32 && type != PTX_S32 && type != PTX_U32) ||
      (coordinate != PTX_F32 && coordinate != PTX_S32))
    refuse_opcode(decoder);
  expect_operands(decoder, 2, 2);
  const Operand *place = decoder->operand[1];
  if (place->kind != OPERAND_TEXTURE || place->parts->kind != OPERAND_REGISTER ||
      place->parts->next->kind != OPERAND_VECTOR)
    refuse_opcode(decoder);
  uint32_t wanted = dimensions(decoder), given = 0, at[4] = {PTX_NO_REG, PTX_NO_REG, PTX_NO_REG};
  uint32_t object = source_operand(decoder, place->parts, PTX_B64);
  for (const Operand *part = place->parts->next->parts; part; part = part->next) {
    if (given == 4)
      refuse_opcode(decoder);
    at[given++] = source_operand(decoder, part, coordinate);
  }
  if (given < wanted)
    refuse_opcode(decoder);
  uint32_t *list = targets(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit(decoder, PTX_TEX, type);
  insn->sub = (uint8_t)(wanted | (coordinate == PTX_F32 ? PTX_TEX_FLOAT : 0));
  insn->a = object;
  insn->b = at[0];
  insn->c = wanted > 1 ? at[1] : PTX_NO_REG;
  insn->mask = wanted > 2 ? at[2] : PTX_NO_REG;
  insn->list = list;
  insn->count = 4;
}
