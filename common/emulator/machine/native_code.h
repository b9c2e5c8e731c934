/* What generated code is made of (native.c): one inline function per row of ops.def, and the
 * accesses to memory. Registers are arrays of 32 lanes, or a mask for predicates. */
#ifndef MACHINE_NATIVE_CODE_H
#define MACHINE_NATIVE_CODE_H

#include "../state/constants.h"
#include "native.h"
#include "arith.h"

typedef u32 lane_u8, lane_s8, lane_u16, lane_s16, lane_u32, lane_f16, lane_f16x2, lane_bf16,
    lane_bf16x2;
typedef s32 lane_s32;
typedef u64 lane_u64;
typedef s64 lane_s64;
typedef f32 lane_f32, lane_r32;
typedef f64 lane_f64;
typedef f32 r32;
typedef f32 f16, bf16;
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
typedef s32 test_s8, test_s16;
typedef u32 test_u8, test_u16, test_u32;
typedef s32 test_s32;
typedef u64 test_u64;
typedef s64 test_s64;
typedef f32 test_f32, test_f16, test_bf16;
typedef f64 test_f64;

#define ARGUMENTS void *d, const void *a_, const void *b_, const void *c_, s64 imm
#define UNUSED (void)a_, (void)b_, (void)c_, (void)imm;
#define GET(name, T) const T name = get_##T(((const lane_##T *)name##_)[lane]);
#define PUT(D, value) ((lane_##D *)d)[lane] = put_##D(value);
#define LOOP EACH_LANE
#define PTX_UNARY(id, spelling, D, A, expression, flop, meaning)                                   \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    UNUSED LOOP { GET(a, A) PUT(D, expression) }                                                   \
  }
#define PTX_BINARY(id, spelling, D, A, B, expression, flop, meaning)                               \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    UNUSED LOOP { GET(a, A) GET(b, B) PUT(D, expression) }                                         \
  }
#define PTX_TERNARY(id, spelling, D, A, B, C, expression, flop, meaning)                           \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    UNUSED LOOP { GET(a, A) GET(b, B) GET(c, C) PUT(D, expression) }                               \
  }
#define TEST(name, A) const test_##A name = get_##A(((const lane_##A *)name##_)[lane]);
#define PTX_TEST1(id, spelling, A, expression, meaning)                                            \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    _Alignas(64) s32 truth[WARP_LANES];                                                            \
    UNUSED LOOP { TEST(a, A) truth[lane] = (expression) ? -1 : 0; }                                \
    *(u32 *)d = lanes_from_truth((const uint32_t *)truth);                                         \
  }
#define PTX_TEST2(id, spelling, A, B, expression, meaning)                                         \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    _Alignas(64) s32 truth[WARP_LANES];                                                            \
    UNUSED LOOP { TEST(a, A) TEST(b, B) truth[lane] = (expression) ? -1 : 0; }                     \
    *(u32 *)d = lanes_from_truth((const uint32_t *)truth);                                         \
  }
#define PTX_LOGIC(id, spelling, expression, meaning)                                               \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    UNUSED const u32 a = *(const u32 *)a_, b = b_ ? *(const u32 *)b_ : 0;                          \
    (void)b;                                                                                       \
    *(u32 *)d = expression;                                                                        \
  }
