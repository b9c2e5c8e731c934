/* A launch as a whole. */
#ifndef TIMING_WAVES_H
#define TIMING_WAVES_H

#include "timing.h"

/* What all blocks of one launch did together. */
typedef struct LaunchWork {
  uint64_t blocks;
  uint32_t threads, registers, shared; /* of a block; of a thread; bytes of a block */
  double instructions, flop32, flop64, wavefronts, requests, sectors, dram_bytes;
} LaunchWork;

Prediction timing_predict(const Device *, const LaunchWork *);
void prediction_free(Prediction *);

#endif
