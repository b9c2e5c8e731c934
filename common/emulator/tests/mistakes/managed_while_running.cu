// Host code fills managed memory that no kernel uses, while a kernel runs. A K40c forbids this.
//
// env: LOCKSTEP_CARD=k40c
// kind: not-on-a-gpu
// says: warning: host code touched byte 0 of allocation 2 (4000 bytes), managed memory, while a
// says+ kernel may run
// says:       touched here   @fill
// says:       On this card concurrentManagedAccess is 0: while a kernel runs, host code that
// says+ touches any managed memory crashes. WSL, Windows and Jetson do the same. Wait for the
// says+ kernel first.
#include "mistake.h"

__global__ void square(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= x[i];
}

template <bool RIGHT> void run() {
  enum { N = 1000 };
  int *x, *next;
  MUST(cudaMallocManaged(&x, N * sizeof *x));
  MUST(cudaMallocManaged(&next, N * sizeof *next));
  for (int i = 0; i < N; i++)
    x[i] = i;
  square<<<4, 256>>>(x, N);
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++)
    next[i] = i; // <- fill
  MUST(cudaDeviceSynchronize());
  square<<<4, 256>>>(next, N);
  MUST(cudaDeviceSynchronize());
  if (x[9] != 81 || next[9] != 81)
    printf("%d %d\n", x[9], next[9]);
  finish(x, next);
}
BOTH(run)
