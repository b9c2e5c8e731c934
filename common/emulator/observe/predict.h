/* Predicts times: chooses the launches to sample (trace.h), runs the model (timing/), and writes
 * the predictions of each kernel to the log (emulator.h has the format).
 *
 * For each kernel and launch shape, the first, second, fourth, eighth ... launch is sampled. The
 * predicted time of any other launch is that of the last sampled launch, scaled by the number of
 * executed instructions. A sampled launch whose trace equals that of the last one keeps its
 * prediction. */
#ifndef OBSERVE_PREDICT_H
#define OBSERVE_PREDICT_H

#include <jansson.h>

#include "../timing/waves.h"
#include "trace.h"

/* predict_registers returns a lower bound on the registers per thread: the number that an assembler
 * needs if it minimises this number. */
uint32_t predict_registers(const PtxModule *, const PtxFunction *);
uint32_t predict_carried_registers(const PtxFunction *);
void predict_launch_begins(const Run *);
/* Adds the number of instructions that one worker executed in the launch. */
void predict_add(const Run *, const Worker *);
void predict_launch_ends(const Run *);
/* Waits until the prediction of the last launch, which another thread computes, is complete. */
void predict_settle(void);
/* Resets the sums that emulator_predicted returns, but not the sums for the log. */
void predict_reset(void);
/* Returns NULL if the kernel was never launched. */
json_t *predict_json(const PtxModule *, const PtxFunction *kernel);

#endif
