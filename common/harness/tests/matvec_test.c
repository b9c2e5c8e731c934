/* Tests the variants that compute the matrix-vector product on the CPU against the definition, for
 * ragged and rectangular sizes and both precisions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../harness.h"

static const int sizes[][MAX_SIZES] = {
    {1, 1}, {13, 13}, {32, 32}, {33, 31}, {1, 700}, {700, 1}, {96, 40}, {2, 3000},
};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

static void gold_is_the_definition(void **state) {
  (void)state;
  for (int s = 0; s < SIZE_COUNT; s++) {
    size_t rows = (size_t)sizes[s][MATVEC_ROWS], columns = (size_t)sizes[s][MATVEC_COLUMNS];
    Instance instance =
        instance_make(&matvec_problem, sizes[s], sizeof(float), (Recipe){FILL_UNIFORM, 5});
    const float *M = instance.operand[MATVEC_MATRIX], *v = instance.operand[MATVEC_VECTOR];
    Shape shape = operand_shape(&matvec_problem, sizes[s], MATVEC_OUT);
    instance_gold(&instance);
    assert_int_equal(shape.rows, rows);
    assert_int_equal(shape.columns, 1);
    for (size_t row = 0; row < rows; row++) {
      double sum = 0;
      for (size_t i = 0; i < columns; i++)
        sum += (double)M[row * columns + i] * (double)v[i];
      assert_true(fabs(instance.gold[row] - sum) < 1e-12);
    }
    instance_free(&instance);
  }
}

static void try_variant(RunFunction f, int threads, size_t element_bytes, Fill fill) {
  const Variant variant = {"v", "", PLACE_CPU, f};
  for (int s = 0; s < SIZE_COUNT; s++) {
    Instance instance = instance_make(&matvec_problem, sizes[s], element_bytes, (Recipe){fill, 1});
    void *output = malloc(operand_bytes(&instance, MATVEC_OUT));
    assert_non_null(output);
    instance_gold(&instance);
    Result result =
        run_variant(&variant, &instance, &(RunOptions){.threads = threads, .repeats = 1}, output);
    assert_int_equal(result.error, cudaSuccess);
    assert_true(result.checked && result.comparison.right);
    if (fill == FILL_UNIT)
      assert_int_equal(result.comparison.within, sizes[s][MATVEC_ROWS]);
    free(output);
    instance_free(&instance);
  }
}

static void cpu_and_threads_are_right(void **state) {
  (void)state;
  const size_t bytes[] = {sizeof(float), sizeof(double)};
  for (int b = 0; b < 2; b++)
    for (int fill = FILL_UNIFORM; fill <= FILL_UNIT; fill++) {
      try_variant(matvec_cpu, 1, bytes[b], (Fill)fill);
      try_variant(matvec_threads, 5, bytes[b], (Fill)fill);
    }
}

static cudaError_t is_off_by_a_little(const Run *run) {
  cudaError_t error = matvec_cpu(run);
  ((double *)run->operand[MATVEC_OUT])[2] += 0.002;
  return error;
}

static cudaError_t leaves_one_out(const Run *run) {
  cudaError_t error = matvec_cpu(run);
  matrix_poison((double *)run->operand[MATVEC_OUT] + 1, sizeof(double));
  return error;
}

/* A wrong element must exceed the bound of the norm and the absolute bound. */
static void wrong_is_noticed(void **state) {
  (void)state;
  const Variant off = {"off", "", PLACE_CPU, is_off_by_a_little};
  const Variant gap = {"gap", "", PLACE_CPU, leaves_one_out};
  Instance instance = instance_make(&matvec_problem, (int[MAX_SIZES]){5, 7}, sizeof(double),
                                    (Recipe){FILL_UNIT, 1});
  const RunOptions once = {.threads = 1, .repeats = 1};
  double output[5];
  instance_gold(&instance);
  Result result = run_variant(&off, &instance, &once, output);
  assert_false(result.comparison.right);
  assert_int_equal(result.comparison.within, 4);
  assert_true(fabs(result.comparison.largest - 0.002) < 1e-9);
  result = run_variant(&gap, &instance, &once, output);
  assert_false(result.comparison.right);
  assert_int_equal(result.comparison.within, 4);
  assert_true(isnan(result.comparison.largest));
  instance_free(&instance);
}

static void traffic_counts_every_element_once(void **state) {
  (void)state;
  const int size[MAX_SIZES] = {10, 100};
  assert_true(matvec_problem.bytes(size, sizeof(float)) == 4 * (1000 + 100 + 10));
  assert_true(matvec_problem.bytes(size, sizeof(double)) == 8 * (1000 + 100 + 10));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gold_is_the_definition),
      cmocka_unit_test(cpu_and_threads_are_right),
      cmocka_unit_test(wrong_is_noticed),
      cmocka_unit_test(traffic_counts_every_element_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
