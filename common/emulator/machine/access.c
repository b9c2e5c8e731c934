/* Loads and stores.
 *
 * A warp's 32 addresses are usually consecutive or all the same. Both are recognised first and then
 * handled as one piece: one bounds check, one look at the shadow, one copy that the compiler
 * vectorises. Everything else (strides, parts of a warp, the last element of a buffer) goes lane by
 * lane and asks the observers what to say. A wrong access is reported and skipped: a load gives all
 * ones there, and the launch ends with the error that the hardware would raise.
 */
#include <assert.h>
#include <string.h>

#include "../observe/banks.h"
#include "../observe/global_shadow.h"
#include "../observe/shared_shadow.h"
#include "../observe/taint.h"
#include "../observe/watch.h"
#include "vector.h"
#include "warp.h"

/* The last lane tells which question is worth asking. */
static ALWAYS_INLINE void find_pattern(Base *base, const uint8_t *a, bool narrow, unsigned bytes) {
  const uint32_t *low = (const uint32_t *)(const void *)a;
  const uint64_t *wide = (const uint64_t *)(const void *)a;
  bool same = narrow ? low[31] == low[0] : wide[31] == wide[0], yes;
  base->first = narrow ? low[0] : wide[0];
  if (same)
    yes = narrow ? lanes_advance32(low, 0) : lanes_advance64(wide, 0);
  else
    yes = narrow ? lanes_advance32(low, bytes) : lanes_advance64(wide, bytes);
  base->pattern = !yes ? SCATTERED : same ? SAME : CONSECUTIVE;
}

/* How the addresses of a whole warp lie, and the lowest lane's. */
static ALWAYS_INLINE Pattern pattern_of(Warp *w, const uint8_t *registers, const PtxInsn *insn,
                                        uint32_t lanes, unsigned bytes, bool narrow,
                                        uint64_t *first) {
  if (lanes != ALL_LANES || insn->base == PTX_NO_BASE)
    return SCATTERED;
  Base *base = &w->bases[insn->base];
  if (!insn->base_known)
    find_pattern(base, registers + insn->a, narrow, bytes);
  *first = base->first + (uint64_t)insn->imm;
  if (narrow)
    *first = (uint32_t)*first;
  return base->pattern;
}

static void scattered_addresses(const uint8_t *registers, const PtxInsn *insn, uint64_t *address) {
  if (insn->a == PTX_NO_REG)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = (uint64_t)insn->imm;
  else if (insn->flags & PTX_NARROW_ADDRESS)
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] = (uint32_t)(((const uint32_t *)(const void *)(registers + insn->a))[lane] +
                                 (uint32_t)insn->imm);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      address[lane] =
          ((const uint64_t *)(const void *)(registers + insn->a))[lane] + (uint64_t)insn->imm;
}

/* ---- between memory and registers ------------------------------------------------------------ */
/* One element into one lane: extended to the register's width as its type says. */
static void put_lane(uint8_t *registers, uint32_t slot, unsigned lane, unsigned type, unsigned wide,
                     const uint8_t *from) {
  uint64_t raw = 0;
  unsigned bytes = ptx_type_bytes((PtxType)type);
  memcpy(&raw, from, bytes);
  if (type == PTX_S8)
    raw = (uint64_t)(int8_t)raw;
  else if (type == PTX_S16)
    raw = (uint64_t)(int16_t)raw;
  else if (type == PTX_S32)
    raw = (uint64_t)(int32_t)raw;
  if (slot == PTX_NO_REG)
    return;
  if (wide == 8)
    slot64(registers, slot)[lane] = raw;
  else
    slot32(registers, slot)[lane] = (uint32_t)raw;
}

static void get_lane(uint8_t *registers, uint32_t slot, unsigned lane, unsigned type, uint8_t *to) {
  unsigned bytes = ptx_type_bytes((PtxType)type);
  if (bytes == 8)
    memcpy(to, slot64(registers, slot) + lane, 8);
  else
    memcpy(to, slot32(registers, slot) + lane, bytes);
}

static bool is_wide_register(const PtxInsn *insn) {
  return insn->sub == 8 || ptx_type_bytes((PtxType)insn->type) == 8;
}

