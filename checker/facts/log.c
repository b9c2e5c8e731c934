/* Reads the log that the emulated device wrote (JSON lines, described in
 * common/emulator/emulator.h).
 *
 * The log is not trusted. On a student's machine the graded program can also write to the file, and
 * the file may end in the middle of a line. A line that is not a JSON object is skipped. Such a
 * line, a second end, or a second line about the same kernel makes the log doubtful. A missing key
 * reads as 0 or "". Reading stops if the log exceeds the size, the number of kernels or the length
 * of names that a lab can have, because an untrusted program must not make the checker slow. */
#include "facts/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emulator.h"

/* Limits. For comparison: the longest line in the log of a lab has 0.1 MB, and the largest log 0.5
 * MB and 7 kernels. */
enum { LINE_MOST = 4 << 20, LOG_MOST = 16 << 20, LINES_MOST = 10000 };
enum { KERNELS_MOST = 64, NAME_MOST = 500 };

static bool is(const json_t *object, const char *key, const char *value) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && strcmp(text, value) == 0;
}

static void refuse(Log *log, const char *what, size_t count, size_t most) {
  if (!log->refused[0])
    snprintf(log->refused, sizeof log->refused, "%s: %zu are more than %zu", what, count, most);
}

/* Refuses a kernel with a long name, and a kernel above the maximum number. `known` contains the
 * names of the earlier kernels. */
static bool is_too_much(Log *log, const json_t *known, const char *name) {
  size_t letters = strlen(name), kernels = json_object_size(known) + 1;
  if (letters > NAME_MOST)
    refuse(log, "letters in the name of a kernel", letters, NAME_MOST);
  else if (kernels > KERNELS_MOST && !json_object_get(known, name))
    refuse(log, "kernels that one run launches", kernels, KERNELS_MOST);
  else
    return false;
  return true;
}

static void take_launch(Log *log, const json_t *event) {
  const char *name = text_at(event, "kernel");
  if (!is_too_much(log, log->launched, name))
    json_object_set_new(log->launched, name, json_true());
}

static void take_kernel(Log *log, json_t *event) {
  const char *name = json_string_value(json_object_get(event, "name"));
  if (name && is_too_much(log, log->kernels, name))
    return;
  if (!name || json_object_get(log->kernels, name))
    log->doubtful = true;
  else
    json_object_set(log->kernels, name, event);
}

static void take_copies(Log *log, json_t *event) {
  log->doubtful |= log->copies != NULL;
  if (!log->copies)
    log->copies = json_incref(event);
}

static void take_failed(Log *log, json_t *event) {
  log->doubtful |= log->failed != NULL;
  if (!log->failed)
    log->failed = json_incref(event);
}

static void take(Log *log, json_t *event) {
  if (log->ended)
    /* No event may follow the end. */
    log->doubtful = true;
  if (is(event, "event", "start")) {
    log->doubtful |= log->started;
    log->started = true;
    log->pid = (int)json_integer_value(json_object_get(event, "pid"));
  } else if (is(event, "event", "report"))
    json_array_append(log->reports, event);
  else if (is(event, "event", "kernel"))
    take_kernel(log, event);
  else if (is(event, "event", "copies"))
    take_copies(log, event);
  else if (is(event, "event", "failed"))
    take_failed(log, event);
  else if (is(event, "event", "launch"))
    take_launch(log, event);
  else if (is(event, "event", "calls"))
    log->calls = json_number_value(json_object_get(event, "may_fail"));
  else if (is(event, "event", "host"))
    log->host = true;
  else if (is(event, "event", "refused"))
    snprintf(log->refused, sizeof log->refused, "%s", text_at(event, "why"));
  else if (is(event, "event", "unreadable"))
    snprintf(log->unreadable, sizeof log->unreadable, "%s", text_at(event, "why"));
  else if (is(event, "event", "host-made")) {
    log->written += json_number_value(json_object_get(event, "written"));
    log->sent += json_number_value(json_object_get(event, "sent"));
  } else if (is(event, "event", "end")) {
    log->ended = true;
    log->live = (int)json_integer_value(json_object_get(event, "live_allocations"));
  } else
    log->doubtful = true;
}

/* Reads up to the end of the line, but at most LINE_MOST bytes. Returns the number of bytes. */
static size_t read_line(FILE *file, char *line) {
  size_t length = 0;
  for (int c; length < LINE_MOST && (c = getc_unlocked(file)) != EOF;)
    if ((line[length++] = (char)c) == '\n')
      break;
  return length;
}

static void take_line(Log *log, const char *line, size_t length) {
  json_t *event = json_loadb(line, length, 0, NULL);
  bool whole = line[length - 1] == '\n';
  if (json_is_object(event))
    take(log, event);
  else if (whole)
    log->doubtful = true;
  else
    log->cut = true;
  json_decref(event);
}

