/* A launch as a whole: how many blocks an SM holds, in how many waves the blocks run, and how long
 * that takes. */
#ifndef TIMING_WAVES_H
#define TIMING_WAVES_H

#include "replay.h"

/* Does the part of a prediction that reads the buffers of the launch. Must be called before they
 * are freed. */
typedef struct Forecast Forecast;
Forecast *forecast_begin(Trace *, const Device *);
/* Computes the prediction, which takes most of the time. Any thread may call it, even while others
 * change memory. `lowered` has
 * module->nfunctions entries, which the caller keeps between launches. Frees the forecast but not
 * the trace. */
Prediction forecast_end(Forecast *, LoweredFunction **lowered);
void prediction_free(Prediction *);

#endif
