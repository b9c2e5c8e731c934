// If a barrier is missing, there are also races between lanes of a warp. The report about the
// barrier explains the race in the warp, so the report about the warp is neither shown nor counted.
//
// expect: error: race on sums, word
// expect: reports in all, of 1 mistake
#include <cstdio>

__global__ void sum(const int *in, int *out) {
  __shared__ int sums[64];
  int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2)
    if (t < half)
      sums[t] += sums[t + half];
  if (t == 0)
    *out = sums[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof *in);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(in, 0, 64 * sizeof *in);
  sum<<<1, 64>>>(in, out);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
