/* The heap for malloc and free in kernels. Any worker thread may call heap_allocate and
 * heap_free. */
#ifndef MACHINE_HEAP_H
#define MACHINE_HEAP_H

#include "machine.h"

/* Called when a kernel that may call malloc has been loaded. Later launches create the heap. */
void heap_want(void);
/* Called when a launch begins: creates the heap if a loaded kernel may call malloc. */
void heap_launch(void);
/* Allocates a piece. Returns a device address that is a multiple of 16; 0: the heap is full, or
 * `bytes` is 0. */
uint64_t heap_allocate(uint64_t bytes);
/* Frees the piece that starts at the address. Returns false if the address is not 0 and no live
 * piece starts there. */
bool heap_free(uint64_t address);

#endif
