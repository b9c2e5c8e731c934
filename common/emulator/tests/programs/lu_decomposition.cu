// Blocked LU decomposition in place: computes the tile on the diagonal, then the tiles in its row
// and column, then updates the remaining tiles. Then solves both triangular systems.
#include "inputs.h"
#include <cmath>

enum { TILE = 16 };

// Decomposes the diagonal tile. Tiles are complete, because the matrix is padded with an identity
// matrix.
__global__ void corner(float *a, int n, int k) {
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  float *at = &a[(k * TILE + y) * n + k * TILE + x];
  tile[y][x] = *at;
  for (int p = 0; p < TILE - 1; p++) {
    __syncthreads();
    if (x == p && y > p)
      tile[y][p] /= tile[p][p];
    __syncthreads();
    if (x > p && y > p)
      tile[y][x] -= tile[y][p] * tile[p][x];
  }
  *at = tile[y][x];
}

// blockIdx.y 0: computes a tile to the right of the diagonal tile, one column per thread.
// blockIdx.y 1: a tile below the diagonal tile, one row per thread.
__global__ void borders(float *a, int n, int k) {
  __shared__ float diagonal[TILE][TILE + 1], tile[TILE][TILE + 1];
  int other = k + 1 + blockIdx.x, t = threadIdx.x;
  bool below = blockIdx.y == 1;
  float *at = &a[(below ? other : k) * TILE * n + (below ? k : other) * TILE];
  for (int i = 0; i < TILE; i++) {
    diagonal[i][t] = a[(k * TILE + i) * n + k * TILE + t];
    tile[i][t] = at[i * n + t];
  }
  __syncthreads();
  for (int p = 0; p < TILE; p++)
    if (below) {
      tile[t][p] /= diagonal[p][p];
      for (int j = p + 1; j < TILE; j++)
        tile[t][j] -= tile[t][p] * diagonal[p][j];
    } else {
      for (int i = p + 1; i < TILE; i++)
        tile[i][t] -= diagonal[i][p] * tile[p][t];
    }
  __syncthreads();
  for (int i = 0; i < TILE; i++)
    at[i * n + t] = tile[i][t];
}

__global__ void inner(float *a, int n, int k) {
  __shared__ float left[TILE][TILE], top[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = (k + 1 + blockIdx.y) * TILE + y, column = (k + 1 + blockIdx.x) * TILE + x;
  left[y][x] = a[row * n + k * TILE + x];
  top[y][x] = a[(k * TILE + y) * n + column];
  __syncthreads();
  float sum = a[row * n + column];
  for (int p = 0; p < TILE; p++)
    sum -= left[y][p] * top[p][x];
  a[row * n + column] = sum;
}

static void decompose(float *a, int n) {
  const int tiles = n / TILE;
  dim3 block(TILE, TILE);
  for (int k = 0; k < tiles; k++) {
    int rest = tiles - k - 1;
    corner<<<1, block>>>(a, n, k);
    if (rest > 0) {
      borders<<<dim3(rest, 2), TILE>>>(a, n, k);
      inner<<<dim3(rest, rest), block>>>(a, n, k);
    }
  }
  LAUNCHED();
}

static void run(int size) {
  const int n = ceil_div(size, TILE) * TILE;
  std::vector<float> a(n * n), x(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] =
          i < size && j < size ? random_float() + (i == j ? size / 2.0f + 3 : 0) : i == j;
  for (int i = 0; i < size; i++)
    x[i] = random_float();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += (double)a[i * n + j] * x[j];
  float *device = to_device(a);
  decompose(device, n);
  std::vector<float> lu = to_host(device, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i <= j ? lu[i * n + j] : 0; // the diagonal of L is 1
      for (int p = 0; p < i && p <= j; p++)
        sum += (double)lu[i * n + p] * lu[p * n + j];
      EXPECT(fabs(sum - a[i * n + j]) <= 1e-4);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      y[i] -= lu[i * n + j] * y[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      y[i] -= lu[i * n + j] * y[j];
    y[i] /= lu[i * n + i];
    EXPECT(fabs(y[i] - x[i]) <= 1e-4);
  }
  CHECK(cudaFree(device));
}

int main() {
  for (int size : {1, 16, 33, 100})
    run(size);
  return done();
}
