/* Measures the times of several runs and computes statistics. The median is the default, because
 * one disturbed run must not change the result. The quartiles show how much the times scatter. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "harness.h"

double timing_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double timing_median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_value);
  return count % 2 ? times[count / 2] : (times[count / 2 - 1] + times[count / 2]) / 2;
}

double timing_mean(const double *times, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += times[i];
  return sum / count;
}

double timing_quantile(double *times, int count, double part) {
  if (count < 1)
    return NAN;
  qsort(times, (size_t)count, sizeof *times, by_value);
  double place = part * (count - 1);
  int below = (int)place, above = below + 1 < count ? below + 1 : below;
  return times[below] + (place - below) * (times[above] - times[below]);
}

/* Returns NaN for fewer than 5 runs, whose quartiles are meaningless. */
double timing_spread(Timing *timing) {
  const int fewest = 5;
  if (timing->count < fewest)
    return NAN;
  return (timing_quantile(timing->times, timing->count, 0.75) -
          timing_quantile(timing->times, timing->count, 0.25)) /
         timing_quantile(timing->times, timing->count, 0.5);
}

void timing_add(Timing *timing, double time) {
  if (timing->count < MOST_REPEATS)
    timing->times[timing->count++] = time;
}

void timing_run(RunFunction f, const Run *run, int least, int most, Timing *timing,
                cudaError_t *error) {
  const double enough = 2000;
  const int before = timing->count;
  double begin = timing_now();
  do {
    double start = timing_now();
    TRY(*error, f(run));
    timing_add(timing, timing_now() - start);
  } while (*error == cudaSuccess && timing->count < before + most && timing->count < MOST_REPEATS &&
           (timing->count < before + least || timing_now() - begin < enough));
}

/* The file is text with one number per line. It is written completely or not at all. */
const char *timing_write(const char *path, const Timing *timing, double least) {
  static char line[300];
  char fresh[4096];
  bool direct = output_in_place(path);
  snprintf(fresh, sizeof fresh, direct ? "%s" : "%s.new", path);
  FILE *file = fopen(fresh, "w");
  bool good = file && fputs("LOCKSTEP times, ms\n", file) >= 0 &&
              (isnan(least) || fprintf(file, "at least %.9g\n", least) > 0);
  for (int i = 0; good && i < timing->count; i++)
    good = fprintf(file, "%.9g\n", timing->times[i]) > 0;
  if (file && fclose(file))
    good = false;
  if (good && (direct || rename(fresh, path) == 0))
    return NULL;
  snprintf(line, sizeof line, "--times %.200s: cannot be written", path);
  return line;
}
