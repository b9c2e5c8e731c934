/* Collects reports and shows each mistake once, independently of the order of blocks and warps.
 *
 * Usually many threads make the same mistake, and the schedule decides which thread makes it first.
 * Therefore the reports of a launch are collected. Among reports with the same kind and lines, the
 * one with the first block, thread and element is kept, and the others are only counted. When the
 * launch is done, the kept reports are shown in the order of report_kinds.def. If a launch takes
 * long, the reports collected so far are shown earlier. */
#include "predict.h"
#include "report.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../emulator.h"
#include "../state/memory.h"
#include "../state/settings.h"
#include "../words.h"
#include "copies.h"
#include "counters.h"
#include "elements.h"
#include "host_lines.h"
#include "log.h"
#include "show.h"

/* The CPU time in milliseconds after which a running launch shows its reports. CPU time does not
 * depend on other load on the machine, as wall-clock time does. */
#define PATIENCE 1000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t count;
static unsigned shown; /* number of reports shown since the last launch ended */
/* At least one error, not only warnings, has been shown. */
static bool errors;

static void show(const Report *r, uint64_t times) {
  errors = errors || show_is_error(r->kind);
  show_report(r, times, shown++);
}

/* A report that has been filed, with the number of reports that have the same key. */
typedef struct Known {
  uint64_t key, kernel, times;
  /* The value of `times` when the current launch began. */
  uint64_t before;
  ReportKind kind;
  uint32_t line, other_line;
  /* The position of this report when the collected reports are shown. */
  uint32_t rank;
  /* This report is a consequence of another report, so it is neither shown nor counted. */
  bool explained;
  /* The report to show when the launch is done; NULL: the report has been shown. */
  Report *waiting;
  /* The instance of the report from the block with the lowest start order. It replaces `waiting` if
   * the launch is stopped. */
  Report *earliest;
} Known;
static Known *known;
static size_t nknown, known_capacity, nwaiting;
/* The CPU time in milliseconds at which the first collected report was filed; 0: no report is
 * collected. */
static _Atomic uint64_t waiting_since;

/* ---- identity and order of reports ----------------------------------------------------------- */
#define HASH_START UINT64_C(0xcbf29ce484222325)

