/* The device itself, for the CUDA runtime API: modules and launches. Memory, settings and what a launch
 * asks for are state.
 *
 * Threads: every call here comes from one host thread at a time (the runtime holds a lock); a
 * launch runs its blocks on worker threads of its own and returns when all are done.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "../state/device.h"
#include "../state/launch.h"
#include "../state/settings.h"

/* Places the module's variables in memory and binds operations to their implementation. */
void machine_load(PtxModule *);

/* Runs the whole grid. The launch is within the limits of the device, which the runtime has checked. */
LaunchStatus machine_launch(const Launch *);

/* What kernels printed and the host has not waited for: bytes in a GPU's buffer, and the first kernel that printed; 0 and NULL:
 * nothing. The name is valid until they are shown. */
typedef struct MachinePrinted {
  size_t bytes;
  const char *kernel;
} MachinePrinted;
MachinePrinted machine_printed(void);
/* The host has waited: all of it is shown. */
void machine_show_printed(void);

/* Bytes of stack that each thread has for calls that nest without a limit that is known. */
void machine_stack(size_t bytes);

/* Bytes for what kernels allocate themselves; false: too late, one may have done so. */
bool machine_heap(size_t bytes);

#endif
