/* Compares the time of a run with the minimum time that the device needs, which is called the roof.
 *
 * A kernel must at least do its arithmetic and transfer each operand once. The measured rates of
 * the device give a minimum time for the arithmetic and a minimum time for the transfers. The
 * device does both at the same time, so the longer time is the roof. The share is the roof divided
 * by the time of the run. If a run is faster than the roof, the measurement is wrong. */
#include <math.h>

#include "harness.h"

/* A factor slightly larger than the variation of the measured ceilings. */
static const double ALLOWANCE = 1.05;

static double longer(double a, double b) { return fmax(a, b); /* fmax ignores a NaN */ }

static void print_one(FILE *out, const char *what, double value, const char *unit) {
  if (value > 0)
    fprintf(out, ", %s %.0f %s", what, value, unit);
}

void roof_print(FILE *out, const Roof *roof) {
  const double giga = 1e6; /* 1e9 per second is 1e6 per millisecond */
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
