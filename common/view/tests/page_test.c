/* Tests the page of a recording and a source that this file creates. Text from the recording and
 * the source must be escaped, links must have a target, and numbers must agree with the recording.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../view.h"
#include "emulator/tests/scratch.h"

#define HOSTILE "</script></style><b onclick=\"x\">&amp;'\x01"
#define ESCAPED "&lt;/script&gt;&lt;/style&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;amp;&#39;?"

static const char *const text = "__global__ void k(float *A) {\n"
                                "  // TODO(1): " HOSTILE " \xff\xc3\n"
                                "  s[threadIdx.x * 32] = 1;\n"
                                "\tA[threadIdx.x] = \"" HOSTILE "\"[0];\n"
                                "  // END(1)\n"
                                "}\n";

static char path[SCRATCH_MOST];

/* ---- a recording ----------------------------------------------------------------------------- */
static SharedArray array = {.name = HOSTILE, .bytes = 4096};
static Sample in_bank = {.space = SPACE_SHARED,
                         .buffer = HOSTILE,
                         .element = 4,
                         .threads = {32, 1, 1},
                         .wavefronts = 32,
                         .ideal = 1};
static Sample in_row = {.space = SPACE_GLOBAL,
                        .buffer = HOSTILE,
                        .buffer_bytes = 4096,
                        .element = 4,
                        .rows = 32,
                        .columns = 32,
                        .threads = {32, 1, 1},
                        .sectors = 4};
static Access accesses[2];
static ExecutedLine lines[2];
static Kernel kernel;
static const char *timeline_row = "#l<\xff";
static Predicted predicted = {.card = HOSTILE,
                              .limit = HOSTILE,
                              .occupancy_limit = HOSTILE,
                              .unknown = HOSTILE,
                              .us = 12,
                              .timeline = {1, 4, 1, &timeline_row}};
static Mistake mistake;

static Recording make(void) {
  for (int lane = 0; lane < LANES; lane++) {
    in_bank.offset[lane] = lane * 128;
    in_row.offset[lane] = lane * 4;
  }
  accesses[0] = (Access){.file = path,
                         .line = 3,
                         .op = "st.shared.f32",
                         .space = SPACE_SHARED,
                         .operation = OPERATION_STORE,
                         .bytes = 4,
                         .requests = 100,
                         .lanes = 3200,
                         .wavefronts = 3200,
                         .ideal = 100,
                         .sample = &in_bank};
  accesses[1] = (Access){.file = path,
                         .line = 4,
                         .op = "st.global.f32",
                         .space = SPACE_GLOBAL,
                         .operation = OPERATION_STORE,
                         .bytes = 4,
                         .requests = 100,
                         .lanes = 3200,
                         .sectors = 400,
                         .sample = &in_row};
  lines[0] = (ExecutedLine){path, 3, 300, 9600};
  lines[1] = (ExecutedLine){path, 4, 300, 9600};
  kernel = (Kernel){.symbol = "k",
                    .name = HOSTILE,
                    .launches = 1,
                    .grid = {1, 1, 1},
                    .block = {32, 1, 1},
                    .arrays = &array,
                    .array_count = 1,
                    .accesses = accesses,
                    .access_count = 2,
                    .lines = lines,
                    .line_count = 2,
                    .predicted = &predicted,
                    .counters = {.warp_instructions = 600, .thread_instructions = 19200}};
  mistake = (Mistake){.kind = "race",
                      .severity = "warning", /* with an error, the page has no advice on speed */
                      .sentence = HOSTILE,
                      .cause = HOSTILE,
                      .detail = HOSTILE,
                      .kernel = HOSTILE,
                      .file = path,
                      .did = HOSTILE,
                      .other_file = "/nowhere/" HOSTILE,
                      .other_did = "read it",
                      .line = 3,
                      .other_line = 7,
                      .threads = true};
  return (Recording){
      .kernels = &kernel, .kernel_count = 1, .mistakes = &mistake, .mistake_count = 1, .banks = 4};
}

static json_t *hostile_marks(void) {
  char place[SCRATCH_MOST + 8];
  snprintf(place, sizeof place, "%s:4", path);
  return json_pack("{s:s, s:i, s:i, s:b, s:[{s:i, s:s, s:s, s:i, s:i, s:s, s:s, s:[{s:s, s:s}], "
                   "s:s, s:s}]}",
                   "title", "t", "score", 15, "points", 100, "compiled", 1, "tasks", "number", 1,
                   "title", "</td><b>", "status", "failed", "score", 15, "points", 100, "kind",
                   "prediction-open", "headline", "</p><b>", "lines", "text",
                   "bank conflicts: now 31, ideal 0, gate 0<b>", "place", place, "cause",
                   "<b>cause", "again", "<b>again");
}

