/* Computes the product of lab 01 with threadIdx.x as the row, so that a warp computes a column of
 * C. Measures the sectors per request in A, in B and in C. `make record` stores the results.
 */
#include "emulator/emulator.h"
#include <stdio.h>

#define TILE 32
#define N 128

extern "C" __global__ void turned(const float *A, const float *B, float *C) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += A[row * N + i] * B[i * N + column];
  C[row * N + column] = sum;
}

static float *matrix() {
  float *device;
  cudaMalloc(&device, N * N * sizeof(float));
  cudaMemset(device, 0, N * N * sizeof(float));
  return device;
}

int main() {
  float *A = matrix(), *B = matrix(), *C = matrix();
  turned<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(A, B, C);
  bool counted = cudaDeviceSynchronize() == cudaSuccess;
  printf("n,request,requests,sectors each\n");
  for (int parameter = 0; parameter < 3; parameter++) {
    EmulatorAccess a = {};
    counted = counted && emulator_parameter_access("turned", parameter, &a);
    uint64_t requests = a.load_requests + a.store_requests,
             sectors = a.load_sectors + a.store_sectors;
    printf("%d,%s of %c,%llu,%g\n", N, a.load_requests ? "load" : "store", "ABC"[parameter],
           (unsigned long long)requests, (double)sectors / (double)requests);
  }
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return !counted;
}
