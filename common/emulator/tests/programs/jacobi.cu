// Computes the temperature of a plate with a fixed border by Jacobi iterations until the largest
// change is small. atomicMax finds this change from the bits of floats, which have the same order
// as the floats because no change is negative.
#include "inputs.h"
#include <algorithm>
#include <cmath>

enum { TILE_X = 32, TILE_Y = 4, EVERY = 10 };

__host__ __device__ float mean_of_four(float north, float south, float west, float east) {
  return 0.25f * ((north + south) + (west + east));
}

// If `change` is not NULL, finds the largest change: per block in shared memory, then in the grid.
__global__ void jacobi(const float *from, float *to, int rows, int columns, unsigned *change) {
  __shared__ unsigned largest;
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  bool first = threadIdx.x == 0 && threadIdx.y == 0;
  if (first)
    largest = 0;
  __syncthreads();
  if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1) {
    int i = y * columns + x;
    float value = mean_of_four(from[i - columns], from[i + columns], from[i - 1], from[i + 1]);
    to[i] = value;
    if (change)
      atomicMax(&largest, __float_as_uint(fabsf(value - from[i])));
  }
  __syncthreads();
  if (first && change)
    atomicMax(change, largest);
}

static int solve(float *from, float *to, int rows, int columns, float tolerance, float **result) {
  unsigned *d_change = device_array<unsigned>(1);
  dim3 block(TILE_X, TILE_Y), grid(ceil_div(columns, TILE_X), ceil_div(rows, TILE_Y));
  float change = INFINITY;
  int rounds = 0;
  while (change > tolerance) {
    CHECK(cudaMemset(d_change, 0, sizeof change));
    for (int k = 1; k <= EVERY; k++, rounds++) {
      jacobi<<<grid, block>>>(from, to, rows, columns, k == EVERY ? d_change : nullptr);
      std::swap(from, to);
    }
    LAUNCHED();
    CHECK(cudaMemcpy(&change, d_change, sizeof change, cudaMemcpyDeviceToHost));
  }
  *result = from;
  CHECK(cudaFree(d_change));
  return rounds;
}

static int solve_on_host(std::vector<float> &from, int rows, int columns, float tolerance) {
  std::vector<float> to = from;
  for (int rounds = 1;; rounds++) {
    float change = 0;
    for (int y = 1; y < rows - 1; y++)
      for (int x = 1; x < columns - 1; x++) {
        int i = y * columns + x;
        to[i] = mean_of_four(from[i - columns], from[i + columns], from[i - 1], from[i + 1]);
        change = std::max(change, fabsf(to[i] - from[i]));
      }
    from.swap(to);
    if (rounds % EVERY == 0 && !(change > tolerance))
      return rounds;
  }
}

static void run(int rows, int columns, float tolerance) {
  std::vector<float> plate(rows * columns);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      if (y == 0 || x == 0 || y == rows - 1 || x == columns - 1)
        plate[y * columns + x] = 50 + 40 * random_float() + (float)x;
  float *a = to_device(plate), *b = to_device(plate), *result;
  int rounds = solve(a, b, rows, columns, tolerance, &result);
  EXPECT(rounds == solve_on_host(plate, rows, columns, tolerance));
  EXPECT(to_host(result, rows * columns) == plate); // the same operations give the same bits
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

int main() {
  run(3, 3, 1e-6f);
  run(20, 45, 0.2f);
  run(61, 34, 0.5f);
  return done();
}
