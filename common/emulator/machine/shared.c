/* Implements loads and stores of shared memory. A full warp that accesses consecutive addresses, or
 * loads from one address, is processed as a unit; other accesses are processed as 32 offsets from
 * the lowest lane's address.
 *
 * An invalid access is reported and skipped: a load returns all ones, and the launch ends with the
 * error of a GPU. */
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

/* Executes the access for the lanes of a shape, whose addresses are valid. */
static ALWAYS_INLINE void access_at(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at) {
  uint8_t *registers = w->frame->registers, *lead = w->shared + at;
  if (insn->form == PTX_LD) {
    if (__builtin_expect(insn->flags & PTX_VOLATILE, 0))
      access_polls(w, PTX_SHARED_WINDOW + at, low_bytes(lead, access_bytes(insn)));
    hook_shared_access(w, insn, shape, at);
    put_lanes(registers, insn, shape, lead, w->shared + w->shared_bytes + SHARED_PADDING);
  } else {
    w->changed = true;
    hook_shared_access(w, insn, shape, at);
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

/* Returns the shape of the addresses if all addresses are valid; otherwise NULL. */
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

static ALWAYS_INLINE void load_shape(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                     unsigned count) {
  uint64_t at;
  const Shape *shape = right_shape(w, insn, lanes, size * count, &at);
  if (!shape)
    any_shared(w, insn, lanes);
  else if (hook_shared_load(w, insn, SCATTERED, shape, (uint32_t)at, size * count))
    load_shape_values(w, insn, shape, (uint32_t)at, size, count);
  else
    access_at(w, insn, shape, (uint32_t)at);
}

/* Returns true if the `span` bytes from `first` on are in bounds and `first` is a multiple of
 * `bytes`. */
static ALWAYS_INLINE bool fits(const Warp *w, uint64_t first, unsigned span, unsigned bytes) {
  return first <= UINT32_MAX && first + span <= w->shared_bytes && !(first & (bytes - 1));
}

static ALWAYS_INLINE void load_row(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                   unsigned count) {
  const unsigned bytes = size * count;
  if (!fits(w, first, 32 * bytes, bytes)) {
    any_shared(w, insn, ALL_LANES);
    return;
  }
  hook_shared_load(w, insn, CONSECUTIVE, NULL, (uint32_t)first, bytes);
  put_consecutive(w->frame->registers, insn, size, count, w->shared + first);
}

static ALWAYS_INLINE void load_same(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                    unsigned count) {
  const unsigned bytes = size * count;
  if (!fits(w, first, bytes, bytes) ||
      !hook_shared_load(w, insn, SAME, NULL, (uint32_t)first, bytes))
    any_shared(w, insn, ALL_LANES);
  else
    put_same(w->frame->registers, insn, size, count, w->shared + first);
}

/* Returns the host address of a foreseen load: a load of an unrolled loop that the first load has
 * checked (Base.step), so it only has to be counted and executed. */
static ALWAYS_INLINE uint8_t *foreseen_place(const Warp *w, const PtxInsn *insn) {
  return w->shared + (uint32_t)(w->bases[insn->base].first + (uint64_t)insn->imm);
}

static ALWAYS_INLINE void foreseen_shape(Warp *w, const PtxInsn *insn, unsigned size,
                                         unsigned count) {
  const Shape *shape = w->bases[insn->base].shape;
  const uint32_t at = (uint32_t)(foreseen_place(w, insn) - w->shared);
  if (hook_shared_foreseen(w, insn, SCATTERED, shape, at))
    load_shape_values(w, insn, shape, at, size, count);
  else
    access_at(w, insn, shape, at);
}

/* Executes two loads and a multiply-add directly from shared memory, without storing the loaded
 * values in registers. Load `one` has the same address for all lanes, and load `row` has 32
 * consecutive addresses, as for a tile that is as wide as a warp. */
static ALWAYS_INLINE void row_product(Warp *w, const PtxInsn *one, const PtxInsn *row,
                                      const PtxInsn *sum) {
  float factor;
  memcpy(&factor, foreseen_place(w, one), sizeof factor);
  hook_shared_foreseen(w, one, SAME, NULL, 0);
  hook_shared_foreseen(w, row, CONSECUTIVE, NULL, 0);
  const float *values = (const float *)(const void *)foreseen_place(w, row);
  const float *c = __builtin_assume_aligned(w->frame->registers + sum->c, 64);
  float *d = __builtin_assume_aligned(w->frame->registers + sum->d, 64);
  EACH_LANE d[lane] = one_nan(__builtin_fmaf(factor, values[lane], c[lane]));
}

/* Called at the first load of an unrolled loop. Returns true if all loads of the loop are in bounds
 * and there is nothing to report. Then the later loads are foreseen. */
static bool can_foresee(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned bytes, bool narrow) {
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
                                                 unsigned bytes, bool narrow, const Step *foreseen,
                                                 Step usual) {
  Base *base = &w->bases[insn->base];
  base->step = can_foresee(w, insn, lanes, bytes, narrow) ? foreseen[base->pattern] : usual;
}
static void step_unrolled(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  w->bases[insn->base].step(w, insn, lanes);
}

typedef void LoadAt(Warp *, const PtxInsn *, uint64_t first);
/* The functions that load elements of one size. `row`, `same`, `shape`: for the three address
 * patterns. `foreseen`: for foreseen loads, by pattern. `self`: the function that chooses among the
 * other functions. */
typedef struct Loads {
  LoadAt *row, *same;
  Step shape, foreseen[3], self;
} Loads;

static ALWAYS_INLINE void load_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned bytes,
                                      const Loads *of_size) {
  const bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, narrow);
  if (insn->unrolled.bytes) {
    look_ahead(w, insn, lanes, bytes, narrow, of_size->foreseen, of_size->self);
    if (w->bases[insn->base].step != of_size->self) {
      w->bases[insn->base].step(w, insn, lanes);
      return;
    }
  }
  switch (pattern) {
  case CONSECUTIVE:
    of_size->row(w, insn, first_of(w, insn, narrow));
    return;
  case SAME:
    of_size->same(w, insn, first_of(w, insn, narrow));
    return;
  case SCATTERED:
    of_size->shape(w, insn, lanes);
    return;
  }
}

