/* Tests the cards. Every row of devices.def is complete and possible, the environment chooses the
 * card, and the number of resident blocks follows the published rules. */
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

#include "../observe/banks.h"
#include "../state/occupancy.h"

/* ---- the table ------------------------------------------------------------------------------- */
static const char *const columns[] = {
#define COLUMN(type, declaration, meaning) #declaration,
#include "../devices.def"
};
static const struct {
  const char *name, *text;
} rows[] = {
#define DEVICE(id, ...) {#id, #__VA_ARGS__},
#include "../devices.def"
};
enum { COLUMNS = sizeof columns / sizeof *columns, ROWS = sizeof rows / sizeof *rows };

static int times_set(const char *row, const char *column) {
  char field[60];
  int times = 0;
  snprintf(field, sizeof field, ".%.*s = ", (int)strcspn(column, "["), column);
  for (const char *at = row; (at = strstr(at, field)); at++)
    times++;
  return times;
}

static void every_card_has_every_column(void **state) {
  (void)state;
  assert_true(ROWS >= 7);
  for (size_t row = 0; row < ROWS; row++)
    for (size_t i = 0; i < COLUMNS; i++)
      if (times_set(rows[row].text, columns[i]) != 1)
        fail_msg("%s: %s is not there exactly once", rows[row].name, columns[i]);
}

/* In devices.def, each value from the column issue_clocks on has a letter that names its source.
 * The head of the file explains the letters. */
static void every_value_of_time_has_its_source(void **state) {
  (void)state;
  static char text[65536];
  FILE *f = fopen("common/emulator/devices.def", "r");
  assert_non_null(f);
  size_t length = fread(text, 1, sizeof text - 1, f), values = 0, last = 0;
  fclose(f);
  assert_in_range(length, 1, sizeof text - 2);
  while (strcmp(columns[last], "issue_clocks") != 0)
    assert_true(++last < COLUMNS);
  for (size_t i = last; i < COLUMNS; i++) {
    char field[60], letter, legend[] = " *   [?] ";
    snprintf(field, sizeof field, " .%s = ", columns[i]);
    for (const char *at = text; (at = strstr(at, field)); values++) {
      at += strlen(field);
      if (sscanf(at, "%*[0-9.] /* [%c] */", &letter) != 1)
        fail_msg("%s%.12s has no source", field, at);
      legend[6] = letter;
      if (!strstr(text, legend))
        fail_msg("%s%.12s: [%c] is not explained", field, at, letter);
    }
  }
  assert_int_equal(values, ROWS * (COLUMNS - last));
}

static void every_card_is_possible(void **state) {
  (void)state;
  for (const Device *d = device_at(0); d < device_at(0) + ROWS; d++) {

    assert_true(*d->title && d->sms && d->clock_khz && d->copy_engines);
    assert_true(d->threads_per_sm % WARP_LANES == 0);
    assert_true(d->threads_per_block <= d->threads_per_sm);
    for (int i = 0; i < 3; i++)
      assert_true(d->block_dim[i] && d->block_dim[i] <= d->threads_per_block && d->grid_dim[i]);
    assert_true(d->blocks_per_sm && d->registers_per_thread <= 255);
    assert_true(d->registers_per_block <= d->registers_per_sm);
    assert_true(d->registers_unit % WARP_LANES == 0 && d->shared_unit % 128 == 0);
    assert_true(d->shared_per_block <= d->shared_per_block_optin);
    assert_true(d->shared_per_block_optin + d->shared_reserved <= d->shared_per_sm);
    assert_true(d->shared_per_sm < d->l1_bytes && d->l1_bytes * d->sms > 0 && d->l2_bytes);
    assert_int_equal(d->constant_bytes, 65536);
    assert_true(d->bank_bytes == (d->capability[0] == 3 ? 8 : 4));
    assert_true(d->schedulers && d->fp32_lanes && d->fp64_lanes && d->int_lanes && d->sfu_lanes);
    assert_true(d->fp32_lanes % d->fp64_lanes == 0 && d->lsu_lanes);
    assert_int_equal(d->tensor_lanes > 0, d->capability[0] >= 7);
    assert_int_equal(d->shared_reserved > 0, d->capability[0] >= 8);
    assert_int_equal(d->concurrent_managed, d->capability[0] >= 6);
    assert_int_equal(d->managed_memory, d->capability[0] >= 3);
    assert_ptr_equal(device_named(d->name), d);
  }
  assert_null(device_at(ROWS));
  assert_null(device_named("k80"));
}

