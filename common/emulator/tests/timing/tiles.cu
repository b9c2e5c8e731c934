/* Products of matrices and of matrices with vectors, in several shapes. */
#include "../bench/bench.h"

template <class T> static double entry(const Buffer<T> &a, const Buffer<T> &b, int n, int i) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += (double)a.host[(size_t)(i / n) * n + k] * b.host[(size_t)k * n + i % n];
  return sum;
}
/* Checks a sample of the n * n elements. */
template <class T>
static void expect_some(Run &run, Buffer<T> &a, Buffer<T> &b, Buffer<T> &c, int n) {
  c.down();
  for (int i = 0; i < n * n; i += n * n / 499 + 1)
    run.expect(i, c.host[i], entry(a, b, n, i), 1e-4 * n);
}

template <class T, int TILE> __global__ void tiled(const T *a, const T *b, T *c, int n) {
  __shared__ T as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  T sum = 0;
  for (int k = 0; k < n; k += TILE) {
    as[ty][tx] = a[y * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
template <class T, int TILE> static void tiles(Run &run, int n) {
  Buffer<T> a(n * n, unit), b(n * n, [](int i) { return unit(i + 3); }), c(n * n);
  dim3 blocks(n / TILE, n / TILE), threads(TILE, TILE);
  run.time([&] { tiled<T, TILE><<<blocks, threads>>>(a, b, c, n); });
  expect_some(run, a, b, c, n);
}

/* Uncoalesced: neighbouring threads read down the columns. */
template <class T> __global__ void down_columns(const T *a, const T *b, T *c, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
template <class T> static void columns(Run &run, int n) {
  Buffer<T> a(n * n, unit), b(n * n, [](int i) { return unit(i + 3); }), c(n * n);
  dim3 blocks(n / 32, n / 8), threads(32, 8);
  run.time([&] { down_columns<T><<<blocks, threads>>>(a, b, c, n); });
  expect_some(run, a, b, c, n);
}

/* A warp covers 16x2 elements, so two lanes read each element of b. */
template <class T> __global__ void along_rows(const T *a, const T *b, T *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
template <class T, int BX, int BY> static void plain(Run &run, int n) {
  Buffer<T> a(n * n, unit), b(n * n, [](int i) { return unit(i + 3); }), c(n * n);
  dim3 blocks(n / BX, n / BY), threads(BX, BY);
  run.time([&] { along_rows<T><<<blocks, threads>>>(a, b, c, n); });
  expect_some(run, a, b, c, n);
}

/* Each of 16 x 16 threads has OUT x OUT results in registers. */
template <class T, int OUT, int DEPTH>
__global__ void in_registers(const T *a, const T *b, T *c, int n) {
  const int SIDE = 16 * OUT;
  __shared__ T as[DEPTH][SIDE], bs[DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y, me = ty * 16 + tx;
  int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE;
  T sum[OUT][OUT] = {};
  for (int k = 0; k < n; k += DEPTH) {
    for (int i = me; i < SIDE * DEPTH; i += 256) {
      as[i % DEPTH][i / DEPTH] = a[(y + i / DEPTH) * n + k + i % DEPTH];
      bs[i / SIDE][i % SIDE] = b[(k + i / SIDE) * n + x + i % SIDE];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
      T left[OUT], right[OUT];
#pragma unroll
      for (int o = 0; o < OUT; o++)
        left[o] = as[i][ty + 16 * o], right[o] = bs[i][tx + 16 * o];
#pragma unroll
      for (int o = 0; o < OUT; o++)
#pragma unroll
        for (int p = 0; p < OUT; p++)
          sum[o][p] += left[o] * right[p];
    }
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < OUT; o++)
#pragma unroll
    for (int p = 0; p < OUT; p++)
      c[(y + ty + 16 * o) * n + x + tx + 16 * p] = sum[o][p];
}
template <class T, int OUT, int DEPTH> static void registers(Run &run, int n) {
  Buffer<T> a(n * n, unit), b(n * n, [](int i) { return unit(i + 3); }), c(n * n);
  dim3 blocks(n / (16 * OUT), n / (16 * OUT)), threads(16, 16);
  run.time([&] { in_registers<T, OUT, DEPTH><<<blocks, threads>>>(a, b, c, n); });
  expect_some(run, a, b, c, n);
}

/* Each block computes one product of 16x16 matrices. */
__global__ void small_product(const float *a, const float *b, float *c) {
  __shared__ float as[16][17], bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y, at = blockIdx.x * 256 + ty * 16 + tx;
  as[ty][tx] = a[at];
  bs[ty][tx] = b[at];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++)
    sum += as[ty][k] * bs[k][tx];
  c[at] = sum;
}
static void small_products(Run &run, int many) {
  int n = many * 256;
  Buffer<float> a(n, unit), b(n, [](int i) { return unit(i + 3); }), c(n);
  run.time([&] { small_product<<<many, dim3(16, 16)>>>(a, b, c); });
  run.expect_all(
      c,
      [&](int i) {
        double sum = 0;
        int base = i & ~255, y = i / 16 % 16, x = i % 16;
        for (int k = 0; k < 16; k++)
          sum += (double)a.host[base + y * 16 + k] * b.host[base + k * 16 + x];
        return sum;
      },
      1e-4);
}

/* ---- times a vector --------------------------------------------------------------------------- */
template <class T> __global__ void row_each(const T *m, const T *v, T *out, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < columns; k++)
    sum += m[(size_t)row * columns + k] * v[k];
  out[row] = sum;
}
template <class T> __global__ void row_a_warp(const T *m, const T *v, T *out, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  T sum = 0;
  for (int k = threadIdx.x; k < columns; k += 32)
    sum += m[(size_t)row * columns + k] * v[k];
  for (int apart = 16; apart; apart /= 2)
    sum += __shfl_xor_sync(~0u, sum, apart);
  if (threadIdx.x == 0)
    out[row] = sum;
}
template <class T, bool WARP> static void times_vector(Run &run, int rows) {
  const int columns = 1024;
  Buffer<T> m((size_t)rows * columns, unit), v(columns, [](int i) { return unit(i + 3); }),
      out(rows);
  run.time([&] {
    if (WARP)
      row_a_warp<T><<<rows / 8, dim3(32, 8)>>>(m, v, out, columns);
    else
      row_each<T><<<rows / 64, 64>>>(m, v, out, columns);
  });
  run.expect_all(
      out,
      [&](int row) {
        double sum = 0;
        for (int k = 0; k < columns; k++)
          sum += (double)m.host[(size_t)row * columns + k] * v.host[k];
        return sum;
      },
      1e-2);
}

static const Rows rows("products",
                       {
                           {"tiles of 8, float", tiles<float, 8>, 512, 64},
                           {"tiles of 16, float", tiles<float, 16>, 768, 64},
                           {"tiles of 32, float", tiles<float, 32>, 512, 64},
                           {"tiles of 32, double", tiles<double, 32>, 512, 64},
                           {"tiles of 16, double", tiles<double, 16>, 512, 64},
                           {"down the columns, float", columns<float>, 512, 64},
                           {"along the rows, 16x16", plain<float, 16, 16>, 768, 64},
                           {"along the rows, 64x4", plain<float, 64, 4>, 512, 64},
                           {"along the rows, 32x32, double", plain<double, 32, 32>, 512, 64},
                           {"8x8 in registers", registers<float, 8, 8>, 1024, 128},
                           {"4x4 in registers, double", registers<double, 4, 16>, 512, 64},
                           {"2x2 in registers", registers<float, 2, 16>, 512, 64},
                           {"small products", small_products, 16384, 16},
                           {"row each, float", times_vector<float, false>, 8192, 64},
                           {"row each, double", times_vector<double, false>, 4096, 64},
                           {"row a warp, float", times_vector<float, true>, 16384, 64},
                           {"row a warp, double", times_vector<double, true>, 4096, 64},
                       });
