/* Kernels limited by arithmetic, branches and latencies, as courses, libraries and applications
 * have them. They were written without knowledge of the model of time, and the model is not fitted
 * to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <functional>

namespace cg = cooperative_groups;
static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }
/* Runs a kernel that has a thread for each of its n results. */
template <class T, class Want, class Kernel, class... In>
static void each(Run &run, int n, int threads, double tolerance, Want want, Kernel kernel,
                 In... in) {
  Buffer<T> out(n);
  run.time([&] { kernel<<<blocks_of(n, threads), threads>>>(in..., out.device, n); });
  run.expect_all(out, want, tolerance);
}
__device__ static inline int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/* ---- particles ----------------------------------------------------------------------------- */
__host__ __device__ static inline float chance(uint32_t &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((state >> 8) + 0.5f) / 16777216.0f;
}
__host__ __device__ static inline float photon(uint32_t state) {
  float depth = 0, slope = 1, weight = 1;
  while (true) {
    depth -= logf(chance(state)) * slope;
    if (depth < 0 || depth > 5)
      return depth < 0 ? 0 : weight;
    weight *= 0.92f;
    if (weight < 0.1f && chance(state) > 0.2f)
      return 0;
    float part = 0.36f / (0.2f + 1.6f * chance(state)), turn = (1.64f - part * part) / 1.6f;
    float side = sqrtf(fmaxf(0, (1 - slope * slope) * (1 - turn * turn)));
    slope = slope * turn + side * cosf(6.2831853f * chance(state));
  }
}
__global__ void photons(float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = photon(mix(i + 1));
}
static void photons_in_a_slab(Run &run, int n) {
  Buffer<float> out(n);
  run.time([&] { photons<<<blocks_of(n, 192), 192>>>(out, n); });
  out.down();
  double got = 0, want = 0;
  for (int i = 0; i < n; i++)
    got += out.host[i] / n, want += photon(mix(i + 1)) / n;
  run.expect(0, got, want, 2e-3);
}

/* The energy of Lennard and Jones, from a list of neighbours. */
__host__ __device__ static inline float bond(const float4 *at, const int *list, int i, int n) {
  float4 me = at[i];
  float energy = 0;
  for (int k = 0; k < 80; k++) {
    float4 other = at[list[k * n + i]];
    float x = me.x - other.x, y = me.y - other.y, z = me.z - other.z;
    float square = x * x + y * y + z * z;
    if (square > 0.1f && square < 9) {
      float inverse = 1 / square, sixth = inverse * inverse * inverse;
      energy += 4 * (sixth - 1) * sixth * other.w;
    }
  }
  return energy;
}
__global__ void lennard_jones(const float4 *at, const int *list, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = bond(at, list, i, n);
}
static void energies_by_list(Run &run, int n) {
  Buffer<float4> at(n, [](int i) {
    return make_float4(i % 16 + 0.2f * unit(3 * i), i / 16 % 16 + 0.2f * unit(3 * i + 1),
                       i / 256 + 0.2f * unit(3 * i + 2), 1 + 0.1f * unit(i));
  });
  Buffer<int> list(80 * n, [&](int k) { return (k % n + n + bits(k) % 1201 - 600) % n; });
  auto want = [&](int i) { return bond(at.host.data(), list.host.data(), i, n); };
  each<float>(run, n, 128, 0.01, want, lennard_jones, at.device, list.device);
}

/* The strength of X rays that the atoms of a crystal scatter. */
__host__ __device__ static inline float strength_of(const float4 *atoms, int h, int k) {
  float real = 0, imaginary = 0;
  for (int a = 0; a < 200; a++) {
    float angle = 6.2831853f * (h * atoms[a].x + k * atoms[a].y + (h ^ k) % 7 * atoms[a].z);
    real += atoms[a].w * cosf(angle);
    imaginary += atoms[a].w * sinf(angle);
  }
  return real * real + imaginary * imaginary;
}
__global__ void scatter_rays(const float4 *atoms, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = strength_of(atoms, i % 200, i / 200);
}
static void rays_in_a_crystal(Run &run, int n) {
  Buffer<float4> atoms(200, [](int i) {
    return make_float4(unit(i), unit(i + 1000), unit(i + 2000), 0.1f + 0.2f * unit(i + 3000));
  });
  auto want = [&](int i) { return strength_of(atoms.host.data(), i % 200, i / 200); };
  each<float>(run, n, 64, 0.05, want, scatter_rays, atoms.device);
}

