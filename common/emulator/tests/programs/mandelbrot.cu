// Computes the Mandelbrot set. The number of iterations differs per pixel, so the lanes of a warp
// diverge. With explicit fma, host and device execute the same operations and get the same bits.
#include "inputs.h"
#include <cmath>

enum { LIMIT = 150 };

__host__ __device__ int escapes_after(float cx, float cy) {
  float x = 0, y = 0;
  int n = 0;
  while (n < LIMIT) {
    if (!(fmaf(x, x, y * y) <= 4))
      break;
    float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(2 * x, y, cy);
    x = next;
    n++;
  }
  return n;
}

struct View {
  int columns, rows;
  float left, top, step;
};

__host__ __device__ int pixel(View v, int i, int j) {
  float x = fmaf((float)i, v.step, v.left), y = fmaf((float)j, -v.step, v.top);
  return escapes_after(x, y);
}

__global__ void mandelbrot(View v, unsigned char *image) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < v.columns && j < v.rows)
    image[j * v.columns + i] = (unsigned char)pixel(v, i, j);
}

// Distributes rows dynamically: a block takes the next row when it has finished a row.
__global__ void by_rows_in_turn(View v, unsigned char *image, int *next_row) {
  __shared__ int row;
  while (true) {
    if (threadIdx.x == 0)
      row = atomicAdd(next_row, 1);
    __syncthreads();
    int mine = row;
    __syncthreads();
    if (mine >= v.rows)
      return;
    for (int i = threadIdx.x; i < v.columns; i += blockDim.x)
      image[mine * v.columns + i] = (unsigned char)pixel(v, i, mine);
  }
}

static void run(View v) {
  const int pixels = v.columns * v.rows;
  std::vector<unsigned char> expected(pixels);
  int inside = 0;
  for (int j = 0; j < v.rows; j++)
    for (int i = 0; i < v.columns; i++)
      inside += (expected[j * v.columns + i] = (unsigned char)pixel(v, i, j)) == LIMIT;
  EXPECT(inside > pixels / 50 && inside < pixels / 2); // the view contains both kinds of points
  unsigned char *image = device_zeros<unsigned char>(pixels);
  int *next_row = device_zeros<int>(1);
  dim3 block(16, 8);
  mandelbrot<<<dim3(ceil_div(v.columns, 16), ceil_div(v.rows, 8)), block>>>(v, image);
  LAUNCHED();
  EXPECT(to_host(image, pixels) == expected);
  CHECK(cudaMemset(image, 0, pixels));
  by_rows_in_turn<<<5, 32>>>(v, image, next_row);
  LAUNCHED();
  EXPECT(to_host(image, pixels) == expected);
  EXPECT(to_host(next_row, 1)[0] == v.rows + 5); // each block got one number past the end
  CHECK(cudaFree(image));
  CHECK(cudaFree(next_row));
}

int main() {
  run(View{97, 61, -2.1f, 1.2f, 0.03f});
  run(View{64, 32, -1.3f, 0.35f, 0.006f});
  return done();
}
