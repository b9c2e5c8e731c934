/* A launch as a whole: how many blocks an SM has at a time, how many after another, and what that takes. */
#ifndef TIMING_WAVES_H
#define TIMING_WAVES_H

#include "replay.h"

/* What needs the memory that the launch worked on, while it is still there. */
typedef struct Forecast Forecast;
Forecast *forecast_begin(Trace *, const Device *);
/* The rest, which takes longer: by any thread, beside others that change memory. `lowered`: [module->nfunctions],
 * kept by the caller from launch to launch. Frees the forecast, not the trace. */
Prediction forecast_end(Forecast *, LoweredFunction **lowered);
void prediction_free(Prediction *);

#endif
