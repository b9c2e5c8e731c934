/* The main function of a lab's program. `lab` defines the variants, and the command line chooses
 * among them.
 *
 * Exit status: 0 if all chosen variants agree with gold, 1 if a variant disagrees or fails, 2 for
 * bad input. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "screen.h"

static void print_list(void) {
  for (const Variant *v = lab.variants; v->name; v++)
    printf("%-16s %s\n", v->name, v->description);
  for (const Exercise *e = lab.exercises; e && e->variant.name; e++)
    printf("%-16s %s\n", e->variant.name, e->variant.description);
}

/* Executes the lab's program for another element type, which is in the same folder. Does not
 * return. */
static void become_sibling(size_t element_bytes, char **argv) {
  const char *wanted = element_bytes == sizeof(float) ? ".float" : ".double";
  char path[PATH_MAX + 8];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = 0;
  char *dot = strrchr(path, '.');
  if (dot && (!strcmp(dot, ".float") || !strcmp(dot, ".double"))) {
    strcpy(dot, wanted);
    execv(path, argv);
  }
  die("--precision %s: %s is not built; `make PRECISION=%s` with the same goal builds it",
      wanted + 1, path, wanted + 1);
}

/* Returns true if the problem depends on this size: the size is a dimension of an operand, or the
 * problem is the lab's main problem. */
static bool size_counts(const Problem *problem, int size) {
  for (int i = 0; problem->operands[i].name; i++)
    if (problem->operands[i].rows == size || problem->operands[i].columns == size)
      return true;
  return problem == lab.problem;
}

static void print_heading(const Options *options, const Instance *instance) {
  const Problem *problem = options->problem;
  const int width = screen_width(STDOUT_FILENO);
  char text[300];
  snprintf(text, sizeof text, "%s: %s", lab.title, problem->formula);
  screen_wrapped(stdout, 0, "", text, width);
  printf("%s, ", options->element_bytes == sizeof(float) ? "float" : "double");
  for (int i = 0; problem->size_names[i]; i++)
    if (size_counts(problem, i))
      printf("%s=%d, ", problem->size_names[i], options->size[i]);
  printf("%s inputs, seed %llu\n", fill_names[options->recipe.fill],
         (unsigned long long)options->recipe.seed);
  screen_wrapped(stdout, 0, "", device_description(), width);
  putchar('\n');
  for (int i = 0; options->print && i < problem_inputs(problem); i++)
    matrix_print(stdout, problem->operands[i].name, instance->operand[i], instance->element_bytes,
                 operand_shape(problem, instance->size, i));
  fflush(stdout);
}

/* Returns true if an earlier variant had the same error. All later calls return a sticky error
 * again, even the calls of other variants. */
static bool seen_before(const Result *results, int number) {
  for (int i = 0; i < number; i++)
    if (results[i].error == results[number].error)
      return true;
  return false;
}

static void print_complaints(const Result *results, int count) {
  for (int i = 0; i < count; i++) {
    const Result *r = &results[i];
    if (r->impossible)
      printf(
          "\n%s: %.4g ms is faster than this device can be (%.0f %% of its roof, measured in the "
          "same run): not recorded\n",
          r->variant->name, r->time, 100 * r->share);
    else if (r->error != cudaSuccess)
      printf("\n%s: %s (%s)%s%s%s\n", r->variant->name, cudaGetErrorString(r->error),
             cudaGetErrorName(r->error),
             device_fails_on_purpose() ? ": one call fails on purpose (LOCKSTEP_FAIL)" : "",
             seen_before(results, i) ? ", as before; to see it alone: --variant " : "",
             seen_before(results, i) ? r->variant->name : "");
    else if (r->checked && !r->comparison.right) {
      putchar('\n');
      comparison_print(stdout, r->variant->name, &r->comparison);
    }
  }
}

/* Runs one variant. Prints its result and writes it to files according to the options. `data` has
 * the size of the result. */
