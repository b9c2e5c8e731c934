/* Tests the checker's components one by one, with valid and invalid input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/explain.h"
#include "say/report.h"
#include "emulator.h"
#include "emulator/tests/scratch.h"

static char path[SCRATCH_MOST];

static void write_file(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  fclose(file);
}

/* ---- predictions.c --------------------------------------------------------------------------- */

static void expect_prediction(const char *text, bool defined, bool number, double value, int line) {
  write_file(text);
  Prediction said = predict_read(path, "PREDICT_X");
  assert_int_equal(said.defined, defined);
  assert_int_equal(said.number, number);
  assert_int_equal(said.line, line);
  if (number)
    assert_true(said.value == value);
}

static void test_predict(void **state) {
  (void)state;
  expect_prediction("#define PREDICT_X 4\n", true, true, 4, 1);
  expect_prediction("\n  #  define\tPREDICT_X (2.5f) // why\n", true, true, 2.5, 2);
  expect_prediction("#define PREDICT_X 1\n#define PREDICT_X 32 /* no: */\n", true, true, 32, 2);
  expect_prediction("#define PREDICT_X four\n", true, false, 0, 1);
  expect_prediction("#define PREDICT_X\n", true, false, 0, 1);
  expect_prediction("#define PREDICT_X 4 * 8 / 2 // why\n", true, true, 16, 1);
  expect_prediction("#define PREDICT_X 4 + 8\n", true, false, 0, 1);
  expect_prediction("#define PREDICT_XY 4\n// #define PREDICT_X 4\n", false, false, 0, 0);
  expect_prediction("", false, false, 0, 0);
}

/* An answer in a comment or in an inactive #if group does not count, and the next answer is
 * found. */
static void test_predict_left_out(void **state) {
  (void)state;
  expect_prediction("#define PREDICT_X 4\n/* it was\n#define PREDICT_X 8\n*/\n", true, true, 4, 1);
  expect_prediction("/* one */ /* two\n*/ #define PREDICT_X /* c */ 4 /* d\n */\n", true, true, 4,
                    2);
  expect_prediction("#define PREDICT_X 4\n#if 0\n#if 1\n#endif\n#define PREDICT_X 8\n#endif\n",
                    true, true, 4, 1);
  expect_prediction("#if 0 // old\n#define PREDICT_X 8\n#else\n#define PREDICT_X 4\n#endif\n", true,
                    true, 4, 4);
  expect_prediction("#if 01 | 1\n#endif\n#ifndef A\n#define PREDICT_X 4\n#endif\n", true, true, 4,
                    4);
  expect_prediction("char a[] = \"/*\", b = '\"'; // \" /*\n#define PREDICT_X 4\n", true, true, 4,
                    2);
  expect_prediction("// \\ /*\n#define PREDICT_X 4", true, true, 4, 2);
}

static bool right_prediction(const char *text, double measured) {
  Settings settings = {.paths.source = path};
  Check check = {.settings = &settings};
  write_file(text);
  bool right = predict_check(&check, "PREDICT_X", SAY_Q_ATOMICS, measured);
  assert_int_equal(right, !verdict_failed(&check.verdict));
  return right;
}

static void test_predict_check(void **state) {
  (void)state;
  assert_true(right_prediction("#define PREDICT_X 4\n", 4));
  assert_true(right_prediction("#define PREDICT_X 4\n", 4.02)); /* due to edge tiles */
  assert_false(right_prediction("#define PREDICT_X 4\n", 4.5));
  assert_false(right_prediction("#define PREDICT_X 0\n", 0)); /* 0 is the handout's value */
  assert_false(right_prediction("#define PREDICT_X nan\n", 4));
  assert_false(right_prediction("", 4));
}

/* ---- compile.c ------------------------------------------------------------------------------- */

/* `message` is the first error in the compiler's output, or "" if the output has no error. */
static void expect_error(const char *log, const char *message, const char *place) {
  Verdict verdict;
  write_file(log);
  verdict_compile(&verdict, path);
  assert_int_equal(verdict.kind, VERDICT_NOT_COMPILED);
  assert_int_equal(verdict.headline.id, *message ? SAY_COMPILER_SAYS : SAY_NO_COMPILER_ERROR);
  assert_string_equal(verdict.headline.arguments[0].text, message);
  assert_string_equal(verdict.facts[0].place, place);
}

