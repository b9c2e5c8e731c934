/* Tests that divergent lanes reconverge where the lanes of a real GPU reconverge.
 *
 *   RECONVERGENCE="PROGRAM..." reconvergence_test    the programs, as each front end compiles them
 *
 * The programs diverge in many ways and access memory while lanes are divergent
 * (tests/programs/reconvergence.h). reconvergence-h200.csv, beside this file, has Nsight Compute's
 * counters of the programs on an H200 (`make reconvergence`). If the emulated device counts more
 * requests than the GPU, some of its lanes diverge that are convergent on the GPU. If it counts
 * fewer, some of its lanes are convergent that diverge on the GPU. Each counter must be equal. In
 * two kernels, which are named below, the GPU diverges more than any known rule predicts; for
 * these, the emulated device may count fewer requests. Atomics on global memory are not compared,
 * because lanes that wait for a lock repeat these atomics an arbitrary number of times.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RECORDED "common/emulator/tests/reconvergence-h200.csv"
enum { COUNTERS = 6, ROWS_MOST = 100, PROGRAMS_MOST = 32 };
/* The counters in the order of the columns of the file. The other columns are not compared. */
static const char *const counters[COUNTERS] = {
    "global_load_requests", "global_load_sectors",  "global_store_requests",
    "global_store_sectors", "shared_load_requests", "shared_store_requests",
};

/* Kernels in which lanes stay divergent on an H200 although they could reconverge. */
static const char *const apart_on_gpu[] = {
    "two_exits", /* the assembler reconverges at one of two exits of a loop */
    /* Calls at all depths share one barrier register, so lanes are released too early. */
    "tree_recursion",
};

typedef struct Row {
  char program[40], kernel[40];
  long long launches, counter[COUNTERS];
} Row;

static Row rows[ROWS_MOST];
static size_t nrows;

static void read_rows(void) {
  char line[300];
  FILE *file = fopen(RECORDED, "r");
  if (!file)
    fail_msg("no " RECORDED);
  for (nrows = 0; fgets(line, sizeof line, file);) {
    if (*line == '#' || !strncmp(line, "program,", 8))
      continue;
    assert_true(nrows < ROWS_MOST);
    Row *row = &rows[nrows++];
    int got = sscanf(line, "%39[^,],%39[^,],%lld,%lld,%lld,%lld,%lld,%lld,%lld", row->program,
                     row->kernel, &row->launches, &row->counter[0], &row->counter[1],
                     &row->counter[2], &row->counter[3], &row->counter[4], &row->counter[5]);
    if (got != 3 + COUNTERS)
      fail_msg(RECORDED ": not a row: %s", line);
  }
  fclose(file);
}

/* Reads the kernels of a log with their counters, by name. The caller owns the object. */
static json_t *read_kernels(const char *path) {
  FILE *log = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  json_t *kernels = json_object();
  while (log && getline(&line, &room, log) > 0) {
    json_t *event = json_loads(line, 0, NULL);
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (kind && !strcmp(kind, "kernel"))
      json_object_set(kernels, json_string_value(json_object_get(event, "name")),
                      json_object_get(event, "counters"));
    json_decref(event);
  }
  free(line);
  if (log)
    fclose(log);
  return kernels;
}

static json_t *run_and_count(const char *program, int workers) {
  char log[] = "/tmp/reconvergence_test.XXXXXX", command[4096];
  int file = mkstemp(log);
  assert_true(file >= 0);
  close(file);
  snprintf(command, sizeof command, "LOCKSTEP_LOG=%s LOCKSTEP_WORKERS=%d %s >&2", log, workers,
           program);
  int status = system(command);
  json_t *kernels = read_kernels(log);
  remove(log);
  if (status != 0)
    fail_msg("%s: status %d", command, status);
  return kernels;
}

static bool is_apart_on_gpu(const char *kernel) {
  for (size_t i = 0; i < sizeof apart_on_gpu / sizeof *apart_on_gpu; i++)
    if (!strcmp(apart_on_gpu[i], kernel))
      return true;
  return false;
}

/* Prints a line for each counter that differs. Returns the number of lines. */
static int compare(const Row *row, const json_t *kernels) {
  const json_t *here = json_object_get(kernels, row->kernel);
  const bool fewer = is_apart_on_gpu(row->kernel);
  int bad = 0;
  if (!here || json_integer_value(json_object_get(here, "launches")) != row->launches)
    bad += fprintf(stderr, "%s: not launched as often\n", row->kernel) > 0;
  for (int i = 0; here && i < COUNTERS; i++) {
    long long count = json_integer_value(json_object_get(here, counters[i]));
    if (fewer ? count > row->counter[i] : count != row->counter[i])
      bad += fprintf(stderr, "%s: %s %lld on the GPU, %lld here\n", row->kernel, counters[i],
                     row->counter[i], count) > 0;
  }
  return bad;
}

static bool is_recorded(const char *program, const char *kernel) {
  for (size_t i = 0; i < nrows; i++)
    if (!strcmp(rows[i].program, program) && !strcmp(rows[i].kernel, kernel))
      return true;
  return false;
}

static void lanes_meet_as_on_a_gpu(void **state) {
  const char *path = *state, *program = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *name;
  json_t *event, *one = run_and_count(path, 1), *three = run_and_count(path, 3);
  int bad = 0;
  for (size_t i = 0; i < nrows; i++)
    if (!strcmp(rows[i].program, program))
      bad += compare(&rows[i], one);
  json_object_foreach(one, name, event) {
    if (!is_recorded(program, name))
      bad += fprintf(stderr, "%s: not in " RECORDED "\n", name) > 0;
  }
  if (json_object_size(one) == 0)
    fail_msg("%s: no kernel ran", path);
  if (!json_equal(one, three))
    fail_msg("%s: other counters with 3 workers than with 1", path);
  json_decref(one);
  json_decref(three);
  if (bad)
    fail_msg("%s: %d numbers are not the GPU's", path, bad);
}

static int read_file(void **state) {
  (void)state;
  read_rows();
  return 0;
}

int main(void) {
  struct CMUnitTest tests[PROGRAMS_MOST] = {0};
  size_t used = 0;
  char *programs = getenv("RECONVERGENCE");
  if (!programs) {
    fprintf(stderr, "reconvergence_test: set RECONVERGENCE to the programs\n");
    return 2;
  }
  for (char *program = strtok(programs, " "); program && used < PROGRAMS_MOST;
       program = strtok(NULL, " "))
    tests[used++] = (struct CMUnitTest){
        .name = program, .test_func = lanes_meet_as_on_a_gpu, .initial_state = program};
  return _cmocka_run_group_tests("reconvergence", tests, used, read_file, NULL) != 0;
}
