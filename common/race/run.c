/* Runs the program in a prescribed order, and reads the tape, the log and the output of the run. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "race.h"

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- the program ----------------------------------------------------------------------------- */
static char *path_in(const Program *p, const char *name) {
  char *path;
  if (asprintf(&path, "%s/%s", p->work, name) < 0)
    abort();
  return path;
}

/* Called in the child process. Executes the program. If `order` is NULL, the program runs without a
 * prescribed order, and the device predicts its times. */
static void become(const Program *p, const char *order, const char *tape, const char *log,
                   const char *said) {
  int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600), none = open("/dev/null", O_RDWR);
  dup2(none, 0);
  dup2(out, 1);
  dup2(none, 2);
  setenv("LOCKSTEP_LOG", log, 1);
  if (order) {
    setenv("LOCKSTEP_ORDER", order, 1);
    setenv("LOCKSTEP_TAPE", tape, 1);
    setenv("LOCKSTEP_PREDICT", "0", 1);
  }
  setenv("LOCKSTEP_QUIET", "1", 1);
  setenv("LOCKSTEP_HOST_LINES", "0", 1);
  setenv("LOCKSTEP_LIMIT", "10000000", 0);
  personality(ADDR_NO_RANDOMIZE); /* compared memory may contain addresses: they must not vary */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execv(p->command[0], p->command);
  _exit(127);
}

/* Waits for the process and returns its status. At the deadline kills its process group and sets
 * *late. */
static int wait_until(pid_t process, double deadline, bool *late) {
  int status = 0;
  *late = false;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (seconds_now() > deadline) {
      kill(-process, SIGKILL);
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      *late = true;
      break;
    }
    nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static uint64_t hash_file(const char *path) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  FILE *file = fopen(path, "r");
  for (int c; file && (c = fgetc(file)) != EOF;)
    hash = (hash ^ (unsigned)c) * UINT64_C(0x100000001b3);
  if (file)
    fclose(file);
  return hash;
}

/* ---- the reports of the device --------------------------------------------------------------- */
static void take_numbers(const json_t *event, const char *key, uint32_t out[3]) {
  const json_t *list = json_object_get(event, key);
  for (size_t i = 0; i < 3; i++)
    out[i] = (uint32_t)json_integer_value(json_array_get(list, i));
}

static Place take_place(const json_t *event, const char *prefix) {
  char key[40];
  Place p = {0};
#define KEY(name) (snprintf(key, sizeof key, "%s%s", prefix, name), key)
  p.file = json_string_value(json_object_get(event, KEY("file")));
  p.line = (unsigned)json_integer_value(json_object_get(event, KEY("line")));
  p.wrote = json_is_true(json_object_get(event, KEY("wrote")));
  p.did = json_string_value(json_object_get(event, KEY("did")));
  p.has_thread = json_object_get(event, KEY("thread")) != NULL;
  take_numbers(event, KEY("thread"), p.thread);
  take_numbers(event, KEY("block"), p.block);
#undef KEY
  return p;
}

static const char *text_of(const json_t *event, const char *key) {
  const char *text = json_string_value(json_object_get(event, key));
  return text ? text : "";
}

static bool is_race(const char *kind) {
  static const char *const kinds[] = {"race", "lanes-write-differently", "race-in-warp",
                                      "race-between-blocks", "same-value-writes"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kind, kinds[i]))
      return true;
  return false;
}

bool race_is_error(const Race *r) { return strcmp(r->kind, "same-value-writes") != 0; }

static void take_race(Outcome *o, const json_t *event) {
  Race r = {.kind = text_of(event, "kind"),
            .kernel = text_of(event, "kernel"),
            .sentence = text_of(event, "sentence"),
            .buffer = text_of(event, "buffer"),
            .space = text_of(event, "space"),
            .cause = text_of(event, "cause"),
            .at = take_place(event, ""),
            .other = take_place(event, "other_")};
  if (strcmp(text_of(event, "event"), "report") != 0)
    return;
  if (!is_race(r.kind)) {
    if (!o->mistake && !strcmp(text_of(event, "severity"), "error"))
      o->mistake = r.sentence;
    return;
  }
  if (!r.at.line)
    return;
  o->races = realloc(o->races, (o->nraces + 1) * sizeof *o->races);
  o->races[o->nraces++] = r;
}

