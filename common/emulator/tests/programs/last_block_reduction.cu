// Mean and variance in one launch: every block leaves its part in memory, and the one that finishes
// last, told by a ticket, adds the parts up. The fence puts a part before its ticket.
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
