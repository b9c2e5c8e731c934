// expect: task 3
// cause: never launched
// The product is computed by the host.
#include "lab.h"

#define TILE 32

extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    real sum = 0;
    for (int i = 0; i < k; i++)
      sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
  }
}
EXPORT_KERNEL(matmul)

extern "C" cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k,
                                        int n) {
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      real sum = 0;
      for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
      C[row * n + column] = sum;
    }
  return cudaSuccess;
}

#define PREDICT_A_SECTORS_PER_REQUEST 1
#define PREDICT_B_SECTORS_PER_REQUEST 4
