/* What the runtime API has and the emulated device does not: a program that calls it links and runs, is told so in
 * one line, and gets an error to react to. */
#include "../runtime/runtime.h"

#include <stdio.h>

static cudaError_t not_here(const char *call, const char *why) {
  fprintf(stderr, "lockstep: %s is not there on the emulated device: %s\n", call, why);
  return cudaErrorNotSupported;
}

/* Their parameters do not matter. */
#define REFUSED(call, why)                                                                         \
  cudaError_t call(void);                                                                          \
  cudaError_t call(void) { RUNTIME_CALL(not_here(#call, why)); }
#include "refused.def"
