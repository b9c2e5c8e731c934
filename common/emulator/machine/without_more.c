/* Weak definitions of the functions in children.h, for builds without more/, in which kernels
 * cannot launch kernels. If more/children.c is linked, the linker uses its functions instead. */
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
