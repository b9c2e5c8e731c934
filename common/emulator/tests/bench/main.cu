/* How fast is the emulated device on the kernels of courses and books? Three tables: all kernels,
 * each in thread instructions a second and core; those among them that wait for the CPU's caches;
 * and one product at several shapes of blocks. Wrong results and reports of the device end it with
 * status 1, missed goals only with --check. With cudart in place of the emulator it checks the
 * results and tells times alone.
 */
#include "bench.h"
#include "../../emulator.h"
#include <algorithm>
#include <cstring>
#include <ctime>
#include <sched.h>

/* A GPU has none of these. */
extern "C" __attribute__((weak)) int emulator_counters(const char *, EmulatorCounters *);
extern "C" __attribute__((weak)) void emulator_reset_counters(void);
extern "C" __attribute__((weak)) uint64_t emulator_report_count(void);

static const double MEDIAN_GOAL = 3, SLOWEST_GOAL = 0.3, SHAPE_GOAL = 1.5;

/* ---- what is registered, in the order of the files ------------------------------------------- */
struct Listed {
  const char *theme;
  Row row;
};
struct Table { /* built on first use: the registering objects are of other files */
  std::vector<Listed> rows;
  std::vector<Shape> shapes;
  int shape_n, tiny_shape_n;
};
static Table &table() {
  static Table all;
  return all;
}
Rows::Rows(const char *theme, std::initializer_list<Row> rows) {
  for (const Row &row : rows)
    table().rows.push_back({theme, row});
}
Shapes::Shapes(int n, int tiny, std::initializer_list<Shape> shapes) {
  table().shapes = shapes;
  table().shape_n = n;
  table().tiny_shape_n = tiny;
}

/* ---- one measurement ------------------------------------------------------------------------- */
static double clock_now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
static double wall_begin, processor_begin;

void Run::begin() {
  if (emulator_reset_counters)
    emulator_reset_counters();
  processor_begin = clock_now(CLOCK_PROCESS_CPUTIME_ID);
  wall_begin = clock_now(CLOCK_MONOTONIC);
}

