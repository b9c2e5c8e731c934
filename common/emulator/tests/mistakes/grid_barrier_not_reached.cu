// A block without work returns before the grid's barrier, and the others wait for it.
//
// kind: deadlock
// answers: cudaErrorLaunchTimeout
// says: error: grid barrier that 1 of 3 blocks never reach   in kernel mirror
// says:       thread (0,0) of block (0,0) waits for the grid   @here
// says:       Every block must reach the same grid.sync(). Keep grid.sync() out of conditions, and
// says+ put early returns after it.
#include <cooperative_groups.h>
#include "mistake.h"

template <bool RIGHT> __global__ void mirror(int *to, int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!RIGHT && i >= n)
    return;
  if (i < n)
    data[i] *= 2;
  cooperative_groups::this_grid().sync(); // <- here
  if (i < n)
    to[i] = data[n - 1 - i];
}

template <bool RIGHT> void run() {
  int n = 64;
  int *to = device_array<int>(n), *data = device_array<int>(n);
  void *arguments[] = {&to, &data, &n};
  MUST(cudaLaunchCooperativeKernel((void *)mirror<RIGHT>, dim3(3), dim3(32), arguments, 0, 0));
  finish(to, data);
}
BOTH(run)
