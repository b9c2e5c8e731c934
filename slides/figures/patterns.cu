/* Contains accesses that the slides show and that no lab has. Their figures are drawn from a run of
 * this program. Each kernel has one of these accesses by a warp:
 *   same_words      each group of eight lanes reads the same word: four words in all
 *   two_way         reads every second word: lanes i and i + 16 use the same bank
 *   three_way       reads words in three rows of 32 words: three lanes use the same bank
 *   tile_column     accesses a column of 32 × 32 words; the figure has banks of 8 bytes
 *   padded_row      reads row 5 of an array of 32 rows of 33 words
 *   second_doubles  reads every second double: in each half-warp, two lanes use the same two banks
 *   down_column     reads a column of a matrix in global memory
 *   second_floats   reads every second float of a row in global memory
 *   shifted_row     reads row 1 of a matrix in global memory whose rows have 33 floats
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
