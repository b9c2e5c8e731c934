/* Computes the product of lab 02 with tiles of 4 × 4 elements, so that one warp loads a whole tile.
 * Each step is its own kernel, so that the device records a sample of each step for the figure.
 * Exit status: 1 if block (1,1) computed a wrong tile of C.
 */
#include "emulator/emulator.h"

#define TILE 4
#define STEPS 4
#define M 12
#define K (STEPS * TILE)
#define N 12

template <int t>
__global__ void step(const float *A, const float *B, float *sums, float *C, int k, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (blockIdx.x != 1 || blockIdx.y != 1)
    return; // the figure shows only block (1,1)
  As[y][x] = A[row * k + t * TILE + x];
  Bs[y][x] = B[(t * TILE + y) * n + column];
  __syncthreads();
  float sum = t ? sums[y * TILE + x] : 0;
  for (int i = 0; i < TILE; i++)
    sum += As[y][i] * Bs[i][x];
  if (t < STEPS - 1)
    sums[y * TILE + x] = sum;
  else
    C[row * n + column] = sum;
}

static float *matrix(const char *name, int rows, int columns) {
  float *device, host[M * K + K * N];
  for (int i = 0; i < rows * columns; i++)
    host[i] = i % 7;
  cudaMalloc(&device, rows * columns * sizeof(float));
  cudaMemcpy(device, host, rows * columns * sizeof(float), cudaMemcpyHostToDevice);
  emulator_name(device, name, rows, columns, sizeof(float));
  return device;
}

static bool is_right(const float *C) {
  for (int row = TILE; row < 2 * TILE; row++)
    for (int column = TILE; column < 2 * TILE; column++) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        sum += (float)((row * K + i) % 7) * (float)((i * N + column) % 7);
      if (!(C[row * N + column] == sum))
        return false;
    }
  return true;
}

int main() {
  float *A = matrix("A", M, K), *B = matrix("B", K, N), *C = matrix("C", M, N);
  float *sums = matrix("sums", TILE, TILE), result[M * N];
  dim3 grid(N / TILE, M / TILE), block(TILE, TILE);
  step<0><<<grid, block>>>(A, B, sums, C, K, N);
  step<1><<<grid, block>>>(A, B, sums, C, K, N);
  step<2><<<grid, block>>>(A, B, sums, C, K, N);
  step<3><<<grid, block>>>(A, B, sums, C, K, N);
  cudaMemcpy(result, C, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(sums);
  return !is_right(result);
}
