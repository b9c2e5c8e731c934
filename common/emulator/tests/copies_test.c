/* Tests how the log describes copies. However the bytes of an array are copied, the log must
 * contain one range with one hash. Each copy runs in a child process, because the log is written
 * when a process ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <cuda_runtime_api.h>

#include "emulator.h"
#include "emulator/tests/scratch.h"

enum { ROWS = 13, COLUMNS = 33, COUNT = ROWS * COLUMNS, ROW = COLUMNS * sizeof(float) };
static const size_t BYTES = COUNT * sizeof(float);
static float data[COUNT], back[COUNT], wide[ROWS][COLUMNS + 7];
static char log_path[SCRATCH_MOST];

static void must(cudaError_t error) {
  if (error)
    abort();
}

static int fill(void **state) {
  (void)state;
  for (int i = 0; i < COUNT; i++)
    data[i] = 1.0f / (float)(i + 3);
  int file = scratch_file(log_path, "copies");
  return file < 0 || close(file);
}

static int end(void **state) {
  (void)state;
  return unlink(log_path);
}

/* ---- ways to copy ---------------------------------------------------------------------------- */

static float *on_device(void) {
  float *d;
  must(cudaMalloc((void **)&d, BYTES));
  must(cudaMemcpy(d, data, BYTES, cudaMemcpyHostToDevice));
  return d;
}

static void at_once(void) { must(cudaMemcpy(back, on_device(), BYTES, cudaMemcpyDeviceToHost)); }

static void by_default(void) { must(cudaMemcpy(back, on_device(), BYTES, cudaMemcpyDefault)); }

static void queued(void) {
  must(cudaMemcpyAsync(back, on_device(), BYTES, cudaMemcpyDeviceToHost, 0));
}

static void row_by_row(void) {
  float *d = on_device();
  for (int row = 0; row < ROWS; row++)
    must(cudaMemcpy(back + row * COLUMNS, d + row * COLUMNS, ROW, cudaMemcpyDeviceToHost));
}

static void last_row_first(void) {
  float *d = on_device();
  for (int row = ROWS; row-- > 0;)
    must(cudaMemcpy(back + row * COLUMNS, d + row * COLUMNS, ROW, cudaMemcpyDeviceToHost));
}

/* Copies every other row, then the rows between them. */
static void every_other_row_first(void) {
  float *d = on_device();
  for (int half = 0; half < 2; half++)
    for (int row = half; row < ROWS; row += 2)
      must(cudaMemcpy(back + row * COLUMNS, d + row * COLUMNS, ROW, cudaMemcpyDeviceToHost));
}

static void through_a_small_buffer(void) {
  float *d = on_device(), row_of[COLUMNS];
  for (int row = 0; row < ROWS; row++)
    must(cudaMemcpy(row_of, d + row * COLUMNS, ROW, cudaMemcpyDeviceToHost));
}

static void from_a_small_buffer(void) {
  float *d = on_device(), *one;
  must(cudaMalloc((void **)&one, ROW));
  for (int row = 0; row < ROWS; row++) {
    must(cudaMemcpy(one, d + row * COLUMNS, ROW, cudaMemcpyDeviceToDevice));
    must(cudaMemcpy(back + row * COLUMNS, one, ROW, cudaMemcpyDeviceToHost));
  }
}

static void pitched(void) {
  void *d;
  size_t pitch;
  must(cudaMallocPitch(&d, &pitch, ROW, ROWS));
  must(cudaMemcpy2D(d, pitch, data, ROW, ROW, ROWS, cudaMemcpyHostToDevice));
  must(cudaMemcpy2D(back, ROW, d, pitch, ROW, ROWS, cudaMemcpyDeviceToHost));
}

static void to_wider_rows(void) {
  must(cudaMemcpy2DAsync(wide, sizeof wide[0], on_device(), ROW, ROW, ROWS, cudaMemcpyDeviceToHost,
                         0));
}

/* Copies tiles that are side by side. A row of a tile is a part of a row of the matrix. */
static void in_tiles(void) {
  static const int edges[] = {0, 8, 20, COLUMNS};
  float *d = on_device();
  for (int tile = 2; tile >= 0; tile--)
    must(cudaMemcpy2D(back + edges[tile], ROW, d + edges[tile], ROW,
                      (size_t)(edges[tile + 1] - edges[tile]) * sizeof *d, ROWS,
                      cudaMemcpyDeviceToHost));
}

static void to_pinned(void) {
  void *pinned;
  must(cudaMallocHost(&pinned, BYTES));
  must(cudaMemcpy(pinned, on_device(), BYTES, cudaMemcpyDeviceToHost));
}

