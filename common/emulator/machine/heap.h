/* Memory that kernels allocate and free themselves. Threads: any worker may call the last two. */
#ifndef MACHINE_HEAP_H
#define MACHINE_HEAP_H

#include "machine.h"

/* Some kernel may call malloc. */
void heap_want(void);
/* A launch begins. */
void heap_launch(void);
/* Its device address, on a multiple of 16; 0: there is no room, or nothing was asked for. */
uint64_t heap_allocate(uint64_t bytes);
/* false: the address is no live piece's. */
bool heap_free(uint64_t address);

#endif
