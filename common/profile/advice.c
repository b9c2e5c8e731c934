/* Explains a finding and suggests a change. Each sentence contains the numbers on which it is
 * based. The pattern of the lanes' addresses is computed from the sample, which is one request of
 * the access. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/observe/banks.h"
#include "emulator/words.h"
#include "profile.h"

/* ---- words ----------------------------------------------------------------------------------- */
/* Stores the name that the program gave the buffer, otherwise the name of the kernel's
 * parameter. */
static void buffer_name(const Finding *f, const Access *a, const Source *source, char *out,
                        size_t size) {
  const char *name = a->sample ? a->sample->buffer : "";
  if (*name && strncmp(name, "allocation ", 11))
    snprintf(out, size, "%s", name);
  else if (a->space == SPACE_SHARED)
    snprintf(out, size, "shared memory");
  else if (!source || !source_parameter(source, f->kernel->name, a->parameter, out, size))
    snprintf(out, size, "%s", *name ? name : "memory");
}

/* Appends to a sentence and truncates text that does not fit. */
static void say(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void say(char *out, size_t size, const char *format, ...) {
  size_t used = strlen(out);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(out + used, size - used, format, arguments);
  va_end(arguments);
}

#define WHAT(...) say(advice->what, sizeof advice->what, __VA_ARGS__)
#define WHY(...) say(advice->why, sizeof advice->why, __VA_ARGS__)
#define TRY(...) say(advice->attempt, sizeof advice->attempt, __VA_ARGS__)

/* ---- addresses of lanes ------------------------------------------------------------------ */
/* Computes the distance in bytes between the addresses of neighbouring threads. Returns false if
 * this distance is not the same for all neighbours. If a block is narrower than a warp, the warp
 * covers several rows, and only neighbours within a row are compared. */
static bool stride_of(const Access *a, int64_t *stride) {
  const Sample *s = a->sample;
  bool found = false;
  unsigned width = s && s->threads[0] ? s->threads[0] : LANES;
  for (unsigned lane = 1; s && lane < LANES; lane++) {
    if (lane % width == 0 || s->offset[lane] == NO_OFFSET || s->offset[lane - 1] == NO_OFFSET)
      continue;
    int64_t distance = s->offset[lane] - s->offset[lane - 1];
    if (found && distance != *stride)
      return false;
    *stride = distance;
    found = true;
  }
  return found;
}

/* Returns how many of the 32 banks the lanes access. */
static unsigned banks_asked(const Sample *s, unsigned mode) {
  uint32_t asked = 0;
  for (int lane = 0; lane < LANES; lane++)
    if (s->offset[lane] != NO_OFFSET)
      asked |= 1u << banks_word((uint64_t)s->offset[lane], mode) % BANKS;
  return (unsigned)__builtin_popcount(asked);
}

static long long far(int64_t stride) { return (long long)(stride < 0 ? -stride : stride); }

/* ---- the kinds ------------------------------------------------------------------------------- */
static const char *verb(const Access *a) {
  return a->operation == OPERATION_LOAD    ? "load"
         : a->operation == OPERATION_STORE ? "store"
                                           : "add";
}

static void far_apart(const Access *a, long long stride, Advice *advice) {
  WHY("the elements of neighbouring threads are %lld bytes apart, and a thread uses %u of these "
      "bytes.",
      stride, a->bytes);
  if (stride <= 2 * SECTOR_BYTES)
    TRY("let neighbouring threads use neighbouring elements, or let each thread move its %lld "
        "bytes at once (float4 has 16 bytes). Replace an array of structures by one array for each "
        "member.",
        stride);
  else
    TRY("let threadIdx.x count along a row, so that consecutive threads use consecutive addresses. "
        "If rows and columns must be exchanged, exchange them in a tile in shared memory.");
}

static void uncoalesced(const Finding *f, const char *name, Advice *advice) {
  const Access *a = &f->access;
  int64_t stride = 0;
  bool regular = stride_of(a, &stride) && stride != 0;
  long long bytes = far(stride),
            row = a->sample ? (long long)(a->sample->columns * a->sample->element) : 0;
  WHAT("uncoalesced %ss of %s: %.1f sectors per request, %.1f are enough", verb(a), name, f->now,
       f->ideal);
  if (regular && bytes == row) {
    WHY("neighbouring threads %s elements that are one row of %s apart (%lld bytes). Each thread "
        "fetches a sector of 32 bytes and uses %u bytes of it.",
        verb(a), name, bytes, a->bytes);
    TRY("let threadIdx.x count along a row of %s, so that the 32 threads of a warp use "
        "neighbouring elements.",
        name);
  } else if (regular && bytes != a->bytes) {
    far_apart(a, bytes, advice);
  } else if (regular && a->sample->threads[0] < LANES) {
    unsigned width = a->sample->threads[0];
    WHY("blocks are %u threads wide, so a warp covers %u rows, and each row needs its own sectors.",
        width, (LANES + width - 1) / width);
    TRY("make blockDim.x a multiple of 32.");
  } else if (regular) {
    WHY("the lanes access neighbouring elements, but the first one is not at the beginning of a "
        "sector of 32 bytes.");
    TRY("let rows begin at multiples of 32 bytes (cudaMallocPitch), or let each warp start at the "
        "beginning of a row.");
  } else {
    WHY("the addresses of a warp are scattered over %s.", name);
    TRY("assign the elements so that neighbouring threads use neighbouring elements. Or use a tile "
        "in shared memory: %s neighbouring elements, and access the tile in any order.",
        verb(a));
  }
}

static void conflicts(const Finding *f, const char *name, Advice *advice) {
  const Access *a = &f->access;
  int64_t stride = 0;
  WHAT("bank conflicts in the %ss of %s: %.1f per request", verb(a), name, f->now - f->ideal);
  if (stride_of(a, &stride) && stride != 0) {
    unsigned banks = banks_asked(a->sample, f->banks);
    WHY("%.1f wavefronts, although %.1f are enough: the words of neighbouring threads are %lld "
        "bytes apart, so the warp uses only %u of the 32 banks.",
        f->now, f->ideal, far(stride), banks);
    TRY("pad the rows of %s, because their length determines which banks the threads use. Or "
        "exchange the indices, so that neighbouring threads use neighbouring elements.",
        name);
    return;
  }
  WHY("%.1f wavefronts, although %.1f are enough: lanes of a warp access different words of one "
      "bank.",
      f->now, f->ideal);
  TRY("choose indices so that the 32 threads of a warp use different banks (word %% 32): "
      "neighbouring elements, or rows of another length.");
}

static void local(const Finding *f, Advice *advice) {
  WHAT("local memory: an array or spilled registers of each thread are in device memory");
  WHY("%.1f sectors per request, although the values could be in registers.", f->now);
  TRY("unroll the loops over the array (#pragma unroll, with a constant number of iterations), so "
      "that the compiler knows every index. Or make the array smaller, or put it into shared "
      "memory.");
}

/* Idle lanes have two causes, which can occur together: a partly filled last warp, and
 * divergence. */
static void idle_lanes(const Finding *f, Advice *advice) {
  const unsigned *block = f->kernel->block;
  double threads = (double)block[0] * block[1] * block[2], warps = ceil(threads / LANES);
  double there = threads / warps; /* mean number of threads per warp */
  bool ragged = there < 0.9 * LANES, parted = f->now < 0.9 * there;
  WHAT("few active lanes: %.1f of 32", f->now);
  if (ragged) {
    WHY("blocks of %.0f threads leave lanes of their last warp unused: on average, a warp uses "
        "%.0f of 32 lanes. ",
        threads, there);
    TRY("make the number of threads of a block a multiple of 32. ");
  }
  if (parted || !ragged) {
    WHY("%s of one warp take different branches, or have no element to work on. Lanes that are not "
        "active wait for the others.",
        ragged ? "Also, threads" : "threads");
    TRY("%s the condition the same for whole warps: let neighbouring threads do the work (thread < "
        "n), not every n-th thread (thread %% n == 0). Assign loop iterations of different length "
        "to different warps. Do not make a block wider than the data.",
        ragged ? "Also make" : "make");
  }
}

static double times_loaded(const Finding *f, const Access *a) {
  uint64_t launches = f->kernel->launches ? f->kernel->launches : 1;
  return share_of(a->lanes * a->bytes, a->sample->buffer_bytes * launches);
}

static void repeated(const Finding *f, const char *name, const char *second, Advice *advice) {
  WHAT("the same data is loaded again and again: each byte of %s %.0f times", name, f->now);
  if (f->second.requests && strcmp(name, second))
    WHAT(", of %s %.0f times", second, times_loaded(f, &f->second));
  double bytes = share_of(f->kernel->counters.global_load_bytes, f->kernel->counters.flop);
  if (bytes > 0)
    WHY("the kernel loads %.1f bytes from global memory for each floating-point operation, "
        "because ",
        bytes);
  WHY("different threads load the same elements.");
  TRY("let the threads of a block load a tile into shared memory once, call __syncthreads(), and "
      "then read the tile: a tile of 32 saves 31 of 32 loads.");
}

static void shared_loads(const Finding *f, Advice *advice) {
  WHAT("%.2f loads from shared memory per multiply-add", f->now);
  const EmulatorCounters *c = &f->kernel->counters;
  const double launches = f->kernel->launches ? (double)f->kernel->launches : 1;
  char waves[COUNT_BYTES], products[COUNT_BYTES];
  WHY("%s wavefronts of loads for %s multiply-adds of whole warps: the loads limit the speed, not "
      "the arithmetic.",
      sentence_count(waves, (double)c->shared_load_wavefronts / launches),
      sentence_count(products, (double)(c->flop / 2 / LANES) / launches));
  TRY("let each thread compute several outputs, so that all of them use a value that the thread "
      "has loaded into a register.");
}

Advice advise(const Finding *f, const Source *source) {
  Advice made = {.what = ""}, *advice = &made;
  char name[64], second[64];
  buffer_name(f, &f->access, source, name, sizeof name);
  buffer_name(f, &f->second, source, second, sizeof second);
  switch (f->kind) {
  case FINDING_UNCOALESCED:
    uncoalesced(f, name, advice);
    break;
  case FINDING_CONFLICTS:
    conflicts(f, name, advice);
    break;
  case FINDING_LOCAL:
    local(f, advice);
    break;
  case FINDING_IDLE_LANES:
    idle_lanes(f, advice);
    break;
  case FINDING_REPEATED:
    repeated(f, name, second, advice);
    break;
  case FINDING_SHARED_LOADS:
    shared_loads(f, advice);
    break;
  case FINDING_KINDS:
    break;
  }
  return made;
}