static ALWAYS_INLINE void choose(void *d, const void *yes, const void *no, u32 lanes,
                                 unsigned size) {
  if (size == 4)
    for (int i = 0; i < 2; i++)
      _mm512_store_si512((u8 *)d + 64 * i,
                         _mm512_mask_blend_epi32((__mmask16)(lanes >> 16 * i),
                                                 _mm512_load_si512((const u8 *)no + 64 * i),
                                                 _mm512_load_si512((const u8 *)yes + 64 * i)));
  else
    for (int i = 0; i < 4; i++)
      _mm512_store_si512((u8 *)d + 64 * i,
                         _mm512_mask_blend_epi64((__mmask8)(lanes >> 8 * i),
                                                 _mm512_load_si512((const u8 *)no + 64 * i),
                                                 _mm512_load_si512((const u8 *)yes + 64 * i)));
}
/* imm: the predicate is negated. */
#define PTX_SELECT(id, spelling, T, meaning)                                                       \
  static ALWAYS_INLINE void op_##id(ARGUMENTS) {                                                   \
    choose(d, a_, b_, *(const u32 *)c_ ^ (u32)imm, sizeof(lane_##T));                              \
  }
#include "../ptx/ops.def"

static ALWAYS_INLINE void splat32(u32 *d, u32 value) { EACH_LANE d[lane] = value; }
static ALWAYS_INLINE void splat64(u64 *d, u64 value) { EACH_LANE d[lane] = value; }
static ALWAYS_INLINE void copy32(u32 *d, const u32 *a) { EACH_LANE d[lane] = a[lane]; }
static ALWAYS_INLINE void copy64(u64 *d, const u64 *a) { EACH_LANE d[lane] = a[lane]; }

static ALWAYS_INLINE void count_guarded(Frame *f, u32 active, unsigned flop) {
  if (flop)
    f->count->guarded_flop += flop * (unsigned)__builtin_popcount(active);
}

/* Returns whether the path may execute the block. */
static ALWAYS_INLINE bool may_begin(Warp *w, const Frame *f, uint32_t block, uint32_t lanes,
                                    uint32_t *turns) {
  if (!*turns || w->grid_number < f->blocks[block].unsampled || is_stopped(w))
    return false;
  --*turns;
  f->blocks[block].runs++;
  f->blocks[block].lanes += (unsigned)__builtin_popcount(lanes);
  return true;
}
static ALWAYS_INLINE bool may_branch(Warp *w) {
  return ++w->branches <= w->worker->run->branch_limit;
}
/* ---- memory ----------------------------------------------------------------------------------- */
/* What an access knows when it is translated. */
typedef struct Site {
  uint32_t number, a;
  s64 imm;
  unsigned size, count;
  bool narrow, constant;
  /* The first register of the list. */
  uint32_t list;
  uint8_t slot;
  /* The pattern that the code is made for. */
  Pattern pattern;
} Site;

/* What the first of several loads found out about the addresses of all of them. */
typedef struct Ahead {
  bool yes;
  Pattern pattern;
  u64 first;
  const Shape *shape;
} Ahead;

static ALWAYS_INLINE void take_row(Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                   void *const *to, const Site s, const u8 *from) {
  if (s.size < 4) {
    n->put_row(f->registers, insn, from);
    copy32(to[0], slot32(f->registers, s.list));
    return;
  }
  if (s.count == 1) {
    lanes_copy(to[0], from, s.size);
    return;
  }
  for (unsigned i = 0; i < s.count; i++) {
    if (!to[i])
      continue;
    if (s.size == 4) {
      u32 *d = to[i];
      EACH_LANE d[lane] = ((const u32 *)(const void *)from)[lane * s.count + i];
    } else {
      u64 *d = to[i];
      EACH_LANE d[lane] = ((const u64 *)(const void *)from)[lane * s.count + i];
    }
  }
}
static ALWAYS_INLINE void take_same(Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                    void *const *to, const Site s, const u8 *from) {
  if (s.size < 4) {
    n->put_one(f->registers, insn, from);
    copy32(to[0], slot32(f->registers, s.list));
    return;
  }
  for (unsigned i = 0; i < s.count; i++) {
    if (!to[i])
      continue;
    if (s.size == 4)
      splat32(to[i], ((const u32 *)(const void *)from)[i]);
    else
      splat64(to[i], ((const u64 *)(const void *)from)[i]);
  }
}
static ALWAYS_INLINE void take_shape(Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                     void *const *to, const Site s, const Shape *shape,
                                     const u8 *lead, const u8 *end) {
  const u8 *start = lead - shape->below;
  if (s.size < 4) {
    n->put_lanes(f->registers, insn, shape, lead, end);
    copy32(to[0], slot32(f->registers, s.list));
    return;
  }
  if (s.count == 1 && shape->runs) {
    put_runs(to[0], shape, lead, s.size);
    return;
  }
  const bool window =
      shape->in_window && end - start >= SHAPE_WINDOW + 16 && !(s.size == 8 && shape->odd % 8);
  for (unsigned i = 0; i < s.count; i++) {
    if (!to[i])
      continue;
    if (window && s.size == 4)
      lanes_permute(to[i], (const u32 *)(const void *)(start + i * s.size), shape->word);
    else if (window)
      lanes_permute64(to[i], (const u64 *)(const void *)(start + i * s.size), shape->word);
    else if (s.size == 4)
      for (int lane = 0; lane < 32; lane += 16)
        _mm512_storeu_si512(
            (u32 *)to[i] + lane,
            _mm512_i32gather_epi32(_mm512_loadu_si512(shape->offset + lane), lead + i * 4, 1));
    else
      for (int lane = 0; lane < 32; lane += 8)
        _mm512_storeu_si512(
            (u64 *)to[i] + lane,
            _mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)(shape->offset + lane)),
                                   lead + i * 8, 1));
  }
}
static ALWAYS_INLINE void give_row(Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                   void *const *from, const Site s, u8 *to) {
  if (s.size < 4) {
    copy32(slot32(f->registers, s.list), from[0]);
    n->get_row(f->registers, insn, to);
  } else if (s.count == 1)
    lanes_copy(to, from[0], s.size);
  else
    for (unsigned i = 0; i < s.count; i++)
      if (s.size == 4)
        EACH_LANE((u32 *)(void *)to)[lane * s.count + i] = ((const u32 *)from[i])[lane];
      else
        EACH_LANE((u64 *)(void *)to)[lane * s.count + i] = ((const u64 *)from[i])[lane];
}

