/* Implements the functions that depend on the device for a real GPU. They measure times with CUDA
 * events, and the GPU's ceilings in the same run. The clock rates of the GPU are not changed. */
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

bool device_fails_on_purpose(void) { return false; }

void device_choose_banks(int bytes) {
  die("--banks %d: the bank width of a GPU is fixed; DEVICE=emulated has both widths", bytes);
}

void device_name_buffer(void *address, const char *name, Shape shape, size_t element_bytes) {
  (void)address, (void)name, (void)shape, (void)element_bytes;
}

cudaError_t device_poison(void *address, size_t bytes) { return cudaMemset(address, 0xff, bytes); }

void device_reset_measures(void) {}

const Legend device_legend[] = {{NULL, NULL}};
const MeasureName device_measure_names[] = {{NULL, NULL}};

const char *device_limit(void) { return ""; }

int device_measures(double measures[MAX_MEASURES]) {
  (void)measures;
  return 0;
}

cudaError_t device_memory(size_t *bytes, size_t *free) { return cudaMemGetInfo(free, bytes); }

void device_host_operands(const Run *run, bool on_host) { (void)run, (void)on_host; }

/* Computes the peak from the clock rate and the width of the memory bus. Data is transferred on
 * both edges of the clock, hence the factor 2. */
double device_peak_bandwidth(void) {
  int kilohertz = 0, bits = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess)
    return NAN;
  return kilohertz && bits ? 2.0 * kilohertz * bits / 8 : NAN;
}

/* Defined in ceilings.cu. */
cudaError_t ceiling_read(const void *data, size_t bytes, void *sink);
cudaError_t ceiling_multiply_add(size_t element_bytes, void *sink, double *flop);
cudaError_t ceiling_tensor(void *sink, double *flop);

/* ---- time ------------------------------------------------------------------------------------ */

typedef struct Clock {
  cudaEvent_t begin, end;
  /* Two buffers, each twice the size of the level-2 cache. */
  void *written, *read;
  size_t bytes;
} Clock;

static cudaError_t clock_make(Clock *clock) {
  int cache_bytes = 0;
  *clock = (Clock){0};
  cudaError_t error = cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0);
  clock->bytes = 2 * (size_t)cache_bytes + 16;
  TRY(error, cudaMalloc(&clock->written, clock->bytes));
  TRY(error, cudaMalloc(&clock->read, clock->bytes));
  TRY(error, cudaMemset(clock->read, 0, clock->bytes));
  TRY(error, cudaEventCreate(&clock->begin));
  TRY(error, cudaEventCreate(&clock->end));
  return error;
}

static void clock_free(Clock *clock) {
  if (clock->begin)
    cudaEventDestroy(clock->begin);
  if (clock->end)
    cudaEventDestroy(clock->end);
  cudaFree(clock->written);
  cudaFree(clock->read);
}

/* The work whose time is measured: a variant, or a kernel of ceilings.cu. */
typedef struct Launch {
  cudaError_t (*start)(const struct Launch *);
  /* Used if `start` runs a variant. */
  RunFunction run;
  const Run *what;
  /* Used if `start` measures a ceiling. */
  size_t element_bytes;
  void *from, *to;
  size_t bytes;
  double *flop;
} Launch;

/* Flushes the caches, so that each run reads its data from memory as a first run would, and starts
 * with a clean level-2 cache. Dirty lines would be written back during the measured time. On an
 * H200, lab 05's `vector` at 4096 wrote back 22 MB of dirty lines and took 26.5 us instead of 20.7;
 * its `expert`, whose loads bypass the cache, took 21.9 instead of 19.7. Therefore reads follow the
 * write and evict the dirty lines. After the reads, Nsight Compute shows only 0.1 MB of
 * write-backs. */
static cudaError_t flush(const Clock *clock) {
  cudaError_t error = cudaMemsetAsync(clock->written, 0, clock->bytes, NULL);
  for (int i = 0; i < 2; i++)
    TRY(error, ceiling_read(clock->read, clock->bytes, clock->written));
  return error;
}

static double time_once(const Launch *launch, const Clock *clock, cudaError_t *error) {
  float milliseconds = NAN;
  TRY(*error, flush(clock));
  TRY(*error, cudaEventRecord(clock->begin, NULL));
  TRY(*error, launch->start(launch));
  TRY(*error, cudaEventRecord(clock->end, NULL));
  TRY(*error, cudaEventSynchronize(clock->end));
  TRY(*error, cudaEventElapsedTime(&milliseconds, clock->begin, clock->end));
  return milliseconds;
}

