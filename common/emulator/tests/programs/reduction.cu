// Sums float, double or int by shuffles within warps, through shared memory between warps, and with
// an atomic between blocks.
#include "check.h"
#include <vector>

template <class T> __device__ T warp_sum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

template <class T> __global__ void sum(const T *input, int n, T *result) {
  __shared__ T partial[32];
  T value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += input[i];
  value = warp_sum(value);
  unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / warpSize ? partial[lane] : T(0);
    value = warp_sum(value);
    if (lane == 0)
      atomicAdd(result, value);
  }
}

template <class T> static void run() {
  const int n = 10007;
  std::vector<T> input(n);
  T expected = 0, result = 0;
  for (int i = 0; i < n; i++)
    expected += input[i] = T(i % 17 - 5); // integers, so sums are exact in any order
  T *d_input, *d_result;
  CHECK(cudaMalloc(&d_input, n * sizeof(T)));
  CHECK(cudaMalloc(&d_result, sizeof(T)));
  CHECK(cudaMemcpy(d_input, input.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_result, 0, sizeof(T)));
  sum<T><<<7, 256>>>(d_input, n, d_result);
  LAUNCHED();
  CHECK(cudaMemcpy(&result, d_result, sizeof(T), cudaMemcpyDeviceToHost));
  EXPECT(result == expected);
  CHECK(cudaFree(d_input));
  CHECK(cudaFree(d_result));
}

int main() {
  run<float>();
  run<double>();
  run<int>();
  return done();
}
