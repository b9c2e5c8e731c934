/* Shared memory: consecutive lanes and one address for all in one piece, all others as 32 offsets.
 *
 * A wrong access is reported and skipped: a load gives all ones there, and the launch ends with the
 * error that the hardware would raise.
 */
#include <string.h>

#include "access.h"
#include "arith.h"

static void report_wrong(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                         unsigned bytes) {
  if (address > w->shared_bytes || bytes > w->shared_bytes - address) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, PTX_SHARED, address, bytes, REPORT_OUT_OF_BOUNDS);
  } else {
    run_fail(w, LAUNCH_MISALIGNED);
    hook_wrong_access(w, insn, lane, PTX_SHARED, address, bytes, REPORT_MISALIGNED);
  }
}

const Shape *shared_shape(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  const unsigned bytes = access_bytes(insn);
  const uint32_t size = w->shared_bytes;
  Recent *recent = &w->frame->recent[insn->number];
  const Shape *shape = shape_of(recent, lanes, address, bytes);
  uint32_t good = 0;
  if (shape && shape_fits(shape, address[lowest(lanes)], 0, size, bytes))
    return shape;
  EACH_SET(lane, lanes)
  if (address[lane] <= size && bytes <= size - address[lane] && !(address[lane] & (bytes - 1)))
    good |= 1u << lane;
  else
    report_wrong(w, insn, lane, address[lane], bytes);
  return good ? shape_of(recent, good, address, bytes) : NULL;
}

/* On lanes whose addresses are right. */
static ALWAYS_INLINE void access_at(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  uint8_t *registers = w->frame->registers, *lead = w->shared + at;
  if (insn->form == PTX_LD) {
    if (__builtin_expect(insn->flags & PTX_VOLATILE, 0))
      access_polls(w, PTX_SHARED_WINDOW + at, low_bytes(lead, access_bytes(insn)));
    hook_shared_load(w, insn, shape, at);
    put_lanes(registers, insn, shape, lead, w->shared + w->shared_bytes + SHARED_PADDING);
  } else {
    w->changed = true;
    hook_shared_store(w, insn, shape, at);
    get_shape(registers, insn, shape, lead);
  }
}

void shared_access(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  const Shape *shape = shared_shape(w, insn, lanes, address);
  const uint32_t good = shape ? shape->lanes : 0;
  if (insn->form == PTX_LD && good != lanes)
    put_no_value(w->frame->registers, insn, lanes & ~good);
  if (shape)
    access_at(w, insn, shape, (uint32_t)address[lowest(good)]);
}

void any_shared(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  lane_addresses(w->frame->registers, insn, address);
  shared_access(w, insn, lanes, address);
}

/* Addresses that are a shape. */
static ALWAYS_INLINE const Shape *right_shape(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                              unsigned bytes, uint64_t *at) {
  const bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  const Shape *shape = base_shape(w, insn, lanes, narrow);
  *at = first_of(w, insn, narrow);
  return shape && shape_fits(shape, *at, 0, w->shared_bytes, bytes) ? shape : NULL;
}

static __attribute__((noinline)) void shaped_shared(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t at;
  const Shape *shape = right_shape(w, insn, lanes, access_bytes(insn), &at);
  if (shape)
    access_at(w, insn, shape, (uint32_t)at);
  else
    any_shared(w, insn, lanes);
}

static ALWAYS_INLINE void load_shape_values(Warp *w, const PtxInsn *insn, const Shape *shape,
                                            uint32_t at, unsigned size, unsigned count) {
  put_shape(w->frame->registers, insn, size, count, shape, w->shared + at,
            w->shared + w->shared_bytes + SHARED_PADDING);
}

/* One that observers have something to note about, or a mistake. */
static __attribute__((noinline)) void load_shape_noted(Warp *w, const PtxInsn *insn,
                                                       const Shape *shape, uint32_t at) {
  access_at(w, insn, shape, at);
}

typedef void LoadShape(Warp *, const PtxInsn *, const Shape *, uint32_t at);

static ALWAYS_INLINE void load_shape(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                     unsigned count, LoadShape *looked_at) {
  uint64_t at;
  const Shape *shape = right_shape(w, insn, lanes, size * count, &at);
  if (!shape)
    any_shared(w, insn, lanes);
  else if (!hook_shared_shape_is_quiet(w, insn, shape, (uint32_t)at))
    looked_at(w, insn, shape, (uint32_t)at);
  else
    load_shape_values(w, insn, shape, (uint32_t)at, size, count);
}

/* Is `span` from `first` on inside and aligned? */
static ALWAYS_INLINE bool plain_shared(const Warp *w, uint64_t first, unsigned span,
                                       unsigned bytes) {
  return first <= UINT32_MAX && first + span <= w->shared_bytes && !(first & (bytes - 1));
}

typedef void LoadAt(Warp *, const PtxInsn *, uint64_t first);

