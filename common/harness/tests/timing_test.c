/* Tests medians, quartiles and the interquartile range, and the detection of times that are
 * impossible on a device. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../harness.h"
#include "emulator/tests/scratch.h"

static void quartiles(void **state) {
  (void)state;
  double times[] = {9, 1, 5, 3, 7};
  assert_true(timing_quantile(times, 5, 0) == 1);
  assert_true(timing_quantile(times, 5, 0.25) == 3);
  assert_true(timing_quantile(times, 5, 0.5) == 5);
  assert_true(timing_quantile(times, 5, 1) == 9);
  assert_true(timing_quantile((double[]){1, 2}, 2, 0.25) == 1.25);
  assert_true(isnan(timing_quantile(times, 0, 0.5)));
}

static void spread(void **state) {
  (void)state;
  Timing timing = {0};
  for (int i = 0; i < 4; i++)
    timing_add(&timing, 10);
  assert_true(isnan(timing_spread(&timing))); /* too few */
  timing_add(&timing, 1000);                  /* one disturbed run */
  assert_true(timing_spread(&timing) == 0);
  for (int i = 0; i < 5; i++)
    timing_add(&timing, 20);
  assert_true(timing_spread(&timing) > 0.4);
  for (int i = 0; i < 2 * MOST_REPEATS; i++)
    timing_add(&timing, 1);
  assert_int_equal(timing.count, MOST_REPEATS);
}

static int calls;
static cudaError_t count_calls(const Run *run) {
  (void)run;
  return ++calls > 7 ? cudaErrorUnknown : cudaSuccess;
}

static void runs_are_counted(void **state) {
  (void)state;
  cudaError_t error = cudaSuccess;
  static Timing timing;
  timing_run(count_calls, NULL, 1, 5, &timing, &error);
  assert_int_equal(timing.count, 5);
  assert_int_equal(calls, 5);
  timing_run(count_calls, NULL, 100, 100, &timing, &error);
  assert_int_equal(calls, 8); /* Nothing is called after a failed call. */
  assert_int_equal(error, cudaErrorUnknown);
}

static void files(void **state) {
  (void)state;
  char path[SCRATCH_MOST], line[64];
  Timing timing = {2, {1.5, 0.25}};
  close(scratch_file(path, "times"));
  assert_null(timing_write(path, &timing, NAN));
  FILE *file = fopen(path, "r");
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "LOCKSTEP times, ms\n");
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "1.5\n");
  fclose(file);
  unlink(path);
  assert_non_null(strstr(timing_write("/nonexistent/x", &timing, 1), "/nonexistent/x"));
}

/* A card that copies 100 bytes, reads 110 bytes and executes 1000 operations per millisecond, or
 * 2000 on tensor cores. */
static const Roof roof = {.copy = 100, .read = 110, .rate = 1000, .tensor = 2000};

static void shares(void **state) {
  (void)state;
  Demand heavy = {.flop = 10000, .bytes = 100}, wide = {.flop = 100, .bytes = 1000};
  assert_true(fabs(roof_share(&roof, &heavy, 20) - 0.5) < 1e-12);
  assert_true(fabs(roof_share(&roof, &wide, 20) - 0.5) < 1e-12);
  heavy.tensor = true;
  assert_true(fabs(roof_share(&roof, &heavy, 20) - 0.25) < 1e-12);
}

static void operands_move_once(void **state) {
  (void)state;
  Instance instance = {.problem = &matvec_problem, .size = {10, 20}, .element_bytes = 8};
  Demand demand = roof_demand(&instance, true);
  assert_true(demand.flop == 400 && demand.tensor);
  assert_true(demand.inputs == 8 * (200 + 20));
  assert_true(demand.bytes == 8 * (200 + 20 + 10));
}

static void the_impossible(void **state) {
  (void)state;
  Demand heavy = {.flop = 10000, .bytes = 100}, wide = {.flop = 100, .bytes = 9999, .inputs = 1100};
  assert_true(roof_possible(&roof, &heavy, 10));
  assert_true(roof_possible(&roof, &heavy, 9.6)); /* a few percent */
  assert_false(roof_possible(&roof, &heavy, 9));
  assert_false(roof_possible(&roof, &heavy, NAN));
  heavy.tensor = true;
  assert_true(roof_possible(&roof, &heavy, 5));
  assert_false(roof_possible(&roof, &heavy, 4));
  assert_true(roof_possible(&roof, &wide, 10)); /* reading alone is faster than copying */
  assert_false(roof_possible(&roof, &wide, 9));
  Roof no_tensor = {.copy = 100, .read = 100, .rate = 1000, .tensor = NAN};
  assert_false(roof_possible(&no_tensor, &heavy, 5));
  Roof unknown = {NAN, NAN, NAN, NAN};
  assert_true(roof_possible(&unknown, &heavy, 1e-9));
  assert_true(isnan(roof_share(&unknown, &heavy, 1)));
}

static void ceilings_are_named(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  roof_print(file, &(Roof){NAN, NAN, NAN, NAN});
  roof_print(file, &(Roof){4.26e9, 4.4e9, 33.5e9, NAN});
  fclose(file);
  assert_string_equal(text, "ceilings of this run: copy 4260 GB/s, read 4400 GB/s, "
                            "multiply-adds 33500 GFLOP/s\n");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quartiles),        cmocka_unit_test(spread),
      cmocka_unit_test(runs_are_counted), cmocka_unit_test(files),
      cmocka_unit_test(shares),           cmocka_unit_test(operands_move_once),
      cmocka_unit_test(the_impossible),   cmocka_unit_test(ceilings_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
