/* Implements arithmetic: defines one handler for each row of arithmetic.def.
 *
 * A handler is a loop over 32 lanes without branches, which the compiler turns into a few vector
 * instructions. A handler always computes all lanes. This is harmless, because operations have no
 * side effects and cannot fault. If only some lanes are active, run_masked_... restores the old
 * values of the other lanes. Compilers rarely emit .ftz, .sat or rounding modes other than
 * to-nearest, so one wrapper (run_with_modifiers) implements these modifiers for all handlers. */
#include <assert.h>
#include <fenv.h>
#include <string.h>

#include "../state/constants.h"
#include "../state/vector.h"
#include "alu.h"
#include "arith.h"

/* The types with which a lane is stored in its slot, and the functions that read and write it. */
typedef u32 lane_u8, lane_s8, lane_u16, lane_s16, lane_u32, lane_f16, lane_f16x2, lane_bf16,
    lane_bf16x2;
typedef s32 lane_s32;
typedef u64 lane_u64;
typedef s64 lane_s64;
typedef f32 lane_f32, lane_r32;
typedef f64 lane_f64;
/* A float that is stored as it was computed: a NaN is not replaced by the device's single NaN. */
typedef f32 r32;
/* Halves and bfloat16s are computed in float. */
typedef f32 f16, bf16;
/* A pair of halves or bfloat16s in one word; see low_half() and high_half(). */
typedef u32 f16x2, bf16x2;

#define PLAIN(t)                                                                                   \
  static inline t get_##t(lane_##t v) { return v; }                                                \
  static inline lane_##t put_##t(t v) { return v; }
PLAIN(u32)
PLAIN(s32)
PLAIN(u64)
PLAIN(s64)
PLAIN(f64)
PLAIN(f16x2)
PLAIN(bf16x2)
#undef PLAIN
static inline f32 get_f32(f32 v) { return v; }
static inline f32 put_f32(f32 v) { return one_nan(v); }
static inline f32 put_r32(f32 v) { return v; }
/* Values of 8 and 16 bits are in the low bits of their lane. They are stored zero-extended or, if
 * signed, sign-extended: cvt.s8 to a wider register keeps the sign. */
static inline u8 get_u8(u32 v) { return (u8)v; }
static inline s8 get_s8(u32 v) { return (s8)v; }
static inline u16 get_u16(u32 v) { return (u16)v; }
static inline s16 get_s16(u32 v) { return (s16)v; }
static inline f32 get_f16(u32 v) { return half_to_float((u16)v); }
static inline f32 get_bf16(u32 v) { return bf16_to_float((u16)v); }
static inline u32 put_u8(u8 v) { return v; }
static inline u32 put_s8(s8 v) { return (u32)(s32)v; }
static inline u32 put_u16(u16 v) { return v; }
static inline u32 put_s16(s16 v) { return (u32)(s32)v; }
static inline u32 put_f16(f64 v) { return half_from_double(v); }
static inline u32 put_bf16(f64 v) { return bf16_from_double(v); }

/* The types in which operands are compared. Narrow integers are compared in 32 bits, the size of a
 * lane, so that no conversion is needed. */
typedef s32 test_s8, test_s16;
typedef u32 test_u8, test_u16, test_u32;
typedef s32 test_s32;
typedef u64 test_u64;
typedef s64 test_s64;
typedef f32 test_f32, test_f16, test_bf16;
typedef f64 test_f64;

/* Define pointers to the lanes of an operand or a result. Registers of different widths never share
 * slots (ptx/registers.c). So a result is either in the same slot as an operand, or does not
 * overlap it. */
#define OPERAND(name, T)                                                                           \
  const lane_##T *name##_lanes = __builtin_assume_aligned(registers + insn->name, 64);
#define RESULT(D) lane_##D *d_lanes = __builtin_assume_aligned(registers + insn->d, 64);
#define LITERAL                                                                                    \
  const s64 imm = insn->imm;                                                                       \
  (void)imm;

#define PTX_UNARY(id, spelling, D, A, expression, flop, meaning)                                   \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    LITERAL OPERAND(a, A) RESULT(D) EACH_LANE {                                                    \
      const A a = get_##A(a_lanes[lane]);                                                          \
      d_lanes[lane] = put_##D(expression);                                                         \
    }                                                                                              \
  }
