/* Runs one variant: copies the operands, poisons the output, measures the time, and compares the
 * result. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "harness.h"

/* Checks the number and size of a kernel's parameters. Each kernel is checked only once, because
 * launches are timed. CUDA runtimes before 12.4 cannot list the parameters. */
static void check_parameters(const void *kernel, int pointers, int numbers) {
#if CUDART_VERSION >= 12040
  enum { KNOWN_MOST = 32 };
  static const void *known[KNOWN_MOST];
  static int known_count;
  size_t offset, bytes;
  for (int i = 0; i < known_count; i++)
    if (known[i] == kernel)
      return;
  for (int i = 0; cudaFuncGetParamInfo(kernel, (size_t)i, &offset, &bytes) == cudaSuccess; i++)
    if (i >= pointers + numbers || bytes > (i < pointers ? sizeof(void *) : sizeof(int)))
      die(OTHER_PARAMETERS ": it has more than %d pointers and %d ints", pointers, numbers);
  cudaGetLastError(); /* clears the error of the last call */
  if (known_count < KNOWN_MOST)
    known[known_count++] = kernel;
#else
  (void)kernel, (void)pointers, (void)numbers;
#endif
}

cudaError_t launch_kernel(const void *kernel, dim3 grid, dim3 block, size_t shared,
                          void **arguments, int pointers, int numbers) {
  check_parameters(kernel, pointers, numbers);
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, NULL);
}

cudaError_t run_launch(const Run *run, const void *kernel, dim3 grid, dim3 block, size_t shared) {
  void *arguments[MAX_OPERANDS + MAX_SIZES];
  const Problem *problem = run->instance->problem;
  int pointers = problem_inputs(problem) + 1, numbers = problem_sizes(problem);
  for (int i = 0; i < pointers; i++)
    arguments[i] = (void *)&run->operand[i];
  for (int i = 0; i < numbers; i++)
    arguments[pointers + i] = (void *)&run->size[i];
  return launch_kernel(kernel, grid, block, shared, arguments, pointers, numbers);
}

bool place_is_device(Place place) { return place == PLACE_DEVICE || place == PLACE_TENSOR; }

/* Copies the inputs to the device and poisons the output. */
static cudaError_t to_device(const Instance *instance, Run *run) {
  cudaError_t error = cudaSuccess;
  int output = problem_inputs(instance->problem);
  for (int i = 0; i <= output; i++) {
    const char *name = instance->problem->operands[i].name;
    size_t bytes = operand_bytes(instance, i);
    TRY(error, cudaMalloc(&run->operand[i], bytes));
    if (error != cudaSuccess)
      return error;
    device_name_buffer(run->operand[i], name, operand_shape(instance->problem, instance->size, i),
                       instance->element_bytes);
    error = i == output
                ? device_poison(run->operand[i], bytes)
                : cudaMemcpy(run->operand[i], instance->operand[i], bytes, cudaMemcpyHostToDevice);
  }
  return error;
}

static void take_measures(const RunOptions *options, Result *result) {
  if (options->no_counters)
    return;
  result->measure_count = device_measures(result->measures);
  result->limit = device_limit();
}

/* Measures the times. The checker asks for several rounds, so that it can measure another program
 * between two rounds. The roof is measured in the first round. */
static void time_in_turns(const Variant *variant, const Run *run, int repeats,
                          const RunOptions *options, Result *result) {
  int rounds = options->rounds ? options->rounds : 1;
  for (int round = 0; round < rounds && result->error == cudaSuccess; round++) {
    turn_take(TURN_ALONE);
    if (round == 0 && options->roof)
      device_roof(run->instance->element_bytes);
    if (place_is_device(variant->place))
      device_time(variant->run, run, repeats, &result->timing, &result->error);
    else
      timing_run(variant->run, run, repeats, repeats, &result->timing, &result->error);
    turn_leave();
  }
}

/* Runs a variant on the device. The result of the first run is compared. The timed runs follow,
 * when the device is warm. */
static void run_on_device(const Variant *variant, const Instance *instance, Run *run, int repeats,
                          const RunOptions *options, Result *result, void *output) {
  int last = problem_inputs(instance->problem);
  cudaGetLastError(); /* clears the error of an earlier variant */
  result->error = to_device(instance, run);
  device_reset_measures();
  TRY(result->error, variant->run(run));
  TRY(result->error, cudaGetLastError());
  TRY(result->error, cudaMemcpy(output, run->operand[last], operand_bytes(instance, last),
                                cudaMemcpyDeviceToHost));
  take_measures(options, result);
  if (repeats)
    time_in_turns(variant, run, repeats, options, result);
  for (int i = 0; i <= last; i++)
    cudaFree(run->operand[i]);
}