/* ---- what the log contains ------------------------------------------------------------------- */

static json_t *copies_of(void (*way)(void)) {
  json_t *copies = NULL, *event;
  assert_int_equal(truncate(log_path, 0), 0);
  pid_t child = fork();
  if (child == 0) {
    setenv("LOCKSTEP_LOG", log_path, 1);
    setenv("LOCKSTEP_QUIET", "1", 1);
    way();
    exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  FILE *log = fopen(log_path, "r");
  while ((event = json_loadf(log, JSON_DISABLE_EOF_CHECK, NULL))) {
    if (strcmp(json_string_value(json_object_get(event, "event")), "copies") == 0)
      copies = json_incref(event);
    json_decref(event);
  }
  fclose(log);
  assert_non_null(copies);
  return copies;
}

static bool is_data(const json_t *stretch) {
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)emulator_hash(data, BYTES));
  return json_integer_value(json_object_get(stretch, "bytes")) == (json_int_t)BYTES &&
         strcmp(json_string_value(json_object_get(stretch, "hash")), hash) == 0;
}

static void test_ways(void **state) {
  static void (*const ways[])(void) = {at_once,
                                       by_default,
                                       queued,
                                       row_by_row,
                                       last_row_first,
                                       every_other_row_first,
                                       through_a_small_buffer,
                                       from_a_small_buffer,
                                       pitched,
                                       to_wider_rows,
                                       to_pinned};
  (void)state;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    json_t *copies = copies_of(ways[i]);
    json_t *there = json_object_get(copies, "to_device"),
           *here = json_object_get(copies, "to_host");
    if (json_array_size(there) != 1 || json_array_size(here) != 1 ||
        !is_data(json_array_get(there, 0)) || !is_data(json_array_get(here, 0)))
      fail_msg("way %zu: %s", i, json_dumps(copies, 0));
    assert_int_equal(json_integer_value(json_object_get(copies, "shared")),
                     ways[i] == to_pinned ? BYTES : 0);
    json_decref(copies);
  }
}

static size_t times_there(const json_t *stretches) {
  size_t times = 0, i;
  json_t *each;
  json_array_foreach(stretches, i, each) { times += is_data(each); }
  return times;
}

/* Besides the range of the whole matrix, the log contains a range for each of the three tiles. */
static void test_tiles(void **state) {
  (void)state;
  json_t *copies = copies_of(in_tiles), *here = json_object_get(copies, "to_host");
  assert_int_equal(times_there(here), 1);
  assert_int_equal(json_array_size(here), 4);
  json_decref(copies);
}

/* Copies a long range, a hundred short ranges, and another long range. */
static void many(void) {
  float *d = on_device();
  must(cudaMemcpy(back, d, BYTES, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; i++)
    must(cudaMemcpy(back, d + 2 * i, sizeof *d, cudaMemcpyDeviceToHost));
  must(cudaMemcpy(wide, d, BYTES - ROW, cudaMemcpyDeviceToHost));
}

static void test_long_ones_are_kept(void **state) {
  (void)state;
  json_t *copies = copies_of(many), *here = json_object_get(copies, "to_host");
  assert_int_equal(times_there(here), 1);
  assert_int_equal(json_array_size(here), 64);
  json_decref(copies);
}

static void shared_by_both(void) {
  void *memory;
  must(cudaMallocManaged(&memory, 100, cudaMemAttachGlobal));
  must(cudaMallocManaged(&memory, 40, cudaMemAttachGlobal));
}

static void registered(void) { must(cudaHostRegister(back, 36, 0)); }

static void test_shared(void **state) {
  (void)state;
  json_t *copies = copies_of(shared_by_both);
  assert_int_equal(json_integer_value(json_object_get(copies, "shared")), 100);
  json_decref(copies);
  copies = copies_of(registered);
  assert_int_equal(json_integer_value(json_object_get(copies, "shared")), 36);
  json_decref(copies);
}

/* The hash depends on the value and on the position of every byte. */
static void test_hash(void **state) {
  uint8_t bytes[75];
  (void)state;
  for (size_t length = 1; length <= sizeof bytes; length++) {
    memset(bytes, 1, sizeof bytes);
    uint64_t ones = emulator_hash(bytes, length), earlier = ones;
    for (size_t at = 0; at < length; at++) {
      bytes[at] = 2;
      uint64_t hash = emulator_hash(bytes, length);
      assert_true(hash != ones && hash != earlier);
      earlier = hash;
      bytes[at] = 1;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ways),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_long_ones_are_kept),
      cmocka_unit_test(test_shared),
      cmocka_unit_test(test_hash),
  };
  return cmocka_run_group_tests(tests, fill, end);
}
