// Blocks of a cooperative launch exchange sums through global memory. Only grid.sync() orders the
// accesses before and after it.
//
// kind: race-between-blocks
// says: error: race between blocks on allocation 1 (16 bytes), element 1   in kernel sums
// says:       thread (0,0) of block (1,0) wrote it   @write
// says:       thread (0,0) of block (0,0) read it   @read
// says:       __syncthreads() orders the threads of one block only, and blocks run in any order.
// says+ Use two launches in one stream, or a cooperative launch with grid.sync().
#include <cooperative_groups.h>
#include "mistake.h"

template <bool RIGHT> __global__ void sums(int *of_block, int *total) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0)
    of_block[blockIdx.x] = blockIdx.x; // <- write
  if (RIGHT)
    grid.sync();
  else
    __syncthreads();
  if (grid.thread_rank() != 0)
    return;
  for (int i = 0; i < gridDim.x; i++)
    *total += of_block[i]; // <- read
}

template <bool RIGHT> void run() {
  int *of_block = device_array<int>(4), *total = device_array<int>(1);
  void *arguments[] = {&of_block, &total};
  MUST(cudaLaunchCooperativeKernel((void *)sums<RIGHT>, dim3(4), dim3(64), arguments, 0, 0));
  finish(of_block, total);
}
BOTH(run)
