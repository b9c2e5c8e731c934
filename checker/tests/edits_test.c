/* Changes towards a right file: what differs between it and a wrong one, in the wrong one's own names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explain/edits.h"

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

/* RIGHT with one text in place of another. */
static const char *wrong_with(const char *was, const char *is) {
  static char text[4000];
  const char *at = strstr(RIGHT, was);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - RIGHT), RIGHT, is, at + strlen(was));
  return text;
}

/* The text after this change. */
static const char *after(const char *text, const Edit *edit) {
  static char changed[8000];
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)edit->from, text, edit->text, text + edit->to);
  return changed;
}

/* Is one of the changes towards the right file this one, with so many parts (0: it is one)? */
static void expect_change(const char *text, int line, const char *gives, size_t parts) {
  const Edit *all;
  edits_towards(RIGHT);
  size_t count = edits_of(text, text, &all), found = 0;
  for (size_t i = 0; i < count; i++) {
    size_t of = 0;
    while (all[i].parts && all[i].parts[of])
      of++;
    found += all[i].towards && all[i].line == line && of == parts &&
             strstr(after(text, &all[i]), gives) != NULL;
  }
  edits_towards(NULL);
  assert_int_not_equal(found, 0);
}

static size_t count_towards(const char *text) {
  const Edit *all;
  size_t count = edits_of(text, text, &all), towards = 0;
  for (size_t i = 0; i < count; i++)
    towards += all[i].towards;
  return towards;
}

static void test_one_word(void **state) {
  (void)state;
  const char *text = wrong_with("i < n", "i <= n");
  expect_change(text, 6, "for (int i = 0; i < n; i++)", 0);
  assert_int_equal(count_towards(text), 0); /* nobody has a right file any more */
}

static void test_the_same(void **state) {
  (void)state;
  edits_towards(RIGHT);
  assert_int_equal(count_towards(RIGHT), 0);
  assert_int_equal(count_towards(wrong_with("// whose", "/* mine */")), 0);
  edits_towards(NULL);
}

/* What is missing, and what is too much. */
static void test_left_out(void **state) {
  (void)state;
  expect_change(wrong_with("  if (row < n)\n", ""), 7, "if (row < n)\n", 0);
  expect_change(wrong_with("total = 0;", "total = 0;\n  __syncthreads();"), 5,
                "real total = 0;\n  for", 0);
}

static void test_two_places(void **state) {
  (void)state;
  expect_change(wrong_with("x[row * n + i]", "x[row + i * n]"), 7, "x[row * n + i];", 2);
  expect_change(wrong_with("= 0;\n  for (int i = 0; i <", "= 1;\n  for (int i = 1; i <"), 5,
                "total = 0;\n  for (int i = 0; i < n", 2);
}

/* A name that the other file does not have stands for the one in its place. */
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
  expect_change(text, 7, "s += x[mine * n + k];", 0);
}

/* What a student is to find out before it is measured. */
static void test_prediction(void **state) {
  (void)state;
  edits_towards("// DONE(1)\n#define PREDICT_LOADS 4\n// END(1)\nint x = 1;\n");
  assert_int_equal(count_towards("// TODO(1)\n#define PREDICT_LOADS 8\n// END(1)\nint x = 1;\n"),
                   0);
  assert_int_not_equal(
      count_towards("// TODO(1)\n#define PREDICT_LOADS 4\n// END(1)\nint x = 2;\n"), 0);
  edits_towards(NULL);
}

static void test_another_way(void **state) {
  (void)state;
  edits_towards("");
  assert_int_equal(count_towards("int x;\n"), 0);
  edits_towards(RIGHT);
  count_towards("// TODO(1)\n\"");
  count_towards("");
  edits_towards(NULL);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_word),   cmocka_unit_test(test_the_same),
      cmocka_unit_test(test_left_out),   cmocka_unit_test(test_two_places),
      cmocka_unit_test(test_own_names),  cmocka_unit_test(test_another_way),
      cmocka_unit_test(test_prediction),
  };
  return cmocka_run_group_tests_name("checker/edits", tests, NULL, NULL);
}
