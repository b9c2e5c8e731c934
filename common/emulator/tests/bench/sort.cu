/* Benchmark kernels that sort, with networks in shared and in global memory, and a Fourier
 * transform. */
#include "bench.h"
#include <algorithm>
#include <complex>

enum { SIZE = 512 };

/* ---- each block sorts its own elements ------------------------------------------------------- */
__global__ void bitonic_shared(int *data) {
  __shared__ int s[SIZE];
  int t = threadIdx.x, base = blockIdx.x * SIZE;
  s[t] = data[base + t];
  s[t + SIZE / 2] = data[base + t + SIZE / 2];
  for (int size = 2; size <= SIZE; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      int low = 2 * t - (t & (step - 1)), high = low + step;
      bool up = (low & size) == 0;
      int a = s[low], b = s[high];
      if ((a > b) == up) {
        s[low] = b;
        s[high] = a;
      }
    }
  __syncthreads();
  data[base + t] = s[t];
  data[base + t + SIZE / 2] = s[t + SIZE / 2];
}

__global__ void odd_even(int *data) {
  __shared__ int s[SIZE];
  int t = threadIdx.x, base = blockIdx.x * SIZE;
  s[t] = data[base + t];
  s[t + SIZE / 2] = data[base + t + SIZE / 2];
  __syncthreads();
  for (int round = 0; round < SIZE; round++) {
    int left = 2 * t + (round & 1);
    if (left + 1 < SIZE && s[left] > s[left + 1]) {
      int was = s[left];
      s[left] = s[left + 1];
      s[left + 1] = was;
    }
    __syncthreads();
  }
  data[base + t] = s[t];
  data[base + t + SIZE / 2] = s[t + SIZE / 2];
}

/* The position of an element is the number of smaller elements, so each element is compared with
 * all others. */
__global__ void rank_sort(int *data) {
  __shared__ int s[SIZE];
  int t = threadIdx.x, base = blockIdx.x * SIZE;
  for (int i = t; i < SIZE; i += SIZE / 2)
    s[i] = data[base + i];
  __syncthreads();
  for (int i = t; i < SIZE; i += SIZE / 2) {
    int rank = 0;
    for (int other = 0; other < SIZE; other++)
      rank += s[other] < s[i] || (s[other] == s[i] && other < i);
    data[base + rank] = s[i];
  }
}

/* Expects that each part of `size` elements is sorted. */
template <class Launch> static void sorted(Run &run, int n, int size, Launch launch) {
  Buffer<int> data(n, [](int i) { return (int)(bits(i) >> 8); });
  std::vector<int> want = data.host;
  for (int base = 0; base < n; base += size)
    std::sort(want.begin() + base, want.begin() + base + size);
  run.time([&] { launch(data.device); }, [&] { data.up(); });
  run.expect_all(data, [&](int i) { return want[i]; });
}

typedef void BlockSort(int *);
template <BlockSort *KERNEL> static void block_sort(Run &run, int n) {
  sorted(run, n, SIZE, [&](int *data) { KERNEL<<<n / SIZE, SIZE / 2>>>(data); });
}

/* ---- all blocks sort one array --------------------------------------------------------------- */
__global__ void bitonic_step(int *data, int size, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
  if (other > i) {
    int a = data[i], b = data[other];
    if ((a > b) == ((i & size) == 0)) {
      data[i] = b;
      data[other] = a;
    }
  }
}

static void bitonic_global(Run &run, int n) {
  sorted(run, n, n, [&](int *data) {
    for (int size = 2; size <= n; size *= 2)
      for (int step = size / 2; step > 0; step /= 2)
        bitonic_step<<<n / 256, 256>>>(data, size, step);
  });
}

/* ---- Fourier transform: one butterfly per thread, in shared memory --------------------------- */
enum { POINTS = 1024 };

__global__ void fft_shared(const float2 *in, float2 *out) {
  __shared__ float2 s[POINTS];
  int t = threadIdx.x, base = blockIdx.x * POINTS;
  for (int i = t; i < POINTS; i += POINTS / 2)
    s[__brev(i) >> 22] = in[base + i];
  for (int half = 1; half < POINTS; half *= 2) {
    __syncthreads();
    int k = t & (half - 1), low = 2 * t - k;
    float sine, cosine;
    sincosf(-3.14159265f * k / half, &sine, &cosine);
    float2 a = s[low], b = s[low + half];
    float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[low] = make_float2(a.x + turned.x, a.y + turned.y);
    s[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  for (int i = t; i < POINTS; i += POINTS / 2)
    out[base + i] = s[i];
}

static void fourier(Run &run, int transforms) {
  Buffer<float2> in((size_t)transforms * POINTS,
                    [](int i) { return make_float2(unit(i) - 0.5f, unit(i + 1) - 0.5f); });
  Buffer<float2> out((size_t)transforms * POINTS);
  run.time([&] { fft_shared<<<transforms, POINTS / 2>>>(in, out); });
  out.down();
  for (int f = 0; f < POINTS; f += 97) { // compared with the definition
    int base = f / 97 % transforms * POINTS;
    std::complex<double> sum = 0;
    for (int i = 0; i < POINTS; i++)
      sum += std::complex<double>(in.host[base + i].x, in.host[base + i].y) *
             std::polar(1.0, -2 * 3.14159265358979 * ((double)f * i / POINTS));
    run.expect(base + f, out.host[base + f].x, sum.real(), 1e-3);
    run.expect(base + f, out.host[base + f].y, sum.imag(), 1e-3);
  }
}

static const Rows rows("sorts and butterflies",
                       {{"bitonic sort, shared", block_sort<bitonic_shared>, 1 << 17, 1024},
                        {"bitonic sort, global steps", bitonic_global, 1 << 16, 1024},
                        {"odd-even sort", block_sort<odd_even>, 1 << 14, 1024},
                        {"rank sort", block_sort<rank_sort>, 1 << 16, 1024},
                        {"FFT butterflies, shared", fourier, 256, 2}});
