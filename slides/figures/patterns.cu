/* Accesses that the slides show and no lab has: their figures are drawn from a run of this program.
 *
 *   same_words      eight lanes each want one word, four words in all
 *   two_way         every second word: lanes i and i + 16 meet in a bank
 *   three_way       from three rows of 32 words, three lanes down each column
 *   tile_column     down a column of 32 × 32 words; drawn with banks of 8 bytes
 *   padded_row      along row 5 of 32 rows of 33 words
 *   second_doubles  every second double: a half of the warp at a time, two lanes to a pair of banks
 *   down_column     threadIdx.x walks down a column of a matrix in global memory
 *   second_floats   every second float of a row in global memory
 *   shifted_row     along row 1 of a matrix in global memory whose rows are 33 floats long
 */
#include "emulator/emulator.h"

#define LANES 32
#define ROWS 32

__global__ void same_words(float *out) {
  __shared__ float x[LANES];
  int lane = threadIdx.x;
  x[lane] = lane;
  __syncthreads();
  out[lane] = x[lane / 8];
}

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

__global__ void tile_column(float *out) {
  __shared__ float tile[ROWS][LANES];
  int lane = threadIdx.x;
  for (int row = 0; row < ROWS; row++)
    tile[row][lane] = lane;
  __syncthreads();
  out[lane] = tile[lane][0];
}

__global__ void padded_row(float *out) {
  __shared__ float tile[ROWS][LANES + 1];
  int lane = threadIdx.x;
  for (int row = 0; row < ROWS; row++)
    tile[row][lane] = lane;
  __syncthreads();
  out[lane] = tile[5][lane];
}

__global__ void second_doubles(float *out) {
  __shared__ double pairs[2 * LANES];
  int lane = threadIdx.x;
  pairs[lane] = pairs[lane + LANES] = lane;
  __syncthreads();
  out[lane] = (float)pairs[2 * lane];
}

__global__ void down_column(const float *A, float *out, int columns) {
  out[threadIdx.x] = A[threadIdx.x * columns];
}

__global__ void second_floats(const float *A, float *out) { out[threadIdx.x] = A[2 * threadIdx.x]; }

__global__ void shifted_row(const float *B, float *out, int columns) {
  out[threadIdx.x] = B[columns + threadIdx.x];
}

int main() {
  float *A, *B, *out;
  cudaMalloc(&A, ROWS * ROWS * sizeof(float));
  cudaMalloc(&B, ROWS * (ROWS + 1) * sizeof(float));
  cudaMalloc(&out, LANES * sizeof(float));
  cudaMemset(A, 0, ROWS * ROWS * sizeof(float));
  cudaMemset(B, 0, ROWS * (ROWS + 1) * sizeof(float));
  emulator_name(A, "A", ROWS, ROWS, sizeof(float));
  emulator_name(B, "B", ROWS, ROWS + 1, sizeof(float));
  emulator_name(out, "out", 0, 0, sizeof(float));
  same_words<<<1, LANES>>>(out);
  two_way<<<1, LANES>>>(out);
  three_way<<<1, LANES>>>(out);
  tile_column<<<1, LANES>>>(out);
  padded_row<<<1, LANES>>>(out);
  second_doubles<<<1, LANES>>>(out);
  down_column<<<1, LANES>>>(A, out, ROWS);
  second_floats<<<1, LANES>>>(A, out);
  shifted_row<<<1, LANES>>>(B, out, ROWS + 1);
  cudaError_t error = cudaDeviceSynchronize();
  cudaFree(A);
  cudaFree(B);
  cudaFree(out);
  return error != cudaSuccess;
}
