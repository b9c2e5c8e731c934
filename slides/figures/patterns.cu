/* Accesses that the slides show and no lab has: their figures are drawn from a run of this program.
 *
 *   two_way      every second word: lanes i and i + 16 meet in a bank
 *   three_way    from three rows of 32 words, three lanes down each column
 *   down_column  threadIdx.x walks down a column of a matrix in global memory
 */
#include "emulator/emulator.h"

#define LANES 32
#define ROWS 32

__global__ void two_way(float *out) {
  __shared__ float pairs[2 * LANES];
  int lane = threadIdx.x;
  pairs[lane] = pairs[lane + LANES] = lane;
  __syncthreads();
  out[lane] = pairs[2 * lane];
}

__global__ void three_way(float *out) {
  __shared__ float xyz[3][LANES];
  int lane = threadIdx.x;
  for (int row = 0; row < 3; row++)
    xyz[row][lane] = lane;
  __syncthreads();
  out[lane] = xyz[lane % 3][lane / 3];
}

__global__ void down_column(const float *A, float *out, int columns) {
  out[threadIdx.x] = A[threadIdx.x * columns];
}

int main() {
  float *A, *out;
  cudaMalloc(&A, ROWS * ROWS * sizeof(float));
  cudaMalloc(&out, LANES * sizeof(float));
  cudaMemset(A, 0, ROWS * ROWS * sizeof(float));
  emulator_name(A, "A", ROWS, ROWS, sizeof(float));
  emulator_name(out, "out", 0, 0, sizeof(float));
  two_way<<<1, LANES>>>(out);
  three_way<<<1, LANES>>>(out);
  down_column<<<1, LANES>>>(A, out, ROWS);
  cudaError_t error = cudaDeviceSynchronize();
  cudaFree(A);
  cudaFree(out);
  return error != cudaSuccess;
}
