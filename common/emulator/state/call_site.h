/* Where the program called the runtime: the return addresses on the calling thread's stack.
 *
 * Recording them walks a few stack frames, so it is done only where a report may need them later:
 * for allocations, and for failures that the program may ignore. observe/host_lines.h translates
 * addresses to source lines when a report is shown. */
#ifndef STATE_CALL_SITE_H
#define STATE_CALL_SITE_H

#include <stdint.h>

enum { CALL_DEPTH = 16 };

typedef struct CallSite {
  /* Addresses within the call instructions, innermost first; 0 terminates the list. */
  uintptr_t at[CALL_DEPTH];
} CallSite;

/* Records where this thread is. For a launch by <<<>>>, that is the line of the <<<>>>. */
void call_site(CallSite *);
/* Announces that the next runtime call comes from a compiler-generated kernel stub, which has no
 * source line. It is attributed to the call that returns to `return_address`. NULL ends this. */
void call_site_of_launch(const void *return_address);
/* Attributes what this thread does next to a call made at this site, until called with NULL. */
void call_site_is(const CallSite *);

#endif
