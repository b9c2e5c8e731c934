/* Work that the threads of a kernel launch: other kernels, copies and memory sets (dynamic
 * parallelism).
 *
 * A GPU may start them at once, or only after the launching kernel has ended, because that kernel
 * cannot wait for them. The emulator runs them when the whole grid has ended, in the order of its
 * blocks and of each block's calls. This order is correct for any stream of the grid. Each child is
 * run with everything that it launches itself; then follows the work in the tail-launch stream.
 * After that the launch is complete.
 *
 * more/children.c implements all of this. Without that folder, without_more.c reports that no
 * kernel launches anything. */
#ifndef MACHINE_CHILDREN_H
#define MACHINE_CHILDREN_H

#include "calls.h"

/* Children that are waiting to run. */
typedef struct Children {
  struct Child *items;
  size_t count, room;
  /* Errors that the launching threads have not queried yet. */
  struct ChildError *errors;
  size_t nerrors, errors_room;
} Children;

/* Called when a worker has ended: queues what its blocks launched. */
void children_collect(Children *, Worker *);
/* Called when the grid has ended: runs its children in order. `run` runs one grid and collects its
 * children. Stops at the first failure. */
typedef LaunchStatus RunGrid(const Launch *, Children *);
LaunchStatus children_run(Children *, const Launch *parent, RunGrid *);
/* Called instead of children_run if the grid has failed: discards its children. */
void children_drop(Children *);

/* The device-side runtime functions that kernels may call. */
const BuiltinCall *children_calls(size_t *count);

#endif
