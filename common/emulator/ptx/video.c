/* Decodes video instructions. vadd, vset, vmad ... compute one number; vadd2, vadd4 ... compute two
 * halves or four bytes.
 *
 *   vadd.s32.u32.s32.sat.add  d, a.b1, b.h0, c;   types of d, a, b; operation on c; parts
 *   vadd4.u32.u32.u32 d.b310, a.b7654, b, c;      parts of d to write; bytes of a (0 to 3) and b
 *
 * Each mnemonic is one operation of arithmetic.def. All modifiers and parts are encoded in
 * PtxInsn.imm (video.h). */
#include "ptx.h"
#include "video.h"

static PtxOp video_operation(Slice name) {
  for (PtxOp op = PTX_OP_VADD; op <= PTX_OP_VMAD; op++)
    if (slice_is(name, operations[op].spelling))
      return op;
  return PTX_OP_NONE;
}

static uint32_t lanes_of(const Decoder *decoder) {
  Slice name = decoder->part[0];
  char last = name.start[name.length - 1];
  return last == '2' || last == '4' ? (uint32_t)(last - '0') : 1;
}

/* Reads type modifier number `number`. The types are the first modifiers of an opcode. */
static void read_type(Decoder *decoder, Slice part, uint32_t number, int64_t *asked) {
  static const int64_t flags[] = {VIDEO_SIGNED_D, VIDEO_SIGNED_A, VIDEO_SIGNED_B};
  if (slice_is(part, "s32"))
    *asked |= flags[number];
  else if (!slice_is(part, "u32"))
    refuse_opcode(decoder);
}

static void read_modifier(Decoder *decoder, Slice part, bool last, int64_t *asked) {
  static const struct {
    const char *name;
    int64_t bits;
  } modifiers[] = {{"sat", VIDEO_SATURATE},
                   {"clamp", 0},
                   {"wrap", VIDEO_WRAP},
                   {"eq", VIDEO_EQ << VIDEO_COMPARE},
                   {"ne", VIDEO_NE << VIDEO_COMPARE},
                   {"lt", VIDEO_LT << VIDEO_COMPARE},
                   {"le", VIDEO_LE << VIDEO_COMPARE},
                   {"gt", VIDEO_GT << VIDEO_COMPARE},
                   {"ge", VIDEO_GE << VIDEO_COMPARE},
                   {"add", VIDEO_ADD << VIDEO_SECOND},
                   {"min", VIDEO_MIN << VIDEO_SECOND},
                   {"max", VIDEO_MAX << VIDEO_SECOND}};
  size_t i = 0, count = sizeof modifiers / sizeof *modifiers;
  while (i < count && !slice_is(part, modifiers[i].name))
    i++;
  if (i == count || (i + 3 >= count && !last))
    refuse_opcode(decoder);
  *asked |= modifiers[i].bits;
}

static int64_t read_opcode(Decoder *decoder) {
  bool tests = slice_is((Slice){decoder->part[0].start, 4}, "vset");
  uint32_t types = tests ? 2 : 3;
  int64_t asked = 0;
  if (decoder->nparts <= types)
    refuse_opcode(decoder);
  for (uint32_t i = 0; i < types; i++)
    /* A comparison has no result type: its result is 1 or 0. */
    read_type(decoder, decoder->part[i + 1], tests ? i + 1 : i, &asked);
  for (uint32_t i = types + 1; i < decoder->nparts; i++)
    read_modifier(decoder, decoder->part[i], i + 1 == decoder->nparts, &asked);
  return asked;
}

/* Reads the part of an operand that vadd, vset ... use: "b2" or "h0". */
static int64_t read_part(Decoder *decoder, Slice part) {
  if (part.length == 0)
    return VIDEO_WHOLE;
  int number = part.length == 2 ? part.start[1] - '0' : -1;
  if (part.start[0] == 'b' && number >= 0 && number < 4)
    return VIDEO_BYTE + number;
  if (part.start[0] == 'h' && number >= 0 && number < 2)
    return VIDEO_HALF + number;
  refuse_opcode(decoder);
}

/* Reads a choice of bytes or halves of a and b, such as "b7210" or "h32". The first digit is that
 * of the most significant part of the result. Without a choice, the parts are `first`, first + 1
 * ... */
