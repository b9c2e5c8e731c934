/* Records where the program called the runtime, as the return addresses on the stack of the calling
 * thread.
 *
 * Recording walks a few stack frames. Therefore only calls are recorded that a later report may
 * name: allocations, and failures that the program may ignore. observe/host_lines.h translates the
 * addresses to source lines when a report is shown. */
#ifndef STATE_CALL_SITE_H
#define STATE_CALL_SITE_H

#include <stdint.h>

enum { CALL_DEPTH = 16 };

typedef struct CallSite {
  /* Addresses within the call instructions, the innermost call first; 0 ends the list. */
  uintptr_t at[CALL_DEPTH];
} CallSite;

/* Records the call site of this thread's current runtime call. For a launch with <<<>>>, this is
 * the line of the <<<>>>. */
void call_site(CallSite *);
/* Called when a kernel stub is about to call the runtime. The compiler generates stubs, which have
 * no source line. Therefore the runtime call is attributed to the caller of the stub: the stub
 * returns to the address `return_address` in the caller. NULL: the stub's call has ended. */
void call_site_of_launch(const void *return_address);
/* Until call_site_is(NULL), attributes all actions of this thread to a call at this site. */
void call_site_is(const CallSite *);

#endif
