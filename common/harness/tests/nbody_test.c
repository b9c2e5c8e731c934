/* Tests the N-body problem: compares gold with the definition, and both CPU variants with gold.
 * With the default initial state, a mistake must change the result by more than rounding does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../harness.h"

static Instance make(int n, int steps, size_t element_bytes, Fill fill, uint64_t seed) {
  Instance instance = instance_make(&nbody_problem, (int[MAX_SIZES]){n, steps}, element_bytes,
                                    (Recipe){fill, seed});
  instance_gold(&instance);
  return instance;
}

static double distance(const double *r, int i, int k) {
  return hypot(r[2 * k] - r[2 * i], r[2 * k + 1] - r[2 * i + 1]);
}

/* Computes the formula without the optimisations of the tested code. */
static void gold_is_the_definition(void **state) {
  (void)state;
  enum { N = 20, STEPS = 3 };
  Instance in = make(N, STEPS, sizeof(float), FILL_UNIFORM, 3);
  double v[2 * N];
  for (size_t i = 0; i < 2 * N; i++) {
    assert_true(in.gold[i] == element_get(in.operand[NBODY_R0], sizeof(float), i));
    v[i] = element_get(in.operand[NBODY_V0], sizeof(float), i);
  }
  for (int step = 0; step < STEPS; step++) {
    const double *r = in.gold + 2 * N * step;
    for (int i = 0; i < 2 * N; i++) {
      double a = 0;
      for (int k = 0; k < N; k++)
        if (k != i / 2 && distance(r, i / 2, k) >= 0.01)
          a += 10 * (r[2 * k + i % 2] - r[i]) / pow(distance(r, i / 2, k), 3);
      assert_true(fabs(r[2 * N + i] - (r[i] + v[i] * 0.001 + a * 0.5e-6)) < 1e-12);
      v[i] += a * 0.001;
    }
  }
  instance_free(&in);
}

static void cpu_and_threads_are_right(void **state) {
  (void)state;
  const Variant ways[] = {{"cpu", "", PLACE_CPU, nbody_cpu},
                          {"threads", "", PLACE_CPU, nbody_threads}};
  const int sizes[][2] = {{1, 1}, {2, 10}, {33, 12}, {100, 5}};
  for (int s = 0; s < 4; s++)
    for (int fill = FILL_UNIFORM; fill <= FILL_LINEAR; fill++)
      for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        Instance in = make(sizes[s][0], sizes[s][1], bytes, (Fill)fill, 1);
        void *output = malloc(operand_bytes(&in, NBODY_R));
        assert_non_null(output);
        for (int w = 0; w < 2; w++) {
          Result result =
              run_variant(&ways[w], &in, &(RunOptions){.threads = 3, .repeats = 1}, output);
          assert_int_equal(result.error, cudaSuccess);
          assert_true(result.checked && result.comparison.right);
        }
        free(output);
        instance_free(&in);
      }
}

/* In all compared steps, no pair has a distance near the limit of 0.01 m. Some pairs are clearly
 * below the limit, and some are not far above it. */
static void the_limit_is_never_doubtful(void **state) {
  (void)state;
  enum { N = 100 };
  for (uint64_t seed = 1; seed <= 10; seed++) {
    Instance in = make(N, NBODY_COMPARED, sizeof(double), FILL_UNIFORM, seed);
    size_t within = 0, circling = 0;
    for (int step = 0; step <= NBODY_COMPARED; step++)
      for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) {
          double d = distance(in.gold + 2 * N * step, i, k);
          assert_true(d < 0.007 || d > 0.03);
          within += d < 0.01;
          circling += step == 0 && d > 0.01 && d < 0.1;
        }
    assert_true(within > 0 && circling > 0);
    instance_free(&in);
  }
}

/* In the cluster, gravity changes the result of a step by far more than rounding. In the lecture's
 * disc, this change is smaller than a rounding error, so the disc is not the default. */
static void gravity_shows_in_the_cluster_only(void **state) {
  (void)state;
  enum { N = 64 };
  for (int fill = FILL_UNIFORM; fill <= FILL_LINEAR; fill += FILL_LINEAR) {
    Instance in = make(N, 1, sizeof(double), (Fill)fill, 1);
    double straight[4 * N], none[2 * N] = {0};
    memcpy(straight, in.operand[NBODY_R0], sizeof none);
    nbody_move(sizeof(double), straight, none, in.operand[NBODY_V0], straight + 2 * N, N);
    Comparison c = compare(straight, sizeof(double), in.gold, (Shape){2 * N, 2}, 1e-7);
    assert_int_equal(c.right, fill == FILL_LINEAR);
    instance_free(&in);
  }
}

static void momentum_is_kept(void **state) {
  (void)state;
  enum { N = 50, STEPS = 10 };
  Instance in = make(N, STEPS, sizeof(double), FILL_UNIFORM, 4);
  double start[2] = {0, 0}, end[2] = {0, 0};
  for (size_t i = 0; i < 2 * N; i++) {
    double v = element_get(in.operand[NBODY_V0], sizeof(double), i);
    start[i % 2] += in.gold[i] + STEPS * 0.001 * v;
    end[i % 2] += in.gold[2 * N * STEPS + i];
  }
  assert_true(fabs(start[0] - end[0]) < 1e-9 && fabs(start[1] - end[1]) < 1e-9);
  instance_free(&in);
}

static void what_parts_is_not_compared(void **state) {
  (void)state;
  Instance in = {.problem = &nbody_problem, .size = {10, 800}, .element_bytes = sizeof(float)};
  assert_true(isinf(nbody_problem.tolerance(&in)));
  in.recipe.fill = FILL_LINEAR;
  assert_true(isfinite(nbody_problem.tolerance(&in)));
}

static void the_result_has_a_row_for_each_body_and_step(void **state) {
  (void)state;
  Shape shape = operand_shape(&nbody_problem, (int[MAX_SIZES]){7, 3}, NBODY_R);
  assert_int_equal(shape.rows, 28);
  assert_int_equal(shape.columns, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gold_is_the_definition),
      cmocka_unit_test(cpu_and_threads_are_right),
      cmocka_unit_test(the_limit_is_never_doubtful),
      cmocka_unit_test(gravity_shows_in_the_cluster_only),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(what_parts_is_not_compared),
      cmocka_unit_test(the_result_has_a_row_for_each_body_and_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
