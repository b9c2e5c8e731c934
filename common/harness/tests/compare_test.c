/* Tests the comparison of results: NaN counts as wrong, and every kind of wrong element is
 * recognised and located. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../harness.h"

enum { ROWS = 5, COLUMNS = 7, COUNT = ROWS * COLUMNS };
static const Shape shape = {ROWS, COLUMNS};
static const double bound = 1e-6;
static double gold[COUNT];
static float got[COUNT];

static int prepare(void **state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    gold[i] = i * 0.37 - 3;
    got[i] = (float)gold[i];
  }
  return 0;
}

static Comparison judge(void) { return compare(got, sizeof *got, gold, shape, bound); }

static void rounding_is_right(void **state) {
  (void)state;
  Comparison c = judge();
  assert_true(c.right);
  assert_int_equal(c.differing, 0);
  assert_true(c.norm > 0 && c.norm < bound);
}

static void double_is_compared_as_double(void **state) {
  (void)state;
  double copy[COUNT];
  memcpy(copy, gold, sizeof gold);
  assert_true(compare(copy, sizeof *copy, gold, shape, 1e-14).right);
  copy[30] *= 1 + 1e-11;
  assert_false(compare(copy, sizeof *copy, gold, shape, 1e-14).right);
}

static void one_nan_is_wrong(void **state) {
  (void)state;
  got[17] = NAN;
  Comparison c = judge();
  assert_false(c.right);
  assert_true(isnan(c.norm));
  assert_int_equal(c.differing, 1);
  assert_int_equal(c.nan, 1);
  assert_int_equal(c.unwritten, 0);
  assert_int_equal(c.first[0].row, 17 / COLUMNS);
  assert_int_equal(c.first[0].column, 17 % COLUMNS);
  assert_true(c.first[0].expected == gold[17]);
}

static void poison_is_unwritten_not_nan(void **state) {
  (void)state;
  matrix_poison(got, sizeof got);
  Comparison c = judge();
  assert_false(c.right);
  assert_int_equal(c.unwritten, COUNT);
  assert_int_equal(c.nan, 0);
  assert_int_equal(c.differing, COUNT);
}

static void infinity_is_wrong(void **state) {
  (void)state;
  got[0] = INFINITY;
  assert_false(judge().right);
}

/* One wrong element among a million hardly changes the norm, but the result must count as wrong. */
static void one_element_cannot_hide(void **state) {
  (void)state;
  enum { MANY = 1000000 };
  double *many = malloc(MANY * sizeof *many);
  float *result = malloc(MANY * sizeof *result);
  assert_non_null(many);
  assert_non_null(result);
  for (int i = 0; i < MANY; i++)
    result[i] = (float)(many[i] = 1);
  result[MANY - 1] = 1.0005f;
  Comparison c = compare(result, sizeof *result, many, (Shape){1000, 1000}, bound);
  free(many);
  free(result);
  assert_true(c.norm <= bound);
  assert_false(c.right);
  assert_int_equal(c.differing, 1);
  assert_int_equal(c.first[0].row, 999);
  assert_int_equal(c.first[0].column, 999);
}

static void zeros_are_compared_absolutely(void **state) {
  (void)state;
  memset(gold, 0, sizeof gold);
  memset(got, 0, sizeof got);
  assert_true(judge().right);
  got[3] = 1e-3f;
  assert_false(judge().right);
}

/* A matrix without rows is right, and its comparison does not divide by zero. */
static void empty_is_right(void **state) {
  (void)state;
  assert_true(compare(got, sizeof *got, gold, (Shape){0, COLUMNS}, bound).right);
}

static void the_list_names_places(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  got[9] = 100;
  matrix_poison(&got[10], sizeof *got);
  Comparison c = judge();
  FILE *file = open_memstream(&text, &length);
  comparison_print(file, "kernel", &c);
  fclose(file);
  assert_non_null(strstr(text, "kernel: relative L2 norm nan"));
  assert_non_null(strstr(text, "2 of 35 elements differ; never written: 1"));
  assert_non_null(strstr(text, "not written"));
  assert_non_null(strstr(text, "      1       2             0.33              100\n"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(rounding_is_right, prepare),
      cmocka_unit_test_setup(double_is_compared_as_double, prepare),
      cmocka_unit_test_setup(one_nan_is_wrong, prepare),
      cmocka_unit_test_setup(poison_is_unwritten_not_nan, prepare),
      cmocka_unit_test_setup(infinity_is_wrong, prepare),
      cmocka_unit_test_setup(one_element_cannot_hide, prepare),
      cmocka_unit_test_setup(zeros_are_compared_absolutely, prepare),
      cmocka_unit_test_setup(empty_is_right, prepare),
      cmocka_unit_test_setup(the_list_names_places, prepare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