static int write_source(void **state) {
  (void)state;
  int file = scratch_file(path, "page");
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
    return -1;
  return close(file);
}

static int remove_source(void **state) {
  (void)state;
  return remove(path);
}

static bool withheld; /* View.withheld of the page */

/* Returns the page as a string, which the caller frees. */
static char *page_of(const Recording *r, const json_t *marks, const char *log, int status) {
  char *out = NULL;
  size_t length;
  Source source = source_read(path);
  Findings findings = rank(r, &source, 0);
  View v = {.recording = r,
            .source = &source,
            .findings = &findings,
            .marks = marks,
            .compile_log = log,
            .title = HOSTILE,
            .subtitle = HOSTILE,
            .again = HOSTILE,
            .command = HOSTILE,
            .withheld = withheld,
            .status = status};
  v.out = open_memstream(&out, &length);
  write_page(&v);
  fclose(v.out);
  free(findings.items);
  source_free(&source);
  return out;
}

/* ---- checks for every page ------------------------------------------------------------------- */
static unsigned occurrences(const char *page, const char *word) {
  unsigned count = 0;
  for (; (page = strstr(page, word)); page += strlen(word))
    count++;
  return count;
}

/* Checks that each link within the page has exactly one target. */
static void expect_links(const char *page) {
  for (const char *at = page; (at = strstr(at, "href=\"#")); at++) {
    char id[64], wanted[80];
    assert_int_equal(sscanf(at, "href=\"#%63[^\"]", id), 1);
    snprintf(wanted, sizeof wanted, " id=\"%s\"", id);
    if (occurrences(page, wanted) != 1)
      fail_msg("#%s: %u places", id, occurrences(page, wanted));
  }
}

/* Checks that every element that needs an end tag has an end tag, in the right order. */
static void expect_balanced(const char *page) {
  static const char *const single[] = {"meta", "link", "br"};
  char open[40][16], name[16];
  int depth = 0;
  for (const char *at = strstr(page, "<html"); at; at = strchr(at + 1, '<')) {
    const char *end = strchr(at, '>');
    bool closed = end[-1] == '/';
    assert_int_equal(sscanf(at + (at[1] == '/' ? 2 : 1), "%15[a-z0-9]", name), 1);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
      closed = closed || !strcmp(name, single[i]);
    if (at[1] == '/') {
      assert_true(depth > 0);
      if (strcmp(open[--depth], name))
        fail_msg("<%s> is closed by </%s>", open[depth], name);
    } else if (!closed) {
      assert_true(depth < 40);
      strcpy(open[depth++], name);
    }
  }
  assert_int_equal(depth, 0);
}

static void expect_sound(const char *page) {
  assert_null(strstr(page, "<b "));
  assert_null(strstr(page, "<script"));
  assert_null(strchr(page, 1));
  assert_null(strchr(page, '\xff'));
  assert_int_equal(occurrences(page, "<h1>"), 1);
  assert_int_equal(occurrences(page, "</style>"), 1);
  assert_null(strstr(page, "http-equiv=\"refresh"));
  expect_links(page);
  expect_balanced(page);
}

/* ---- pages ----------------------------------------------------------------------------------- */
static void race_in_both_orders(void **state) {
  (void)state;
  Recording r = make();
  mistake.other_threads = mistake.wrote = true;
  mistake.buffer = HOSTILE;
  mistake.element = 3;
  mistake.row = mistake.column = -1;
  char *page = page_of(&r, NULL, NULL, 0);
  expect_sound(page);
  assert_int_equal(occurrences(page, "<title id=\"order0-"), 2);
  assert_non_null(strstr(page, ESCAPED "[3]"));
  assert_non_null(strstr(page, "The load finds the new value."));
  assert_non_null(strstr(page, "The load finds the old value."));
  free(page);
}

static void text_stays_text(void **state) {
  (void)state;
  Recording r = make();
  json_t *marks = hostile_marks();
  char *page = page_of(&r, marks, NULL, 0);
  expect_sound(page);
  assert_null(strstr(page, "<b>cause"));
  assert_true(occurrences(page, ESCAPED) > 12);
  assert_non_null(strstr(page, "// TODO(1): " ESCAPED " \?\?</i></code>"));
  assert_non_null(strstr(page, "&lt;b&gt;cause"));
  assert_non_null(strstr(page, "gate 0&lt;b&gt; <a href=\"#L4\">line 4</a>"));
  free(page);
  json_decref(marks);
}