static void expect_advice(const char *log, SayId advice) {
  Verdict verdict;
  write_file(log);
  verdict_compile(&verdict, path);
  assert_int_equal(verdict.cause.id, advice);
}

static void test_compile_advice(void **state) {
  (void)state;
  expect_advice("a.cu:1:1: error: subscripted value is not an array, pointer, or vector\n",
                SAY_ADVICE_FLAT_MATRIX);
  expect_advice("a.cu(1): error: no operator \"*\" matches these operands\n"
                "            operand types are: const uint3 * const dim3\n",
                SAY_ADVICE_INDEX_NUMBERS);
  expect_advice("a.cu:1:1: error: no matching function for call to 'puts'\n"
                "stdio.h:1:1: note: candidate function not viable: call to __host__ function\n"
                "a.cu:2:1: error: redefinition of 'x'\n",
                SAY_ADVICE_HOST_FUNCTION);
  /* Only the first error is explained. */
  expect_advice("a.cu:1:1: error: expected ';'\na.cu:2:1: error: redefinition of 'x'\n",
                SAY_NOTHING);
}

static void test_compile(void **state) {
  (void)state;
  expect_error("a.cu:3:1: warning: unused\nlabs/a.cu:12:20: error: expected ';'\nb:1:1: error: 2\n",
               "expected ';'", "labs/a.cu:12");
  expect_error("labs/a.cu(12): error: expected a \";\"\n", "expected a \";\"", "labs/a.cu:12");
  expect_error("/usr/bin/ld: a.o: in function `run':\na.cu:3: undefined reference to `f'\n",
               "undefined reference to `f'", "");
  expect_error("clang: error: no such file\n", "no such file", "");
  expect_error("", "", "");
}

/* ---- log.c ----------------------------------------------------------------------------------- */

static const char regular[] =
    "{\"event\":\"start\",\"pid\":7,\"seed\":0}\n"
    "{\"event\":\"report\",\"kind\":\"leak\",\"severity\":\"warning\",\"sentence\":\"a leak\"}\n"
    "{\"event\":\"report\",\"kind\":\"race\",\"kernel\":\"f\",\"severity\":\"error\",\"sentence\":"
    "\"a race\"}\n"
    "{\"event\":\"report\",\"kind\":\"out-of-bounds\",\"kernel\":\"f\",\"severity\":\"error\","
    "\"sentence\":\"out\"}\n"
    "{\"event\":\"kernel\",\"name\":\"f\",\"shared_bytes\":96,\"counters\":{\"flop\":12},"
    "\"accesses\":["
    "{\"op\":\"ld.global.f32\",\"space\":\"global\",\"parameter\":0,\"requests\":2,\"sectors\":8,"
    "\"file\":\"a\","
    "\"line\":3},"
    "{\"op\":\"ld.global.f32\",\"space\":\"global\",\"parameter\":0,\"requests\":1,\"sectors\":32,"
    "\"file\":\"a\","
    "\"line\":4},"
    "{\"op\":\"st.global.f32\",\"space\":\"global\",\"parameter\":0,\"requests\":5,\"sectors\":5,"
    "\"file\":\"a\","
    "\"line\":5},"
    "{\"op\":\"st.shared.f32\",\"space\":\"shared\",\"requests\":2,\"wavefronts\":2,\"ideal\":2,"
    "\"file\":\"a\",\"line\":6},"
    "{\"op\":\"st.shared.f32\",\"space\":\"shared\",\"requests\":2,\"wavefronts\":64,\"ideal\":2,"
    "\"file\":\"a\",\"line\":7}]}\n"
    "{\"event\":\"end\",\"reports\":3,\"live_allocations\":2}\n";

static void test_log(void **state) {
  (void)state;
  LogAccess access;
  write_file(regular);
  Log log = log_read(path);
  assert_true(log.started && log.ended && !log.doubtful && !log.cut);
  assert_int_equal(log.pid, 7);
  assert_int_equal(log.live, 2);
  assert_true(log_counter(&log, "f", "flop") == 12);
  assert_true(log_counter(&log, "f", "nothing") == -1);
  assert_true(log_counter(&log, "g", "flop") == -1);
  assert_true(log_access(&log, "f", 0, false, &access));
  assert_true(access.requests == 3 && access.sectors == 40 && access.line == 4);
  assert_true(log_access(&log, "f", 0, true, &access));
  assert_false(log_access(&log, "f", 1, false, &access));
  assert_true(log_shared_access(&log, "f", true, 0, &access));
  assert_true(access.requests == 4 && access.line == 7 && log_conflicts(&access) == 15.5);
  assert_true(log_shared_access(&log, "f", true, 6, &access) && log_conflicts(&access) == 0);
  assert_false(log_shared_access(&log, "f", false, 0, &access));
  assert_true(log_shared_bytes(&log, "f") == 96 && log_shared_bytes(&log, "g") == -1);
  log_free(&log);
}

