/* Tests the sentences of verdicts: placeholders, ids, and the conversion to JSON and back. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "say/verdict.h"

static const char *const texts[] = {
    [SAY_NOTHING] = "",
#define SAY(id, text) [SAY_##id] = text,
#include "say/sentences.def"
#undef SAY
};

/* ---- placeholders ---------------------------------------------------------------------------- */

static void expect_filled(const char *text, const Said *said, const char *words) {
  char out[SAID_WORDS];
  said_fill(text, said, out, sizeof out);
  assert_string_equal(out, words);
}

static Said with_number(double number) {
  return (Said){.count = 1, .arguments = {argument_number(number)}};
}

static void numbers_have_styles(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double number;
    const char *words;
  } rows[] = {
      {"{0}", 4, "4"},
      {"{0}", -7, "-7"},
      {"{0}", 1234567890, "1234567890"},
      {"{0}", 0.5, "0.5"},
      {"{0}", 1.0 / 3, "0.333333"},
      {"{0:3}", 1.0 / 3, "0.333"},
      {"{0:4}", 12345.678, "1.235e+04"},
      {"{0:count}", 12864, "12\u00a0864"},
      {"{0:count}", 1.25, "1.25"},
      {"{0} run{0:s}", 1, "1 run"},
      {"{0} run{0:s}", 2, "2 runs"},
      {"{0} run{0:s}", 0, "0 runs"},
      {"{0} of 9 {0:are} wrong", 1, "1 of 9 is wrong"},
      {"{0} of 9 {0:are} wrong", 2, "2 of 9 are wrong"},
      {"{0} of 9 {0:were} wrong", 1, "1 of 9 was wrong"},
      {"{0} of 9 {0:were} wrong", 0, "0 of 9 were wrong"},
      {"{0}", NAN, "nan"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Said said = with_number(rows[i].number);
    expect_filled(rows[i].text, &said, rows[i].words);
  }
}

static void texts_and_phrases_are_inserted(void **state) {
  (void)state;
  const Said said = {.count = 3,
                     .arguments = {argument_words("{1}"), phrase(SAY_BACK), argument_words("")}};
  char words[SAID_WORDS];
  snprintf(words, sizeof words, "a {1} %s b", texts[SAY_BACK]);
  expect_filled("a {0} {1} b", &said, words); /* placeholders in an argument are not replaced */
  expect_filled("{2} a", &said, "a");         /* the blank is removed */
  expect_filled("{a} } { {", &said, "{a} } { {");
  expect_filled("{6}", &said, ""); /* argument 6 does not exist */
  char short_one[4];
  said_fill("abcdef", &said, short_one, sizeof short_one);
  assert_string_equal(short_one, "abc");
}

/* ---- sentences.def --------------------------------------------------------------------------- */

/* Checks the style of a placeholder. `style` begins after the placeholder's number and continues at
 * least to its }. */
static void expect_style(SayId id, const char *style) {
  static const char *const known[] = {"", ":count", ":s", ":are", ":were"};
  size_t length = strcspn(style, "}");
  bool good = length == 2 && *style == ':' && isdigit((unsigned char)style[1]);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    good |= strlen(known[i]) == length && strncmp(style, known[i], length) == 0;
  if (!good || !style[length])
    fail_msg("%s: unknown style", texts[id]);
}

/* Checks that a sentence uses all arguments up to its highest one, and returns their number. */
static size_t expect_arguments(SayId id) {
  unsigned used = 0;
  for (const char *at = texts[id]; (at = strchr(at, '{')); at++)
    if (isdigit((unsigned char)at[1])) {
      used |= 1u << (at[1] - '0');
      expect_style(id, at + 2);
    }
  size_t count = 0;
  while (used >> count & 1)
    count++;
  if (used >> count || count > SAID_ARGUMENTS)
    fail_msg("%s: its arguments are not 0, 1, ... up to %d", texts[id], SAID_ARGUMENTS - 1);
  return count;
}

static Said sample(SayId id) {
  const Argument all[SAID_ARGUMENTS] = {
      argument_number(3), argument_words("word"), phrase(SAY_BACK),   argument_number(0.25),
      argument_words(""), argument_number(-1),    argument_words("x")};
  return said_make(id, all, expect_arguments(id));
}

static void every_sentence_comes_back_from_json(void **state) {
  (void)state;
  for (SayId id = SAY_NOTHING + 1; id < SAY_IDS; id++) {
    const Said said = sample(id);
    char name[80], words[SAID_WORDS];
    json_t *json = said_json(&said);
    const Said read = said_read(json);
    assert_true(said_same(&said, &read));
    say_name(id, name, sizeof name);
    assert_int_equal(say_named(name), id);
    said_text(&said, words, sizeof words);
    assert_true(words[0]);
    json_decref(json);
  }
}

static void expect_nothing(const char *text) {
  json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
  assert_non_null(json);
  const Said said = said_read(json);
  assert_int_equal(said.id, SAY_NOTHING);
  assert_int_equal(said.count, 0);
  json_decref(json);
}

