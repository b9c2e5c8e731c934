/* The interface of the machine for the CUDA runtime API: modules and launches. Memory, settings and
 * launch parameters are in state/.
 *
 * Only one host thread at a time calls these functions; the runtime holds a lock. machine_launch
 * runs the blocks on worker threads and returns when all blocks are done. */
#ifndef MACHINE_H
#define MACHINE_H

#include "../state/device.h"
#include "../state/launch.h"
#include "../state/settings.h"

/* Allocates the module's variables and binds each instruction to the function that executes it. */
void machine_load(PtxModule *);

/* Runs the whole grid. The caller has checked the launch against the limits of the card. */
LaunchStatus machine_launch(const Launch *);

/* Output of kernels that has not been shown, because the host has not synchronised. `bytes`: the
 * size of the output in the printf buffer of a GPU. `kernel`: the first kernel that printed, valid
 * until machine_show_printed. 0 and NULL: there is no such output. */
typedef struct MachinePrinted {
  size_t bytes;
  const char *kernel;
} MachinePrinted;
MachinePrinted machine_printed(void);
/* Shows all output of kernels. Called when the host has synchronised. */
void machine_show_printed(void);

/* Sets the stack size in bytes per thread, which limits recursive calls. */
void machine_stack(size_t bytes);

/* Sets the size in bytes of the heap of malloc in kernels. Returns false if the heap exists
 * already. */
bool machine_heap(size_t bytes);

#endif
