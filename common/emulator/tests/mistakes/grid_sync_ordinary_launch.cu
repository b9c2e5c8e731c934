// A kernel uses grid.sync() after an ordinary launch, which may start blocks only after others have
// ended. The launch has one block, so that the report always names the same thread.
//
// kind: trap
// answers: cudaErrorLaunchFailure
// says: error: grid barrier in a launch that is not cooperative   in kernel total
// says:       thread (0,0) of block (0,0) came here   @here
// says:       grid.sync() needs all blocks to run at once. Launch with cudaLaunchCooperativeKernel.
#include <cooperative_groups.h>
#include "mistake.h"

__global__ void total(int *of_block, int *sum) {
  if (threadIdx.x == 0)
    of_block[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync(); // <- here
  if (blockIdx.x == 0 && threadIdx.x < gridDim.x)
    atomicAdd(sum, of_block[threadIdx.x]);
}

template <bool RIGHT> void run() {
  int *of_block = device_array<int>(4), *sum = device_array<int>(1);
  void *arguments[] = {&of_block, &sum};
  if (RIGHT)
    MUST(cudaLaunchCooperativeKernel((void *)total, dim3(4), dim3(32), arguments, 0, 0));
  else
    total<<<1, 32>>>(of_block, sum);
  finish(of_block, sum);
}
BOTH(run)
