/* Where the program called into the runtime: the return addresses on the calling thread's stack.
 *
 * Taking them costs a walk over a few frames, so it is done where a report may need them later: with an
 * allocation, with a failure that nobody may look at. Which line an address belongs to is for
 * observe/host_lines.h to find, when there is something to show.
 */
#ifndef STATE_CALL_SITE_H
#define STATE_CALL_SITE_H

#include <stdint.h>

enum { CALL_DEPTH = 16 };

typedef struct CallSite {
  uintptr_t at[CALL_DEPTH]; /* within the call instructions, innermost first; 0 ends them */
} CallSite;

/* Where this thread is. Of a launch by <<<>>>, the line of the <<<>>>. */
void call_site(CallSite *);
/* The compiler's stub of a kernel, which the source does not have, calls the runtime next, on behalf of
 * whoever's call returns to this address; NULL: no stub does. */
void call_site_of_launch(const void *return_address);
/* What this thread does next it does on behalf of a call that was made there, until NULL. */
void call_site_is(const CallSite *);

#endif
