/* A real GPU: times, by its own clock. */
#ifndef LOCKSTEP_EMULATED
#include <math.h>

#include "harness.h"

const bool device_has_time = true;

const char *device_description(void) {
  static struct cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return "no CUDA device";
  return properties.name;
}

void device_choose_banks(int bytes) {
  die("--banks %d: a GPU's banks are as they are; DEVICE=emulated has both widths", bytes);
}

void device_name_buffer(void *address, const char *name, Shape shape, size_t element_bytes) {
  (void)address, (void)name, (void)shape, (void)element_bytes;
}

cudaError_t device_poison(void *address, size_t bytes) { return cudaMemset(address, 0xff, bytes); }

void device_reset_measures(void) {}

const char *const device_measure_names[] = {NULL};

int device_measures(double measures[MAX_MEASURES]) {
  (void)measures;
  return 0;
}

cudaError_t device_memory(size_t *bytes, size_t *free) { return cudaMemGetInfo(free, bytes); }

/* Both attributes speak of one edge of the clock; data travels on both. */
double device_peak_bandwidth(void) {
  int kilohertz = 0, bits = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess)
    return NAN;
  return kilohertz && bits ? 2.0 * kilohertz * bits / 8 : NAN;
}

/* Writes over the whole level-2 cache, so that each run finds its data in memory, as a first run
 * would. */
static cudaError_t flush_cache(void *scratch, size_t bytes) {
  return scratch ? cudaMemsetAsync(scratch, 0, bytes, NULL) : cudaSuccess;
}

static double time_once(RunFunction f, const Run *run, cudaEvent_t begin, cudaEvent_t end,
                        cudaError_t *error) {
  float milliseconds = NAN;
  TRY(*error, cudaEventRecord(begin, NULL));
  TRY(*error, f(run));
  TRY(*error, cudaEventRecord(end, NULL));
  TRY(*error, cudaEventSynchronize(end));
  TRY(*error, cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}

double device_time(RunFunction f, const Run *run, int repeats, cudaError_t *error) {
  enum { MOST = 1000 };
  double times[MOST];
  int cache_bytes = 0, count = repeats < MOST ? repeats : MOST;
  void *scratch = NULL;
  cudaEvent_t begin = NULL, end = NULL;
  TRY(*error, cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0));
  TRY(*error, cudaMalloc(&scratch, 2 * (size_t)cache_bytes + 1));
  TRY(*error, cudaEventCreate(&begin));
  TRY(*error, cudaEventCreate(&end));
  for (int i = 0; i < count; i++) {
    TRY(*error, flush_cache(scratch, 2 * (size_t)cache_bytes + 1));
    times[i] = time_once(f, run, begin, end, error);
  }
  if (begin)
    cudaEventDestroy(begin);
  if (end)
    cudaEventDestroy(end);
  cudaFree(scratch);
  if (*error != cudaSuccess)
    return NAN;
  return run->instance->problem->averaged ? timing_mean(times, count) : timing_median(times, count);
}

#endif
