/* Kernels that courses and books print, written on 2026-11-22. Their times were predicted before
 * they were measured, and the model of time was not fitted to them. */
#include "../bench/bench.h"

/* ---- images and grids ---------------------------------------------------------------------------- */
__constant__ float weights[9];

__global__ void convolve_rows(const float *in, float *out, int n) {
  __shared__ float line[256 + 8];
  const float *row = in + blockIdx.y * n;
  int first = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256 + 8; i += 256) {
    int x = first + i - 4;
    line[i] = x >= 0 && x < n ? row[x] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 9; k++)
    sum += weights[k] * line[threadIdx.x + k];
  out[blockIdx.y * n + first + threadIdx.x] = sum;
}
static void convolved(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n);
  float w[9];
  for (int k = 0; k < 9; k++)
    w[k] = 1.0f / (float)(k + 1);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  run.time([&] { convolve_rows<<<dim3(n / 256, n), 256>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        double sum = 0;
        for (int k = 0; k < 9; k++) {
          int x = i % n + k - 4;
          sum += x >= 0 && x < n ? w[k] * in.host[i - i % n + x] : 0;
        }
        return sum;
      },
      1e-4);
}

__global__ void heat_along_z(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  for (int z = 1; z < n - 1; z++) {
    int i = (z * n + y) * n + x;
    out[i] = 0.4f * in[i] +
             0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
  }
}
static void heated(Run &run, int n) {
  Buffer<float> in((size_t)n * n * n, unit), out((size_t)n * n * n, none);
  run.time([&] { heat_along_z<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(in, out, n); });
  auto inside = [&](int i) { return i > 0 && i < n - 1; };
  run.expect_all(
      out,
      [&](int i) {
        const float *p = &in.host[i];
        return inside(i % n) && inside(i / n % n) && inside(i / n / n)
                   ? 0.4 * p[0] + 0.1 * (p[-1] + p[1] + p[-n] + p[n] + p[-n * n] + p[n * n])
                   : 0.0;
      },
      1e-5);
}

/* Each thread copies four rows. The tile is read by columns, or stored with a swizzle. */
template <bool SWIZZLED> __global__ void turn_tile(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8)
    tile[y][SWIZZLED ? x ^ y : x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][SWIZZLED ? y ^ x : y];
}
template <bool SWIZZLED> static void turned(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n);
  run.time([&] { turn_tile<SWIZZLED><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return in.host[i % n * n + i / n]; });
}

/* ---- blocks that work together ------------------------------------------------------------------------ */
__global__ void scan_warps(const int *in, int *out) {
  __shared__ int sums[16];
  int i = blockIdx.x * 512 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(0xffffffffu, v, d);
    v += lane >= d ? before : 0;
  }
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  int base = 0;
  for (int w = 0; w < warp; w++)
    base += sums[w];
  out[i] = base + v;
}
static void scanned(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 100; }), out(n);
  run.time([&] { scan_warps<<<n / 512, 512>>>(in, out); });
  int sum = 0;
  run.expect_all(out, [&](int i) { return sum = (i % 512 ? sum : 0) + in.host[i]; });
}

__global__ void bitonic(int *values) {
  __shared__ int v[1024];
  int t = threadIdx.x, *mine = values + blockIdx.x * 1024;
  v[t] = mine[t];
  v[t + 512] = mine[t + 512];
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step; step /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (step - 1)), a = v[i], b = v[i + step];
      if ((a > b) == !(i & size)) {
        v[i] = b;
        v[i + step] = a;
      }
    }
  __syncthreads();
  mine[t] = v[t];
  mine[t + 512] = v[t + 512];
}
static void bitonic_sorted(Run &run, int n) {
  Buffer<int> values(n);
  auto fill = [&] {
    for (int i = 0; i < n; i++)
      values.host[i] = (int)(bits(i) % 100000);
    values.up();
  };
  run.time([&] { bitonic<<<n / 1024, 512>>>(values); }, fill);
  values.down();
  for (int i = 0; i < n; i++)
    run.expect(i, i % 1024 == 0 || values.host[i - 1] <= values.host[i], 1);
}

__global__ void sum_two_steps(const float *in, float *out, int n) {
  __shared__ float part[512];
  float sum = 0;
  for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512)
    sum += in[i];
  part[threadIdx.x] = sum;
  for (int d = 256; d >= 32; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d)
      part[threadIdx.x] += part[threadIdx.x + d];
  }
  if (threadIdx.x >= 32)
    return;
  sum = part[threadIdx.x];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
static void summed(Run &run, int n) {
  Buffer<float> in(n, [](int i) { return bits(i) % 8; }), out(264);
  run.time([&] { sum_two_steps<<<264, 512>>>(in, out, n); });
  out.down();
  double is = 0, wanted = 0;
  for (float x : out.host)
    is += x;
  for (float x : in.host)
    wanted += x;
  run.expect(0, is, wanted);
}

/* ---- irregular ---------------------------------------------------------------------------------------- */
__global__ void count_wide(const unsigned *in, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[in[i] % 65536], 1u);
}
static void counted_wide(Run &run, int n) {
  Buffer<unsigned> in(n, bits), bins(65536);
  run.time([&] { count_wide<<<(n + 255) / 256, 256>>>(in, bins, n); }, [&] { bins.zero(); });
  std::vector<unsigned> wanted(65536);
  for (unsigned x : in.host)
    wanted[x % 65536]++;
  run.expect_all(bins, [&](int i) { return wanted[i]; });
}

