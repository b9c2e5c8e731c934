/* Tests hypotheses about mistakes: which hypotheses remain after two runs, which hypotheses are
 * dropped, and which cause is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain/hypotheses.h"

/* three arbitrary mistakes */
static const SayId FIRST = SAY_COPY_ONCE, SECOND = SAY_GRID_THEN_BLOCK, THIRD = SAY_X_WALKS_DOWN;

static Said counted(double number) { return said_of(SAY_COMPILER_SAYS, argument_number(number)); }

static void add(Hypotheses *h, SayId id) { hypotheses_judge(h, ALIBI_NONE, id); }
static void is_silent(Hypotheses *h, SayId id) { hypotheses_judge(h, ALIBI_SILENT, id); }
static void contradicts(Hypotheses *h, SayId id) { hypotheses_judge(h, ALIBI_CONTRADICTED, id); }

static void expect_found(const Hypotheses *h, size_t count, const SayId *ids) {
  assert_int_equal(h->count, count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(h->found[i].id, ids[i]);
}
#define EXPECT_FOUND(h, ...)                                                                       \
  expect_found(h, sizeof((const SayId[]){__VA_ARGS__}) / sizeof(SayId),                            \
               (const SayId[]){__VA_ARGS__})

static void each_is_added_once(void **state) {
  (void)state;
  Hypotheses h = {.count = 0};
  add(&h, FIRST);
  add(&h, FIRST);
  hypotheses_add(&h, counted(1));
  hypotheses_add(&h, counted(1));
  hypotheses_add(&h, counted(2)); /* a hypothesis with another argument is another hypothesis */
  EXPECT_FOUND(&h, FIRST, SAY_COMPILER_SAYS, SAY_COMPILER_SAYS);
  for (double i = 3; i < 20; i++)
    hypotheses_add(&h, counted(i));
  assert_int_equal(h.count, HYPOTHESES_FOUND);
}

/* Hypotheses that the other run contradicts or does not support are dropped. */
static void common_ones_are_kept(void **state) {
  (void)state;
  Hypotheses h = {.count = 0}, other = {.count = 0};
  add(&h, FIRST);
  add(&h, SECOND);
  add(&h, THIRD);
  add(&other, SECOND);
  contradicts(&other, THIRD);
  hypotheses_keep_common(&h, &other);
  EXPECT_FOUND(&h, SECOND);
}

static void other_arguments_are_not_common(void **state) {
  (void)state;
  Hypotheses h = {.count = 0}, other = {.count = 0};
  hypotheses_add(&h, counted(1));
  hypotheses_add(&other, counted(2));
  hypotheses_keep_common(&h, &other);
  assert_int_equal(h.count, 0);
}

/* If the sizes of a run cannot show a mistake, the run does not contradict this hypothesis. The
 * order of the two runs does not matter. */
static void silent_runs_do_not_contradict(void **state) {
  (void)state;
  Hypotheses h = {.count = 0}, other = {.count = 0};
  add(&h, FIRST);
  is_silent(&h, SECOND);
  is_silent(&h, THIRD);
  is_silent(&other, FIRST);
  add(&other, SECOND);
  is_silent(&other, THIRD);
  hypotheses_keep_common(&h, &other);
  EXPECT_FOUND(&h, FIRST, SECOND);
  Hypotheses third = {.count = 0};
  add(&third, THIRD);
  hypotheses_keep_common(&h, &third); /* neither of the first two runs could show THIRD */
  EXPECT_FOUND(&h, THIRD);
}

static void too_few_elements_decide_nothing(void **state) {
  (void)state;
  Hypotheses h = {.count = 0};
  const Hypotheses other = {.few = true};
  add(&h, FIRST);
  hypotheses_keep_common(&h, &other);
  EXPECT_FOUND(&h, FIRST);
}

/* A run with a correct result contradicts a mistake that would have changed the result. */
static void right_runs_contradict(void **state) {
  (void)state;
  Hypotheses h = {.count = 0}, right = {.count = 0};
  add(&h, FIRST);
  add(&h, SECOND);
  add(&h, THIRD);
  contradicts(&right, FIRST);
  contradicts(&right, SECOND);
  is_silent(&right, SECOND);
  hypotheses_keep_uncontradicted(&h, &right);
  EXPECT_FOUND(&h, SECOND, THIRD);
}

static void one_or_two_are_a_cause(void **state) {
  (void)state;
  Hypotheses h = {.count = 0};
  assert_int_equal(hypotheses_cause(&h).id, SAY_NOTHING);
  add(&h, FIRST);
  assert_int_equal(hypotheses_cause(&h).id, FIRST);
  assert_false(hypotheses_are_vague(&h));
  add(&h, SECOND);
  assert_int_equal(hypotheses_cause(&h).id, SAY_EITHER_OR);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_is_added_once),
      cmocka_unit_test(common_ones_are_kept),
      cmocka_unit_test(other_arguments_are_not_common),
      cmocka_unit_test(silent_runs_do_not_contradict),
      cmocka_unit_test(too_few_elements_decide_nothing),
      cmocka_unit_test(right_runs_contradict),
      cmocka_unit_test(one_or_two_are_a_cause),
  };
  return cmocka_run_group_tests_name("hypotheses", tests, NULL, NULL);
}