static Result run_one(const Options *options, const Variant *variant, const Instance *instance,
                      void *data) {
  const Problem *problem = options->problem;
  int output = problem_inputs(problem);
  Shape shape = operand_shape(problem, options->size, output);
  Result result = run_variant(variant, instance, &options->run, data);
  if (options->print) {
    printf("%s: ", variant->name);
    matrix_print(stdout, problem->operands[output].name, data, instance->element_bytes, shape);
  }
  const char *complaint = NULL;
  if (options->output)
    complaint = output_write(options->output, data, instance->element_bytes, shape);
  if (!complaint && options->times && result.error == cudaSuccess && !result.impossible)
    complaint = timing_write(options->times, &result.timing, result.least);
  if (complaint)
    die("%s", complaint);
  return result;
}

/* Ends the program if the operands do not fit into the memory of the device. A variant that
 * allocates memory itself is not checked: it has to report the failed allocation. */
static void refuse_what_does_not_fit(const Options *options) {
  int size[MAX_SIZES];
  if (options->variant && !place_is_device(options->variant->place))
    return;
  memcpy(size, options->size, sizeof size);
  if (options->sweep.step)
    options_scale(options, options->sweep.last, size);
  const char *misfit = fit_misfit(options, size);
  if (misfit)
    die("%s", misfit);
}

/* Ends the program if there is no device. Otherwise every variant would fail for this reason. */
static void need_device(void) {
  size_t all, free;
  cudaError_t error = device_memory(&all, &free);
  if (error != cudaSuccess)
    die("%s: %s", NO_DEVICE, cudaGetErrorString(error));
}

/* Allocates memory for `count` results. */
static void *make_room(const Options *options, const int *size, int count) {
  const Problem *problem = options->problem;
  Shape shape = operand_shape(problem, size, problem_inputs(problem));
  void *data = calloc((size_t)count, shape.rows * shape.columns * lab.element_bytes + 1);
  if (!data)
    die("out of memory: choose smaller sizes");
  return data;
}

/* Runs the chosen variant on inputs that are generated for this run only. */
static Result run_apart(const Options *options, const int *size, uint64_t seed, void *data) {
  Recipe recipe = {options->recipe.fill, seed};
  Instance instance = instance_make(options->problem, size, lab.element_bytes, recipe);
  Result result = run_variant(options->variant, &instance, &options->run, data);
  instance_free(&instance);
  return result;
}

/* A variant must not reuse results of earlier calls. To detect this, the checker requests two runs
 * before the graded run: one run with other sizes, one run with the same sizes. All three runs have
 * different inputs. */
static void rehearse(const Options *options, const int *size, uint64_t seed) {
  void *data = make_room(options, size, 1);
  run_apart(options, size, seed, data);
  free(data);
}

/* Runs each exercise on inputs of its own and discards the results. Used when a run is recorded. */
static void run_exercises(const Options *options) {
  for (const Exercise *e = lab.exercises; e && e->variant.name; e++) {
    Options own = *options;
    own.variant = &e->variant;
    own.problem = e->problem;
    void *data = make_room(&own, own.size, 1);
    run_apart(&own, own.size, own.recipe.seed, data);
    free(data);
  }
}

/* Runs the variant with `probes` consecutive seeds, for the checker. The results are written to one
 * file as a matrix with `probes` times as many rows. */
static void probe(const Options *options) {
  if (!options->variant || !options->output)
    die("--probes: use --variant and --output, too");
  Shape shape = operand_shape(options->problem, options->size, problem_inputs(options->problem));
  size_t bytes = shape.rows * shape.columns * lab.element_bytes;
  char *all = make_room(options, options->size, options->probes);
  for (int i = 0; i < options->probes; i++)
    run_apart(options, options->size, options->recipe.seed + (uint64_t)i, all + (size_t)i * bytes);
  shape.rows *= (size_t)options->probes;
  const char *complaint = output_write(options->output, all, lab.element_bytes, shape);
  if (complaint)
    die("%s", complaint);
  free(all);
}

/* Returns the index of the next --then at or after `at`, or argc. */
static int next_run(int argc, char **argv, int at) {
  while (at < argc && strcmp(argv[at], "--" OPTION_THEN) != 0)
    at++;
  return at;
}

