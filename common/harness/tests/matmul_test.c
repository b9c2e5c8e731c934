/* Tests the variants that compute the product on the CPU against the definition, for ragged and
 * rectangular sizes and both precisions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../harness.h"

static const int sizes[][MAX_SIZES] = {
    {1, 1, 1},  {13, 13, 13}, {31, 31, 31}, {32, 32, 32}, {33, 33, 33},
    {1, 70, 1}, {70, 1, 3},   {96, 40, 13}, {13, 31, 96}, {2, 300, 2},
};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

static double by_definition(const Instance *instance, size_t row, size_t column) {
  size_t k = (size_t)instance->size[MATMUL_K], n = (size_t)instance->size[MATMUL_N];
  double sum = 0;
  for (size_t i = 0; i < k; i++)
    sum += element_get(instance->operand[MATMUL_A], instance->element_bytes, row * k + i) *
           element_get(instance->operand[MATMUL_B], instance->element_bytes, i * n + column);
  return sum;
}

static void gold_is_the_definition(void **state) {
  (void)state;
  for (int s = 0; s < SIZE_COUNT; s++) {
    Instance instance =
        instance_make(&matmul_problem, sizes[s], sizeof(float), (Recipe){FILL_UNIFORM, 5});
    Shape shape = operand_shape(&matmul_problem, sizes[s], MATMUL_C);
    instance_gold(&instance);
    assert_int_equal(shape.rows, sizes[s][MATMUL_M]);
    assert_int_equal(shape.columns, sizes[s][MATMUL_N]);
    for (size_t i = 0; i < shape.rows * shape.columns; i++)
      assert_true(fabs(instance.gold[i] -
                       by_definition(&instance, i / shape.columns, i % shape.columns)) < 1e-13);
    instance_free(&instance);
  }
}

static void try_variant(RunFunction f, int threads, size_t element_bytes, Fill fill) {
  const Variant variant = {"v", "", PLACE_CPU, f};
  for (int s = 0; s < SIZE_COUNT; s++) {
    Instance instance = instance_make(&matmul_problem, sizes[s], element_bytes, (Recipe){fill, 1});
    void *output = malloc(operand_bytes(&instance, MATMUL_C));
    assert_non_null(output);
    instance_gold(&instance);
    Result result =
        run_variant(&variant, &instance, &(RunOptions){.threads = threads, .repeats = 1}, output);
    assert_int_equal(result.error, cudaSuccess);
    assert_true(result.checked && result.comparison.right);
    assert_true(result.time >= 0);
    free(output);
    instance_free(&instance);
  }
}

static void cpu_and_threads_are_right(void **state) {
  (void)state;
  const size_t bytes[] = {sizeof(float), sizeof(double)};
  for (int b = 0; b < 2; b++)
    for (int fill = FILL_UNIFORM; fill <= FILL_LINEAR; fill++) {
      try_variant(matmul_cpu, 1, bytes[b], (Fill)fill);
      try_variant(matmul_threads, 1, bytes[b], (Fill)fill);
      try_variant(matmul_threads, 5, bytes[b], (Fill)fill);
    }
}

static cudaError_t writes_all_but_one(const Run *run) {
  cudaError_t error = matmul_cpu(run);
  matrix_poison((float *)run->operand[MATMUL_C] + 4, sizeof(float));
  return error;
}

static cudaError_t writes_nothing(const Run *run) {
  (void)run;
  return cudaSuccess;
}

/* A comparison that accepts everything would pass all tests above. This test checks that wrong
 * results are rejected. */
static void wrong_is_noticed(void **state) {
  (void)state;
  const Variant wrong[] = {{"gap", "", PLACE_CPU, writes_all_but_one},
                           {"nothing", "", PLACE_CPU, writes_nothing}};
  Instance instance = instance_make(&matmul_problem, (int[MAX_SIZES]){3, 4, 5}, sizeof(float),
                                    (Recipe){FILL_UNIFORM, 1});
  float output[15];
  instance_gold(&instance);
  const RunOptions once = {.threads = 1, .repeats = 1};
  Result gap = run_variant(&wrong[0], &instance, &once, output);
  assert_false(gap.comparison.right);
  assert_int_equal(gap.comparison.unwritten, 1);
  Result nothing = run_variant(&wrong[1], &instance, &once, output);
  assert_int_equal(nothing.comparison.unwritten, 15);
  instance_free(&instance);
}

/* A transposed operand must change the result, so that this mistake is detected. */
static void inputs_tell_transposed_operands_apart(void **state) {
  (void)state;
  for (int fill = FILL_UNIFORM; fill <= FILL_LINEAR; fill++) {
    Instance instance = instance_make(&matmul_problem, (int[MAX_SIZES]){8, 8, 8}, sizeof(double),
                                      (Recipe){(Fill)fill, 1});
    instance_gold(&instance);
    for (int operand = MATMUL_A; operand <= MATMUL_B; operand++) {
      double *original = instance.operand[operand], transposed[64], product[64];
      for (int i = 0; i < 64; i++)
        transposed[i] = original[i % 8 * 8 + i / 8];
      instance.operand[operand] = transposed;
      for (size_t i = 0; i < 64; i++)
        product[i] = by_definition(&instance, i / 8, i % 8);
      instance.operand[operand] = original;
      Comparison c = compare(product, sizeof(double), instance.gold, (Shape){8, 8}, 1e-3);
      assert_true(c.differing > 32);
    }
    instance_free(&instance);
  }
}

static void sizes_that_do_not_fit_are_named(void **state) {
  (void)state;
  assert_null(problem_misfit(&matmul_problem, (int[MAX_SIZES]){33, 5, 40}, sizeof(float)));
  const char *line =
      problem_misfit(&matmul_problem, (int[MAX_SIZES]){50000, 50000, 1}, sizeof(float));
  assert_non_null(line);
  assert_non_null(strstr(line, "A, 50000×50000"));
  line = problem_misfit(&matmul_problem, (int[MAX_SIZES]){1, 46000, 46000}, 1u << 20);
  assert_non_null(strstr(line, "GB of memory"));
}

static void add_index(size_t index, void *context) {
  _Atomic size_t *seen = context;
  seen[index]++;
}

static void every_index_is_taken_once(void **state) {
  (void)state;
  static _Atomic size_t seen[1000];
  threads_for(1000, 7, add_index, seen);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(seen[i], 1);
  threads_for(0, 7, add_index, NULL);
}

static void median_of_few(void **state) {
  (void)state;
  assert_true(timing_median((double[]){5, 1, 3}, 3) == 3);
  assert_true(timing_median((double[]){4, 1, 3, 100}, 4) == 3.5);
  assert_true(timing_median((double[]){2}, 1) == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gold_is_the_definition),
      cmocka_unit_test(cpu_and_threads_are_right),
      cmocka_unit_test(wrong_is_noticed),
      cmocka_unit_test(inputs_tell_transposed_operands_apart),
      cmocka_unit_test(sizes_that_do_not_fit_are_named),
      cmocka_unit_test(every_index_is_taken_once),
      cmocka_unit_test(median_of_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
