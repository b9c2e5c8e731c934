// Transposes a square matrix in place: a block loads a tile and its mirror image into shared memory
// and stores them exchanged. Also rotates by a quarter turn, in cycles of four elements.
#include "inputs.h"

enum { TILE = 16 };

// Blocks are assigned to the tiles on and below the diagonal, row by row.
__global__ void transpose(short *matrix, int n) {
  __shared__ short here[TILE][TILE + 2], there[TILE][TILE + 2];
  int row = 0, number = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
  while (number > row) // row r has r + 1 tiles
    number -= ++row;
  int column = number;
  int i = row * TILE + y, j = column * TILE + x, k = column * TILE + y, l = row * TILE + x;
  if (i < n && j < n)
    here[y][x] = matrix[i * n + j];
  if (k < n && l < n)
    there[y][x] = matrix[k * n + l];
  __syncthreads();
  if (k < n && l < n)
    matrix[k * n + l] = here[x][y];
  if (row != column && i < n && j < n)
    matrix[i * n + j] = there[x][y];
}

// Each thread rotates four elements, one in each quarter. If n is odd, the middle element stays in
// place.
__global__ void rotate(short *matrix, int n) {
  int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
  if (i >= n / 2 || j >= (n + 1) / 2)
    return;
  int at[4] = {i * n + j, j * n + n - 1 - i, (n - 1 - i) * n + n - 1 - j, (n - 1 - j) * n + i};
  short old[4];
  for (int k = 0; k < 4; k++)
    old[k] = matrix[at[k]];
  for (int k = 0; k < 4; k++)
    matrix[at[(k + 1) % 4]] = old[k];
}

static void run(int n) {
  std::vector<short> matrix(n * n);
  for (short &element : matrix)
    element = (short)random_bits();
  short *device = to_device(matrix);
  const int tiles = ceil_div(n, TILE);
  transpose<<<tiles *(tiles + 1) / 2, dim3(TILE, TILE)>>>(device, n);
  LAUNCHED();
  std::vector<short> transposed = to_host(device, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      EXPECT(transposed[j * n + i] == matrix[i * n + j]);
  rotate<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(device, n);
  LAUNCHED();
  std::vector<short> rotated = to_host(device, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) // a transpose and a rotation give a mirror image
      EXPECT(rotated[i * n + j] == matrix[i * n + n - 1 - j]);
  CHECK(cudaFree(device));
}

int main() {
  for (int n : {1, 2, 15, 16, 17, 100, 129})
    run(n);
  return done();
}