/* Fails if `value` differs from the data sheet's `published` value by more than 1 %. */
static void equals_sheet(const char *card, const char *unit, double value, double published) {
  if (value / published - 1 > 0.01 || value / published - 1 < -0.01)
    fail_msg("%s: %g %s, data sheet %g", card, value, unit, published);
}

/* Compares peak rates with the data sheets: CUDA cores; GB/s; TFLOP/s in single precision; dense
 * TFLOP/s of tensor cores in half precision. The last number is 0 if the sheet does not contain it,
 * or contains it only for another clock rate. */
static void peaks_are_those_of_the_data_sheets(void **state) {
  static const struct {
    const char *name;
    uint32_t cores;
    double memory, flops, tensor;
  } sheets[] = {{"h200", 16896, 4814, 66.9, 0},         {"h100", 16896, 3352, 66.9, 0},
                {"k40c", 2880, 288, 4.29, 0},           {"gtx460m", 192, 60, 0.518, 0},
                {"rtx3060", 3584, 360, 12.7, 51},       {"rtx3060-laptop", 3840, 336, 13.1, 0},
                {"rtx4060-laptop", 3072, 256, 14.6, 0}, {"t4", 2560, 320, 8.1, 65},
                {"a100", 6912, 1555, 19.5, 312},        {"rtx3080", 8704, 760, 29.8, 119},
                {"rtx3090", 10496, 936, 35.6, 142},     {"rtx2080ti", 4352, 616, 13.4, 107.6},
                {"a4000", 6144, 448, 19.2, 76.7},       {"a6000", 10752, 768, 38.7, 154.8},
                {"rtx4090", 16384, 1008, 82.6, 330.3},  {"rtx4070-laptop", 4608, 256, 20.0, 0}};
  (void)state;
  assert_int_equal(sizeof sheets / sizeof *sheets, ROWS);
  for (size_t i = 0; i < ROWS; i++) {
    const Device *d = device_named(sheets[i].name);
    assert_non_null(d);
    const double tflops = 2e-9 * d->sms * d->clock_khz;
    assert_int_equal(d->sms * d->fp32_lanes, sheets[i].cores);
    equals_sheet(d->name, "GB/s", device_peak_memory_rate(d) / 1e9, sheets[i].memory);
    equals_sheet(d->name, "TFLOP/s", tflops * d->fp32_lanes, sheets[i].flops);
    if (sheets[i].tensor > 0)
      equals_sheet(d->name, "tensor TFLOP/s", tflops * d->tensor_lanes, sheets[i].tensor);
  }
}

/* Latencies must increase from l1 to memory, and cards of one compute capability must agree. */
static void cards_of_one_capability_agree(void **state) {
  (void)state;
  for (const Device *a = device_at(0); a < device_at(0) + ROWS; a++) {
    assert_true(a->l1_latency < a->l2_latency && a->l2_latency < a->memory_latency);
    assert_true(a->memory_share > 0.5 && a->memory_share < 1);
    assert_true((double)a->l2_bytes_clock * a->clock_khz * 1e3 > device_peak_memory_rate(a));
    for (const Device *b = device_at(0); b < a; b++) {
      if (a->capability[0] != b->capability[0] || a->capability[1] != b->capability[1])
        continue;
      assert_int_equal(a->fp32_lanes, b->fp32_lanes);
      assert_int_equal(a->fp64_lanes, b->fp64_lanes);
      assert_int_equal(a->int_lanes, b->int_lanes);
      assert_int_equal(a->tensor_lanes, b->tensor_lanes);
      assert_int_equal(a->threads_per_sm, b->threads_per_sm);
      assert_int_equal(a->blocks_per_sm, b->blocks_per_sm);
      assert_int_equal(a->shared_per_sm, b->shared_per_sm);
      assert_int_equal(a->l1_bytes, b->l1_bytes);
      assert_int_equal(a->fp32_latency, b->fp32_latency);
      assert_int_equal(a->shared_latency, b->shared_latency);
    }
  }
}

