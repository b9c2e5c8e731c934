#include "global_shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "watch.h"

#define LAUNCH_SHIFT 55
#define HOLDS (UINT64_C(1) << 54)
#define BLOCK_SHIFT 30
#define BLOCK_MASK ((UINT64_C(1) << 24) - 1)
#define THREAD_SHIFT 20
#define SEVERAL (UINT64_C(1) << 19)
#define ATOMIC (UINT64_C(1) << 18)
#define SITE_MASK ((UINT64_C(1) << 18) - 1)
#define LAST_LAUNCH 511

/* Made once per allocation, one word per byte reserved and only touched pages backed: a kernel that
 * stores bytes needs every word, one that stores floats every fourth. */
static bool make_shadow(Allocation *a) {
  if (a->writers)
    return true;
  size_t bytes = a->bytes * sizeof *a->writers;
  void *writers =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void *readers =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (writers == MAP_FAILED || readers == MAP_FAILED) {
    if (writers != MAP_FAILED)
      munmap(writers, bytes);
    if (readers != MAP_FAILED)
      munmap(readers, bytes);
    return false;
  }
  a->writers = writers;
  a->readers = readers;
  return true;
}

static void forget(Allocation *a) {
  if (!a->writers)
    return;
  madvise(a->writers, a->bytes * sizeof *a->writers, MADV_DONTNEED);
  madvise(a->readers, a->bytes * sizeof *a->readers, MADV_DONTNEED);
}

/* Can this launch write to the allocation? Only through a parameter that it stores through, if all
 * stores are traced. */
static bool reachable(const Run *run, const Allocation *a) {
  const PtxFunction *f = run->function;
  if (f->writes_unknown || a->kind == MEMORY_VARIABLE)
    return true;
  for (uint32_t i = 0; i < f->nparams; i++) {
    uint64_t pointer;
    if (!f->writes_parameter[i] || f->params[i].bytes != sizeof pointer)
      continue;
    memcpy(&pointer, run->launch->parameters + f->params[i].offset, sizeof pointer);
    if (pointer - a->address <= a->bytes)
      return true;
  }
  return false;
}

/* A number that no entry of a shadow has. */
static uint32_t next_launch(void) {
  static uint32_t launches;
  if (++launches > LAST_LAUNCH) {
    launches = 1;
    for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
      forget(a);
  }
  return launches;
}

/* As if a launch had ended. */
void global_shadow_barrier(Run *run) { run->epoch = next_launch(); }

void global_shadow_launch(Run *run) {
  run->watch_global = run->checks && run->nblocks > 1;
  run->epoch = next_launch();
  run->has_cas = run->watch_global && run->function->has_global_cas;
  run->shared_cas = run->checks && run->function->has_shared_cas;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    a->gaps_expected = a->gaps_expected || (run->function->scatters && reachable(run, a));
    a->watched =
        run->watch_global && a->kind != MEMORY_CONSTANT && reachable(run, a) && make_shadow(a);
  }
}

static bool from_other_block(uint64_t old, uint64_t mine) {
  return old >> LAUNCH_SHIFT == mine >> LAUNCH_SHIFT &&
         ((old ^ mine) >> BLOCK_SHIFT & BLOCK_MASK) != 0;
}

static void race(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address, uint64_t old,
                 bool wrote_before, bool writes_now, bool same) {
  watch_global_race(w, insn, lane, address, old >> BLOCK_SHIFT & BLOCK_MASK,
                    (uint32_t)(old >> THREAD_SHIFT & 1023), (uint32_t)(old & SITE_MASK),
                    wrote_before, writes_now, same);
}

/* After a fence the kernel may order its blocks by hand, with flags and counters. Then only writes
 * are compared. */
static bool readers_matter(const Run *run) { return !run->function->has_fence; }

/* `old = *p; do ... while (atomicCAS(p, old, ...) != old)` reads plainly what others change by CAS,
 * and may. */
static bool is_idiom(const Run *run, uint64_t writer) { return run->has_cas && writer & ATOMIC; }

