// Filters an image with a 5×7 mask in constant memory, using tiles with a halo. Beyond the borders
// of the image, the nearest pixel is used. The result is rounded and clamped to a byte.
#include "inputs.h"

enum { HEIGHT = 5, WIDTH = 7, TILE_X = 32, TILE_Y = 8 };
enum { HALO_X = TILE_X + WIDTH - 1, HALO_Y = TILE_Y + HEIGHT - 1 };

__constant__ int mask[HEIGHT][WIDTH];
__constant__ int divisor;

__host__ __device__ int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

__host__ __device__ unsigned char pixel(int sum, int by) {
  int value = (sum + (sum < 0 ? -by / 2 : by / 2)) / by;
  return (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
}

__global__ void filter(const unsigned char *image, int rows, int columns, unsigned char *out) {
  __shared__ unsigned char tile[HALO_Y][HALO_X + 2];
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  for (int j = threadIdx.y; j < HALO_Y; j += TILE_Y)
    for (int i = threadIdx.x; i < HALO_X; i += TILE_X) {
      int row = clamped(blockIdx.y * TILE_Y + j - HEIGHT / 2, rows);
      int column = clamped(blockIdx.x * TILE_X + i - WIDTH / 2, columns);
      tile[j][i] = image[row * columns + column];
    }
  __syncthreads();
  if (x >= columns || y >= rows)
    return;
  int sum = 0;
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++)
      sum += mask[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[y * columns + x] = pixel(sum, divisor);
}

static void run(int rows, int columns) {
  int weights[HEIGHT][WIDTH], by = 16;
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++)
      weights[j][i] = random_below(11) - 4;
  CHECK(cudaMemcpyToSymbol(mask, weights, sizeof weights));
  CHECK(cudaMemcpyToSymbol(divisor, &by, sizeof by));
  std::vector<unsigned char> image(rows * columns), expected(rows * columns);
  for (unsigned char &value : image)
    value = (unsigned char)random_bits();
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      int sum = 0;
      for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++)
          sum += weights[j][i] * image[clamped(y + j - HEIGHT / 2, rows) * columns +
                                       clamped(x + i - WIDTH / 2, columns)];
      expected[y * columns + x] = pixel(sum, by);
    }
  unsigned char *d_image = to_device(image);
  unsigned char *d_out = device_zeros<unsigned char>(rows * columns);
  dim3 grid(ceil_div(columns, TILE_X), ceil_div(rows, TILE_Y));
  filter<<<grid, dim3(TILE_X, TILE_Y)>>>(d_image, rows, columns, d_out);
  LAUNCHED();
  EXPECT(to_host(d_out, rows * columns) == expected);
  CHECK(cudaFree(d_image));
  CHECK(cudaFree(d_out));
}

int main() {
  run(1, 1);
  run(2, 100);
  run(64, 64);
  run(77, 45);
  return done();
}
