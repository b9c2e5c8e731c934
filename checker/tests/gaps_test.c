/* Tests the fingerprints of gaps, by which the checker recognises an unchanged gap. The sheets in
 * checker/tasks/ must contain the fingerprints of all skeletons. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grade/sheet.h"
#include "sources.h"

#define FILE_WITH(gap)                                                                             \
  "int before;\n  // TODO(1): what\n" gap "  // END(1)\nint between;\n// TODO(2)\n// END(2)\n"

static void layout_and_comments_do_not_count(void **state) {
  (void)state;
  const uint64_t one = gap_fingerprint(FILE_WITH("  int a = 1;\n"), 1);
  assert_true(one == gap_fingerprint(FILE_WITH("int a=1; // mine\n\n\t\n"), 1));
  assert_true(one == gap_fingerprint(FILE_WITH("// ideas\nint\na = 1;\n"), 1));
  assert_true(one == gap_fingerprint(FILE_WITH("/* two\nlines */ int a /* b */ = 1;\n"), 1));
  assert_true(one != gap_fingerprint(FILE_WITH("int a = 2;\n"), 1));
  assert_true(gap_fingerprint(FILE_WITH("// ideas only\n"), 1) == UNTOUCHED_EMPTY);
}

static void a_gap_is_its_own(void **state) {
  (void)state;
  const char *one = FILE_WITH("int a;\n"), *other = FILE_WITH("int b;\n");
  assert_true(gap_fingerprint(one, 1) != gap_fingerprint(other, 1));
  assert_true(gap_fingerprint(one, 2) == gap_fingerprint(other, 2));
  assert_true(gap_fingerprint(one, 0) == gap_fingerprint(other, 0)); /* 0: outside all gaps */
  assert_true(gap_fingerprint("int after;\n" FILE_WITH("int a;\n"), 0) != gap_fingerprint(one, 0));
  assert_true(gap_fingerprint(one, 3) == 0);
}

/* The fingerprint of a task covers all its gaps. */
static void gaps_of_a_task_are_one(void **state) {
  (void)state;
  const char *two = "// TODO(1)\na\n// END(1)\nx\n// TODO(1)\nb\n// END(1)\n";
  assert_true(gap_fingerprint(two, 1) == gap_fingerprint("// DONE(1)\nab\n// END(1)\n", 1));
}

/* ---- the labs' skeletons and solutions ------------------------------------------------------- */

/* Returns true if the sheet's fingerprint is wrong, and prints the right one. */
static bool differs(const Sheet *lab, const char *what, uint64_t there, uint64_t wanted) {
  if (there != wanted)
    print_error("checker/tasks/%s.c, %s: write .untouched = 0x%" PRIx64 "%s\n", lab->name, what,
                wanted, wanted == UNTOUCHED_EMPTY ? ", which is UNTOUCHED_EMPTY" : "");
  return there != wanted;
}

/* A prediction without an answer has its own verdict, so its gap needs no fingerprint. */
static void skeletons_have_their_fingerprints(void **state) {
  int wrong = 0;
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    char what[80], *text = read_source("labs", lab);
    wrong += differs(lab, "SHEET", lab->untouched, gap_fingerprint(text, 0));
    for (size_t i = 0; i < lab->task_count; i++) {
      const Task *task = &lab->tasks[i];
      snprintf(what, sizeof what, "task %zu, %s", i + 1, task->title);
      wrong += differs(lab, what, task->untouched,
                       task->predictions ? 0 : gap_fingerprint(text, (int)i + 1));
      assert_false(!task->predictions && task_begun(lab, i + 1, text));
    }
    free(text);
  }
  assert_int_equal(wrong, 0);
}

static void solutions_are_begun(void **state) {
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    char *text = read_source("solutions", lab);
    assert_true(gap_fingerprint(text, 0) == lab->untouched);
    for (size_t i = 0; i < lab->task_count; i++)
      if (gap_fingerprint(text, (int)i + 1) && !task_begun(lab, i + 1, text))
        fail_msg("solutions/%s: task %zu is taken for not begun", lab->name, i + 1);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout_and_comments_do_not_count),
      cmocka_unit_test(a_gap_is_its_own),
      cmocka_unit_test(gaps_of_a_task_are_one),
      cmocka_unit_test(skeletons_have_their_fingerprints),
      cmocka_unit_test(solutions_are_begun),
  };
  return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
