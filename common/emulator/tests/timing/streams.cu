/* Kernels limited by memory: streams of several widths, strides, gathers, transposes. */
#include "../bench/bench.h"

/* ---- an element for each thread, or several --------------------------------------------------- */
template <class T> __global__ void triad(const T *b, const T *c, T *a, T s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + s * c[i];
}
template <class T, int BLOCK> static void triads(Run &run, int n) {
  Buffer<T> a(n), b(n, unit), c(n, [](int i) { return unit(i + 7); });
  run.time([&] { triad<T><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(b, c, a, (T)0.5, n); });
  run.expect_all(
      a, [&](int i) { return b.host[i] + (T)0.5 * c.host[i]; }, 1e-6);
}

__global__ void triad_wide(const float4 *b, const float4 *c, float4 *a, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 x = b[i], y = c[i];
  a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
}
static void triads_wide(Run &run, int n) {
  Buffer<float> a(n), b(n, unit), c(n, [](int i) { return unit(i + 7); });
  run.time([&] {
    triad_wide<<<n / 4 / 256, 256>>>((float4 *)b.device, (float4 *)c.device, (float4 *)a.device,
                                     0.5f, n / 4);
  });
  run.expect_all(
      a, [&](int i) { return b.host[i] + 0.5f * c.host[i]; }, 1e-6);
}

template <int BLOCKS>
__global__ void triad_strided(const float *b, const float *c, float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] = b[i] + 0.5f * c[i];
}
template <int BLOCKS> static void triads_strided(Run &run, int n) {
  Buffer<float> a(n), b(n, unit), c(n, [](int i) { return unit(i + 7); });
  run.time([&] { triad_strided<BLOCKS><<<BLOCKS, 512>>>(b, c, a, n); });
  run.expect_all(
      a, [&](int i) { return b.host[i] + 0.5f * c.host[i]; }, 1e-6);
}

__global__ void fill_only(float *out, float value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + threadIdx.x;
}
static void fills(Run &run, int n) {
  Buffer<float> out(n);
  run.time([&] { fill_only<<<n / 256, 256>>>(out, 2); });
  run.expect_all(out, [](int i) { return 2 + i % 256; });
}

/* Each thread has 16 independent loads in flight and makes one store. */
__global__ void sum_columns(const float *in, float *out, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 16
  for (int y = 0; y < rows; y++)
    sum += in[(size_t)y * columns + x];
  out[x] = sum;
}
static void sums_of_columns(Run &run, int columns) {
  const int rows = 256;
  Buffer<float> in((size_t)rows * columns, unit), out(columns);
  run.time([&] { sum_columns<<<columns / 128, 128>>>(in, out, rows, columns); });
  run.expect_all(
      out,
      [&](int x) {
        double sum = 0;
        for (int y = 0; y < rows; y++)
          sum += in.host[(size_t)y * columns + x];
        return sum;
      },
      1e-3);
}

/* Each thread sums eight neighbouring elements that no other thread reads. */
__global__ void eight_each(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    out[8 * i + k] = in[8 * i + k] * 3;
}
static void eights(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time([&] { eight_each<<<n / 8 / 256, 256>>>(in, out); });
  run.expect_all(out, [&](int i) { return in.host[i] * 3; });
}

__global__ void bytes_swapped(const uchar4 *in, uchar4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 v = in[i];
  out[i] = make_uchar4(v.w, v.z, v.y, v.x);
}
static void swaps(Run &run, int n) {
  Buffer<uint32_t> in(n, bits), out(n);
  run.time(
      [&] { bytes_swapped<<<n / 1024, 1024>>>((const uchar4 *)in.device, (uchar4 *)out.device); });
  run.expect_all(out, [&](int i) { return __builtin_bswap32(in.host[i]); });
}

/* ---- who reads what -------------------------------------------------------------------------- */
__global__ void pick(const int *where, const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[where[i]];
}
template <int SIZE, int NEAR> static void picks(Run &run, int n) {
  Buffer<int> where(
      n, [](int i) { return NEAR ? (i + bits(i) % (NEAR ? NEAR : 1)) % SIZE : bits(i) % SIZE; });
  Buffer<float> from(SIZE, unit), to(n);
  run.time([&] { pick<<<n / 256, 256>>>(where, from, to); });
  run.expect_all(to, [&](int i) { return from.host[where.host[i]]; });
}