static void read_log(Outcome *o, const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  o->events = json_array();
  while (file && getline(&line, &room, file) > 0) {
    json_t *event = json_loads(line, 0, NULL);
    if (!event)
      continue;
    json_array_append_new(o->events, event);
    take_race(o, event);
  }
  free(line);
  if (file)
    fclose(file);
}

/* Starts the program, waits for it and returns its status. */
static int run(Program *p, const char *order, const char *tape, const char *log, const char *said,
               bool *late) {
  unlink(log);
  fflush(NULL);
  pid_t process = fork();
  if (process == 0)
    become(p, order, tape, log, said);
  p->runs++;
  p->process = process;
  const int status = process < 0 ? 127 : wait_until(process, p->deadline, late);
  p->process = 0;
  return status;
}

bool program_record(Program *p, const char *log) {
  bool late = false;
  char *said = path_in(p, "said");
  run(p, NULL, NULL, log, said, &late);
  free(said);
  return !late;
}

/* ---- one run --------------------------------------------------------------------------------- */
void outcome_run(Program *p, const char *order, Outcome *o) {
  char *tape = path_in(p, "tape"), *log = path_in(p, "log"), *said = path_in(p, "said");
  *o = (Outcome){0};
  snprintf(o->order, sizeof o->order, "%s", order);
  unlink(tape);
  o->status = run(p, order, tape, log, said, &o->late);
  o->said = hash_file(said);
  o->tape = tape_read(tape);
  read_log(o, log);
  unlink(tape); /* the file stays mapped */
  free(tape);
  free(log);
  free(said);
}

void outcome_free(Outcome *o) {
  tape_free(&o->tape);
  free(o->races);
  json_decref(o->events);
  *o = (Outcome){0};
}

/* ---- the correct result ---------------------------------------------------------------------- */
/* Reads the elements of an output file, whose format is defined in harness/output.c. Returns NULL
 * if the elements are not doubles. */
static double *read_doubles(FILE *file, size_t *count) {
  struct {
    char magic[8];
    uint32_t element_bytes, reserved;
    uint64_t rows, columns;
  } header;
  if (fread(&header, sizeof header, 1, file) != 1 || header.element_bytes != sizeof(double))
    return NULL;
  double *values = calloc(header.rows * header.columns + 1, sizeof *values);
  *count = values ? fread(values, sizeof *values, header.rows * header.columns, file) : 0;
  return values;
}

Gold gold_read(const char *path) {
  Gold g = {0};
  size_t margins = 0;
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file)
    return g;
  g.values = read_doubles(file, &g.count);
  g.margins = read_doubles(file, &margins);
  g.count = margins == g.count ? g.count : 0;
  fclose(file);
  return g;
}

/* The negated comparison returns true for a NaN. */
bool gold_differs(const Gold *g, uint64_t index, double value) {
  return !(fabs(value - g->values[index]) <= g->margins[index]);
}

unsigned gold_bytes(const Gold *g, const TapeBuffer *b) {
  const uint64_t bytes = g->count ? b->kept / g->count : 0;
  return (bytes == 4 || bytes == 8) && bytes * g->count == b->kept ? (unsigned)bytes : 0;
}

double buffer_number(const TapeBuffer *b, uint64_t index, unsigned bytes) {
  float single;
  double wide;
  if (bytes == 8) {
    memcpy(&wide, tape_bytes(b) + index * 8, 8);
    return wide;
  }
  memcpy(&single, tape_bytes(b) + index * 4, 4);
  return single;
}
