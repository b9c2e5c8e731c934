// Computes Conway's Game of Life on a torus, in tiles whose halo wraps around. Two boards
// alternate. A glider must return to its start. A random board must equal the host's board.
#include "inputs.h"

enum { TILE_X = 32, TILE_Y = 6 };

__host__ __device__ unsigned char next_state(int alive, int neighbours) {
  return neighbours == 3 || (alive && neighbours == 2);
}

__global__ void generation(const unsigned char *board, unsigned char *next, int rows, int columns) {
  __shared__ unsigned char tile[TILE_Y + 2][TILE_X + 2];
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  for (int j = threadIdx.y; j < TILE_Y + 2; j += TILE_Y)
    for (int i = threadIdx.x; i < TILE_X + 2; i += TILE_X) {
      int row = (blockIdx.y * TILE_Y + j - 1 + rows) % rows;
      int column = (blockIdx.x * TILE_X + i - 1 + columns) % columns;
      tile[j][i] = board[row * columns + column];
    }
  __syncthreads();
  if (x >= columns || y >= rows)
    return;
  int neighbours = -tile[threadIdx.y + 1][threadIdx.x + 1];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      neighbours += tile[threadIdx.y + j][threadIdx.x + i];
  next[y * columns + x] = next_state(tile[threadIdx.y + 1][threadIdx.x + 1], neighbours);
}

typedef std::vector<unsigned char> Board;

static Board on_device(const Board &board, int rows, int columns, int generations) {
  unsigned char *from = to_device(board), *to = device_array<unsigned char>(board.size());
  dim3 block(TILE_X, TILE_Y), grid(ceil_div(columns, TILE_X), ceil_div(rows, TILE_Y));
  for (int g = 0; g < generations; g++) {
    generation<<<grid, block>>>(from, to, rows, columns);
    unsigned char *swap = from;
    from = to;
    to = swap;
  }
  LAUNCHED();
  Board result = to_host(from, board.size());
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return result;
}

static Board on_host(Board board, int rows, int columns, int generations) {
  Board next = board;
  for (int g = 0; g < generations; g++) {
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        int neighbours = 0;
        for (int k = 0; k < 9; k++)
          if (k != 4)
            neighbours += board[(y + k / 3 + rows - 1) % rows * columns +
                                (x + k % 3 + columns - 1) % columns];
        next[y * columns + x] = next_state(board[y * columns + x], neighbours);
      }
    board.swap(next);
  }
  return board;
}

int main() {
  Board glider(20 * 20);
  const int cells[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  for (const int *cell : cells)
    glider[cell[0] * 20 + cell[1]] = 1;
  EXPECT(on_device(glider, 20, 20, 4 * 20) == glider); // four steps move the glider by (1, 1)
  EXPECT(on_device(glider, 20, 20, 4 * 19) != glider);

  for (int size = 0; size < 4; size++) {
    const int rows[] = {3, 6, 45, 61}, columns[] = {3, 64, 33, 100};
    Board board(rows[size] * columns[size]);
    for (unsigned char &cell : board)
      cell = random_below(10) < 3;
    Board after = on_device(board, rows[size], columns[size], 17);
    EXPECT(after == on_host(board, rows[size], columns[size], 17));
  }
  return done();
}