#define PTX_BINARY(id, spelling, D, A, B, expression, flop, meaning)                               \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    LITERAL OPERAND(a, A) OPERAND(b, B) RESULT(D) EACH_LANE {                                      \
      const A a = get_##A(a_lanes[lane]);                                                          \
      const B b = get_##B(b_lanes[lane]);                                                          \
      d_lanes[lane] = put_##D(expression);                                                         \
    }                                                                                              \
  }
#define PTX_TERNARY(id, spelling, D, A, B, C, expression, flop, meaning)                           \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    LITERAL OPERAND(a, A) OPERAND(b, B) OPERAND(c, C) RESULT(D) EACH_LANE {                        \
      const A a = get_##A(a_lanes[lane]);                                                          \
      const B b = get_##B(b_lanes[lane]);                                                          \
      const C c = get_##C(c_lanes[lane]);                                                          \
      d_lanes[lane] = put_##D(expression);                                                         \
    }                                                                                              \
  }

static inline u32 load_mask(const uint8_t *registers, u32 offset) {
  u32 mask;
  memcpy(&mask, registers + offset, sizeof mask);
  return mask;
}

#define PTX_TEST1(id, spelling, A, expression, meaning)                                            \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    s32 truth[WARP_LANES];                                                                         \
    const lane_##A *a_lanes = __builtin_assume_aligned(registers + insn->a, 64);                   \
    EACH_LANE {                                                                                    \
      const test_##A a = get_##A(a_lanes[lane]);                                                   \
      truth[lane] = (expression) ? -1 : 0;                                                         \
    }                                                                                              \
    u32 mask = lanes_from_truth((const uint32_t *)truth);                                          \
    memcpy(registers + insn->d, &mask, sizeof mask);                                               \
  }
#define PTX_TEST2(id, spelling, A, B, expression, meaning)                                         \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    s32 truth[WARP_LANES];                                                                         \
    const lane_##A *a_lanes = __builtin_assume_aligned(registers + insn->a, 64);                   \
    const lane_##B *b_lanes = __builtin_assume_aligned(registers + insn->b, 64);                   \
    EACH_LANE {                                                                                    \
      const test_##A a = get_##A(a_lanes[lane]);                                                   \
      const test_##B b = get_##B(b_lanes[lane]);                                                   \
      truth[lane] = (expression) ? -1 : 0;                                                         \
    }                                                                                              \
    u32 mask = lanes_from_truth((const uint32_t *)truth);                                          \
    memcpy(registers + insn->d, &mask, sizeof mask);                                               \
  }
#define PTX_LOGIC(id, spelling, expression, meaning)                                               \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    u32 a = load_mask(registers, insn->a);                                                         \
    u32 b = insn->b == PTX_NO_REG ? 0 : load_mask(registers, insn->b);                             \
    (void)b;                                                                                       \
    u32 mask = expression;                                                                         \
    memcpy(registers + insn->d, &mask, sizeof mask);                                               \
  }
#define PTX_SELECT(id, spelling, T, meaning)                                                       \
  static void run_##id(uint8_t *registers, const PtxInsn *insn) {                                  \
    u32 choose = load_mask(registers, insn->c);                                                    \
    if (insn->flags & PTX_NEG_SOURCE)                                                              \
      choose = ~choose;                                                                            \
    const lane_##T *a_lanes = __builtin_assume_aligned(registers + insn->a, 64);                   \
    const lane_##T *b_lanes = __builtin_assume_aligned(registers + insn->b, 64);                   \
    RESULT(T) EACH_LANE d_lanes[lane] = choose >> lane & 1 ? a_lanes[lane] : b_lanes[lane];        \
  }
#include "../ptx/arithmetic.def"

/* The kinds of operations and the types of their operands, for the table of operations below. */
typedef enum Kind { UNARY, BINARY, TERNARY, TEST1, TEST2, LOGIC, SELECT } Kind;
enum {
  T_none,
  T_pred,
  T_u8,
  T_s8,
  T_u16,
  T_s16,
  T_f16,
  T_bf16,
  T_u32,
  T_s32,
  T_f32,
  T_r32,
  T_f16x2,
  T_bf16x2,
  T_u64,
  T_s64,
  T_f64
};

