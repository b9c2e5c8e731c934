/* Global and constant memory: the allocation an access falls into; consecutive lanes and one address
 * for all in one piece, all others as 32 offsets from one place in it.
 */
#include <string.h>

#include "access.h"

static inline Allocation *allocation_at(Warp *w, const PtxInsn *insn, uint64_t address) {
  Recent *recent = &w->frame->recent[insn->number];
  Allocation *a = recent->memory;
  if (!a || address - a->address >= a->bytes) {
    a = memory_find(address);
    if (a)
      recent->memory = a;
  }
  return a;
}

/* Other workers may define neighbours in the same byte of the map at the same time. */
void global_define(Allocation *a, uint64_t offset, uint64_t bytes, bool ordered) {
  if (a->all_defined) {
    if (a->unsettled && !ordered)
      memory_unsettle(a, offset, offset + bytes);
    return;
  }
  uint64_t end = offset + bytes;
  for (; offset < end && offset % 64 == 0 && end - offset >= 64; offset += 64) {
    uint64_t *word = (uint64_t *)(void *)(a->defined + offset / 8);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != UINT64_MAX)
      __atomic_store_n(word, UINT64_MAX, __ATOMIC_RELAXED); /* all bits set: nobody's are lost */
  }
  while (offset < end) {
    unsigned from = offset % 8, n = end - offset < 8 - from ? (unsigned)(end - offset) : 8 - from;
    uint8_t bits = (uint8_t)(((1u << n) - 1) << from);
    if ((__atomic_load_n(&a->defined[offset / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&a->defined[offset / 8], bits, __ATOMIC_RELAXED);
    offset += n;
  }
}

void define_lanes(Allocation *a, uint32_t lanes, uint64_t origin, const uint32_t *offset,
                  unsigned bytes, bool ordered) {
  const uint64_t start = origin - a->address;
  if (a->all_defined && !a->unsettled)
    return;
  if (a->all_defined || bytes > 8) {
    EACH_SET(lane, lanes) global_define(a, start + offset[lane], bytes, ordered);
    return;
  }
  EACH_SET(lane, lanes) { /* aligned, so within one byte of the map */
    const uint64_t at = start + offset[lane];
    const uint8_t bits = (uint8_t)(((1u << bytes) - 1) << at % 8);
    if ((__atomic_load_n(&a->defined[at / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&a->defined[at / 8], bits, __ATOMIC_RELAXED);
  }
}

/* ---- any lanes ------------------------------------------------------------------------------- */
static void report_wrong(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                         const Allocation *a) {
  PtxSpace space = insn->space == PTX_CONST ? PTX_CONST : PTX_GLOBAL;
  const unsigned bytes = access_bytes(insn);
  if (address & (bytes - 1)) {
    run_fail(w, LAUNCH_MISALIGNED);
    hook_misaligned(w, insn, lane, space, address, bytes);
  } else if (a && insn->form != PTX_LD && a->kind == MEMORY_CONSTANT) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_constant_written(w, insn, lane, address, bytes);
  } else {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_out_of_bounds(w, insn, lane, space, address, bytes);
  }
}

uint32_t global_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address,
                      Allocation **memory, uint64_t *origin, uint32_t *offset, uint32_t *taken) {
  const unsigned lead = lowest(lanes), bytes = access_bytes(insn);
  const uint64_t first = address[lead];
  Allocation *a = *memory = allocation_at(w, insn, first);
  *taken = 1u << lead;
  if (!a || bytes > a->bytes - (first - a->address) || first & (bytes - 1) ||
      (insn->form != PTX_LD && a->kind == MEMORY_CONSTANT)) {
    report_wrong(w, insn, lead, first, a);
    return 0;
  }
  /* offsets have 32 bits: of a large buffer, what lies around the first lane */
  uint64_t from = a->address, span = a->bytes;
  if (span > UINT64_C(0xc0000000)) {
    from = first - a->address > 0x60000000 ? first - 0x60000000 : a->address;
    span = a->address + a->bytes - from < 0xc0000000 ? a->address + a->bytes - from : 0xc0000000;
  }
  *origin = from & ~(uint64_t)(SECTOR_BYTES - 1);
  return *taken = lanes_within(offset, address, lanes, lead, *origin, from, span - bytes, bytes);
}

void global_access(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  uint8_t *registers = w->frame->registers;
  const unsigned bytes = access_bytes(insn);
  uint32_t offset[WARP_LANES], taken, done = 0;
  uint64_t origin;
  Allocation *a;
  for (uint32_t rest = lanes; rest; rest &= ~taken) {
    uint32_t good = global_lanes(w, insn, rest, address, &a, &origin, offset, &taken);
    if (insn->form == PTX_LD) {
      if (!good) {
        put_no_value(registers, insn, taken);
        continue;
      }
      const Shape *shape = shape_of(&w->frame->recent[insn->number], good, offset, bytes);
      const uint8_t *base = global_base(a, origin);
      if (insn->flags & PTX_VOLATILE)
        access_polls(w, origin + offset[lowest(good)],
                     low_bytes(base + offset[lowest(good)], bytes));
      hook_global_load(w, insn, shape, a, origin, offset, done);
      put_lanes(registers, insn, shape, base, offset, a->address + a->bytes - origin);
    } else if (good) {
      const Shape *shape = shape_of(&w->frame->recent[insn->number], good, offset, bytes);
      w->changed = true;
      hook_global_store(w, insn, shape, a, origin, offset, done);
      get_lanes(registers, insn, good, global_base(a, origin), offset);
      define_lanes(a, good, origin, offset, bytes, insn->flags & PTX_VOLATILE);
    }
    done |= good;
  }
}

__attribute__((noinline)) void any_global(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  lane_addresses(w->frame->registers, insn, address);
  global_access(w, insn, lanes, address);
}

/* ---- whole warps ----------------------------------------------------------------------------- */
/* The next warp that comes here usually goes on by the same distance; the host's own guess stops at
 * page borders. */
static ALWAYS_INLINE void fetch_ahead(Recent *recent, const Allocation *a, uint64_t first,
                                      uint64_t span) {
  uint64_t next = (uint64_t)(uintptr_t)a->view + (first - a->address) + (first - recent->previous);
  recent->previous = first;
  for (uint64_t line = 0; line < span; line += 64)
    __builtin_prefetch((const void *)(uintptr_t)(next + line));
}

static ALWAYS_INLINE void load_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                      unsigned count, bool narrow) {
  const unsigned bytes = size * count;
  uint64_t first;
  Pattern pattern = pattern_of(w, w->frame->registers, insn, lanes, bytes, narrow, &first);
  if (narrow && pattern != SCATTERED)
    first |= PTX_CONST_WINDOW;
  uint64_t span = pattern == CONSECUTIVE ? 32 * bytes : bytes;
  Allocation *a;
  if (pattern == SCATTERED || first & (bytes - 1) || !(a = allocation_at(w, insn, first)) ||
      span > a->bytes - (first - a->address) || !hook_global_is_defined(a, first, span)) {
    any_global(w, insn, lanes);
    return;
  }
  fetch_ahead(&w->frame->recent[insn->number], a, first, span);
  const uint8_t *from = a->view + (first - a->address);
  if (pattern == CONSECUTIVE) {
    hook_global_row_load(w, insn, a, first, bytes);
    put_consecutive(w->frame->registers, insn, size, count, from);
  } else {
    hook_global_same_load(w, insn, a, first, bytes);
    put_same(w->frame->registers, insn, size, count, from);
  }
}

static ALWAYS_INLINE void store_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count) {
  const unsigned bytes = size * count;
  uint64_t first;
  Allocation *a;
  if (pattern_of(w, w->frame->registers, insn, lanes, bytes, false, &first) != CONSECUTIVE ||
      first & (bytes - 1) || !(a = allocation_at(w, insn, first)) ||
      32 * bytes > a->bytes - (first - a->address) || a->kind == MEMORY_CONSTANT) {
    any_global(w, insn, lanes);
    return;
  }
  w->changed = true;
  hook_global_row_store(w, insn, a, first, bytes);
  get_consecutive(w->frame->registers, insn, size, count, a->view + (first - a->address));
  global_define(a, first - a->address, 32 * bytes, insn->flags & PTX_VOLATILE);
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
  return shape < 0 || insn->flags & PTX_VOLATILE ? any_global
                                                 : table[narrow ? 2 : insn->form == PTX_ST][shape];
}
