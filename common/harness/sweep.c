/* Runs the same variants at many sizes, writes one CSV row for each run, and draws the curves.
 *
 * Each result is written to the file immediately. If the sweep is interrupted with ctrl-C, only the
 * current size is lost, and the same command continues the sweep. Large sizes need more work, so
 * the progress line counts operations, not sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

typedef struct Sweep {
  const Options *options;
  Csv csv;
  const Variant *variants[MAX_ROWS];
  int variant_count, bad;
  /* True if the device failed, so that no more runs are possible. */
  bool stopped;
  /* Floating-point operations. */
  double done, total;
} Sweep;

static int range_count(const Range *r) { return (r->last - r->first) / r->step + 1; }

static double operations(const Options *o, int n) {
  int size[MAX_SIZES];
  options_scale(o, n, size);
  return o->problem->flop(size);
}

static void choose_variants(Sweep *s) {
  if (s->options->variant)
    s->variants[s->variant_count++] = s->options->variant;
  else
    for (const Variant *v = s->options->lab->variants; v->name; v++)
      if (options_want(s->options, v))
        s->variants[s->variant_count++] = v;
}

static bool wanted(const Sweep *s, const int *size) {
  for (int i = 0; i < s->variant_count; i++)
    if (!csv_find(&s->csv, s->variants[i]->name, size))
      return true;
  return false;
}

static void complain(Sweep *s, const Result *result, int n) {
  if (s->bad++)
    return;
  printf("size %d, ", n);
  if (result->impossible)
    printf("%s: the time is shorter than this device can reach\n", result->variant->name);
  else
    comparison_print(stdout, result->variant->name, &result->comparison);
}

/* Ends the sweep, because a device that failed executes nothing more for this process. */
static void stop(Sweep *s, const Result *result, int n) {
  s->bad++;
  s->stopped = true;
  printf("stopped at size %d: %s: %s\n", n, result->variant->name,
         cudaGetErrorString(result->error));
}

static void run_size(Sweep *s, int n) {
  const Options *o = s->options;
  int size[MAX_SIZES];
  options_scale(o, n, size);
  if (!wanted(s, size))
    return;
  Instance instance = instance_make(o->problem, size, o->element_bytes, o->recipe);
  if (o->check && isfinite(o->problem->tolerance(&instance)))
    instance_gold(&instance);
  void *output = malloc(operand_bytes(&instance, problem_inputs(o->problem)) + 1);
  if (!output)
    die("out of memory: choose smaller sizes");
  for (int i = 0; i < s->variant_count && !s->stopped; i++) {
    if (csv_find(&s->csv, s->variants[i]->name, size))
      continue;
    Result result = run_variant(s->variants[i], &instance, &o->run, output);
    if (result.error != cudaSuccess) {
      stop(s, &result, n);
      break;
    }
    csv_add(&s->csv, &result, size);
    if (*result_word(&result) && strcmp(result_word(&result), "right") != 0)
      complain(s, &result, n);
  }
  free(output);
  instance_free(&instance);
}

static void run_sizes(Sweep *s) {
  static char what[80];
  const Range *r = &s->options->sweep;
  for (int n = r->first; n <= r->last; n += r->step)
    s->total += operations(s->options, n);
  progress_begin("sweep");
  for (int n = r->first, i = 1; n <= r->last; n += r->step, i++) {
    snprintf(what, sizeof what, "size %d, %d of %d", n, i, range_count(r));
    progress_set(what, s->done / s->total);
    run_size(s, n);
    s->done += operations(s->options, n);
    if (s->stopped || n > r->last - r->step) /* n + step might overflow */
      break;
  }
  progress_end();
}

/* ---- the curves ------------------------------------------------------------------------------ */

/* Returns the measured time. On a device without times, returns the predicted time of a kernel,
 * which is the first measure. */
static double time_of(const CsvRow *row) {
  return isnan(row->time) && !device_has_time ? row->measures[0] : row->time;
}

/* Returns the measure with this heading; NaN if the device or the variant does not have it. */
static double measure(const CsvRow *row, const char *heading) {
  for (int i = 0; device_measure_names[i].name; i++)
    if (!strcmp(device_measure_names[i].name, heading))
      return row->measures[i];
  return NAN;
}

static double sectors_of(const CsvRow *row) {
  return measure(row, "global loads") * measure(row, "sectors/load");
}

static double wavefronts_of(const CsvRow *row) {
  return measure(row, "shared loads") * measure(row, "waves/load");
}

typedef double (*Value)(const CsvRow *);