/* If the bytes of a result were copied to the device before, the host computed the result, even if
 * the bytes were then copied back. For results in managed memory the origin is unknown. */
static void test_origin(void **state) {
  static const char kernel[] = "{\"event\":\"kernel\",\"name\":\"f\",\"counters\":{}}\n";
  static const char copies[] = "{\"event\":\"copies\",\"shared\":40,"
                               "\"to_device\":[{\"bytes\":64,\"hash\":\"00000000000000aa\"}],"
                               "\"to_host\":[{\"bytes\":64,\"hash\":\"00000000000000bb\"},"
                               "{\"bytes\":64,\"hash\":\"00000000000000aa\"}]}\n";
  char text[sizeof kernel + sizeof copies];
  (void)state;
  snprintf(text, sizeof text, "%s%s", kernel, copies);
  write_file(text);
  Log log = log_read(path);
  assert_int_equal(log_origin(&log, 64, 0xaa), ORIGIN_SENT);
  assert_int_equal(log_origin(&log, 64, 0xbb), ORIGIN_DEVICE);
  assert_int_equal(log_origin(&log, 60, 0xbb), ORIGIN_HOST);
  assert_int_equal(log_origin(&log, 64, 0xcc), ORIGIN_HOST);
  assert_int_equal(log_origin(&log, 40, 0xcc), ORIGIN_UNKNOWN);
  log_free(&log);
  write_file(copies);
  log = log_read(path);
  assert_int_equal(log_origin(&log, 64, 0xcc), ORIGIN_UNKNOWN); /* no kernel was launched */
  log_free(&log);
  write_file(kernel);
  log = log_read(path);
  assert_int_equal(log_origin(&log, 64, 0xcc), ORIGIN_UNKNOWN);
  log_free(&log);
}

/* The most severe report is shown even if it was not the first, so the order of the blocks does not
 * matter. */
static void test_report_order(void **state) {
  (void)state;
  Verdict verdict = {.passed = false};
  write_file(regular);
  Log log = log_read(path);
  assert_false(verdict_report(&verdict, &log, "error"));
  assert_int_equal(verdict.kind, VERDICT_OUT_OF_BOUNDS);
  log_free(&log);
}

static void test_log_cut(void **state) {
  (void)state;
  for (size_t length = 0; length < sizeof regular - 1; length += 3) {
    char text[sizeof regular];
    snprintf(text, sizeof text, "%.*s", (int)length, regular);
    write_file(text);
    Log log = log_read(path);
    assert_false(log.doubtful);
    assert_true(length + 2 >= sizeof regular || !log.ended); /* the last byte is a newline */
    log_free(&log);
  }
}

static void test_log_doubtful(void **state) {
  static const char *const extra[] = {
      "no json\n",
      "[]\n",
      "{\"event\":\"end\"}\n",
      "{\"event\":\"start\",\"pid\":7}\n",
      "{\"event\":\"kernel\",\"name\":\"f\",\"counters\":{\"flop\":99}}\n",
      "{\"event\":\"kernel\"}\n",
      "{\"event\":\"copies\"}\n{\"event\":\"copies\"}\n",
      "{\"event\":[]}\n",
  };
  (void)state;
  for (size_t i = 0; i < sizeof extra / sizeof extra[0]; i++) {
    char text[sizeof regular + 200];
    snprintf(text, sizeof text, "%s%s", regular, extra[i]);
    write_file(text);
    Log log = log_read(path);
    assert_true(log.doubtful);
    assert_true(log_counter(&log, "f", "flop") == 12);
    log_free(&log);
  }
}

/* A line longer than LINE_MOST ends the reading, and `log.refused` says why. */
static void test_log_too_long(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("{\"event\":\"start\",\"pid\":7,\"all\":\"", file);
  for (int i = 0; i < 5 << 20; i++)
    fputc('x', file);
  fputs("\"}\n", file);
  fclose(file);
  Log log = log_read(path);
  assert_true(!log.doubtful && !log.started);
  assert_non_null(strstr(log.refused, "bytes of counters for one kernel"));
  log_free(&log);
}

