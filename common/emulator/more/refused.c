/* Defines the functions of the runtime API that the emulated device does not implement. A program
 * that calls such a function can be linked and run. The call prints one line and returns an error.
 */
#include "../runtime/runtime.h"

#include <stdio.h>

static cudaError_t not_here(const char *call, const char *why) {
  fprintf(stderr, "lockstep: %s is not implemented by the emulated device: %s\n", call, why);
  return cudaErrorNotSupported;
}

/* Declared without parameters, because the arguments are not read. */
#define REFUSED(call, why)                                                                         \
  cudaError_t call(void);                                                                          \
  cudaError_t call(void) { RUNTIME_CALL(not_here(#call, why)); }
#include "refused.def"
