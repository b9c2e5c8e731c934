/* Implements the rules by which the operations of arithmetic.def propagate undefined bits
 * (undefined_bits.h). */
#include "undefined_bits.h"

#include <string.h>

/* ---- the operations -------------------------------------------------------------------------- */
enum {
  BITS_none = 0,
  BITS_pred = 1,
  BITS_u8 = 8,
  BITS_s8 = 8,
  BITS_u16 = 16,
  BITS_s16 = 16,
  BITS_f16 = 16,
  BITS_bf16 = 16,
  BITS_u32 = 32,
  BITS_s32 = 32,
  BITS_f32 = 32,
  BITS_r32 = 32,
  BITS_f16x2 = 32,
  BITS_bf16x2 = 32,
  BITS_u64 = 64,
  BITS_s64 = 64,
  BITS_f64 = 64
};
static const OpWidths widths[PTX_OP_COUNT] = {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning)                                     \
  [PTX_OP_##id] = {BITS_##D, BITS_##A, BITS_##B, BITS_##C},
#include "../ptx/arithmetic.def"
};
OpWidths op_widths(PtxOp op) { return widths[op]; }

typedef enum Way {
  UNKNOWN,
  MIXES,
  COPIES,
  ANDS,
  ORS,
  XORS,
  SELECTS,
  SHIFTS_LEFT,
  SHIFTS_RIGHT,
  SHIFTS_SIGN,
  CONVERTS,
  EXTRACTS,
  EXTRACTS_SIGNED,
  INSERTS,
  PERMUTES,
  FUNNELS,
  BY_TABLE,
  ADDS,
  IS_EQUAL,
  IS_LESS
} Way;

/* The rule for each operation, by the prefix of its name. */
static const struct {
  const char *name;
  Way way;
} ways[] = {{"mov.", COPIES},        {"not.", COPIES},
            {"and.", ANDS},          {"or.", ORS},
            {"xor.", XORS},          {"selp.", SELECTS},
            {"shl.", SHIFTS_LEFT},   {"shr.s", SHIFTS_SIGN},
            {"shr.", SHIFTS_RIGHT},  {"bfe.s", EXTRACTS_SIGNED},
            {"bfe.", EXTRACTS},      {"bfi.", INSERTS},
            {"prmt.b32", PERMUTES},  {"lop3.b32", BY_TABLE},
            {"shf.l.wrap", FUNNELS}, {"shf.r.wrap", FUNNELS},
            {"add.u", ADDS},         {"add.s1", ADDS},
            {"add.s3", ADDS},        {"add.s6", ADDS},
            {"sub.u", ADDS},         {"sub.s1", ADDS},
            {"sub.s3", ADDS},        {"sub.s6", ADDS},
            {"mul.lo.", ADDS},       {"mad.lo.", ADDS},
            {"mul.wide.", ADDS},     {"mad.wide.", ADDS},
            {"neg.s", ADDS},         {"cvta.", COPIES},
            {"setp.eq.", IS_EQUAL},  {"setp.ne.", IS_EQUAL},
            {"setp.lt.", IS_LESS},   {"setp.le.", IS_LESS},
            {"setp.gt.", IS_LESS},   {"setp.ge.", IS_LESS},
            {"setp.lo.", IS_LESS},   {"setp.ls.", IS_LESS},
            {"setp.hi.", IS_LESS},   {"setp.hs.", IS_LESS},
            {"cvt.u", CONVERTS},     {"cvt.s", CONVERTS}};

static bool is_integer(const char *type) {
  return type[0] == 'u' || type[0] == 's' || type[0] == 'b';
}
static bool begins(const char *name, const char *prefix) {
  return !strncmp(name, prefix, strlen(prefix));
}
/* Returns the part of the name after the last dot. */
static const char *type_of(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : "";
}
static Way find_way(const char *name) {
  const char *type = type_of(name);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (begins(name, ways[i].name)) {
      bool whole = ways[i].way == CONVERTS || ways[i].way == IS_EQUAL || ways[i].way == IS_LESS;
      bool packed = strstr(name, "x2") || strstr(name, ".sat") || strstr(name, ".pack");
      return packed || (whole && (!is_integer(type) || begins(type, "bf16"))) ? MIXES : ways[i].way;
    }
  return MIXES;
}
static Way way_of(PtxOp op) {
  static uint8_t found[PTX_OP_COUNT];
  Way way = (Way)__atomic_load_n(&found[op], __ATOMIC_RELAXED);
  if (way == UNKNOWN) {
    way = find_way(ptx_op_name(op));
    __atomic_store_n(&found[op], (uint8_t)way, __ATOMIC_RELAXED);
  }
  return way;
}
bool only_moves_bits(PtxOp op) {
  const Way way = way_of(op);
  return way != MIXES && way != ADDS && way != IS_EQUAL && way != IS_LESS;
}