static ALWAYS_INLINE void load_row(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                   unsigned count, LoadAt *noted) {
  const unsigned bytes = size * count;
  if (!plain_shared(w, first, 32 * bytes, bytes))
    any_shared(w, insn, ALL_LANES);
  else if (hook_shared_row_load(w, insn, first, bytes))
    noted(w, insn, first);
  else
    put_consecutive(w->frame->registers, insn, size, count, w->shared + first);
}

static ALWAYS_INLINE void load_same(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                    unsigned count) {
  const unsigned bytes = size * count;
  if (!plain_shared(w, first, bytes, bytes) || !hook_shared_same_load(w, insn, first, bytes))
    any_shared(w, insn, ALL_LANES);
  else
    put_same(w->frame->registers, insn, size, count, w->shared + first);
}

/* A function for each pattern and size: they end in the jump to the next, so none saves registers. */
#define LOADS(size, count)                                                                         \
  static __attribute__((noinline)) void load_shape_looked_at_##size##x##count(                     \
      Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {                             \
    if (hook_shared_shape_load(w, insn, shape, at, size * count))                                  \
      load_shape_noted(w, insn, shape, at);                                                        \
    else                                                                                           \
      load_shape_values(w, insn, shape, at, size, count);                                          \
  }                                                                                                \
  static __attribute__((noinline)) void load_shape_##size##x##count(Warp *w, const PtxInsn *insn,  \
                                                                    uint32_t lanes) {              \
    load_shape(w, insn, lanes, size, count, load_shape_looked_at_##size##x##count);                \
  }                                                                                                \
  /* ... that observers have something to note about, or a mistake */                              \
  static __attribute__((noinline)) void load_row_noted_##size##x##count(                           \
      Warp *w, const PtxInsn *insn, uint64_t first) {                                              \
    hook_shared_row_noted(w, insn, (uint32_t)first, size *count);                                  \
    put_consecutive(w->frame->registers, insn, size, count, w->shared + first);                    \
  }                                                                                                \
  static __attribute__((noinline)) void load_row_##size##x##count(Warp *w, const PtxInsn *insn,    \
                                                                  uint64_t first) {                \
    load_row(w, insn, first, size, count, load_row_noted_##size##x##count);                        \
  }                                                                                                \
  static __attribute__((noinline)) void load_same_##size##x##count(Warp *w, const PtxInsn *insn,   \
                                                                   uint64_t first) {               \
    load_same(w, insn, first, size, count);                                                        \
  }
EACH_SHAPE(LOADS)
#undef LOADS

/* One of an unrolled loop's loads, of which all are right, and observers have no more to do than to count. */
static ALWAYS_INLINE uint8_t *clear_place(const Warp *w, const PtxInsn *insn) {
  return w->shared + (uint32_t)(w->bases[insn->base].first + (uint64_t)insn->imm);
}
#define CLEAR_LOADS(size, count)                                                                   \
  STEP(clear_row_##size##x##count, (void)lanes; hook_shared_clear_row(w, i);                       \
       put_consecutive(w->frame->registers, i, size, count, clear_place(w, i)))                    \
  STEP(clear_same_##size##x##count, (void)lanes; hook_shared_clear_same(w, i);                     \
       put_same(w->frame->registers, i, size, count, clear_place(w, i)))                           \
  STEP(clear_shape_##size##x##count, const Shape *shape = w->bases[i->base].shape;                 \
       const uint32_t at = (uint32_t)(clear_place(w, i) - w->shared); (void)lanes;                 \
       if (hook_shared_clear_shape(w, i, shape, at))                                               \
           load_shape_values(w, i, shape, at, size, count);                                        \
       else load_shape_noted(w, i, shape, at))
EACH_SHAPE(CLEAR_LOADS)
#undef CLEAR_LOADS

/* Where an unrolled loop adds up products, what it loads need not go through registers: one value
 * times a row, as in a tile as wide as a warp. */
static ALWAYS_INLINE void row_product(Warp *w, const PtxInsn *one, const PtxInsn *row,
                                      const PtxInsn *sum) {
  float factor;
  memcpy(&factor, clear_place(w, one), sizeof factor);
  hook_shared_clear_same(w, one);
  hook_shared_clear_row(w, row);
  const float *values = (const float *)(const void *)clear_place(w, row);
  const float *c = __builtin_assume_aligned(w->frame->registers + sum->c, 64);
  float *d = __builtin_assume_aligned(w->frame->registers + sum->d, 64);
  EACH_LANE d[lane] = one_nan(__builtin_fmaf(factor, values[lane], c[lane]));
}

bool shared_product(Warp *w, const PtxInsn *step) {
  const PtxInsn *first = &w->frame->function->code[step->number], *second = first + 1;
  const PtxInsn *sum = first + 2;
  const Step one = w->bases[first->base].step, other = w->bases[second->base].step;
  if (one == clear_same_4x1 && other == clear_row_4x1)
    row_product(w, first, second, sum);
  else if (one == clear_row_4x1 && other == clear_same_4x1)
    row_product(w, second, first, sum);
  else
    return false;
  return true;
}