/* Executes one of the runs of run_several. Returns false if the variant failed. */
static bool run_one_of_several(int argc, char **argv) {
  Options options;
  const char *complaint = NULL;
  options_parse(&lab, argc, argv, &options);
  if (!options.variant || !options.output || options.element_bytes != lab.element_bytes ||
      options.rehearsed[0] || options.probes || options.pretend)
    die("--" OPTION_THEN ": each run needs --variant, and all runs need the same --output");
  refuse_what_does_not_fit(&options);
  void *data = make_room(&options, options.size, 1);
  Result result = run_apart(&options, options.size, options.recipe.seed, data);
  if (result.error == cudaSuccess)
    complaint = output_append(
        options.output, data, lab.element_bytes,
        operand_shape(options.problem, options.size, problem_inputs(options.problem)));
  if (complaint)
    die("%s", complaint);
  free(data);
  return result.error == cudaSuccess;
}

/* Starting a program on a GPU takes longer than a run, so several runs share one process. Their
 * results are appended to one file. The first run that fails ends the process. */
static int run_several(int argc, char **argv, int first) {
  const int common = first;
  char **words = calloc((size_t)argc + 1, sizeof *words);
  bool good = true;
  if (!words)
    die("out of memory");
  memcpy(words, argv, (size_t)common * sizeof *words);
  need_device();
  turn_take(TURN_SHARED);
  for (int next; good && first < argc; first = next) {
    next = next_run(argc, argv, first + 1);
    int own = next - first - 1;
    memcpy(words + common, argv + first + 1, (size_t)own * sizeof *words);
    words[common + own] = NULL;
    good = run_one_of_several(common + own, words);
  }
  turn_leave();
  free(words);
  return good ? 0 : 1;
}

/* Runs the chosen variants and stores their results in `results`. Returns the number of results. */
static int run_all(const Options *options, const Instance *instance, Result *results) {
  int count = 0;
  void *data = malloc(operand_bytes(instance, problem_inputs(options->problem)));
  if (!data)
    die("out of memory: choose smaller sizes");
  if (options->variant && options->rehearsed[0]) {
    rehearse(options, options->rehearsed, options->recipe.seed + 1);
    rehearse(options, options->size, options->recipe.seed + 2);
  }
  if (options->variant)
    results[count++] = run_one(options, options->variant, instance, data);
  else
    for (const Variant *v = lab.variants; v->name; v++)
      if (options_want(options, v))
        results[count++] = run_one(options, v, instance, data);
  free(data);
  return count;
}

static void write_csv(const Options *options, const Result *results, int count) {
  Csv csv = csv_open(options->csv, options);
  for (int i = 0; i < count; i++)
    csv_add(&csv, &results[i], options->size);
  csv_close(&csv);
}

/* A copy of the arguments. Constructors of static objects in a lab's file run before main and could
 * replace the requested variant in argv. keep_arguments runs before these constructors, because it
 * is in .preinit_array. */
static char **given;

static void keep_arguments(int argc, char **argv) {
  given = calloc((size_t)argc + 1, sizeof *given);
  for (int i = 0; given && i < argc; i++)
    given[i] = strdup(argv[i]);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const keep_first)(int, char **) = keep_arguments;

/* Explains why counters are not shown on a device that has them. */
static void print_withheld(const Options *options) {
  if (device_has_time)
    return;
  if (options->run.no_counters)
    printf("\ncounters are shown after your predictions; `make lab%.2s` lists open predictions\n",
           lab_digits(options->lab));
  else if (options->withheld && !options->variant)
    printf("\n%s… runs after its predictions; `make lab%.2s` lists open predictions\n",
           options->withheld, lab_digits(options->lab));
}

/* Returns true if the table has an entry in the column of this measure. */
static bool shows(const Result *results, int count, const char *measure) {
  for (int i = 0; i < count; i++)
    for (int m = 0; m < results[i].measure_count; m++)
      if (!strcmp(device_measure_names[m].name, measure) && !isnan(results[i].measures[m]))
        return true;
  return false;
}