/* ---- bits ------------------------------------------------------------------------------------ */
/* Returns the lowest undefined bit and all bits above it, because a carry may change any of them.
 */
static uint64_t and_above(uint64_t undefined) { return undefined | (0 - undefined); }

static uint64_t sign_extended(uint64_t undefined, unsigned bits) {
  return undefined >> (bits - 1) & 1 ? undefined | ~low_bits(bits) : undefined;
}
uint64_t undefined_extended(uint64_t undefined, unsigned bytes, bool by_sign) {
  return by_sign ? sign_extended(undefined, 8 * bytes) : undefined;
}

static uint64_t of_and(Operand a, Operand b) {
  return (a.undefined | b.undefined) & (a.value | a.undefined) & (b.value | b.undefined);
}
static uint64_t of_or(Operand a, Operand b) {
  return (a.undefined | b.undefined) & (~a.value | a.undefined) & (~b.value | b.undefined);
}

static uint64_t shifted(Way way, Operand a, Operand by, unsigned bits) {
  if (by.undefined)
    return UINT64_MAX;
  const bool all = (uint32_t)by.value >= bits;
  if (way == SHIFTS_LEFT)
    return all ? 0 : a.undefined << by.value;
  if (way == SHIFTS_RIGHT)
    return all ? 0 : a.undefined >> by.value;
  const uint64_t wide = sign_extended(a.undefined, bits);
  return (uint64_t)((int64_t)wide >> (all ? 63 : by.value));
}

static uint64_t extracted(Operand a, Operand from, Operand length, bool by_sign) {
  const unsigned at = (uint8_t)from.value, n = (uint8_t)length.value;
  if (from.undefined || length.undefined)
    return UINT64_MAX;
  if (n == 0 || at > 63)
    return 0;
  const uint64_t field = a.undefined >> at & low_bits(n);
  return by_sign && n < 64 ? sign_extended(field, n) : field;
}

static uint64_t permuted(Operand a, Operand b, Operand how) {
  const uint64_t bytes = (a.undefined & UINT32_MAX) | b.undefined << 32;
  uint64_t undefined = 0;
  if (how.undefined & 0xffff)
    return UINT64_MAX;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned select = how.value >> 4 * i & 15;
    uint64_t byte = bytes >> 8 * (select & 7) & 255;
    if (select & 8)
      byte = byte & 128 ? 255 : 0;
    undefined |= byte << 8 * i;
  }
  return undefined;
}

/* Returns the undefined bits of a funnel shift. Only the low five bits of the shift count are used.
 */
static uint64_t funnelled(Operand a, Operand b, Operand by, bool left) {
  const unsigned n = by.value & 31;
  const uint64_t both = (a.undefined & UINT32_MAX) | b.undefined << 32;
  if (by.undefined & 31)
    return UINT64_MAX;
  return left ? both << n >> 32 : both >> n;
}

/* Returns the undefined bits of a bit field insertion. `where` contains the start and the length of
 * the field: see BFI in arithmetic.def. */
static uint64_t inserted(Operand a, Operand b, Operand where) {
  const unsigned at = (uint8_t)where.value, n = where.value >> 8 & 255;
  if (where.undefined)
    return UINT64_MAX;
  const uint64_t field = at > 63 ? 0 : low_bits(n) << at;
  return (b.undefined & ~field) | (at > 63 ? 0 : a.undefined << at & field);
}

static uint64_t by_table(uint64_t a, uint64_t b, uint64_t c, unsigned table) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 8; i++)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
/* Returns the bits of the result that change if the undefined bits of one or more operands are
 * flipped. */