static void put_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, const uint8_t *from) {
  unsigned bytes = ptx_type_bytes((PtxType)insn->type), wide = is_wide_register(insn) ? 8 : 4;
  for (unsigned i = 0; i < insn->count; i++)
    put_lane(registers, insn->list[i], lane, insn->type, wide, from + i * bytes);
}

static void get_lanes(uint8_t *registers, const PtxInsn *insn, unsigned lane, uint8_t *to) {
  unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  for (unsigned i = 0; i < insn->count; i++)
    get_lane(registers, insn->list[i], lane, insn->type, to + i * bytes);
}

/* Whole warps of 4- and 8-byte elements; `size` and `count` are constants where it is called from.
 */
static ALWAYS_INLINE void put_consecutive(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                          unsigned count, const uint8_t *from) {
  if (count == 1) {
    lanes_copy(registers + insn->list[0], from, size);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    if (size == 4) {
      uint32_t *to = slot32(registers, insn->list[i]);
      for (unsigned lane = 0; lane < 32; lane++)
        memcpy(to + lane, from + (lane * count + i) * 4, 4);
    } else {
      uint64_t *to = slot64(registers, insn->list[i]);
      for (unsigned lane = 0; lane < 32; lane++)
        memcpy(to + lane, from + (lane * count + i) * 8, 8);
    }
  }
}

static ALWAYS_INLINE void put_same(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                   unsigned count, const uint8_t *from) {
  for (unsigned i = 0; i < count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    if (size == 4) {
      uint32_t value, *to = __builtin_assume_aligned(slot32(registers, insn->list[i]), 64);
      memcpy(&value, from + i * 4, 4);
      for (unsigned lane = 0; lane < 32; lane++)
        to[lane] = value;
    } else {
      uint64_t value, *to = __builtin_assume_aligned(slot64(registers, insn->list[i]), 64);
      memcpy(&value, from + i * 8, 8);
      for (unsigned lane = 0; lane < 32; lane++)
        to[lane] = value;
    }
  }
}

static ALWAYS_INLINE void get_consecutive(uint8_t *registers, const PtxInsn *insn, unsigned size,
                                          unsigned count, uint8_t *to) {
  if (count == 1) {
    lanes_copy(to, registers + insn->list[0], size);
    return;
  }
  for (unsigned i = 0; i < count; i++)
    for (unsigned lane = 0; lane < 32; lane++)
      memcpy(to + (lane * count + i) * size, registers + insn->list[i] + lane * size, size);
}

static const uint8_t ones[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* ---- shared memory --------------------------------------------------------------------------- */
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

static void load_shared_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes,
                              const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  const bool checks = w->worker->run->checks;
  const unsigned shift = w->block->shadow->shift;
  uint32_t good = 0, undefined = 0;
  EACH_SET(lane, lanes) {
    bool ok = shared_ok(w, insn, lane, address[lane], bytes);
    put_lanes(f->registers, insn, lane, ok ? w->block->shared + address[lane] : ones);
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

static void store_shared_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes,
                               const uint64_t *address) {
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

/* A row that the shadow has something to note about: first readers, or a mistake. */
static __attribute__((noinline)) void load_row_noted(Warp *w, const PtxInsn *insn, uint32_t first) {
  Frame *f = warp_frame(w);
  const unsigned size = ptx_type_bytes((PtxType)insn->type), bytes = size * insn->count;
  access_count(w, insn)->whole++;
  uint32_t undefined = shadow_read_run(w, insn, first, bytes);
  put_consecutive(f->registers, insn, size, insn->count, w->shared + first);
  if (undefined)
    taint_shared(w, insn, ALL_LANES, undefined);
}

/* The usual cases call nothing, so that no registers need saving; all others leave at once. */
static ALWAYS_INLINE void load_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                      unsigned count, bool narrow) {
  uint8_t *registers = warp_frame(w)->registers;
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, registers, insn, lanes, bytes, narrow, &first);
  uint64_t span = pattern == CONSECUTIVE ? 32 * bytes : bytes;
  if (pattern == SCATTERED || first > w->shared_bytes || span > w->shared_bytes - first ||
      first & (bytes - 1) || w->tainted) {
    slow_shared(w, insn, lanes);
    return;
  }
  if (pattern == CONSECUTIVE) {
    if (w->checks && !shadow_row_quiet(w->shadow, (uint32_t)first, bytes)) {
      load_row_noted(w, insn, (uint32_t)first);
      return;
    }
    access_count(w, insn)->whole++;
    put_consecutive(registers, insn, size, count, w->shared + first);
  } else {
    if (w->checks && !shadow_read_same(w, insn, (uint32_t)first, bytes)) {
      slow_shared(w, insn, lanes);
      return;
    }
    access_count(w, insn)->same++;
    put_same(registers, insn, size, count, w->shared + first);
  }
}

