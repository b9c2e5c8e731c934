/* Sums counters by source line. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

uint64_t access_ideal_sectors(const Access *a) {
  if (!a->bytes)
    return a->sectors;
  uint64_t ideal = (a->lanes * a->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  ideal = ideal < a->requests ? a->requests : ideal;
  return ideal < a->sectors ? ideal : a->sectors;
}

static void add_traffic(Traffic *t, uint64_t requests, uint64_t moved, uint64_t ideal) {
  t->requests += requests;
  t->moved += moved;
  t->ideal += ideal < moved ? ideal : moved;
}

static void add_access(Tally *t, const Access *a) {
  if (a->space == SPACE_GLOBAL)
    add_traffic(&t->global, a->requests, a->sectors, access_ideal_sectors(a));
  else if (a->space == SPACE_SHARED)
    add_traffic(&t->shared, a->requests, a->wavefronts, a->ideal);
  /* Hardware interleaves local memory, so that the lanes' bytes are contiguous. */
  else if (a->space == SPACE_LOCAL)
    add_traffic(&t->local, a->requests, (a->lanes * a->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES, 0);
}

Tally tally_kernel(const Kernel *k) {
  Tally t = {.executed = k->counters.warp_instructions,
             .lanes = k->counters.thread_instructions,
             .launches = k->launches};
  for (size_t i = 0; i < k->access_count; i++)
    add_access(&t, &k->accesses[i]);
  t.all_executed = t.executed;
  t.all_sectors = t.global.moved;
  t.all_wavefronts = t.shared.moved;
  return t;
}

/* ---- by access ------------------------------------------------------------------------------- */
static bool same_access(const Access *a, const Access *b) {
  return a->line == b->line && a->column == b->column && a->space == b->space &&
         a->operation == b->operation && a->parameter == b->parameter && a->bytes == b->bytes &&
         !strcmp(a->file, b->file) &&
         (!a->sample || !b->sample || !strcmp(a->sample->buffer, b->sample->buffer));
}

/* Returns true if two accesses are the halves of one float4 copy. clang splits such a copy into two
 * accesses of 8 bytes; nvcc does not. In both halves, consecutive lanes are 16 bytes apart. */