/* An idle GPU lowers its clock rates and needs time to raise them. If `awake`, the GPU was busy
 * just before, and two runs are enough. */
static void warm_up(const Launch *launch, const Clock *clock, bool awake, cudaError_t *error) {
  const int least = 2, most = 100;
  const double enough = awake ? 0 : 50;
  double begin = timing_now();
  for (int i = 0; i < most && (i < least || timing_now() - begin < enough); i++)
    time_once(launch, clock, error);
}

static void time_launch(const Launch *launch, int repeats, Timing *timing, cudaError_t *error) {
  Clock clock;
  TRY(*error, clock_make(&clock));
  if (*error != cudaSuccess)
    return;
  warm_up(launch, &clock, timing->count > 0, error);
  for (int i = 0; i < repeats && *error == cudaSuccess; i++)
    timing_add(timing, time_once(launch, &clock, error));
  clock_free(&clock);
  if (*error != cudaSuccess)
    timing->count = 0;
}

static cudaError_t start_variant(const Launch *l) { return l->run(l->what); }

void device_time(RunFunction f, const Run *run, int repeats, Timing *timing, cudaError_t *error) {
  Launch launch = {.start = start_variant, .run = f, .what = run};
  time_launch(&launch, repeats, timing, error);
}

/* ---- ceilings -------------------------------------------------------------------------------- */

static cudaError_t start_copy(const Launch *l) {
  return cudaMemcpyAsync(l->to, l->from, l->bytes, cudaMemcpyDeviceToDevice, NULL);
}
static cudaError_t start_read(const Launch *l) { return ceiling_read(l->from, l->bytes, l->to); }
static cudaError_t start_multiply_add(const Launch *l) {
  return ceiling_multiply_add(l->element_bytes, l->to, l->flop);
}
static cudaError_t start_tensor(const Launch *l) { return ceiling_tensor(l->to, l->flop); }

/* Returns the median time of the kernel that `start` launches to measure a ceiling; NaN if this GPU
 * cannot execute the kernel. */
static double ceiling_time(Launch launch, cudaError_t (*start)(const Launch *)) {
  const int repeats = 15;
  static Timing timing;
  cudaError_t error = cudaSuccess;
  timing.count = 0;
  launch.start = start;
  time_launch(&launch, repeats, &timing, &error);
  cudaGetLastError();
  return timing_quantile(timing.times, timing.count, 0.5);
}

static double not_none(double rate) { return rate > 0 ? rate : NAN; }

/* Returns the size of the buffers that are copied: 1 GiB, or an eighth of the free memory if that
 * is less. The size must be much larger than the cache. */
static size_t copied_bytes(void) {
  const size_t most = (size_t)1 << 30;
  size_t bytes = 0, free = 0;
  if (cudaMemGetInfo(&free, &bytes) != cudaSuccess)
    return 0;
  return (free / 8 < most ? free / 8 : most) / 256 * 256;
}

static Roof measure_roof(size_t element_bytes) {
  double flop = 0;
  Launch launch = {.element_bytes = element_bytes, .bytes = copied_bytes(), .flop = &flop};
  Roof roof = {NAN, NAN, NAN, NAN};
  double bytes = (double)launch.bytes;
  cudaError_t error = cudaMalloc(&launch.from, launch.bytes);
  TRY(error, cudaMalloc(&launch.to, launch.bytes));
  TRY(error, cudaMemset(launch.from, 1, launch.bytes));
  if (error == cudaSuccess) {
    roof.copy = 2 * bytes / ceiling_time(launch, start_copy); /* bytes read + written */
    roof.read = bytes / ceiling_time(launch, start_read);
    roof.rate = ceiling_time(launch, start_multiply_add);
    roof.rate = flop / roof.rate;
    if (element_bytes == sizeof(double)) {
      roof.tensor = ceiling_time(launch, start_tensor);
      roof.tensor = not_none(flop / roof.tensor);
    }
  }
  cudaGetLastError();
  cudaFree(launch.from);
  cudaFree(launch.to);
  return roof;
}

/* Called after the first variant, when the GPU is warm. Later calls return the same ceilings. */
const Roof *device_roof(size_t element_bytes) {
  static Roof roof;
  static size_t measured;
  if (measured != element_bytes) {
    progress_begin("ceilings");
    roof = measure_roof(element_bytes);
    progress_end();
  }
  measured = element_bytes;
  return &roof;
}

#endif
