/* Tests the changes that the checker makes to a student's source: the changes of the operators, and
 * the differences from a solution. Also tests that other gaps are left unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "change/change.h"

#define RIGHT                                                                                      \
  "#define TILE 32\n"                                                                              \
  "__global__ void sum(const real *x, real *y, int n) {\n"                                         \
  "  // DONE(1): one thread, one sum\n"                                                            \
  "  int row = blockIdx.x * blockDim.x + threadIdx.x; // whose\n"                                  \
  "  real total = 0;\n"                                                                            \
  "  for (int i = 0; i < n; i++)\n"                                                                \
  "    total += x[row * n + i];\n"                                                                 \
  "  if (row < n)\n"                                                                               \
  "    y[row] = total;\n"                                                                          \
  "  // END(1)\n"                                                                                  \
  "}\n"

/* Returns RIGHT with `was` replaced by `is`. The caller frees it. */
static char *with(const char *was, const char *is) {
  size_t from = (size_t)(strstr(RIGHT, was) - RIGHT);
  char text[400];
  snprintf(text, sizeof text, "%s", is);
  Candidate change = {.splices = {{from, from + strlen(was), text}}, .count = 1};
  return candidate_apply(RIGHT, &change);
}

/* Returns the number of candidates whose changed source contains `gives`. */
static size_t count_giving(const char *text, const Candidates *all, const char *gives) {
  size_t found = 0;
  for (size_t i = 0; i < all->count; i++) {
    char *changed = candidate_apply(text, &all->all[i]);
    found += strstr(changed, gives) != NULL;
    free(changed);
  }
  return found;
}

/* ---- operators ---- */

static size_t made_by_operators(const char *text, OperatorUse use, const char *gives) {
  Candidates all = {.count = 0};
  Tokens tokens = tokens_of(text);
  operators_apply(&tokens, use, 1, &all);
  size_t found = count_giving(text, &all, gives);
  candidates_free(&all);
  tokens_gone(&tokens);
  return found;
}

static void test_operators(void **state) {
  (void)state;
  static const char *const repairs[] = {"i <= n;",
                                        "blockIdx.y",
                                        "real total = (0 + 1);",
                                        "x[row * n + row]",
                                        "total += x[row * n];",
                                        "if (true)\n",
                                        "real total = 0;\n  __syncthreads();\n  for"};
  for (size_t i = 0; i < sizeof repairs / sizeof *repairs; i++)
    if (made_by_operators(RIGHT, REPAIR, repairs[i]) == 0)
      fail_msg("no operator gives %s", repairs[i]);
  assert_int_not_equal(made_by_operators(RIGHT, SPOIL, "int total = 0;"), 0);
  assert_int_equal(made_by_operators(RIGHT, REPAIR, "int total = 0;"), 0);
  assert_int_equal(made_by_operators(RIGHT, BOTH, "#define TILE (32"), 0); /* outside all gaps */
}

/* ---- differences ---- */

/* Returns the number of changes towards RIGHT whose result contains `gives`, or the number of all
 * changes if `gives` is NULL. */
static size_t made_by_differences(const char *text, int task, const char *gives) {
  Candidates all = {.count = 0};
  Tokens own = tokens_of(text), right = tokens_of(RIGHT);
  bool tasks[TASKS_MAX + 1] = {false};
  tasks[task] = true;
  differences_find(&own, &right, tasks, &all);
  size_t found = gives ? count_giving(text, &all, gives) : all.count;
  candidates_free(&all);
  tokens_gone(&own);
  tokens_gone(&right);
  return found;
}

static void expect_repaired(const char *was, const char *is, const char *gives) {
  char *text = with(was, is);
  if (made_by_differences(text, 1, gives) == 0)
    fail_msg("no change of %s gives %s", is, gives);
  assert_int_equal(made_by_differences(text, 2, NULL), 0);
  free(text);
}

