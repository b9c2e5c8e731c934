/* Implements loads and stores of global and constant memory. Looks up the allocation of each
 * access. A full warp that accesses consecutive addresses, or loads from one address, is processed
 * as a unit; other accesses are processed as 32 offsets from the lowest lane's address. */
#include <string.h>

#include "../state/pieces.h"
#include "access.h"

static inline Allocation *allocation_at(Warp *w, const PtxInsn *insn, uint64_t address) {
  Recent *recent = &w->frame->recent[insn->number];
  Allocation *a = recent->memory;
  if (!a || address - a->address >= a->bytes) {
    a = memory_find(address);
    if (a)
      recent->memory = a;
    if (a && insn->form != PTX_ATOM && w->worker->run->function->adds)
      atomic_meet(w->worker, a);
  }
  return a;
}

/* Sets bits in the bitmap a->defined. The stores are atomic, because other workers may set bits in
 * the same byte at the same time. */
void global_define(Allocation *a, uint64_t offset, uint64_t bytes, bool ordered) {
  if (a->unsettled && !ordered)
    memory_unsettle(a, offset, offset + bytes);
  if (a->all_defined)
    return;
  uint64_t end = offset + bytes;
  for (; offset < end && offset % 64 == 0 && end - offset >= 64; offset += 64) {
    uint64_t *word = (uint64_t *)(void *)(a->defined + offset / 8);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != UINT64_MAX)
      /* A store of all ones cannot clear a bit that another worker sets at the same time. */
      __atomic_store_n(word, UINT64_MAX, __ATOMIC_RELAXED);
  }
  while (offset < end) {
    unsigned from = offset % 8, n = end - offset < 8 - from ? (unsigned)(end - offset) : 8 - from;
    uint8_t bits = (uint8_t)(((1u << n) - 1) << from);
    if ((__atomic_load_n(&a->defined[offset / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&a->defined[offset / 8], bits, __ATOMIC_RELAXED);
    offset += n;
  }
}

void define_lanes(Allocation *a, const Shape *shape, uint64_t at, unsigned bytes, bool ordered) {
  const uint64_t start = at - a->address;
  if (a->all_defined && !a->unsettled)
    return;
  if (shape->row) {
    global_define(a, start, (uint64_t)bytes * WARP_LANES, ordered);
    return;
  }
  EACH_SET(lane, shape->lanes) global_define(a, shape_at(shape, start, lane), bytes, ordered);
}

/* A distance in bytes. An address that is closer to NO_VALUE was probably computed from
 * NO_VALUE. */
#define LOST_REACH (UINT64_C(1) << 34)

/* ---- any lanes ------------------------------------------------------------------------------- */
static void report_wrong(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                         const Allocation *a) {
  PtxSpace space = insn->space == PTX_CONST ? PTX_CONST : PTX_GLOBAL;
  const unsigned bytes = access_bytes(insn);
  /* Do not report a consequence of an earlier error: an invalid load was reported and returned
   * NO_VALUE, which is -1. This address is NO_VALUE plus an index, or a valid pointer plus
   * NO_VALUE. */
  if (w->lost >> lane & 1 && (address - (NO_VALUE - LOST_REACH) < 2 * LOST_REACH ||
                              ((address & (bytes - 1)) && !((address + 1) & (bytes - 1)))))
    return;
  if (address & (bytes - 1)) {
    run_fail(w, LAUNCH_MISALIGNED);
    hook_wrong_access(w, insn, lane, space, address, bytes, REPORT_MISALIGNED);
  } else if (a && insn->form != PTX_LD && a->kind == MEMORY_CONSTANT) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, PTX_CONST, address, bytes, REPORT_READ_ONLY);
  } else {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, space, address, bytes, REPORT_OUT_OF_BOUNDS);
  }
}

static inline bool is_inside(const Allocation *a, uint64_t address, unsigned bytes) {
  return address - a->address <= a->bytes - bytes && !(address & (bytes - 1)) &&
         (a->kind != MEMORY_HEAP || pieces_hold(a, address, bytes));
}

