/* Adds two vectors. This is the smallest complete program with a kernel. The slides show parts of
 * it, and `make play FILE=slides/data/add.cu` runs it. */
#include "lab.h"
#include <stdio.h>

#define N 1000
#define THREADS 256 // number of threads per block

extern "C" __global__ void add(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = x[i] + y[i];
}

/* x, y and z are in host memory and have n elements each. Returns the first error. */
static cudaError_t add_on_device(const float *x, const float *y, float *z, int n) {
  cudaError_t error = cudaSuccess;
  size_t bytes = sizeof(float) * n;
  float *dx = NULL, *dy = NULL, *dz = NULL;
  TRY(error, cudaMalloc(&dx, bytes));
  TRY(error, cudaMalloc(&dy, bytes));
  TRY(error, cudaMalloc(&dz, bytes));
  TRY(error, cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice));
  TRY(error, cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice));
  if (error == cudaSuccess)
    add<<<CEIL_DIV(n, THREADS), THREADS>>>(dx, dy, dz, n);
  TRY(error, cudaGetLastError());
  TRY(error, cudaMemcpy(z, dz, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  return error;
}

int main() {
  static float x[N], y[N], z[N];
  int right = 0;
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = 2 * i;
  }
  cudaError_t error = add_on_device(x, y, z, N);
  for (int i = 0; i < N; i++)
    right += z[i] == 3 * i;
  printf("%s: %d of %d sums are right\n", cudaGetErrorString(error), right, N);
  return right != N;
}