static const struct Operation {
  AluHandler run;
  uint8_t kind, d, a, b, c, flop;
} operations[] = {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning)                                     \
  {run_##id, kind, T_##D, T_##A, T_##B, T_##C, flop},
#include "../ptx/arithmetic.def"
};

static bool is_wide(unsigned type) { return type >= T_u64; }

/* ---- modifiers ------------------------------------------------------------------------------- */
static bool is_single(unsigned type) { return type == T_f32 || type == T_r32; }

static void flush_subnormals(uint8_t *slot, unsigned type) {
  u32 *lanes = (u32 *)slot;
  if (is_single(type)) {
    EACH_LANE if ((lanes[lane] & 0x7f800000) == 0) lanes[lane] &= 0x80000000;
  } else if (type == T_f16 || type == T_f16x2) {
    EACH_LANE if ((lanes[lane] & 0x7c00) == 0) lanes[lane] &= ~0x3ffu;
    EACH_LANE if ((lanes[lane] & 0x7c000000) == 0) lanes[lane] &= ~0x3ff0000u;
  } else if (type == T_f64) {
    u64 *wide = (u64 *)slot;
    EACH_LANE if ((wide[lane] & UINT64_C(0x7ff) << 52) == 0) wide[lane] &= UINT64_C(1) << 63;
  }
}

/* Replaces NaN results of type r32 by the device's single NaN, as a GPU does with .ftz. */
static void unify_nan(uint8_t *slot, const struct Operation *operation) {
  u32 *lanes = (u32 *)slot;
  if (operation->d == T_r32 && operation->a != T_f64)
    EACH_LANE if ((lanes[lane] & 0x7fffffff) > 0x7f800000) lanes[lane] = 0x7fffffff;
}

/* Returns true if a result is the smallest normal number. The device decides before rounding
 * whether a result is subnormal. Therefore flush_rounded_up sets such a result to zero if it was
 * rounded up from a subnormal number. */
static bool has_smallest_normal(const uint8_t *slot, unsigned type) {
  const u32 *lanes = (const u32 *)slot;
  u32 found = 0;
  if (is_single(type)) {
    EACH_LANE found |= (lanes[lane] & 0x7fffffff) == 0x00800000;
  } else if (type == T_f16 || type == T_f16x2) {
    EACH_LANE found |= (lanes[lane] & 0x7fff) == 0x0400;
    EACH_LANE found |= (lanes[lane] & 0x7fff0000) == 0x04000000;
  }
  return found;
}

static void flush_rounded_up(uint8_t *slot, const uint8_t *cut, unsigned type) {
  u32 *lanes = (u32 *)slot;
  const u32 *cut_lanes = (const u32 *)cut;
  if (is_single(type)) {
    EACH_LANE if ((cut_lanes[lane] & 0x7f800000) == 0) lanes[lane] &= 0x80000000;
  } else {
    EACH_LANE if ((cut_lanes[lane] & 0x7c00) == 0) lanes[lane] &= ~0x7fffu;
    EACH_LANE if ((cut_lanes[lane] & 0x7c000000) == 0) lanes[lane] &= ~0x7fff0000u;
  }
}

static u32 saturate_half(u32 bits) {
  return bits & 0x8000 || bits > 0x7c00 ? 0 : bits > 0x3c00 ? 0x3c00 : bits;
}

static void saturate(uint8_t *slot, unsigned type) {
  u32 *bits = (u32 *)slot;
  f32 *single = (f32 *)slot;
  f64 *wide = (f64 *)slot;
  for (int lane = 0; lane < WARP_LANES; lane++)
    if (is_single(type))
      single[lane] = single[lane] > 0 ? (single[lane] < 1 ? single[lane] : 1) : 0;
    else if (type == T_f64)
      wide[lane] = wide[lane] > 0 ? (wide[lane] < 1 ? wide[lane] : 1) : 0;
    else if (type == T_f16 || type == T_f16x2)
      bits[lane] = saturate_half(bits[lane] & 0xffff) | saturate_half(bits[lane] >> 16) << 16;
}

