/* Walks the stack of the calling thread to find a call site. */
#include "call_site.h"

#include <string.h>
#include <unwind.h>

static _Thread_local const void *launched_from;
static _Thread_local const CallSite *given;

typedef struct Walk {
  CallSite *site;
  unsigned count;
  /* The kernel stub of a launch; NULL: the call is not made by a stub. The frames up to and
   * including the stub's frame are removed from the list. */
  const void *function;
} Walk;

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *walking) {
  Walk *walk = walking;
  /* _Unwind_GetIPInfo sets `exact` if a signal interrupted the function at this instruction.
   * Otherwise the address is a return address, which is after a call instruction. */
  int exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &exact);
  if (!address || walk->count == CALL_DEPTH)
    return _URC_END_OF_STACK;
  if (walk->function && (void *)_Unwind_GetRegionStart(context) == walk->function) {
    address = (uintptr_t)launched_from;
    walk->function = NULL;
    walk->count = 0;
  }
  walk->site->at[walk->count++] = exact ? address : address - 1;
  return _URC_NO_REASON;
}

void call_site(CallSite *site) {
  if (given) {
    *site = *given;
    return;
  }
  Walk walk = {.site = site};
  if (launched_from)
    walk.function = _Unwind_FindEnclosingFunction((void *)(uintptr_t)launched_from);
  memset(site, 0, sizeof *site);
  _Unwind_Backtrace(add_frame, &walk);
}

void call_site_is(const CallSite *site) { given = site; }

void call_site_of_launch(const void *return_address) { launched_from = return_address; }
