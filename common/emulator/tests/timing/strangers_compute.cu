/* Kernels limited by computation, as courses, libraries and applications have them. They were
 * written without knowledge of the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cuda_fp16.h>
#include <random>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- escape-time loops, random numbers, hashes, ciphers --------------------------------- */
/* The numbers have 25 bits after the point. */
__host__ __device__ static inline int fixed_escape_at(int x, int y, int n) {
  int real = (int)((long long)x * (5 << 24) / n) - (2 << 25);
  int imaginary = (int)((long long)y * (5 << 24) / n) - (5 << 23);
  int a = 0, b = 0, step = 0;
  for (; step < 400; step++) {
    int aa = (int)((long long)a * a >> 25), bb = (int)((long long)b * b >> 25);
    if (aa + bb > 4 << 25)
      break;
    b = (int)((long long)a * b >> 24) + imaginary;
    a = aa - bb + real;
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

/* Numbers are tried until the hash of a header ends with nine zeros. */
__host__ __device__ static inline uint32_t tries_of(uint32_t header) {
  uint32_t hash = 1, tries = 0;
  while (hash & 511) {
    tries++;
    hash = header;
    for (uint32_t k = 0; k < 6; k++) {
      uint32_t word = (tries + k) * 0xcc9e2d51u;
      hash ^= (word << 15 | word >> 17) * 0x1b873593u;
      hash = (hash << 13 | hash >> 19) * 5 + 0xe6546b64u;
    }
    hash = mix(hash);
  }
  return tries;
}
__global__ void proofs_of_work(uint32_t *tries, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    tries[i] = tries_of(mix(i));
}
static void proofs(Run &run, int n) {
  Buffer<uint32_t> tries(n, none);
  run.time([&] { proofs_of_work<<<blocks_of(n, 320), 320>>>(tries, n); });
  run.expect_all(tries, [](int i) { return tries_of(mix(i)); });
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
__host__ __device__ static inline int coprimes_of(uint32_t number) {
  int count = 0;
  for (uint32_t k = 1; k <= 48; k++) {
    uint32_t a = number, b = mix(k) | 1;
    while (a) {
      while (a % 2 == 0)
        a /= 2;
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
  uint32_t odd = p - 1;
  while (odd % 2 == 0)
    odd /= 2;
  for (uint32_t base = 2; base <= 7; base += base == 2 ? 1 : 2) {
    uint64_t power = 1, square = base;
    for (uint32_t rest = odd; rest; rest /= 2, square = square * square % p)
      if (rest & 1)
        power = power * square % p;
    uint32_t exponent = odd;
    for (; exponent != p - 1 && power != 1 && power != p - 1; exponent *= 2)
      power = power * power % p;
    if (power != p - 1 && exponent % 2 == 0)
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

/* Sines of integers, by shifts and a table of angles. */
static __constant__ int cordic_angles[24];
__host__ __device__ static inline int cordic_sine(int angle, const int *angles) {
  int x = 163008218, y = 0;
  for (int k = 0; k < 24; k++) {
    int dx = x >> k, dy = y >> k, sign = angle < 0 ? -1 : 1;
    x -= sign * dy, y += sign * dx;
    angle -= sign * angles[k];
  }
  return y;
}
__global__ void cordic(const int *in, int *sines, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sines[i] = cordic_sine(in[i], cordic_angles);
}
static void sines_by_shifts(Run &run, int n) {
  int angles[24];
  for (int k = 0; k < 24; k++)
    angles[k] = (int)(atan(ldexp(1, -k)) * (1 << 28));
  CHECK(cudaMemcpyToSymbol(cordic_angles, angles, sizeof angles));
  Buffer<int> in(n, [](int i) { return bits(i) >> 3; }), sines(n, none);
  run.time([&] { cordic<<<blocks_of(n, 512), 512>>>(in, sines, n); });
  run.expect_all(sines, [&](int i) { return cordic_sine(in.host[i], angles); });
}

/* ---- warps and particles ------------------------------------------------------------------ */
/* The most frequent of 32 letters, and its number. */
__global__ void commonest_letters(const uint8_t *text, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int best = __popc(__match_any_sync(~0u, text[i])) * 256 + text[i];
  for (int by = 16; by; by /= 2)
    best = max(best, __shfl_xor_sync(~0u, best, by));
  if (i % 32 == 0)
    out[i / 32] = best;
}
static void commonest(Run &run, int n) {
  Buffer<uint8_t> text(n, [](int i) { return bits(i) % 20; });
  Buffer<int> out(n / 32, none);
  run.time([&] { commonest_letters<<<n / 256, 256>>>(text, out); });
  run.expect_all(out, [&](int i) {
    const uint8_t *some = &text.host[i * 32];
    int best = 0;
    for (int k = 0; k < 32; k++)
      best = std::max(best, (int)std::count(some, some + 32, some[k]) * 256 + some[k]);
    return best;
  });
}

/* Oscillators of Kuramoto. A warp sums the pull on one oscillator. */
__global__ void kuramoto(const float *phases, float *speeds, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int k = lane; k < n; k += 32)
    sum += sinf(phases[k] - phases[i]);
  for (int by = 16; by; by /= 2)
    sum += __shfl_xor_sync(~0u, sum, by);
  if (lane == 0)
    speeds[i] = 0.3f + 2 * sum / n;
}
static void oscillators(Run &run, int n) {
  Buffer<float> phases(n, [](int i) { return 6 * unit(i); }), speeds(n, none);
  run.time([&] { kuramoto<<<n / 4, 128>>>(phases, speeds, n); });
  double sines = 0, cosines = 0;
  for (float phase : phases.host)
    sines += sin(phase), cosines += cos(phase);
  auto speed_at = [&](int i) {
    return 0.3 + 2 * (sines * cos(phases.host[i]) - cosines * sin(phases.host[i])) / n;
  };
  run.expect_all(speeds, speed_at, 1e-4);
}

__host__ __device__ static inline float call_at(float strike, float volatility, float *slope) {
  float root = volatility * 0.70710678f, d = logf(100 / strike) / root + root / 2;
  *slope = 28.209479f * expf(-d * d / 2);
  return 50 * erfcf(-0.70710678f * d) - strike / 2 * erfcf(-0.70710678f * (d - root));
}
__global__ void implied_volatilities(const float *prices, const float *strikes, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float volatility = 0.5f, error = 1, slope;
  for (int step = 0; step < 20 && fabsf(error) > 1e-3f; step++) {
    error = call_at(strikes[i], volatility, &slope) - prices[i];
    volatility = fminf(2, fmaxf(0.05f, volatility - error / slope));
  }
  out[i] = volatility;
}
static void volatilities(Run &run, int n) {
  Buffer<float> strikes(n, [](int i) { return 90 + 20 * unit(i); }), out(n, none);
  Buffer<float> prices(n, [&](int i) {
    float slope;
    return call_at(strikes.host[i], 0.2f + unit(~i) / 2, &slope);
  });
  run.time([&] { implied_volatilities<<<n / 256, 256>>>(prices, strikes, out); });
  run.expect_all(
      out, [](int i) { return 0.2f + unit(~i) / 2; }, 1e-3);
}

/* ---- double and half precision ------------------------------------------------------------ */
/* The Brusselator, by Euler and Heun with a step that follows the error. */
__host__ __device__ static inline double brusselator_at(double b, double end) {
  double x = 1.2, y = 3.1, t = 0, h = 0.01;
  while (t < end) {
    h = fmin(h, end - t + 1e-12);
    double fx = 1 + x * x * y - (b + 1) * x, fy = b * x - x * x * y;
    double ex = x + h * fx, ey = y + h * fy;
    double gx = 1 + ex * ex * ey - (b + 1) * ex, gy = b * ex - ex * ex * ey;
    double error = 0.5 * h * (fabs(gx - fx) + fabs(gy - fy));
    if (error < 2e-5) {
      x += 0.5 * h * (fx + gx), y += 0.5 * h * (fy + gy);
      t += h;
    }
    h *= fmin(2.0, fmax(0.3, 0.9 * sqrt(2e-5 / (error + 1e-12))));
  }
  return x;
}
__global__ void brusselators(double *out, double end, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = brusselator_at(1.5 + 2.0 * i / n, end);
}
static void brusselator(Run &run, int n) {
  Buffer<double> out(n, none);
  run.time([&] { brusselators<<<blocks_of(n, 64), 64>>>(out, 30, n); });
  run.expect_all(
      out, [&](int i) { return brusselator_at(1.5 + 2.0 * i / n, 30); }, 1e-3);
}

/* Periods of pendulums, by means of Gauss. */
__global__ void elliptic(const double *squares, double *periods) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a = 1, b = sqrt(1 - squares[i]);
  while (a - b > 1e-14) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  periods[i] = 3.141592653589793 / (2 * a);
}
static void elliptic_integrals(Run &run, int n) {
  Buffer<double> squares(n, [](int i) { return 0.999 * unit(i); }), periods(n, none);
  run.time([&] { elliptic<<<n / 96, 96>>>(squares, periods); });
  run.expect_all(
      periods, [&](int i) { return std::comp_ellint_1(sqrt(squares.host[i])); }, 1e-9);
}

/* Bessel's function by its recurrence, from high orders down. */
__global__ void bessel(const double *xs, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = xs[i], now = 1e-200, before = 0, sum = 0;
  for (int order = 60; order > 0; order--) {
    double next = 2 * order / x * now - before;
    before = now, now = next;
    sum += order % 2 ? (order > 1 ? 2 * now : now) : 0;
  }
  out[i] = now / sum;
}
static void bessel_function(Run &run, int n) {
  Buffer<double> xs(n, [](int i) { return 1 + 19 * unit(i); }), out(n, none);
  run.time([&] { bessel<<<n / 256, 256>>>(xs, out); });
  run.expect_all(
      out, [&](int i) { return j0(xs.host[i]); }, 1e-9);
}

__global__ void squares_of_halves(const __half2 *in, float2 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 start = __hadd2(in[i], __float2half2_rn(0.5f)), factor = __float2half2_rn(-0.4f);
  __half2 y = start;
  for (int step = 0; step < 150; step++)
    y = __hfma2(__hmul2(y, y), factor, start);
  out[i] = __half22float2(y);
}
static void halves_squared(Run &run, int n) {
  Buffer<__half> in(2 * n, [](int i) { return __float2half(unit(i)); });
  Buffer<float> out(2 * n, none);
  run.time([&] {
    squares_of_halves<<<n / 128, 128>>>((const __half2 *)in.device, (float2 *)out.device);
  });
  run.expect_all(
      out, [&](int i) { return 1.25 * (sqrt(1.8 + 1.6 * __half2float(in.host[i])) - 1); }, 0.01);
}

/* ---- dynamic programming, sorting, matrices ----------------------------------------------- */
/* Sequences are warped in time. A block has one pair, and goes along the antidiagonals. */
__global__ void time_warp(const float *a, const float *b, float *costs) {
  __shared__ float line[3][257];
  int n = blockDim.x, t = threadIdx.x;
  float own = a[blockIdx.x * n + t];
  for (int k = 0; k < 3; k++)
    line[k][t + 1] = 1e9f;
  if (t < 3)
    line[t][0] = 1e9f;
  __syncthreads();
  for (int d = 0; d < 2 * n - 1; d++) {
    float *now = line[d % 3], *before = line[(d + 2) % 3], *oldest = line[(d + 1) % 3];
    int j = d - t;
    if (j >= 0 && j < n) {
      float best = fminf(fminf(before[t], before[t + 1]), oldest[t]);
      now[t + 1] = fabsf(own - b[blockIdx.x * n + j]) + (d ? best : 0);
    } else
      now[t + 1] = 1e9f;
    __syncthreads();
  }
  if (t == n - 1)
    costs[blockIdx.x] = line[(2 * n - 2) % 3][n];
}
static void warped(Run &run, int pairs) {
  const int n = 256;
  Buffer<float> a((size_t)pairs * n, unit), b((size_t)pairs * n, [](int i) { return unit(~i); });
  Buffer<float> costs(pairs, none);
  run.time([&] { time_warp<<<pairs, n>>>(a, b, costs); });
  run.expect_all(costs, [&](int pair) {
    std::vector<std::vector<float>> m(n + 1, std::vector<float>(n + 1, 1e9f));
    m[0][0] = 0;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        m[i][j] = std::fabs(a.host[pair * n + i - 1] - b.host[pair * n + j - 1]) +
                  std::min({m[i - 1][j - 1], m[i - 1][j], m[i][j - 1]});
    return m[n][n];
  });
}

__global__ void sixteen_by_bitonic(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x[16];
  for (int k = 0; k < 16; k++)
    x[k] = in[k * n + i];
#pragma unroll
  for (int size = 2; size <= 16; size *= 2)
#pragma unroll
    for (int by = size / 2; by; by /= 2)
#pragma unroll
      for (int k = 0; k < 16; k++)
        if (!(k & by)) {
          double low = fmin(x[k], x[k | by]), high = fmax(x[k], x[k | by]);
          x[k] = k & size ? high : low;
          x[k | by] = k & size ? low : high;
        }
  for (int k = 0; k < 16; k++)
    out[k * n + i] = x[k];
}
static void sixteen_sorted(Run &run, int n) {
  Buffer<double> in((size_t)n * 16, unit), out((size_t)n * 16, none);
  run.time([&] { sixteen_by_bitonic<<<n / 160, 160>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    double x[16];
    for (int k = 0; k < 16; k++)
      x[k] = in.host[k * n + i];
    std::sort(x, x + 16);
    for (int k = 0; k < 16; k++)
      run.expect(k * n + i, out.host[k * n + i], x[k]);
  }
}

/* The product of a transposed matrix and a matrix. 64 threads have a tile of 64x32. */
__global__ void product_transposed(const float *a, const float *b, float *c, int n) {
  __shared__ float as[8][64], bs[8][32];
  int t = threadIdx.x, x = t % 8 * 4, y = t / 8 * 8;
  float sums[8][4] = {};
  a += blockIdx.y * 64, b += blockIdx.x * 32;
  for (int from = 0; from < n; from += 8) {
    for (int k = 0; k < 8; k++)
      as[k][t] = a[(from + k) * n + t];
    for (int k = t / 32; k < 8; k += 2)
      bs[k][t % 32] = b[(from + k) * n + t % 32];
    __syncthreads();
    for (int k = 0; k < 8; k++)
#pragma unroll
      for (int i = 0; i < 32; i++)
        sums[i / 4][i % 4] += as[k][y + i / 4] * bs[k][x + i % 4];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 32; i++)
    c[(blockIdx.y * 64 + y + i / 4) * n + blockIdx.x * 32 + x + i % 4] = sums[i / 4][i % 4];
}
static void transposed(Run &run, int n) {
  Buffer<float> a((size_t)n * n, unit), b((size_t)n * n, unit), c((size_t)n * n, none);
  run.time([&] { product_transposed<<<dim3(n / 32, n / 64), 64>>>(a, b, c, n); });
  c.down();
  for (int i = 0; i < n * n; i += 7) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += (double)a.host[k * n + i / n] * b.host[k * n + i % n];
    run.expect(i, c.host[i], sum, 1e-2);
  }
}

/* ---- butterflies, tables, strings --------------------------------------------------------- */
/* Walsh's transform of 256 numbers: 8 in the registers of each lane. */
__global__ void walsh(const float *in, float *out) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float x[8];
  for (int k = 0; k < 8; k++)
    x[k] = in[warp * 256 + k * 32 + lane];
#pragma unroll
  for (int by = 1; by < 8; by *= 2)
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (!(k & by)) {
        float a = x[k], b = x[k | by];
        x[k] = a + b, x[k | by] = a - b;
      }
  for (int by = 1; by < 32; by *= 2)
    for (int k = 0; k < 8; k++) {
      float other = __shfl_xor_sync(~0u, x[k], by);
      x[k] = lane & by ? other - x[k] : x[k] + other;
    }
  for (int k = 0; k < 8; k++)
    out[warp * 256 + k * 32 + lane] = x[k];
}
static void walsh_transforms(Run &run, int n) {
  Buffer<float> in((size_t)n * 256, unit), out((size_t)n * 256, none);
  run.time([&] { walsh<<<n / 8, 256>>>(in, out); });
  auto transformed = [&](int i) {
    float sum = 0;
    for (int k = 0; k < 256; k++)
      sum += in.host[i / 256 * 256 + k] * (__builtin_parity(i & k) ? -1 : 1);
    return sum;
  };
  run.expect_all(out, transformed, 1e-3);
}

/* Syndromes of Reed and Solomon's code, by tables of logarithms and powers. */
static __constant__ uint8_t field_logs[256], field_powers[512];
__host__ __device__ static inline int syndrome_at(const uint8_t *word, int which,
                                                  const uint8_t *logs, const uint8_t *powers) {
  int sum = 0;
  for (int k = 0; k < 255; k++)
    sum = (sum ? powers[logs[sum] + which] : 0) ^ word[k];
  return sum;
}
__global__ void syndromes(const uint8_t *words, uint8_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * 16)
    out[i] = syndrome_at(words + i / 16 * 255, i % 16, field_logs, field_powers);
}
static void reed_solomon(Run &run, int n) {
  uint8_t logs[256] = {}, powers[512];
  for (int k = 0, x = 1; k < 512; k++, x = x << 1 ^ (x & 128 ? 0x11d : 0)) {
    powers[k] = (uint8_t)x;
    if (k < 255)
      logs[x] = (uint8_t)k;
  }
  CHECK(cudaMemcpyToSymbol(field_logs, logs, sizeof logs));
  CHECK(cudaMemcpyToSymbol(field_powers, powers, sizeof powers));
  Buffer<uint8_t> words((size_t)n * 255, bits), out((size_t)n * 16, none);
  run.time([&] { syndromes<<<blocks_of(n * 16, 128), 128>>>(words, out, n); });
  run.expect_all(
      out, [&](int i) { return syndrome_at(&words.host[i / 16 * 255], i % 16, logs, powers); });
}

/* Places of a gene with at most two wrong letters. Each thread searches 96 places. */
static __constant__ uint32_t gene_masks[4];
__host__ __device__ static inline int places_of(const uint8_t *text, const uint32_t *masks) {
  uint32_t none_wrong = 0, one_wrong = 0, two_wrong = 0;
  int places = 0;
  for (int k = 0; k < 96 + 11; k++) {
    uint32_t mask = masks[text[k]];
    two_wrong = ((two_wrong << 1 | 1) & mask) | one_wrong << 1 | 1;
    one_wrong = ((one_wrong << 1 | 1) & mask) | none_wrong << 1 | 1;
    none_wrong = (none_wrong << 1 | 1) & mask;
    places += k >= 11 ? two_wrong >> 11 & 1 : 0;
  }
  return places;
}
__global__ void bitap(const uint8_t *text, int *places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    places[i] = places_of(text + i * 96, gene_masks);
}
static void gene(Run &run, int n) {
  uint32_t masks[4] = {};
  for (int k = 0; k < 12; k++)
    masks[bits(k) % 4] |= 1u << k;
  CHECK(cudaMemcpyToSymbol(gene_masks, masks, sizeof masks));
  Buffer<uint8_t> text((size_t)n * 96 + 11, [](int i) { return bits(i) % 4; });
  Buffer<int> places(n, none);
  run.time([&] { bitap<<<blocks_of(n, 128), 128>>>(text, places, n); });
  run.expect_all(places, [&](int i) { return places_of(&text.host[i * 96], masks); });
}

static const Rows rows("strangers",
                       {{"Mandelbrot, fixed point", fixed_escape, 1400, 40},
                        {"Asian options", asian_options, 400000, 1 << 9},
                        {"Mersenne twisters, 12 blocks", mersenne, 2000, 2},
                        {"proofs of work", proofs, 120000, 1 << 8},
                        {"RC4 in local memory", rivest, 8192, 64},
                        {"coprime numbers", coprimes, 100000, 1 << 8},
                        {"primes by Miller and Rabin", primes_tested, 400000, 1 << 8},
                        {"points of Halton", halton_points, 300000, 1 << 9},
                        {"sines by shifts", sines_by_shifts, 2000000, 1 << 9},
                        {"commonest of 32 letters", commonest, 1 << 20, 1 << 10},
                        {"oscillators by warps", oscillators, 6000, 40},
                        {"implied volatilities", volatilities, 300032, 256},
                        {"Brusselators, double", brusselator, 5000, 40},
                        {"elliptic integrals, double", elliptic_integrals, 200064, 288},
                        {"Bessel function, double", bessel_function, 600064, 256},
                        {"squares of halves", halves_squared, 2000000, 256},
                        {"sequences warped in time", warped, 500, 2},
                        {"sixteen doubles, bitonic", sixteen_sorted, 300000, 320},
                        {"product, transposed, 64x32", transposed, 640, 64},
                        {"Walsh transforms of 256", walsh_transforms, 12000, 16},
                        {"syndromes of Reed-Solomon", reed_solomon, 6000, 20},
                        {"gene with two errors", gene, 60000, 256}});