static int rounding_of(unsigned flags) {
  switch (flags & PTX_ROUND) {
  case PTX_RZ:
    return FE_TOWARDZERO;
  case PTX_RM:
    return FE_DOWNWARD;
  case PTX_RP:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

static void copy_operand(uint8_t *to, const uint8_t *registers, uint32_t from, unsigned type,
                         bool flush) {
  if (type == T_none || from == PTX_NO_REG)
    return;
  memcpy(to, registers + from, is_wide(type) ? 2 * PTX_SLOT_BYTES : PTX_SLOT_BYTES);
  if (flush)
    flush_subnormals(to, type);
}

static void run_with_modifiers(uint8_t *registers, const PtxInsn *insn) {
  const struct Operation *operation = &operations[insn->op];
  _Alignas(64) uint8_t file[4][2 * PTX_SLOT_BYTES];
  enum { A = 0, B = 2 * PTX_SLOT_BYTES, C = 4 * PTX_SLOT_BYTES, D = 6 * PTX_SLOT_BYTES };
  bool flush = insn->flags & PTX_FTZ;
  copy_operand(file[0], registers, insn->a, operation->a, flush);
  copy_operand(file[1], registers, insn->b, operation->b, flush);
  copy_operand(file[2], registers, insn->c, operation->c, flush);
  PtxInsn inner = *insn;
  inner.a = A, inner.b = insn->b == PTX_NO_REG ? PTX_NO_REG : B, inner.c = C, inner.d = D;
  int rounding = rounding_of(insn->flags);
  if (rounding != FE_TONEAREST)
    fesetround(rounding);
  operation->run(file[0], &inner);
  if (rounding != FE_TONEAREST)
    fesetround(FE_TONEAREST);
  if (flush && has_smallest_normal(file[3], operation->d)) {
    _Alignas(64) uint8_t rounded[PTX_SLOT_BYTES];
    memcpy(rounded, file[3], sizeof rounded);
    fesetround(FE_TOWARDZERO);
    operation->run(file[0], &inner);
    fesetround(FE_TONEAREST);
    flush_rounded_up(rounded, file[3], operation->d);
    memcpy(file[3], rounded, sizeof rounded);
  }
  if (flush) {
    flush_subnormals(file[3], operation->d);
    unify_nan(file[3], operation);
  }
  if (insn->flags & PTX_SAT)
    saturate(file[3], operation->d);
  memcpy(registers + insn->d, file[3], alu_result_bytes(insn));
}

AluHandler alu_handler(const PtxInsn *insn) {
  assert(insn->form == PTX_ALU && insn->op < PTX_OP_COUNT);
  bool modified = insn->flags & (PTX_FTZ | PTX_SAT | PTX_ROUND);
  return modified ? run_with_modifiers : operations[insn->op].run;
}

unsigned alu_result_bytes(const PtxInsn *insn) {
  unsigned type = operations[insn->op].d;
  return type == T_pred ? 4 : is_wide(type) ? 2 * PTX_SLOT_BYTES : PTX_SLOT_BYTES;
}

/* ---- partial warps --------------------------------------------------------------------------- */
#define MASKED(name, T, count)                                                                     \
  static void run_masked_##name(uint8_t *registers, const PtxInsn *insn, u32 lanes) {              \
    _Alignas(64) T old[count];                                                                     \
    T *now = (T *)(void *)(registers + insn->d);                                                   \
    memcpy(old, now, sizeof old);                                                                  \
    alu_handler(insn)(registers, insn);                                                            \
    for (int lane = 0; lane < count; lane++)                                                       \
      now[lane] = lanes >> lane & 1 ? now[lane] : old[lane];                                       \
  }
MASKED(narrow, u32, WARP_LANES)
MASKED(wide, u64, WARP_LANES)
#undef MASKED

static void run_masked_predicate(uint8_t *registers, const PtxInsn *insn, u32 lanes) {
  u32 old = load_mask(registers, insn->d);
  alu_handler(insn)(registers, insn);
  u32 mask = (load_mask(registers, insn->d) & lanes) | (old & ~lanes);
  memcpy(registers + insn->d, &mask, sizeof mask);
}

AluMaskedHandler alu_masked_handler(const PtxInsn *insn) {
  unsigned bytes = alu_result_bytes(insn);
  return bytes == 4                ? run_masked_predicate
         : bytes == PTX_SLOT_BYTES ? run_masked_narrow
                                   : run_masked_wide;
}
