/* Records where the program called the runtime: the return addresses on the calling thread's stack.
 *
 * Recording walks a few stack frames, so it is done only where a report may need the place later:
 * for allocations, and for failures that the program may ignore. observe/host_lines.h translates
 * addresses to source lines when a report is shown. */
#ifndef STATE_CALL_SITE_H
#define STATE_CALL_SITE_H

#include <stdint.h>

enum { CALL_DEPTH = 16 };

typedef struct CallSite {
  /* Addresses within the call instructions, the innermost call first; 0 ends the list. */
  uintptr_t at[CALL_DEPTH];
} CallSite;

/* Records the place of this thread's current call. For a launch with <<<>>>, this is the line of
 * the <<<>>>. */
void call_site(CallSite *);
/* Announces that the next runtime call comes from a kernel stub, which the compiler generates and
 * which has no source line. The call is attributed to the caller of the stub, to which it returns
 * at `return_address`. NULL ends the announcement. */
void call_site_of_launch(const void *return_address);
/* Attributes the following actions of this thread to a call made at this site, until
 * call_site_is(NULL). */
void call_site_is(const CallSite *);

#endif