static ALWAYS_INLINE void spill_address(Frame *f, const Site s, const void *address) {
  if (s.narrow)
    copy32(slot32(f->registers, s.a), address);
  else
    copy64(slot64(f->registers, s.a), address);
}
static ALWAYS_INLINE u64 first_at(const Site s, const Base *base) {
  const u64 first = base->first + (u64)s.imm;
  return s.narrow ? (s.constant ? PTX_CONST_WINDOW : 0) | (u32)first : first;
}
static ALWAYS_INLINE bool in_shared(const Warp *w, u64 first, unsigned span, unsigned bytes) {
  return first <= UINT32_MAX && first + span <= w->shared_bytes && !(first & (bytes - 1));
}
static ALWAYS_INLINE const Shape *same_shape(const Frame *f, const Site s, const void *address) {
  const Shape *shape = f->recent[s.number].shape;
  return shape && (s.narrow ? shape_is_narrow(shape, ALL_LANES, address)
                            : shape_is(shape, ALL_LANES, address))
             ? shape
             : NULL;
}

static ALWAYS_INLINE bool has_pattern(Base *base, const Site s, const void *address) {
  const u32 *low = address;
  const u64 *wide = address;
  const u32 step = s.pattern == SAME ? 0 : s.size * s.count;
  base->first = s.narrow ? low[0] : wide[0];
  base->pattern = s.pattern;
  return s.pattern == SCATTERED ||
         (s.narrow ? lanes_advance32(low, step) : lanes_advance64(wide, step));
}

/* Each returns false, without having done anything, if the interpreter must execute the access. */
static ALWAYS_INLINE bool load_shared(Warp *w, Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                      const Site s, const void *address, void *const *to) {
  const unsigned bytes = s.size * s.count;
  Base base;
  if (!has_pattern(&base, s, address))
    return false;
  const u64 first = first_at(s, &base);
  if (base.pattern == CONSECUTIVE) {
    if (!in_shared(w, first, 32 * bytes, bytes))
      return false;
    if (w->observed->checks && !shadow_quiet(w->observed->shadow, (u32)first, 32 * bytes)) {
      spill_address(f, s, address);
      n->shared_row(w, insn, (u32)first, bytes, false);
    } else {
      f->access[s.number].whole++;
    }
    take_row(f, n, insn, to, s, w->shared + first);
    return true;
  }
  if (base.pattern == SAME) {
    if (!in_shared(w, first, bytes, bytes) || !n->shared_same(w, insn, (u32)first, bytes))
      return false;
    take_same(f, n, insn, to, s, w->shared + first);
    return true;
  }
  const Shape *shape = same_shape(f, s, address);
  if (!shape || !shape_fits(shape, first, 0, w->shared_bytes, bytes) ||
      !n->shared_shape(w, insn, shape, (u32)first, bytes))
    return false;
  take_shape(f, n, insn, to, s, shape, w->shared + first,
             w->shared + w->shared_bytes + SHARED_PADDING);
  return true;
}

static ALWAYS_INLINE bool load_ahead(Warp *w, Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                     const Site s, const Ahead *ahead, void *const *to) {
  const u32 at = (u32)(ahead->first + (u64)s.imm);
  if (s.pattern == CONSECUTIVE) {
    f->access[s.number].whole++;
    take_row(f, n, insn, to, s, w->shared + at);
    return true;
  }
  if (s.pattern == SAME) {
    f->access[s.number].same++;
    take_same(f, n, insn, to, s, w->shared + at);
    return true;
  }
  u32 kind;
  memcpy(&kind, &insn->merged, sizeof kind);
  const u64 key = (u64)kind << 32 | (at & w->observed->bank_phase);
  if (__builtin_expect(ahead->shape->cost_key[s.slot] != key, 0))
    return false;
  add_requests(&f->access[s.number].sum, &ahead->shape->cost[s.slot]);
  take_shape(f, n, insn, to, s, ahead->shape, w->shared + at,
             w->shared + w->shared_bytes + SHARED_PADDING);
  return true;
}