/* ---- check.c --------------------------------------------------------------------------------- */

/* Each part of a task has its own verdict. The verdict of the first failed part is kept. */
static void test_parts_of_a_task(void **state) {
  (void)state;
  Check check = {.settings = NULL};
  check_end_part(&check);
  verdict_set(&check.verdict, VERDICT_LEAK, SAID(NO_TIMES_LEFT));
  check_end_part(&check);
  assert_false(verdict_failed(&check.verdict));
  verdict_set(&check.verdict, VERDICT_SIZE, SAID(NO_TIMES_LEFT));
  check_end_part(&check);
  check_end_part(&check);
  assert_int_equal(check.parts, 4);
  assert_int_equal(check.parts_right, 1 | 8);
  assert_int_equal(check.wrong_part.kind, VERDICT_LEAK);
}

/* If a log has too many kernels, or the name of a kernel is too long, the rest of the log is not
 * read, and `log.refused` says why. */
static void test_log_too_much(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("{\"event\":\"start\",\"pid\":7}\n", file);
  for (int i = 0; i < 200; i++)
    fprintf(file, "{\"event\":\"kernel\",\"name\":\"k%d\",\"counters\":{}}\n", i);
  fclose(file);
  Log log = log_read(path);
  assert_string_equal(log.refused, "kernels that one run launches: 65 are more than 64");
  assert_int_equal(json_object_size(log.kernels), 64);
  assert_true(log.bytes < 65 * 60);
  log_free(&log);
  char text[1000];
  for (int launch = 0; launch < 2; launch++) {
    snprintf(text, sizeof text, "{\"event\":\"%s\",\"%s\":\"%0501d\",\"counters\":{}}\n",
             launch ? "launch" : "kernel", launch ? "kernel" : "name", 0);
    write_file(text);
    log = log_read(path);
    assert_string_equal(log.refused, "letters in the name of a kernel: 501 are more than 500");
    log_free(&log);
  }
}

/* ---- collect.c ------------------------------------------------------------------------------- */

static char collected[SCRATCH_MOST];

static void expect_in_file(const char *text) {
  char all[4096] = "";
  FILE *file = fopen(collected, "r");
  assert_non_null(file);
  all[fread(all, 1, sizeof all - 1, file)] = '\0';
  fclose(file);
  if (!strstr(all, text))
    fail_msg("expected %s in\n%s", text, all);
}

/* A wrong answer becomes a <failure>, a crash an <error>, and special characters in attributes are
 * escaped. */
static void test_collect(void **state) {
  (void)state;
  char *files[] = {path};
  Settings settings = {.paths = {.labs = "labs", .xml = collected}};
  int made = scratch_file(collected, "parts");
  assert_true(made >= 0);
  close(made);
  write_file("{\"lab\":\"01-naive\",\"title\":\"t\",\"score\":20,\"points\":100,\"compiled\":true,"
             "\"tasks\":[{\"number\":1,\"title\":\"a\",\"status\":\"passed\"},"
             "{\"number\":2,\"title\":\"b\",\"status\":\"failed\",\"kind\":\"wrong\","
             "\"headline\":\"1 < 2 & \\\"3\\\"\"},"
             "{\"number\":3,\"title\":\"c\",\"status\":\"failed\",\"kind\":\"crash\"},"
             "{\"number\":4,\"title\":\"d\",\"status\":\"not-run\"}]}");
  assert_int_equal(collect(&settings, files, 1), 1);
  expect_in_file("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\"");
  expect_in_file("<failure type=\"wrong\" message=\"1 &lt; 2 &amp; &quot;3&quot;\">");
  expect_in_file("<error type=\"crash\"");
  unlink(collected);
}

/* ---- child.c --------------------------------------------------------------------------------- */
static void expect_child(const char *card, const char *shell) {
  const char *const arguments[] = {"/bin/sh", "-c", shell, NULL};
  ChildRequest request = {.arguments = arguments, .card = card, .seconds = 20};
  ChildEnd end = child_run(&request);
  assert_int_equal(end.how, CHILD_EXITED);
  assert_int_equal(end.code, 0);
}

/* LOCKSTEP_ variables in the checker's environment do not reach the programs, except those that the
 * checker sets itself. */
