/* A launch as a whole: how many blocks an SM has at a time, how many after another, and what that takes. */
#ifndef TIMING_WAVES_H
#define TIMING_WAVES_H

#include "replay.h"

/* The trace's lines are numbered by this (footprint.h). `lowered`: [module->nfunctions], kept by the
 * caller from launch to launch. */
Prediction timing_predict(Trace *, const Device *, LoweredFunction **lowered);
void prediction_free(Prediction *);

#endif