Log log_read(const char *path) {
  Log log = {.reports = json_array(), .kernels = json_object(), .launched = json_object()};
  char *line = malloc(LINE_MOST);
  size_t length, lines = 0;
  FILE *file = fopen(path, "r");
  if (!line)
    bad_input("not enough memory for a line of a log");
  while (file && (length = read_line(file, line)) > 0) {
    log.bytes += length;
    lines++;
    if (length == LINE_MOST)
      refuse(&log, "bytes of counters for one kernel, by source line", length, LINE_MOST - 1);
    else if (log.bytes > LOG_MOST)
      refuse(&log, "bytes of counters for all kernels of one run", log.bytes, LOG_MOST);
    else if (lines > LINES_MOST)
      refuse(&log, "launches and reports of one run", lines, LINES_MOST);
    else
      take_line(&log, line, length);
    if (log.refused[0])
      break;
  }
  free(line);
  if (file)
    fclose(file);
  return log;
}

void log_free(Log *log) {
  json_decref(log->reports);
  json_decref(log->kernels);
  json_decref(log->launched);
  json_decref(log->copies);
  json_decref(log->failed);
}

/* Returns the index of a report's kind in the device's list. Reports of the first kinds may cause
 * reports of later kinds. */
static size_t gravity(const json_t *report) {
  static const char *const kinds[] = {
#define REPORT(id, name, severity, cause) name,
#include "observe/report_kinds.def"
  };
  size_t i = 0;
  while (i < sizeof kinds / sizeof kinds[0] && !is(report, "kind", kinds[i]))
    i++;
  return i;
}

static bool same_kernel(const json_t *a, const json_t *b) {
  const char *name = json_string_value(json_object_get(a, "kernel"));
  return name && is(b, "kernel", name);
}

/* Chooses among the reports of the kernel that has the first report. Within a kernel the order of
 * the reports is random. */
const json_t *log_report(const Log *log, const char *which) {
  const json_t *first = NULL;
  size_t i;
  json_t *report;
  json_array_foreach(log->reports, i, report) {
    if (which && !is(report, "severity", which) && !is(report, "kind", which))
      continue;
    if (first && !same_kernel(first, report))
      break;
    if (!first || gravity(report) < gravity(first))
      first = report;
  }
  return first;
}

double log_counter(const Log *log, const char *kernel, const char *counter) {
  const json_t *event = json_object_get(log->kernels, kernel);
  const json_t *value = json_object_get(json_object_get(event, "counters"), counter);
  return json_is_number(value) ? json_number_value(value) : -1;
}

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static bool was_copied(const Log *log, const char *direction, size_t bytes, const char *hash) {
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(log->copies, direction), i, each) {
    if (number(each, "bytes") == (double)bytes && is(each, "hash", hash))
      return true;
  }
  return false;
}

double log_copied_again(const Log *log, const char *direction) {
  const json_t *copies = json_object_get(log->copies, direction);
  for (size_t i = 0; i < json_array_size(copies); i++)
    for (size_t k = 0; k < i; k++) {
      const json_t *one = json_array_get(copies, k), *other = json_array_get(copies, i);
      if (number(one, "bytes") == number(other, "bytes") &&
          strcmp(text_at(one, "hash"), text_at(other, "hash")) == 0)
        return number(one, "bytes");
    }
  return 0;
}

LogOrigin log_origin(const Log *log, size_t bytes, uint64_t hash) {
  char text[20];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  if (!log->copies || json_object_size(log->kernels) == 0)
    return ORIGIN_UNKNOWN;
  if (was_copied(log, "to_device", bytes, text))
    return ORIGIN_SENT;
  if (was_copied(log, "to_host", bytes, text))
    return ORIGIN_DEVICE;
  return number(log->copies, "shared") < (double)bytes ? ORIGIN_HOST : ORIGIN_UNKNOWN;
}

static bool starts_with(const json_t *object, const char *key, const char *prefix) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Adds an access to a sum. The sum gets the source line of the access with the largest `weight` per
 * request. */
static void add_access(LogAccess *sum, const json_t *access, double weight, double *worst) {
  double requests = number(access, "requests");
  sum->requests += requests;
  sum->sectors += number(access, "sectors");
  sum->wavefronts += number(access, "wavefronts");
  sum->ideal += number(access, "ideal");
  if (weight / requests > *worst) {
    *worst = weight / requests;
    const char *file = json_string_value(json_object_get(access, "file"));
    snprintf(sum->file, sizeof sum->file, "%s", file ? file : "");
    sum->line = (int)number(access, "line");
  }
}

typedef struct Accesses {
  const char *space, *op;
  /* The parameter through which the kernel accesses memory; NULL: any. */
  const int *parameter;
  /* The source line; 0: any. */
  int line;
  /* The maximum number of bytes per lane; 0: any. */
  int bytes;
} Accesses;

