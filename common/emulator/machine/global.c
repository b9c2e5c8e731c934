/* Global and constant memory: the allocation an access falls into, whole warps in one piece,
 * everything else lane by lane.
 */
#include <string.h>

#include "../observe/banks.h"
#include "../observe/global_shadow.h"
#include "../observe/taint.h"
#include "../observe/watch.h"
#include "access.h"
#include "lanes.h"

static inline Allocation *allocation_at(Warp *w, const PtxInsn *insn, uint64_t address,
                                        uint64_t bytes) {
  Frame *f = warp_frame(w);
  Allocation **recent = &f->count->recent[insn->number];
  Allocation *a = *recent;
  if (!a || address - a->address >= a->bytes) {
    a = memory_find(address);
    if (!a)
      return NULL;
    *recent = a;
  }
  uint64_t offset = address - a->address;
  return bytes <= a->bytes - offset ? a : NULL;
}

static bool range_defined(const Allocation *a, uint64_t offset, uint64_t bytes) {
  if (a->all_defined)
    return true;
  uint64_t end = offset + bytes;
  for (; offset < end && offset % 8; offset++)
    if (!(a->defined[offset / 8] >> offset % 8 & 1))
      return false;
  for (; offset + 8 <= end; offset += 8)
    if (a->defined[offset / 8] != 0xff)
      return false;
  for (; offset < end; offset++)
    if (!(a->defined[offset / 8] >> offset % 8 & 1))
      return false;
  return true;
}

/* What a store writes; `ordered`: a volatile one, whose order is the program's own business.
 * Other workers may define neighbours in the same byte of the map at the same time. */
static void define_range(Allocation *a, uint64_t offset, uint64_t bytes, bool ordered) {
  if (a->all_defined) {
    if (a->unsettled && !ordered)
      memory_unsettle(a, offset, offset + bytes);
    return;
  }
  uint64_t end = offset + bytes;
  while (offset < end) {
    unsigned from = offset % 8, n = end - offset < 8 - from ? (unsigned)(end - offset) : 8 - from;
    uint8_t bits = (uint8_t)(((1u << n) - 1) << from);
    if ((__atomic_load_n(&a->defined[offset / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&a->defined[offset / 8], bits, __ATOMIC_RELAXED);
    offset += n;
  }
}

static void count_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned sectors) {
  AccessCount *c = access_count(w, insn);
  c->requests++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  c->sectors += sectors;
}

static Allocation *global_ok(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                             unsigned bytes) {
  PtxSpace space = insn->space == PTX_CONST ? PTX_CONST : PTX_GLOBAL;
  if (address & (bytes - 1)) {
    watch_misaligned(w, insn, lane, space, address, bytes);
    return NULL;
  }
  Allocation *a = allocation_at(w, insn, address, bytes);
  if (!a)
    watch_out_of_bounds(w, insn, lane, space, address, bytes);
  return a;
}

void load_global_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const Run *run = w->worker->run;
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t good = 0, undefined = 0;
  EACH_SET(lane, lanes) {
    Allocation *a = global_ok(w, insn, lane, address[lane], bytes);
    if (!a) {
      put_lanes(f->registers, insn, lane, no_value);
      continue;
    }
    good |= 1u << lane;
    uint64_t offset = address[lane] - a->address;
    if (!range_defined(a, offset, bytes))
      undefined |= 1u << lane;
    if (a->watched)
      global_shadow_access(w, insn, lane, a, address[lane], bytes, GLOBAL_READ, NULL);
    put_lanes(f->registers, insn, lane, a->view + offset);
  }
  if (good)
    count_global(w, insn, good, sectors_touched(address, good));
  if (run->checks && (undefined || w->tainted))
    taint_load(w, f, insn, lanes, undefined, address, PTX_GLOBAL);
}

void store_global_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t good = 0;
  EACH_SET(lane, lanes) {
    Allocation *a = global_ok(w, insn, lane, address[lane], bytes);
    if (!a)
      continue;
    if (a->kind == MEMORY_CONSTANT) {
      watch_constant_written(w, insn, lane, address[lane], bytes);
      continue;
    }
    good |= 1u << lane;
    uint8_t value[64];
    get_lanes(f->registers, insn, lane, value);
    if (a->watched)
      global_shadow_access(w, insn, lane, a, address[lane], bytes, GLOBAL_WRITE, value);
    uint64_t offset = address[lane] - a->address;
    memcpy(a->view + offset, value, bytes);
    define_range(a, offset, bytes, insn->flags & PTX_VOLATILE);
  }
  if (good)
    count_global(w, insn, good, sectors_touched(address, good));
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / SECTOR_BYTES - from / SECTOR_BYTES + 1;
}

