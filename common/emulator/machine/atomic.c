/* Atomic operations, on shared memory (one worker runs a block, so plain steps suffice) and on
 * global memory (other workers run other blocks, so the host's own atomics do it). Lanes of one
 * instruction go in ascending order. */
#include <assert.h>
#include <string.h>

#include "../observe/banks.h"
#include "../observe/global_shadow.h"
#include "../observe/shared_shadow.h"
#include "../observe/watch.h"
#include "arith.h"
#include "warp.h"

static float as_float(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return f;
}
static uint64_t from_float(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static uint64_t from_double(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static uint64_t add(PtxType type, uint64_t a, uint64_t b) {
  switch (type) {
  case PTX_F16:
    return half_from_double(half_to_float((u16)a) + half_to_float((u16)b));
  case PTX_F16X2:
    return halves(low_half((u32)a) + low_half((u32)b), high_half((u32)a) + high_half((u32)b));
  case PTX_F32:
    return from_float(as_float(a) + as_float(b));
  case PTX_F64:
    return from_double(as_double(a) + as_double(b));
  default:
    return a + b;
  }
}

static bool less(PtxType type, uint64_t a, uint64_t b) {
  return type == PTX_S32   ? (int32_t)a < (int32_t)b
         : type == PTX_S64 ? (int64_t)a < (int64_t)b
                           : a < b;
}

/* What memory holds afterwards. */
static uint64_t apply(PtxAtomic operation, PtxType type, uint64_t old, uint64_t b, uint64_t c) {
  switch (operation) {
  case PTX_ATOM_ADD:
    return add(type, old, b);
  case PTX_ATOM_MIN:
    return less(type, b, old) ? b : old;
  case PTX_ATOM_MAX:
    return less(type, old, b) ? b : old;
  case PTX_ATOM_AND:
    return old & b;
  case PTX_ATOM_OR:
    return old | b;
  case PTX_ATOM_XOR:
    return old ^ b;
  case PTX_ATOM_EXCH:
    return b;
  case PTX_ATOM_CAS:
    return old == b ? c : old;
  case PTX_ATOM_INC:
    return old >= b ? 0 : old + 1;
  case PTX_ATOM_DEC:
    return old == 0 || old > b ? b : old - 1;
  }
  assert(!"atomic operation");
  return old;
}

#define EXCHANGE(bits)                                                                             \
  {                                                                                                \
    uint##bits##_t *at = place, old = __atomic_load_n(at, __ATOMIC_RELAXED), now;                  \
    do                                                                                             \
      now = (uint##bits##_t)apply(operation, type, old, b, c);                                     \
    while (                                                                                        \
        !__atomic_compare_exchange_n(at, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));   \
    return old;                                                                                    \
  }

static uint64_t change(void *place, unsigned bytes, PtxAtomic operation, PtxType type, uint64_t b,
                       uint64_t c) {
  if (bytes == 8)
    EXCHANGE(64)
  if (bytes == 4)
    EXCHANGE(32)
  EXCHANGE(16)
}

static uint64_t operand(const Frame *f, uint32_t slot, unsigned lane, unsigned bytes) {
  if (slot == PTX_NO_REG)
    return 0;
  return bytes == 8 ? slot64(f->registers, slot)[lane]
                    : slot32(f->registers, slot)[lane] & (bytes == 2 ? 0xffff : UINT32_MAX);
}

static void undefined_here(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                           uint64_t address) {
  Origin origin = {.insn = insn, .lanes = 1u << lane, .space = (uint8_t)space};
  origin.address[lane] = address;
  watch_undefined(w, &origin, lane, insn->line, "changed it by an atomic operation");
}

/* Where the lane's target lies on the host, or NULL after a report. */
static uint8_t *shared_target(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                              unsigned bytes) {
  Block *b = w->block;
  if (address > b->shared_bytes || bytes > b->shared_bytes - address) {
    watch_out_of_bounds(w, insn, lane, PTX_SHARED, address, bytes);
    return NULL;
  }
  if (address % bytes) {
    watch_misaligned(w, insn, lane, PTX_SHARED, address, bytes);
    return NULL;
  }
  if (w->worker->run->checks) {
    unsigned shift = b->shadow->shift;
    if (shadow_atomic_entries(w, insn, lane, (uint32_t)address >> shift, bytes >> shift) &&
        insn->sub != PTX_ATOM_EXCH)
      undefined_here(w, insn, lane, PTX_SHARED, address);
  }
  return b->shared + address;
}

static uint8_t *global_target(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                              unsigned bytes) {
  if (address % bytes) {
    watch_misaligned(w, insn, lane, PTX_GLOBAL, address, bytes);
    return NULL;
  }
  Allocation *a = memory_find(address);
  if (!a || bytes > a->bytes - (address - a->address)) {
    watch_out_of_bounds(w, insn, lane, PTX_GLOBAL, address, bytes);
    return NULL;
  }
  if (a->kind == MEMORY_CONSTANT) {
    watch_constant_written(w, insn, lane, address, bytes);
    return NULL;
  }
  if (a->watched)
    global_shadow_access(w, insn, lane, a, address, bytes, GLOBAL_ATOMIC, NULL);
  uint64_t offset = address - a->address;
  if (a->kind == MEMORY_MANAGED && a->unsettled) /* pinned: the host may well be watching */
    memory_unsettle(a, offset, offset + bytes);
  uint8_t all = (uint8_t)(((1u << (bytes < 8 ? bytes : 8)) - 1) << offset % 8);
  if (!a->all_defined &&
      (__atomic_fetch_or(&a->defined[offset / 8], all, __ATOMIC_RELAXED) & all) != all &&
      insn->sub != PTX_ATOM_EXCH && w->worker->run->checks)
    undefined_here(w, insn, lane, PTX_GLOBAL, address);
  return a->view + offset;
}

static void count(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address,
                  unsigned bytes, bool shared) {
  AccessCount *c = access_count(w, insn);
  c->requests++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  if (shared) {
    BankUse use = banks_use(address, lanes, bytes, w->worker->run->bank_bytes, false);
    c->wavefronts += use.wavefronts;
    c->ideal += use.ideal;
  } else {
    c->sectors += sectors_touched(address, lanes);
  }
}

void step_atomic(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint64_t address[WARP_LANES];
  uint32_t shared = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint64_t base = insn->a == PTX_NO_REG              ? 0
                    : insn->flags & PTX_NARROW_ADDRESS ? slot32(f->registers, insn->a)[lane]
                                                       : slot64(f->registers, insn->a)[lane];
    address[lane] = base + (uint64_t)insn->imm;
    if (insn->flags & PTX_NARROW_ADDRESS)
      address[lane] = (uint32_t)address[lane];
    bool in_window =
        insn->space == PTX_GENERIC && address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES;
    if (in_window)
      address[lane] -= PTX_SHARED_WINDOW;
    shared |= (uint32_t)(in_window || insn->space == PTX_SHARED) << lane;
  }
  shared &= lanes;
  EACH_SET(lane, lanes) {
    uint8_t *place =
        (shared >> lane & 1 ? shared_target : global_target)(w, insn, lane, address[lane], bytes);
    if (!place)
      continue;
    uint64_t old = change(place, bytes, (PtxAtomic)insn->sub, (PtxType)insn->type,
                          operand(f, insn->b, lane, bytes), operand(f, insn->c, lane, bytes));
    if (!(shared >> lane & 1))
      grid_added(w, address[lane], insn->line, lane);
    if (insn->d == PTX_NO_REG)
      continue;
    if (bytes == 8)
      slot64(f->registers, insn->d)[lane] = old;
    else
      slot32(f->registers, insn->d)[lane] = (uint32_t)old;
  }
  if (shared)
    count(w, insn, shared, address, bytes, true);
  if (lanes & ~shared)
    count(w, insn, lanes & ~shared, address, bytes, false);
}
