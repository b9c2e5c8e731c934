/* A pool of worker threads. The threads are reused in later launches, because creating threads
 * takes longer than a small launch. */
#ifndef MACHINE_WORKERS_H
#define MACHINE_WORKERS_H

#include <stdint.h>

/* Makes up to `wanted` workers available and returns their number, which includes the caller. The
 * number is smaller if no more threads can be created, and never exceeds 256. */
uint32_t workers_ready(uint32_t wanted);
/* Calls work(context, i) for each i below `count`, and returns when all calls have returned. The
 * caller runs number 0. `count` must not exceed the number that workers_ready returned. */
void workers_run(uint32_t count, void (*work)(void *context, uint32_t number), void *context);

#endif
