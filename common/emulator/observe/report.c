/* Reports: shown once, counted always. */
#include "report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator.h"
#include "../machine/machine.h"
#include "counters.h"
#include "log.h"
#include "names.h"

#define SHOWN_MOST                                                                                 \
  12 /* different reports shown in full per kernel and launch; the rest are counted */

static const struct {
  const char *name, *severity, *cause;
} kinds[] = {
#define REPORT(id, name, severity, cause) {name, severity, cause},
#include "reports.def"
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t count;

/* What was shown already, so that a loop's hundredth race says nothing new. */
typedef struct Seen {
  uint64_t key;
  uint64_t times;
} Seen;
static Seen *seen;
static size_t nseen, seen_capacity;
static unsigned shown;

Report report_make(ReportKind kind) {
  Report r;
  memset(&r, 0, sizeof r);
  r.kind = kind;
  r.element = r.row = r.column = -1;
  return r;
}

static uint64_t hash(uint64_t h, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    h = (h ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* The same kind at the same lines of the same kernel is the same report; a place without a line
 * needs its sentence. */
static uint64_t key_of(const Report *r) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  h = hash(h, &r->kind, sizeof r->kind);
  h = hash(h, &r->at.line, sizeof r->at.line);
  h = hash(h, &r->other.line, sizeof r->other.line);
  if (r->kernel)
    h = hash(h, r->kernel, strlen(r->kernel));
  if (!r->at.line)
    h = hash(h, r->sentence, strlen(r->sentence));
  return h;
}

static bool first_time(const Report *r) {
  uint64_t key = key_of(r);
  for (size_t i = 0; i < nseen; i++)
    if (seen[i].key == key) {
      seen[i].times++;
      return false;
    }
  if (nseen == seen_capacity) {
    size_t capacity = seen_capacity ? 2 * seen_capacity : 64;
    Seen *bigger = realloc(seen, capacity * sizeof *seen);
    if (!bigger)
      return false;
    seen = bigger;
    seen_capacity = capacity;
  }
  seen[nseen++] = (Seen){key, 1};
  return true;
}

/* ---- for a person ---------------------------------------------------------------------------- */
static void print_place(const ReportPlace *p) {
  if (p->has_thread)
    fprintf(stderr, "      thread (%u,%u,%u) of block (%u,%u,%u)%s%s", p->thread[0], p->thread[1],
            p->thread[2], p->block[0], p->block[1], p->block[2], p->did[0] ? " " : "", p->did);
  else
    fprintf(stderr, "      %s", p->did[0] ? p->did : "here");
  if (p->file && p->line)
    fprintf(stderr, "   %s:%u", p->file, p->line);
  fputc('\n', stderr);
}

static const char *kernel_name(const Report *r) {
  static char name[128]; /* under the lock */
  name_plain(r->kernel, name, sizeof name);
  return name;
}

static void print(const Report *r) {
  fprintf(stderr, "%s: %s%s%s\n", kinds[r->kind].severity, r->sentence,
          r->kernel ? "   in kernel " : "", r->kernel ? kernel_name(r) : "");
  if (r->at.has_thread || r->at.line)
    print_place(&r->at);
  if (r->other.has_thread || r->other.line)
    print_place(&r->other);
  if (r->detail[0])
    fprintf(stderr, "      %s\n", r->detail);
  const char *cause = r->cause ? r->cause : kinds[r->kind].cause;
  fprintf(stderr, "      %s\n", cause);
}

/* ---- for a program --------------------------------------------------------------------------- */
static void put_place(json_t *o, const ReportPlace *p, const char *prefix) {
  char key[32];
#define KEY(name) (snprintf(key, sizeof key, "%s%s", prefix, name), key)
  if (p->file && p->line) {
    json_object_set_new(o, KEY("file"), json_string(p->file));
    json_object_set_new(o, KEY("line"), json_integer(p->line));
    if (p->column)
      json_object_set_new(o, KEY("column_in_line"), json_integer(p->column));
  }
  if (p->has_thread) {
    json_object_set_new(
        o, KEY("thread"),
        json_pack("[i,i,i]", (int)p->thread[0], (int)p->thread[1], (int)p->thread[2]));
    json_object_set_new(o, KEY("block"),
                        json_pack("[i,i,i]", (int)p->block[0], (int)p->block[1], (int)p->block[2]));
  }
  if (p->did[0])
    json_object_set_new(o, KEY("did"), json_string(p->did));
#undef KEY
}

static void put_number(json_t *o, const char *key, int64_t value) {
  if (value >= 0)
    json_object_set_new(o, key, json_integer(value));
}

static void write_log(const Report *r) {
  json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "event", "report", "kind", kinds[r->kind].name,
                        "severity", kinds[r->kind].severity, "sentence", r->sentence);
  if (r->kernel)
    json_object_set_new(o, "kernel", json_string(kernel_name(r)));
  put_place(o, &r->at, "");
  put_place(o, &r->other, "other_");
  if (r->space)
    json_object_set_new(o, "space", json_string(r->space));
  if (r->buffer[0])
    json_object_set_new(o, "buffer", json_string(r->buffer));
  put_number(o, "element", r->element);
  put_number(o, "row", r->row);
  put_number(o, "column", r->column);
  if (r->detail[0])
    json_object_set_new(o, "detail", json_string(r->detail));
  json_object_set_new(o, "cause", json_string(r->cause ? r->cause : kinds[r->kind].cause));
  log_event(o);
}

static void show(const Report *r) {
  if (log_wanted())
    write_log(r);
  if (!machine_settings()->quiet) {
    if (shown < SHOWN_MOST)
      print(r);
    else if (shown == SHOWN_MOST)
      fprintf(stderr, "further reports are counted, not shown\n");
  }
  shown++;
}

/* Without a barrier a read may come before the write only because this run took the warps in that
 * order. That is a race, and will be reported as one when the write comes; so reads of shared
 * memory that nothing wrote wait until the launch is done. */
#define WAITING_MOST 16
static Report waiting[WAITING_MOST];
static size_t nwaiting;
static struct { uint32_t one, other; /* source lines */ } races[64];
static size_t nraces;

static bool explained_by_race(const Report *r) {
  for (size_t i = 0; i < nraces; i++)
    if (races[i].one == r->at.line || races[i].other == r->at.line)
      return true;
  return false;
}

static void show_waiting(void) {
  for (size_t i = 0; i < nwaiting; i++)
    if (!explained_by_race(&waiting[i]))
      show(&waiting[i]);
  nwaiting = nraces = 0;
}

static void sort_in(const Report *r) {
  bool is_race = r->kind == REPORT_RACE_SHARED || r->kind == REPORT_RACE_WARP;
  if (is_race && nraces < sizeof races / sizeof *races) {
    races[nraces].one = r->at.line;
    races[nraces++].other = r->other.line;
  }
  bool may_wait = r->kind == REPORT_UNINITIALISED && r->space && strcmp(r->space, "shared") == 0;
  if (may_wait && nwaiting < WAITING_MOST)
    waiting[nwaiting++] = *r;
  else
    show(r);
}

void report_file(const Report *r) {
  pthread_mutex_lock(&lock);
  count++;
  if (first_time(r))
    sort_in(r);
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

uint64_t report_count(void) {
  pthread_mutex_lock(&lock);
  uint64_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

uint64_t emulator_report_count(void) { return report_count(); }

void report_launch_done(void) {
  pthread_mutex_lock(&lock);
  show_waiting();
  shown = 0;
  pthread_mutex_unlock(&lock);
}

void observe_finish(void) {
  fflush(stdout);
  size_t free_bytes, total_bytes, live;
  memory_totals(&free_bytes, &total_bytes, &live);
  uint64_t reports = report_count();
  if (log_wanted()) {
    counters_log();
    log_event(json_pack("{s:s, s:I, s:I}", "event", "end", "reports", (json_int_t)reports,
                        "live_allocations", (json_int_t)live));
  }
  if (reports > nseen && !machine_settings()->quiet)
    fprintf(stderr, "%" PRIu64 " reports in all, %zu of them different\n", reports, nseen);
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
