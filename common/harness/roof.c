/* How close a result is to the best that the device can do.
 *
 * A kernel must do its arithmetic and transfer its operands once. Each takes a time at the measured
 * rate of the device. Both must be done, so the longer time is the roof. The share is that time
 * divided by the time of the run. A run faster than the roof has measured something else than the
 * kernel. */
#include <math.h>

#include "harness.h"

/* Slightly more than the scatter of the ceilings. */
static const double ALLOWANCE = 1.05;

static double longer(double a, double b) { return fmax(a, b); /* NaN: the other one */ }

static void print_one(FILE *out, const char *what, double value, const char *unit) {
  if (value > 0)
    fprintf(out, ", %s %.0f %s", what, value, unit);
}

void roof_print(FILE *out, const Roof *roof) {
  const double giga = 1e6; /* per millisecond */
  if (isnan(roof->copy))
    return;
  fprintf(out, "ceilings of this run: copy %.0f GB/s", roof->copy / giga);
  print_one(out, "read", roof->read / giga, "GB/s");
  print_one(out, "multiply-adds", roof->rate / giga, "GFLOP/s");
  print_one(out, "on tensor cores", roof->tensor / giga, "GFLOP/s");
  fputc('\n', out);
}

Demand roof_demand(const Instance *instance, bool tensor) {
  Demand demand = {.flop = instance->problem->flop(instance->size), .tensor = tensor};
  int inputs = problem_inputs(instance->problem);
  for (int i = 0; i < inputs; i++)
    demand.inputs += (double)operand_bytes(instance, i);
  demand.bytes = demand.inputs + (double)operand_bytes(instance, inputs);
  return demand;
}

static double rate_of(const Roof *roof, const Demand *demand) {
  return demand->tensor ? fmax(roof->tensor, roof->rate) : roof->rate;
}

double roof_share(const Roof *roof, const Demand *demand, double time) {
  return longer(demand->flop / rate_of(roof, demand), demand->bytes / roof->copy) / time;
}

double roof_least(const Roof *roof, const Demand *demand) {
  return longer(demand->flop / rate_of(roof, demand),
                demand->inputs / fmax(roof->copy, roof->read)) /
         ALLOWANCE;
}

bool roof_possible(const Roof *roof, const Demand *demand, double time) {
  double least = roof_least(roof, demand);
  return isnan(least) || least <= time;
}
