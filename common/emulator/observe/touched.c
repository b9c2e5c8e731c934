#include "touched.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct Touched {
  uint64_t *bits[TOUCH_WAYS]; /* one for each byte, mapped when first needed */
  uint8_t *chunks;            /* ways in which this launch touched them, as bits */
  size_t nchunks;
  unsigned element; /* bytes of the smallest access; 0: none yet */
};

static uint64_t *map_bits(const Allocation *a) {
  void *at = mmap(NULL, (a->bytes / SET_CHUNK + 1) * (SET_CHUNK / 8), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert(at != MAP_FAILED);
  return at;
}

static struct Touched *create(const Allocation *a) {
  struct Touched *t = calloc(1, sizeof *t);
  assert(t);
  t->nchunks = a->bytes / SET_CHUNK + 1;
  t->chunks = calloc(t->nchunks, 1);
  assert(t->chunks);
  for (int way = 0; way < TOUCH_WAYS; way++)
    t->bits[way] = map_bits(a);
  return t;
}

void touched_launch(bool wanted) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if (wanted && !a->touches)
      a->touches = create(a);
    a->touched = wanted ? a->touches : NULL;
    a->watched = a->shadow || a->touched;
  }
}

void touched_free(Allocation *a) {
  struct Touched *t = a->touches;
  for (int way = 0; t && way < TOUCH_WAYS; way++)
    munmap(t->bits[way], t->nchunks * (SET_CHUNK / 8));
  if (t)
    free(t->chunks);
  free(t);
  a->touches = a->touched = NULL;
}

bool touched_take(Allocation *a, ByteSet sets[TOUCH_WAYS], unsigned *element) {
  struct Touched *t = a->touched;
  a->touched = NULL;
  if (!t || !t->element)
    return false;
  for (size_t chunk = 0; chunk < t->nchunks; chunk++) {
    for (int way = 0; t->chunks[chunk] >> way; way++) {
      if (!(t->chunks[chunk] >> way & 1))
        continue;
      uint64_t *bits = t->bits[way] + chunk * SET_WORDS;
      byte_set_add_bits(&sets[way], chunk, bits);
      memset(bits, 0, SET_CHUNK / 8);
    }
    t->chunks[chunk] = 0;
  }
  *element = t->element;
  t->element = 0;
  return true;
}

/* ---- while the kernel runs: other workers may set neighbouring bits at the same time --------------- */
static void note_size(struct Touched *t, unsigned bytes) {
  unsigned before = __atomic_load_n(&t->element, __ATOMIC_RELAXED);
  while ((!before || bytes < before) &&
         !__atomic_compare_exchange_n(&t->element, &before, bytes, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

static ALWAYS_INLINE void set_bits(uint64_t *word, uint64_t bits) {
  if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits)
    __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static ALWAYS_INLINE void set_chunk(struct Touched *t, uint64_t chunk, TouchWay way) {
  if (!(__atomic_load_n(&t->chunks[chunk], __ATOMIC_RELAXED) >> way & 1))
    __atomic_fetch_or(&t->chunks[chunk], (uint8_t)(1u << way), __ATOMIC_RELAXED);
}

static ALWAYS_INLINE void touch(struct Touched *t, TouchWay way, uint64_t at, uint64_t end) {
  uint64_t *word = &t->bits[way][at / 64], *last = &t->bits[way][(end - 1) / 64];
  uint64_t bits = UINT64_MAX << at % 64;
  const uint64_t last_bits = UINT64_MAX >> (63 - (end - 1) % 64);
  set_chunk(t, at / SET_CHUNK, way);
  set_chunk(t, (end - 1) / SET_CHUNK, way);
  for (; word < last; word++, bits = UINT64_MAX)
    set_bits(word, bits);
  set_bits(word, bits & last_bits);
}

/* false: it is none of ours. */
static bool choose(const PtxInsn *insn, TouchWay *way) {
  if (!(insn->flags & PTX_VOLATILE) || *way == TOUCH_ATOMIC)
    return true;
  bool stores = *way == TOUCH_WRITE;
  *way = TOUCH_ATOMIC;
  return stores;
}

void touched_span(Allocation *a, const PtxInsn *insn, TouchWay way, uint64_t address,
                  uint64_t span) {
  struct Touched *t = a->touched;
  const uint64_t at = address - a->address;
  if (!choose(insn, &way))
    return;
  if (t->element - 1 >= access_bytes(insn)) /* 0: none yet */
    note_size(t, access_bytes(insn));
  touch(t, way, at, at + span);
}

void touched_lanes(Allocation *a, const PtxInsn *insn, TouchWay way, const Shape *shape,
                   uint64_t at) {
  struct Touched *t = a->touched;
  const uint32_t bytes = access_bytes(insn), *offset = shape->offset, lanes = shape->lanes;
  if (!choose(insn, &way))
    return;
  if (t->element - 1 >= bytes)
    note_size(t, bytes);
  /* Lanes side by side, or at one place, are one stretch. */
  uint32_t apart[WARP_LANES] = {UINT32_MAX};
  for (unsigned lane = 1; lane < WARP_LANES; lane++)
    apart[lane] = offset[lane] - offset[lane - 1] != bytes && offset[lane] != offset[lane - 1]
                      ? UINT32_MAX
                      : 0;
  const uint32_t starts = (lanes_from_truth(apart) | ~(lanes << 1)) & lanes;
  uint32_t ends = (starts >> 1 | ~(lanes >> 1)) & lanes;
  EACH_SET(first, starts) {
    touch(t, way, shape_at(shape, at, first) - a->address,
          shape_at(shape, at, lowest(ends)) - a->address + bytes);
    ends &= ends - 1;
  }
}

void touched_texel(const Allocation *a, uint64_t offset, unsigned bytes) {
  note_size(a->touched, bytes);
  touch(a->touched, TOUCH_READ, offset, offset + bytes);
}
