/* Benchmark kernels with different access patterns: gathers and scatters, transposes, histograms,
 * and linked lists. */
#include "bench.h"
#include <algorithm>

enum { THREADS = 256, LAUNCHES = 8, TILE = 32 };

/* ---- indices from memory --------------------------------------------------------------------- */
__global__ void gather(const int *where, const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[where[i]];
}

template <int LIMIT> static void gather_from(Run &run, int n) {
  int size = LIMIT < n ? LIMIT : n;
  Buffer<int> where(n, [&](int i) { return bits(i) % (unsigned)size; });
  Buffer<float> from(size, unit), to(n);
  run.time_several(LAUNCHES, [&] { gather<<<n / THREADS, THREADS>>>(where, from, to, n); });
  run.expect_all(to, [&](int i) { return from.host[where.host[i]]; });
}

/* The table is larger than the CPU's caches, so almost every read by a lane is a cache miss of the
 * CPU. */
__global__ void gather_hashed(const int *from, int *to, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 4; k++)
    sum += from[mix(4 * i + k) & (size - 1)];
  if (i < n)
    to[i] = sum;
}

static void gather_large(Run &run, int n) {
  const int size = 16 * n;
  Buffer<int> from(size, [](int i) { return i ^ 5; }), to(n);
  run.time([&] { gather_hashed<<<n / THREADS, THREADS>>>(from, to, n, size); });
  run.expect_all(to, [&](int i) {
    int sum = 0;
    for (int k = 0; k < 4; k++)
      sum += from.host[mix(4 * i + k) & (size - 1)];
    return sum;
  });
}

__global__ void scatter(const int *where, const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[where[i]] = from[i];
}

static void scatter_permutation(Run &run, int n) { // an odd factor permutes modulo 2^k
  Buffer<int> where(n, [&](int i) { return (int)((i * 40503u + 77) & (unsigned)(n - 1)); });
  Buffer<float> from(n, unit), to(n);
  run.time_several(LAUNCHES, [&] { scatter<<<n / THREADS, THREADS>>>(where, from, to, n); });
  to.down();
  for (int i = 0; i < n; i++)
    run.expect(i, to.host[where.host[i]], from.host[i]);
}

__global__ void chase(const int *next, int *end, int steps) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < steps; i++)
    at = next[at];
  end[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

static void pointer_chase(Run &run, int n) {
  const int steps = 64, walkers = n / 64;
  std::vector<int> order(n);
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--)
    std::swap(order[i], order[bits(i) % (unsigned)(i + 1)]);
  Buffer<int> next(n), end(walkers);
  for (int i = 0; i < n; i++)
    next.host[order[i]] = order[(i + 1) % n];
  next.up();
  run.time([&] { chase<<<walkers / THREADS, THREADS>>>(next, end, steps); });
  run.expect_all(end, [&](int i) {
    int at = i;
    for (int k = 0; k < steps; k++)
      at = next.host[at];
    return at;
  });
}

/* ---- transposes ------------------------------------------------------------------------------ */
__global__ void transpose_plain(const float *in, float *out, int n) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

template <int PAD, int ROWS> __global__ void transpose_tiled(const float *in, float *out, int n) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS)
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS)
    out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

typedef void Transpose(const float *, float *, int);
template <Transpose *KERNEL, int ROWS> static void transpose(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n);
  dim3 blocks(n / TILE, n / TILE), threads(TILE, ROWS);
  run.time_several(4, [&] { KERNEL<<<blocks, threads>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return in.host[(size_t)(i % n) * n + i / n]; });
}

/* ---- histograms ------------------------------------------------------------------------------ */
enum { BINS = 256, WARPS = THREADS / 32 };

__global__ void histogram_global(const unsigned char *in, int *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1);
}

__global__ void histogram_shared(const unsigned char *in, int *bins, int n) {
  __shared__ int mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void histogram_per_warp(const unsigned char *in, int *bins, int n) {
  __shared__ int parts[WARPS][BINS];
  for (int warp = 0; warp < WARPS; warp++)
    parts[warp][threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&parts[threadIdx.x / 32][in[i]], 1);
  __syncthreads();
  int sum = 0;
  for (int warp = 0; warp < WARPS; warp++)
    sum += parts[warp][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}

typedef void Histogram(const unsigned char *, int *, int);
template <Histogram *KERNEL> static void histogram(Run &run, int n) {
  Buffer<unsigned char> in(n, [](int i) { return bits(i) & bits(i + 1) & 255; }); // skewed
  Buffer<int> bins(BINS);
  run.time([&] { KERNEL<<<64, THREADS>>>(in, bins, n); }, [&] { bins.zero(); });
  std::vector<int> want(BINS);
  for (unsigned char value : in.host)
    want[value]++;
  run.expect_all(bins, [&](int i) { return want[i]; });
}

static const Rows rows("who reads what",
                       {{"gather, small table", gather_from<4096>, 1 << 20, 1024},
                        {"gather, 4 MB table", gather_from<1 << 20>, 1 << 20, 1024},
                        {"scatter, a permutation", scatter_permutation, 1 << 20, 1024},
                        {"transpose, naive", transpose<transpose_plain, TILE>, 1024, 64},
                        {"transpose, conflicts", transpose<transpose_tiled<0, 8>, 8>, 1024, 64},
                        {"transpose, padded", transpose<transpose_tiled<1, 8>, 8>, 1024, 64},
                        {"histogram, global atomics", histogram<histogram_global>, 1 << 22, 5000},
                        {"histogram, shared atomics", histogram<histogram_shared>, 1 << 22, 5000},
                        {"histogram, one a warp", histogram<histogram_per_warp>, 1 << 22, 5000},
                        {"gather, 64 MB table", gather_large, 1 << 20, 1024, true},
                        {"pointer chase", pointer_chase, 1 << 22, 1 << 14, true}});
