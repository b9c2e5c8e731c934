/* Shows a progress line on the terminal while a program that takes long runs a kernel. The line is
 * rewritten in place. It is erased when the launch is done or when other text is printed. No line
 * is shown if standard error is not a terminal, or if LOCKSTEP_QUIET is set. */
#ifndef OBSERVE_PROGRESS_H
#define OBSERVE_PROGRESS_H

#include "../state/warp.h"

void progress_launch_begins(Run *);
void progress_launch_done(void);
/* Erases the line. Must be called before other text is written to standard error. */
void progress_clear(void);

#endif