/* Is it so, where this is the first? */
static bool is_clear_ahead(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned bytes,
                           bool narrow) {
  Base *base = &w->bases[insn->base];
  const Shape *shape = NULL;
  if (base->pattern == SCATTERED && !(shape = base_shape(w, insn, lanes, narrow)))
    return false;
  const uint64_t first = first_of(w, insn, narrow);
  const uint64_t lowest_lane = first - (shape ? shape->below : 0);
  const uint64_t low = lowest_lane + (uint64_t)(int64_t)insn->unrolled.low;
  const uint64_t lanes_span = shape                          ? shape->span
                              : base->pattern == CONSECUTIVE ? WARP_LANES * bytes
                                                             : bytes;
  const uint64_t span = lanes_span + insn->unrolled.bytes - bytes;
  return lowest_lane <= UINT32_MAX && low <= w->shared_bytes && span <= w->shared_bytes - low &&
         !((first | (shape ? shape->odd : 0)) & (bytes - 1)) &&
         hook_shared_loads_ahead(w, insn, base, first, (uint32_t)low, (uint32_t)span);
}
static __attribute__((noinline)) void look_ahead(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                                 unsigned bytes, bool narrow, const Step *clear,
                                                 Step usual) {
  Base *base = &w->bases[insn->base];
  base->step = is_clear_ahead(w, insn, lanes, bytes, narrow) ? clear[base->pattern] : usual;
}
static void step_unrolled(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  w->bases[insn->base].step(w, insn, lanes);
}

static ALWAYS_INLINE void load_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned bytes,
                                      bool narrow, LoadAt *row, LoadAt *same, Step shape,
                                      const Step *clear, Step self) {
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, narrow);
  if (insn->unrolled.bytes) {
    look_ahead(w, insn, lanes, bytes, narrow, clear, self);
    if (w->bases[insn->base].step != self) {
      w->bases[insn->base].step(w, insn, lanes);
      return;
    }
  }
  switch (pattern) {
  case CONSECUTIVE:
    row(w, insn, first_of(w, insn, narrow));
    return;
  case SAME:
    same(w, insn, first_of(w, insn, narrow));
    return;
  case SCATTERED:
    shape(w, insn, lanes);
    return;
  }
}

static ALWAYS_INLINE void store_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count, bool narrow) {
  const unsigned bytes = size * count;
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, narrow);
  if (pattern == SCATTERED) {
    shaped_shared(w, insn, lanes);
    return;
  }
  const uint64_t first = first_of(w, insn, narrow);
  if (pattern == SAME || !plain_shared(w, first, 32 * bytes, bytes)) {
    any_shared(w, insn, lanes);
    return;
  }
  w->changed = true;
  hook_shared_row_store(w, insn, first, bytes);
  get_consecutive(w->frame->registers, insn, size, count, w->shared + first);
}

/* ---- one function for each shape and address width ------------------------------------------- */
#define STEPS(size, count)                                                                         \
  static const Step clear_##size##x##count[] = {[SAME] = clear_same_##size##x##count,              \
                                                [CONSECUTIVE] = clear_row_##size##x##count,        \
                                                [SCATTERED] = clear_shape_##size##x##count};       \
  STEP(load_wide_##size##x##count,                                                                 \
       load_shared(w, i, lanes, (size) * (count), false, load_row_##size##x##count,                \
                   load_same_##size##x##count, load_shape_##size##x##count,                        \
                   clear_##size##x##count, load_wide_##size##x##count))                            \
  STEP(store_wide_##size##x##count, store_shared(w, i, lanes, size, count, false))                 \
  STEP(load_narrow_##size##x##count,                                                               \
       load_shared(w, i, lanes, (size) * (count), true, load_row_##size##x##count,                 \
                   load_same_##size##x##count, load_shape_##size##x##count,                        \
                   clear_##size##x##count, load_narrow_##size##x##count))                          \
  STEP(store_narrow_##size##x##count, store_shared(w, i, lanes, size, count, true))
EACH_SHAPE(STEPS)
#undef STEPS

Step shared_step(const PtxInsn *insn) {
  static const Step table[2][2][SHAPES] = {{SHAPE_ROW(load_wide), SHAPE_ROW(store_wide)},
                                           {SHAPE_ROW(load_narrow), SHAPE_ROW(store_narrow)}};
  int shape = access_shape(insn);
  bool narrow = insn->flags & PTX_NARROW_ADDRESS, store = insn->form == PTX_ST;
  return insn->flags & PTX_VOLATILE || insn->a == PTX_NO_REG ? any_shared
         : shape < 0                                         ? shaped_shared
         : insn->unrolled.member && !insn->unrolled.bytes    ? step_unrolled
                                                             : table[narrow][store][shape];
}
