/* A progress line on the terminal for programs that take long. The line is rewritten in place. It
 * is erased when the launch is done or when something else is printed. There is no line if
 * standard error is not a terminal, or if LOCKSTEP_QUIET is set. */
#ifndef OBSERVE_PROGRESS_H
#define OBSERVE_PROGRESS_H

#include "../state/warp.h"

void progress_launch_begins(Run *);
void progress_launch_done(void);
/* Erases the line. Call this before you write anything else to standard error. */
void progress_clear(void);

#endif
