/* Threads that work side by side and stay from launch to launch: to make them anew takes longer than a small
 * launch does.
 */
#ifndef MACHINE_WORKERS_H
#define MACHINE_WORKERS_H

#include <stdint.h>

/* So many can work at once, the caller among them: at most `wanted`, fewer where no more threads are to be had, and 256
 * at the very most. */
uint32_t workers_ready(uint32_t wanted);
/* work(context, i) for each i below count, which workers_ready has given; 0 is the caller's. Returns when all are done. */
void workers_run(uint32_t count, void (*work)(void *context, uint32_t number), void *context);

#endif
