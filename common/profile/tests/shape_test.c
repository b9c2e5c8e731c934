/* Tests how row lengths of shared arrays are computed from their declarations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../profile.h"
#include "emulator/tests/scratch.h"

static const char *const text =
    "#define TILE 32\n"
    "#define PADDED (TILE + 1) // a comment\n"
    "const int DEPTH = TILE / 4, SIDE = 2 * TILE;\n"
    "#define LOOP LOOP\n"
    "__shared__ float As[TILE][TILE], Bs[TILE][PADDED];\n"
    "template <int WIDTH> __global__ void k() {\n"
    "  __shared__ float As[TILE][TILE + 1];\n"
    "  __shared__ real guessed[TILE][WIDTH];\n"
    "  __shared__ real deep[2][DEPTH][SIDE + 4];\n"
    "  __shared__ float row[TILE];\n"
    "  __shared__ float two[N][WIDTH], loop[LOOP][8], odd[TILE - 40][2];\n"
    "  Bs[1][2] = 0;\n"
    "  __shared__ int same[4][8];\n"
    "  __shared__ int same[8][4];\n"
    "}\n";

static Source source;

static int write_source(void **state) {
  static char path[SCRATCH_MOST];
  (void)state;
  int file = scratch_file(path, "shape");
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
    return -1;
  close(file);
  source = source_read(path);
  return remove(path);
}

static int drop_source(void **state) {
  (void)state;
  source_free(&source);
  return 0;
}

static void expect_columns(const char *array, uint64_t elements, unsigned line, uint64_t columns) {
  uint64_t got = source_columns(&source, array, elements, line);
  if (got != columns)
    fail_msg("%s of %d: rows of %d, expected %d", array, (int)elements, (int)got, (int)columns);
}

static void declared(void **state) {
  (void)state;
  expect_columns("As", 32 * 32, 20, 32);
  expect_columns("As", 32 * 33, 20, 33); /* another array of that name */
  expect_columns("Bs", 32 * 33, 20, 33);
  expect_columns("deep", 2 * 8 * 68, 20, 68);
}

static void found_out(void **state) {
  (void)state;
  expect_columns("guessed", 32 * 40, 20, 40);
  expect_columns("loop", 64, 20, 8);
  expect_columns("same", 32, 13, 8); /* the last declaration above the line */
  expect_columns("same", 32, 20, 4);
}

static void not_known(void **state) {
  (void)state;
  expect_columns("As", 1000, 20, 0);
  expect_columns("As", 2 * 32 * 32, 20, 0);
  expect_columns("guessed", 100, 20, 0); /* not a multiple of 32 */
  expect_columns("row", 32, 20, 0);
  expect_columns("two", 32, 20, 0);
  expect_columns("s", 32 * 32, 20, 0);
  expect_columns("", 32, 20, 0);
  expect_columns("nowhere", 32, 20, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declared),
      cmocka_unit_test(found_out),
      cmocka_unit_test(not_known),
  };
  return cmocka_run_group_tests(tests, write_source, drop_source);
}
