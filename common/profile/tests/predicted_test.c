/* Tests how a prediction is read from the log and described. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../profile.h"

static json_t *event_of(const char *text) {
  json_error_t error;
  json_t *event = json_loads(text, 0, &error);
  if (!event)
    fail_msg("%s in %s", error.text, text);
  return event;
}

static const char *const tiled =
    "{\"card\":\"h200\",\"us\":1860.4,\"limit\":\"shared\",\"busy\":{\"shared\":0.94,\"l1\":0.2},"
    "\"waits\":{\"selected\":0.2,\"not_selected\":0.3,\"short_scoreboard\":0.26,\"barrier\":0.24},"
    "\"occupancy\":{\"blocks\":2,\"warps\":64,\"of\":64,\"limit\":\"threads\",\"achieved\":61.5},"
    "\"registers\":32,\"spilled\":0,\"waves\":1.9,\"bytes\":{\"l2\":1e6,\"dram\":2e5},"
    "\"lines\":[{\"file\":\"a.cu\",\"line\":7,\"share\":0.75,\"waits\":{\"barrier\":0.5}}],"
    "\"timeline\":{\"clocks\":40,\"warps\":[\"##ll\",\"..\",\"llbb\"]}}";

static void all_of_it_is_read(void **state) {
  (void)state;
  json_t *event = event_of(tiled);
  Predicted *p = predicted_read(event);
  assert_true(p->us == 1860.4 && p->busy[RESOURCE_SHARED] == 0.94 &&
              p->waits[WAIT_BARRIER] == 0.24);
  assert_int_equal(p->blocks, 2);
  assert_int_equal(p->most_warps, 64);
  assert_true(p->l2_bytes == 1e6 && p->achieved == 61.5);
  assert_int_equal(p->line_count, 1);
  assert_int_equal(p->lines[0].line, 7);
  assert_true(p->lines[0].waits[WAIT_BARRIER] == 0.5);
  assert_int_equal(p->timeline.count, 2); /* a row of another length is dropped */
  assert_int_equal(p->timeline.columns, 4);
  assert_string_equal(p->timeline.rows[1], "llbb");
  assert_int_equal(longest_stall(p->waits),
                   /* A warp that issues, or that loses the issue slot to another warp, is not
                    * stalled. */
                   WAIT_SHORT);
  predicted_free(p);
  json_decref(event);
}

static void it_is_said_in_a_sentence(void **state) {
  (void)state;
  char sentence[400];
  json_t *event = event_of(tiled);
  Predicted *p = predicted_read(event);
  predicted_sentence(p, sentence, sizeof sentence);
  assert_string_equal(
      sentence,
      "on an NVIDIA H200 about 1.86\u00a0ms: shared memory 94\u00a0% busy; warps wait for shared "
      "memory or a special function (26\u00a0% of their time)");
  p->card = "k40c";
  p->limit = "latency";
  predicted_sentence(p, sentence, sizeof sentence);
  assert_non_null(strstr(sentence, "on a Tesla K40c about 1.86\u00a0ms: no part is busy"));
  char small[10];
  predicted_sentence(p, small, sizeof small);
  assert_string_equal(small, "on a Tesl");
  predicted_free(p);
  json_decref(event);
}

/* The card has 132 multiprocessors; each has room for one block. */
static void uneven_grids_are_said(void **state) {
  (void)state;
  static const struct {
    const char *waves, *said;
  } rows[] = {
      {"0.030303",
       "1.86\u00a0ms: shared memory 94\u00a0% busy, and only 4 of its 132 multiprocessors "
       "have a block"},
      {"1", "1.86\u00a0ms: shared memory 94\u00a0% busy"},
      {"1.0075758", "1.86\u00a0ms: 133 blocks take 2 turns, and the last has 1 of them; shared"},
      {"1.75", "1.86\u00a0ms: shared memory 94\u00a0% busy"},
      {"40.1", "1.86\u00a0ms: shared memory 94\u00a0% busy"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[200], sentence[400];
    snprintf(text, sizeof text,
             "{\"card\":\"h200\",\"us\":1860.4,\"limit\":\"shared\",\"busy\":{\"shared\":0.94},"
             "\"occupancy\":{\"blocks\":1},\"waves\":%s}",
             rows[i].waves);
    json_t *event = event_of(text);
    Predicted *p = predicted_read(event);
    predicted_sentence(p, sentence, sizeof sentence);
    if (!strstr(sentence, rows[i].said))
      fail_msg("%s, not %s", sentence, rows[i].said);
    predicted_free(p);
    json_decref(event);
  }
}

/* The measured program can write arbitrary data into its log. predicted_read must return NULL if an
 * event contains no valid prediction. */
static void nonsense_reads_as_nothing(void **state) {
  (void)state;
  static const char *const nonsense[] = {"[]", "{}", "{\"us\":-1}", "{\"us\":\"long\"}",
                                         "{\"us\":0}"};
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    json_t *event = event_of(nonsense[i]);
    assert_null(predicted_read(event));
    json_decref(event);
  }
  assert_null(predicted_read(NULL));
  json_t *event =
      event_of("{\"us\":5,\"busy\":{\"shared\":1e300,\"l1\":\"x\"},\"waits\":7,\"lines\":[1,{}],"
               "\"occupancy\":{\"warps\":-3},\"timeline\":{\"warps\":[3,null]}}");
  Predicted *p = predicted_read(event);
  assert_true(p->busy[RESOURCE_SHARED] == 1 && p->busy[RESOURCE_L1] == 0);
  assert_int_equal(p->warps, 0);
  assert_int_equal(p->line_count, 2);
  assert_int_equal(p->timeline.count, 0);
  char sentence[400];
  predicted_sentence(p, sentence, sizeof sentence);
  assert_non_null(strstr(sentence, "on a ? about 5.00\u00a0µs"));
  predicted_free(p);
  json_decref(event);
}

static void times_have_three_digits(void **state) {
  (void)state;
  static const struct {
    double us;
    const char *text;
  } rows[] = {{0.5, "0.50 µs"},   {9.994, "9.99 µs"}, {99.96, "100 µs"},
              {147, "147 µs"},    {999.6, "1.00 ms"}, {1860, "1.86 ms"},
              {13120, "13.1 ms"}, {2.5e6, "2.50 s"},  {3.6e8, "360 s"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[NUMBER_ROOM];
    assert_string_equal(time_text(rows[i].us, text), rows[i].text);
  }
}

/* The time of a line is the sum over both launches of the kernel. The page names the time that the
 * shares refer to. */
static void lines_add_up(void **state) {
  (void)state;
  json_t *event = event_of(tiled);
  Kernel kernel = {.name = "k", .launches = 2, .predicted = predicted_read(event)};
  Recording r = {.kernels = &kernel, .kernel_count = 1};
  size_t count;
  Tally *lines = tally_lines(&r, NULL, &count);
  assert_int_equal(count, 1);
  assert_true(lines[0].all_time == 2 * 1860.4 && lines[0].time == 0.75 * lines[0].all_time);
  assert_int_equal(longest_stall(lines[0].waits), WAIT_BARRIER);
  free(lines);
  predicted_free(kernel.predicted);
  json_decref(event);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_of_it_is_read),       cmocka_unit_test(it_is_said_in_a_sentence),
      cmocka_unit_test(uneven_grids_are_said),   cmocka_unit_test(nonsense_reads_as_nothing),
      cmocka_unit_test(times_have_three_digits), cmocka_unit_test(lines_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
