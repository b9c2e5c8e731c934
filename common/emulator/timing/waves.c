/* The grid: what all its blocks ask of each resource, and what the busiest makes of it. */
#include "waves.h"

#include <stdlib.h>
#include <string.h>

static double clocks_of(const Device *d, const LaunchWork *w, double *busy) {
  uint64_t sms = w->blocks < d->sms ? w->blocks : d->sms;
  double share = 1.0 / (double)(sms ? sms : 1), clock_hz = 1e3 * d->clock_khz;
  double bytes_a_clock = 0.9 * device_peak_memory_rate(d) / clock_hz;
  busy[RESOURCE_ISSUE] = w->instructions * share / d->schedulers;
  busy[RESOURCE_FP32] = w->flop32 / 2 * share / d->fp32_lanes;
  busy[RESOURCE_FP64] = w->flop64 / 2 * share / d->fp64_lanes;
  busy[RESOURCE_SHARED] = w->wavefronts * share;
  busy[RESOURCE_L1] = w->requests * share * 4 / 3;
  busy[RESOURCE_L2] = w->sectors * SECTOR_BYTES * share / 64;
  busy[RESOURCE_DRAM] = w->dram_bytes / bytes_a_clock;
  double most = 0;
  for (Resource r = 0; r < RESOURCES; r++)
    most = busy[r] > most ? busy[r] : most;
  return most;
}

Prediction timing_predict(const Device *d, const LaunchWork *w) {
  Prediction p = {0};
  double clocks = clocks_of(d, w, p.busy) + 2e-6 * 1e3 * d->clock_khz;
  for (Resource r = 0; r < RESOURCES; r++)
    p.busy[r] /= clocks;
  p.us = clocks / d->clock_khz * 1e3;
  p.registers = w->registers;
  p.occupancy = occupancy_of(d, w->threads, w->registers, w->shared);
  uint64_t at_once = (uint64_t)p.occupancy.blocks * d->sms;
  p.waves = at_once ? (double)w->blocks / (double)at_once : 0;
  p.achieved = p.occupancy.warps;
  p.waits[WAIT_SELECTED] = 1;
  p.dram_bytes = w->dram_bytes;
  p.l2_bytes = w->sectors * SECTOR_BYTES;
  return p;
}

void prediction_free(Prediction *p) {
  free(p->line_waits);
  free(p->timeline);
  memset(p, 0, sizeof *p);
}
