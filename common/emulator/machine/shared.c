/* Shared memory: loads and stores by whole warps in one piece, everything else lane by lane.
 *
 * A wrong access is reported and skipped: a load gives all ones there, and the launch ends with the
 * error that the hardware would raise.
 */
#include <string.h>

#include "../observe/shared_shadow.h"
#include "../observe/taint.h"
#include "../observe/watch.h"
#include "access.h"
#include "lanes.h"

static bool shared_ok(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                      unsigned bytes) {
  if (address > w->block->shared_bytes || bytes > w->block->shared_bytes - address) {
    watch_out_of_bounds(w, insn, lane, PTX_SHARED, address, bytes);
    return false;
  }
  if (address & (bytes - 1)) {
    watch_misaligned(w, insn, lane, PTX_SHARED, address, bytes);
    return false;
  }
  return true;
}

static void count_scattered_shared(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                   const uint64_t *address, unsigned bytes) {
  AccessCount *count = access_count(w, insn);
  unsigned banks = w->worker->run->bank_bytes;
  count->requests++;
  count->lanes += (unsigned)__builtin_popcount(lanes);
  BankUse use = banks_use(address, lanes, bytes, banks, insn->form == PTX_LD);
  count->wavefronts += use.wavefronts;
  count->ideal += use.ideal;
}

void load_shared_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  const bool checks = w->worker->run->checks;
  const unsigned shift = w->block->shadow->shift;
  uint32_t good = 0, undefined = 0;
  EACH_SET(lane, lanes) {
    bool ok = shared_ok(w, insn, lane, address[lane], bytes);
    put_lanes(f->registers, insn, lane, ok ? w->block->shared + address[lane] : no_value);
    if (!ok)
      continue;
    good |= 1u << lane;
    if (checks &&
        shadow_read_entries(w, insn, lane, (uint32_t)address[lane] >> shift, bytes >> shift))
      undefined |= 1u << lane;
  }
  count_scattered_shared(w, insn, good, address, bytes);
  if (undefined || (checks && w->tainted))
    taint_load(w, f, insn, lanes, undefined, address, PTX_SHARED);
}

void store_shared_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  const unsigned shift = w->block->shadow->shift;
  uint32_t good = 0;
  EACH_SET(lane, lanes) {
    if (!shared_ok(w, insn, lane, address[lane], bytes))
      continue;
    uint8_t value[64];
    get_lanes(f->registers, insn, lane, value);
    good |= 1u << lane;
    if (w->worker->run->checks)
      shadow_write_entries(w, insn, lane, (uint32_t)address[lane] >> shift, bytes >> shift, value,
                           bytes);
    memcpy(w->block->shared + address[lane], value, bytes);
  }
  count_scattered_shared(w, insn, good, address, bytes);
}

static __attribute__((noinline)) void slow_shared(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  if (lanes == ALL_LANES && strided_shared(w, insn, address))
    return;
  (insn->form == PTX_LD ? load_shared_lanes : store_shared_lanes)(w, insn, lanes, address);
}

static __attribute__((noinline)) void taint_shared(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                                   uint32_t undefined) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  taint_load(w, warp_frame(w), insn, lanes, undefined, address, PTX_SHARED);
}

/* A row that the shadow has something to note about: first readers, or a mistake; or that nobody
 * has looked at since the last barrier. */
static __attribute__((noinline)) void load_row_noted(Warp *w, const PtxInsn *insn, uint32_t first) {
  Frame *f = warp_frame(w);
  const unsigned size = ptx_type_bytes((PtxType)insn->type), bytes = size * insn->count;
  access_count(w, insn)->whole++;
  uint32_t undefined = shadow_read_run(w, insn, first, bytes);
  shadow_look(w->shadow, first, bytes);
  put_consecutive(f->registers, insn, size, insn->count, w->shared + first);
  if (undefined)
    taint_shared(w, insn, ALL_LANES, undefined);
}

/* Is `span` from `first` on inside, aligned, and free of anything that needs care? */
static ALWAYS_INLINE bool plain_shared(const Warp *w, uint64_t first, unsigned span,
                                       unsigned bytes) {
  return first + span <= w->shared_bytes && first <= w->shared_bytes && !(first & (bytes - 1)) &&
         !w->tainted;
}