const Shape *global_shape(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address,
                          Allocation **memory, uint32_t *taken) {
  const unsigned lead = lowest(lanes), bytes = access_bytes(insn);
  const uint64_t first = address[lead], near = SHAPE_REACH - 1;
  Recent *recent = &w->frame->recent[insn->number];
  Allocation *a = *memory = allocation_at(w, insn, first);
  *taken = 1u << lead;
  if (!a || bytes > a->bytes || !is_inside(a, first, bytes) ||
      (insn->form != PTX_LD && a->kind == MEMORY_CONSTANT)) {
    report_wrong(w, insn, lead, first, a);
    return NULL;
  }
  const Shape *shape = shape_of(recent, lanes, address, bytes);
  if (!shape || a->kind == MEMORY_HEAP || !shape_fits(shape, first, a->address, a->bytes, bytes)) {
    EACH_SET(lane, lanes)
    if (!is_inside(a, address[lane], bytes) || address[lane] - first + near > 2 * near)
      lanes &= ~(1u << lane);
    shape = shape_of(recent, lanes, address, bytes);
  }
  *taken = lanes;
  return shape;
}

/* Executes the access for lanes whose addresses are in one allocation. `more`: the hooks have been
 * called for other lanes of the same request. */
static ALWAYS_INLINE void access_at(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                                    uint64_t at, bool more) {
  uint8_t *registers = w->frame->registers, *lead = on_host(a, at);
  const unsigned bytes = access_bytes(insn);
  if (insn->form == PTX_LD) {
    if (__builtin_expect(insn->flags & PTX_VOLATILE, 0))
      access_polls(w, at, low_bytes(lead, bytes));
    hook_global_access(w, insn, shape, a, at, more);
    put_lanes(registers, insn, shape, lead, a->view + a->bytes);
  } else {
    w->changed = true;
    hook_global_access(w, insn, shape, a, at, more);
    get_shape(registers, insn, shape, lead);
    define_lanes(a, shape, at, bytes, insn->flags & PTX_VOLATILE);
  }
}

void global_access(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  uint32_t taken, done = 0;
  Allocation *a;
  for (uint32_t rest = lanes; rest; rest &= ~taken) {
    const uint64_t at = address[lowest(rest)];
    const Shape *shape = global_shape(w, insn, rest, address, &a, &taken);
    if (shape)
      access_at(w, insn, shape, a, at, done);
    else if (insn->form == PTX_LD) {
      put_no_value(w->frame->registers, insn, taken);
      w->lost |= taken;
    }
    done |= shape ? taken : 0;
  }
}

__attribute__((noinline)) void any_global(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  lane_addresses(w->frame->registers, insn, address);
  global_access(w, insn, lanes, address);
}

/* ---- whole warps ----------------------------------------------------------------------------- */
/* Prefetches the memory that the next warp probably accesses. Assumes that the distance to the next
 * warp's address is the same as that between the previous warp's address and this one. The hardware
 * prefetcher of the host does not cross page boundaries. */
static ALWAYS_INLINE void fetch_ahead(Recent *recent, const Allocation *a, uint64_t first,
                                      uint64_t span) {
  uint64_t next = (uint64_t)(uintptr_t)a->view + (first - a->address) + (first - recent->previous);
  recent->previous = first;
  for (uint64_t line = 0; line < span; line += 64)
    __builtin_prefetch((const void *)(uintptr_t)(next + line));
}

static ALWAYS_INLINE void fetch_runs_ahead(Recent *recent, const Allocation *a, const Shape *shape,
                                           uint64_t at) {
  uint64_t next = (uint64_t)(uintptr_t)a->view + (at - a->address) + (at - recent->previous);
  recent->previous = at;
  for (uint32_t lane = 0; lane < WARP_LANES; lane += 8)
    __builtin_prefetch((const void *)(uintptr_t)shape_at(shape, next, lane));
}

/* Returns the shape of the addresses if all addresses are valid and in one allocation; otherwise
 * NULL. */
static ALWAYS_INLINE const Shape *right_shape(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                              Allocation **memory, uint64_t *at) {
  const bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  const Shape *shape = base_shape(w, insn, lanes, narrow);
  *at = first_of(w, insn, narrow);
  Allocation *a = *memory = shape ? allocation_at(w, insn, *at) : NULL;
  if (!a || !shape_fits(shape, *at, a->address, a->bytes, access_bytes(insn)) ||
      a->kind == MEMORY_HEAP || (insn->form != PTX_LD && a->kind == MEMORY_CONSTANT))
    return NULL;
  if (shape->runs)
    fetch_runs_ahead(&w->frame->recent[insn->number], a, shape, *at);
  return shape;
}