/* Prints the lines of the legend whose measures are in the table. If `marks` is true, prints only
 * the lines that explain the mark "?". */
static void print_legend(const Result *results, int count, bool marks) {
  bool first = true;
  for (const Legend *line = device_legend; line->text; line++)
    if ((marks ? *line->text == '?' : *line->text) && shows(results, count, line->measure)) {
      printf("%s%s\n", first ? "\n" : "", line->text);
      first = false;
    }
}

/* Writes the correct answer, then the allowed error of each element, for programs that compare
 * results themselves. */
static void write_gold(const Options *options, const Instance *instance) {
  const Problem *problem = options->problem;
  const Shape shape = operand_shape(problem, options->size, problem_inputs(problem));
  const size_t count = shape.rows * shape.columns;
  double *margins = calloc(count + 1, sizeof *margins);
  if (!margins)
    die("out of memory: choose smaller sizes");
  compare_margins(instance->gold, count, problem->tolerance(instance), margins);
  const char *complaint = output_write(options->gold, instance->gold, sizeof *margins, shape);
  if (!complaint)
    complaint = output_append(options->gold, margins, sizeof *margins, shape);
  if (complaint)
    die("%s", complaint);
  free(margins);
}

int main(int argc, char **argv) {
  Options options;
  argv = given;
  if (!argv)
    die("out of memory");
  int several = next_run(argc, argv, 1);
  if (several < argc)
    return run_several(argc, argv, several);
  options_parse(&lab, argc, argv, &options);
  if (options.list) {
    print_list();
    return 0;
  }
  if (options.element_bytes != lab.element_bytes)
    become_sibling(options.element_bytes, argv);
  if (options.bank_bytes)
    device_choose_banks(options.bank_bytes);

  if (options.fit) {
    fit_print(&options);
    return 0;
  }
  need_device();
  turn_take(TURN_SHARED);
  if (options.pretend)
    return pretend(&options);
  refuse_what_does_not_fit(&options);
  if (options.sweep.step)
    return sweep(&options);

  if (options.probes) {
    probe(&options);
    return 0;
  }

  Instance instance =
      instance_make(options.problem, options.size, lab.element_bytes, options.recipe);
  if (!options.demo)
    print_heading(&options, &instance);
  if (options.check && isfinite(options.problem->tolerance(&instance))) {
    progress_begin("the right answer, in double");
    instance_gold(&instance);
    progress_end();
    if (options.gold)
      write_gold(&options, &instance);
  }

  static Result results[MAX_ROWS];
  static Table table;
  if (options.exercises && !options.variant)
    run_exercises(&options);
  int count = run_all(&options, &instance, results), bad = 0;
  double baseline = NAN, library = NAN, flop = options.problem->flop(options.size);
  for (int i = 0; i < count; i++)
    if (!strcmp(results[i].variant->name, LIBRARY_NAME))
      library = results[i].time;
  for (int i = 0; i < count; i++) {
    if (isnan(baseline) && results[i].variant->place == PLACE_CPU)
      baseline = results[i].time;
    table_add_result(&table, &results[i], flop, baseline, library);
    bad += results[i].impossible || results[i].error != cudaSuccess ||
           (results[i].checked && !results[i].comparison.right);
  }
  if (options.demo)
    demo_print(stdout, &options, results, count, screen_width(STDOUT_FILENO));
  else
    table_print(stdout, &table, screen_width(STDOUT_FILENO));
  print_legend(results, count, options.demo);
  print_withheld(&options);
  if (device_has_time && !options.run.no_time && !options.run.rounds) {
    putchar('\n');
    roof_print(stdout, device_roof(lab.element_bytes));
  }
  turn_leave();
  if (options.csv)
    write_csv(&options, results, count);
  print_complaints(results, count);
  instance_free(&instance);
  if (options.returned && count == 1)
    return RETURNED_STATUS(results[0].error);
  return bad ? 1 : 0;
}
