// Each of two streams smooths one half of a row in place. At the boundary, one stream reads an
// element that the other writes. The first two kernels have no report, because one stream uses even
// elements and the other odd ones.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (256 bytes), element 31
// says:       kernel smooth wrote it, in stream 1   @left
// says:       kernel smooth read it, in stream 2   @right
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void smooth(float *out, const float *in, int from, int n) {
  int i = from + threadIdx.x;
  float sum = (i ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
  __syncwarp();
  out[i] = sum / 3;
}

__global__ void every_other(float *data, int first) { data[2 * threadIdx.x + first] += 1; }

template <bool RIGHT> void run() {
  enum { N = 64 }; // each half is one warp
  float *row = device_array<float>(N), *smoothed = device_array<float>(N);
  cudaStream_t left, right;
  MUST(cudaStreamCreate(&left));
  MUST(cudaStreamCreate(&right));
  every_other<<<1, N / 2, 0, left>>>(row, 0);
  every_other<<<1, N / 2, 0, right>>>(row, 1);
  MUST(cudaDeviceSynchronize());
  float *out = RIGHT ? smoothed : row;
  smooth<<<1, N / 2, 0, left>>>(out, row, 0, N);      // <- left
  smooth<<<1, N / 2, 0, right>>>(out, row, N / 2, N); // <- right
  finish(row, smoothed);
}
BOTH(run)
