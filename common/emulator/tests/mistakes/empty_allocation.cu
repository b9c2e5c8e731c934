// An allocation of 0 bytes succeeds and returns NULL, which a kernel then uses.
//
// kind: null-pointer
// says: error: read through a null pointer   in kernel first
// says:       thread (0,0) of block (0,0) read it   @read
// says:       0 bytes were allocated, which gives NULL   @empty
// says:       the pointer comes from argument 1 of the kernel
// says:       The pointer is NULL. Its allocation failed or was left out, or the pointer was not
// says+ passed on.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void first(const int *list, int n, int *out) { *out = n + list[0]; } // <- read

template <bool RIGHT> void run() {
  const int n = RIGHT ? 4 : 0;
  int *list = NULL, *out = device_array<int>(1);
  MUST(cudaMalloc(&list, n * sizeof *list)); // <- empty
  if (n)
    MUST(cudaMemset(list, 0, n * sizeof *list));
  first<<<1, 1>>>(list, n, out);
  finish(list, out);
}
BOTH(run)
