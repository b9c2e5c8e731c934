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
  size_t a_bytes = sizeof(real) * m * k, b_bytes = sizeof(real) * k * n;
  size_t c_bytes = sizeof(real) * m * n;
  real *a = NULL, *b = NULL, *c = NULL;
  dim3 block(TILE, TILE), grid(CEIL_DIV(n, TILE), CEIL_DIV(m, TILE));
  cudaError_t error = cudaSuccess;
  TRY(error, cudaMalloc(&a, a_bytes));
  TRY(error, cudaMalloc(&b, b_bytes));
  TRY(error, cudaMalloc(&c, c_bytes));
  TRY(error, cudaMemcpy(a, A, a_bytes, cudaMemcpyHostToDevice));
  TRY(error, cudaMemcpy(b, B, b_bytes, cudaMemcpyHostToDevice));
  if (error == cudaSuccess)
    matmul<<<grid, block>>>(a, b, c, m, k, n);
  TRY(error, cudaGetLastError());
  TRY(error, cudaMemcpy(C, c, c_bytes, cudaMemcpyDeviceToHost));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return error;
}

#define PREDICT_A_SECTORS_PER_REQUEST 1
#define PREDICT_B_SECTORS_PER_REQUEST 4
