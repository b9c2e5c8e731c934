/* Tests the samples in the log. The log contains one request of each access. The choice of this
 * request must not depend on the order of blocks and workers.
 *
 *   LADDERS="PROGRAM..." samples_test      the ladder program, as each front end compiles it; the
 *                                          program `sampled` is in the same folder
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

#include "emulator/tests/scratch.h"

enum { LANES = 32 };

/* ---- running and reading --------------------------------------------------------------------- */
/* Returns an array with the kernel events of a run; the caller owns it. */
static json_t *kernels_of(const char *environment, const char *program, const char *arguments) {
  char log[SCRATCH_MOST], command[4096], *line = NULL;
  size_t room = 0;
  int file = scratch_file(log, "samples");
  assert_true(file >= 0);
  close(file);
  snprintf(command, sizeof command, "LOCKSTEP_LOG=%s %s %s %s >/dev/null", log, environment,
           program, arguments);
  if (system(command) != 0)
    fail_msg("%s: failed", command);
  json_t *kernels = json_array();
  FILE *stream = fopen(log, "r");
  assert_non_null(stream);
  while (getline(&line, &room, stream) > 0) {
    json_t *event = json_loads(line, 0, NULL);
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (kind && !strcmp(kind, "kernel"))
      json_array_append(kernels, event);
    json_decref(event);
  }
  free(line);
  fclose(stream);
  remove(log);
  return kernels;
}

static json_t *run(const char *ladder, const char *program, const char *arguments) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(ladder, '/') + 1 - ladder), ladder, program);
  json_t *kernels = kernels_of("LOCKSTEP_WORKERS=1", path, arguments);
  static const char *const others[] = {"LOCKSTEP_WORKERS=2", "LOCKSTEP_WORKERS=3 LOCKSTEP_SEED=1",
                                       "LOCKSTEP_WORKERS=1 LOCKSTEP_SEED=2",
                                       "LOCKSTEP_WORKERS=2 LOCKSTEP_SEED=3"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    json_t *again = kernels_of(others[i], path, arguments);
    if (!json_equal(kernels, again))
      fail_msg("%s %s %s: another log than with one worker", others[i], path, arguments);
    json_decref(again);
  }
  return kernels;
}

static const json_t *kernel(const json_t *kernels, const char *part_of_name) {
  size_t i;
  json_t *event;
  json_array_foreach(kernels, i,
                     event) if (strstr(json_string_value(json_object_get(event, "name")),
                                       part_of_name)) return event;
  fail_msg("no kernel %s in the log", part_of_name);
  return NULL;
}

/* Returns the number of the line that contains `comment` in a source file. */
static int line_of(const char *source, const char *comment) {
  char path[256], line[256];
  snprintf(path, sizeof path, "common/emulator/tests/programs/%s", source);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  for (int number = 1; fgets(line, sizeof line, file); number++)
    if (strstr(line, comment)) {
      fclose(file);
      return number;
    }
  fail_msg("%s: no line with %s", source, comment);
  return 0;
}

enum { ANY = -3 }; /* matches any parameter */

/* Returns the sample of the first access in line number `line` that is through parameter number
 * `parameter` and whose operation begins with `op`. */
static const json_t *sample_through(const json_t *event, int line, const char *op, int parameter) {
  size_t i;
  json_t *access;
  json_array_foreach(json_object_get(event, "accesses"), i, access) {
    if (json_integer_value(json_object_get(access, "line")) == line &&
        !strncmp(json_string_value(json_object_get(access, "op")), op, strlen(op)) &&
        (parameter == ANY ||
         json_integer_value(json_object_get(access, "parameter")) == parameter)) {
      const json_t *found = json_object_get(access, "sample");
      assert_true(json_is_object(found));
      return found;
    }
  }
  fail_msg("no %s on line %d", op, line);
  return NULL;
}

static const json_t *sample(const json_t *event, int line, const char *op) {
  return sample_through(event, line, op, ANY);
}

static int number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_integer(value) ? (int)json_integer_value(value) : -1;
}

static void expect_place(const json_t *s, int block, int warp) {
  assert_int_equal(json_integer_value(json_array_get(json_object_get(s, "block"), 0)), block);
  assert_int_equal(number(s, "warp"), warp);
}

static void expect_buffer(const json_t *s, const char *space, const char *buffer) {
  assert_string_equal(json_string_value(json_object_get(s, "space")), space);
  assert_string_equal(json_string_value(json_object_get(s, "buffer")), buffer);
}

/* Expects that the lanes of the mask have the offset `from` + lane * `step`, and that the other
 * lanes have null. */
static void expect_offsets(const json_t *s, uint32_t lanes, int from, int step) {
  const json_t *offsets = json_object_get(s, "offsets");
  assert_int_equal(json_array_size(offsets), LANES);
  for (int lane = 0; lane < LANES; lane++) {
    const json_t *offset = json_array_get(offsets, (size_t)lane);
    assert_int_equal(json_is_integer(offset), lanes >> lane & 1);
    assert_int_equal(json_is_null(offset), !(lanes >> lane & 1));
    if (json_is_integer(offset))
      assert_int_equal(json_integer_value(offset), from + lane * step);
  }
}

