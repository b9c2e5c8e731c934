/* Decodes texture fetches, such as tex.2d.v4.f32.f32 {d, d, d, d}, [object, {x, y}]. Layered
 * textures (a1d, a2d), cubes, and fetches of four adjacent texels (tld4) are supported. Loads and
 * stores through surface objects (suld.b, sust.b) become ordinary loads and stores at the address
 * of the element.
 *
 * The device has no mipmaps, so a level, or gradients that select a level, have no effect. Layered
 * cubes and texture references (a name instead of an object) are refused. */
#include "ptx.h"

#include <string.h>

/* The operand in brackets: the object and the coordinates. */
typedef struct Place {
  uint32_t object, at[4], dimensions;
  /* PTX_TEX_LAYERED, PTX_TEX_CUBE */
  uint8_t flags;
} Place;

/* Reads the geometry from modifier number `part`. Returns a Place with the number of coordinates
 * and the flags. */
static Place shape(Decoder *decoder, uint32_t part) {
  static const struct {
    const char *word;
    uint8_t dimensions, flags;
  } shapes[] = {{"1d", 1, 0},
                {"2d", 2, 0},
                {"3d", 3, 0},
                {"a1d", 2, PTX_TEX_LAYERED},
                {"a2d", 3, PTX_TEX_LAYERED},
                {"cube", 3, PTX_TEX_CUBE}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (slice_is(decoder->part[part], shapes[i].word))
      return (Place){.dimensions = shapes[i].dimensions, .flags = shapes[i].flags};
  refuse_opcode(decoder);
}

/* Reads the operand [object, {x, y, z}]. A layer number is the first coordinate in the text, but
 * the last coordinate in Place. */
static void read_place(Decoder *decoder, const Operand *operand, PtxType type, Place *place) {
  if (operand->kind != OPERAND_TEXTURE || operand->parts->kind != OPERAND_REGISTER ||
      operand->parts->next->kind != OPERAND_VECTOR)
    refuse_opcode(decoder);
  const bool layered = place->flags & PTX_TEX_LAYERED;
  uint32_t given = 0;
  place->object = source_operand(decoder, operand->parts, PTX_B64);
  for (const Operand *part = operand->parts->next->parts; part; part = part->next, given++) {
    if (given == 4)
      refuse_opcode(decoder);
    place->at[given] = source_operand(decoder, part, layered && given == 0 ? PTX_S32 : type);
  }
  if (given < place->dimensions)
    refuse_opcode(decoder);
  if (layered) {
    const uint32_t layer = place->at[0];
    place->at[0] = place->at[1];
    place->at[1] = place->at[2];
    place->at[place->dimensions - 1] = layer;
  }
}

static PtxInsn *emit_place(Decoder *decoder, const Place *place, PtxType type, uint8_t flags) {
  PtxInsn *insn = emit(decoder, PTX_TEX, type);
  insn->sub = (uint8_t)(place->dimensions | place->flags | flags);
  insn->a = place->object;
  insn->b = place->at[0];
  insn->c = place->dimensions > 1 ? place->at[1] : PTX_NO_REG;
  insn->mask = place->dimensions > 2 ? place->at[2] : PTX_NO_REG;
  return insn;
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

/* Decodes tex{.level|.grad|.base}.SHAPE.v4.TYPE.COORDINATE and tld4.COMPONENT.2d.v4.TYPE.f32. */
void decode_texture(Decoder *decoder) {
  static const char components[] = "rgba";
  const bool gathers = slice_is(decoder->part[0], "tld4");
  const bool level = has_part(decoder, "level"), slopes = has_part(decoder, "grad");
  const uint32_t more = gathers || level || slopes || has_part(decoder, "base");
  const uint32_t operands = level ? 3 : slopes ? 4 : 2;
  PtxType type, coordinate;
  if (decoder->nparts != 5 + more || !slice_is(decoder->part[2 + more], "v4") ||
      !parse_type(decoder->part[3 + more], &type) ||
      !parse_type(decoder->part[4 + more], &coordinate) ||
      (type != PTX_F32 && type != PTX_S32 && type != PTX_U32) ||
      (coordinate != PTX_F32 && (more || coordinate != PTX_S32)))
    refuse_opcode(decoder);
  expect_operands(decoder, operands, operands);
  Place place = shape(decoder, 1 + more);
  read_place(decoder, decoder->operand[1], coordinate, &place);
  const char *component =
      gathers && decoder->part[1].length == 1 ? strchr(components, *decoder->part[1].start) : NULL;
  if (gathers && (!component || place.dimensions != 2 || place.flags))
    refuse_opcode(decoder);
  uint32_t *list = targets(decoder, decoder->operand[0], type);
  PtxInsn *insn = emit_place(
      decoder, &place, type,
      (uint8_t)((coordinate == PTX_F32 ? PTX_TEX_FLOAT : 0) | (gathers ? PTX_TEX_GATHER : 0)));
  insn->imm = gathers ? component - components : 0;
  insn->list = list;
  insn->count = 4;
}

/* Decodes suld.b.SHAPE{.v2|.v4}.TYPE.MODE d, [object, {x, y}], where x is in bytes; sust.b is the
 * same for stores. MODE determines the effect of an access outside of the surface. trap: an error;
 * zero: loads give zeros and stores are skipped; clamp: the nearest element is accessed. */
void decode_surface(Decoder *decoder) {
  static const char *const outside[] = {"trap", "zero", "clamp"};
  const bool writes = slice_is(decoder->part[0], "sust");
  const bool vector = has_part(decoder, "v2") || has_part(decoder, "v4");
  const uint32_t n = 5 + vector, count = !vector ? 1 : has_part(decoder, "v4") ? 4 : 2;
  uint32_t mode = 0;
  PtxType type;
  if (decoder->nparts != n || !slice_is(decoder->part[1], "b") ||
      !parse_type(decoder->part[n - 2], &type) || ptx_type_bytes(type) * count > 16)
    refuse_opcode(decoder);
  while (mode < 3 && !slice_is(decoder->part[n - 1], outside[mode]))
    mode++;
  if (mode == 3)
    refuse_opcode(decoder);
  expect_operands(decoder, 2, 2);
  Place place = shape(decoder, 2);
  if (place.flags & PTX_TEX_CUBE)
    refuse_opcode(decoder);
  read_place(decoder, decoder->operand[writes ? 0 : 1], PTX_S32, &place);
  const unsigned bytes = ptx_type_bytes(type) * count;
  const uint32_t address = new_register(decoder, 8);
  PtxInsn *insn = emit_place(decoder, &place, PTX_U64, PTX_TEX_PLACE);
  insn->d = address;
  insn->imm = (int64_t)(mode << 8 | bytes);
  uint32_t inside = PTX_NO_REG;
  if (mode == PTX_OUTSIDE_ZERO) {
    inside = new_register(decoder, 0);
    emit_op(decoder, PTX_OP_SETP_NE_U64, inside, address, constant(decoder, 8, PTX_VALUE, 0, 0));
  }
  if (mode == PTX_OUTSIDE_ZERO && !writes) {
    /* The number of bytes that the load reads; outside of the surface it is 0. */
    const uint32_t some = new_register(decoder, 4);
    emit_op(decoder, PTX_OP_SELP_B32, some, constant(decoder, 4, PTX_VALUE, 0, bytes),
            constant(decoder, 4, PTX_VALUE, 0, 0))
        ->c = inside;
    inside = some;
  } else if (mode == PTX_OUTSIDE_ZERO) {
    inside = and_guard(decoder, inside);
  }
  insn = emit_data(decoder, writes, PTX_GLOBAL, type, count, decoder->operand[writes ? 1 : 0],
                   address);
  if (mode == PTX_OUTSIDE_ZERO && writes) {
    insn->guard = inside;
    insn->flags &= (uint8_t)~PTX_NEG_PRED;
  } else if (mode == PTX_OUTSIDE_ZERO) {
    insn->mask = inside;
  }
}