/* ---- occupancy ------------------------------------------------------------------------------- */
typedef struct Case {
  const char *card;
  uint32_t threads, registers, shared, blocks;
  OccupancyLimit limit;
} Case;

static const Case cases[] = {
    /* Results of cudaOccupancyMaxActiveBlocksPerMultiprocessor on an H200 (driver 580). Each of the
     * four partitions of an SM has 16384 registers. */
    {"h200", 32, 16, 0, 32, OCCUPANCY_BLOCKS},
    {"h200", 96, 16, 0, 21, OCCUPANCY_THREADS}, /* 64 warps, 3 per block */
    {"h200", 160, 16, 7000, 12, OCCUPANCY_THREADS},
    {"h200", 32, 16, 7000, 28, OCCUPANCY_SHARED}, /* 233472 / (7040 + 1024) */
    {"h200", 32, 16, 115712, 2, OCCUPANCY_SHARED},
    {"h200", 32, 16, 115713, 1, OCCUPANCY_SHARED},
    {"h200", 64, 48, 0, 20, OCCUPANCY_REGISTERS}, /* 1536 per warp: 10 warps per partition */
    {"h200", 32, 68, 0, 28, OCCUPANCY_REGISTERS}, /* 2304 per warp: 7 warps per partition */
    {"h200", 64, 68, 0, 14, OCCUPANCY_REGISTERS},
    {"h200", 64, 88, 0, 10, OCCUPANCY_REGISTERS},
    {"h200", 32, 207, 0, 8, OCCUPANCY_REGISTERS},
    {"h200", 1024, 65, 0, 0, OCCUPANCY_REGISTERS}, /* 2304 registers per warp: 32 need > 65536 */
    /* Computed by hand. */
    {"a100", 256, 32, 0, 8, OCCUPANCY_THREADS},
    {"a100", 256, 40, 20000, 6, OCCUPANCY_REGISTERS}, /* 1280 registers per warp: 48 / 8 warps */
    {"a100", 128, 32, 40960, 4, OCCUPANCY_SHARED},    /* 167936 / (40960 + 1024) = 4.0 */
    {"a100", 128, 32, 40961, 3, OCCUPANCY_SHARED},    /* 167936 / (41088 + 1024) < 4 */
    {"rtx3060", 32, 32, 0, 16, OCCUPANCY_BLOCKS},
    {"rtx3060", 1024, 32, 0, 1, OCCUPANCY_THREADS},      /* 48 warps, 32 per block */
    {"rtx3060", 256, 32, 33000, 3, OCCUPANCY_SHARED},    /* 102400 / (33024 + 1024) */
    {"rtx4060-laptop", 64, 32, 0, 24, OCCUPANCY_BLOCKS}, /* 48 warps, 2 per block, also allow 24 */
    {"t4", 1024, 32, 0, 1, OCCUPANCY_THREADS},
    {"t4", 64, 32, 8000, 8, OCCUPANCY_SHARED},  /* 65536 / 8192; no bytes are reserved */
    {"t4", 128, 72, 0, 7, OCCUPANCY_REGISTERS}, /* 2304 registers per warp: 28 / 4 warps */
    {"k40c", 32, 16, 0, 16, OCCUPANCY_BLOCKS},
    {"k40c", 1024, 32, 8192, 2, OCCUPANCY_THREADS},  /* the lecture's tiles of 32×32 floats */
    {"k40c", 1024, 32, 16384, 2, OCCUPANCY_THREADS}, /* tiles of 32×32 doubles */
    {"k40c", 256, 32, 16385, 2, OCCUPANCY_SHARED},   /* 49152 / 16640 */
    {"gtx460m", 32, 16, 0, 8, OCCUPANCY_BLOCKS},
    {"gtx460m", 1024, 20, 8192, 1, OCCUPANCY_THREADS},
    {"gtx460m", 256, 20, 0, 6, OCCUPANCY_THREADS},
    {"gtx460m", 192, 21, 0, 7, OCCUPANCY_REGISTERS},  /* 768 registers per warp: 42 / 6 warps */
    {"gtx460m", 192, 26, 0, 6, OCCUPANCY_REGISTERS},  /* 832 registers per warp: 38 / 6 warps */
    {"gtx460m", 128, 16, 10000, 4, OCCUPANCY_SHARED}, /* 49152 / 10112 */
    {"gtx460m", 2048, 16, 0, 0, OCCUPANCY_THREADS},
};