static ALWAYS_INLINE void store_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count, bool narrow) {
  Frame *f = warp_frame(w);
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, f->registers, insn, lanes, bytes, narrow, &first);
  if (pattern != CONSECUTIVE || first > w->shared_bytes || 32 * bytes > w->shared_bytes - first ||
      first & (bytes - 1)) {
    slow_shared(w, insn, lanes);
    return;
  }
  access_count(w, insn)->whole++;
  uint8_t value[32 * 16];
  get_consecutive(f->registers, insn, size, count, value);
  if (w->checks)
    shadow_write_run(w, insn, (uint32_t)first, bytes, value);
  memcpy(w->shared + first, value, 32 * bytes);
}

/* ---- global and constant memory -------------------------------------------------------------- */
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

/* Other workers may define neighbours in the same byte of the map at the same time. */
static void define_range(Allocation *a, uint64_t offset, uint64_t bytes) {
  if (a->all_defined)
    return;
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

static void load_global_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes,
                              const uint64_t *address) {
  Frame *f = warp_frame(w);
  const Run *run = w->worker->run;
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t good = 0, undefined = 0;
  EACH_SET(lane, lanes) {
    Allocation *a = global_ok(w, insn, lane, address[lane], bytes);
    if (!a) {
      put_lanes(f->registers, insn, lane, ones);
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

static void store_global_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes,
                               const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t good = 0;
  EACH_SET(lane, lanes) {
    Allocation *a = global_ok(w, insn, lane, address[lane], bytes);
    if (!a)
      continue;
    if (a->kind == MEMORY_CONSTANT) {
      watch_stop(w, REPORT_READ_ONLY, insn->line, lane, "store to constant memory");
      run_fail(w->worker->run, LAUNCH_ILLEGAL_ADDRESS);
      continue;
    }
    good |= 1u << lane;
    uint8_t value[64];
    get_lanes(f->registers, insn, lane, value);
    if (a->watched)
      global_shadow_access(w, insn, lane, a, address[lane], bytes, GLOBAL_WRITE, value);
    uint64_t offset = address[lane] - a->address;
    memcpy(a->view + offset, value, bytes);
    define_range(a, offset, bytes);
  }
  if (good)
    count_global(w, insn, good, sectors_touched(address, good));
}

static inline uint64_t sectors_between(uint64_t from, uint64_t to) {
  return (to - 1) / 32 - from / 32 + 1;
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
                                      unsigned count) {
  Frame *f = warp_frame(w);
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, f->registers, insn, lanes, bytes, false, &first);
  uint64_t span = pattern == CONSECUTIVE ? 32 * bytes : bytes;
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
      first & (bytes - 1) || !(a = allocation_at(w, insn, first, 32 * bytes)) || a->watched ||
      a->kind == MEMORY_CONSTANT) {
    slow_global(w, insn, lanes);
    return;
  }
  AccessCount *c = access_count(w, insn);
  c->whole++;
  c->sectors += sectors_between(first, first + 32 * bytes);
  get_consecutive(f->registers, insn, size, count, a->view + (first - a->address));
  define_range(a, first - a->address, 32 * bytes);
}

/* ---- local memory: arrays and spills of one thread ------------------------------------------- */
static bool local_ok(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                     unsigned bytes) {
  if (address > w->local_used || bytes > w->local_used - address) {
    watch_out_of_bounds(w, insn, lane, PTX_LOCAL, address, bytes);
    return false;
  }
  if (address & (bytes - 1)) {
    watch_misaligned(w, insn, lane, PTX_LOCAL, address, bytes);
    return false;
  }
  return true;
}

