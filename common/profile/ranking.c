/* Finds the lines with the largest avoidable cost. For each line of each kernel and each kind of
 * finding, computes the part of the cost that could be saved. The unit is that of tally_cost, a
 * rough measure that only serves to compare lines; the output shows the counters.
 *
 * Mistakes come before improvements. A kernel that reads its matrices many times should be
 * redesigned only after its accesses are coalesced. A saving that is less than LEAST_SHARE of the
 * cost of its kernel is dropped. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

#define LEAST_SHARE 0.05
/* An access is uncoalesced if it transfers more sectors than LEAST_EXCESS times the ideal number
 * plus LEAST_MORE per request. The second term allows for rows that begin inside a sector. */
#define LEAST_EXCESS 1.5
#define LEAST_MORE 0.5
#define FEW_LANES 24   /* a finding needs fewer active lanes per instruction */
#define OFTEN 8        /* if each byte is read this many times, a tile saves time */
#define TILE 32        /* a tile of this width reads each byte once instead of TILE times */
#define MANY_LOADS 1.2 /* a finding needs more shared loads per multiply-add */

/* ---- what one access could save -------------------------------------------------------------- */
typedef struct Saving {
  double cost, now, ideal;
} Saving;

static const Saving none = {0, 0, 0};

static Saving uncoalesced(const Access *a) {
  uint64_t ideal = access_ideal_sectors(a);
  double enough = LEAST_EXCESS * (double)ideal + LEAST_MORE * (double)a->requests;
  if (a->space != SPACE_GLOBAL || (double)a->sectors < enough)
    return none;
  return (Saving){(double)(a->sectors - ideal), share_of(a->sectors, a->requests),
                  share_of(ideal, a->requests)};
}

static Saving conflicts(const Access *a) {
  if (a->space != SPACE_SHARED || a->wavefronts <= a->ideal)
    return none;
  return (Saving){(double)(a->wavefronts - a->ideal), share_of(a->wavefronts, a->requests),
                  share_of(a->ideal, a->requests)};
}

static Saving local(const Access *a) {
  double sectors = (double)(a->lanes * a->bytes) / SECTOR_BYTES;
  return a->space == SPACE_LOCAL && a->parameter != PRINTED
             ? (Saving){sectors, sectors / (double)a->requests, 0}
             : none;
}

/* Returns the saving if the threads of a block loaded the buffer into a tile of shared memory,
 * because they read each byte many times. A kernel that reads shared memory more often than global
 * memory already uses tiles. */
static Saving repeated(const Kernel *k, const Access *a) {
  bool tiled = k->counters.shared_load_requests >= k->counters.global_load_requests;
  if (a->space != SPACE_GLOBAL || a->operation != OPERATION_LOAD || !a->sample || tiled)
    return none;
  uint64_t bytes = a->sample->buffer_bytes * (k->launches ? k->launches : 1);
  double times = share_of(a->lanes * a->bytes, bytes);
  if (!(times >= OFTEN))
    return none;
  double less = times < TILE ? times : TILE;
  return (Saving){(double)access_ideal_sectors(a) * (1 - 1 / less), times, times / less};
}

/* Counts half of the shared loads as avoidable if the kernel executes few multiply-adds per
 * load. */
static Saving shared_loads(const Kernel *k, const Access *a) {
  double loads = share_of(k->counters.shared_load_requests * LANES, k->counters.flop / 2);
  if (a->space != SPACE_SHARED || a->operation != OPERATION_LOAD || !(loads >= MANY_LOADS))
    return none;
  return (Saving){(double)a->ideal / 2, loads, loads / 2};
}

static Saving saving_of(FindingKind kind, const Kernel *k, const Access *a) {
  switch (kind) {
  case FINDING_UNCOALESCED:
    return uncoalesced(a);
  case FINDING_CONFLICTS:
    return conflicts(a);
  case FINDING_LOCAL:
    return local(a);
  case FINDING_REPEATED:
    return repeated(k, a);
  case FINDING_SHARED_LOADS:
    return shared_loads(k, a);
  default:
    return none;
  }
}

/* ---- what a line could save ------------------------------------------------------------------ */
/* The state while the findings of a kernel are collected. */
typedef struct Ranking {
  const Kernel *kernel;
  /* The cost of the kernel. */
  double cost;
  unsigned banks;
  bool given, leads;
  Findings findings;
} Ranking;

static bool same_place(const Finding *f, FindingKind kind, const char *file, unsigned line) {
  return f->kind == kind && f->line == line && !strcmp(f->file, file);
}

/* Returns the finding of this kind at this line of the kernel; creates it if there is none. */
static Finding *finding_at(Ranking *r, FindingKind kind, const char *file, unsigned line) {
  Findings *list = &r->findings;
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].kernel == r->kernel && same_place(&list->items[i], kind, file, line))
      return &list->items[i];
  list->items = realloc(list->items, (list->count + 1) * sizeof *list->items);
  assert(list->items);
  list->items[list->count] = (Finding){.kind = kind,
                                       .kernel = r->kernel,
                                       .file = file,
                                       .line = line,
                                       .banks = r->banks,
                                       .given = r->given,
                                       .leads = r->leads};
  return &list->items[list->count++];
}

static void add_saving(Finding *f, const Access *a, const Saving *s) {
  f->avoidable += s->cost;
  if (s->cost > f->largest) {
    f->second = f->access;
    f->access = *a;
    f->now = s->now;
    f->ideal = s->ideal;
    f->largest = s->cost;
  } else if (!f->second.requests) {
    f->second = *a;
  }
}