static void test_differences(void **state) {
  (void)state;
  assert_int_equal(made_by_differences(RIGHT, 1, NULL), 0);
  expect_repaired("i < n", "i <= n", "for (int i = 0; i < n; i++)\n");
  expect_repaired("  if (row < n)\n", "", "  if (row < n)\n    y[row] = total;\n");
  expect_repaired("total = 0;", "total = 0;\n  __syncthreads();", "real total = 0;\n  for");
  expect_repaired("x[row * n + i]", "x[row + i * n]", "x[row * n + i];");
  expect_repaired("int row = blockIdx.x * blockDim.x + threadIdx.x; // whose",
                  "int row = threadIdx.x; // mine",
                  "int row = blockIdx.x * blockDim.x + threadIdx.x;\n");
  expect_repaired("= 0;\n  for (int i = 0; i <", "= 1;\n  for (int i = 1; i <",
                  "total = 0;\n  for (int i = 0; i < n");
}

static void test_comments(void **state) {
  (void)state;
  char *text = with("// whose", "/* mine */");
  assert_int_equal(made_by_differences(text, 1, NULL), 0);
  free(text);
}

/* Code that is taken from the solution uses the student's variable names. */
static void test_own_names(void **state) {
  (void)state;
  static const char text[] = "#define TILE 32\n"
                             "__global__ void sum(const real *x, real *y, int n) {\n"
                             "  // TODO(1)\n"
                             "  int mine = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  real s = 0;\n"
                             "  for (int k = 0; k < n; k++)\n"
                             "    s += x[k];\n"
                             "  if (mine < n)\n"
                             "    y[mine] = s;\n"
                             "  // END(1)\n"
                             "}\n";
  assert_int_not_equal(made_by_differences(text, 1, "s += x[mine * n + k];"), 0);
}

static void test_odd_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"", "// TODO(1)\n\"", "// TODO(1)\nint f(", "}}}(",
                                      "#define"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    made_by_differences(texts[i], 1, NULL);
    made_by_operators(texts[i], BOTH, "");
  }
}

/* ---- gaps ---- */

static char *read_lab(const char *labs, const Sheet *lab) {
  char path[300], name[80];
  lab_source_name(lab->name, name);
  snprintf(path, sizeof path, "%s/%s/%s", labs, lab->name, name);
  char *text = text_of_file(path);
  assert_non_null(text);
  return text;
}

/* Checks that the changes for one task leave the gaps of all other tasks unchanged. */
static void expect_others_kept(const Sheet *lab, const char *skeleton, const char *solution,
                               int task) {
  Tokens own = tokens_of(skeleton), right = tokens_of(solution);
  Candidates all = {.count = 0};
  bool tasks[TASKS_MAX + 1] = {false};
  tasks[task] = true;
  differences_find(&own, &right, tasks, &all);
  for (size_t i = 0; i < all.count; i++) {
    char *changed = candidate_apply(skeleton, &all.all[i]);
    for (int other = 0; other <= (int)lab->task_count; other++)
      if (other != task)
        assert_int_equal(gap_fingerprint(changed, other), gap_fingerprint(skeleton, other));
    free(changed);
  }
  candidates_free(&all);
  tokens_gone(&own);
  tokens_gone(&right);
}

static void test_nothing_given_away(void **state) {
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    char *skeleton = read_lab("labs", lab), *solution = read_lab("solutions", lab);
    for (int task = 0; task <= (int)lab->task_count; task++)
      expect_others_kept(lab, skeleton, solution, task);
    free(skeleton);
    free(solution);
  }
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operators), cmocka_unit_test(test_differences),
      cmocka_unit_test(test_comments),  cmocka_unit_test(test_own_names),
      cmocka_unit_test(test_odd_texts), cmocka_unit_test(test_nothing_given_away),
  };
  return cmocka_run_group_tests_name("checker/change", tests, NULL, NULL);
}