static void run_round_trip(const Variant *variant, const Run *run, int repeats,
                           const RunOptions *options, Result *result) {
  cudaGetLastError();
  device_reset_measures();
  /* Only the error that the variant returns counts. If cudaGetLastError were called here, a variant
   * that ignores an error would fail as if it had returned this error. */
  TRY(result->error, variant->run(run));
  take_measures(options, result);
  if (device_has_time && repeats)
    time_in_turns(variant, run, repeats, options, result);
}

/* CPU times below SHORT_MS milliseconds vary strongly, so such a variant is run SHORT_REPEATS more
 * times. */
enum { SHORT_MS = 5, SHORT_REPEATS = 20 };

static int repeats_of(const Variant *variant, const Problem *problem, const RunOptions *options) {
  const int device = problem->averaged ? problem->averaged : 15, cpu = 3;
  if (options->no_time)
    return variant->place == PLACE_CPU ? 1 : 0;
  return options->repeats ? options->repeats : variant->place == PLACE_CPU ? cpu : device;
}

/* Returns the median or the mean of the times. The default is the mean if the problem sets
 * `averaged`, because the article with which its results are compared reports means. */
static double one_number(const Variant *variant, const Problem *problem, Statistic statistic,
                         Timing timing) {
  /* `timing` is passed by value, so sorting it does not change the caller's copy. */
  bool mean = statistic == STATISTIC_MEAN || (statistic == STATISTIC_USUAL && problem->averaged &&
                                              place_is_device(variant->place));
  if (!timing.count)
    return NAN;
  return mean ? timing_mean(timing.times, timing.count) : timing_median(timing.times, timing.count);
}

/* Compares a time of the device with the roof, and sets `least`, `share` and `impossible`. */
static void hold_against_roof(const Instance *instance, const RunOptions *options, Result *result) {
  Demand demand = roof_demand(instance, result->variant->place == PLACE_TENSOR);
  if (!device_has_time || result->variant->place == PLACE_CPU || result->error != cudaSuccess ||
      isnan(result->time) || (options->rounds && !options->roof))
    return;
  const Roof *roof = device_roof(instance->element_bytes);
  result->least = roof_least(roof, &demand);
  result->share = roof_share(roof, &demand, result->time);
  result->impossible = !roof_possible(roof, &demand, result->time);
}

Result run_variant(const Variant *variant, const Instance *instance, const RunOptions *options,
                   void *output) {
  const Problem *problem = instance->problem;
  int repeats = repeats_of(variant, problem, options);
  Result result = {
      .variant = variant, .time = NAN, .least = NAN, .bytes = NAN, .bandwidth = NAN, .share = NAN};
  Run run = {.instance = instance, .threads = options->threads};
  int last = problem_inputs(instance->problem);
  memcpy(run.size, instance->size, sizeof run.size);
  matrix_poison(output, operand_bytes(instance, last));
  if (!place_is_device(variant->place)) {
    memcpy(run.operand, instance->operand, sizeof run.operand);
    run.operand[last] = output;
  }
  device_host_operands(&run, variant->place == PLACE_ROUND_TRIP);
  progress_begin(variant->name);
  switch (variant->place) {
  case PLACE_CPU:
    timing_run(variant->run, &run, 1, repeats, &result.timing, &result.error);
    if (!options->repeats && !options->no_time && result.timing.times[0] < SHORT_MS)
      timing_run(variant->run, &run, SHORT_REPEATS, SHORT_REPEATS, &result.timing, &result.error);
    break;
  case PLACE_DEVICE:
  case PLACE_TENSOR:
    run_on_device(variant, instance, &run, repeats, options, &result, output);
    break;
  case PLACE_ROUND_TRIP:
    run_round_trip(variant, &run, repeats, options, &result);
    break;
  }
  if (!options->no_time)
    result.time = one_number(variant, problem, options->statistic, result.timing);
  hold_against_roof(instance, options, &result);
  if (problem->bytes)
    result.bytes = problem->bytes(instance->size, instance->element_bytes);
  if (place_is_device(variant->place))
    result.bandwidth = device_peak_bandwidth();
  progress_end();
  if (instance->gold && isfinite(instance->problem->tolerance(instance))) {
    Shape shape = operand_shape(instance->problem, instance->size, last);
    result.checked = true;
    result.comparison = compare(output, instance->element_bytes, instance->gold, shape,
                                instance->problem->tolerance(instance));
    if (problem->absolute > 0)
      comparison_absolute(&result.comparison, output, instance->element_bytes, instance->gold,
                          problem->absolute);
  }
  return result;
}