static void other_json_says_nothing(void **state) {
  (void)state;
  expect_nothing("{\"id\": \"no-such-sentence\", \"arguments\": []}");
  expect_nothing("{\"id\": \"back\", \"arguments\": [1]}");
  expect_nothing("{\"id\": \"edge-stored-by-several\", \"arguments\": [1, 2]}");
  expect_nothing("{\"id\": 7}");
  expect_nothing("\"back\"");
  expect_nothing("[]");
  assert_int_equal(said_read(NULL).id, SAY_NOTHING);
  assert_int_equal(say_named("BACK"), SAY_NOTHING);
  assert_int_equal(say_named(""), SAY_NOTHING);
}

/* A student's file can contain text that is not UTF-8, and a result can be infinite. */
static void arguments_may_be_odd(void **state) {
  (void)state;
  Said said = said_of(SAY_COMPILER_SAYS, argument_words("\xff\xfe no UTF-8"));
  json_t *json = said_json(&said);
  assert_non_null(json);
  assert_int_equal(said_read(json).id, SAY_COMPILER_SAYS);
  json_decref(json);
  said = said_of(SAY_COMPILER_SAYS, argument_number(INFINITY));
  json = said_json(&said);
  said = said_read(json);
  assert_true(isnan(said.arguments[0].number)); /* JSON has no infinity */
  json_decref(json);
}

static void other_arguments_make_another_sentence(void **state) {
  (void)state;
  const Said one = said_of(SAY_COMPILER_SAYS, argument_words("a")), same = one,
             other = said_of(SAY_COMPILER_SAYS, argument_words("b")),
             id = said_of(SAY_NOT_REPEATABLE, argument_words("a"));
  assert_true(said_same(&one, &same));
  assert_false(said_same(&one, &other));
  assert_false(said_same(&one, &id));
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static void a_verdict_comes_back_from_json(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  verdict_set(&verdict, VERDICT_OUT_OF_BOUNDS, said_of(SAY_COMPILER_SAYS, argument_words("a")));
  for (int i = 0; i < FACTS_MOST + 1; i++) /* one more than fits */
    verdict_fact(&verdict, "labs/01-naive/naive.cu:27", said_plain(SAY_BACK));
  verdict_proven(&verdict, said_plain(SAY_COPY_ONCE));
  snprintf(verdict.buffer, sizeof verdict.buffer, "As");
  snprintf(verdict.again, sizeof verdict.again, "make run01");
  json_t *json = verdict_json(&verdict);
  const Verdict read = verdict_read(json);
  assert_int_equal(read.kind, verdict.kind);
  assert_true(said_same(&read.headline, &verdict.headline));
  assert_int_equal(read.fact_count, FACTS_MOST);
  assert_true(said_same(&read.facts[1].says, &verdict.facts[1].says));
  assert_string_equal(read.facts[1].place, verdict.facts[1].place);
  assert_true(said_same(&read.cause, &verdict.cause));
  assert_int_equal(read.certainty, CERTAINTY_PROVEN);
  assert_string_equal(read.buffer, "As");
  assert_string_equal(read.again, "make run01");
  json_decref(json);
}

/* Only a verdict with a cause can be proven. A new verdict resets the cause. */
static void certainty_belongs_to_a_cause(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  verdict_say(&verdict, VERDICT_GATE);
  verdict_proven(&verdict, said_plain(SAY_NOTHING));
  assert_int_equal(verdict.certainty, CERTAINTY_NONE);
  verdict_proven(&verdict, said_plain(SAY_COPY_ONCE));
  verdict_cause(&verdict, said_plain(SAY_BACK));
  assert_int_equal(verdict.certainty, CERTAINTY_USUAL);
  verdict_say(&verdict, VERDICT_NOT_BEGUN);
  assert_int_equal(verdict.cause.id, SAY_NOTHING);
  assert_int_equal(verdict.headline.id, SAY_KIND_NOT_BEGUN);
}

/* Each kind of verdict can be found by its name. */
static void kinds_have_names_of_their_own(void **state) {
  (void)state;
  static const VerdictKind kinds[] = {
#define VERDICT(id, ...) VERDICT_##id,
#include "say/kinds.def"
#define REPORT(id, ...) VERDICT_##id,
#include "observe/report_kinds.def"
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    json_t *json = json_pack("{s:s}", "kind", verdict_name(kinds[i]));
    assert_int_equal(verdict_kind(json), kinds[i]);
    json_decref(json);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_have_styles),
      cmocka_unit_test(texts_and_phrases_are_inserted),
      cmocka_unit_test(every_sentence_comes_back_from_json),
      cmocka_unit_test(other_json_says_nothing),
      cmocka_unit_test(arguments_may_be_odd),
      cmocka_unit_test(other_arguments_make_another_sentence),
      cmocka_unit_test(a_verdict_comes_back_from_json),
      cmocka_unit_test(certainty_belongs_to_a_cause),
      cmocka_unit_test(kinds_have_names_of_their_own),
  };
  return cmocka_run_group_tests_name("sentences", tests, NULL, NULL);
}
