// Mean and variance in one launch: every block stores its part, and the block that finishes last,
// found by a counter, adds up the parts. The fence orders a part before the increment of the
// counter.
#include "moments.h"

__device__ unsigned tickets; // atomicInc brings it back to 0: ready for the next launch

__global__ void moments(const float *values, int n, Moments *parts, Moments *result) {
  __shared__ bool last;
  Moments mine = part_of(values, n);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  mine = sum_of(parts);
  if (threadIdx.x == 0)
    *result = mine;
}

int main() { return run_all(false); }