/* Returns the curve of a variant: the value as a function of the size. */
static Series series(const Sweep *s, const Variant *variant, int colour, Value value_of) {
  const Range *r = &s->options->sweep;
  size_t room = (size_t)range_count(r), bytes = room * sizeof(double);
  Series out = {variant->name, malloc(bytes), malloc(bytes), 0, (unsigned)colour};
  if (!out.x || !out.y)
    die("out of memory: choose a shorter sweep");
  for (size_t i = 0; i < room; i++) {
    int n = r->first + (int)i * r->step, size[MAX_SIZES];
    options_scale(s->options, n, size);
    const CsvRow *row = csv_find(&s->csv, variant->name, size);
    double value = row ? value_of(row) : NAN;
    if (!(value > 0))
      continue;
    out.x[out.count] = n;
    out.y[out.count++] = value;
  }
  return out;
}

/* Returns a panel with the curves that have at least one point. On linear axes, the CPU is omitted
 * if the device has no times: a CPU takes seconds, and predicted times of microseconds would not be
 * visible beside them. */
static Panel panel(const Sweep *s, const char *title, const char *unit, Value value,
                   bool logarithmic) {
  Panel p = {.title = title, .x_label = "size", .y_label = unit, .logarithmic = logarithmic};
  p.series = calloc((size_t)s->variant_count, sizeof *p.series);
  for (int i = 0; p.series && i < s->variant_count; i++) {
    bool left_out = !logarithmic && !device_has_time && s->variants[i]->place == PLACE_CPU;
    Series one = series(s, s->variants[i], i, value);
    if (one.count && !left_out) {
      p.series[p.count++] = one;
    } else {
      free(one.x);
      free(one.y);
    }
  }
  return p;
}

static void panel_free(Panel *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->series[i].x);
    free(p->series[i].y);
  }
  free(p->series);
}

/* Moves the panels that have a curve to the front, frees the other panels, and returns the number
 * of remaining panels. */
static size_t with_points(Panel *panels, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (panels[i].count)
      panels[kept++] = panels[i];
    else
      panel_free(&panels[i]);
  return kept;
}

/* Draws the times on the terminal with logarithmic axes, on which fast and slow variants differ
 * visibly at all sizes. The image file shows every panel. */
static void draw(const Sweep *s) {
  Panel panels[] = {
      panel(s,
            device_has_time ? "time, logarithmic axes"
                            : "CPU: measured time; kernels: predicted time; logarithmic axes",
            "ms", time_of, true),
      panel(s, device_has_time ? "time" : "kernels: predicted time", "ms", time_of, false),
      panel(s, "sectors loaded from global memory", "sectors", sectors_of, true),
      panel(s, "wavefronts of loads from shared memory", "wavefronts", wavefronts_of, true)};
  bool timed = panels[0].count;
  size_t count = with_points(panels, sizeof panels / sizeof *panels);
  const char *complaint = NULL;
  if (timed)
    complaint = plot_draw(s->options->lab->title, panels, 1, NULL);
  if (timed && !complaint && s->options->plot)
    complaint = plot_draw(s->options->lab->title, panels, count, s->options->plot);
  if (complaint)
    printf("%s\n", complaint);
  else if (timed && s->options->plot)
    printf("  picture  %s\n", s->options->plot);
  for (size_t i = 0; i < count; i++)
    panel_free(&panels[i]);
}

static void announce_parting(const Options *o) {
  static char parting[400];
  snprintf(parting, sizeof parting,
           o->csv ? "\nstopped: finished sizes are in %s; the same command continues\n"
                  : "\nstopped: nothing is kept without --csv%s\n",
           o->csv ? o->csv : "");
  progress_parting(parting);
}

int sweep(const Options *o) {
  Sweep s = {.options = o, .csv = csv_open(o->csv, o)};
  double begin = timing_now();
  size_t there = s.csv.count;
  for (size_t i = 0; i < there; i++)
    s.bad += s.csv.rows[i].failed;
  int wrong = s.bad;
  choose_variants(&s);
  announce_parting(o);
  run_sizes(&s);
  progress_parting(NULL);
  if (there)
    printf("%zu rows were in the file already, and %d of them are wrong\n", there, wrong);
  printf("%d sizes, %d variants, %.1f s: %s\n", range_count(&o->sweep), s.variant_count,
         (timing_now() - begin) / 1e3, s.bad ? "not all right" : "all done");
  if (s.bad > 1)
    printf("%d results are wrong\n", s.bad);
  draw(&s);
  for (const Legend *line = device_legend; line->text; line++)
    if (*line->text == '?')
      printf("  %s\n", line->text);
  if (o->run.no_counters && !device_has_time)
    printf("  counters and predicted times are shown after you fill in your predictions\n");
  if (o->csv)
    printf("  numbers  %s\n", o->csv);
  csv_close(&s.csv);
  return s.bad ? 1 : 0;
}
