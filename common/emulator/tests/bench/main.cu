/* Measures the speed of the emulated device on kernels that are typical of courses and books. There
 * are three tables: all kernels, in thread instructions per second and core; the kernels whose
 * speed the CPU's caches limit; and one matrix product with several block shapes.
 *
 * Exits with status 1 if a result is wrong or the device reports a mistake. Missed goals give
 * status 1 only with --check. If the program is linked with cudart, it checks the results and
 * prints only times. */
#include "bench.h"
#include "options.h"
#include "../../emulator.h"
#include <algorithm>
#include <ctime>

/* The declarations are weak, because cudart does not define these functions. */
extern "C" __attribute__((weak)) int emulator_counters(const char *, EmulatorCounters *);
extern "C" __attribute__((weak)) void emulator_reset_counters(void);
extern "C" __attribute__((weak)) uint64_t emulator_report_count(void);

static const double MEDIAN_GOAL = 3, SLOWEST_GOAL = 0.3, SHAPE_GOAL = 1.5;

/* ---- the rows of all files, in the order of the files ---------------------------------------- */
struct Listed {
  const char *theme;
  Row row;
};
struct Table { /* created on first use, because static objects of other files register rows */
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
static double wall_begin, processor_begin, wall_sum, processor_sum;

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
  wall_sum += wall;
  processor_sum += work;
  if (emulator_counters)
    emulator_counters(NULL, &counters);
  instructions = (double)counters.thread_instructions;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

/* ---- the tables ------------------------------------------------------------------------------ */
struct Rate {
  double rate;
  const char *name;
};

/* Prints the percentage of the time in which the workers ran on a core. If it is far below 100, all
 * rates are too low. */
static void print_share(const Options *options) {
  double share = processor_sum / wall_sum / options->workers;
  printf("Medians of %d launches, %d worker%s, which had a core for %.0f %% of the time%s.\n",
         options->repeats, options->workers, options->workers == 1 ? "" : "s", 100 * share,
         share > 0.9 || options->processor
             ? ""
             : ": where others work here too, --processor is the truer number");
}

/* Returns the median time in seconds that one core would have taken. */
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

/* Prints whether a goal is met. With --tiny it prints nothing, because the speeds of tiny kernels
 * are meaningless. */
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

/* Prints multiply-adds per second for each block shape. This rate, not the rate of instructions, is
 * the speed that users notice: some shapes need more instructions per multiply-add. The first shape
 * runs again before each other shape, so that both are measured under the same load. The ratio of
 * the first shape to itself shows the noise. */
static bool run_shapes(const Options *options, bool *met) {
  const Table &all = table();
  int n = options->tiny ? all.tiny_shape_n : all.shape_n;
  double worst = 0, work = (double)n * n * n;
  const char *worst_name = "";
  bool right = true;
  if (!options->csv)
    printf("\n%-34s %8s %8s %8s %8s\n", "tiled product, by shape of the block", "ns/fma",
           "of 32x32", "instr/fma", "G/s/core");
  for (const Shape &shape : all.shapes) {
    Run first(options->repeats), run(options->repeats);
    all.shapes[0].run(first, n);
    shape.run(run, n);
    double seconds = core_seconds(options, run), ratio = seconds / core_seconds(options, first);
    if (ratio > worst)
      worst = ratio, worst_name = shape.name;
    if (options->csv) {
      print_csv(options, shape.name, "shapes", n, run);
    } else {
      printf("  %-32s %8.3f %7.2fx %8.2f %8.2f", shape.name, seconds / work * 1e9, ratio,
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
  if (!options.csv && !options.tiny && emulator_counters)
    print_share(&options);
  if (emulator_report_count && emulator_report_count())
    right = false; // the reports are on standard error
  return !right || (options.check && !met);
}
