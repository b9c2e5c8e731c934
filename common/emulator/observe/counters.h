/* Counters of every kernel, summed over workers and launches. */
#ifndef OBSERVE_COUNTERS_H
#define OBSERVE_COUNTERS_H

#include "../emulator.h"
#include "../machine/warp.h"

void counters_launch(const Run *);        /* one more launch of this kernel */
void counters_add(const Run *, Worker *); /* what one worker counted in it */
/* Writes one "kernel" event per kernel to the log. */
void counters_log(void);

#endif