static ALWAYS_INLINE void load_row(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                   unsigned count) {
  const unsigned bytes = size * count;
  if (!plain_shared(w, first, WARP_LANES * bytes, bytes)) {
    slow_shared(w, insn, ALL_LANES);
  } else if (w->checks && !shadow_row_quiet(w->shadow, (uint32_t)first, bytes)) {
    load_row_noted(w, insn, (uint32_t)first);
  } else {
    access_count(w, insn)->whole++;
    put_consecutive(warp_frame(w)->registers, insn, size, count, w->shared + first);
  }
}

static ALWAYS_INLINE void load_same(Warp *w, const PtxInsn *insn, uint64_t first, unsigned size,
                                    unsigned count) {
  const unsigned bytes = size * count;
  if (!plain_shared(w, first, bytes, bytes) ||
      (w->checks && !shadow_read_same(w, insn, (uint32_t)first, bytes))) {
    slow_shared(w, insn, ALL_LANES);
  } else {
    access_count(w, insn)->same++;
    put_same(warp_frame(w)->registers, insn, size, count, w->shared + first);
  }
}

/* A function for each shape: they end in the jump to the next, so none saves registers. */
typedef void LoadAt(Warp *, const PtxInsn *, uint64_t first);
#define LOADS(size, count)                                                                         \
  static __attribute__((noinline)) void load_row_##size##x##count(Warp *w, const PtxInsn *insn,    \
                                                                  uint64_t first) {                \
    load_row(w, insn, first, size, count);                                                         \
  }                                                                                                \
  static __attribute__((noinline)) void load_same_##size##x##count(Warp *w, const PtxInsn *insn,   \
                                                                   uint64_t first) {               \
    load_same(w, insn, first, size, count);                                                        \
  }
EACH_SHAPE(LOADS)
#undef LOADS

static ALWAYS_INLINE void load_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned bytes,
                                      bool narrow, LoadAt *row, LoadAt *same) {
  uint64_t first;
  switch (pattern_of(w, warp_frame(w)->registers, insn, lanes, bytes, narrow, &first)) {
  case CONSECUTIVE:
    row(w, insn, first);
    return;
  case SAME:
    same(w, insn, first);
    return;
  case SCATTERED:
    slow_shared(w, insn, lanes);
    return;
  }
}

static ALWAYS_INLINE void store_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count, bool narrow) {
  Frame *f = warp_frame(w);
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, f->registers, insn, lanes, bytes, narrow, &first);
  if (pattern != CONSECUTIVE || first > w->shared_bytes ||
      WARP_LANES * bytes > w->shared_bytes - first || first & (bytes - 1)) {
    slow_shared(w, insn, lanes);
    return;
  }
  access_count(w, insn)->whole++;
  uint8_t value[WARP_LANES * 16];
  get_consecutive(f->registers, insn, size, count, value);
  if (w->checks)
    shadow_write_run(w, insn, (uint32_t)first, bytes, value);
  memcpy(w->shared + first, value, WARP_LANES * bytes);
}

/* ---- one function for each shape and address width ------------------------------------------- */
#define STEPS(size, count)                                                                         \
  STEP(load_wide_##size##x##count,                                                                 \
       load_shared(w, i, lanes, (size) * (count), false, load_row_##size##x##count,                \
                   load_same_##size##x##count))                                                    \
  STEP(store_wide_##size##x##count, store_shared(w, i, lanes, size, count, false))                 \
  STEP(load_narrow_##size##x##count,                                                               \
       load_shared(w, i, lanes, (size) * (count), true, load_row_##size##x##count,                 \
                   load_same_##size##x##count))                                                    \
  STEP(store_narrow_##size##x##count, store_shared(w, i, lanes, size, count, true))
EACH_SHAPE(STEPS)
#undef STEPS

Step shared_step(const PtxInsn *insn) {
  static const Step table[2][2][SHAPES] = {{SHAPE_ROW(load_wide), SHAPE_ROW(store_wide)},
                                           {SHAPE_ROW(load_narrow), SHAPE_ROW(store_narrow)}};
  int shape = access_shape(insn);
  bool narrow = insn->flags & PTX_NARROW_ADDRESS, store = insn->form == PTX_ST;
  return shape < 0 ? slow_shared : table[narrow][store][shape];
}
