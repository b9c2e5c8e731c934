// A large index is added to NULL. The report names the NULL pointer, not the memory at the sum.
//
// kind: null-pointer
// says: error: write through a null pointer: NULL plus 400000 bytes   in kernel set
// says:       thread (0,0) of block (0,0) wrote it   @set
// says:       the pointer comes from argument 1 of the kernel
// says:       The pointer is NULL. Its allocation failed or was left out, or the pointer was not
// says+ passed on.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void set(int *p, int i) { p[i] = 1; } // <- set

template <bool RIGHT> void run() {
  enum { N = 100001 };
  int *p = RIGHT ? device_array<int>(N) : NULL;
  set<<<1, 1>>>(p, N - 1);
  finish(p);
}
BOTH(run)
