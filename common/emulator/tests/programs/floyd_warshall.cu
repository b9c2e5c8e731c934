// Computes shortest paths between all pairs of vertices, in tiles. Each round computes the tile on
// the diagonal, then the tiles in its row and column, then all others. The result is compared with
// the result of the plain algorithm, which needs n launches.
#include "inputs.h"
#include <climits>

enum { TILE = 16, FAR = INT_MAX / 2 };

__device__ void relax(int (*to)[TILE], int (*left)[TILE], int (*top)[TILE], bool together) {
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < TILE; k++) {
    int way = left[y][k] + top[k][x];
    if (together)
      __syncthreads(); // left or top may be `to`, so all threads read before any writes
    if (way < to[y][x])
      to[y][x] = way;
    if (together)
      __syncthreads();
  }
}

__device__ int *element(int *distance, int n, int row, int column) {
  return &distance[(row * TILE + threadIdx.y) * n + column * TILE + threadIdx.x];
}

__global__ void on_diagonal(int *distance, int n, int round) {
  __shared__ int tile[TILE][TILE];
  int *mine = element(distance, n, round, round);
  tile[threadIdx.y][threadIdx.x] = *mine;
  __syncthreads();
  relax(tile, tile, tile, true);
  *mine = tile[threadIdx.y][threadIdx.x];
}

// blockIdx.y 0: computes a tile in the row of the diagonal tile; 1: a tile in its column.
__global__ void row_and_column(int *distance, int n, int round) {
  __shared__ int tile[TILE][TILE], diagonal[TILE][TILE];
  int other = blockIdx.x + (blockIdx.x >= round);
  int *mine = blockIdx.y ? element(distance, n, other, round) : element(distance, n, round, other);
  tile[threadIdx.y][threadIdx.x] = *mine;
  diagonal[threadIdx.y][threadIdx.x] = *element(distance, n, round, round);
  __syncthreads();
  relax(tile, blockIdx.y ? tile : diagonal, blockIdx.y ? diagonal : tile, true);
  *mine = tile[threadIdx.y][threadIdx.x];
}

__global__ void others(int *distance, int n, int round) {
  __shared__ int tile[TILE][TILE], left[TILE][TILE], top[TILE][TILE];
  int row = blockIdx.y + (blockIdx.y >= round), column = blockIdx.x + (blockIdx.x >= round);
  int *mine = element(distance, n, row, column);
  tile[threadIdx.y][threadIdx.x] = *mine;
  left[threadIdx.y][threadIdx.x] = *element(distance, n, row, round);
  top[threadIdx.y][threadIdx.x] = *element(distance, n, round, column);
  __syncthreads();
  relax(tile, left, top, false);
  *mine = tile[threadIdx.y][threadIdx.x];
}

// Round k does not change row and column k, so the kernel can work in place.
__global__ void plain(int *distance, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x == k || y == k || x >= n)
    return;
  int way = distance[y * n + k] + distance[k * n + x];
  if (way < distance[y * n + x])
    distance[y * n + x] = way;
}

static void run(int vertices) {
  const int tiles = ceil_div(vertices, TILE), n = tiles * TILE;
  std::vector<int> distance(n * n, (int)FAR), expected;
  for (int i = 0; i < n; i++)
    distance[i * n + i] = 0;
  for (int e = 0; e < 3 * vertices; e++) // directed edges; some vertices cannot be reached
    distance[random_below(vertices) * n + random_below(vertices)] = 1 + random_below(100);
  for (int i = 0; i < n; i++)
    distance[i * n + i] = 0;
  expected = distance;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (expected[i * n + k] + expected[k * n + j] < expected[i * n + j])
          expected[i * n + j] = expected[i * n + k] + expected[k * n + j];

  int *tiled = to_device(distance), *in_rounds = to_device(distance);
  dim3 block(TILE, TILE);
  for (int round = 0; round < tiles; round++) {
    on_diagonal<<<1, block>>>(tiled, n, round);
    if (tiles == 1)
      break;
    row_and_column<<<dim3(tiles - 1, 2), block>>>(tiled, n, round);
    others<<<dim3(tiles - 1, tiles - 1), block>>>(tiled, n, round);
  }
  LAUNCHED();
  EXPECT(to_host(tiled, n * n) == expected);
  for (int k = 0; k < n; k++)
    plain<<<dim3(ceil_div(n, 64), n), 64>>>(in_rounds, n, k);
  LAUNCHED();
  EXPECT(to_host(in_rounds, n * n) == expected);
  CHECK(cudaFree(tiled));
  CHECK(cudaFree(in_rounds));
}

int main() {
  run(1);
  run(16);
  run(40);
  run(70);
  return done();
}
