/* On a terminal, programs that take long say how far they are: one line, written over again and again, gone when the
 * launch is done or something else is said. Nothing in a file or a pipe, or with LOCKSTEP_QUIET.
 */
#ifndef OBSERVE_PROGRESS_H
#define OBSERVE_PROGRESS_H

#include "../state/warp.h"

void progress_launch_begins(Run *);
void progress_launch_done(void);
/* Before anything else is written to standard error: takes the line away. */
void progress_clear(void);

#endif
