/* Predicted times: which launches are sampled (trace.h), what the model says of them (timing/), and what a kernel's
 * entry in the log says of it (emulator.h has the format).
 *
 * Of the launches of one kernel with one shape the first is sampled, the second, the fourth and so on; the others take
 * as long as the last before them, by the instructions that they execute.
 */
#ifndef OBSERVE_PREDICT_H
#define OBSERVE_PREDICT_H

#include <jansson.h>

#include "../timing/waves.h"
#include "trace.h"

/* Registers that a thread needs at least, as an assembler that wants to be sparing would have it. */
uint32_t predict_registers(const PtxModule *, const PtxFunction *);
uint32_t predict_carried_registers(const PtxModule *, const PtxFunction *);
void predict_launch_begins(const Run *);
/* What one worker executed. */
void predict_add(const Run *, const Worker *);
void predict_launch_ends(const Run *);
/* Waits for what is worked out of the last launch beside the program, if anything is. */
void predict_settle(void);
/* Since the last reset; the log has all. */
void predict_reset(void);
/* NULL: this kernel was never launched. */
json_t *predict_json(const PtxModule *, const PtxFunction *kernel);

#endif