static __attribute__((noinline)) void at_shape(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                               const Shape *shape, Allocation *a, uint64_t at) {
  if (shape)
    access_at(w, insn, shape, a, at, false);
  else
    any_global(w, insn, lanes);
}

static void shaped_global(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Allocation *a;
  uint64_t at;
  const Shape *shape = right_shape(w, insn, lanes, &a, &at);
  at_shape(w, insn, lanes, shape, a, at);
}

static ALWAYS_INLINE void load_shape(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                     unsigned count) {
  Allocation *a;
  uint64_t at;
  const Shape *shape = right_shape(w, insn, lanes, &a, &at);
  if (!shape || !hook_global_load(w, insn, SCATTERED, shape, a, at, size * count)) {
    at_shape(w, insn, lanes, shape, a, at);
    return;
  }
  if (size < 4)
    put_lanes(w->frame->registers, insn, shape, on_host(a, at), a->view + a->bytes);
  else
    put_shape(w->frame->registers, insn, size, count, shape, on_host(a, at), a->view + a->bytes);
}

static ALWAYS_INLINE void load_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                      unsigned count, bool narrow, Step shape) {
  const unsigned bytes = size * count;
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, narrow);
  if (pattern == SCATTERED) {
    shape(w, insn, lanes);
    return;
  }
  const uint64_t first = first_of(w, insn, narrow);
  const uint64_t span = pattern == CONSECUTIVE ? 32 * bytes : bytes;
  Allocation *a;
  if (first & (bytes - 1) || !(a = allocation_at(w, insn, first)) ||
      span > a->bytes - (first - a->address) || a->kind == MEMORY_HEAP ||
      !hook_global_load(w, insn, pattern, NULL, a, first, bytes)) {
    any_global(w, insn, lanes);
    return;
  }
  fetch_ahead(&w->frame->recent[insn->number], a, first, span);
  if (pattern == CONSECUTIVE)
    put_consecutive(w->frame->registers, insn, size, count, on_host(a, first));
  else
    put_same(w->frame->registers, insn, size, count, on_host(a, first));
}

static ALWAYS_INLINE void store_global(Warp *w, const PtxInsn *insn, uint32_t lanes, unsigned size,
                                       unsigned count) {
  const unsigned bytes = size * count;
  const Pattern pattern = pattern_of(w, insn, lanes, bytes, false);
  Allocation *a;
  if (pattern == SCATTERED) {
    shaped_global(w, insn, lanes);
    return;
  }
  const uint64_t first = first_of(w, insn, false);
  if (pattern == SAME || first & (bytes - 1) || !(a = allocation_at(w, insn, first)) ||
      32 * bytes > a->bytes - (first - a->address) || a->kind >= MEMORY_CONSTANT) {
    any_global(w, insn, lanes);
    return;
  }
  w->changed = true;
  hook_global_store_row(w, insn, a, first, bytes);
  get_consecutive(w->frame->registers, insn, size, count, on_host(a, first));
  global_define(a, first - a->address, 32 * bytes, insn->flags & PTX_VOLATILE);
}

/* ---- one function for each shape; only constant memory has narrow addresses ------------------ */
#define STEPS(size, count)                                                                         \
  __attribute__((noinline))                                                                        \
  STEP(load_shape_##size##x##count, load_shape(w, i, lanes, size, count))                          \
      STEP(load_global_##size##x##count,                                                           \
           load_global(w, i, lanes, size, count, false, load_shape_##size##x##count))              \
          STEP(load_narrow_##size##x##count,                                                       \
               load_global(w, i, lanes, size, count, true, load_shape_##size##x##count))           \
              STEP(store_global_##size##x##count, store_global(w, i, lanes, size, count))
EACH_GLOBAL_SHAPE(STEPS)
#undef STEPS

Step global_step(const PtxInsn *insn) {
  static const Step table[3][GLOBAL_SHAPES] = {
      GLOBAL_SHAPE_ROW(load_global), GLOBAL_SHAPE_ROW(store_global), GLOBAL_SHAPE_ROW(load_narrow)};
  int shape = access_shape(insn);
  bool narrow = insn->flags & PTX_NARROW_ADDRESS;
  return insn->flags & PTX_VOLATILE || insn->a == PTX_NO_REG ? any_global
         : shape < 0                                         ? shaped_global
                     : table[narrow ? 2 : insn->form == PTX_ST][shape];
}
