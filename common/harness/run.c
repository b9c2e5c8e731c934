/* Runs one variant where it belongs: the copies, the poison, the clock. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "harness.h"

cudaError_t run_launch(const Run *run, const void *kernel, dim3 grid, dim3 block, size_t shared) {
  void *arguments[MAX_OPERANDS + MAX_SIZES];
  const Problem *problem = run->instance->problem;
  int count = 0;
  for (int i = 0; i <= problem_inputs(problem); i++)
    arguments[count++] = (void *)&run->operand[i];
  for (int i = 0; i < problem_sizes(problem); i++)
    arguments[count++] = (void *)&run->size[i];
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, NULL);
}

/* Device copies of the inputs, and poison for the output. */
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

/* The first run is the one that is checked; those that are timed come after it, on a warm device.
 */
static void run_on_device(const Variant *variant, const Instance *instance, Run *run, int repeats,
                          Result *result, void *output) {
  int last = problem_inputs(instance->problem);
  cudaGetLastError(); /* what an earlier variant left behind */
  result->error = to_device(instance, run);
  device_reset_measures();
  TRY(result->error, variant->run(run));
  TRY(result->error, cudaGetLastError());
  TRY(result->error, cudaMemcpy(output, run->operand[last], operand_bytes(instance, last),
                                cudaMemcpyDeviceToHost));
  result->measure_count = device_measures(result->measures);
  result->time = device_time(variant->run, run, repeats, &result->error);
  for (int i = 0; i <= last; i++)
    cudaFree(run->operand[i]);
}

static void run_round_trip(const Variant *variant, const Run *run, int repeats, Result *result) {
  cudaGetLastError();
  device_reset_measures();
  /* Only what it returns counts: looking after an error it kept quiet about would hide that it did.
   */
  TRY(result->error, variant->run(run));
  result->measure_count = device_measures(result->measures);
  if (device_has_time)
    result->time = timing_run(variant->run, run, repeats, &result->error);
}

Result run_variant(const Variant *variant, const Instance *instance, int threads, int repeats,
                   void *output) {
  const Problem *problem = instance->problem;
  const int device_repeats = problem->averaged ? problem->averaged : 15, cpu_repeats = 3;
  Result result = {.variant = variant, .time = NAN, .bytes = NAN, .bandwidth = NAN};
  Run run = {.instance = instance, .threads = threads};
  int last = problem_inputs(instance->problem);
  memcpy(run.size, instance->size, sizeof run.size);
  matrix_poison(output, operand_bytes(instance, last));
  if (variant->place != PLACE_DEVICE) {
    memcpy(run.operand, instance->operand, sizeof run.operand);
    run.operand[last] = output;
  }
  progress_begin(variant->name);
  switch (variant->place) {
  case PLACE_CPU:
    result.time = timing_run(variant->run, &run, repeats ? repeats : cpu_repeats, &result.error);
    break;
  case PLACE_DEVICE:
    run_on_device(variant, instance, &run, repeats ? repeats : device_repeats, &result, output);
    break;
  case PLACE_ROUND_TRIP:
    run_round_trip(variant, &run, repeats ? repeats : device_repeats, &result);
    break;
  }
  if (problem->bytes)
    result.bytes = problem->bytes(instance->size, instance->element_bytes);
  if (variant->place == PLACE_DEVICE)
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
