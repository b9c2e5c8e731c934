/* A progress line on the terminal for programs that take long. It is rewritten in place, and erased
 * when the launch is done or something else is printed. Nothing is printed to a file or a pipe, or
 * with LOCKSTEP_QUIET. */
#ifndef OBSERVE_PROGRESS_H
#define OBSERVE_PROGRESS_H

#include "../state/warp.h"

void progress_launch_begins(Run *);
void progress_launch_done(void);
/* Erases the line. Call before anything else is written to standard error. */
void progress_clear(void);

#endif