static void local_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t undefined = 0;
  EACH_SET(lane, lanes) {
    if (!local_ok(w, insn, lane, address[lane], bytes)) {
      if (insn->form == PTX_LD)
        put_lanes(f->registers, insn, lane, ones);
      continue;
    }
    size_t at = (size_t)lane * w->local_size + address[lane];
    if (insn->form == PTX_LD) {
      put_lanes(f->registers, insn, lane, w->local + at);
      for (unsigned i = 0; i < bytes; i++)
        undefined |= (uint32_t)(w->local_defined[at + i] == 0) << lane;
    } else {
      get_lanes(f->registers, insn, lane, w->local + at);
      uint32_t unknown = 0; /* copying an undefined value here is no mistake yet */
      for (unsigned i = 0; i < insn->count && w->tainted; i++)
        unknown |= f->undefined[insn->list[i] / PTX_SLOT_BYTES];
      memset(w->local_defined + at, !(unknown >> lane & 1), bytes);
    }
  }
  AccessCount *c = access_count(w, insn);
  c->requests++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  if (insn->form == PTX_LD && w->worker->run->checks && (undefined || w->tainted))
    taint_load(w, f, insn, lanes, undefined, address, PTX_LOCAL);
}

static void step_local(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  local_lanes(w, insn, lanes, address);
}

/* ---- generic addresses ----------------------------------------------------------------------- */
static void step_generic(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  uint32_t shared = 0, local = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    shared |= (uint32_t)(address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) << lane;
    local |= (uint32_t)(address[lane] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) << lane;
  }
  shared &= lanes;
  local &= lanes;
  uint32_t global = lanes & ~shared & ~local;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    address[lane] -= shared >> lane & 1  ? PTX_SHARED_WINDOW
                     : local >> lane & 1 ? PTX_LOCAL_WINDOW
                                         : 0;
  bool load = insn->form == PTX_LD;
  if (shared)
    (load ? load_shared_lanes : store_shared_lanes)(w, insn, shared, address);
  if (local)
    local_lanes(w, insn, local, address);
  if (global)
    (load ? load_global_lanes : store_global_lanes)(w, insn, global, address);
}

/* ---- parameters and arguments ---------------------------------------------------------------- */
static void step_parameter(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  const Launch *launch = w->worker->run->launch;
  unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint64_t address[WARP_LANES];
  scattered_addresses(f->registers, insn, address);
  EACH_SET(lane, lanes) {
    bool ok = address[lane] <= launch->function->param_bytes &&
              bytes <= launch->function->param_bytes - address[lane];
    if (!ok)
      watch_out_of_bounds(w, insn, lane, PTX_PARAM, address[lane], bytes);
    put_lanes(f->registers, insn, lane, ok ? launch->parameters + address[lane] : ones);
  }
}

/* The usual case: one place for all lanes. */
static void step_parameter_same(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const Launch *launch = w->worker->run->launch;
  unsigned size = ptx_type_bytes((PtxType)insn->type);
  uint64_t offset = (uint64_t)insn->imm;
  if (lanes != ALL_LANES || offset > launch->function->param_bytes ||
      size * insn->count > launch->function->param_bytes - offset)
    step_parameter(w, insn, lanes);
  else
    put_same(warp_frame(w)->registers, insn, size, insn->count, launch->parameters + offset);
}

static void step_argument(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  size_t area = f->function->argument_bytes;
  assert((uint64_t)insn->imm + ptx_type_bytes((PtxType)insn->type) * insn->count <= area);
  EACH_SET(lane, lanes) {
    uint8_t *at = f->arguments + lane * area + (size_t)insn->imm;
    if (insn->form == PTX_LD_ARG)
      put_lanes(f->registers, insn, lane, at);
    else
      get_lanes(f->registers, insn, lane, at);
  }
}