template <int STRIDE> __global__ void spread(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[((size_t)i * STRIDE) & (n - 1)] = in[i];
}
template <int STRIDE> static void spreads(Run &run, int n) {
  Buffer<float> in(n / STRIDE, unit), out(n);
  out.zero();
  run.time([&] { spread<STRIDE><<<n / STRIDE / 256, 256>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return i % STRIDE ? 0 : in.host[i / STRIDE]; });
}

template <class T, int TILE, int PAD> __global__ void turn(const T *in, T *out, int n) {
  __shared__ T tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE, y = blockIdx.y * TILE, tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = in[(y + ty) * n + x + tx];
  __syncthreads();
  out[(x + ty) * n + y + tx] = tile[tx][ty];
}
template <class T, int TILE, int PAD> static void turns(Run &run, int n) {
  Buffer<T> in((size_t)n * n, unit), out((size_t)n * n);
  dim3 blocks(n / TILE, n / TILE), threads(TILE, TILE);
  run.time([&] { turn<T, TILE, PAD><<<blocks, threads>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return in.host[(size_t)(i % n) * n + i / n]; });
}

/* Permutes the rows of a matrix. */
__global__ void permute_rows(const float *in, const int *row, float *out, int columns) {
  for (int x = threadIdx.x; x < columns; x += blockDim.x)
    out[(size_t)blockIdx.x * columns + x] = in[(size_t)row[blockIdx.x] * columns + x];
}
static void permuted_rows(Run &run, int rows) {
  const int columns = 1024;
  Buffer<int> row(rows, [&](int i) { return (i * 5 + 3) % rows; });
  Buffer<float> in((size_t)rows * columns, unit), out((size_t)rows * columns);
  run.time([&] { permute_rows<<<rows, 256>>>(in, row, out, columns); });
  run.expect_all(
      out, [&](int i) { return in.host[(size_t)row.host[i / columns] * columns + i % columns]; });
}

static const Rows rows("memory",
                       {
                           {"triad", triads<float, 256>, 1 << 23, 1024},
                           {"triad, blocks of 64", triads<float, 64>, 1 << 22, 1024},
                           {"triad, blocks of 1024", triads<float, 1024>, 1 << 23, 1024},
                           {"triad, double", triads<double, 256>, 1 << 22, 1024},
                           {"triad, small", triads<float, 128>, 1 << 16, 1024},
                           {"triad, 16 bytes", triads_wide, 1 << 24, 1024},
                           {"triad, 264 blocks", triads_strided<264>, 1 << 23, 1024},
                           {"triad, 40 blocks", triads_strided<40>, 1 << 22, 1024},
                           {"fill", fills, 1 << 24, 1024},
                           {"sums of columns, 16 in flight", sums_of_columns, 1 << 15, 1024},
                           {"sums of columns, few threads", sums_of_columns, 1 << 12, 1024},
                           {"eight neighbours each", eights, 1 << 23, 1 << 14},
                           {"bytes of a word swapped", swaps, 1 << 23, 1024},
                           {"pick, table in L1", picks<4096, 0>, 1 << 22, 1024},
                           {"pick, table in L2", picks<1 << 22, 0>, 1 << 21, 1024},
                           {"pick, neighbourhood", picks<1 << 22, 64>, 1 << 22, 1024},
                           {"spread, every 2nd", spreads<2>, 1 << 23, 1024},
                           {"spread, every 16th", spreads<16>, 1 << 24, 8192},
                           {"turn, 32x32", turns<float, 32, 0>, 2048, 64},
                           {"turn, 32x32 padded", turns<float, 32, 1>, 2048, 64},
                           {"turn, 16x16", turns<float, 16, 0>, 2048, 64},
                           {"turn, 16x16 double padded", turns<double, 16, 1>, 1024, 64},
                           {"rows permuted", permuted_rows, 8192, 64},
                       });