/* ---- fractals, numbers and bits -------------------------------------------------------------- */
/* Markus's picture of the exponents of Lyapunov, for the sequence AABAB. */
__host__ __device__ static inline float exponent_at(float a, float b) {
  float x = 0.5f, sum = 0;
  for (int i = 0; i < 240 && sum > -400; i++) {
    float rate = (0b10100 >> i % 5 & 1) ? b : a;
    x = rate * fmaf(-x, x, x);
    if (i >= 80)
      sum += logf(fabsf(rate * fmaf(-2, x, 1)) + 1e-6f);
  }
  return sum / 160;
}
__global__ void lyapunov(float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = exponent_at(2.2f + 1.8f * (i % 500) / 500, 2.2f + 1.8f * (i / 500) / 500);
}
static void exponents_of_lyapunov(Run &run, int n) {
  auto want = [](int i) {
    return exponent_at(2.2f + 1.8f * (i % 500) / 500, 2.2f + 1.8f * (i / 500) / 500);
  };
  each<float>(run, n, 192, 1e-3, want, lyapunov);
}

__host__ __device__ static inline uint32_t totient_of(uint32_t number) {
  uint32_t result = number;
  for (uint32_t d = 2; d * d <= number; d += 1 + (d & 1))
    if (number % d == 0) {
      while (number % d == 0)
        number /= d;
      result -= result / d;
    }
  return number > 1 ? result - result / number : result;
}
__global__ void totients(uint32_t first, uint32_t *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = totient_of(first + i);
}
static void totients_of_euler(Run &run, int n) {
  auto want = [](int i) { return totient_of(700000 + i); };
  each<uint32_t>(run, n, 256, 0, want, totients, 700000u);
}

/* Gosper's walk through the subsets of five of 19 weights. */
__host__ __device__ static inline int subsets_of(uint32_t seed) {
  int found = 0;
  for (uint32_t set = 31; set < 1u << 19;) {
    uint32_t sum = 0, lowest = set & (0 - set), ripple = set + lowest;
    for (uint32_t left = set; left; left &= left - 1)
      sum += mix(seed) >> (left & (0 - left)) % 23 & 15;
    found += sum == 40;
    set = ripple | ((set ^ ripple) >> 2) / lowest;
  }
  return found;
}
__global__ void gosper_subsets(int *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = subsets_of(i);
}
static void subsets_by_gosper(Run &run, int n) {
  each<int>(
      run, n, 32, 0, [](int i) { return subsets_of(i); }, gosper_subsets);
}

/* ---- hashes and factors ---------------------------------------------------------------------- */
__host__ __device__ static inline void sip_round(uint64_t *v) {
  auto turned = [](uint64_t x, int by) { return x << by | x >> (64 - by); };
  v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
  v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
}
__host__ __device__ static inline uint64_t sip_of(const uint64_t *words, int i, int n) {
  uint64_t v[4] = {0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573};
  for (int k = 0; k < 8; k++) {
    v[3] ^= words[k * n + i];
    sip_round(v), sip_round(v);
    v[0] ^= words[k * n + i];
  }
  v[2] ^= 0xff;
  for (int k = 0; k < 4; k++)
    sip_round(v);
  return (v[0] ^ v[1] ^ v[2] ^ v[3]) >> 12;
}
__global__ void sip_hashes(const uint64_t *words, uint64_t *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = sip_of(words, i, n);
}
static void hashes_of_records(Run &run, int n) {
  Buffer<uint64_t> words(8 * n, [](int i) { return (uint64_t)bits(i) << 32 | mix(i); });
  auto want = [&](int i) { return sip_of(words.host.data(), i, n); };
  each<uint64_t>(run, n, 128, 0, want, sip_hashes, words.device);
}

__host__ __device__ static inline uint32_t divisor_of(uint32_t number) {
  uint32_t slow = 2, fast = 2, divisor = 1;
  while (divisor == 1) {
    slow = ((uint64_t)slow * slow + 1) % number;
    for (int k = 0; k < 2; k++)
      fast = ((uint64_t)fast * fast + 1) % number;
    divisor = number;
    for (uint32_t rest = slow < fast ? fast - slow : slow - fast; rest;) {
      uint32_t next = divisor % rest;
      divisor = rest, rest = next;
    }
  }
  return divisor;
}
__global__ void pollard_rho(const uint32_t *numbers, uint32_t *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = divisor_of(numbers[i]);
}
static void divisors_by_rho(Run &run, int n) {
  std::vector<uint32_t> primes;
  for (uint32_t p = 9001; p < 60000; p += 2)
    if (totient_of(p) == p - 1)
      primes.push_back(p);
  auto prime = [&](int i) { return primes[bits(i) % primes.size()]; };
  Buffer<uint32_t> numbers(n, [&](int i) { return prime(2 * i) * prime(2 * i + 1); });
  auto want = [&](int i) { return divisor_of(numbers.host[i]); };
  each<uint32_t>(run, n, 64, 0, want, pollard_rho, numbers.device);
}