static __attribute__((noinline)) void slow_global(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  (insn->form == PTX_LD ? load_global_lanes : store_global_lanes)(w, insn, lanes, address);
}

/* The next warp that comes here usually goes on by the same distance; the host's own guess stops at
 * page borders. */
static ALWAYS_INLINE void fetch_ahead(AccessCount *c, const Allocation *a, uint64_t first,
                                      uint64_t span) {
  uint64_t next = (uint64_t)(uintptr_t)a->view + (first - a->address) + (first - c->previous);
  c->previous = first;
  for (uint64_t line = 0; line < span; line += 64)
    __builtin_prefetch((const void *)(uintptr_t)(next + line));
}

static ALWAYS_INLINE void load_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                      unsigned count, bool narrow) {
  Frame *f = warp_frame(w);
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, f->registers, insn, lanes, bytes, narrow, &first);
  if (narrow && pattern != SCATTERED)
    first |= PTX_CONST_WINDOW;
  uint64_t span = pattern == CONSECUTIVE ? WARP_LANES * bytes : bytes;
  Allocation *a;
  if (pattern == SCATTERED || first & (bytes - 1) || !(a = allocation_at(w, insn, first, span)) ||
      a->watched || w->tainted || !range_defined(a, first - a->address, span)) {
    slow_global(w, insn, lanes);
    return;
  }
  AccessCount *c = access_count(w, insn);
  c->sectors += sectors_between(first, first + span);
  fetch_ahead(c, a, first, span);
  const uint8_t *from = a->view + (first - a->address);
  if (pattern == CONSECUTIVE) {
    c->whole++;
    put_consecutive(f->registers, insn, size, count, from);
  } else {
    c->same++;
    put_same(f->registers, insn, size, count, from);
  }
}

static ALWAYS_INLINE void store_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count) {
  Frame *f = warp_frame(w);
  const unsigned bytes = size * count;
  uint64_t first;
  Allocation *a;
  if (pattern_of(w, f->registers, insn, lanes, bytes, false, &first) != CONSECUTIVE ||
      first & (bytes - 1) || !(a = allocation_at(w, insn, first, WARP_LANES * bytes)) ||
      a->watched || a->kind == MEMORY_CONSTANT) {
    slow_global(w, insn, lanes);
    return;
  }
  AccessCount *c = access_count(w, insn);
  c->whole++;
  c->sectors += sectors_between(first, first + WARP_LANES * bytes);
  get_consecutive(f->registers, insn, size, count, a->view + (first - a->address));
  define_range(a, first - a->address, WARP_LANES * bytes, insn->flags & PTX_VOLATILE);
}

/* ---- one function for each shape; only constant memory has narrow addresses ------------------- */
#define STEPS(size, count)                                                                         \
  STEP(load_global_##size##x##count, load_global(w, i, lanes, size, count, false))                 \
  STEP(load_narrow_##size##x##count, load_global(w, i, lanes, size, count, true))                  \
  STEP(store_global_##size##x##count, store_global(w, i, lanes, size, count))
EACH_SHAPE(STEPS)
#undef STEPS

Step global_step(const PtxInsn *insn) {
  static const Step table[3][SHAPES] = {SHAPE_ROW(load_global), SHAPE_ROW(store_global),
                                        SHAPE_ROW(load_narrow)};
  int shape = access_shape(insn);
  bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  return shape < 0 ? slow_global : table[narrow ? 2 : insn->form == PTX_ST][shape];
}
