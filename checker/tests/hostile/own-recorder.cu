// Defines functions of the recorder, which is linked between the program and the runtime.
// expect: not-compiled | multiple definition
#include "lab.h"
extern "C" cudaError_t __wrap_cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind) {
  return cudaSuccess;
}
static int attack() { return 0; }
