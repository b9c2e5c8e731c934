// Computes mean and variance in one launch. Every block stores its part and increments a counter.
// The last block to increment the counter sums the parts. The fence orders the store of a part
// before the increment.
#include "moments.h"

__device__ unsigned tickets; // atomicInc resets it to 0 for the next launch

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