static ALWAYS_INLINE void store_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count) {
  const unsigned bytes = size * count;
  const bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, narrow);
  if (pattern == SCATTERED) {
    shaped_shared(w, insn, lanes);
    return;
  }
  const uint64_t first = first_of(w, insn, narrow);
  if (pattern == SAME || !fits(w, first, 32 * bytes, bytes)) {
    any_shared(w, insn, lanes);
    return;
  }
  w->changed = true;
  hook_shared_store_row(w, insn, (uint32_t)first, bytes);
  get_consecutive(w->frame->registers, insn, size, count, w->shared + first);
}

/* ---- the functions of each size -------------------------------------------------------------- */
/* The usual sizes are constants, so that the compiler generates a separate loop for each size. This
 * makes the bench's FFT 17 % faster (4x2) and the loads of 16 bytes in lab 04 13 % faster (4x4).
 * `any` is for elements of 8 bytes. The functions for the patterns are not inlined, so that a
 * function does not save registers that only another pattern needs. */
#define EACH_SIZE(X)                                                                               \
  X(4x1, 4, 1)                                                                                     \
  X(4x2, 4, 2) X(4x4, 4, 4) X(any, ptx_type_bytes((PtxType)i->type), i->count)
#define NOINLINE __attribute__((noinline))
#define STEPS(name, size, count)                                                                   \
  static NOINLINE void load_row_##name(Warp *w, const PtxInsn *i, uint64_t first) {                \
    load_row(w, i, first, size, count);                                                            \
  }                                                                                                \
  static NOINLINE void load_same_##name(Warp *w, const PtxInsn *i, uint64_t first) {               \
    load_same(w, i, first, size, count);                                                           \
  }                                                                                                \
  static NOINLINE void load_shape_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {              \
    load_shape(w, i, lanes, size, count);                                                          \
  }                                                                                                \
  static void foreseen_row_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {                     \
    (void)lanes;                                                                                   \
    hook_shared_foreseen(w, i, CONSECUTIVE, NULL, 0);                                              \
    put_consecutive(w->frame->registers, i, size, count, foreseen_place(w, i));                    \
  }                                                                                                \
  static void foreseen_same_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {                    \
    (void)lanes;                                                                                   \
    hook_shared_foreseen(w, i, SAME, NULL, 0);                                                     \
    put_same(w->frame->registers, i, size, count, foreseen_place(w, i));                           \
  }                                                                                                \
  static void foreseen_shape_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {                   \
    (void)lanes;                                                                                   \
    foreseen_shape(w, i, size, count);                                                             \
  }                                                                                                \
  static void load_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {                             \
    static const Loads of_size = {load_row_##name,                                                 \
                                  load_same_##name,                                                \
                                  load_shape_##name,                                               \
                                  {[SAME] = foreseen_same_##name,                                  \
                                   [CONSECUTIVE] = foreseen_row_##name,                            \
                                   [SCATTERED] = foreseen_shape_##name},                           \
                                  load_##name};                                                    \
    load_shared(w, i, lanes, (size) * (count), &of_size);                                          \
  }                                                                                                \
  static void store_##name(Warp *w, const PtxInsn *i, uint32_t lanes) {                            \
    store_shared(w, i, lanes, size, count);                                                        \
  }
EACH_SIZE(STEPS)
#undef STEPS

bool shared_product(Warp *w, const PtxInsn *step) {
  const PtxInsn *first = &w->frame->function->code[step->number], *second = first + 1;
  const PtxInsn *sum = first + 2;
  const Step one = w->bases[first->base].step, other = w->bases[second->base].step;
  if (one == foreseen_same_4x1 && other == foreseen_row_4x1)
    row_product(w, first, second, sum);
  else if (one == foreseen_row_4x1 && other == foreseen_same_4x1)
    row_product(w, second, first, sum);
  else
    return false;
  return true;
}

Step shared_step(const PtxInsn *insn) {
  static const Step table[2][SHAPES] = {{load_4x1, load_4x2, load_4x4, load_any, load_any},
                                        {store_4x1, store_4x2, store_4x4, store_any, store_any}};
  const int shape = access_shape(insn);
  return insn->flags & PTX_VOLATILE || insn->a == PTX_NO_REG ? any_shared
         : shape < 0                                         ? shaped_shared
         : insn->unrolled.member && !insn->unrolled.bytes    ? step_unrolled
                                                             : table[insn->form == PTX_ST][shape];
}
