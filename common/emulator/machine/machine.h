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

/* What kernels may ask of the runtime. */
typedef struct MachineAnswers {
  const char *(*error_name)(int error), *(*error_text)(int error);
  size_t (*pending_launches)(void); /* how many launches of kernels may wait */
} MachineAnswers;
void machine_answers(MachineAnswers);

/* Bytes for what kernels allocate themselves; false: too late, one may have done so. */
bool machine_heap(size_t bytes);

#endif