static void names_changes_of_the_given_part(void **state) {
  (void)state;
  Recording r = make();
  json_t *marks = hostile_marks();
  json_object_set_new(marks, "given",
                      json_pack("{s:s, s:s, s:[{s:s, s:s}], s:s, s:s}", "kind", "given", "headline",
                                "not as handed out", "lines", "text", "You changed <b>tiles",
                                "place", path, "cause", "graded as handed out", "again", ""));
  char *page = page_of(&r, marks, NULL, 0);
  expect_sound(page);
  assert_non_null(strstr(page, "You changed &lt;b&gt;tiles"));
  assert_non_null(strstr(page, "graded as handed out"));
  free(page);
  json_decref(marks);
}

static void withholds_what_is_to_be_predicted(void **state) {
  (void)state;
  Recording r = make();
  json_t *marks = hostile_marks();
  withheld = true;
  char *page = page_of(&r, marks, NULL, 0);
  withheld = false;
  expect_sound(page);
  assert_non_null(strstr(page, "Predictions are still open"));
  assert_int_equal(occurrences(page, "<svg "), 0);
  assert_null(strstr(page, "per request"));
  assert_null(strstr(page, "about 12.0 µs"));
  assert_non_null(strstr(page, "class=\"listing bare\""));
  free(page);
  json_decref(marks);
}

static void says_what_was_recorded(void **state) {
  (void)state;
  Recording r = make();
  json_t *marks = hostile_marks();
  char *page = page_of(&r, marks, NULL, 0);
  expect_sound(page);
  assert_int_equal(occurrences(page, "<svg "),
                   5); /* on the first screen, at the most expensive line, in two lines of the
                        * source, the timeline */
  assert_int_equal(occurrences(page, ">wavefront 32</text>"), 2);
  assert_non_null(strstr(page, "15 of 100 points</span>"));
  assert_non_null(strstr(page, "Verdict: 15 of 100 points"));
  assert_non_null(strstr(page, "<details class=\"h4 yours\" id=\"L3\">"));
  assert_non_null(strstr(page, "31.0 per request"));
  assert_non_null(strstr(page, "about 12.0\u00a0µs"));
  assert_non_null(strstr(page, "class=\"row idle\" id=\"L1\""));
  free(page);
  json_decref(marks);
}

static void colours_words(void **state) {
  (void)state;
  static const char *const words[][2] = {
      {"int i = threadIdx.x; // if",
       "<i class=\"w\">int</i> i = <i class=\"g\">threadIdx</i>.x; <i class=\"c\">// if</i>"},
      {"a /* for", "a <i class=\"c\">/* for</i>"},
      {"if \" */ int \"/*", "<i class=\"c\">if &quot; */</i> <i class=\"w\">int</i> "
                            "<i class=\"s\">&quot;/*</i>"},
      {"# define printer \"//\\\"x\"y",
       "<i class=\"w\"># define</i> printer <i class=\"s\">&quot;//\\&quot;x&quot;</i>y"},
      {"f<<<1, 2>>>(a < b)",
       "f<i class=\"g\">&lt;&lt;&lt;</i>1, 2<i class=\"g\">&gt;&gt;&gt;</i>(a &lt; b)"},
      {"", ""},
  };
  bool open = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char *out = NULL;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    html_code(file, words[i][0], &open);
    fclose(file);
    assert_string_equal(out, words[i][1]);
    free(out);
  }
}

static void little_to_say(void **state) {
  (void)state;
  Recording nothing = {.kernel_count = 0};
  char *page = page_of(&nothing, NULL, HOSTILE, 0);
  expect_sound(page);
  assert_non_null(strstr(page, "It does not compile"));
  assert_non_null(strstr(page, "class=\"listing bare\""));
  free(page);
  page = page_of(&nothing, NULL, NULL, 0);
  expect_sound(page);
  assert_non_null(strstr(page, "launched no kernel"));
  free(page);
  strcpy(nothing.damage, "the program did not come to its end");
  static const struct {
    int status;
    const char *words;
  } cases[] = {
      {124, "to no end by itself"}, {139, "crashed (signal 11)"}, {1, "not come to its end"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    page = page_of(&nothing, NULL, NULL, cases[i].status);
    expect_sound(page);
    if (!strstr(page, cases[i].words))
      fail_msg("status %d: nothing about \"%s\"", cases[i].status, cases[i].words);
    free(page);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(race_in_both_orders),
      cmocka_unit_test(text_stays_text),
      cmocka_unit_test(names_changes_of_the_given_part),
      cmocka_unit_test(withholds_what_is_to_be_predicted),
      cmocka_unit_test(says_what_was_recorded),
      cmocka_unit_test(colours_words),
      cmocka_unit_test(little_to_say),
  };
  return cmocka_run_group_tests(tests, write_source, remove_source);
}
