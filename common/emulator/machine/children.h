/* Dynamic parallelism: runs the kernels, copies and memory sets that the threads of a kernel launch
 * ("children").
 *
 * A kernel cannot wait for its children, so a GPU may run them immediately, or only after the
 * kernel has ended. The emulator runs the children when the whole grid has ended, in the order of
 * the blocks and of the calls of each block. This order is correct for all streams of the grid.
 * After a child, all children that this child has launched are run. The work in the tail-launch
 * stream is run last. Then the launch is complete.
 *
 * more/children.c implements these functions. In a build without the folder more/, without_more.c
 * defines them, and no kernel can launch children. */
#ifndef MACHINE_CHILDREN_H
#define MACHINE_CHILDREN_H

#include "calls.h"

/* Children that have not run yet. */
typedef struct Children {
  struct Child *items;
  size_t count, room;
  /* Errors of launches that the launching threads have not queried yet. */
  struct ChildError *errors;
  size_t nerrors, errors_room;
} Children;

/* Called when a worker has ended: adds the children that its blocks launched. */
void children_collect(Children *, Worker *);
/* Called when the grid has ended: runs its children in order, until a child fails. `run`: a
 * function that runs one grid and collects its children. */
typedef LaunchStatus RunGrid(const Launch *, Children *);
LaunchStatus children_run(Children *, const Launch *parent, RunGrid *);
/* Called instead of children_run if the grid has failed: discards its children. */
void children_drop(Children *);

/* Returns the functions of the device-side runtime that kernels may call. */
const BuiltinCall *children_calls(size_t *count);

#endif
