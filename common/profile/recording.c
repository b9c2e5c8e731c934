/* Reads a log into structs.
 *
 * The program that wrote the log may have crashed in the middle of a line, or may have written its
 * own text into the log, so every value is checked. A line that is not a JSON object is skipped and
 * counted. A key that is missing or of another type reads as 0 or "?". Negative numbers read as
 * 0. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

/* ---- values ---------------------------------------------------------------------------------- */
static void triple(const json_t *object, const char *key, unsigned out[3]) {
  const json_t *list = json_object_get(object, key);
  for (size_t i = 0; i < 3; i++) {
    json_int_t value = json_integer_value(json_array_get(list, i));
    out[i] = value > 0 && value <= INT_MAX ? (unsigned)value : 0;
  }
}

static void *list_of(const json_t *array, size_t size) {
  void *list = calloc(json_array_size(array) + 1, size);
  assert(list);
  return list;
}

/* ---- names ----------------------------------------------------------------------------------- */
/* This function is declared here, because the header of the C++ library does not compile as C. */
char *__cxa_demangle(const char *mangled, char *out, size_t *length, int *status);

/* Returns the start of the parameter list at the end of the text, or NULL if there is none. */
static char *parameters_of(char *text) {
  char *at = text + strlen(text);
  int depth = 0;
  if (at == text || at[-1] != ')')
    return NULL;
  do {
    at--;
    depth += *at == ')' ? 1 : *at == '(' ? -1 : 0;
  } while (at > text && depth > 0);
  return at;
}

/* Changes "void smem<float, 32>(float const*, int)" to "smem<float, 32>". */
static const char *without_types(char *text) {
  char *end = parameters_of(text);
  if (end)
    *end = 0;
  int depth = 0;
  for (char *at = text + strlen(text); at > text; at--) {
    depth += at[-1] == '>' || at[-1] == ')' ? 1 : at[-1] == '<' || at[-1] == '(' ? -1 : 0;
    if (at[-1] == ' ' && depth == 0)
      return at;
  }
  return text;
}

static void name_kernel(Kernel *k) {
  int status = -1;
  char *plain = __cxa_demangle(k->symbol, NULL, NULL, &status);
  snprintf(k->name, sizeof k->name, "%s", plain ? without_types(plain) : k->symbol);
  free(plain);
}

/* ---- a kernel -------------------------------------------------------------------------------- */
static Space space_named(const char *name) {
  return !strcmp(name, "global")   ? SPACE_GLOBAL
         : !strcmp(name, "shared") ? SPACE_SHARED
         : !strcmp(name, "local")  ? SPACE_LOCAL
                                   : SPACE_OTHER;
}

static const Sample *take_sample(const json_t *event) {
  if (!json_is_object(event))
    return NULL;
  Sample *s = calloc(1, sizeof *s);
  assert(s);
  s->space = space_named(log_text(event, "space", "?"));
  s->buffer = log_text(event, "buffer", "?");
  s->buffer_bytes = log_number(event, "buffer_bytes");
  s->element = log_number(event, "element");
  s->rows = log_number(event, "rows");
  s->columns = log_number(event, "columns");
  triple(event, "block", s->block);
  triple(event, "threads", s->threads);
  s->warp = log_small(event, "warp");
  s->elsewhere = log_small(event, "elsewhere");
  s->sectors = log_small(event, "sectors");
  s->wavefronts = log_small(event, "wavefronts");
  s->ideal = log_small(event, "ideal");
  const json_t *offsets = json_object_get(event, "offsets");
  for (size_t lane = 0; lane < LANES; lane++) {
    const json_t *offset = json_array_get(offsets, lane);
    s->offset[lane] = json_is_integer(offset) ? json_integer_value(offset) : NO_OFFSET;
    if (s->offset[lane] < 0)
      s->offset[lane] = NO_OFFSET;
  }
  return s;
}