static void read_one(Warp *w, const PtxInsn *insn, unsigned lane, Allocation *a, uint64_t at,
                     uint64_t address, uint64_t mine) {
  uint64_t old = __atomic_load_n(&a->readers[at], __ATOMIC_RELAXED);
  if (old >> LAUNCH_SHIFT != mine >> LAUNCH_SHIFT)
    __atomic_store_n(&a->readers[at], mine, __ATOMIC_SEQ_CST);
  else if (from_other_block(old, mine) && !(old & SEVERAL))
    __atomic_store_n(&a->readers[at], old | SEVERAL, __ATOMIC_SEQ_CST);
  uint64_t writer = __atomic_load_n(&a->writers[at], __ATOMIC_SEQ_CST);
  if (from_other_block(writer, mine) && readers_matter(w->worker->run) &&
      !is_idiom(w->worker->run, writer))
    race(w, insn, lane, address, writer, true, false, false);
}

/* Whoever comes through an atomic operation (or a volatile access, which the program orders itself)
 * and then a fence holds a lock, until after another fence he comes through one again; what is
 * written meanwhile is ordered among those who hold one. A barrier hands that on to the block. */
static void pass_meeting_point(Warp *w, unsigned lane) {
  uint32_t me = 1u << lane;
  w->passed = w->gives_back & me ? w->passed & ~me : w->passed | me;
  w->holds &= ~(w->gives_back & me);
  w->gives_back &= ~me;
}

void global_shadow_fence(Warp *w, uint32_t lanes) {
  w->gives_back |= w->holds & lanes;
  w->holds |= w->passed & lanes;
}

void global_shadow_block_barrier(Block *b) {
  b->holds = false;
  for (uint32_t i = 0; i < b->nwarps; i++)
    b->holds = b->holds || b->warps[i].holds;
}

static void write_one(Warp *w, const PtxInsn *insn, unsigned lane, Allocation *a, uint64_t at,
                      uint64_t address, uint64_t mine, bool same) {
  uint64_t old = __atomic_exchange_n(&a->writers[at], mine, __ATOMIC_SEQ_CST);
  if (from_other_block(old, mine) && !(old & mine & (ATOMIC | HOLDS)))
    race(w, insn, lane, address, old, true, true, same);
  uint64_t reader = __atomic_load_n(&a->readers[at], __ATOMIC_SEQ_CST);
  bool other = from_other_block(reader, mine) ||
               (reader >> LAUNCH_SHIFT == mine >> LAUNCH_SHIFT && reader & SEVERAL);
  if (other && readers_matter(w->worker->run) && !is_idiom(w->worker->run, mine))
    race(w, insn, lane, address, reader, false, true, false);
}

void global_shadow_access(Warp *w, const PtxInsn *insn, unsigned lane, Allocation *a,
                          uint64_t address, unsigned bytes, GlobalAccess access,
                          const uint8_t *value) {
  const Run *run = w->worker->run;
  if (access == GLOBAL_ATOMIC || insn->flags & PTX_VOLATILE)
    pass_meeting_point(w, lane);
  if (access != GLOBAL_ATOMIC && insn->flags & PTX_VOLATILE)
    return; /* a synchronising access: the program orders it itself */
  bool holds = w->block->holds || w->holds >> lane & 1;
  unsigned granule = run->function->global_granule, shift = granule == 1 ? 0 : granule == 2 ? 1 : 2;
  uint64_t mine = (uint64_t)run->epoch << LAUNCH_SHIFT |
                  (w->block->number & BLOCK_MASK) << BLOCK_SHIFT |
                  (uint64_t)(w->number * WARP_LANES + lane) << THREAD_SHIFT |
                  (access == GLOBAL_ATOMIC ? ATOMIC : 0) | (holds ? HOLDS : 0) | insn->site;
  uint64_t first = (address - a->address) >> shift, count = bytes >> shift;
  bool same = value && memcmp(a->view + (address - a->address), value, bytes) == 0;
  for (uint64_t at = first; at < first + (count ? count : 1); at++)
    if (access == GLOBAL_READ)
      read_one(w, insn, lane, a, at, address, mine);
    else
      write_one(w, insn, lane, a, at, address, mine, same);
}