/* ---- shapes ---------------------------------------------------------------------------------- */
struct Solid {
  int kind;
  float x, y, z, wide, thin;
};
__host__ __device__ static inline float distance_to(const Solid &s, float x, float y, float z) {
  float flat = sqrtf((x - s.x) * (x - s.x) + (z - s.z) * (z - s.z)), up = y - s.y;
  switch (s.kind) {
  case 0:
    return sqrtf(flat * flat + up * up) - s.wide;
  case 1:
    return sqrtf((flat - s.wide) * (flat - s.wide) + up * up) - s.thin;
  case 2:
    return flat * cosf(s.thin) + up * sinf(s.thin);
  default:
    return fmaxf(fmaxf(fabsf(x - s.x), fabsf(up)), fabsf(z - s.z)) - s.wide;
  }
}
__host__ __device__ static inline float nearest_solid(const Solid *solids, int i) {
  float x = (mix(3 * i) >> 8) / 1e6f, y = (mix(3 * i + 1) >> 8) / 1e6f, best = 1e9f;
  for (int k = mix(i) % 300, left = 8 + mix(i + 9) % 40; left; left--, k = (k + 1) % 300)
    best = fminf(best, distance_to(solids[k], x, y, i % 1024 / 60.0f));
  return best;
}
__global__ void approach_solids(const Solid *solids, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = nearest_solid(solids, i);
}
static void solids_near(Run &run, int n) {
  Buffer<Solid> solids(300, [](int i) {
    return Solid{(int)(bits(i) % 4),  16 * unit(i + 400),    16 * unit(i + 800),
                 16 * unit(i + 1200), unit(i + 1600) + 0.5f, unit(i + 2000) / 2};
  });
  auto want = [&](int i) { return nearest_solid(solids.host.data(), i); };
  each<float>(run, n, 256, 1e-4, want, approach_solids, solids.device);
}

/* ---- double and half precision --------------------------------------------------------------- */
/* The weights of Gauss for integrals, by Newton's method. */
__host__ __device__ static inline double gauss_weight(int i, int order) {
  double x = cos(3.14159265358979 * (i + 0.75) / (order + 0.5)), slope = 1, step = 1;
  for (int round = 0; round < 8 && fabs(step) > 1e-13; round++) {
    double before = 1, now = x;
    for (int k = 1; k < order; k++) {
      double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
      before = now, now = next;
    }
    slope = order * (x * now - before) / (x * x - 1);
    step = now / slope;
    x -= step;
  }
  return 2 / ((1 - x * x) * slope * slope);
}
__global__ void gauss_weights(int order, double *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = gauss_weight(i, order);
}
static void weights_of_gauss(Run &run, int n) {
  auto want = [&](int i) { return gauss_weight(i, 2 * n); };
  each<double>(run, n, 64, 1e-10, want, gauss_weights, 2 * n);
}

/* American puts on trees of two branches, a block each. */
__global__ void american_puts(const double *strikes, double *prices) {
  __shared__ double values[257];
  int i = threadIdx.x;
  double strike = strikes[blockIdx.x], up = exp(0.3 / 16), down = 1 / up;
  double grown = exp(0.05 / 256), p = (grown - down) / (up - down);
  double stock = 100 * pow(up, 2.0 * i - 255);
  values[i] = fmax(strike - stock * down, 0.0);
  if (i == 255)
    values[256] = fmax(strike - stock * up, 0.0);
  __syncthreads();
  for (int level = 255; level >= 0; level--) {
    double held = (p * values[i + 1] + (1 - p) * values[i]) / grown;
    __syncthreads();
    if (i <= level)
      values[i] = fmax(held, strike - stock);
    stock *= up;
    __syncthreads();
  }
  if (i == 0)
    prices[blockIdx.x] = values[0];
}
static void american_options(Run &run, int n) {
  Buffer<double> strikes(n, [](int i) { return 80 + 40 * unit(i); }), prices(n);
  run.time([&] { american_puts<<<n, 256>>>(strikes, prices); });
  double up = exp(0.3 / 16), grown = exp(0.05 / 256), p = (grown - 1 / up) / (up - 1 / up);
  auto want = [&](int i) {
    double values[258] = {};
    for (int level = 256; level >= 0; level--)
      for (int k = 0; k <= level; k++)
        values[k] = std::max(((1 - p) * values[k] + p * values[k + 1]) / grown * (level < 256),
                             strikes.host[i] - 100 * pow(up, 2 * k - level));
    return values[0];
  };
  run.expect_all(prices, want, 1e-8);
}