static uint64_t of_table(Operand a, Operand b, Operand c, unsigned table) {
  uint64_t changes = 0, now = by_table(a.value, b.value, c.value, table);
  for (unsigned i = 1; i < 8; i++)
    changes |=
        now ^ by_table(a.value ^ (i & 4 ? a.undefined : 0), b.value ^ (i & 2 ? b.undefined : 0),
                       c.value ^ (i & 1 ? c.undefined : 0), table);
  return changes;
}

static uint64_t selected(Operand a, Operand b, Operand choose) {
  if (choose.undefined)
    return a.undefined | b.undefined | (a.value ^ b.value);
  return choose.value ? a.undefined : b.undefined;
}

/* Return true if the comparison has the same result for all values of the undefined bits. */
static bool surely_differ(Operand a, Operand b) {
  return (a.value ^ b.value) & ~a.undefined & ~b.undefined;
}
static bool surely_ordered(Operand a, Operand b, unsigned bits, bool is_signed) {
  const uint64_t flip = is_signed ? UINT64_C(1) << (bits - 1) : 0;
  const uint64_t x = a.value ^ flip, y = b.value ^ flip;
  const uint64_t least_a = x & ~a.undefined, most_a = x | a.undefined;
  const uint64_t least_b = y & ~b.undefined, most_b = y | b.undefined;
  return most_a < least_b || most_b < least_a;
}

static bool keeps_bytes(Operand mask) {
  return !mask.undefined &&
         (mask.value == 0xff || mask.value == 0xffff || mask.value == UINT32_MAX);
}
static bool extends_nothing(Way way, Operand a, Operand b, OpWidths width) {
  switch (way) {
  /* Only masks of whole bytes count as an extension. With another mask, the instruction may combine
   * bit fields, so the result may be partly defined. */
  case ANDS:
    return (a.undefined == low_bits(width.a) && keeps_bytes(b)) ||
           (b.undefined == low_bits(width.b) && keeps_bytes(a));
  case SHIFTS_RIGHT:
  case SHIFTS_SIGN:
  case CONVERTS:
  case EXTRACTS:
  case EXTRACTS_SIGNED:
    return a.undefined == low_bits(width.a);
  default:
    return false;
  }
}

static bool by_sign(const PtxInsn *insn) { return type_of(ptx_op_name((PtxOp)insn->op))[0] == 's'; }
static uint64_t by_way(Way way, const PtxInsn *insn, Operand a, Operand b, Operand c,
                       OpWidths width) {
  const uint64_t any = a.undefined | b.undefined | c.undefined;
  switch (way) {
  case COPIES:
  case XORS:
    return any;
  case ANDS:
    return of_and(a, b);
  case ORS:
    return of_or(a, b);
  case SELECTS:
    return selected(a, b, c);
  case SHIFTS_LEFT:
  case SHIFTS_RIGHT:
  case SHIFTS_SIGN:
    return shifted(way, a, b, width.a);
  case CONVERTS:
    return by_sign(insn) ? sign_extended(a.undefined, width.a) : a.undefined;
  case EXTRACTS:
  case EXTRACTS_SIGNED:
    return extracted(a, b, c, way == EXTRACTS_SIGNED);
  case INSERTS:
    return inserted(a, b, c);
  case PERMUTES:
    return permuted(a, b, c);
  case FUNNELS:
    return funnelled(a, b, c, ptx_op_name((PtxOp)insn->op)[4] == 'l');
  case BY_TABLE:
    return of_table(a, b, c, (unsigned)insn->imm);
  case ADDS:
    return and_above(any);
  case IS_EQUAL:
    return surely_differ(a, b) ? 0 : UINT64_MAX;
  case IS_LESS:
    return surely_ordered(a, b, width.a, by_sign(insn)) ? 0 : UINT64_MAX;
  default:
    return UINT64_MAX;
  }
}

uint64_t undefined_bits(const PtxInsn *insn, Operand a, Operand b, Operand c) {
  const OpWidths width = widths[insn->op];
  const Way way = way_of((PtxOp)insn->op);
  if (!(a.undefined | b.undefined | c.undefined))
    return 0;
  if (extends_nothing(way, a, b, width))
    return low_bits(width.d);
  return by_way(way, insn, a, b, c, width) & low_bits(width.d);
}
