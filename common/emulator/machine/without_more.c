/* Weak definitions for builds without more/, in which kernels cannot launch anything. If
 * more/children.c is there, the linker prefers its functions. */
#include "children.h"

#define WITHOUT_MORE __attribute__((weak))

WITHOUT_MORE const BuiltinCall *children_calls(size_t *count) {
  *count = 0;
  return NULL;
}

WITHOUT_MORE void children_collect(Children *all, Worker *worker) { (void)all, (void)worker; }

WITHOUT_MORE LaunchStatus children_run(Children *first, const Launch *parent, RunGrid *run) {
  (void)first, (void)parent, (void)run;
  return LAUNCH_DONE;
}

WITHOUT_MORE void children_drop(Children *children) { (void)children; }
