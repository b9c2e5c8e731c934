/* Predicted times: chooses the launches to sample (trace.h), runs the model (timing/), and writes a
 * kernel's predictions to the log (format: emulator.h).
 *
 * For each kernel and launch shape, the first, second, fourth, eighth launch and so on are
 * sampled. The others are assumed to take as long as the last sampled one before them, scaled by
 * the number of executed instructions. */
#ifndef OBSERVE_PREDICT_H
#define OBSERVE_PREDICT_H

#include <jansson.h>

#include "../timing/waves.h"
#include "trace.h"

/* A lower bound on the registers of a thread, as an assembler that minimises them would need. */
uint32_t predict_registers(const PtxModule *, const PtxFunction *);
uint32_t predict_carried_registers(const PtxModule *, const PtxFunction *);
void predict_launch_begins(const Run *);
/* Adds what one worker executed. */
void predict_add(const Run *, const Worker *);
void predict_launch_ends(const Run *);
/* Waits until the last launch's prediction, which is computed in parallel, is complete. */
void predict_settle(void);
/* Restarts the sums that predict_json does not report to the log. */
void predict_reset(void);
/* NULL: this kernel was never launched. */
json_t *predict_json(const PtxModule *, const PtxFunction *kernel);

#endif
