/* Kernels whose blocks use shared memory: sums, scans, sorts, stencils, histograms, softmax. */
#include "../bench/bench.h"
#include <algorithm>

/* ---- sums ------------------------------------------------------------------------------------ */
template <int BLOCK> __global__ void sum_shared(const float *in, float *out, int each) {
  __shared__ float part[BLOCK];
  float sum = 0;
  for (int k = 0; k < each; k++)
    sum += in[((size_t)blockIdx.x * each + k) * BLOCK + threadIdx.x];
  part[threadIdx.x] = sum;
  for (int half = BLOCK / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}
template <int BLOCK, int EACH> static void sums(Run &run, int n) {
  int blocks = n / BLOCK / EACH;
  Buffer<float> in(n, [](int i) { return bits(i) % 8; }), out(blocks);
  run.time([&] { sum_shared<BLOCK><<<blocks, BLOCK>>>(in, out, EACH); });
  run.expect_all(out, [&](int b) {
    double sum = 0;
    for (int i = 0; i < BLOCK * EACH; i++)
      sum += in.host[(size_t)b * BLOCK * EACH + i];
    return sum;
  });
}

__global__ void dot(const double *a, const double *b, double *out, int n) {
  __shared__ double warp[8];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  for (int apart = 16; apart; apart /= 2)
    sum += __shfl_down_sync(~0u, sum, apart);
  if (threadIdx.x % 32 == 0)
    warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      sum += warp[w];
    atomicAdd(out, sum);
  }
}
static void dots(Run &run, int n) {
  Buffer<double> a(n, unit), b(n, [](int i) { return unit(i + 5); }), out(1);
  out.zero();
  run.time([&] { dot<<<528, 256>>>(a, b, out, n); });
  double want = 0;
  for (int i = 0; i < n; i++)
    want += a.host[i] * b.host[i];
  out.down();
  run.expect(0, out.host[0], want, 1e-6 * want);
}

__global__ void softmax(const float *in, float *out, int columns) {
  __shared__ float part[8];
  const float *row = in + (size_t)blockIdx.x * columns;
  float most = -1e30f, sum = 0;
  for (int x = threadIdx.x; x < columns; x += 256)
    most = fmaxf(most, row[x]);
  for (int apart = 16; apart; apart /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = most;
  __syncthreads();
  for (int w = 0; w < 8; w++)
    most = fmaxf(most, part[w]);
  __syncthreads();
  for (int x = threadIdx.x; x < columns; x += 256)
    sum += expf(row[x] - most);
  for (int apart = 16; apart; apart /= 2)
    sum += __shfl_xor_sync(~0u, sum, apart);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < 8; w++)
    sum += part[w];
  for (int x = threadIdx.x; x < columns; x += 256)
    out[(size_t)blockIdx.x * columns + x] = expf(row[x] - most) / sum;
}
static void softmaxes(Run &run, int rows) {
  const int columns = 2048;
  Buffer<float> in((size_t)rows * columns, unit), out((size_t)rows * columns);
  run.time([&] { softmax<<<rows, 256>>>(in, out, columns); });
  out.down();
  for (int y = 0; y < rows; y += 7) {
    double sum = 0;
    for (int x = 0; x < columns; x++)
      sum += exp((double)in.host[(size_t)y * columns + x]);
    for (int x = 0; x < columns; x += 31)
      run.expect(x, out.host[(size_t)y * columns + x],
                 exp((double)in.host[(size_t)y * columns + x]) / sum, 1e-6);
  }
}

/* ---- scans, sorts ----------------------------------------------------------------------------- */
__global__ void scan_block(const int *in, int *out) {
  __shared__ int sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = in[i];
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, value, d);
    if (lane >= d)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(~0u, sum, d);
      if (lane >= d)
        sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  out[i] = value + (warp ? sums[warp - 1] : 0);
}
template <int BLOCK> static void scans(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 100; }), out(n);
  run.time([&] { scan_block<<<n / BLOCK, BLOCK>>>(in, out); });
  int sum = 0;
  run.expect_all(out, [&](int i) { return sum = (i % BLOCK ? sum : 0) + in.host[i]; });
}

template <int SIZE> __global__ void bitonic(int *data) {
  __shared__ int s[SIZE];
  for (int i = threadIdx.x; i < SIZE; i += SIZE / 2)
    s[i] = data[blockIdx.x * SIZE + i];
  for (int size = 2; size <= SIZE; size *= 2)
    for (int apart = size / 2; apart; apart /= 2) {
      __syncthreads();
      int low = 2 * threadIdx.x - (threadIdx.x & (apart - 1)), high = low + apart;
      bool up = !(low & size);
      int a = s[low], b = s[high];
      if ((a > b) == up)
        s[low] = b, s[high] = a;
    }
  __syncthreads();
  for (int i = threadIdx.x; i < SIZE; i += SIZE / 2)
    data[blockIdx.x * SIZE + i] = s[i];
}
template <int SIZE> static void bitonics(Run &run, int n) {
  Buffer<int> data(n, [](int i) { return bits(i) >> 1; });
  std::vector<int> want = data.host;
  for (int i = 0; i < n; i += SIZE)
    std::sort(want.begin() + i, want.begin() + i + SIZE);
  run.time([&] { bitonic<SIZE><<<n / SIZE, SIZE / 2>>>(data); });
  run.expect_all(data, [&](int i) { return want[i]; });
}

