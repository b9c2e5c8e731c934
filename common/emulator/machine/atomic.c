/* Implements atomic operations. Only one worker accesses the shared memory of a block, so
 * operations on shared memory are plain reads and writes. Several workers may access global memory,
 * so operations on global memory use the host's atomic instructions, unless the launch has only one
 * worker. The lanes of an instruction are processed in ascending order. */
#include <assert.h>
#include <stdlib.h>

#include "access.h"
#include "arith.h"

/* Adds two floats. If the sum is NaN, returns the device's canonical NaN. */
static uint32_t sum_f32(uint32_t a, uint32_t b) {
  const f32 sum = f32_of(a) + f32_of(b);
  return sum == sum ? f32_bits(sum) : 0x7fffffff;
}
/* Replaces a subnormal float by zero, as the atomic units of global memory do. */
static uint32_t flushed(uint32_t bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }
static uint32_t sum_f32_flushed(uint32_t a, uint32_t b) {
  return flushed(sum_f32(flushed(a), flushed(b)));
}

static uint64_t add(PtxType type, uint64_t a, uint64_t b) {
  switch (type) {
  case PTX_F16:
    return half_from_double(half_to_float((u16)a) + half_to_float((u16)b));
  case PTX_F16X2:
    return halves(low_half((u32)a) + low_half((u32)b), high_half((u32)a) + high_half((u32)b));
  case PTX_F32:
    return sum_f32((u32)a, (u32)b);
  case PTX_F64:
    return f64_bits(f64_of(a) + f64_of(b));
  default:
    return a + b;
  }
}

static bool less(PtxType type, uint64_t a, uint64_t b) {
  return type == PTX_S32   ? (int32_t)a < (int32_t)b
         : type == PTX_S64 ? (int64_t)a < (int64_t)b
                           : a < b;
}

/* If neither arrivals nor bytes are pending, begins the next phase of an mbarrier. Returns the new
 * value of the mbarrier's word. */
static uint64_t next_phase(uint64_t word) {
  const uint64_t arrivals = (UINT64_C(1) << PTX_ARRIVALS_BITS) - 1;
  const uint64_t bytes = ((UINT64_C(1) << PTX_BYTES_BITS) - 1) << PTX_BYTES_AT;
  if (word & (arrivals | bytes))
    return word;
  return (word | (word >> PTX_EXPECTED_AT & arrivals)) ^ UINT64_C(1) << 63;
}

/* Returns the word of an mbarrier after `count` arrivals. `drops`: later phases expect `count`
 * fewer arrivals. */
static uint64_t arrive(uint64_t word, uint64_t count, bool drops) {
  const uint64_t arrivals = (UINT64_C(1) << PTX_ARRIVALS_BITS) - 1;
  const uint64_t left = (word - count) & arrivals;
  const uint64_t each = ((word >> PTX_EXPECTED_AT) - (drops ? count : 0)) & arrivals;
  word &= ~(arrivals | arrivals << PTX_EXPECTED_AT);
  return next_phase(word | left | each << PTX_EXPECTED_AT);
}

static uint64_t count_bytes(uint64_t word, uint64_t more) {
  const uint64_t bytes = ((UINT64_C(1) << PTX_BYTES_BITS) - 1) << PTX_BYTES_AT;
  return (word & ~bytes) | ((word + (more << PTX_BYTES_AT)) & bytes);
}

/* Returns the new value of the memory word. */
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
  case PTX_ATOM_ADD_FLUSHED:
    return sum_f32_flushed((uint32_t)old, (uint32_t)b);
  case PTX_ATOM_ADD_BF16:
    return type == PTX_B16 ? bf16_from_double((f64)bf16_to_float((u16)old) + bf16_to_float((u16)b))
                           : bf16s((f64)low_bf16((u32)old) + low_bf16((u32)b),
                                   (f64)high_bf16((u32)old) + high_bf16((u32)b));
  case PTX_ATOM_ARRIVE:
  case PTX_ATOM_DROP:
    return arrive(old, b, operation == PTX_ATOM_DROP);
  case PTX_ATOM_EXPECT:
    return count_bytes(old, b);
  case PTX_ATOM_COMPLETE:
    return next_phase(count_bytes(old, 0 - b));
  }
  assert(!"atomic operation");
  return old;
}

