// The source sets a pointer to NULL and uses it. clang must not remove the access.
//
// kind: null-pointer
// says: error: write through a null pointer   in kernel fill
// says:       thread (0,0) of block (0,0) wrote it   @wrong
// says:       The pointer is NULL. Its allocation failed or was left out, or the pointer was not
// says+ passed on.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

template <bool RIGHT> __global__ void fill(float *data) {
  float *result = RIGHT ? data : nullptr;
#ifndef __clang__
  asm("mov.b64 %0, %0;" : "+l"(result)); // otherwise nvcc replaces the access by a trap
#endif
  *result = 1; // <- wrong
}

template <bool RIGHT> void run() {
  float *data = device_array<float>(1);
  fill<RIGHT><<<1, 1>>>(data);
  finish(data);
}
BOTH(run)
