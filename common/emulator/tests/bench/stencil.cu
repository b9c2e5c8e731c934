/* Benchmark kernels for stencils in one to three dimensions, filters, and the Game of Life. */
#include "bench.h"

enum { THREADS = 256, RADIUS = 4, LAUNCHES = 4 };

/* ---- one dimension, with a halo in shared memory --------------------------------------------- */
__global__ void stencil_1d(const float *in, float *out, int n) {
  __shared__ float s[THREADS + 2 * RADIUS];
  int i = blockIdx.x * THREADS + threadIdx.x, at = threadIdx.x + RADIUS;
  s[at] = in[i];
  if (threadIdx.x < RADIUS) {
    s[at - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
    s[at + THREADS] = i + THREADS < n ? in[i + THREADS] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int d = -RADIUS; d <= RADIUS; d++)
    sum += s[at + d];
  out[i] = sum;
}

static void halo(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time_several(LAUNCHES, [&] { stencil_1d<<<n / THREADS, THREADS>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        float sum = 0;
        for (int j = i - RADIUS; j <= i + RADIUS; j++)
          sum += j >= 0 && j < n ? in.host[j] : 0;
        return sum;
      },
      1e-5);
}

/* ---- two and three dimensions ---------------------------------------------------------------- */
__global__ void five_points(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
    return;
  int i = y * n + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

static float five_points_of(const std::vector<float> &in, int n, int i) {
  return 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

static bool inside(int i, int n) {
  int x = i % n, y = i / n;
  return x > 0 && y > 0 && x < n - 1 && y < n - 1;
}

template <int WIDTH, int HEIGHT> static void plane(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n, none);
  dim3 blocks((n + WIDTH - 1) / WIDTH, (n + HEIGHT - 1) / HEIGHT), threads(WIDTH, HEIGHT);
  run.time_several(LAUNCHES, [&] { five_points<<<blocks, threads>>>(in, out, n); });
  run.expect_all(
      out, [&](int i) { return inside(i, n) ? five_points_of(in.host, n, i) : 0; }, 1e-6);
}

__global__ void five_points_shared(const float *in, float *out, int n) {
  __shared__ float s[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * n + x;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  s[ty][tx] = in[i];
  if (tx == 1 && x > 0)
    s[ty][0] = in[i - 1];
  if (tx == 16 && x < n - 1)
    s[ty][17] = in[i + 1];
  if (ty == 1 && y > 0)
    s[0][tx] = in[i - n];
  if (ty == 16 && y < n - 1)
    s[17][tx] = in[i + n];
  __syncthreads();
  bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  out[i] = border ? in[i]
                  : 0.5f * s[ty][tx] +
                        0.125f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
}

/* Jacobi iterations that alternate between two buffers. The border is fixed. */
static void jacobi(Run &run, int n) {
  const int steps = 4;
  Buffer<float> a((size_t)n * n, unit), b((size_t)n * n);
  std::vector<float> now = a.host, next = a.host;
  dim3 blocks(n / 16, n / 16), threads(16, 16);
  run.time(
      [&] {
        for (int step = 0; step < steps; step += 2) {
          five_points_shared<<<blocks, threads>>>(a, b, n);
          five_points_shared<<<blocks, threads>>>(b, a, n);
        }
      },
      [&] { a.up(); });
  for (int step = 0; step < steps; step++, now.swap(next))
    for (int i = 0; i < n * n; i++)
      next[i] = inside(i, n) ? five_points_of(now, n, i) : now[i];
  run.expect_all(
      a, [&](int i) { return now[i]; }, 1e-5);
}

__global__ void seven_points(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z, i = (z * n + y) * n + x;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
    out[i] =
        in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i];
}

static void cube(Run &run, int n) {
  Buffer<float> in((size_t)n * n * n, unit), out((size_t)n * n * n, none);
  dim3 blocks((n + 15) / 16, (n + 3) / 4, (n + 3) / 4), threads(16, 4, 4);
  run.time_several(LAUNCHES, [&] { seven_points<<<blocks, threads>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        const float *at = &in.host[i];
        int z = i / n / n;
        if (!inside(i % (n * n), n) || z == 0 || z == n - 1)
          return 0.0f;
        return at[-1] + at[1] + at[-n] + at[n] + at[-n * n] + at[n * n] - 6 * *at;
      },
      1e-5);
}

/* ---- filters --------------------------------------------------------------------------------- */
enum { WEIGHTS = 5, REACH = WEIGHTS / 2 };
__constant__ float weights[WEIGHTS * WEIGHTS];

__host__ __device__ static inline int clamp(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

__global__ void convolve(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = -REACH; dy <= REACH; dy++)
    for (int dx = -REACH; dx <= REACH; dx++)
      sum += weights[(dy + REACH) * WEIGHTS + dx + REACH] *
             in[clamp(y + dy, n) * n + clamp(x + dx, n)];
  out[y * n + x] = sum;
}

__global__ void along_row(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int d = -REACH; d <= REACH; d++)
    sum += weights[d + REACH] * in[y * n + clamp(x + d, n)];
  out[y * n + x] = sum;
}

__global__ void along_column(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int d = -REACH; d <= REACH; d++)
    sum += weights[d + REACH] * in[clamp(y + d, n) * n + x];
  out[y * n + x] = sum;
}