/* Counts each digit in a block: one step of a radix sort. */
__global__ void count_digits(const unsigned *in, int *counts, int each, int shift) {
  __shared__ int mine[16];
  if (threadIdx.x < 16)
    mine[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < each; k++) {
    unsigned digit = in[(blockIdx.x * each + k) * blockDim.x + threadIdx.x] >> shift & 15;
    atomicAdd(&mine[digit], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16)
    counts[blockIdx.x * 16 + threadIdx.x] = mine[threadIdx.x];
}
static void digits(Run &run, int n) {
  const int each = 8, blocks = n / 256 / each;
  Buffer<unsigned> in(n, bits);
  Buffer<int> counts(blocks * 16);
  run.time([&] { count_digits<<<blocks, 256>>>(in, counts, each, 4); });
  std::vector<int> want(blocks * 16);
  for (int i = 0; i < n; i++)
    want[i / 256 / each * 16 + (in.host[i] >> 4 & 15)]++;
  run.expect_all(counts, [&](int i) { return want[i]; });
}

/* ---- neighbours ------------------------------------------------------------------------------- */
template <class T> __global__ void heat(const T *in, T *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    return;
  size_t i = (size_t)y * n + x;
  out[i] = in[i] + (T)0.1 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4 * in[i]);
}
template <class T, int BX, int BY> static void heats(Run &run, int n) {
  Buffer<T> in((size_t)n * n, unit), out((size_t)n * n);
  out.zero();
  run.time([&] { heat<T><<<dim3(n / BX, n / BY), dim3(BX, BY)>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) -> double {
        int x = i % n, y = i / n;
        const T *p = &in.host[i];
        return x == 0 || y == 0 || x == n - 1 || y == n - 1
                   ? 0
                   : p[0] + 0.1 * (p[-1] + p[1] + p[-n] + p[n] - 4.0 * p[0]);
      },
      1e-5);
}

/* Each thread moves through the planes along z. */
__global__ void march(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    return;
  const size_t plane = (size_t)n * n;
  size_t i = (size_t)y * n + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < n - 1; z++) {
    i += plane;
    float above = in[i + plane];
    out[i] = 0.4f * here + 0.1f * (below + above + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    below = here;
    here = above;
  }
}
static void marches(Run &run, int n) {
  size_t all = (size_t)n * n * n;
  Buffer<float> in(all, unit), out(all);
  out.zero();
  run.time([&] { march<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n); });
  out.down();
  for (size_t i = 0; i < all; i += 97) {
    int x = i % n, y = i / n % n, z = i / n / n, inside = 1;
    for (int c : {x, y, z})
      inside &= c != 0 && c != n - 1;
    const float *p = &in.host[i];
    size_t plane = (size_t)n * n;
    run.expect(i, out.host[i],
               inside ? 0.4 * p[0] +
                            0.1 * ((double)p[-1] + p[1] + p[-n] + p[n] + p[plane] + *(p - plane))
                      : 0,
               1e-5);
  }
}

template <int RADIUS> __global__ void blur_line(const float *in, float *out, int n) {
  __shared__ float s[256 + 2 * RADIUS];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x + RADIUS] = in[i];
  if (threadIdx.x < RADIUS) {
    s[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
    s[threadIdx.x + 256 + RADIUS] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++)
    sum += s[threadIdx.x + k];
  out[i] = sum;
}
template <int RADIUS> static void lines(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time([&] { blur_line<RADIUS><<<n / 256, 256>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        double sum = 0;
        for (int k = i - RADIUS; k <= i + RADIUS; k++)
          sum += k >= 0 && k < n ? in.host[k] : 0;
        return sum;
      },
      1e-4);
}

__constant__ float weights[49];
__global__ void convolve7(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < 7; j++)
    for (int i = 0; i < 7; i++)
      sum += weights[j * 7 + i] * in[((y + j) & (n - 1)) * n + ((x + i) & (n - 1))];
  out[y * n + x] = sum;
}
static void convolutions(Run &run, int n) {
  float w[49];
  for (int i = 0; i < 49; i++)
    w[i] = unit(i) / 49;
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  Buffer<float> in(n * n, unit), out(n * n);
  run.time([&] { convolve7<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int at) {
        double sum = 0;
        for (int k = 0; k < 49; k++)
          sum += (double)w[k] *
                 in.host[((at / n + k / 7) & (n - 1)) * n + ((at % n + k % 7) & (n - 1))];
        return sum;
      },
      1e-4);
}

static const Rows rows("blocks", {
                                     {"sums, blocks of 128", sums<128, 1>, 1 << 22, 1024},
                                     {"sums, blocks of 1024", sums<1024, 1>, 1 << 22, 1024},
                                     {"sums, 16 each", sums<256, 16>, 1 << 24, 4096},
                                     {"dot product, double", dots, 1 << 22, 1024},
                                     {"softmax", softmaxes, 4096, 4},
                                     {"scan, blocks of 256", scans<256>, 1 << 22, 1024},
                                     {"scan, blocks of 1024", scans<1024>, 1 << 22, 1024},
                                     {"bitonic, 256", bitonics<256>, 1 << 19, 1024},
                                     {"bitonic, 1024", bitonics<1024>, 1 << 20, 2048},
                                     {"digits of a radix sort", digits, 1 << 22, 2048},
                                     {"heat, 32x8", heats<float, 32, 8>, 2048, 64},
                                     {"heat, 16x16, double", heats<double, 16, 16>, 1024, 64},
                                     {"heat, 8x8", heats<float, 8, 8>, 1024, 64},
                                     {"heat, 128x1", heats<float, 128, 1>, 2048, 128},
                                     {"march through planes", marches, 192, 32},
                                     {"blurred line, 4", lines<4>, 1 << 22, 1024},
                                     {"blurred line, 16", lines<16>, 1 << 22, 1024},
                                     {"convolution 7x7", convolutions, 1024, 64},
                                 });