/* Performs the operation of one lane on memory that other workers may access at the same time.
 * Returns the old value. */
#define EXCHANGE(bits)                                                                             \
  {                                                                                                \
    uint##bits##_t *at = place, old = __atomic_load_n(at, __ATOMIC_RELAXED), now;                  \
    do                                                                                             \
      now = (uint##bits##_t)apply(operation, type, old, b, c);                                     \
    while (                                                                                        \
        !__atomic_compare_exchange_n(at, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));   \
    return old;                                                                                    \
  }
static uint64_t exchange(void *place, unsigned bytes, PtxAtomic operation, PtxType type, uint64_t b,
                         uint64_t c) {
  if (bytes == 8)
    EXCHANGE(64)
  if (bytes == 4 && operation == PTX_ATOM_ADD && type != PTX_F32 && type != PTX_F16X2)
    return __atomic_fetch_add((uint32_t *)place, (uint32_t)b, __ATOMIC_SEQ_CST);
  if (bytes == 4)
    EXCHANGE(32)
  EXCHANGE(16)
}

/* Like exchange, for memory that only this worker accesses. */
static uint64_t replace(void *place, unsigned bytes, PtxAtomic operation, PtxType type, uint64_t b,
                        uint64_t c) {
#define REPLACE(bits)                                                                              \
  {                                                                                                \
    uint##bits##_t *at = place, old = *at;                                                         \
    *at = (uint##bits##_t)apply(operation, type, old, b, c);                                       \
    return old;                                                                                    \
  }
  if (bytes == 4)
    REPLACE(32)
  if (bytes == 8)
    REPLACE(64)
  REPLACE(16)
}

static uint64_t operand(const Frame *f, uint32_t slot, unsigned lane, unsigned bytes) {
  if (slot == PTX_NO_REG)
    return 0;
  return bytes == 8 ? slot64(f->registers, slot)[lane]
                    : slot32(f->registers, slot)[lane] & (bytes == 2 ? 0xffff : UINT32_MAX);
}

/* Records the result of an atomic operation. If no lane changed memory, the operation counts as a
 * poll that read `found`. After a compare-and-swap or exchange, records the lanes that changed
 * memory and the new value `left`. */
static void settle(Warp *w, const PtxInsn *insn, uint32_t lanes, uint32_t changed, uint64_t address,
                   uint64_t found, uint64_t left) {
  uint32_t known = w->nswapped < POLLED ? w->nswapped : POLLED, i = 0;
  if (!changed) {
    access_polls(w, address, found);
    return;
  }
  w->changed = true;
  if (insn->sub != PTX_ATOM_CAS && insn->sub != PTX_ATOM_EXCH)
    return;
  while (i < known && w->swapped_at[i] != address)
    i++;
  if (i == known)
    i = w->nswapped++ % POLLED;
  w->swapped_at[i] = address;
  w->swapped_by[i] = changed & lanes;
  w->swapped_in[i] = left;
  if (w->nswapped == 2 * POLLED)
    w->nswapped = POLLED;
}

static bool changes(const PtxInsn *insn, uint64_t old, uint64_t b, uint64_t c) {
  if (insn->sub == PTX_ATOM_ADD)
    return b != 0;
  return apply((PtxAtomic)insn->sub, (PtxType)insn->type, old, b, c) != old;
}

static bool is_integer_add(const PtxInsn *insn) {
  return insn->sub == PTX_ATOM_ADD && (insn->type == PTX_U32 || insn->type == PTX_S32);
}

/* Performs atomic additions of 32-bit integers, the most common atomic operation. */
static uint32_t add_all(Frame *f, const PtxInsn *insn, const Shape *shape, uint8_t *lead,
                        bool alone) {
  const uint32_t *b = slot32(f->registers, insn->b);
  uint32_t old[WARP_LANES], changed = 0, sum = 0;
  if (shape->nplaces == 1) {
    /* All lanes have the same address: add their sum once. */
    EACH_SET(lane, shape->lanes) {
      changed |= (uint32_t)(b[lane] != 0) << lane;
      old[lane] = sum;
      sum += b[lane];
    }
    uint32_t *at = (uint32_t *)(void *)lead, before = *at;
    if (alone)
      *at += sum;
    else
      before = __atomic_fetch_add(at, sum, __ATOMIC_SEQ_CST);
    for (int lane = 0; lane < WARP_LANES; lane++)
      old[lane] += before;
  }
  EACH_SET(lane, shape->nplaces == 1 ? 0 : shape->lanes) {
    uint32_t *at = (uint32_t *)(void *)(lead + (int32_t)shape->offset[lane]);
    changed |= (uint32_t)(b[lane] != 0) << lane;
    if (alone)
      old[lane] = *at, *at += b[lane];
    else
      old[lane] = __atomic_fetch_add(at, b[lane], __ATOMIC_SEQ_CST);
  }
  if (insn->d != PTX_NO_REG)
    put32(f->registers, insn->d, shape->lanes, old);
  return changed;
}

/* Performs one operation on a 32-bit word and returns the old value. `*change` is set if the value
 * changed; otherwise nothing is written. */
static ALWAYS_INLINE uint32_t change_word(uint32_t *at, bool alone, PtxAtomic operation,
                                          PtxType type, uint32_t b, uint32_t c, bool *change) {
  uint32_t old = alone ? *at : __atomic_load_n(at, __ATOMIC_SEQ_CST), now;
  while ((now = (uint32_t)apply(operation, type, old, b, c)) != old) {
    if (alone)
      *at = now;
    else if (!__atomic_compare_exchange_n(at, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      continue;
    *change = true;
    return old;
  }
  *change = false;
  return old;
}

/* Performs one of the most common 32-bit operations, each of which has a specialised loop.
 * `*changed` is set to the lanes that changed memory. Returns false for other operations, which are
 * not performed. */
static bool change_words(Frame *f, const PtxInsn *insn, const Shape *shape, uint8_t *lead,
                         bool alone, uint32_t *old, uint32_t *changed) {
  const uint32_t *b = slot32(f->registers, insn->b);
  const uint32_t *c = insn->c == PTX_NO_REG ? b : slot32(f->registers, insn->c);
  uint32_t all = 0;
  bool change;
#define EACH(operation, type)                                                                      \
  EACH_SET(lane, shape->lanes) {                                                                   \
    uint32_t *at = (uint32_t *)(void *)(lead + (int32_t)shape->offset[lane]);                      \
    old[lane] = change_word(at, alone, operation, type, b[lane], c[lane], &change);                \
    all |= (uint32_t)change << lane;                                                               \
  }
  if (ptx_type_bytes((PtxType)insn->type) != 4)
    return false;
  if (insn->sub == PTX_ATOM_CAS)
    EACH(PTX_ATOM_CAS, PTX_B32)
  else if (insn->sub == PTX_ATOM_OR)
    EACH(PTX_ATOM_OR, PTX_B32)
  else if (insn->sub == PTX_ATOM_MIN && insn->type == PTX_S32)
    EACH(PTX_ATOM_MIN, PTX_S32)
  else if (insn->sub == PTX_ATOM_MIN && insn->type == PTX_U32)
    EACH(PTX_ATOM_MIN, PTX_U32)
  else if (insn->sub == PTX_ATOM_MAX && insn->type == PTX_S32)
    EACH(PTX_ATOM_MAX, PTX_S32)
  else if (insn->sub == PTX_ATOM_MAX && insn->type == PTX_U32)
    EACH(PTX_ATOM_MAX, PTX_U32)
  else
    return false;
#undef EACH
  *changed = all;
  return true;
}

/* Returns true if this addition is rounded. Then the final sum depends on the order of
 * additions. */
static bool rounds(PtxAtomic operation, PtxType type, uint64_t old, uint64_t b) {
  if (operation == PTX_ATOM_ADD_FLUSHED || (operation == PTX_ATOM_ADD && type == PTX_F32)) {
    const f64 exact = (f64)f32_of((u32)old) + (f64)f32_of((u32)b);
    return exact == exact && (f64)(f32)exact != exact;
  }
  if (operation != PTX_ATOM_ADD || type != PTX_F64)
    return false;
  const f64 x = f64_of(old), y = f64_of(b), sum = x + y, of_y = sum - x;
  return sum == sum && (x - (sum - of_y)) + (y - of_y) != 0;
}

/* Performs the operation for all lanes, in ascending order. `alone`: no other worker accesses this
 * memory. */
static void change_all(Warp *w, const PtxInsn *insn, const Shape *shape, const uint64_t *address,
                       uint8_t *lead, PtxSpace space, bool alone) {
  Frame *f = w->frame;
  const PtxAtomic operation =
      space == PTX_GLOBAL && insn->sub == PTX_ATOM_ADD && insn->type == PTX_F32
          ? PTX_ATOM_ADD_FLUSHED
          : (PtxAtomic)insn->sub;
  const uint32_t lanes = shape->lanes;
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type), first = lowest(lanes);
  uint32_t changed = 0, olds[WARP_LANES];
  uint64_t found = low_bytes(lead, bytes), left = 0;
  if (is_integer_add(insn)) {
    changed = add_all(f, insn, shape, lead, alone);
  } else if (change_words(f, insn, shape, lead, alone, olds, &changed)) {
    left = operand(f, insn->sub == PTX_ATOM_CAS ? insn->c : insn->b,
                   lowest(changed ? changed : lanes), bytes);
    found = olds[first];
    if (insn->d != PTX_NO_REG)
      put32(f->registers, insn->d, lanes, olds);
  } else {
    EACH_SET(lane, lanes) {
      const uint64_t b = operand(f, insn->b, lane, bytes), c = operand(f, insn->c, lane, bytes);
      const uint64_t old = (alone ? replace : exchange)(lead + (int32_t)shape->offset[lane], bytes,
                                                        operation, (PtxType)insn->type, b, c);
      const bool change = changes(insn, old, b, c);
      if (rounds(operation, (PtxType)insn->type, old, b))
        hook_sum_rounded(w, insn, address[lane]);
      if (change && !changed)
        left = insn->sub == PTX_ATOM_CAS ? c : b;
      changed |= (uint32_t)change << lane;
      if (lane == first)
        found = old;
      if (insn->d == PTX_NO_REG)
        continue;
      if (bytes == 8)
        slot64(f->registers, insn->d)[lane] = old;
      else
        slot32(f->registers, insn->d)[lane] = (uint32_t)old;
    }
  }
  settle(w, insn, lanes, changed, address[lowest(changed ? changed : lanes)], found, left);
}

static void on_shared(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  const Shape *shape = shared_shape(w, insn, lanes, address);
  if (!shape)
    return;
  const uint32_t at = (uint32_t)address[lowest(shape->lanes)];
  hook_shared_access(w, insn, shape, at);
  change_all(w, insn, shape, address, w->shared + at, PTX_SHARED, true);
}

/* Prefetches scattered addresses, so that they are in the cache after the observers have run. */
static void fetch_ahead(const Shape *shape, const uint8_t *lead) {
  EACH_SET(lane, shape->span > 4096 ? shape->lanes : 0)
  __builtin_prefetch(lead + (int32_t)shape->offset[lane], 1);
}

/* ---- private sums of a worker ---------------------------------------------------------------- */
/* If a kernel only adds to a buffer and ignores the old values, it cannot observe when each
 * addition happens. If several workers added directly to a few addresses, cache lines would move
 * between the processors of the host at each addition. Therefore each worker adds to a private
 * copy, which is added to memory when all blocks are done. If a worker nevertheless accesses the
 * buffer in another way, for example through a pointer to an earlier buffer, its copy is added to
 * memory before the access. */
/* The maximum size in bytes of a buffer that has private copies. In larger buffers, workers rarely
 * access the same cache line. */
enum { SUMS_MOST = 256 * 1024 };
typedef struct Sums {
  Allocation *of;
  /* NULL: the worker adds directly to this buffer. */
  uint8_t *sums;
  struct Sums *next;
} Sums;

static Sums *sums_for(Worker *worker, Allocation *a) {
  Sums *s = worker->sums;
  while (s && s->of != a)
    s = s->next;
  if (s)
    return s;
  s = calloc(1, sizeof *s);
  assert(s);
  *s = (Sums){a, NULL, worker->sums};
  worker->sums = s;
  if (a->kind == MEMORY_DEVICE && a->bytes <= SUMS_MOST &&
      !(launch_accesses(worker->run->launch, a) & (PTX_READS | PTX_STORES | PTX_MEETS))) {
    s->sums = calloc(a->bytes + 1, 1);
    assert(s->sums);
  }
  return s;
}

static void add_sums(const Sums *s, unsigned bytes) {
  uint32_t *words = (uint32_t *)(void *)on_host(s->of, s->of->address), *more = (uint32_t *)s->sums;
  uint64_t *longs = (uint64_t *)(void *)words, *more_longs = (uint64_t *)(void *)more;
  for (uint64_t i = 0; bytes == 4 && i < s->of->bytes / 4; i++)
    if (more[i])
      __atomic_fetch_add(&words[i], more[i], __ATOMIC_RELAXED);
  for (uint64_t i = 0; bytes == 8 && i < s->of->bytes / 8; i++)
    if (more_longs[i])
      __atomic_fetch_add(&longs[i], more_longs[i], __ATOMIC_RELAXED);
}

void atomic_settle(Worker *worker) {
  for (Sums *s = worker->sums, *next; s; s = next) {
    next = s->next;
    if (s->sums)
      add_sums(s, worker->run->function->adds);
    free(s->sums);
    free(s);
  }
}

void atomic_meet(Worker *worker, Allocation *a) {
  Sums *s = sums_for(worker, a);
  if (s->sums)
    add_sums(s, worker->run->function->adds);
  free(s->sums);
  s->sums = NULL;
}

static void on_global(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  const Run *run = w->worker->run;
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint32_t taken, done = 0;
  Allocation *a;
  for (uint32_t rest = lanes; rest; rest &= ~taken) {
    const uint64_t at = address[lowest(rest)];
    const Shape *shape = global_shape(w, insn, rest, address, &a, &taken);
    if (!shape)
      continue;
    fetch_ahead(shape, on_host(a, at));
    hook_global_access(w, insn, shape, a, at, done);
    done |= taken;
    /* The host may be polling pinned memory, so an atomic operation there counts as ordered. */
    define_lanes(a, shape, at, bytes, a->kind != MEMORY_MANAGED || insn->flags & PTX_VOLATILE);
    const bool alone = run->nworkers == 1;
    uint8_t *sums = !alone && run->function->adds ? sums_for(w->worker, a)->sums : NULL;
    change_all(w, insn, shape, address, sums ? sums + (at - a->address) : on_host(a, at),
               PTX_GLOBAL, alone || sums);
    if (run->grid_memory)
      EACH_SET(lane, taken) grid_added(w, address[lane], insn->line, lane);
  }
}

void step_atomic(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  uint32_t window[WARP_LANES], shared = insn->space == PTX_SHARED ? lanes : 0;
  lane_addresses(w->frame->registers, insn, address);
  if (insn->space == PTX_GENERIC) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
      window[lane] = address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES ? UINT32_MAX : 0;
      address[lane] -= window[lane] ? PTX_SHARED_WINDOW : 0;
    }
    shared = lanes_from_truth(window) & lanes;
  }
  if (shared)
    on_shared(w, insn, shared, address);
  if (lanes & ~shared)
    on_global(w, insn, lanes & ~shared, address);
}