/* A network of three layers of eight, for two samples in a thread. */
__global__ void tiny_network(const __half *weights, const __half2 *in, __half2 *out, int n) {
  int i = thread();
  __half2 now[8], next[8];
  for (int k = 0; k < 8; k++)
    now[k] = in[k * n + i];
  for (int layer = 0; layer < 3; layer++) {
    for (int k = 0; k < 8; k++) {
      next[k] = __float2half2_rn(-0.1f);
      for (int j = 0; j < 8; j++)
        next[k] = __hfma2(__half2half2(weights[layer * 64 + k * 8 + j]), now[j], next[k]);
    }
    for (int k = 0; k < 8; k++)
      now[k] = __hmax2(next[k], __float2half2_rn(0));
  }
  out[i] = __hadd2(now[0], now[7]);
}
static void network_of_halves(Run &run, int n) {
  Buffer<__half> weights(192, [](int i) { return 0.8f * unit(i) - 0.2f; });
  Buffer<__half2> in(8 * n, [](int i) { return __floats2half2_rn(unit(i), unit(i + 99)); }), out(n);
  run.time([&] { tiny_network<<<n / 128, 128>>>(weights, in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float now[8], next[8];
    for (int k = 0; k < 8; k++)
      now[k] = unit(k * n + i + 99);
    for (int layer = 0; layer < 3; layer++, std::copy(next, next + 8, now))
      for (int k = 0; k < 8; k++) {
        next[k] = -0.1f;
        for (int j = 0; j < 8; j++)
          next[k] += __half2float(weights.host[layer * 64 + k * 8 + j]) * now[j];
        next[k] = std::max(next[k], 0.0f);
      }
    run.expect(i, __high2float(out.host[i]), now[0] + now[7], 0.03);
  }
}

/* ---- special functions and tables ------------------------------------------------------------ */
/* The light of a day on a panel. */
__host__ __device__ static inline float light_of(float latitude, int day) {
  float tilt = 0.4093f * sinf(0.017203f * (day - 81)), sum = 0;
  for (int hour = 4; hour < 20; hour++) {
    float angle = 0.261799f * (hour - 12 + 0.1f * sinf(0.0344f * day));
    float height = sinf(latitude) * sinf(tilt) + cosf(latitude) * cosf(tilt) * cosf(angle);
    if (height > 0.02f) {
      float air = 1 / (height + 0.15f * powf(93.885f - 57.29578f * acosf(height), -1.253f));
      float turn = atan2f(cosf(tilt) * sinf(angle), height * tanf(latitude));
      sum += 1.353f * powf(0.7f, powf(air, 0.678f)) * (height + 0.3f * fabsf(cosf(turn)));
    }
  }
  return sum;
}
__global__ void light_of_days(const float *latitudes, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = light_of(latitudes[i], i % 365);
}
static void light_on_panels(Run &run, int n) {
  Buffer<float> latitudes(n, [](int i) { return 0.2f + 0.9f * unit(i); });
  auto want = [&](int i) { return light_of(latitudes.host[i], i % 365); };
  each<float>(run, n, 256, 0.03, want, light_of_days, latitudes.device);
}

/* Cubics between knots at uneven places. Each thread finds its knots by halving. */
__host__ __device__ static inline float spline_at(const float4 *knots, float x) {
  int low = 0;
  for (int high = 700; high - low > 1;) {
    int middle = (low + high) / 2;
    (knots[middle].x <= x ? low : high) = middle;
  }
  float part = x - knots[low].x;
  return knots[low].y + part * (knots[low].z + part * knots[low].w);
}
__global__ void evaluate_spline(const float4 *knots, const float *xs, float *out, int n) {
  __shared__ float4 near_knots[700];
  for (int k = threadIdx.x; k < 700; k += blockDim.x)
    near_knots[k] = knots[k];
  __syncthreads();
  for (int i = thread(); i < n; i += gridDim.x * blockDim.x)
    out[i] = spline_at(near_knots, xs[i]);
}
static void spline_evaluated(Run &run, int n) {
  Buffer<float4> knots(700, [](int i) {
    return make_float4((i + 0.9f * unit(i)) / 700, unit(i + 1), unit(i + 2), unit(i + 3));
  });
  Buffer<float> xs(n, [](int i) { return unit(i + 50); }), out(n);
  run.time([&] { evaluate_spline<<<264, 256>>>(knots, xs, out, n); });
  run.expect_all(
      out, [&](int i) { return spline_at(knots.host.data(), xs.host[i]); }, 1e-5);
}

/* ---- linear algebra -------------------------------------------------------------------------- */
/* The parabola that fits nine points best, by the mirrors of Householder. */
template <class T> __host__ __device__ static inline T curvature_of(const float *ys, int i, int n) {
  T a[9][4];
#pragma unroll
  for (int r = 0; r < 9; r++) {
    T x = r * (T)0.25 - 1;
    a[r][0] = 1, a[r][1] = x, a[r][2] = x * x, a[r][3] = ys[r * n + i];
  }
#pragma unroll
  for (int c = 0; c < 3; c++) {
    T norm = 0;
    for (int r = c; r < 9; r++)
      norm += a[r][c] * a[r][c];
    T first = a[c][c] + (a[c][c] > 0 ? sqrt(norm) : -sqrt(norm));
    T scale = 2 / (norm + first * first - a[c][c] * a[c][c]);
#pragma unroll
    for (int k = 3; k > c; k--) {
      T dot = first * a[c][k];
      for (int r = c + 1; r < 9; r++)
        dot += a[r][c] * a[r][k];
      a[c][k] -= scale * dot * first;
      for (int r = c + 1; r < 9; r++)
        a[r][k] -= scale * dot * a[r][c];
    }
    a[c][c] -= first;
  }
  return a[2][3] / a[2][2];
}
__global__ void householder_fits(const float *ys, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = curvature_of<float>(ys, i, n);
}
static void fits_by_householder(Run &run, int n) {
  Buffer<float> ys(9 * n, unit);
  auto want = [&](int i) { return curvature_of<double>(ys.host.data(), i, n); };
  each<float>(run, n, 96, 1e-4, want, householder_fits, ys.device);
}

/* Products of polynomials modulo x^16 + 1, in registers, as lattice cryptography has them. */
__host__ __device__ static inline uint32_t lattice_product(const uint32_t *in, int i, int n) {
  uint32_t a[16], b[16], sums[16] = {}, digest = 0;
  for (int k = 0; k < 16; k++)
    a[k] = in[k * n + i] % 3329, b[k] = in[k * n + i] / 3329 % 3329;
#pragma unroll
  for (int k = 0; k < 16; k++)
#pragma unroll
    for (int j = 0; j < 16; j++)
      sums[(k + j) % 16] += a[k] * (k + j < 16 ? b[j] : 3329 - b[j]);
  for (int k = 0; k < 16; k++)
    digest = digest * 5 + sums[k] % 3329;
  return digest;
}
__global__ void lattice_products(const uint32_t *in, uint32_t *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = lattice_product(in, i, n);
}
static void products_of_polynomials(Run &run, int n) {
  Buffer<uint32_t> in(16 * n, bits);
  auto want = [&](int i) { return lattice_product(in.host.data(), i, n); };
  each<uint32_t>(run, n, 160, 0, want, lattice_products, in.device);
}

__global__ void product_28_by_12(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[12][14], columns[14][28];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 12 + y, column = blockIdx.x * 28 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 14) {
    if (x < 14)
      rows[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
    for (int r = y; r < 14; r += 12)
      columns[r][x] = column < n && k + r < n ? b[(k + r) * n + column] : 0;
    __syncthreads();
    for (int j = 0; j < 14; j++)
      sum += rows[y][j] * columns[j][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
static void tiles_of_28_by_12(Run &run, int n) {
  Buffer<float> a(n * n, unit), b(n * n, unit), c(n * n);
  dim3 grid(blocks_of(n, 28), blocks_of(n, 12));
  run.time([&] { product_28_by_12<<<grid, dim3(28, 12)>>>(a, b, c, n); });
  auto want = [&](int i) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a.host[i / n * n + k] * b.host[k * n + i % n];
    return sum;
  };
  run.expect_all(c, want, 2e-3);
}

/* Each warp has 32 columns of four rows. Four products of bytes are one instruction. */
__global__ void product_of_bytes(const int *a, const int *b, int *c, int n, int deep) {
  __shared__ int part[4][33];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 4 + y, column = blockIdx.x * 32 + x;
  int sum = 0;
  for (int k = 0; k < deep; k += 32) {
    part[y][x] = a[row * deep + k + x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 32; j++)
      sum = __dp4a(part[y][j], b[(k + j) * n + column], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
static void bytes_multiplied(Run &run, int n) {
  int deep = 64;
  Buffer<int> a(n * deep, bits), b(n * deep, [](int i) { return bits(i + 5); }), c(n * n);
  run.time([&] { product_of_bytes<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(a, b, c, n, deep); });
  run.expect_all(c, [&](int i) {
    int sum = 0;
    for (int k = 0; k < 4 * deep; k++)
      sum += (int8_t)(a.host[i / n * deep + k / 4] >> k % 4 * 8) *
             (int8_t)(b.host[k / 4 * n + i % n] >> k % 4 * 8);
    return sum;
  });
}

/* ---- local arrays and strings ---------------------------------------------------------------- */
/* The 16th largest of 300, by a heap in local memory. */
__global__ void keep_topmost(const float *in, float *out, int n) {
  int i = thread();
  float heap[16];
  if (i >= n)
    return;
  for (int k = 0; k < 16; k++)
    heap[k] = -1;
  for (int k = 0; k < 300; k++) {
    float value = in[k * n + i];
    int at = 0;
    if (value <= heap[0])
      continue;
    for (int child = 1; child < 16; child = 2 * at + 1) {
      child += child + 1 < 16 && heap[child + 1] < heap[child];
      if (heap[child] >= value)
        break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = value;
  }
  out[i] = heap[0];
}
static void topmost_kept(Run &run, int n) {
  Buffer<float> in(300 * n, unit);
  auto want = [&](int i) {
    float values[300];
    for (int k = 0; k < 300; k++)
      values[k] = in.host[k * n + i];
    std::nth_element(values, values + 15, values + 300, std::greater<float>());
    return values[15];
  };
  each<float>(run, n, 128, 0, want, keep_topmost, in.device);
}

/* The likeness of two words of at most 24 letters, by Jaro. */
__host__ __device__ static inline float likeness(const char *a, const char *b, int p, int q) {
  int used = 0, taken = 0, common = 0, moved = 0, reach = (p > q ? p : q) / 2 - 1;
  for (int i = 0; i < p; i++)
    for (int j = i > reach ? i - reach : 0; j < q && j <= i + reach; j++)
      if (!(used >> j & 1) && a[i] == b[j]) {
        used |= 1 << j, taken |= 1 << i, common++;
        break;
      }
  for (int i = 0, j = 0; i < p; i++)
    if (taken >> i & 1) {
      while (!(used >> j & 1))
        j++;
      moved += a[i] != b[j++];
    }
  float c = common;
  return common ? (c / p + c / q + (c - moved / 2) / c) / 3 : 0;
}
__global__ void jaro(const char *words, float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = likeness(words + i * 48, words + i * 48 + 24, 5 + i % 20, 5 + i * 7 % 19);
}
static void likeness_of_words(Run &run, int n) {
  Buffer<char> words(48 * n, [](int i) { return 'a' + bits(i) % 7; });
  auto want = [&](int i) {
    const char *at = words.host.data() + i * 48;
    return likeness(at, at + 24, 5 + i % 20, 5 + i * 7 % 19);
  };
  each<float>(run, n, 128, 1e-6, want, jaro, words.device);
}

/* Scores of proteins, from a constant table. Lanes read different addresses. */
static __constant__ signed char scores[24 * 24];
__host__ __device__ static inline int score(const signed char *table, const char *text, int i) {
  int best = 0, now = 0;
  for (int k = 0; k < 48; k++) {
    now += table[k * 7 % 24 * 24 + text[i + k]];
    now = now > 0 ? now : 0;
    best = best > now ? best : now;
  }
  return best;
}
__global__ void score_proteins(const char *text, int *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = score(scores, text, i);
}
static void proteins_scored(Run &run, int n) {
  Buffer<char> text(n + 48, [](int i) { return bits(i) % 24; });
  signed char table[24 * 24];
  for (int k = 0; k < 24 * 24; k++)
    table[k] = k % 25 ? bits(k) % 9 - 5 : 6;
  CHECK(cudaMemcpyToSymbol(scores, table, sizeof table));
  auto want = [&](int i) { return score(table, text.host.data(), i); };
  each<int>(run, n, 256, 0, want, score_proteins, text.device);
}

/* Pairs of bases that a strand can fold into, a block each. */
__global__ void fold_strands(const char *strands, int *out) {
  __shared__ unsigned char best[97][97];
  __shared__ char strand[96];
  int i = threadIdx.x;
  strand[i] = strands[blockIdx.x * 96 + i];
  for (int j = 0; j < 97; j++)
    best[i][j] = best[96][j] = 0;
  for (int wide = 4; wide < 96; wide++) {
    __syncthreads();
    if (i + wide < 96) {
      int end = i + wide, most = best[i + 1][end - 1] + (strand[i] + strand[end] == 3);
      for (int k = i; k < end; k++)
        most = max(most, best[i][k] + best[k + 1][end]);
      best[i][end] = most;
    }
  }
  if (i == 0)
    out[blockIdx.x] = best[0][95];
}
static void strands_folded(Run &run, int n) {
  Buffer<char> strands(96 * n, [](int i) { return bits(i) % 4; });
  Buffer<int> out(n);
  run.time([&] { fold_strands<<<n, 96>>>(strands, out); });
  run.expect_all(out, [&](int s) {
    int best[97][97] = {};
    for (int i = 95; i >= 0; i--)
      for (int j = i + 4; j < 96; j++) {
        best[i][j] =
            best[i + 1][j - 1] + (strands.host[s * 96 + i] + strands.host[s * 96 + j] == 3);
        for (int k = i; k < j; k++)
          best[i][j] = std::max(best[i][j], best[i][k] + best[k + 1][j]);
      }
    return best[0][95];
  });
}

/* ---- lanes that work together ---------------------------------------------------------------- */
/* Life on a torus of 32x32, a row of bits in each lane, until nothing changes. */
__host__ __device__ static inline uint32_t lives(uint32_t up, uint32_t row, uint32_t down) {
  uint32_t ones = 0, twos = 0, fours = 0;
  for (uint32_t cells : {up, down, up << 1 | up >> 31, up >> 1 | up << 31, row << 1 | row >> 31,
                         row >> 1 | row << 31, down << 1 | down >> 31, down >> 1 | down << 31}) {
    uint32_t carry = ones & cells;
    ones ^= cells, fours |= twos & carry, twos ^= carry;
  }
  return twos & ~fours & (ones | row);
}
__global__ void life_by_warps(const uint32_t *rows, int *ages) {
  int lane = threadIdx.x % 32, age = 0;
  uint32_t row = rows[thread()], before = 0;
  for (; age < 400; age++) {
    uint32_t up = __shfl_sync(~0u, row, (lane + 31) % 32);
    uint32_t next = lives(up, row, __shfl_sync(~0u, row, (lane + 1) % 32));
    if (__all_sync(~0u, next == before))
      break;
    before = row, row = next;
  }
  if (lane == 0)
    ages[thread() / 32] = age;
}
static void life_in_warps(Run &run, int n) {
  Buffer<uint32_t> rows(32 * n, [](int i) { return bits(i) & bits(i + 1 + i / 32 % 2); });
  Buffer<int> ages(n);
  run.time([&] { life_by_warps<<<n / 4, 128>>>(rows, ages); });
  run.expect_all(ages, [&](int board) {
    std::vector<uint32_t> row(&rows.host[board * 32], &rows.host[board * 32] + 32), before(32),
        next;
    for (int age = 0;; age++, before = row, row = next) {
      next = row;
      for (int y = 0; y < 32; y++)
        next[y] = lives(row[(y + 31) % 32], row[y], row[(y + 1) % 32]);
      if (age == 400 || next == before)
        return age;
    }
  });
}

/* The largest eigenvalue of matrices of 16x16, a row in each thread of a group. */
__global__ void dominant_by_groups(const float *matrices, float *out, int) {
  auto group = cg::tiled_partition<16>(cg::this_thread_block());
  int lane = group.thread_rank(), which = thread() / 16;
  float row[16], x = 1, largest = 1;
  for (int k = 0; k < 16; k++)
    row[k] = matrices[(which * 16 + k) * 16 + lane];
  for (int step = 0; step < 40; step++) {
    float y = 0;
    for (int k = 0; k < 16; k++)
      y += row[k] * group.shfl(x, k);
    largest = cg::reduce(group, y, cg::greater<float>());
    x = y / largest;
  }
  out[thread()] = largest * x;
}
static void eigenvalues_by_groups(Run &run, int n) {
  Buffer<float> matrices(16 * n, unit);
  auto want = [&](int i) {
    double x[16], y[16], largest = 1;
    std::fill(x, x + 16, 1);
    for (int step = 0; step < 40; step++, largest = *std::max_element(y, y + 16))
      for (int r = 0; r < 16; r++) {
        y[r] = 0;
        for (int k = 0; k < 16; k++)
          y[r] += matrices.host[(i / 16 * 16 + k) * 16 + r] * x[k] / largest;
        if (r == 15)
          std::copy(y, y + 16, x);
      }
    return x[i % 16];
  };
  each<float>(run, n, 64, 1e-3, want, dominant_by_groups, matrices.device);
}

/* Integrals at the points of a sequence of Sobol, of four dimensions. */
static __constant__ uint32_t directions[4 * 32];
__host__ __device__ static inline float sobol_sum(const uint32_t *table, uint32_t i) {
  float sum = 0;
  for (uint32_t at = 6 * i; at < 6 * i + 6; at++) {
    float product = 1;
    for (int d = 0; d < 4; d++) {
      uint32_t x = 0;
      for (uint32_t gray = at ^ at >> 1, b = 0; gray >> b; b++)
        x ^= gray >> b & 1 ? table[d * 32 + b] : 0;
      product *= fabsf(4 * (x >> 8) / 16777216.0f - 2);
    }
    sum += product;
  }
  return sum;
}
__global__ void sobol(float *out, int n) {
  int i = thread();
  if (i < n)
    out[i] = sobol_sum(directions, i);
}
static void integrals_by_sobol(Run &run, int n) {
  uint32_t table[4 * 32];
  for (int k = 0; k < 4 * 32; k++)
    table[k] = 1u << (31 - k % 32) | (uint32_t)((uint64_t)bits(k) >> (1 + k % 32));
  CHECK(cudaMemcpyToSymbol(directions, table, sizeof table));
  each<float>(
      run, n, 256, 1e-3, [&](int i) { return sobol_sum(table, i); }, sobol);
}

/* The power of 32 frequencies, by butterflies between lanes. */
__global__ void fourier_of_warps(const float *in, float *out, int) {
  int lane = threadIdx.x % 32;
  float real = in[thread()], imaginary = 0;
  for (int half = 16; half; half /= 2) {
    float a = __shfl_xor_sync(~0u, real, half), b = __shfl_xor_sync(~0u, imaginary, half), s, c;
    sincospif(lane % half / (float)half, &s, &c);
    bool upper = lane & half;
    float x = upper ? a - real : a + real, y = upper ? b - imaginary : b + imaginary;
    real = upper ? x * c + y * s : x;
    imaginary = upper ? y * c - x * s : y;
  }
  out[thread() - lane + (__brev(lane) >> 27)] = real * real + imaginary * imaginary;
}
static void frequencies_by_warps(Run &run, int n) {
  Buffer<float> in(n, unit);
  auto want = [&](int i) {
    double real = 0, imaginary = 0;
    for (int k = 0; k < 32; k++) {
      double angle = 3.14159265358979 / 16 * (k * (i % 32) % 32), value = in.host[i / 32 * 32 + k];
      real += value * cos(angle), imaginary -= value * sin(angle);
    }
    return real * real + imaginary * imaginary;
  };
  each<float>(run, n, 128, 2e-3, want, fourier_of_warps, in.device);
}

static const Rows rows("visitors",
                       {{"photons in a slab", photons_in_a_slab, 300000, 20000},
                        {"energies by a list", energies_by_list, 60000, 1500},
                        {"rays in a crystal", rays_in_a_crystal, 40000, 100},
                        {"exponents of Lyapunov", exponents_of_lyapunov, 250000, 900},
                        {"totients of Euler", totients_of_euler, 100000, 300},
                        {"subsets by Gosper", subsets_by_gosper, 1500, 20},
                        {"hashes of records", hashes_of_records, 400000, 100},
                        {"divisors by rho", divisors_by_rho, 20000, 50},
                        {"nearest of the solids", solids_near, 300000, 300},
                        {"weights of Gauss, double", weights_of_gauss, 1200, 40},
                        {"American options on trees", american_options, 700, 2},
                        {"network of halves", network_of_halves, 128 * 3000, 256},
                        {"light on panels", light_on_panels, 200000, 300},
                        {"cubics between knots", spline_evaluated, 3000000, 2000},
                        {"fits by Householder", fits_by_householder, 200000, 200},
                        {"products of polynomials", products_of_polynomials, 200000, 160},
                        {"product, tiles of 28x12", tiles_of_28_by_12, 600, 40},
                        {"products of bytes", bytes_multiplied, 1024, 64},
                        {"16th largest by a heap", topmost_kept, 30000, 128},
                        {"likeness of words", likeness_of_words, 100000, 128},
                        {"scores of proteins", proteins_scored, 300000, 256},
                        {"strands folded", strands_folded, 300, 2},
                        {"life in warps", life_in_warps, 4000, 8},
                        {"eigenvalues by groups of 16", eigenvalues_by_groups, 160000, 64},
                        {"integrals by Sobol", integrals_by_sobol, 200000, 256},
                        {"frequencies by warps", frequencies_by_warps, 128 * 3000, 128}});