/* Each warp computes a row of 8 to 71 entries. */
__global__ void spmv_warps(const int *start, const int *column, const float *value, const float *x,
                           float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = start[row] + lane; i < start[row + 1]; i += 32)
    sum += value[i] * x[column[i]];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0)
    y[row] = sum;
}
static void sparse_product(Run &run, int n) {
  std::vector<int> from(n + 1);
  for (int i = 0; i < n; i++)
    from[i + 1] = from[i] + 8 + (int)(bits(i) % 64);
  Buffer<int> start(n + 1, [&](int i) { return from[i]; });
  Buffer<int> column(from[n], [&](int i) { return bits(i + 7) % n; });
  Buffer<float> value(from[n], unit), x(n, unit), y(n);
  run.time([&] { spmv_warps<<<(n + 7) / 8, 256>>>(start, column, value, x, y, n); });
  run.expect_all(
      y,
      [&](int row) {
        double sum = 0;
        for (int i = from[row]; i < from[row + 1]; i++)
          sum += (double)value.host[i] * x.host[column.host[i]];
        return sum;
      },
      1e-3);
}

__global__ void upper_case(const char *in, char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  char c = in[i];
  out[i] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
static void in_capitals(Run &run, int n) {
  Buffer<char> in(n, [](int i) { return 32 + bits(i) % 95; }), out(n);
  run.time([&] { upper_case<<<(n + 255) / 256, 256>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    char c = in.host[i];
    return c >= 'a' && c <= 'z' ? c - 32 : c;
  });
}

/* ---- arithmetic -------------------------------------------------------------------------------------------- */
__global__ void option_prices(float *sum, int paths) {
  unsigned state = mix(blockIdx.x * blockDim.x + threadIdx.x + 1);
  float total = 0;
  for (int i = 0; i < paths; i++) {
    state = state * 1664525u + 1013904223u;
    float u = ((state >> 8) + 0.5f) / 16777216.0f;
    state = state * 1664525u + 1013904223u;
    float v = (state >> 8) / 16777216.0f;
    float normal = sqrtf(-2.0f * __logf(u)) * __cosf(6.2831853f * v);
    total += fmaxf(100.0f * __expf(0.03f + 0.2f * normal) - 100.0f, 0.0f);
  }
  sum[blockIdx.x * blockDim.x + threadIdx.x] = total / paths;
}
static void priced(Run &run, int n) {
  Buffer<float> sum(n);
  run.time([&] { option_prices<<<n / 128, 128>>>(sum, 128); });
  sum.down();
  double mean = 0;
  for (float x : sum.host)
    mean += x / n;
  run.expect(0, mean, 10.8, 3); /* a call option with strike 100 */
}

__global__ void horner(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], sum = 0;
  for (int k = 0; k < 40; k++)
    sum = sum * v + 1;
  y[i] = sum;
}
static void horners(Run &run, int n) {
  Buffer<double> x(n, [](int i) { return 0.5 * unit(i); }), y(n);
  run.time([&] { horner<<<(n + 255) / 256, 256>>>(x, y, n); });
  run.expect_all(
      y, [&](int i) { return (1 - pow(x.host[i], 40)) / (1 - x.host[i]); }, 1e-9);
}

/* ---- small launches ------------------------------------------------------------------------------------------ */
__global__ void axpy_small(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
static void small_axpy(Run &run, int n) {
  Buffer<float> x(n, unit), y(n);
  run.time([&] { axpy_small<<<(n + 63) / 64, 64>>>(2, x, y, n); }, [&] { y.zero(); });
  run.expect_all(y, [&](int i) { return 2 * x.host[i]; });
}

__global__ void dot_one_block(const float *x, const float *y, float *out, int n) {
  __shared__ float part[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += x[i] * y[i];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int w = 1; w < 8; w++)
    sum += part[w];
  *out = sum;
}
static void dotted(Run &run, int n) {
  Buffer<float> x(n, [](int i) { return bits(i) % 4; }),
      y(n, [](int i) { return bits(i + 3) % 4; }), out(1);
  run.time([&] { dot_one_block<<<1, 256>>>(x, y, out, n); });
  double wanted = 0;
  for (int i = 0; i < n; i++)
    wanted += x.host[i] * y.host[i];
  run.expect_all(out, [&](int) { return wanted; });
}

static const Rows rows("newest", {{"rows convolved, 9 weights", convolved, 2048, 256},
                                  {"stencil of 7 points, along z", heated, 160, 32},
                                  {"transpose, tile read by columns", turned<false>, 2048, 64},
                                  {"transpose, tile swizzled", turned<true>, 2048, 64},
                                  {"scan by warps, blocks of 512", scanned, 1 << 22, 1 << 10},
                                  {"bitonic sort of 1024", bitonic_sorted, 1 << 20, 1 << 11},
                                  {"sums in two steps", summed, 1 << 23, 1 << 12},
                                  {"histogram of 65536", counted_wide, 1 << 22, 1 << 12},
                                  {"SpMV, a warp a row", sparse_product, 1 << 16, 1 << 7},
                                  {"capitals, bytes", in_capitals, 1 << 24, 1 << 12},
                                  {"option prices by chance", priced, 1 << 17, 1 << 9},
                                  {"Horner in double", horners, 1 << 21, 1 << 10},
                                  {"axpy of 4096", small_axpy, 1 << 12, 1 << 10},
                                  {"dot product, one block", dotted, 1 << 14, 1 << 11}});