static bool is_among(const json_t *access, const Accesses *which) {
  const json_t *through = json_object_get(access, "parameter");
  return starts_with(access, "op", which->op) && is(access, "space", which->space) &&
         (!which->parameter ||
          (json_is_integer(through) && json_integer_value(through) == *which->parameter)) &&
         (which->line == 0 || (int)number(access, "line") == which->line) &&
         (which->bytes == 0 || number(access, "bytes") <= which->bytes) &&
         number(access, "requests") > 0;
}

/* Returns the cost by which accesses are compared: sectors, or bank conflicts for shared memory. */
static double weight_of(const json_t *access) {
  return is(access, "space", "shared") ? number(access, "wavefronts") - number(access, "ideal")
                                       : number(access, "sectors");
}

static bool sum_accesses(const Log *log, const char *kernel, const Accesses *which,
                         LogAccess *out) {
  const json_t *event = json_object_get(log->kernels, kernel);
  double worst = -1;
  size_t i;
  json_t *access;
  *out = (LogAccess){.requests = 0};
  json_array_foreach(json_object_get(event, "accesses"), i, access) {
    if (is_among(access, which))
      add_access(out, access, weight_of(access), &worst);
  }
  return out->requests > 0;
}

bool log_access(const Log *log, const char *kernel, int parameter, bool store, LogAccess *out) {
  return sum_accesses(log, kernel, &(Accesses){"global", store ? "st." : "ld.", &parameter, 0, 0},
                      out);
}

bool log_atomic(const Log *log, const char *kernel, int parameter, LogAccess *out) {
  return sum_accesses(log, kernel, &(Accesses){"global", "atom.", &parameter, 0, 0}, out);
}

bool log_narrow_loads(const Log *log, const char *kernel, int bytes, LogAccess *out) {
  return sum_accesses(log, kernel, &(Accesses){"global", "ld.", NULL, 0, bytes}, out);
}

bool log_shared_access(const Log *log, const char *kernel, bool store, int line, LogAccess *out) {
  return sum_accesses(log, kernel, &(Accesses){"shared", store ? "st." : "ld.", NULL, line, 0},
                      out);
}

bool log_shared_atomic(const Log *log, const char *kernel, int line, LogAccess *out) {
  return sum_accesses(log, kernel, &(Accesses){"shared", "atom.", NULL, line, 0}, out);
}

double log_local_stores(const Log *log, const char *kernel) {
  LogAccess stores = {.requests = 0};
  return sum_accesses(log, kernel, &(Accesses){"local", "st.", NULL, 0, 0}, &stores)
             ? stores.requests
             : 0;
}

double log_shared_loads(const Log *log, const char *kernel) {
  double loads = log_counter(log, kernel, "shared_load_requests");
  return loads < 0 ? loads : loads + log_counter(log, kernel, "shared_atomic_requests");
}

double log_exchanges(const Log *log, const char *kernel) {
  return log_counter(log, kernel, "shuffles") + log_counter(log, kernel, "exchanges");
}

/* Returns the sampled offsets of a load or store of shared memory by several lanes; otherwise
 * NULL. */
static const json_t *sampled_shared(const json_t *access, const char *op) {
  const Accesses which = {"shared", op, NULL, 0, 0};
  const json_t *offsets = json_object_get(json_object_get(access, "sample"), "offsets");
  return is_among(access, &which) && json_is_integer(json_array_get(offsets, 1)) ? offsets : NULL;
}

bool log_shared_kept(const Log *log, const char *kernel) {
  const json_t *all = json_object_get(json_object_get(log->kernels, kernel), "accesses");
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *loaded = sampled_shared(json_array_get(all, i), "ld.");
    for (size_t k = 0; loaded && k < json_array_size(all); k++)
      if (json_equal(loaded, sampled_shared(json_array_get(all, k), "st.")))
        return true;
  }
  return false;
}

double log_conflicts(const LogAccess *access) {
  return (access->wavefronts - access->ideal) / access->requests;
}

double log_shared_bytes(const Log *log, const char *kernel) {
  const json_t *event = json_object_get(log->kernels, kernel);
  return event ? number(event, "shared_bytes") : -1;
}

bool log_block_is(const Log *log, const char *kernel, int x, int y) {
  const json_t *block = json_object_get(json_object_get(log->kernels, kernel), "block");
  return json_integer_value(json_array_get(block, 0)) == x &&
         json_integer_value(json_array_get(block, 1)) == y &&
         json_integer_value(json_array_get(block, 2)) == 1;
}

double log_shared_array(const Log *log, const char *kernel, const char *name) {
  const json_t *event = json_object_get(log->kernels, kernel);
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(event, "shared"), i,
                     each) if (is(each, "name", name)) return number(each, "bytes");
  return 0;
}

double log_dynamic_bytes(const Log *log, const char *kernel) {
  const json_t *event = json_object_get(log->kernels, kernel);
  double bytes = 0;
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(event, "shared"), i,
                     each) if (json_is_true(json_object_get(each, "dynamic"))) bytes +=
      number(each, "bytes");
  return bytes;
}
