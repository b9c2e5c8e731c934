/* Benchmark kernels for sums, in the versions that courses teach: from trees in shared memory to
 * shuffles. */
#include "bench.h"

enum { THREADS = 256, LAUNCHES = 4 };
static const unsigned ALL = 0xffffffffu;

/* ---- one sum per block ----------------------------------------------------------------------- */
__global__ void interleaved(const int *in, int *out) {
  __shared__ int part[THREADS];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (unsigned step = 1; step < THREADS; step *= 2) {
    if (t % (2 * step) == 0)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void interleaved_conflicts(const int *in, int *out) {
  __shared__ int part[THREADS];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (unsigned step = 1; step < THREADS; step *= 2) {
    unsigned at = 2 * step * t;
    if (at < THREADS)
      part[at] += part[at + step];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void sequential(const int *in, int *out) {
  __shared__ int part[THREADS];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (unsigned step = THREADS / 2; step > 0; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(ALL, value, step);
  return value;
}

__global__ void shuffled(const int *in, int *out) {
  __shared__ int part[THREADS / 32];
  int t = threadIdx.x, sum = warp_sum(in[blockIdx.x * THREADS + t]);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = warp_sum(t < THREADS / 32 ? part[t] : 0);
    if (t == 0)
      out[blockIdx.x] = sum;
  }
}

__global__ void warp_synchronous(const int *in, int *out) {
  __shared__ int part[THREADS];
  int t = threadIdx.x, lane = t % 32;
  part[t] = in[blockIdx.x * THREADS + t];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step)
      part[t] += part[t + step];
    __syncwarp();
  }
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int warp = 0; warp < THREADS / 32; warp++)
      sum += part[32 * warp];
    out[blockIdx.x] = sum;
  }
}

typedef void BlockSum(const int *, int *);
template <BlockSum *KERNEL> static void block_sums(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return (int)(bits(i) % 1000) - 300; }), out(n / THREADS);
  run.time_several(LAUNCHES, [&] { KERNEL<<<n / THREADS, THREADS>>>(in, out); });
  run.expect_all(out, [&](int block) {
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
      sum += in.host[block * THREADS + i];
    return sum;
  });
}

/* ---- one sum of all elements ----------------------------------------------------------------- */
__global__ void atomics(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, in[i]);
}

__global__ void atomic_per_warp(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

typedef void Total(const int *, int *, int);
template <Total *KERNEL, bool WHOLE> static void total(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return (int)(bits(i) % 1000) - 500; }), out(1);
  run.time(
      [&] {
        for (int i = 0; i < LAUNCHES; i++)
          KERNEL<<<WHOLE ? n / THREADS : 64, THREADS>>>(in, out, n);
      },
      [&] { out.zero(); });
  int want = 0;
  for (int value : in.host)
    want += LAUNCHES * value;
  run.expect_all(out, [&](int) { return want; });
}

/* ---- rows of a matrix ------------------------------------------------------------------------ */
__global__ void row_sums(const float *in, float *out, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int column = lane; column < columns; column += 32)
    sum += in[row * columns + column];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(ALL, sum, step);
  if (lane == 0)
    out[row] = sum;
}

static void warp_per_row(Run &run, int n) {
  const int columns = 500;
  Buffer<float> in((size_t)n * columns, unit), out(n);
  run.time_several(LAUNCHES, [&] { row_sums<<<n * 32 / THREADS, THREADS>>>(in, out, n, columns); });
  run.expect_all(
      out,
      [&](int row) {
        double sum = 0;
        for (int i = 0; i < columns; i++)
          sum += in.host[(size_t)row * columns + i];
        return sum;
      },
      1e-3);
}

/* Layer normalisation: computes the mean and variance of a row, then scales each element. */
__global__ void normalise(const float *in, float *out, int columns) {
  __shared__ float sums[2][THREADS / 32];
  const float *row = in + blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += THREADS) {
    sum += row[i];
    squares += row[i] * row[i];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(ALL, sum, step);
    squares += __shfl_xor_sync(ALL, squares, step);
  }
  if (threadIdx.x % 32 == 0) {
    sums[0][threadIdx.x / 32] = sum;
    sums[1][threadIdx.x / 32] = squares;
  }
  __syncthreads();
  sum = squares = 0;
  for (int warp = 0; warp < THREADS / 32; warp++) {
    sum += sums[0][warp];
    squares += sums[1][warp];
  }
  float mean = sum / columns, scale = rsqrtf(squares / columns - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += THREADS)
    out[blockIdx.x * columns + i] = (row[i] - mean) * scale;
}

static void layer_norm(Run &run, int rows) {
  const int columns = 1000;
  Buffer<float> in((size_t)rows * columns, unit), out((size_t)rows * columns);
  run.time_several(LAUNCHES, [&] { normalise<<<rows, THREADS>>>(in, out, columns); });
  out.down();
  for (int row = 0; row < rows; row += 7) {
    double sum = 0, squares = 0;
    const float *values = &in.host[(size_t)row * columns];
    for (int i = 0; i < columns; i++)
      sum += values[i], squares += (double)values[i] * values[i];
    double mean = sum / columns, scale = 1 / sqrt(squares / columns - mean * mean + 1e-5);
    for (int i = 0; i < columns; i++)
      run.expect(row * columns + i, out.host[(size_t)row * columns + i], (values[i] - mean) * scale,
                 1e-4);
  }
}

static const Rows
    rows("sums",
         {{"reduction, interleaved", block_sums<interleaved>, 1 << 18, 1024},
          {"reduction, strided conflicts", block_sums<interleaved_conflicts>, 1 << 18, 1024},
          {"reduction, sequential", block_sums<sequential>, 1 << 18, 1024},
          {"reduction, shuffles", block_sums<shuffled>, 1 << 19, 1024},
          {"reduction, __syncwarp", block_sums<warp_synchronous>, 1 << 18, 1024},
          {"reduction, an atomic each", total<atomics, true>, 1 << 20, 1024},
          {"reduction, an atomic a warp", total<atomic_per_warp, false>, 1 << 22, 5000},
          {"row sums, a warp each", warp_per_row, 4096, 16},
          {"layer norm", layer_norm, 1024, 4}});
