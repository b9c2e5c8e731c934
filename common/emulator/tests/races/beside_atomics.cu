// Some threads add atomically to elements that others read or write with plain accesses. In the
// second kernel a fence orders some of the accesses.
#include "race.h"

__global__ void mixed(int *bins, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i % 16], 1);
  if (i % 64 == 3)
    bins[i % 5] = i;
  if (i % 32 == 7)
    out[i] = bins[9];
}

__global__ void fenced(int *data, int *flag, int *out) {
  if (threadIdx.x == 0) {
    data[0] = blockIdx.x;
    __threadfence();
    if (atomicAdd(flag, 1) == (int)gridDim.x - 1)
      out[0] = data[0];
  }
}

__global__ void by_cas(int *sum) {
  int old = *sum, seen;
  do {
    seen = old;
    old = atomicCAS(sum, seen, seen + 1);
  } while (old != seen);
  if (threadIdx.x == 1)
    *sum = 0;
}

int main() {
  int *bins = filled(16), *out = device(4096), *flag = filled(1), *data = filled(1),
      *sum = filled(1);
  mixed<<<32, 64>>>(bins, out);
  fenced<<<50, 32>>>(data, flag, out);
  by_cas<<<20, 32>>>(sum);
  return finish();
}
