/* malloc and free inside kernels. heap_allocate and heap_free may be called by any worker thread.
 */
#ifndef MACHINE_HEAP_H
#define MACHINE_HEAP_H

#include "machine.h"

/* Call if a kernel that may call malloc has been loaded. Later launches create the heap. */
void heap_want(void);
/* Call at the beginning of a launch. */
void heap_launch(void);
/* Returns a device address that is a multiple of 16; 0 if there is no room or `bytes` is 0. */
uint64_t heap_allocate(uint64_t bytes);
/* Returns false if the address is not a live allocation. */
bool heap_free(uint64_t address);

#endif
