/* Tests the generation of inputs. The same seed gives the same elements. Another seed gives other
 * elements, and so do exchanged or shifted indices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../harness.h"

static const int a_linear[] = {1, 2}, b_linear[] = {-1, 1};

static double uniform(uint64_t seed, int operand, size_t row, size_t column) {
  Recipe recipe = {FILL_UNIFORM, seed};
  return fill_element(&recipe, operand, a_linear, row, column);
}

/* These numbers must never change. The checker generates them in another process, and a verdict
 * that names an element must give the same value later. */
static void the_same_numbers_forever(void **state) {
  (void)state;
  assert_true(uniform(1, 0, 0, 0) == 0.012876541763576332);
  assert_true(uniform(1, 1, 2, 3) == 0.60490397634657356);
}

static void in_range_and_centred(void **state) {
  (void)state;
  double sum = 0, least = 1, most = -1;
  for (size_t i = 0; i < 100; i++)
    for (size_t j = 0; j < 100; j++) {
      double x = uniform(7, 0, i, j);
      sum += x;
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
  assert_true(least >= -1 && least < -0.99 && most < 1 && most > 0.99);
  assert_true(sum / 10000 < 0.03 && sum / 10000 > -0.03);
}

/* The numbers are not exact in float. A double kernel that computes in float gives a wrong
 * result. */
static void too_long_for_a_float(void **state) {
  (void)state;
  for (size_t i = 0; i < 1000; i++) {
    double x = uniform(3, 1, i, i / 3);
    assert_true((double)(float)x != x && fabs((float)x - x) < 1e-7);
  }
}

static void everything_makes_a_difference(void **state) {
  (void)state;
  int same = 0;
  for (size_t i = 0; i < 50; i++)
    for (size_t j = 0; j < 50; j++) {
      double x = uniform(1, 0, i, j);
      same += x == uniform(2, 0, i, j);           /* seed */
      same += x == uniform(1, 1, i, j);           /* operand */
      same += i != j && x == uniform(1, 0, j, i); /* transposed */
      same += x == uniform(1, 0, i + 1, j);       /* shifted */
      same += x == uniform(1, 0, i, j + 1);
    }
  assert_true(same <= 2); /* elements are equal by chance with probability 2^-53 */
}

static void whole_numbers_are_digits(void **state) {
  (void)state;
  Recipe recipe = {FILL_WHOLE, 1};
  int seen[10] = {0};
  for (size_t i = 0; i < 1000; i++) {
    double x = fill_element(&recipe, 0, a_linear, i, 2 * i);
    assert_true(x >= 0 && x <= 9 && x == (int)x);
    seen[(int)x]++;
  }
  for (int digit = 0; digit < 10; digit++)
    assert_true(seen[digit] > 50);
}

static void linear_is_the_lectures(void **state) {
  (void)state;
  Recipe recipe = {FILL_LINEAR, 99};
  assert_true(fill_element(&recipe, 0, a_linear, 3, 5) == 2 * 5 + 3);
  assert_true(fill_element(&recipe, 1, b_linear, 3, 5) == 5 - 3);
}

static void unit_is_from_zero_to_one(void **state) {
  (void)state;
  Recipe recipe = {FILL_UNIT, 7};
  double sum = 0;
  for (size_t i = 0; i < 10000; i++) {
    double x = fill_element(&recipe, 0, a_linear, i, 1);
    assert_true(x >= 0 && x < 1 && (double)(float)x != x);
    sum += x;
  }
  assert_true(sum / 10000 > 0.48 && sum / 10000 < 0.52);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_numbers_forever), cmocka_unit_test(in_range_and_centred),
      cmocka_unit_test(too_long_for_a_float),     cmocka_unit_test(everything_makes_a_difference),
      cmocka_unit_test(whole_numbers_are_digits), cmocka_unit_test(linear_is_the_lectures),
      cmocka_unit_test(unit_is_from_zero_to_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
