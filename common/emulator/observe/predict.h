/* Predicted times: what a kernel's entry in the log says of them (emulator.h has the format). */
#ifndef OBSERVE_PREDICT_H
#define OBSERVE_PREDICT_H

#include <jansson.h>

#include "../timing/waves.h"

json_t *prediction_json(const Prediction *, const PtxModule *, const char *card);

#endif