static void test_environment(void **state) {
  (void)state;
  setenv("LOCKSTEP_CARD", "k40c", 1);
  setenv("LOCKSTEP_BANKS", "8", 1);
  setenv("LOCKSTEP_CHECKS", "0", 1);
  expect_child(NULL, "[ \"$LOCKSTEP_CARD$LOCKSTEP_BANKS$LOCKSTEP_CHECKS\" = '' ]");
  expect_child("t4", "[ \"$LOCKSTEP_CARD$LOCKSTEP_BANKS$LOCKSTEP_CHECKS\" = t4 ]");
  unsetenv("LOCKSTEP_CARD");
  unsetenv("LOCKSTEP_BANKS");
  unsetenv("LOCKSTEP_CHECKS");
}

/* The time of a killed sandbox is counted even if the system reports no usage for it. */
static void test_killed_time(void **state) {
  const char *const arguments[] = {"/bin/sh", "-c",
                                   "exec bwrap --dev-bind / / --unshare-pid --die-with-parent sh "
                                   "-c 'while :; do :; done & while :; do :; done'",
                                   NULL};
  const double seconds = 0.25;
  (void)state;
  if (system("bwrap --dev-bind / / --unshare-pid true 2>/dev/null") != 0)
    skip();
  for (int i = 0; i < 8; i++) { /* the system does not report the usage every time */
    double before = processor_seconds();
    ChildEnd end =
        child_run(&(ChildRequest){.arguments = arguments, .seconds = seconds, .budget = 60});
    assert_int_equal(end.how, CHILD_TIMED_OUT);
    assert_true(end.used >= seconds);
    assert_true(processor_seconds() - before >= seconds);
  }
}

/* Compilation, runs and the checker's own work share one time budget. The time in which a program
 * sleeps counts, too. */
static void test_shared_budget(void **state) {
  const char *const sleeps[] = {"/bin/sh", "-c", "sleep 0.3; true", NULL};
  char log[SCRATCH_MOST];
  (void)state;
  int made = scratch_file(log, "parts");
  assert_true(made >= 0);
  close(made);
  Settings settings = {.build = {.compile_log = log},
                       .walls = {.work = ".", .budget = child_spent() + 1},
                       .run = {.seconds = 20}};
  double before = child_spent();
  assert_true(compile_run(&settings, "sleep 0.3; true"));
  assert_true(child_spent() - before > 0.25);
  clock_t begun = clock();
  while (clock() - begun < CLOCKS_PER_SEC / 2)
    ;
  ChildRequest request = {.arguments = sleeps, .seconds = 20, .budget = settings.walls.budget};
  assert_int_equal(child_run(&request).how, CHILD_SPENT);
  assert_false(compile_run(&settings, "true"));
  FILE *said = fopen(log, "r");
  char line[200] = "";
  assert_non_null(said);
  assert_non_null(fgets(line, sizeof line, said));
  assert_non_null(strstr(line, "of this lab are used up"));
  fclose(said);
  unlink(log);
}

/* Programs that the checker starts do not inherit the limits of the checker. */
static void test_limits(void **state) {
  struct rlimit before;
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip(); /* the sanitizer needs more memory than this limit */
#endif
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit small = {(rlim_t)4 << 30, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
  expect_child(NULL, "[ \"$(ulimit -S -v)\" = \"$(ulimit -H -v)\" ]");
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_predict),      cmocka_unit_test(test_predict_left_out),
      cmocka_unit_test(test_collect),      cmocka_unit_test(test_predict_check),
      cmocka_unit_test(test_compile),      cmocka_unit_test(test_compile_advice),
      cmocka_unit_test(test_log),          cmocka_unit_test(test_report_order),
      cmocka_unit_test(test_log_cut),      cmocka_unit_test(test_log_doubtful),
      cmocka_unit_test(test_log_too_long), cmocka_unit_test(test_origin),
      cmocka_unit_test(test_environment),  cmocka_unit_test(test_parts_of_a_task),
      cmocka_unit_test(test_log_too_much), cmocka_unit_test(test_killed_time),
      cmocka_unit_test(test_limits),       cmocka_unit_test(test_shared_budget),
  };
  int file = scratch_file(path, "parts");
  if (file < 0)
    return 1;
  close(file);
  int failures = cmocka_run_group_tests_name("parts of the checker", tests, NULL, NULL);
  unlink(path);
  return failures;
}