void Run::end(bool counts) {
  EmulatorCounters counters = {};
  double wall = clock_now(CLOCK_MONOTONIC) - wall_begin;
  double work = clock_now(CLOCK_PROCESS_CPUTIME_ID) - processor_begin;
  if (!counts)
    return;
  seconds.push_back(wall);
  processor.push_back(work);
  if (emulator_counters)
    emulator_counters(NULL, &counters);
  instructions = (double)counters.thread_instructions;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

/* ---- options --------------------------------------------------------------------------------- */
struct Options {
  bool tiny, csv, list, check, processor;
  int repeats, workers;
  const char *only;
};

static const char usage[] =
    "usage: bench_kernels [OPTION]... [NAME]   all kernels; those whose name contains NAME; or "
    "`shapes`\n"
    "  --list       names and themes only\n"
    "  --csv        one line a kernel, no tables\n"
    "  --check      exit status 1 where a goal is missed\n"
    "  --tiny       sizes for a test: results are checked, speeds mean nothing\n"
    "  --processor  by the time that processors worked, not by the clock: for a busy machine\n"
    "  --repeats N  timed launches of a kernel, default 3\n";

static Options read_options(int count, char **arguments) {
  Options options = {};
  options.repeats = 3;
  for (int i = 1; i < count; i++) {
    const char *word = arguments[i];
    if (!strcmp(word, "--tiny"))
      options.tiny = true;
    else if (!strcmp(word, "--csv"))
      options.csv = true;
    else if (!strcmp(word, "--list"))
      options.list = true;
    else if (!strcmp(word, "--check"))
      options.check = true;
    else if (!strcmp(word, "--processor"))
      options.processor = true;
    else if (!strcmp(word, "--repeats") && i + 1 < count && atoi(arguments[i + 1]) > 0)
      options.repeats = atoi(arguments[++i]);
    else if (word[0] != '-' && !options.only)
      options.only = word;
    else {
      fputs(usage, stderr);
      exit(2);
    }
  }
  if (options.tiny)
    options.repeats = 1;
  return options;
}

/* As many as the device would take; said aloud, so that both count the same. */
static int set_workers() {
  char number[16];
  cpu_set_t usable;
  const char *given = getenv("LOCKSTEP_WORKERS");
  if (given && atoi(given) > 0)
    return atoi(given);
  int workers = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  snprintf(number, sizeof number, "%d", workers);
  setenv("LOCKSTEP_WORKERS", number, 1);
  return workers;
}

static bool wanted(const Options *options, const char *name) {
  return !options->only || strstr(name, options->only);
}

/* ---- the tables ------------------------------------------------------------------------------ */
struct Rate {
  double rate;
  const char *name;
};

/* Seconds that one core would have taken. */
static double core_seconds(const Options *options, const Run &run) {
  return options->processor ? median(run.processor) : median(run.seconds) * options->workers;
}

static bool good(const Run &run) { return run.checked && !run.wrong; }

static double rate_of(const Options *options, const Run &run) {
  return run.instructions / core_seconds(options, run) * 1e-9;
}

static void print_csv(const Options *options, const char *name, const char *theme, int n,
                      const Run &run) {
  printf("\"%s\",\"%s\",%d,%.6f,%.6f,%.0f,%.3f,%s\n", name, theme, n, median(run.seconds),
         median(run.processor), run.instructions, rate_of(options, run),
         good(run) ? "right" : "wrong");
}

static void print_verdict(const Run &run) {
  if (run.wrong)
    printf("  WRONG in %zu places: [%zu] is %.9g, expected %.9g", run.wrong, run.first_wrong.at,
           run.first_wrong.is, run.first_wrong.expected);
  puts(run.checked ? "" : "  NOT CHECKED");
}

static bool run_rows(const Options *options, bool caches, std::vector<Rate> *rates) {
  const char *theme = "";
  bool right = true, titled = false;
  for (const Listed &listed : table().rows) {
    if (listed.row.caches != caches || !wanted(options, listed.row.name))
      continue;
    if (!options->csv && !titled)
      printf("%s%-34s %8s %8s %8s\n", caches ? "\n" : "",
             caches ? "bound by the CPU's own caches" : "kernel", "ms", "M instr", "G/s/core");
    if (!options->csv && !caches && strcmp(theme, listed.theme))
      printf("-- %s\n", listed.theme);
    theme = listed.theme;
    titled = true;
    Run run(options->repeats);
    int n = options->tiny ? listed.row.tiny : listed.row.n;
    listed.row.run(run, n);
    rates->push_back({rate_of(options, run), listed.row.name});
    if (options->csv) {
      print_csv(options, listed.row.name, listed.theme, n, run);
    } else {
      printf("%-34s %8.1f %8.1f %8.2f", listed.row.name, median(run.seconds) * 1e3,
             run.instructions * 1e-6, rates->back().rate);
      print_verdict(run);
    }
    fflush(stdout);
    right = right && good(run);
  }
  return right;
}

/* At tiny sizes a speed means nothing. */
static bool goal(const Options *options, const char *what, double is, const char *unit,
                 const char *name, bool met, double aim) {
  if (!options->csv && !options->tiny)
    printf("%s %.2f%s%s%s; goal: %s %g: %s\n", what, is, unit, *name ? ", " : "", name,
           *unit == 'x' ? "at most" : "at least", aim, met ? "met" : "MISSED");
  return met;
}

static bool print_goals(const Options *options, std::vector<Rate> rates) {
  std::sort(rates.begin(), rates.end(),
            [](const Rate &a, const Rate &b) { return a.rate < b.rate; });
  std::vector<double> numbers;
  for (const Rate &rate : rates)
    numbers.push_back(rate.rate);
  double middle = median(numbers), slowest = numbers[0];
  if (!options->csv)
    printf("\n%zu kernels\n", rates.size());
  bool met = goal(options, "median ", middle, " G/s/core", "", middle >= MEDIAN_GOAL, MEDIAN_GOAL);
  return goal(options, "slowest", slowest, " G/s/core", rates[0].name, slowest >= SLOWEST_GOAL,
              SLOWEST_GOAL) &&
         met;
}

/* A multiply-add is what the user waits for: a shape that needs more instructions for one is slower
 * for it, whatever the rate. */
static bool run_shapes(const Options *options, bool *met) {
  const Table &all = table();
  int n = options->tiny ? all.tiny_shape_n : all.shape_n;
  double first = NAN, worst = 0, work = (double)n * n * n;
  const char *worst_name = "";
  bool right = true;
  if (!options->csv)
    printf("\n%-34s %8s %8s %8s %8s\n", "tiled product, by shape of the block", "ns/fma",
           "of 32x32", "instr/fma", "G/s/core");
  for (const Shape &shape : all.shapes) {
    Run run(options->repeats);
    shape.run(run, n);
    double seconds = core_seconds(options, run);
    if (std::isnan(first))
      first = seconds;
    if (seconds / first > worst)
      worst = seconds / first, worst_name = shape.name;
    if (options->csv) {
      print_csv(options, shape.name, "shapes", n, run);
    } else {
      printf("  %-32s %8.3f %7.2fx %8.2f %8.2f", shape.name, seconds / work * 1e9, seconds / first,
             run.instructions / work, rate_of(options, run));
      print_verdict(run);
    }
    fflush(stdout);
    right = right && good(run);
  }
  *met = goal(options, "slowest", worst, "x", worst_name, worst <= SHAPE_GOAL, SHAPE_GOAL) && *met;
  return right;
}

int main(int count, char **arguments) {
  Options options = read_options(count, arguments);
  std::vector<Rate> rates, cached;
  bool met = true, right;
  options.workers = set_workers();
  if (options.list) {
    for (const Listed &listed : table().rows)
      printf("%-34s %s%s\n", listed.row.name, listed.theme, listed.row.caches ? ", caches" : "");
    return 0;
  }
  if (options.csv)
    puts("kernel,theme,n,seconds,processor seconds,thread instructions,G/s/core,result");
  right = run_rows(&options, false, &rates);
  right = run_rows(&options, true, &cached) && right;
  bool shapes = !options.only || !strcmp(options.only, "shapes");
  if (rates.empty() && cached.empty() && !shapes) {
    fprintf(stderr, "bench_kernels: no kernel's name contains %s; --list has them\n", options.only);
    return 2;
  }
  if (shapes)
    right = run_shapes(&options, &met) && right;
  if (!options.only)
    met = print_goals(&options, rates) && met;
  if (emulator_report_count && emulator_report_count())
    right = false; // they stand on standard error
  return !right || (options.check && !met);
}
