/* Uses unified memory, in which host and device use the same pointer. The program copies nothing,
 * but the host has to wait for the kernel before it reads the result.
 *
 *   make play FILE=slides/data/managed.cu
 *   make play FILE=slides/data/managed.cu ARGS=unwaited    does not wait for the kernel
 */
#include "lab.h"
#include <string.h>

#define N 1000

extern "C" __global__ void twice(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

int main(int argc, char **argv) {
  cudaError_t error = cudaSuccess;
  int *x = NULL, right = 0;
  TRY(error, cudaMallocManaged(&x, sizeof(int) * N));
  for (int i = 0; error == cudaSuccess && i < N; i++)
    x[i] = i;
  if (error == cudaSuccess)
    twice<<<CEIL_DIV(N, 256), 256>>>(x, N);
  TRY(error, cudaGetLastError());
  if (argc < 2 || strcmp(argv[1], "unwaited"))
    TRY(error, cudaDeviceSynchronize());
  for (int i = 0; error == cudaSuccess && i < N; i++)
    right += x[i] == 2 * i;
  printf("%s: %d of %d are right\n", cudaGetErrorString(error), right, N);
  TRY(error, cudaDeviceSynchronize());
  cudaFree(x);
  return right != N;
}