static void rank_accesses(Ranking *r) {
  size_t count;
  Access *accesses = kernel_accesses(r->kernel, &count);
  for (size_t i = 0; i < count; i++)
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
      const Access *a = &accesses[i];
      Saving s = saving_of((FindingKind)kind, r->kernel, a);
      if (s.cost > 0)
        add_saving(finding_at(r, (FindingKind)kind, a->file, a->line), a, &s);
    }
  free(accesses);
}

/* Sums idle lanes over all lines of the kernel. The line with most idle lanes gets the finding. If
 * times are predicted, the saving is at most the time of these lines. */
static void rank_idle_lanes(Ranking *r, const Tally *lines, size_t count) {
  double idle = 0, most = 0, time = 0, all = 0;
  const Tally *worst = NULL;
  for (size_t i = 0; i < count; i++) {
    double lost = (double)lines[i].executed - (double)lines[i].lanes / LANES;
    if (!(active_lanes(&lines[i]) < FEW_LANES))
      continue;
    idle += lost / 4;
    time += lines[i].time;
    all = lines[i].all_time;
    if (lost > most) {
      most = lost;
      worst = &lines[i];
    }
  }
  if (!worst)
    return;
  Finding *f = finding_at(r, FINDING_IDLE_LANES, worst->file, worst->line);
  f->avoidable = all > 0 ? fmin(idle, r->cost * time / all) : idle;
  f->now = active_lanes(worst);
  f->ideal = LANES;
}

static void rank_kernel(Ranking *r, const Recording *recording, const Kernel *k,
                        const Source *source, int task) {
  size_t count, before = r->findings.count;
  Tally whole = tally_kernel(k), *lines = tally_lines(recording, k, &count);
  r->kernel = k;
  r->cost = tally_cost(&whole);
  r->given = source && source_gives(source, k);
  r->leads = source && task && source_has_gap(source, k, task);
  rank_accesses(r);
  rank_idle_lanes(r, lines, count);
  for (size_t i = before; i < r->findings.count; i++) {
    Finding *f = &r->findings.items[i];
    f->share = r->cost > 0 ? f->avoidable / r->cost : 0;
    for (size_t n = 0; n < count; n++)
      if (lines[n].line == f->line && !strcmp(lines[n].file, f->file))
        f->tally = lines[n];
  }
  free(lines);
}

/* ---- all together ---------------------------------------------------------------------------- */
static void drop_small(Findings *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].share >= LEAST_SHARE)
      list->items[kept++] = list->items[i];
    else if (list->items[i].kind == FINDING_UNCOALESCED || list->items[i].kind == FINDING_CONFLICTS)
      list->small = true;
  list->count = kept;
}

/* Merges findings at the same line in several kernels, such as instances of a template. Keeps the
 * first finding of the task's kernels; if there is none, the most expensive finding. */
static void merge(Findings *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    Finding now = list->items[i], *same = NULL;
    for (size_t n = 0; n < kept && !same; n++)
      if (list->items[n].given == now.given &&
          same_place(&list->items[n], now.kind, now.file, now.line))
        same = &list->items[n];
    if (!same) {
      list->items[kept++] = now;
      continue;
    }
    double sum = same->avoidable + now.avoidable;
    unsigned more = same->more_kernels + 1;
    if (!same->leads && (now.leads || now.avoidable > same->avoidable))
      *same = now;
    same->avoidable = sum;
    same->more_kernels = more;
  }
  list->count = kept;
}

static int worst_first(const void *a, const void *b) {
  const Finding *x = a, *y = b;
  bool x_better = x->kind >= FINDING_REPEATED, y_better = y->kind >= FINDING_REPEATED;
  if (x->given != y->given)
    return x->given - y->given;
  if (x->leads != y->leads)
    return y->leads - x->leads;
  if (x_better != y_better)
    return x_better - y_better;
  if (x->avoidable != y->avoidable)
    return x->avoidable < y->avoidable ? 1 : -1;
  return (x->line > y->line) - (x->line < y->line);
}

Findings rank(const Recording *recording, const Source *source, int task) {
  Ranking r = {.banks = recording->banks ? recording->banks : BANKS_4};
  if (recording_is_wrong(recording))
    return r.findings;
  source = source_of_gaps(source, recording);
  for (size_t i = 0; i < recording->kernel_count; i++)
    rank_kernel(&r, recording, &recording->kernels[i], source, task);
  drop_small(&r.findings);
  merge(&r.findings);
  if (r.findings.count)
    qsort(r.findings.items, r.findings.count, sizeof *r.findings.items, worst_first);
  return r.findings;
}

/* ---- the findings to print ------------------------------------------------------------------- */
static bool is_chosen(const Finding **chosen, size_t count, const Finding *f) {
  for (size_t i = 0; i < count; i++)
    if (chosen[i]->line == f->line && !strcmp(chosen[i]->file, f->file))
      return true;
  return false;
}

size_t findings_choose(const Findings *all, const Finding **chosen, size_t most) {
  bool said[FINDING_KINDS] = {false};
  size_t count = 0;
  for (size_t i = 0; i < all->count && count < most; i++) {
    const Finding *f = &all->items[i];
    if (f->given || is_chosen(chosen, count, f) || (f->kind >= FINDING_REPEATED && said[f->kind]))
      continue;
    said[f->kind] = true;
    chosen[count++] = f;
  }
  return count;
}
