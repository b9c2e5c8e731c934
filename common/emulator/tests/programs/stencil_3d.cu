// Computes a 7-point stencil in three dimensions: blocks store tiles of the xy plane in shared
// memory and move along z. The results must equal those of a plain kernel and of the host.
#include "inputs.h"

enum { TILE_X = 16, TILE_Y = 8 };

struct Weights {
  float centre, west, east, north, south, below, above;
};

struct Size {
  int x, y, z;
};

__host__ __device__ int place(Size n, int x, int y, int z) { return (z * n.y + y) * n.x + x; }

__host__ __device__ bool on_border(Size n, int x, int y, int z) {
  return x == 0 || y == 0 || z == 0 || x == n.x - 1 || y == n.y - 1 || z == n.z - 1;
}

__host__ __device__ float weighted(Weights w, const float *in, Size n, int x, int y, int z) {
  int i = place(n, x, y, z), plane = n.x * n.y;
  return w.centre * in[i] + w.west * in[i - 1] + w.east * in[i + 1] + w.north * in[i - n.x] +
         w.south * in[i + n.x] + w.below * in[i - plane] + w.above * in[i + plane];
}

__global__ void plain(const float *in, float *out, Size n, Weights w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n.x && y < n.y && z < n.z)
    out[place(n, x, y, z)] =
        on_border(n, x, y, z) ? in[place(n, x, y, z)] : weighted(w, in, n, x, y, z);
}

__global__ void sweep(const float *in, float *out, Size n, Weights w) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, plane = n.x * n.y, i = y * n.x + x;
  bool inside = x < n.x && y < n.y;
  float below = 0, here = inside ? in[i] : 0, above;
  for (int z = 0; z < n.z; z++, i += plane) {
    above = inside && z + 1 < n.z ? in[i + plane] : 0;
    __syncthreads(); // all threads have read the previous plane
    tile[ty][tx] = here;
    if (inside && threadIdx.x == 0)
      tile[ty][0] = x > 0 ? in[i - 1] : 0;
    if (inside && threadIdx.x == TILE_X - 1)
      tile[ty][TILE_X + 1] = x + 1 < n.x ? in[i + 1] : 0;
    if (inside && threadIdx.y == 0)
      tile[0][tx] = y > 0 ? in[i - n.x] : 0;
    if (inside && threadIdx.y == TILE_Y - 1)
      tile[TILE_Y + 1][tx] = y + 1 < n.y ? in[i + n.x] : 0;
    __syncthreads();
    if (inside)
      out[i] = on_border(n, x, y, z)
                   ? here
                   : w.centre * here + w.west * tile[ty][tx - 1] + w.east * tile[ty][tx + 1] +
                         w.north * tile[ty - 1][tx] + w.south * tile[ty + 1][tx] + w.below * below +
                         w.above * above;
    below = here;
    here = above;
  }
}

static void run(Size n) {
  const int count = n.x * n.y * n.z;
  const Weights w = {-3, 1, 2, 5, -1, 4, 7}; // integers, so results are exact
  std::vector<float> in(count), expected(count);
  for (float &value : in)
    value = (float)(random_below(1000) - 400);
  for (int z = 0; z < n.z; z++)
    for (int y = 0; y < n.y; y++)
      for (int x = 0; x < n.x; x++)
        expected[place(n, x, y, z)] =
            on_border(n, x, y, z) ? in[place(n, x, y, z)] : weighted(w, in.data(), n, x, y, z);
  float *d_in = to_device(in), *d_out = device_zeros<float>(count);
  dim3 block(8, 4, 4);
  plain<<<dim3(ceil_div(n.x, 8), ceil_div(n.y, 4), ceil_div(n.z, 4)), block>>>(d_in, d_out, n, w);
  LAUNCHED();
  EXPECT(to_host(d_out, count) == expected);
  CHECK(cudaMemset(d_out, 0xff, count * sizeof(float)));
  dim3 grid(ceil_div(n.x, TILE_X), ceil_div(n.y, TILE_Y));
  sweep<<<grid, dim3(TILE_X, TILE_Y)>>>(d_in, d_out, n, w);
  LAUNCHED();
  EXPECT(to_host(d_out, count) == expected);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

int main() {
  run(Size{3, 3, 3});
  run(Size{1, 20, 4});
  run(Size{32, 16, 10});
  run(Size{37, 21, 13});
  return done();
}