static ALWAYS_INLINE bool store_shared(Warp *w, Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                       const Site s, const void *address, void *const *from) {
  const unsigned bytes = s.size * s.count;
  Base base;
  if (!has_pattern(&base, s, address))
    return false;
  const u64 first = first_at(s, &base);
  (void)f;
  if (base.pattern != CONSECUTIVE || !in_shared(w, first, 32 * bytes, bytes))
    return false;
  w->changed = true;
  n->shared_row(w, insn, (u32)first, bytes, true);
  give_row(f, n, insn, from, s, w->shared + first);
  return true;
}

static ALWAYS_INLINE void fetch_ahead(Recent *recent, const Allocation *a, u64 first, u64 span) {
  u64 next = (u64)(uintptr_t)a->view + (first - a->address) + (first - recent->previous);
  recent->previous = first;
  for (u64 line = 0; line < span; line += 64)
    __builtin_prefetch((const void *)(uintptr_t)(next + line));
}

static ALWAYS_INLINE bool load_global(Warp *w, Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                      const Site s, const void *address, void *const *to) {
  const unsigned bytes = s.size * s.count;
  Base base;
  if (!has_pattern(&base, s, address))
    return false;
  const u64 first = first_at(s, &base);
  Recent *recent = &f->recent[s.number];
  Allocation *a = recent->memory;
  if (!a || a->kind == MEMORY_HEAP)
    return false;
  if (base.pattern != SCATTERED) {
    const u64 span = base.pattern == CONSECUTIVE ? 32 * bytes : bytes;
    if (first & (bytes - 1) || first - a->address >= a->bytes ||
        span > a->bytes - (first - a->address) ||
        !(a->all_defined || n->defined(a, first - a->address, span)))
      return false;
    fetch_ahead(recent, a, first, span);
    AccessCount *c = &f->access[s.number];
    if (base.pattern == CONSECUTIVE) {
      if (a->watched) {
        n->global_row(w, insn, a, first, bytes, false);
      } else {
        c->whole++;
        c->sum.sectors += s.constant ? WARP_LANES : sectors_between(first, first + 32 * bytes);
      }
      take_row(f, n, insn, to, s, on_host(a, first));
    } else {
      if (a->watched) {
        n->global_same(w, insn, a, first, bytes);
      } else {
        c->same++;
        c->sum.sectors += sectors_between(first, first + bytes);
      }
      take_same(f, n, insn, to, s, on_host(a, first));
    }
    return true;
  }
  const Shape *shape = same_shape(f, s, address);
  if (!shape || !shape_fits(shape, first, a->address, a->bytes, bytes))
    return false;
  if (shape->runs) {
    u64 next = (u64)(uintptr_t)a->view + (first - a->address) + (first - recent->previous);
    recent->previous = first;
    for (u32 lane = 0; lane < WARP_LANES; lane += 8)
      __builtin_prefetch((const void *)(uintptr_t)shape_at(shape, next, lane));
  }
  const u32 sectors = shape->sectors[first % SECTOR_BYTES];
  if (!sectors || a->watched || !a->all_defined) {
    n->global_shape(w, insn, shape, a, first);
  } else {
    AccessCount *c = &f->access[s.number];
    c->sum.requests++;
    c->sum.lanes += WARP_LANES;
    c->sum.sectors += sectors;
  }
  take_shape(f, n, insn, to, s, shape, on_host(a, first), a->view + a->bytes);
  return true;
}

static ALWAYS_INLINE bool store_global(Warp *w, Frame *f, const NativeCalls *n, const PtxInsn *insn,
                                       const Site s, const void *address, void *const *from) {
  const unsigned bytes = s.size * s.count;
  Base base;
  if (!has_pattern(&base, s, address))
    return false;
  const u64 first = first_at(s, &base);
  Recent *recent = &f->recent[s.number];
  Allocation *a = recent->memory;
  if (!a || a->kind >= MEMORY_CONSTANT || base.pattern != CONSECUTIVE || first & (bytes - 1) ||
      first - a->address >= a->bytes || 32 * bytes > a->bytes - (first - a->address))
    return false;
  w->changed = true;
  if (a->watched) {
    n->global_row(w, insn, a, first, bytes, true);
  } else {
    AccessCount *c = &f->access[s.number];
    c->whole++;
    c->sum.sectors += sectors_between(first, first + 32 * bytes);
  }
  give_row(f, n, insn, from, s, on_host(a, first));
  if (!a->all_defined || a->unsettled)
    n->global_define(a, first - a->address, 32 * bytes, false);
  return true;
}
#endif