static Access take_access(const json_t *event) {
  const char *op = log_text(event, "op", "?");
  const json_t *parameter = json_object_get(event, "parameter");
  return (Access){
      .file = log_text(event, "file", "?"),
      .line = log_small(event, "line"),
      .column = log_small(event, "column"),
      .op = op,
      .space = space_named(log_text(event, "space", "?")),
      .operation = !strncmp(op, "ld", 2)   ? OPERATION_LOAD
                   : !strncmp(op, "st", 2) ? OPERATION_STORE
                                           : OPERATION_ATOMIC,
      .parameter = json_is_integer(parameter) ? (int)json_integer_value(parameter) : -1,
      .bytes = log_small(event, "bytes"),
      .requests = log_number(event, "requests"),
      .lanes = log_number(event, "lanes"),
      .sectors = log_number(event, "sectors"),
      .wavefronts = log_number(event, "wavefronts"),
      .ideal = log_number(event, "ideal"),
      .sample = take_sample(json_object_get(event, "sample")),
  };
}

static void take_arrays(Kernel *k, const json_t *array) {
  size_t i;
  json_t *event;
  k->arrays = list_of(array, sizeof *k->arrays);
  json_array_foreach(array, i, event) {
    k->arrays[k->array_count++] =
        (SharedArray){log_text(event, "name", "?"), log_small(event, "offset"),
                      log_small(event, "bytes"), json_is_true(json_object_get(event, "dynamic"))};
  }
}

static void take_lines(Kernel *k, const json_t *array) {
  size_t i;
  json_t *event;
  k->lines = list_of(array, sizeof *k->lines);
  json_array_foreach(array, i, event) {
    k->lines[k->line_count++] =
        (ExecutedLine){log_text(event, "file", "?"), log_small(event, "line"),
                       log_number(event, "executed"), log_number(event, "lanes")};
  }
}

static Kernel take_kernel(const json_t *event) {
  Kernel k = {.symbol = log_text(event, "name", "?"),
              .launches = log_number(event, "launches"),
              .shared_bytes = log_small(event, "shared_bytes")};
  const json_t *counters = json_object_get(event, "counters"),
               *accesses = json_object_get(event, "accesses");
  size_t i;
  json_t *access;
  name_kernel(&k);
  triple(event, "grid", k.grid);
  triple(event, "block", k.block);
  k.accesses = list_of(accesses, sizeof *k.accesses);
  json_array_foreach(accesses, i, access) k.accesses[k.access_count++] = take_access(access);
  take_arrays(&k, json_object_get(event, "shared"));
  take_lines(&k, json_object_get(event, "lines"));
  k.predicted = predicted_read(json_object_get(event, "predicted"));
#define COUNTER(name, metric, meaning) k.counters.name = log_number(counters, #name);
#include "emulator/observe/counters.def"
  return k;
}

/* Returns -1 if the number is missing. */
static int64_t number_or_none(const json_t *event, const char *key) {
  const json_t *number = json_object_get(event, key);
  return json_is_integer(number) ? json_integer_value(number) : -1;
}

static Mistake take_mistake(const json_t *event) {
  Mistake m = {.kind = log_text(event, "kind", "?"),
               .severity = log_text(event, "severity", "?"),
               .sentence = log_text(event, "sentence", "?"),
               .cause = log_text(event, "cause", NULL),
               .detail = log_text(event, "detail", NULL),
               .kernel = log_text(event, "kernel", NULL),
               .file = log_text(event, "file", NULL),
               .did = log_text(event, "did", NULL),
               .other_file = log_text(event, "other_file", NULL),
               .other_did = log_text(event, "other_did", NULL),
               .buffer = log_text(event, "buffer", ""),
               .element = number_or_none(event, "element"),
               .row = number_or_none(event, "row"),
               .column = number_or_none(event, "column"),
               .wrote = json_is_true(json_object_get(event, "wrote")),
               .other_wrote = json_is_true(json_object_get(event, "other_wrote")),
               .line = log_small(event, "line"),
               .other_line = log_small(event, "other_line"),
               .threads = json_is_array(json_object_get(event, "thread")),
               .other_threads = json_is_array(json_object_get(event, "other_thread"))};
  triple(event, "thread", m.thread);
  triple(event, "block", m.block);
  triple(event, "other_thread", m.other_thread);
  triple(event, "other_block", m.other_block);
  return m;
}

