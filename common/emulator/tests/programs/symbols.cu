// Tests constant memory and device variables that the host and kernels use. A copy that is too long
// is refused.
// expect: ok
#include "check.h"

__constant__ float weights[5] = {1, 1, 1, 1, 1};
__device__ int counter = 40;
__device__ double table[8];
__device__ int *pointer_to_counter = &counter;

__global__ void use(float *out) {
  float sum = 0;
  for (int i = 0; i < 5; i++)
    sum += weights[i] * (threadIdx.x + i);
  out[threadIdx.x] = sum;
  if (threadIdx.x < 8)
    table[threadIdx.x] = 0.5 * threadIdx.x;
  if (threadIdx.x == 0)
    atomicAdd(pointer_to_counter, 2);
}

int main() {
  const float chosen[5] = {1, -2, 3, -4, 5};
  float out[64], *d_out, back[2];
  CHECK(cudaMemcpyToSymbol(weights, chosen, sizeof chosen));
  CHECK(cudaMemcpyFromSymbol(back, weights, sizeof back, 2 * sizeof(float)));
  EXPECT(back[0] == 3 && back[1] == -4);
  CHECK(cudaMalloc(&d_out, sizeof out));
  use<<<1, 64>>>(d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 64; t++) {
    float sum = 0;
    for (int i = 0; i < 5; i++)
      sum += chosen[i] * (t + i);
    EXPECT(out[t] == sum);
  }
  int count;
  double halves[8];
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK(cudaMemcpyFromSymbol(halves, table, sizeof halves));
  EXPECT(count == 42 && halves[7] == 3.5);

  void *address;
  size_t size;
  CHECK(cudaGetSymbolAddress(&address, table));
  CHECK(cudaGetSymbolSize(&size, table));
  EXPECT(size == sizeof halves);
  CHECK(cudaMemset(address, 0, size));
  CHECK(cudaMemcpyFromSymbol(halves, table, sizeof halves));
  EXPECT(halves[7] == 0);
  EXPECT(cudaMemcpyToSymbol(weights, chosen, 6 * sizeof(float)) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFree(d_out));
  return done();
}
