/* Time on the CPU. Medians, unless a problem asks for averages: one disturbed run must not move the
 * result. */
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

double timing_run(RunFunction f, const Run *run, int repeats, cudaError_t *error) {
  enum { MOST = 1000 };
  const double enough = 2000;
  double times[MOST], begin = timing_now();
  int count = 0;
  do {
    double start = timing_now();
    TRY(*error, f(run));
    times[count++] = timing_now() - start;
  } while (*error == cudaSuccess && count < repeats && count < MOST &&
           timing_now() - begin < enough);
  return timing_median(times, count);
}
