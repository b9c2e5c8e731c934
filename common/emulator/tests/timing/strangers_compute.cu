/* Kernels limited by computation, as courses, libraries and applications have them. Their author
 * did not know the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cstring>
#include <cuda_fp16.h>
#include <random>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- escape-time loops, random numbers, hashes, ciphers --------------------------------- */
/* The numbers have 25 bits after the point. */
__host__ __device__ static inline int fixed_escape_at(int x, int y, int n) {
  int real = (int)((long long)x * (5 << 24) / n) - (2 << 25);
  int imaginary = (int)((long long)y * (5 << 24) / n) - (5 << 23);
  int a = 0, b = 0, step = 0;
  while (step < 400) {
    int aa = (int)((long long)a * a >> 25), bb = (int)((long long)b * b >> 25);
    if (aa + bb > 4 << 25)
      break;
    b = (int)((long long)a * b >> 24) + imaginary;
    a = aa - bb + real;
    step++;
  }
  return step;
}
__global__ void fixed_point_escape(int *steps, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    steps[y * n + x] = fixed_escape_at(x, y, n);
}
static void fixed_escape(Run &run, int n) {
  Buffer<int> steps((size_t)n * n);
  dim3 grid(blocks_of(n, 16), blocks_of(n, 8));
  run.time([&] { fixed_point_escape<<<grid, dim3(16, 8)>>>(steps, n); });
  run.expect_all(steps, [&](int i) { return fixed_escape_at(i % n, i / n, n); });
}

/* The average of the prices along a random path. */
__host__ __device__ static inline float average_price(uint32_t state) {
  float price = 100, sum = 0;
  for (int step = 0; step < 32; step++) {
    float u[2];
    for (int k = 0; k < 2; k++) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      u[k] = ((state >> 8) + 0.5f) / 16777216.0f;
    }
    float normal = sqrtf(-2 * logf(u[0])) * cosf(6.2831853f * u[1]);
    price *= expf(0.0004f + 0.03f * normal);
    sum += price;
  }
  return sum / 32;
}
__global__ void asian_payoffs(float *payoffs, float strike, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    payoffs[i] = fmaxf(average_price(mix(i + 1) | 1) - strike, 0);
}
static void asian_options(Run &run, int n) {
  Buffer<float> payoffs(n, none);
  run.time([&] { asian_payoffs<<<blocks_of(n, 192), 192>>>(payoffs, 98, n); });
  run.expect_all(
      payoffs, [](int i) { return std::max(average_price(mix(i + 1) | 1) - 98, 0.0f); }, 0.01);
}