static void as_many_blocks_as_the_rules_say(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Case *c = &cases[i];
    Occupancy o = occupancy_of(device_named(c->card), c->threads, c->registers, c->shared);
    if (o.blocks != c->blocks || o.limit != c->limit)
      fail_msg("%s, %u threads, %u registers, %u bytes: %u blocks by %d, not %u by %d", c->card,
               c->threads, c->registers, c->shared, o.blocks, (int)o.limit, c->blocks,
               (int)c->limit);
    assert_int_equal(o.warps, o.blocks * ((c->threads + 31) / 32));
  }
}

static void limits_turn_round(void **state) {
  (void)state;
  for (const Device *d = device_at(0); d < device_at(0) + ROWS; d++) {
    for (uint32_t threads = 32; threads <= d->threads_per_block; threads += 32) {
      uint32_t most = occupancy_registers_for(d, threads);
      assert_true(occupancy_of(d, threads, most, 0).blocks >= 1);
      assert_true(most == d->registers_per_thread ||
                  occupancy_of(d, threads, most + 1, 0).blocks == 0);
    }
    for (uint32_t blocks = 1; blocks <= d->blocks_per_sm; blocks++) {
      uint32_t shared = occupancy_shared_for(d, blocks);
      assert_true(occupancy_of(d, 32, 16, shared).blocks >= blocks);
      assert_true(shared == d->shared_per_block_optin ||
                  occupancy_of(d, 32, 16, shared + 1).blocks < blocks);
    }
  }
}

/* ---- banks ----------------------------------------------------------------------------------- */
static unsigned wavefronts(unsigned start, unsigned stride, unsigned bytes, BankMode mode) {
  uint32_t address[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    address[lane] = start + lane * stride;
  return banks_use(address, UINT32_MAX, bytes, mode, true).wavefronts;
}

/* The CUDA C Programming Guide says for compute capability 3.x: words i and i + 32 of an aligned
 * group of 64 words are in one bank and are served together. */
static void banks_of_eight_bytes_by_four(void **state) {
  (void)state;
  assert_int_equal(wavefronts(0, 4, 4, BANKS_4_OF_8), 1);
  assert_int_equal(wavefronts(0, 8, 4, BANKS_4_OF_8), 1); /* stride 2: no conflict on Kepler */
  assert_int_equal(wavefronts(0, 8, 4, BANKS_4), 2);
  /* Not aligned to 64 words: words 32 and 64 conflict. */
  assert_int_equal(wavefronts(128, 8, 4, BANKS_4_OF_8), 2);
  assert_int_equal(wavefronts(0, 16, 4, BANKS_4_OF_8), 2);
  assert_int_equal(wavefronts(0, 128, 4, BANKS_4_OF_8), 16); /* a column of 32×32 floats */
  assert_int_equal(wavefronts(128, 128, 4, BANKS_4_OF_8), 17);
  assert_int_equal(wavefronts(0, 132, 4, BANKS_4_OF_8), 1);  /* padded to 33 floats */
  assert_int_equal(wavefronts(0, 256, 8, BANKS_4_OF_8), 32); /* a column of 32×32 doubles */
  assert_int_equal(wavefronts(0, 264, 8, BANKS_4_OF_8), 2);  /* padded to 33 doubles */
  assert_int_equal(wavefronts(0, 264, 8, BANKS_8), 1);       /* in 8-byte mode */
  assert_int_equal(wavefronts(0, 0, 8, BANKS_4_OF_8), 1);
}

static void only_wide_banks_leave_a_choice(void **state) {
  (void)state;
  for (const Device *d = device_at(0); d < device_at(0) + ROWS; d++) {
    bool wide = d->bank_bytes == 8;
    assert_int_equal(device_bank_mode(d, BANK_CHOICE_DEFAULT), wide ? BANKS_4_OF_8 : BANKS_4);
    assert_int_equal(device_bank_mode(d, BANK_CHOICE_4), wide ? BANKS_4_OF_8 : BANKS_4);
    assert_int_equal(device_bank_mode(d, BANK_CHOICE_8), wide ? BANKS_8 : BANKS_4);
  }
}

/* ---- what the environment chooses ------------------------------------------------------------ */
/* Runs `work` in its own process with LOCKSTEP_CARD set to `card`. Returns its exit status and
 * stores its standard error in `said`. */
static int under(const char *card, const char *banks, void (*work)(void), char *said, size_t size) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("LOCKSTEP_CARD", card, 1);
    setenv("LOCKSTEP_BANKS", banks, 1);
    work();
    _exit(0);
  }
  close(ends[1]);
  ssize_t length = read(ends[0], said, size - 1);
  said[length < 0 ? 0 : length] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void say_choice(void) {
  choose_banks(BANK_CHOICE_8);
  fprintf(stderr, "%s %d %d", selected_device()->name, (int)selected_bank_mode(BANK_CHOICE_DEFAULT),
          (int)selected_bank_mode(BANK_CHOICE_4));
}