/* ---- the lecture's ladder -------------------------------------------------------------------- */
static void ladder_samples(void **state) {
  json_t *kernels = run(*state, "ladder", "all 64 float");
  const json_t *naive = kernel(kernels, "5naive");
  int product = line_of("ladder.cu", "sum += A[row * n + i] * B[i * n + column];");
  const json_t *a = sample_through(naive, product, "ld.global", 0);
  expect_place(a, 0, 0);
  expect_offsets(a, UINT32_MAX, 0, 0); /* one element of A for the whole warp */
  assert_int_equal(number(a, "sectors"), 1);
  assert_int_equal(number(a, "buffer_bytes"), 64 * 64 * 4);
  assert_int_equal(number(a, "element"), 4);
  assert_int_equal(number(a, "columns"), -1); /* the program declared no shape */
  const json_t *smem1 = kernel(kernels, "Li32E");
  const json_t *store = sample(smem1, line_of("ladder.cu", "As[tx][ty] = A["), "st.shared");
  expect_buffer(store, "shared", "As");
  expect_offsets(store, UINT32_MAX, 0, 128); /* the lanes store along a column */
  assert_int_equal(number(store, "wavefronts"), 32);
  assert_int_equal(number(store, "ideal"), 1);
  const json_t *arrays = json_object_get(smem1, "shared");
  assert_int_equal(json_array_size(arrays), 2);
  const json_t *bs = json_array_get(arrays, 1);
  assert_string_equal(json_string_value(json_object_get(bs, "name")), "Bs");
  assert_int_equal(number(bs, "offset"), 4096);
  assert_int_equal(number(bs, "bytes"), 4096);
  json_decref(kernels);
}

/* ---- the program sampled.cu ------------------------------------------------------------------ */
static void whole_warps(const json_t *first) {
  const json_t *load = sample(first, line_of("sampled.cu", "// row by row"), "ld.global");
  expect_place(load, 0, 0);
  expect_buffer(load, "global", "M");
  expect_offsets(load, UINT32_MAX, 0, 4);
  assert_int_equal(number(load, "rows"), 16);
  assert_int_equal(number(load, "columns"), 32);
  assert_int_equal(number(load, "sectors"), 4);
  const json_t *store = sample(first, line_of("sampled.cu", "// row by row"), "st.shared");
  expect_buffer(store, "shared", "dynamic");
  expect_offsets(store, UINT32_MAX, 96 * 4, 4); /* after the fixed array */
}

/* Block 2 is the first block that executes these lines, with lanes 8 to 31 of its warp 1. */
static void late_and_partly(const json_t *first) {
  const json_t *store = sample(first, line_of("sampled.cu", "// late and partly"), "st.global");
  expect_place(store, 2, 1);
  expect_offsets(store, 0xffffff00, (2 * 96 + 32) * 4, 4);
  const json_t *atomic = sample(first, line_of("sampled.cu", "// atomic"), "atom");
  expect_place(atomic, 3, 0);
  expect_offsets(atomic, 0xaaaaaaaa, 3 * 96 * 4, 0);
}

static void known_samples(void **state) {
  json_t *kernels = run(*state, "sampled", "");
  const json_t *first = kernel(kernels, "5first"), *later = kernel(kernels, "5later");
  whole_warps(first);
  late_and_partly(first);
  const json_t *both =
      sample(kernel(kernels, "4both"), line_of("sampled.cu", "// two buffers"), "ld.global");
  expect_buffer(both, "global", "M");
  expect_offsets(both, 0x0000ffff, 0, 4);
  assert_int_equal(number(both, "elsewhere"), 16);
  assert_int_equal(number(both, "sectors"), 4); /* the sectors of the whole request */
  assert_int_equal(number(later, "launches"), 3);
  expect_offsets(sample(later, line_of("sampled.cu", "// second launch"), "st.global"), UINT32_MAX,
                 4, 4);
  json_decref(kernels);
}

int main(void) {
  enum { PROGRAMS = 8 };
  struct CMUnitTest tests[2 * PROGRAMS] = {0};
  size_t used = 0;
  char *ladders = getenv("LADDERS"), *program;
  if (!ladders) {
    fprintf(stderr, "samples_test: set LADDERS to the ladder programs\n");
    return 2;
  }
  for (program = strtok(ladders, " "); program && used < 2 * PROGRAMS;
       program = strtok(NULL, " ")) {
    tests[used++] = (struct CMUnitTest){"ladder", ladder_samples, NULL, NULL, program};
    tests[used++] = (struct CMUnitTest){"sampled", known_samples, NULL, NULL, program};
  }
  return _cmocka_run_group_tests("samples", tests, used, NULL, NULL) != 0;
}
