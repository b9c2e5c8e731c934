// With LOCKSTEP_PRETEND, buffers may exceed this computer's memory, up to the memory of the card.
// The calls that a GPU would refuse are refused. No memory is accessed.
// env: LOCKSTEP_PRETEND=1
// expect: cudaSuccess cudaSuccess cudaSuccess cudaSuccess
// expect: cudaErrorInvalidValue cudaErrorMemoryAllocation
// expect: 7 is still 7
#include <cstdio>

__global__ void fill(char *x) { x[blockIdx.x] = 1; }

int main() {
  const size_t bytes = (size_t)100 << 30;
  char *x = NULL, *more = NULL, own = 7;
  printf("%s ", cudaGetErrorName(cudaMalloc(&x, bytes)));
  fill<<<1 << 30, 1>>>(x);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  printf("%s ", cudaGetErrorName(cudaMemcpy(&own, x + bytes - 1, 1, cudaMemcpyDeviceToHost)));
  printf("%s\n", cudaGetErrorName(cudaMemset(x, 0, bytes)));
  printf("%s ", cudaGetErrorName(cudaMemcpy(x + bytes - 1, &own, 2, cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaMalloc(&more, bytes)));
  printf("%d is still 7\n", own);
  cudaFree(x);
  return 0;
}