__global__ void twister(const uint32_t *states, uint32_t *out, int rounds) {
  __shared__ uint32_t x[624];
  int t = threadIdx.x;
  for (int k = t; k < 624; k += blockDim.x)
    x[k] = states[blockIdx.x * 624 + k];
  __syncthreads();
  for (int round = 0; round < rounds; round++)
    for (int from = 0; from < 624; from += 227) {
      int k = from + t;
      bool mine = t < 227 && k < 624;
      uint32_t y = mine ? (x[k] & 0x80000000u) | (x[(k + 1) % 624] & 0x7fffffffu) : 0;
      y = mine ? x[(k + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0) : 0;
      __syncthreads();
      if (mine) {
        x[k] = y;
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        out[((size_t)blockIdx.x * rounds + round) * 624 + k] = y ^ y >> 18;
      }
      __syncthreads();
    }
}
static void mersenne(Run &run, int rounds) {
  const int generators = 12;
  Buffer<uint32_t> states(generators * 624), out((size_t)generators * rounds * 624, none);
  for (int g = 0; g < generators; g++)
    for (int k = 0; k < 624; k++) {
      uint32_t *x = &states.host[g * 624 + k];
      *x = k ? 1812433253u * (x[-1] ^ x[-1] >> 30) + k : g + 1;
    }
  states.up();
  run.time([&] { twister<<<generators, 256>>>(states, out, rounds); });
  std::mt19937 engine;
  run.expect_all(out, [&](int i) {
    if (i % (rounds * 624) == 0)
      engine.seed(i / (rounds * 624) + 1);
    return engine();
  });
}

__host__ __device__ static inline uint64_t turned(uint64_t x, int by) {
  return x << by | x >> (64 - by);
}
__host__ __device__ static inline void sip_round(uint64_t v[4]) {
  v[0] += v[1], v[2] += v[3];
  v[1] = turned(v[1], 13) ^ v[0], v[3] = turned(v[3], 16) ^ v[2];
  v[0] = turned(v[0], 32);
  v[2] += v[1], v[0] += v[3];
  v[1] = turned(v[1], 17) ^ v[2], v[3] = turned(v[3], 21) ^ v[0];
  v[2] = turned(v[2], 32);
}
__host__ __device__ static inline uint32_t sip_of(const uint64_t *words, size_t stride) {
  uint64_t v[4] = {0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573};
  for (int k = 0; k < 8; k++) {
    uint64_t word = words[k * stride];
    v[3] ^= word;
    sip_round(v), sip_round(v);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  for (int k = 0; k < 4; k++)
    sip_round(v);
  return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}
__global__ void sip_hashes(const uint64_t *words, uint32_t *hashes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    hashes[i] = sip_of(words + i, n);
}
static void sip(Run &run, int n) {
  Buffer<uint64_t> words((size_t)n * 8, [](int i) { return (uint64_t)bits(i) << 32 | bits(~i); });
  Buffer<uint32_t> hashes(n);
  run.time([&] { sip_hashes<<<blocks_of(n, 320), 320>>>(words, hashes, n); });
  run.expect_all(hashes, [&](int i) { return sip_of(&words.host[i], n); });
}

/* The cipher's state of 256 bytes is a local array. */
__host__ __device__ static inline uint32_t rivest_of(uint32_t key, int length) {
  uint8_t s[256], other = 0;
  for (int k = 0; k < 256; k++)
    s[k] = (uint8_t)k;
  for (int k = 0; k < 256; k++) {
    uint8_t mine = s[k];
    other += mine + (uint8_t)(key >> 8 * (k % 4));
    s[k] = s[other], s[other] = mine;
  }
  uint32_t sum = 0;
  other = 0;
  for (int k = 1; k <= length; k++) {
    uint8_t at = (uint8_t)k, mine = s[at];
    other += mine;
    uint8_t theirs = s[other];
    s[at] = theirs, s[other] = mine;
    sum = sum * 31 + s[(uint8_t)(mine + theirs)];
  }
  return sum;
}
__global__ void rivest_cipher(uint32_t *sums, int length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = rivest_of(mix(i), length);
}
static void rivest(Run &run, int n) {
  Buffer<uint32_t> sums(n, none);
  run.time([&] { rivest_cipher<<<blocks_of(n, 64), 64>>>(sums, 3000, n); });
  run.expect_all(sums, [](int i) { return rivest_of(mix(i), 3000); });
}

/* ---- integers ----------------------------------------------------------------------------- */
__host__ __device__ static inline int low_zeros(uint32_t x) {
#ifdef __CUDA_ARCH__
  return __ffs(x) - 1;
#else
  return __builtin_ctz(x);
#endif
}
__host__ __device__ static inline int coprimes_of(uint32_t number) {
  int count = 0;
  for (uint32_t k = 1; k <= 48; k++) {
    uint32_t a = number, b = mix(k) | 1;
    while (a) {
      a >>= low_zeros(a);
      uint32_t less = a < b ? a : b;
      a = a < b ? b - a : a - b;
      b = less;
    }
    count += b == 1;
  }
  return count;
}
__global__ void count_coprimes(int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    counts[i] = coprimes_of(i + 1);
}
static void coprimes(Run &run, int n) {
  Buffer<int> counts(n, none);
  run.time([&] { count_coprimes<<<blocks_of(n, 128), 128>>>(counts, n); });
  run.expect_all(counts, [](int i) { return coprimes_of(i + 1); });
}

/* The test of Miller and Rabin, whose four bases decide all numbers of 31 bits. */
__host__ __device__ static inline bool probably_prime(uint32_t p) {
  for (uint32_t base = 2; base <= 7; base += base == 2 ? 1 : 2) {
    uint32_t odd = p - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2)
      twos++;
    uint64_t power = 1, square = base;
    for (; odd; odd /= 2) {
      if (odd & 1)
        power = power * square % p;
      square = square * square % p;
    }
    bool passes = power == 1 || power == p - 1;
    for (int k = 1; k < twos && !passes; k++) {
      power = power * power % p;
      passes = power == p - 1;
    }
    if (!passes)
      return false;
  }
  return true;
}
__global__ void miller_rabin(uint8_t *prime, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    prime[i] = probably_prime(1000000001u + 2 * i);
}
static void primes_tested(Run &run, int n) {
  Buffer<uint8_t> prime(n, none);
  run.time([&] { miller_rabin<<<blocks_of(n, 256), 256>>>(prime, n); });
  run.expect_all(prime, [](int i) { return probably_prime(1000000001u + 2 * i); });
}

/* Halton's points: the digits of the index, reversed, in several bases. */
static __constant__ int halton_bases[6];
static const int halton_bases_host[6] = {2, 3, 5, 7, 11, 13};
__host__ __device__ static inline float radical_inverse(int i, int base) {
  unsigned reversed = 0, whole = 1;
  for (; i; i /= base) {
    reversed = reversed * base + i % base;
    whole *= base;
  }
  return (float)reversed / (float)whole;
}
__global__ void halton(float *points, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int d = 0; d < 6; d++)
      points[d * n + i] = radical_inverse(i, halton_bases[d]);
}
static void halton_points(Run &run, int n) {
  Buffer<float> points((size_t)n * 6, none);
  CHECK(cudaMemcpyToSymbol(halton_bases, halton_bases_host, sizeof halton_bases));
  run.time([&] { halton<<<blocks_of(n, 256), 256>>>(points, n); });
  run.expect_all(
      points, [&](int i) { return radical_inverse(i % n, halton_bases_host[i / n]); }, 1e-6);
}

static const Rows rows("strangers", {{"Mandelbrot, fixed point", fixed_escape, 900, 40},
                                     {"Asian options", asian_options, 400000, 1 << 9},
                                     {"Mersenne twisters, 12 blocks", mersenne, 500, 2},
                                     {"SipHash of 64 bytes", sip, 500000, 1 << 9},
                                     {"RC4 in local memory", rivest, 8192, 64},
                                     {"coprime numbers", coprimes, 250000, 1 << 8},
                                     {"primes by Miller and Rabin", primes_tested, 400000, 1 << 8},
                                     {"points of Halton", halton_points, 300000, 1 << 9}});
