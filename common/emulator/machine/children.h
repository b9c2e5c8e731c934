/* What the threads of a kernel launch: other kernels, copies, and sets of memory (dynamic parallelism).
 *
 * A GPU may begin with them at once, or when the kernel that launched them has ended: nobody can wait for them in it. Here
 * they are done when its whole grid is, in the order of its blocks and of each block's calls, which is in order for any
 * stream of the grid: each with all that it launches itself, then what was launched into the stream of tails. Then the
 * launch is done.
 *
 * more/children.c does all of this. Where that folder is not there, without_more.c says that kernels
 * launch nothing.
 */
#ifndef MACHINE_CHILDREN_H
#define MACHINE_CHILDREN_H

#include "calls.h"

/* What is waiting to be done. */
typedef struct Children {
  struct Child *items;
  size_t count, room;
  struct ChildError *errors; /* that threads have not asked for yet */
  size_t nerrors, errors_room;
} Children;

/* A worker has ended: what its blocks launched is waiting now. */
void children_collect(Children *, Worker *);
/* The grid has ended: all that it launched is done, in order. `run` runs a grid and collects what that launches; the
 * first that fails is the last. */
typedef LaunchStatus RunGrid(const Launch *, Children *);
LaunchStatus children_run(Children *, const Launch *parent, RunGrid *);
/* ... or is not done, as the grid has failed. */
void children_drop(Children *);

/* What the runtime offers to kernels. */
const BuiltinCall *children_calls(size_t *count);

#endif
