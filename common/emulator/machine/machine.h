/* The device itself, for the CUDA runtime API: modules and launches. Memory, settings and launch
 * parameters are in state/.
 *
 * Threads: only one host thread at a time calls these functions (the runtime holds a lock). A
 * launch runs its blocks on worker threads and returns when all blocks are done. */
#ifndef MACHINE_H
#define MACHINE_H

#include "../state/device.h"
#include "../state/launch.h"
#include "../state/settings.h"

/* Allocates the module's variables and binds operations to their handlers. */
void machine_load(PtxModule *);

/* Runs the whole grid. The caller has checked the launch against the device's limits. */
LaunchStatus machine_launch(const Launch *);

/* Kernel output that has not been shown because the host has not synchronised: the bytes it takes
 * in a GPU's printf buffer, and the first kernel that printed. 0 and NULL if there is none.
 * `kernel` is valid until machine_show_printed. */
typedef struct MachinePrinted {
  size_t bytes;
  const char *kernel;
} MachinePrinted;
MachinePrinted machine_printed(void);
/* Shows all kernel output. Called when the host has synchronised. */
void machine_show_printed(void);

/* Sets the stack size per thread, in bytes, for recursive calls. */
void machine_stack(size_t bytes);

/* Sets the size of the kernels' malloc heap. Returns false if the heap already exists. */
bool machine_heap(size_t bytes);

#endif
