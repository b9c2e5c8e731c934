/* Tests that the counters of the lecture's ladder equal those of a real GPU.
 *
 *   LADDERS="PROGRAM..." counters_test     the ladder program, as each front end compiles it
 *
 * The expected numbers were measured with Nsight Compute on an H200 for the same kernels, N = 512,
 * float. Wavefronts of shared memory vary on the GPU because of arbitration, so their ideal number
 * is expected. Every front end and every number of workers must give these numbers. The other
 * counters must not depend on the number of workers.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "emulator/tests/scratch.h"

#define SIZE "512"

typedef struct Expected {
  const char *variant, *counter;
  json_int_t value;
} Expected;

static const Expected expected[] = {
    {"naive", "global_load_requests", 8388608},    {"naive", "global_load_sectors", 20971520},
    {"naive", "global_store_requests", 8192},      {"naive", "global_store_sectors", 32768},
    {"smem1", "shared_store_wavefronts", 8388608}, {"smem2", "global_load_requests", 262144},
    {"smem2", "global_load_sectors", 1048576},     {"smem2", "shared_load_wavefronts", 8388608},
    {"smem2", "shared_store_requests", 262144},    {"smem2", "shared_store_conflicts", 0},
};

static const char *const variants[] = {"naive", "smem1", "smem2"};

typedef struct Case {
  const char *program, *variant;
} Case;

/* Returns the counters of the only kernel in a log; the caller owns the object. Returns NULL if the
 * log has no kernel. */
static json_t *read_counters(const char *path) {
  FILE *log = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  json_t *counters = NULL;
  while (log && getline(&line, &room, log) > 0) {
    json_t *event = json_loads(line, 0, NULL);
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (kind && !strcmp(kind, "kernel") && !counters)
      counters = json_incref(json_object_get(event, "counters"));
    json_decref(event);
  }
  free(line);
  if (log)
    fclose(log);
  return counters;
}

static json_t *run_and_count(const Case *test, int workers) {
  char log[SCRATCH_MOST], command[4096];
  int file = scratch_file(log, "counters");
  assert_true(file >= 0);
  close(file);
  snprintf(command, sizeof command, "LOCKSTEP_LOG=%s LOCKSTEP_WORKERS=%d %s %s " SIZE " float", log,
           workers, test->program, test->variant);
  int status = system(command);
  json_t *counters = read_counters(log);
  remove(log);
  if (status != 0 || !counters)
    fail_msg("%s: status %d, %s", command, status,
             counters ? "counters" : "no counters in its log");
  return counters;
}

static void compare_with_gpu(const Case *test, int workers, const json_t *counters) {
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const Expected *want = &expected[i];
    if (strcmp(want->variant, test->variant))
      continue;
    json_int_t got = json_integer_value(json_object_get(counters, want->counter));
    if (got != want->value)
      fail_msg("%s, %d workers: %s is %lld, on the GPU %lld", want->variant, workers, want->counter,
               (long long)got, (long long)want->value);
  }
}

static void counters_are_those_of_a_gpu(void **state) {
  const Case *test = *state;
  json_t *first = NULL;
  for (int workers = 1; workers <= 3; workers++) {
    json_t *counters = run_and_count(test, workers);
    compare_with_gpu(test, workers, counters);
    if (!first)
      first = json_incref(counters);
    if (!json_equal(first, counters))
      fail_msg("%s: other counters with %d workers than with 1", test->variant, workers);
    json_decref(counters);
  }
  json_decref(first);
}

int main(void) {
  enum { PROGRAMS = 8, VARIANTS = sizeof variants / sizeof *variants };
  static Case cases[PROGRAMS * VARIANTS];
  struct CMUnitTest tests[PROGRAMS * VARIANTS] = {0};
  size_t used = 0;
  char *ladders = getenv("LADDERS"), *program;
  if (!ladders) {
    fprintf(stderr, "counters_test: set LADDERS to the ladder programs\n");
    return 2;
  }
  for (program = strtok(ladders, " "); program && used < PROGRAMS * VARIANTS;
       program = strtok(NULL, " "))
    for (size_t v = 0; v < VARIANTS; v++, used++) {
      cases[used] = (Case){program, variants[v]};
      tests[used].name = variants[v];
      tests[used].test_func = counters_are_those_of_a_gpu;
      tests[used].initial_state = &cases[used];
    }
  return _cmocka_run_group_tests("counters", tests, used, NULL, NULL) != 0;
}
