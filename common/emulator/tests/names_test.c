/* Tests how reports show the names of kernels and variables that nvcc and clang mangled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "observe/names.h"

static void expect(const char *mangled, const char *plain) {
  char name[64];
  name_plain(mangled, name, sizeof name);
  assert_string_equal(name, plain);
}

static void test_functions(void **state) {
  (void)state;
  expect("matmul", "matmul");
  expect("_Z3addPKfS0_Pfi", "add");
  expect("_Z4scanIfEvPT_i", "scan");
  expect("_Z10mandelbrot4ViewPh", "mandelbrot"); /* the first parameter is a struct */
  expect("_ZL4fillPii", "fill");                 /* static */
  expect("_ZN5inner4kernE4ViewPh", "kern");
  expect("_ZN12_GLOBAL__N_14hideEv", "hide");
  expect("_ZN12_GLOBAL__N_1L4hideEv", "hide");
}

static void test_variables(void **state) {
  (void)state;
  expect("_ZL7weights", "weights");
  expect("_ZZ5smem3E2As", "As");
  expect("_ZZ9block_sumdE7of_warp", "of_warp");
  expect("_ZZ10mandelbrot4ViewPhE4tile", "tile");
  expect("_ZZN2ns1kE4ViewE4tile", "tile");
}

static void test_what_is_no_name(void **state) {
  (void)state;
  expect("_Z", "_Z");
  expect("_Z99short", "_Z99short");
  expect("", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_what_is_no_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