const uint8_t *generic_bytes(Warp *w, unsigned lane, uint64_t address, size_t bytes) {
  if (address - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
    uint64_t offset = address - PTX_LOCAL_WINDOW;
    return offset <= w->local_used && bytes <= w->local_used - offset
               ? w->local + (size_t)lane * w->local_size + offset
               : NULL;
  }
  if (address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
    uint64_t offset = address - PTX_SHARED_WINDOW;
    return offset <= w->block->shared_bytes && bytes <= w->block->shared_bytes - offset
               ? w->block->shared + offset
               : NULL;
  }
  const Allocation *a = memory_find(address);
  return a && bytes <= a->bytes - (address - a->address) ? a->view + (address - a->address) : NULL;
}

/* ---- which step for which instruction -------------------------------------------------------- */
/* Global addresses have 64 bits; shared ones 32 or 64, as the compiler likes. */
#define STEP(name, body)                                                                           \
  static void name(Warp *w, const PtxInsn *i, uint32_t lanes) { body; }
#define STEPS(size, count)                                                                         \
  STEP(load_global_##size##x##count, load_global(w, i, lanes, size, count))                        \
  STEP(store_global_##size##x##count, store_global(w, i, lanes, size, count))                      \
  STEP(load_shared_##size##x##count, load_shared(w, i, lanes, size, count, false))                 \
  STEP(store_shared_##size##x##count, store_shared(w, i, lanes, size, count, false))               \
  STEP(load_narrow_##size##x##count, load_shared(w, i, lanes, size, count, true))                  \
  STEP(store_narrow_##size##x##count, store_shared(w, i, lanes, size, count, true))
STEPS(4, 1)
STEPS(4, 2)
STEPS(4, 4)
STEPS(8, 1)
STEPS(8, 2)
#undef STEPS
#undef STEP

/* Which column of the table below serves this access; -1: none, it goes lane by lane. */
static int shape_of(const PtxInsn *insn) {
  unsigned size = ptx_type_bytes((PtxType)insn->type);
  if (insn->a == PTX_NO_REG || (size != 8 && (size != 4 || insn->sub == 8)))
    return -1;
  if (insn->count == 1 && insn->list[0] == PTX_NO_REG)
    return -1;
  if (insn->flags & PTX_NARROW_ADDRESS && insn->space != PTX_SHARED)
    return -1;
  return size == 4 && insn->count == 1   ? 0
         : size == 4 && insn->count == 2 ? 1
         : size == 4 && insn->count == 4 ? 2
         : size == 8 && insn->count == 1 ? 3
         : size == 8 && insn->count == 2 ? 4
                                         : -1;
}

bool access_finds_base(const PtxInsn *insn) {
  bool access = insn->form == PTX_LD || insn->form == PTX_ST;
  bool space = insn->space == PTX_GLOBAL || insn->space == PTX_CONST || insn->space == PTX_SHARED;
  return access && space && shape_of(insn) >= 0;
}

static Step memory_step(const PtxInsn *insn) {
#define ROW(prefix)                                                                                \
  { prefix##_4x1, prefix##_4x2, prefix##_4x4, prefix##_8x1, prefix##_8x2 }
  static const Step table[3][2][5] = {{ROW(load_global), ROW(store_global)},
                                      {ROW(load_shared), ROW(store_shared)},
                                      {ROW(load_narrow), ROW(store_narrow)}};
#undef ROW
  bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  bool shared = insn->space == PTX_SHARED, store = insn->form == PTX_ST;
  int shape = shape_of(insn);
  if (shape < 0)
    return shared ? slow_shared : slow_global;
  return table[shared + narrow][store][shape];
}

Step access_step(const PtxInsn *insn) {
  switch (insn->form) {
  case PTX_LD_PARAM: {
    unsigned size = ptx_type_bytes((PtxType)insn->type);
    bool plain = insn->a == PTX_NO_REG && (size == 8 || (size == 4 && insn->sub != 8));
    return plain ? step_parameter_same : step_parameter;
  }
  case PTX_LD_ARG:
  case PTX_ST_ARG:
    return step_argument;
  case PTX_ATOM:
    return step_atomic;
  case PTX_LD:
  case PTX_ST:
    return insn->space == PTX_LOCAL     ? step_local
           : insn->space == PTX_GENERIC ? step_generic
           : insn->space == PTX_PARAM   ? step_parameter
                                        : memory_step(insn);
  default:
    return NULL;
  }
}
