/* Sets a bit for each byte that a kernel accesses, and converts these bitmaps to sets of bytes
 * (touched.h). */
#include "touched.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../state/settings.h"

/* The accesses of one worker to a buffer. */
typedef struct Touches {
  /* For each kind of access: bitmap with one bit per byte of the buffer, allocated with mmap. */
  uint64_t *bits[TOUCH_WAYS];
  /* For each chunk: bit mask of the kinds of access in this launch. NULL: the worker has not
   * accessed the buffer. */
  uint8_t *chunks;
  /* Size of the smallest access in bytes; 0: no access so far. */
  unsigned element;
} Touches;

struct Touched {
  size_t nchunks;
  uint32_t nworkers;
  Touches of_worker[];
};

static uint64_t *map_bits(const struct Touched *t) {
  void *at = mmap(NULL, t->nchunks * (SET_CHUNK / 8), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert(at != MAP_FAILED);
  return at;
}

static struct Touched *create(const Allocation *a) {
  const uint32_t workers = machine_settings()->workers;
  struct Touched *t = calloc(1, sizeof *t + workers * sizeof t->of_worker[0]);
  assert(t);
  t->nchunks = a->bytes / SET_CHUNK + 1;
  t->nworkers = workers;
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
  for (uint32_t k = 0; t && k < t->nworkers; k++) {
    for (int way = 0; t->of_worker[k].chunks && way < TOUCH_WAYS; way++)
      munmap(t->of_worker[k].bits[way], t->nchunks * (SET_CHUNK / 8));
    free(t->of_worker[k].chunks);
  }
  free(t);
  a->touches = a->touched = NULL;
}

/* Adds the bytes of a chunk that any worker accessed to the sets, and clears the bits of all
 * workers. */
static void take_chunk(struct Touched *t, size_t chunk, ByteSet sets[TOUCH_WAYS]) {
  for (int way = 0; way < TOUCH_WAYS; way++) {
    uint64_t all[SET_WORDS] = {0};
    bool any = false;
    for (uint32_t k = 0; k < t->nworkers; k++) {
      const Touches *own = &t->of_worker[k];
      if (!own->chunks || !(own->chunks[chunk] >> way & 1))
        continue;
      uint64_t *bits = own->bits[way] + chunk * SET_WORDS;
      for (int i = 0; i < SET_WORDS; i++)
        all[i] |= bits[i];
      memset(bits, 0, SET_CHUNK / 8);
      any = true;
    }
    if (any)
      byte_set_add_bits(&sets[way], chunk, all);
  }
  for (uint32_t k = 0; k < t->nworkers; k++)
    if (t->of_worker[k].chunks)
      t->of_worker[k].chunks[chunk] = 0;
}

bool touched_take(Allocation *a, ByteSet sets[TOUCH_WAYS], unsigned *element) {
  struct Touched *t = a->touched;
  unsigned least = 0;
  a->touched = NULL;
  for (uint32_t k = 0; t && k < t->nworkers; k++) {
    const unsigned own = t->of_worker[k].element;
    least = own && (!least || own < least) ? own : least;
    t->of_worker[k].element = 0;
  }
  for (size_t chunk = 0; least && chunk < t->nchunks; chunk++)
    take_chunk(t, chunk, sets);
  *element = least;
  return least;
}

/* ---- recording ------------------------------------------------------------------------------- */
static __attribute__((noinline)) void begin(const struct Touched *t, Touches *own) {
  own->chunks = calloc(t->nchunks, 1);
  assert(own->chunks);
  for (int way = 0; way < TOUCH_WAYS; way++)
    own->bits[way] = map_bits(t);
}

/* Returns the worker's record of a buffer. Updates the size of the smallest access with `bytes`. */
static ALWAYS_INLINE Touches *noting(const Warp *w, const Allocation *a, unsigned bytes) {
  Touches *own = &a->touched->of_worker[w->worker->number];
  if (!own->chunks)
    begin(a->touched, own);
  if (own->element - 1 >= bytes) /* also true for 0: no access is recorded yet */
    own->element = bytes;
  return own;
}

static ALWAYS_INLINE void mark(Touches *t, TouchWay way, uint64_t chunk) {
  if (__builtin_expect(!(t->chunks[chunk] >> way & 1), 0))
    t->chunks[chunk] |= (uint8_t)(1u << way);
}

static ALWAYS_INLINE void touch(Touches *t, TouchWay way, uint64_t at, uint64_t end) {
  uint64_t *bits = t->bits[way], word = at / 64;
  const uint64_t last = (end - 1) / 64;
  const uint64_t from = UINT64_MAX << at % 64, until = UINT64_MAX >> (63 - (end - 1) % 64);
  mark(t, way, at / SET_CHUNK);
  if (word == last) {
    bits[word] |= from & until;
    return;
  }
  mark(t, way, (end - 1) / SET_CHUNK);
  bits[word] |= from;
  while (++word < last)
    bits[word] = UINT64_MAX;
  bits[last] |= until;
}

/* Decides how an access is recorded. For volatile accesses, changes `*way`: a store counts as
 * atomic, an atomic operation as one with system scope. Returns false for a volatile load, which is
 * not recorded. */
static bool choose(const PtxInsn *insn, TouchWay *way) {
  if (!(insn->flags & PTX_VOLATILE))
    return true;
  if (*way == TOUCH_ATOMIC) {
    *way = TOUCH_SYSTEM;
    return true;
  }
  bool stores = *way == TOUCH_WRITE;
  *way = TOUCH_ATOMIC;
  return stores;
}

void touched_span(const Warp *w, const PtxInsn *insn, TouchWay way, const Allocation *a,
                  uint64_t address, uint64_t span) {
  const uint64_t at = address - a->address;
  if (choose(insn, &way))
    touch(noting(w, a, access_bytes(insn)), way, at, at + span);
}

void touched_lanes(const Warp *w, const PtxInsn *insn, TouchWay way, const Shape *shape,
                   const Allocation *a, uint64_t at) {
  const uint32_t bytes = access_bytes(insn), *offset = shape->offset, lanes = shape->lanes;
  if (!choose(insn, &way))
    return;
  Touches *t = noting(w, a, bytes);
  /* Consecutive lanes whose addresses are adjacent or equal form one range. `apart`: all ones if
   * the lane begins a new range. */
  uint32_t apart[WARP_LANES] = {UINT32_MAX};
  for (unsigned lane = 1; lane < WARP_LANES; lane++)
    apart[lane] = offset[lane] - offset[lane - 1] != bytes && offset[lane] != offset[lane - 1]
                      ? UINT32_MAX
                      : 0;
  const uint32_t starts = (lanes_from_truth(apart) | ~(lanes << 1)) & lanes;
  uint32_t ends = (starts >> 1 | ~(lanes >> 1)) & lanes;
  if (starts == lanes && bytes <= 16) {
    /* Each lane is a separate range. Addresses are aligned, so all bits of a lane are in one 64-bit
     * word. */
    const uint64_t bits = (UINT64_C(1) << bytes) - 1, start = at - a->address;
    EACH_SET(lane, lanes) {
      const uint64_t place = shape_at(shape, start, lane);
      mark(t, way, place / SET_CHUNK);
      t->bits[way][place / 64] |= bits << place % 64;
    }
    return;
  }
  EACH_SET(first, starts) {
    touch(t, way, shape_at(shape, at, first) - a->address,
          shape_at(shape, at, lowest(ends)) - a->address + bytes);
    ends &= ends - 1;
  }
}

void touched_texel(const Warp *w, const Allocation *a, uint64_t offset, unsigned bytes) {
  touch(noting(w, a, bytes), TOUCH_READ, offset, offset + bytes);
}
