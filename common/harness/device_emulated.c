/* The device-dependent functions for the emulated device. This device counts instructions and
 * memory traffic, and its times are predicted, not measured. */
#ifdef LOCKSTEP_EMULATED
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator/emulator.h"
#include "../emulator/prediction_error.h"
#include "../emulator/state/settings.h"
#include "harness.h"

const bool device_has_time = false;

static uint64_t reports_before;

const char *device_description(void) {
  static char text[400];
  const char *banks = getenv("LOCKSTEP_BANKS"), *card = getenv("LOCKSTEP_CARD");
  snprintf(text, sizeof text,
           "emulated device (%.40s%s): it counts what kernels do and predicts their time",
           card && *card ? card : "h200",
           banks && !strcmp(banks, "8") ? " with banks of 8 bytes" : "");
  return text;
}

bool device_fails_on_purpose(void) { return machine_settings()->fail > 0; }

/* The device reads LOCKSTEP_BANKS at the first CUDA call of the program. */
void device_choose_banks(int bytes) { setenv("LOCKSTEP_BANKS", bytes == 8 ? "8" : "4", 1); }

void device_name_buffer(void *address, const char *name, Shape shape, size_t element_bytes) {
  emulator_name(address, name, shape.rows, shape.columns, element_bytes);
}

/* Does nothing, because the emulated device itself tracks which bytes were written. Poison that is
 * copied to the device would count as written. */
cudaError_t device_poison(void *address, size_t bytes) {
  (void)address, (void)bytes;
  return cudaSuccess;
}

void device_host_operands(const Run *run, bool on_host) {
  const Instance *instance = run->instance;
  int output = problem_inputs(instance->problem);
  emulator_operands_forget();
  for (int i = 0; on_host && i <= output; i++)
    emulator_operand(run->operand[i], operand_bytes(instance, i), instance->element_bytes,
                     i == output);
}

void device_reset_measures(void) {
  emulator_reset_counters();
  reports_before = emulator_report_count();
}

static double per(uint64_t count, uint64_t requests) {
  return requests ? (double)count / (double)requests : NAN;
}

static double if_any(uint64_t count) { return count ? (double)count : NAN; }

static const char predicted[] = "predicted", device[] = "device", shared[] = "shared memory";
const MeasureName device_measure_names[MAX_MEASURES + 1] = {
    {PREDICTED_TIME, predicted},
    {"warp instr", device},
    {"global loads", device},
    {"sectors/load", device},
    {"sectors/store", device},
    {"shared loads", shared},
    {"waves/load", shared},
    {"waves/store", shared},
    {"conflicts", shared},
    {"GPU loads", shared},
    {"GPU waves/load", shared},
    {"reports", shared},
    {NULL, NULL},
};

/* The legend states the error of the model for each limit that occurs. If the model covers a time
 * only partly, the word for the limit of this time has a mark, and the legend gives the reason.
 * Each text is stored once; the results and the legend point to it. */
enum { MOST_KEPT = 16, KEPT_BYTES = 96 };
static char marked[MOST_KEPT][KEPT_BYTES], reasons[MOST_KEPT][KEPT_BYTES],
    errors[MOST_KEPT][KEPT_BYTES];

static const char *keep(char (*texts)[KEPT_BYTES], const char *begin, const char *text,
                        const char *end) {
  char whole[KEPT_BYTES];
  int i = 0;
  snprintf(whole, sizeof whole, "%s%s%s", begin, text, end);
  while (i < MOST_KEPT - 1 && *texts[i] && strcmp(texts[i], whole) != 0)
    i++;
  return strcpy(texts[i], whole);
}

_Static_assert(STATED_ERRORS == 10, "the legend has a line for each error");
const Legend device_legend[] = {
    {PREDICTED_TIME, errors[0]},
    {PREDICTED_TIME, errors[1]},
    {PREDICTED_TIME, errors[2]},
    {PREDICTED_TIME, errors[3]},
    {PREDICTED_TIME, errors[4]},
    {PREDICTED_TIME, errors[5]},
    {PREDICTED_TIME, errors[6]},
    {PREDICTED_TIME, errors[7]},
    {PREDICTED_TIME, errors[8]},
    {PREDICTED_TIME, errors[9]},
    {PREDICTED_TIME, "limit: the busiest part; l1, l2: caches; dram: device memory;"},
    {PREDICTED_TIME,
     "issue: instruction issue; latency: every part is idle for over half of the time"},
    {PREDICTED_TIME, reasons[0]},
    {PREDICTED_TIME, reasons[1]},
    {PREDICTED_TIME, reasons[2]},
    {"warp instr", "L2 error: relative error in the L2 norm; rate: speedup over one CPU core"},
    {"global loads", "loads: requests of warps; sectors: 32 bytes of global memory"},
    {"waves/load",
     "waves: wavefronts of shared memory, one clock each; conflicts: avoidable waves"},
    {"GPU loads", "GPU: loads that a GPU counts after its assembler has merged adjacent loads"},
    {NULL, NULL},
};

const char *device_limit(void) {
  EmulatorPrediction p;
  char error[STATED_ERROR_BYTES];
  if (!emulator_predicted(NULL, &p) || !p.limit)
    return "";
  keep(errors, "predicted: ", stated_error_line(error, p.limit), "");
  if (!p.unknown)
    return p.limit;
  keep(reasons, "?: not known: ", p.unknown, "");
  return keep(marked, "", p.limit, " ?");
}

static double predicted_ms(void) {
  EmulatorPrediction p;
  return emulator_predicted(NULL, &p) ? p.us / 1e3 : NAN;
}

int device_measures(double measures[MAX_MEASURES]) {
  EmulatorCounters c;
  if (!emulator_counters(NULL, &c))
    return 0;
  const bool merged = c.gpu_shared_load_requests != c.shared_load_requests;
  const double all[] = {
      predicted_ms(),
      (double)c.warp_instructions,
      (double)c.global_load_requests,
      per(c.global_load_sectors, c.global_load_requests),
      per(c.global_store_sectors, c.global_store_requests),
      if_any(c.shared_load_requests),
      per(c.shared_load_wavefronts, c.shared_load_requests),
      per(c.shared_store_wavefronts, c.shared_store_requests),
      per(c.shared_load_conflicts + c.shared_store_conflicts,
          c.shared_load_requests + c.shared_store_requests),
      merged ? (double)c.gpu_shared_load_requests : NAN,
      merged ? per(c.gpu_shared_load_wavefronts, c.gpu_shared_load_requests) : NAN,
      if_any(emulator_report_count() - reports_before),
  };
  _Static_assert(sizeof all == MAX_MEASURES * sizeof *all, "as many as there is room for");
  memcpy(measures, all, sizeof all);
  return MAX_MEASURES;
}

double device_peak_bandwidth(void) { return NAN; }

cudaError_t device_memory(size_t *bytes, size_t *free) { return cudaMemGetInfo(free, bytes); }

void device_time(RunFunction f, const Run *run, int repeats, Timing *timing, cudaError_t *error) {
  (void)f, (void)run, (void)repeats, (void)timing, (void)error;
}

const Roof *device_roof(size_t element_bytes) {
  static const Roof unknown = {NAN, NAN, NAN, NAN};
  (void)element_bytes;
  return &unknown;
}

#endif
