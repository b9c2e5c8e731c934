// Histograms without atomics, with races in shared memory, in global memory, and on bytes.
#include "race.h"

__global__ void shared_bins(const int *values, int *bins) {
  __shared__ int own[16];
  if (threadIdx.x < 16)
    own[threadIdx.x] = 0;
  own[values[blockIdx.x * blockDim.x + threadIdx.x] & 15]++;
  if (threadIdx.x < 16)
    bins[threadIdx.x] += own[threadIdx.x];
}

__global__ void byte_bins(const int *values, unsigned char *bins) {
  bins[values[blockIdx.x * blockDim.x + threadIdx.x] & 63]++;
}

int main() {
  int *values = filled(64 * 128), *bins = filled(16);
  unsigned char *bytes = (unsigned char *)filled(16);
  shared_bins<<<64, 128>>>(values, bins);
  byte_bins<<<64, 128>>>(values, bytes);
  byte_bins<<<2, 32>>>(values, bytes);
  return finish();
}