static int64_t read_choice(Decoder *decoder, Slice part, uint32_t lanes, int64_t first) {
  int64_t choice = 0;
  if (part.length && (part.length != lanes + 1 || part.start[0] != (lanes == 2 ? 'h' : 'b')))
    refuse_opcode(decoder);
  for (uint32_t i = 0; i < lanes; i++) {
    int64_t number = part.length ? part.start[lanes - i] - '0' : first + i;
    if (number < 0 || number >= 2 * lanes)
      refuse_opcode(decoder);
    choice |= number << 4 * i;
  }
  return choice;
}

/* Reads the parts of d that are written, such as "b310" or "h1". */
static int64_t read_mask(Decoder *decoder, Slice part, uint32_t lanes) {
  int64_t mask = 0;
  if (part.length == 0)
    return (1 << lanes) - 1;
  if (part.start[0] != (lanes == 2 ? 'h' : 'b'))
    refuse_opcode(decoder);
  for (uint32_t i = 1; i < part.length; i++) {
    int number = part.start[i] - '0';
    if (number < 0 || number >= (int)lanes)
      refuse_opcode(decoder);
    mask |= 1 << number;
  }
  return mask;
}

static uint32_t part_operand(Decoder *decoder, const Operand *operand) {
  if (operand->kind != OPERAND_PART)
    return source_operand(decoder, operand, PTX_U32);
  Operand whole = *operand;
  whole.kind = OPERAND_REGISTER;
  return source_operand(decoder, &whole, PTX_U32);
}

/* Returns true for instructions that are refused because an H200 and the PTX manual give different
 * results: results that are clamped to a part of d or written to its upper half; clamped left
 * shifts; the minimum or maximum of c and a result that may need more than 32 bits. (vmad with a
 * shift, -a, -c or .po is not implemented either.) */
static bool is_doubtful(PtxOp op, int64_t asked) {
  int64_t place = asked >> VIDEO_PLACE & 15, second = asked >> VIDEO_SECOND & 3;
  int64_t types = asked & (VIDEO_SIGNED_D | VIDEO_SIGNED_A | VIDEO_SIGNED_B);
  bool alike = types == 0 || types == (VIDEO_SIGNED_D | VIDEO_SIGNED_A | VIDEO_SIGNED_B);
  bool fits = op == PTX_OP_VSET || ((op == PTX_OP_VMIN || op == PTX_OP_VMAX) && alike);
  return place == VIDEO_HALF + 1 || (asked & VIDEO_SATURATE && (place || op == PTX_OP_VSHL)) ||
         ((second == VIDEO_MIN || second == VIDEO_MAX) && !fits);
}

/* Decodes a video instruction. The operands are d, a, b, and for some opcodes c. */
void decode_video(Decoder *decoder) {
  uint32_t lanes = lanes_of(decoder);
  PtxOp op = video_operation(decoder->part[0]);
  int64_t asked = read_opcode(decoder);
  expect_operands(decoder, 3, 4);
  Operand operand[4] = {{.kind = OPERAND_OTHER}};
  for (uint32_t i = 0; i < decoder->noperands; i++)
    operand[i] = *decoder->operand[i];
  if (operand[0].kind == OPERAND_PART)
    operand[0].kind = OPERAND_REGISTER;
  if (lanes == 1) {
    asked |= read_part(decoder, operand[0].selector) << VIDEO_PLACE |
             read_part(decoder, operand[1].selector) << VIDEO_SELECT_A |
             read_part(decoder, operand[2].selector) << VIDEO_SELECT_B;
    if (is_doubtful(op, asked))
      refuse_opcode(decoder);
  } else {
    asked |= read_mask(decoder, operand[0].selector, lanes) << VIDEO_PLACE |
             read_choice(decoder, operand[1].selector, lanes, 0) << VIDEO_SELECT_A |
             read_choice(decoder, operand[2].selector, lanes, lanes) << VIDEO_SELECT_B;
  }
  uint32_t a = part_operand(decoder, &operand[1]), b = part_operand(decoder, &operand[2]);
  uint32_t c = decoder->noperands == 4 ? source_operand(decoder, &operand[3], PTX_U32)
                                       : constant(decoder, 4, PTX_VALUE, 0, 0);
  uint32_t d = target_operand(decoder, &operand[0], PTX_U32);
  PtxInsn *insn = emit(decoder, PTX_ALU, PTX_U32);
  insn->op = (uint16_t)op;
  insn->d = d;
  insn->a = a;
  insn->b = b;
  insn->c = c;
  insn->imm = asked;
}

bool is_video(const Decoder *decoder) { return video_operation(decoder->part[0]) != PTX_OP_NONE; }
