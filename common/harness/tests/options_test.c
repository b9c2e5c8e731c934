/* Tests the command line. Valid options are parsed. An invalid option ends the program with one
 * line and status 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../harness.h"

static cudaError_t nothing(const Run *run) {
  (void)run;
  return cudaSuccess;
}
static const Variant variants[] = {
    {"first", "does nothing", PLACE_CPU, nothing}, {"second", "likewise", PLACE_CPU, nothing}, {0}};
static const Problem matrix_copy = {.formula = "T = A", .size_names = {"m", "k", "n"}};
static const Exercise exercises[] = {{{"aside", "does nothing", PLACE_CPU, nothing}, &matrix_copy},
                                     {{0}, NULL}};
static const Lab test_lab = {.title = "lab 99: test",
                             .problem = &matmul_problem,
                             .element_bytes = sizeof(float),
                             .size = {8, 9, 10},
                             .variants = variants,
                             .exercises = exercises};

enum { MAX_WORDS = 20 };

/* Splits `line` at blanks. `words` points into `line`. */
static int split(char *line, char **words) {
  int count = 0;
  words[count++] = "program";
  for (char *word = strtok(line, " "); word && count < MAX_WORDS; word = strtok(NULL, " "))
    words[count++] = word;
  words[count] = NULL;
  return count;
}

static Options parse(const char *text) {
  char *words[MAX_WORDS + 1];
  static char line[200]; /* Options.output points into `line` */
  Options options;
  snprintf(line, sizeof line, "%s", text);
  options_parse(&test_lab, split(line, words), words, &options);
  return options;
}

/* A sweep changes the sizes that --size sets, except those that are set by their own option. */
static void sweeps(void **state) {
  (void)state;
  int size[MAX_SIZES];
  Options o = parse("--sweep 8:2096:8 --k 33 --plot a.svg");
  assert_int_equal(o.sweep.first, 8);
  assert_int_equal(o.sweep.last, 2096);
  assert_int_equal(o.sweep.step, 8);
  options_scale(&o, 64, size);
  assert_int_equal(size[MATMUL_M], 64);
  assert_int_equal(size[MATMUL_K], 33);
  assert_int_equal(size[MATMUL_N], 64);
  o = parse("--k 33 --size 20");
  assert_int_equal(o.size[MATMUL_K], 20);
}

static void defaults(void **state) {
  (void)state;
  Options o = parse("");
  assert_null(o.variant);
  assert_int_equal(o.size[MATMUL_M], 8);
  assert_int_equal(o.size[MATMUL_N], 10);
  assert_int_equal(o.recipe.fill, FILL_UNIFORM);
  assert_int_equal(o.recipe.seed, 1);
  assert_int_equal(o.run.repeats, 0);
  assert_true(!o.run.no_time && options_want(&o, &variants[0]));
  assert_true(o.check && !o.print && !o.list && !o.output);
  assert_ptr_equal(o.problem, &matmul_problem);
  assert_true(o.run.threads >= 1);
}

static void all_are_understood(void **state) {
  (void)state;
  Options o = parse("--size 20 --k 30 --fill whole --seed=18446744073709551615 --variant second");
  assert_int_equal(o.size[MATMUL_M], 20);
  assert_int_equal(o.size[MATMUL_K], 30);
  assert_int_equal(o.size[MATMUL_N], 20);
  assert_int_equal(o.recipe.fill, FILL_WHOLE);
  assert_true(o.recipe.seed == UINT64_MAX);
  assert_string_equal(o.variant->name, "second");
  o = parse(
      "--precision double --repeats 7 --threads 5 --print --variant first --output x --no-check "
      "--banks 8");
  assert_int_equal(o.element_bytes, sizeof(double));
  assert_int_equal(o.run.repeats, 7);
  assert_int_equal(o.run.threads, 5);
  assert_int_equal(o.bank_bytes, 8);
  assert_string_equal(o.output, "x");
  assert_true(o.print && !o.check);
  o = parse("--no-cpu --no-time --statistic mean");
  assert_true(o.run.no_time && o.run.statistic == STATISTIC_MEAN);
  assert_false(options_want(&o, &variants[0]));
  assert_true(options_want(&o, &(Variant){.place = PLACE_TENSOR}));
  o = parse("--variant aside");
  assert_string_equal(o.variant->name, "aside");
  assert_ptr_equal(o.problem, &matrix_copy);
}

/* Parses `text` in a child process, whose status must be 2, and reads its standard error into
 * `said`. */
static void complaint(const char *text, char *said, size_t room) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    parse(text);
    _exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], said + length, room - 1 - length)) > 0;)
    length += (size_t)got;
  said[length] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
}

static void the_rest_is_one_line(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      /* The arguments, and a text that the error message must contain. */
      {"--frobnicate", "--frobnicate"},
      {"--size", "--size"},
      {"--size 0", "--size 0"},
      {"--m -3", "--m -3"},
      {"--n 12x", "--n 12x"},
      {"--k 99999999999999999999", "--k"},
      {"--seed -1", "--seed -1"},
      {"--seed x", "--seed x"},
      {"--fill zeros", "uniform, whole, linear, unit, pairs or infinite"},
      {"--precision half", "float or double"},
      {"--variant third", "--list"},
      {"--repeats 0", "--repeats 0"},
      {"--banks 16", "4 or 8"},
      {"--threads 0", "--threads 0"},
      {"--output x", "--variant"},
      {"--times x", "--variant"},
      {"--statistic best", "median or mean"},
      {"--print --size 41", "40 columns"},
      {"--size 50000", "smaller sizes"},
      {"stray", "stray"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char said[1000];
    complaint(bad[i][0], said, sizeof said);
    char *end = strchr(said, '\n');
    if (!end || end[1] || !strstr(said, bad[i][1]))
      fail_msg("%s: one line that has \"%s\" expected, not \"%s\"", bad[i][0], bad[i][1], said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(sweeps),
      cmocka_unit_test(all_are_understood),
      cmocka_unit_test(the_rest_is_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