/* ---- the file -------------------------------------------------------------------------------- */
typedef struct Seen {
  /* `damaged` is the number of the first line that was skipped, or 0. */
  size_t lines, damaged;
  bool started, ended;
} Seen;

/* Returns the BankMode. `word` and `bank` are sizes in bytes. Older logs contain only the size of
 * the word. */
static unsigned bank_mode(unsigned word, unsigned bank) {
  return word == 8 ? BANKS_8 : bank == 8 ? BANKS_4_OF_8 : word == 4 ? BANKS_4 : 0;
}

static void take(Recording *r, json_t *event, Seen *seen) {
  const char *kind = log_text(event, "event", "");
  json_array_append(r->events, event);
  if (!strcmp(kind, "start")) {
    seen->started = true;
    r->banks = bank_mode(log_small(event, "banks"), log_small(event, "bank_bytes"));
  } else if (!strcmp(kind, "kernel")) {
    r->kernels = realloc(r->kernels, (r->kernel_count + 1) * sizeof *r->kernels);
    assert(r->kernels);
    r->kernels[r->kernel_count++] = take_kernel(event);
  } else if (!strcmp(kind, "report")) {
    r->mistakes = realloc(r->mistakes, (r->mistake_count + 1) * sizeof *r->mistakes);
    assert(r->mistakes);
    r->mistakes[r->mistake_count++] = take_mistake(event);
  } else if (!strcmp(kind, "end")) {
    seen->ended = true;
  }
}

static Seen take_all(Recording *r, FILE *file) {
  Seen seen = {0};
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) > 0) {
    json_t *event = json_loadb(line, (size_t)length, 0, NULL);
    seen.lines++;
    if (json_is_object(event))
      take(r, event, &seen);
    else if (!seen.damaged)
      seen.damaged = seen.lines;
    json_decref(event);
  }
  free(line);
  return seen;
}

static void note_damage(Recording *r, const char *path, const Seen *seen) {
  char *out = r->damage;
  size_t size = sizeof r->damage;
  if (!seen->started)
    snprintf(out, size, "%.80s: not a log of the emulated device (LOCKSTEP_LOG writes one)", path);
  else if (seen->damaged && seen->damaged == seen->lines)
    snprintf(out, size, "%.80s: cut off in line %zu; what it had to say is missing", path,
             seen->lines);
  else if (seen->damaged)
    snprintf(out, size, "%.80s: line %zu is damaged; what it had to say is missing", path,
             seen->damaged);
  else if (!seen->ended)
    snprintf(out, size,
             "the program did not come to its end, where the device writes its counters");
}

bool recording_is_wrong(const Recording *r) {
  for (size_t i = 0; i < r->mistake_count; i++)
    if (!strcmp(r->mistakes[i].severity, "error"))
      return true;
  return false;
}

/* Drops the predicted times of a wrong program, because comparing them would mislead. */
static void drop_times(Recording *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    predicted_free(r->kernels[i].predicted);
    r->kernels[i].predicted = NULL;
  }
}

Recording recording_read(const char *path) {
  Recording r = {.events = json_array()};
  FILE *file = fopen(path, "r");
  if (!file) {
    snprintf(r.damage, sizeof r.damage, "%.80s: %s", path, strerror(errno));
    return r;
  }
  Seen seen = take_all(&r, file);
  fclose(file);
  note_damage(&r, path, &seen);
  if (recording_is_wrong(&r))
    drop_times(&r);
  return r;
}

void recording_free(Recording *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    Kernel *k = &r->kernels[i];
    for (size_t n = 0; n < k->access_count; n++)
      free((Sample *)k->accesses[n].sample);
    free(k->accesses);
    free(k->arrays);
    free(k->lines);
    predicted_free(k->predicted);
  }
  free(r->kernels);
  free(r->mistakes);
  json_decref(r->events);
}