static void the_environment_chooses(void **state) {
  static const char *const expected[][3] = {
      {"", "", "h200 4 4"},           {"t4", "", "t4 4 4"},      {"k40c", "", "k40c 8 48"},
      {"k40c", "8", "k40c 8 8"},      {"k40c", "4", "k40c 4 4"}, {"h200", "8", "h200 8 8"},
      {"rtx3060", "8", "rtx3060 8 8"}};
  char said[400];
  (void)state;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_int_equal(under(expected[i][0], expected[i][1], say_choice, said, sizeof said), 0);
    assert_string_equal(said, expected[i][2]);
  }
}

static void say_clock(void) {
  const Device *d = selected_device();
  fprintf(stderr, "%s %d %d %d", d->name, (int)d->clock_khz, (int)d->l2_latency,
          (int)d->memory_latency);
}

static void a_clock_replaces_that_of_the_card(void **state) {
  const Device *d = device_named("rtx3080");
  char said[400], expected[100];
  (void)state;
  setenv("LOCKSTEP_CLOCK", "1440", 1);
  assert_int_equal(under(d->name, "", say_clock, said, sizeof said), 0);
  snprintf(expected, sizeof expected, "rtx3080 1440000 %d %d", (int)d->l2_latency,
           (int)(d->l2_latency + 1440000.0 / d->clock_khz * (d->memory_latency - d->l2_latency)));
  assert_string_equal(said, expected);
  setenv("LOCKSTEP_CLOCK", "fast", 1);
  assert_int_equal(under("h200", "", say_clock, said, sizeof said), 2);
  assert_string_equal(said, "LOCKSTEP_CLOCK=fast: want MHz, from 100 to 10000\n");
  unsetenv("LOCKSTEP_CLOCK");
}

static void an_unknown_card_is_one_line(void **state) {
  char said[400], list[400] = "LOCKSTEP_CARD=k80: no such card; choose one of";
  (void)state;
  for (size_t i = 0; i < ROWS; i++)
    strcat(strcat(list, " "), rows[i].name);
  assert_int_equal(under("k80", "", say_choice, said, sizeof said), 2);
  assert_string_equal(said, strcat(list, "\n"));
  assert_int_equal(under("h200", "5", say_choice, said, sizeof said), 2);
  assert_string_equal(said, "LOCKSTEP_BANKS=5: banks are 4 or 8 bytes wide\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_card_has_every_column),
      cmocka_unit_test(every_value_of_time_has_its_source),
      cmocka_unit_test(every_card_is_possible),
      cmocka_unit_test(peaks_are_those_of_the_data_sheets),
      cmocka_unit_test(cards_of_one_capability_agree),
      cmocka_unit_test(as_many_blocks_as_the_rules_say),
      cmocka_unit_test(limits_turn_round),
      cmocka_unit_test(banks_of_eight_bytes_by_four),
      cmocka_unit_test(only_wide_banks_leave_a_choice),
      cmocka_unit_test(the_environment_chooses),
      cmocka_unit_test(a_clock_replaces_that_of_the_card),
      cmocka_unit_test(an_unknown_card_is_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