static bool are_halves(const Access *a, const Access *b) {
  const Sample *x = a->sample, *y = b->sample;
  const int64_t bytes = a->bytes;
  if (bytes != 8 || !x || !y || !same_access(a, b) || a->requests != b->requests ||
      a->lanes != b->lanes)
    return false;
  bool apart = true;
  for (unsigned lane = 0; lane < LANES; lane++) {
    if (x->offset[lane] == NO_OFFSET || y->offset[lane] == NO_OFFSET) {
      apart = apart && x->offset[lane] == y->offset[lane];
      continue;
    }
    const int64_t first = x->offset[lane] < y->offset[lane] ? x->offset[lane] : y->offset[lane];
    apart =
        apart && first % (2 * bytes) == 0 && x->offset[lane] + y->offset[lane] == 2 * first + bytes;
  }
  return apart;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Joins the halves of a float4 copy. Both access the same sectors and banks. */
static Access joined(const Access *a, const Access *b) {
  Access both = *a;
  both.bytes *= 2;
  both.sectors = larger(a->sectors, b->sectors);
  both.wavefronts = larger(a->wavefronts, b->wavefronts);
  both.ideal += b->ideal;
  return both;
}

/* Returns the kernel's accesses with halves joined, as nvcc would compile them. The caller frees
 * the list. */
static Access *whole_accesses(const Kernel *k, size_t *count) {
  Access *list = calloc(k->access_count + 1, sizeof *list);
  bool *taken = calloc(k->access_count + 1, sizeof *taken);
  assert(list && taken);
  *count = 0;
  for (size_t i = 0; i < k->access_count; i++) {
    size_t n = i + 1;
    while (n < k->access_count && (taken[n] || !are_halves(&k->accesses[i], &k->accesses[n])))
      n++;
    if (taken[i])
      continue;
    const bool half = n < k->access_count;
    list[(*count)++] = half ? joined(&k->accesses[i], &k->accesses[n]) : k->accesses[i];
    taken[n] = half;
  }
  free(taken);
  return list;
}

Access *kernel_accesses(const Kernel *k, size_t *count) {
  size_t all;
  Access *list = whole_accesses(k, &all);
  *count = 0;
  for (size_t i = 0; i < all; i++) {
    const Access one = list[i], *a = &one;
    size_t at = 0;
    while (at < *count && !same_access(&list[at], a))
      at++;
    if (at == *count) {
      list[(*count)++] = *a;
      continue;
    }
    list[at].requests += a->requests;
    list[at].lanes += a->lanes;
    list[at].sectors += a->sectors;
    list[at].wavefronts += a->wavefronts;
    list[at].ideal += a->ideal;
  }
  return list;
}

/* ---- by line --------------------------------------------------------------------------------- */
static int by_place(const void *a, const void *b) {
  const Tally *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

static void add_tally(Tally *to, const Tally *from) {
  to->executed += from->executed;
  to->lanes += from->lanes;
  add_traffic(&to->global, from->global.requests, from->global.moved, from->global.ideal);
  add_traffic(&to->shared, from->shared.requests, from->shared.moved, from->shared.ideal);
  add_traffic(&to->local, from->local.requests, from->local.moved, from->local.ideal);
  to->all_executed += from->all_executed;
  to->all_sectors += from->all_sectors;
  to->all_wavefronts += from->all_wavefronts;
  to->time += from->time;
  to->all_time += from->all_time;
  for (Wait w = 0; w < WAITS; w++)
    to->waits[w] += from->waits[w];
}

/* Merges entries of the same line. Returns the number of entries that remain. */
static size_t merge(Tally *list, size_t count) {
  size_t kept = 0;
  qsort(list, count, sizeof *list, by_place);
  for (size_t i = 0; i < count; i++)
    if (kept && by_place(&list[kept - 1], &list[i]) == 0)
      add_tally(&list[kept - 1], &list[i]);
    else
      list[kept++] = list[i];
  return kept;
}

static Tally tally_waiting(const WaitingLine *l, double time) {
  Tally t = {.file = l->file, .line = l->line, .time = l->share * time};
  for (Wait w = 0; w < WAITS; w++)
    t.waits[w] = l->waits[w] * time;
  return t;
}

/* Stores the tallies of one kernel's lines in `list`, which must have enough room. */
static size_t lines_of(const Kernel *k, Tally *list) {
  Tally whole = tally_kernel(k);
  size_t count = 0;
  for (size_t i = 0; i < k->line_count; i++) {
    const ExecutedLine *l = &k->lines[i];
    list[count++] =
        (Tally){.file = l->file, .line = l->line, .executed = l->executed, .lanes = l->lanes};
  }
  for (size_t i = 0; i < k->access_count; i++) {
    const Access *a = &k->accesses[i];
    list[count] = (Tally){.file = a->file, .line = a->line};
    add_access(&list[count++], a);
  }
  double time =
      k->predicted && k->predicted->line_count ? k->predicted->us * (double)k->launches : 0;
  for (size_t i = 0; time > 0 && i < k->predicted->line_count; i++)
    list[count++] = tally_waiting(&k->predicted->lines[i], time);
  count = merge(list, count);
  for (size_t i = 0; i < count; i++) {
    list[i].all_time = time;
    list[i].all_executed = whole.executed;
    list[i].all_sectors = whole.global.moved;
    list[i].all_wavefronts = whole.shared.moved;
  }
  return count;
}

Tally *tally_lines(const Recording *r, const Kernel *only, size_t *count) {
  size_t most = 1;
  for (size_t i = 0; i < r->kernel_count; i++)
    most += r->kernels[i].line_count + r->kernels[i].access_count +
            (r->kernels[i].predicted ? r->kernels[i].predicted->line_count : 0);
  Tally *list = calloc(most, sizeof *list);
  assert(list);
  *count = 0;
  for (size_t i = 0; i < r->kernel_count; i++)
    if (!only || only == &r->kernels[i])
      *count += lines_of(&r->kernels[i], list + *count);
  *count = merge(list, *count);
  for (size_t i = 0; i < *count; i++)
    list[i].launches = only ? only->launches : r->kernel_count == 1 ? r->kernels[0].launches : 1;
  return list;
}

/* ---- ratios ---------------------------------------------------------------------------------- */
double share_of(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : NAN;
}

uint64_t tally_each(const Tally *t, uint64_t count) {
  return t->launches ? (count + t->launches / 2) / t->launches : count;
}

double per_request(const Traffic *t) { return share_of(t->moved, t->requests); }

double excess_per_request(const Traffic *t) { return share_of(t->moved - t->ideal, t->requests); }

double active_lanes(const Tally *t) { return share_of(t->lanes, t->executed); }

double tally_cost(const Tally *t) {
  return (double)(t->global.moved + t->shared.moved + t->local.moved) + (double)t->executed / 4;
}
