/* Benchmark kernels whose lanes diverge: loops of different length, branches by lane, searches. */
#include "bench.h"
#include <cstring>

enum { THREADS = 256, LAUNCHES = 4 };

__host__ __device__ static inline int escape(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int i = 0;
  for (; i < limit && x * x + y * y <= 4; i++) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return i;
}

__global__ void mandelbrot(int *out, int n, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = escape(-2.0f + 3.0f * x / n, -1.5f + 3.0f * y / n, limit);
}

static void mandelbrot_set(Run &run, int n) {
  const int limit = 200;
  Buffer<int> out((size_t)n * n);
  run.time([&] { mandelbrot<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out, n, limit); });
  out.down();
  // Pixels at the edge of the Mandelbrot set may differ, because a fused multiply-add rounds only
  // once.
  int other = 0;
  for (int i = 0; i < n * n; i++)
    other += out.host[i] != escape(-2.0f + 3.0f * (i % n) / n, -1.5f + 3.0f * (i / n) / n, limit);
  run.expect(0, other, 0, 0.05 * n * n);
}

__host__ __device__ static inline int collatz_steps(unsigned from) {
  int steps = 0;
  for (unsigned long long value = from; value != 1; steps++)
    value = value & 1 ? 3 * value + 1 : value / 2;
  return steps;
}

__global__ void collatz(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = collatz_steps(i + 1);
}

static void collatz_lengths(Run &run, int n) {
  Buffer<int> out(n);
  run.time([&] { collatz<<<n / THREADS, THREADS>>>(out); });
  run.expect_all(out, [](int i) { return collatz_steps(i + 1); });
}

__host__ __device__ static inline int lower_bound(const int *in, int n, int value) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (in[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void search(const int *in, int n, const int *values, int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  places[i] = lower_bound(in, n, values[i]);
}

static void binary_search(Run &run, int n) {
  const int size = 5000;
  Buffer<int> in(size, [](int i) { return 3 * i; }), places(n);
  Buffer<int> values(n, [](int i) { return bits(i) % (3 * size); });
  run.time([&] { search<<<n / THREADS, THREADS>>>(in, size, values, places); });
  run.expect_all(places, [&](int i) { return (values.host[i] + 2) / 3; });
}

__host__ __device__ static inline int two_ways(int i, int rounds) {
  int value = i;
  for (int round = 0; round < rounds; round++)
    if ((i + round) & 1)
      value = value * 3 + round;
    else
      value = (value ^ round) - i;
  return value;
}

__host__ __device__ static inline int eight_ways(int i, int rounds) {
  unsigned value = i;
  for (int round = 0; round < rounds; round++)
    switch ((i + round) & 7) {
    case 0:
      value += 7;
      break;
    case 1:
      value *= 5;
      break;
    case 2:
      value ^= value >> 3;
      break;
    case 3:
      value -= round;
      break;
    case 4:
      value = value << 1 | value >> 31;
      break;
    case 5:
      value = ~value;
      break;
    case 6:
      value |= 0x1000;
      break;
    default:
      value &= 0x7fffffff;
      break;
    }
  return (int)value;
}

/* Some threads return immediately, some after a few iterations. There is no barrier. */
__host__ __device__ static inline int until_found(const unsigned char *in, int start, int limit) {
  for (int i = 0; i < limit; i++) {
    if (in[start + i] == 0)
      return i;
    if (in[start + i] == 255 && i > 4)
      return -i;
  }
  return limit;
}

typedef int Ways(int, int);
template <Ways *WAYS> __global__ void by_lane(int *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = WAYS(i, rounds);
}

template <Ways *WAYS> static void ways(Run &run, int n) {
  const int rounds = 64;
  Buffer<int> out(n);
  run.time([&] { by_lane<WAYS><<<n / THREADS, THREADS>>>(out, rounds); });
  run.expect_all(out, [](int i) { return WAYS(i, rounds); });
}

__global__ void early_return(const unsigned char *in, int *out, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 250) {
    out[i] = 0;
    return;
  }
  out[i] = until_found(in, i, limit);
}

static void early_returns(Run &run, int n) {
  const int limit = 100;
  Buffer<unsigned char> in(n + limit, [](int i) { return bits(i) >> 24; });
  Buffer<int> out(n);
  run.time([&] { early_return<<<n / THREADS, THREADS>>>(in, out, limit); });
  run.expect_all(
      out, [&](int i) { return in.host[i] > 250 ? 0 : until_found(in.host.data(), i, limit); });
}

/* ---- bytes: the positions of a word in a text ------------------------------------------------ */
__constant__ char word[8];

__global__ void find(const char *text, int n, int letters, int *places, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + letters > n)
    return;
  for (int k = 0; k < letters; k++)
    if (text[i + k] != word[k])
      return;
  places[atomicAdd(found, 1)] = i;
}

static void string_search(Run &run, int n) {
  const char *wanted = "abcab";
  Buffer<char> text(n, [](int i) { return 'a' + bits(i) % 3; });
  Buffer<int> places(n), found(1);
  CHECK(cudaMemcpyToSymbol(word, wanted, 5));
  run.time([&] { find<<<n / THREADS, THREADS>>>(text, n, 5, places, found); },
           [&] { found.zero(), places.zero(); });
  found.down();
  places.down();
  std::vector<int> seen(n);
  for (int i = 0; i < found.host[0] && i < n; i++)
    seen[places.host[i] % n]++;
  for (int i = 0; i < n; i++)
    run.expect(i, seen[i], i + 5 <= n && !memcmp(&text.host[i], wanted, 5));
}

static const Rows rows("lanes that part", {{"Mandelbrot", mandelbrot_set, 384, 32},
                                           {"Collatz", collatz_lengths, 1 << 17, 512},
                                           {"binary search", binary_search, 1 << 18, 512},
                                           {"if and else by lane", ways<two_ways>, 1 << 17, 512},
                                           {"switch by lane", ways<eight_ways>, 1 << 17, 512},
                                           {"early return", early_returns, 1 << 18, 512},
                                           {"string search", string_search, 1 << 21, 2048}});