static uint64_t hash(uint64_t h, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    h = (h ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* Returns the hash of the kernel's name. The caller holds the lock. The last result is cached,
 * because a kernel with races calls this function a million times. */
static uint64_t kernel_hash(const Report *r) {
  static char last[256];
  static uint64_t last_hash = HASH_START;
  if (!r->kernel)
    return 0;
  if (strcmp(r->kernel, last) == 0)
    return last_hash;
  const size_t length = strlen(r->kernel);
  const uint64_t h = hash(HASH_START, r->kernel, length);
  if (length < sizeof last) {
    memcpy(last, r->kernel, length + 1);
    last_hash = h;
  }
  return h;
}

static bool is_race(ReportKind kind) {
  return kind == REPORT_RACE_SHARED || kind == REPORT_RACE_LANES || kind == REPORT_RACE_WARP ||
         kind == REPORT_RACE_GLOBAL || kind == REPORT_SAME_VALUE;
}

/* Returns true for a report about host code. Both places are checked, because a report about a race
 * may have the thread of only one place. */
static bool is_of_host(const Report *r) { return !r->at.has_thread && !r->other.has_thread; }

/* Returns true if the sentence identifies the report, because the report has no line. In a run that
 * tries other kernels (settings.kernels), only the existence of reports matters, so the sentence is
 * not used: writing it for thousands of accesses is expensive. */
static bool needs_sentence(const Report *r) { return !r->at.line && !machine_settings()->kernels; }

/* Returns the identity of a report: a hash of kind, kernel and lines. In host code the sentence is
 * included, because each call is a separate mistake. */
static uint64_t key_of(const Report *r) {
  uint64_t h = hash(HASH_START ^ kernel_hash(r), &r->kind, sizeof r->kind);
  const bool turned =
      /* The two lines of a race are one mistake in either order. */
      is_race(r->kind) && r->at.line > r->other.line;
  const ReportPlace *first = turned ? &r->other : &r->at, *second = turned ? &r->at : &r->other;
  h = hash(h, &first->line, sizeof first->line);
  h = hash(h, &second->line, sizeof second->line);
  if (needs_sentence(r) || (is_of_host(r) && !is_race(r->kind) && r->kind != REPORT_RACE_STREAMS))
    h = hash(h, r->sentence, strlen(r->sentence));
  return h;
}

#define COMPARE(a, b)                                                                              \
  if ((a) != (b))                                                                                  \
  return (a) < (b) ? -1 : 1

static int compare_places(const ReportPlace *a, const ReportPlace *b) {
  for (int i = 3; i-- > 0;)
    COMPARE(a->block[i], b->block[i]);
  for (int i = 3; i-- > 0;)
    COMPARE(a->thread[i], b->thread[i]);
  return strcmp(a->did, b->did);
}

/* Orders instances of a report. Instances that name their threads are first. */
static int compare_first(const Report *a, const Report *b) {
  COMPARE(b->at.has_thread + b->other.has_thread, a->at.has_thread + a->other.has_thread);
  return compare_places(&a->at, &b->at);
}

static int compare_instances(const Report *a, const Report *b) {
  int places = compare_first(a, b);
  if (places)
    return places;
  COMPARE(a->element, b->element);
  return compare_places(&a->other, &b->other);
}

/* Orders instances by the start order of their blocks, which depends on the seed. */
static int compare_turns(const Report *a, const Report *b) {
  COMPARE(a->start_order, b->start_order);
  return compare_instances(a, b);
}

/* Orders the two accesses of a race: first the write; if both are writes or neither is, the lower
 * line; at the same line, the lower thread. */
static void put_race_in_order(Report *r) {
  bool wrote = strcmp(r->at.did, "wrote it") == 0, other = strcmp(r->other.did, "wrote it") == 0;
  bool by_line = r->at.line != r->other.line;
  bool right = wrote != other ? wrote
               : by_line      ? r->at.line < r->other.line
                              : compare_places(&r->at, &r->other) <= 0;
  if (right)
    return;
  ReportPlace at = r->at;
  r->at = r->other;
  r->other = at;
}

/* ---- showing --------------------------------------------------------------------------------- */
static uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 + 1;
}

/* Returns true if `k` is a race in the kernel of `r`, with a kind from REPORT_RACE_SHARED to
 * `worst`. */
static bool is_race_beside(const Known *k, const Report *r, ReportKind worst) {
  return k->kind >= REPORT_RACE_SHARED && k->kind <= worst && k->kernel == kernel_hash(r);
}

static bool race_at(const Report *r, uint32_t line, ReportKind worst) {
  for (size_t i = 0; i < nknown; i++)
    if (is_race_beside(&known[i], r, worst) &&
        (known[i].line == line || known[i].other_line == line))
      return true;
  return false;
}

static bool race_between_blocks_at(const Report *r, uint32_t line) {
  for (size_t i = 0; i < nknown; i++)
    if (known[i].kind == REPORT_RACE_GLOBAL && known[i].kernel == kernel_hash(r) &&
        (known[i].line == line || known[i].other_line == line))
      return true;
  return false;
}

/* Returns true if a race between the two lines of the report has been filed, in either order. */
static bool race_at_both(const Report *r, ReportKind least, ReportKind worst) {
  const uint32_t at = r->at.line, other = r->other.line;
  for (size_t i = 0; i < nknown; i++)
    if (known[i].kind >= least && is_race_beside(&known[i], r, worst) &&
        ((known[i].line == at && known[i].other_line == other) ||
         (known[i].line == other && known[i].other_line == at)))
      return true;
  return false;
}

static bool is_in_shared(const Report *r) { return r->space && strcmp(r->space, "shared") == 0; }

/* Returns true if the report is a consequence of a race that is also reported. For example, a
 * missing barrier may cause an uninitialised read, or two writes of the same value, depending on
 * the order of warps and blocks in this run. If two warps race, they need a barrier. This barrier
 * also orders the lanes of each warp, so a second report that advises __syncwarp would be wrong. */
static bool explained_by_race(const Report *r) {
  switch (r->kind) {
  case REPORT_SAME_VALUE:
    return race_at_both(r, REPORT_RACE_SHARED, REPORT_RACE_GLOBAL);
  /* In global memory, a report about two blocks is more informative. */
  case REPORT_RACE_SHARED:
    return !is_in_shared(r) && race_at_both(r, REPORT_RACE_GLOBAL, REPORT_RACE_GLOBAL);
  case REPORT_RACE_LANES:
    return race_at_both(r, REPORT_RACE_SHARED, REPORT_RACE_SHARED) ||
           race_at_both(r, REPORT_RACE_GLOBAL, REPORT_RACE_GLOBAL);
  case REPORT_RACE_WARP:
    return race_at_both(r, REPORT_RACE_LANES, REPORT_RACE_LANES) ||
           race_at_both(r, REPORT_RACE_GLOBAL, REPORT_RACE_GLOBAL) ||
           race_at(r, r->at.line, REPORT_RACE_SHARED) ||
           race_at(r, r->other.line, REPORT_RACE_SHARED);
  case REPORT_UNINITIALISED:
  case REPORT_UNWRITTEN_MANAGED:
    return r->space && (is_in_shared(r) ? race_at(r, r->at.line, REPORT_RACE_WARP)
                                        : race_between_blocks_at(r, r->at.line));
  default:
    return false;
  }
}

static bool same_thread(const ReportPlace *a, const ReportPlace *b) {
  return a->has_thread && b->has_thread && !memcmp(a->block, b->block, sizeof a->block) &&
         !memcmp(a->thread, b->thread, sizeof a->thread);
}

/* Returns the rank of a report; lower ranks are shown first. The rank follows the order of
 * report_kinds.def, which begins with kinds that are likely causes of others. There is one
 * exception: if a thread reads a value that was never written and then accesses a wrong address,
 * the value may be the cause, so the uninitialised read is shown first. */
static uint32_t rank_of(const Known *k, Known *const *all, size_t n) {
  const uint32_t behind = 2 * REPORT_UNINITIALISED + 1;
  for (size_t i = 0; i < n && k->kind <= REPORT_NULL_POINTER; i++)
    if (all[i]->kind == REPORT_UNINITIALISED && all[i]->kernel == k->kernel &&
        all[i]->line < k->line && same_thread(&all[i]->waiting->at, &k->waiting->at))
      return behind;
  return 2 * k->kind;
}

static int compare_waiting(const void *left, const void *right) {
  const Report *a = (*(Known *const *)left)->waiting, *b = (*(Known *const *)right)->waiting;
  COMPARE((*(Known *const *)left)->rank, (*(Known *const *)right)->rank);
  COMPARE(a->at.line, b->at.line);
  COMPARE(a->other.line, b->other.line);
  return compare_instances(a, b);
}

static void waits_no_more(Known *k) {
  free(k->waiting);
  free(k->earliest);
  k->waiting = k->earliest = NULL;
}

static void show_waiting(void) {
  Known **order = calloc(nwaiting + 1, sizeof *order);
  assert(order);
  size_t n = 0;
  for (size_t i = 0; i < nknown; i++)
    if (known[i].waiting)
      order[n++] = &known[i];
  for (size_t i = 0; i < n; i++)
    order[i]->rank = rank_of(order[i], order, n);
  qsort(order, n, sizeof *order, compare_waiting);
  for (size_t i = 0; i < n; i++) {
    order[i]->explained = explained_by_race(order[i]->waiting);
    if (order[i]->explained) {
      count -= order[i]->times;
    } else {
      elements_explain(order[i]->waiting);
      show(order[i]->waiting, order[i]->times);
    }
    waits_no_more(order[i]);
  }
  free(order);
  nwaiting = 0;
  waiting_since = 0;
}

/* ---- collecting ------------------------------------------------------------------------------ */
static Known *find(uint64_t key) {
  for (size_t i = 0; i < nknown; i++)
    if (known[i].key == key)
      return &known[i];
  return NULL;
}

static Known *enter(uint64_t key, const Report *r) {
  if (nknown == known_capacity) {
    known_capacity = known_capacity ? 2 * known_capacity : 64;
    known = realloc(known, known_capacity * sizeof *known);
    assert(known);
  }
  known[nknown] = (Known){.key = key,
                          .kernel = kernel_hash(r),
                          .kind = r->kind,
                          .line = r->at.line,
                          .other_line = r->other.line};
  return &known[nknown++];
}

static void keep_waiting(Known *k, const Report *r) {
  k->waiting = malloc(sizeof *r);
  k->earliest = malloc(sizeof *r);
  assert(k->waiting && k->earliest);
  *k->waiting = *k->earliest = *r;
  nwaiting++;
  if (!waiting_since)
    waiting_since = milliseconds();
}

static void count_again(Known *k, uint64_t times) {
  k->times += times;
  count += k->explained ? 0 : times;
}

/* If a report with the same key is known and `r` does not have to replace it, counts `r` and
 * returns the known report. Otherwise returns NULL: `r` must be filed. The caller holds the
 * lock. */
static Known *counted_again(const Report *r) {
  Known *k = find(key_of(r));
  bool again =
      k && (!k->waiting ||
            (compare_first(r, k->waiting) > 0 && r->start_order >= k->earliest->start_order &&
             (r->start_order > k->earliest->start_order || compare_first(r, k->earliest) > 0)));
  if (again)
    count_again(k, 1);
  return again ? k : NULL;
}

bool report_again(Report *r) {
  if (is_race(r->kind))
    put_race_in_order(r);
  if (needs_sentence(r))
    return false; /* the sentence, which is not written yet, identifies the report */
  pthread_mutex_lock(&lock);
  bool again = counted_again(r);
  pthread_mutex_unlock(&lock);
  return again;
}

/* A cache of this worker: the last report of recent instructions. If the same or a later thread
 * repeats the mistake in the same launch, its report cannot replace the kept one, so it is counted
 * without a search. */
enum { REPEATS = 64 };
static _Thread_local struct Repeat {
  ReportSource source;
  uint64_t launch;
  size_t known;
} repeats[REPEATS];
static uint64_t launch = 1; /* protected by the lock */

static struct Repeat *repeat_of(const ReportSource *source) {
  return &repeats[(uintptr_t)source->insn / sizeof(void *) % REPEATS];
}

bool report_repeats(const ReportSource *now) {
  const struct Repeat *r = repeat_of(now);
  const ReportSource *then = &r->source;
  if (then->insn != now->insn || then->kind != now->kind || then->start_order != now->start_order ||
      then->thread > now->thread)
    return false;
  pthread_mutex_lock(&lock);
  bool repeats_it = r->launch == launch;
  if (repeats_it)
    count_again(&known[r->known], 1);
  pthread_mutex_unlock(&lock);
  return repeats_it;
}

bool report_again_from(Report *r, const ReportSource *source) {
  if (needs_sentence(r))
    return false;
  pthread_mutex_lock(&lock);
  const Known *k = counted_again(r);
  if (k)
    *repeat_of(source) = (struct Repeat){*source, launch, (size_t)(k - known)};
  pthread_mutex_unlock(&lock);
  return k;
}

void report_call_place(ReportPlace *place) {
  CallSite site;
  call_site(&site);
  host_line(&site, place);
}

static void place_call(Report *r) {
  report_call_place(&r->at);
  if (r->at.line)
    strcpy(r->at.did, r->kernel ? "launched here" : "called here");
}

/* Files a report. The caller holds the lock. */
static void file(Report *r, uint64_t times) {
  uint64_t key = key_of(r);
  Known *k = find(key);
  bool is_new = !k;
  if (is_new)
    k = enter(key, r);
  if (is_new && is_of_host(r) && !r->at.line && !r->at.did[0])
    place_call(r);
  count_again(k, times);
  if (is_new && !r->at.has_thread) /* the report is about host code, so show it now */
    show(r, times);
  else if (is_new)
    keep_waiting(k, r);
  else if (k->waiting && compare_instances(r, k->waiting) < 0)
    *k->waiting = *r;
  if (k->waiting && compare_turns(r, k->earliest) < 0)
    *k->earliest = *r;
}

void report_file(const Report *report) { report_file_times(report, 1); }

void report_file_times(const Report *report, uint64_t times) {
  Report r = *report;
  if (is_race(r.kind))
    put_race_in_order(&r);
  pthread_mutex_lock(&lock);
  file(&r, times);
  pthread_mutex_unlock(&lock);
}

static bool same_line(const ReportPlace *a, const ReportPlace *b) {
  return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

void report_file_from(const Report *report, const CallSite *at, const CallSite *other) {
  Report r = *report;
  pthread_mutex_lock(&lock);
  host_line(at, &r.at);
  host_line(other, &r.other);
  if (r.kind == REPORT_DOUBLE_FREE && !r.cause && same_line(&r.at, &r.other))
    r.cause =
        "One line frees it twice. The destructors of an object and of its copy do that: a kernel "
        "takes its arguments as copies. Delete the copy constructor, or pass the pointer alone.";
  file(&r, 1);
  pthread_mutex_unlock(&lock);
}

void report_host(ReportKind kind, const char *format, ...) {
  Report r = report_make(kind);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r.sentence, sizeof r.sentence, format, arguments);
  va_end(arguments);
  report_file(&r);
}

/* Returns true if the coarse clock has advanced since the last call. The caller runs perhaps
 * millions of times per launch. Reading the coarse clock is cheap; reading the CPU time takes as
 * long as running a small block. */
static bool ticked(void) {
  static _Thread_local long last;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const bool ticked = now.tv_nsec != last;
  last = now.tv_nsec;
  return ticked;
}

void report_launch_runs(void) {
  uint64_t since = waiting_since;
  if (!since || !ticked() || milliseconds() - since < PATIENCE)
    return;
  pthread_mutex_lock(&lock);
  show_waiting();
  pthread_mutex_unlock(&lock);
}

/* Called when a launch was stopped. Blocks with a start order above `stop` might not have run, and
 * their number depends on the schedule. Deletes reports that only such blocks made. Such blocks
 * also change the number of repetitions, so a new report counts once, and repetitions of an older
 * report in this launch do not count. */
static void drop_behind(uint64_t stop) {
  for (size_t i = 0; i < nknown; i++) {
    Known *k = &known[i];
    const uint64_t certain = !k->waiting ? k->before : k->earliest->start_order <= stop;
    count -= k->explained ? 0 : k->times - certain;
    k->times = certain;
    if (!k->waiting)
      continue;
    if (certain) {
      *k->waiting = *k->earliest;
      continue;
    }
    nwaiting--;
    waits_no_more(k);
    *k = known[--nknown];
    i--; /* may wrap around at 0, and then i++ wraps back to 0 */
  }
}

void report_launch_done(uint64_t stop) {
  pthread_mutex_lock(&lock);
  if (stop != UINT64_MAX)
    drop_behind(stop);
  show_waiting();
  elements_forget();
  shown = 0;
  launch++;
  for (size_t i = 0; i < nknown; i++)
    known[i].before = known[i].times;
  pthread_mutex_unlock(&lock);
}

uint64_t report_count(void) {
  pthread_mutex_lock(&lock);
  uint64_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

bool report_any_error(void) {
  pthread_mutex_lock(&lock);
  bool any = errors;
  pthread_mutex_unlock(&lock);
  return any;
}

uint64_t emulator_report_count(void) { return report_count(); }

/* ---- end of the program ---------------------------------------------------------------------- */
void observe_finish(void) {
  fflush(stdout);
  predict_settle();
  size_t free_bytes, total_bytes, live;
  memory_totals(&free_bytes, &total_bytes, &live);
  uint64_t reports = report_count();
  if (log_wanted()) {
    counters_log();
    copies_log();
    log_event(json_pack("{s:s, s:I, s:I}", "event", "end", "reports", (json_int_t)reports,
                        "live_allocations", (json_int_t)live));
  }
  size_t different = 0;
  for (size_t i = 0; i < nknown; i++)
    different += !known[i].explained;
  if (reports > different && !machine_settings()->quiet)
    fprintf(stderr, "%s reports in all, of %zu mistake%s\n",
            sentence_count((char[COUNT_BYTES]){0}, (double)reports), different,
            different == 1 ? "" : "s");
}

void emulator_name(const void *address, const char *name, size_t rows, size_t columns,
                   size_t element_bytes) {
  Allocation *a = memory_find((uint64_t)(uintptr_t)address);
  if (!a)
    return;
  free((char *)a->name);
  a->name = strdup(name);
  a->rows = rows;
  a->columns = columns;
  a->element_bytes = element_bytes;
}