template <bool SEPARABLE> static void filter(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), between((size_t)n * n), out((size_t)n * n);
  float host[WEIGHTS * WEIGHTS];
  for (int i = 0; i < WEIGHTS * WEIGHTS; i++)
    host[i] = unit(i + 99);
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
  dim3 blocks(n / 32, n / 8), threads(32, 8);
  run.time([&] {
    if (SEPARABLE) {
      along_row<<<blocks, threads>>>(in, between, n);
      along_column<<<blocks, threads>>>(between, out, n);
    } else
      convolve<<<blocks, threads>>>(in, out, n);
  });
  run.expect_all(
      out,
      [&](int i) {
        float sum = 0;
        for (int dy = 0; dy < WEIGHTS; dy++)
          for (int dx = 0; dx < WEIGHTS; dx++)
            sum += (SEPARABLE ? host[dx] * host[dy] : host[dy * WEIGHTS + dx]) *
                   in.host[clamp(i / n + dy - REACH, n) * n + clamp(i % n + dx - REACH, n)];
        return sum;
      },
      1e-4);
}

/* ---- Conway's ---------------------------------------------------------------------------------*/
__host__ __device__ static inline unsigned char lives(const unsigned char *in, int n, int x,
                                                      int y) {
  int neighbours = -in[y * n + x];
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      neighbours += in[((y + dy) & (n - 1)) * n + ((x + dx) & (n - 1))];
  return neighbours == 3 || (neighbours == 2 && in[y * n + x]);
}

__global__ void generation(const unsigned char *in, unsigned char *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = lives(in, n, x, y);
}

static void life(Run &run, int n) {
  Buffer<unsigned char> in((size_t)n * n, [](int i) { return bits(i) % 3 == 0; });
  Buffer<unsigned char> out((size_t)n * n);
  run.time([&] { generation<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return lives(in.host.data(), n, i % n, i / n); });
}

static const Rows rows("neighbours", {{"stencil 1D, halo in shared", halo, 1 << 19, 1024},
                                      {"stencil 2D, 5 points, 32x8", plane<32, 8>, 1000, 50},
                                      {"stencil 2D, 5 points, 16x16", plane<16, 16>, 1000, 50},
                                      {"stencil 3D, 7 points, 16x4x4", cube, 100, 20},
                                      {"Jacobi, 16x16 in shared", jacobi, 768, 48},
                                      {"convolution 5x5, constant", filter<false>, 768, 64},
                                      {"separable filter", filter<true>, 1024, 64},
                                      {"game of life", life, 1024, 64}});
