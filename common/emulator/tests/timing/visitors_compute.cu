/* Kernels limited by arithmetic, branches and latencies, as courses, libraries and applications
 * have them. They were written without knowledge of the model of time, and the model is not fitted
 * to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;
/* Runs a kernel with a thread for each of its n results. The host computes them with `want`. */
template <class T, class Want, class Kernel, class... In>
static void each(Run &run, int n, int threads, double tolerance, Want want, Kernel kernel,
                 const Buffer<In> &...in) {
  Buffer<T> out(n);
  run.time([&] { kernel<<<n / threads, threads>>>(in.device..., out.device); });
  run.expect_all(
      out, [&](int i) { return want(in.host.data()..., i); }, tolerance);
}
__device__ static inline int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

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
__global__ void photons(float *out) { out[thread()] = photon(mix(thread() + 1)); }
static void photons_in_a_slab(Run &run, int n) {
  Buffer<float> out(n);
  run.time([&] { photons<<<n / 192, 192>>>(out); });
  out.down();
  double excess = 0;
  for (int i = 0; i < n; i++)
    excess += out.host[i] - photon(mix(i + 1));
  run.expect(0, excess / n, 0, 2e-3);
}

__host__ __device__ static inline float bond(const float4 *at, const int *list, int i) {
  float4 me = at[i];
  float energy = 0;
  for (int k = 0; k < 80; k++) {
    float4 other = at[list[i / 32 * 2560 + k * 32 + i % 32]];
    float x = me.x - other.x, y = me.y - other.y, z = me.z - other.z;
    float square = x * x + y * y + z * z;
    if (square > 0.1f && square < 9) {
      float inverse = 1 / square, sixth = inverse * inverse * inverse;
      energy += 4 * (sixth - 1) * sixth * other.w;
    }
  }
  return energy;
}
__global__ void lennard_jones(const float4 *at, const int *list, float *out) {
  out[thread()] = bond(at, list, thread());
}
static void energies_by_list(Run &run, int n) {
  Buffer<float4> at(n, [](int i) {
    return make_float4(i % 16 + 0.2f * unit(3 * i), i / 16 % 16 + 0.2f * unit(3 * i + 1),
                       i / 256 + 0.2f * unit(3 * i + 2), 1 + 0.1f * unit(i));
  });
  Buffer<int> list(80 * n,
                   [&](int k) { return (k / 2560 * 32 + k % 32 + n + bits(k) % 1201 - 600) % n; });
  each<float>(run, n, 128, 0.01, bond, lennard_jones, at, list);
}

__host__ __device__ static inline float strength_of(const float4 *atoms, int i) {
  float real = 0, imaginary = 0, h = i % 200, k = i / 200;
  for (int a = 0; a < 200; a++) {
    float angle = 6.2831853f * (h * atoms[a].x + k * atoms[a].y + i % 7 * atoms[a].z);
    real += atoms[a].w * cosf(angle);
    imaginary += atoms[a].w * sinf(angle);
  }
  return real * real + imaginary * imaginary;
}
__global__ void scatter_rays(const float4 *atoms, float *out) {
  out[thread()] = strength_of(atoms, thread());
}
static void rays_in_a_crystal(Run &run, int n) {
  Buffer<float4> atoms(200, [](int i) {
    return make_float4(unit(i), unit(i + 1000), unit(i + 2000), 0.1f + 0.2f * unit(i + 3000));
  });
  each<float>(run, n, 64, 0.05, strength_of, scatter_rays, atoms);
}

/* Markus's picture of the exponents of Lyapunov, for the sequence AABAB. */
__host__ __device__ static inline float exponent_at(int i) {
  float a = fmaf(i % 500, 0.0036f, 2.2f), b = fmaf(i / 500, 0.0036f, 2.2f), x = 0.5f, sum = 0;
  for (int k = 0; k < 240; k++) {
    float rate = (0b10100 >> k % 5 & 1) ? b : a;
    x = rate * fmaf(-x, x, x);
    if (k >= 80)
      sum += logf(fabsf(rate * fmaf(-2, x, 1)) + 1e-6f);
  }
  return sum / 160;
}
__global__ void lyapunov(float *out) { out[thread()] = exponent_at(thread()); }
static void exponents_of_lyapunov(Run &run, int n) {
  each<float>(run, n, 192, 1e-3, exponent_at, lyapunov);
}

__host__ __device__ static inline uint32_t totient_of(int i) {
  uint32_t number = 700000 + i, result = number;
  for (uint32_t d = 2; d * d <= number; d += 1 + (d & 1))
    if (number % d == 0) {
      while (number % d == 0)
        number /= d;
      result -= result / d;
    }
  return number > 1 ? result - result / number : result;
}
__global__ void totients(uint32_t *out) { out[thread()] = totient_of(thread()); }
static void totients_of_euler(Run &run, int n) {
  each<uint32_t>(run, n, 256, 0, totient_of, totients);
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
__global__ void gosper_subsets(int *out) { out[thread()] = subsets_of(thread()); }
static void subsets_by_gosper(Run &run, int n) {
  each<int>(run, n, 32, 0, subsets_of, gosper_subsets);
}

__host__ __device__ static inline void sip_round(uint64_t *v) {
  auto turned = [](uint64_t x, int by) { return x << by | x >> (64 - by); };
  v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
  v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
}
__host__ __device__ static inline uint64_t sip_of(const uint64_t *words, int i) {
  uint64_t v[4] = {0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573};
  for (int k = 0; k < 8; k++) {
    v[3] ^= words[i * 8 + k];
    sip_round(v), sip_round(v);
    v[0] ^= words[i * 8 + k];
  }
  v[2] ^= 0xff;
  for (int k = 0; k < 4; k++)
    sip_round(v);
  return (v[0] ^ v[1] ^ v[2] ^ v[3]) >> 12;
}
__global__ void sip_hashes(const uint64_t *words, uint64_t *out) {
  out[thread()] = sip_of(words, thread());
}
static void hashes_of_records(Run &run, int n) {
  Buffer<uint64_t> words(8 * n, [](int i) { return (uint64_t)bits(i) << 32 | mix(i); });
  each<uint64_t>(run, n, 128, 0, sip_of, sip_hashes, words);
}

__host__ __device__ static inline uint32_t divisor_of(const uint32_t *numbers, int i) {
  uint32_t number = numbers[i], slow = 2, fast = 2, divisor = 1;
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
__global__ void pollard_rho(const uint32_t *numbers, uint32_t *out) {
  out[thread()] = divisor_of(numbers, thread());
}
static void divisors_by_rho(Run &run, int n) {
  Buffer<uint32_t> numbers(n, [](int i) { return (bits(i) >> 16 | 1) * (bits(i) % 65536 | 1); });
  each<uint32_t>(run, n, 64, 0, divisor_of, pollard_rho, numbers);
}

__host__ __device__ static inline float nearest_solid(const float4 *solids, int i) {
  float best = 1e9f, low = mix(i) % 16, far = mix(i + 1) % 1000 / 60.0f;
  for (int k = mix(i) % 301, left = 8 + mix(i + 9) % 40; left; left--, k = (k + 1) % 301) {
    float4 s = solids[k];
    float x = i % 1024 / 60.0f - s.x, y = low - s.y, z = far - s.z, flat = sqrtf(x * x + z * z);
    if (k % 4 == 0)
      best = fminf(best, sqrtf(flat * flat + y * y) - s.w);
    else if (k % 4 == 1)
      best = fminf(best, sqrtf((flat - s.w) * (flat - s.w) + y * y) - 0.3f);
    else if (k % 4 == 2)
      best = fminf(best, flat * cosf(s.w) + y * sinf(s.w));
    else
      best = fminf(best, fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z)) - s.w);
  }
  return best;
}
__global__ void approach_solids(const float4 *solids, float *out) {
  out[thread()] = nearest_solid(solids, thread());
}
static void solids_near(Run &run, int n) {
  Buffer<float4> solids(301, [](int i) {
    return make_float4(16 * unit(i), 16 * unit(i + 800), 16 * unit(i + 1200),
                       unit(i + 1600) + 0.5f);
  });
  each<float>(run, n, 256, 1e-4, nearest_solid, approach_solids, solids);
}

/* The weights of Gauss for integrals, by Newton's method. */
__host__ __device__ static inline double gauss_weight(int i) {
  const int order = 3840;
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
__global__ void gauss_weights(double *out) { out[thread()] = gauss_weight(thread()); }
static void weights_of_gauss(Run &run, int n) {
  each<double>(run, n, 64, 1e-10, gauss_weight, gauss_weights);
}

/* American puts on trees of two branches, a tree in each thread. */
__host__ __device__ static inline double american_put(const double *strikes, int i) {
  double values[98] = {}, up = exp(0.03), grown = exp(0.0005);
  double p = (grown - 1 / up) / (up - 1 / up), strike = strikes[i];
  for (int level = 96; level >= 0; level--) {
    double stock = 100 * pow(up, -level);
    for (int k = 0; k <= level; k++, stock *= up * up)
      values[k] = fmax(((1 - p) * values[k] + p * values[k + 1]) / grown, strike - stock);
  }
  return values[0];
}
__global__ void american_puts(const double *strikes, double *out) {
  out[thread()] = american_put(strikes, thread());
}
static void american_options(Run &run, int n) {
  Buffer<double> strikes(n, [](int i) { return 80 + 40 * unit(i); });
  each<double>(run, n, 64, 1e-8, american_put, american_puts, strikes);
}

/* Sums of Chebyshev's polynomials at two places in a thread, by Clenshaw. */
__global__ void clenshaw(const float *xs, float *out) {
  __half2 twice = __floats2half2_rn(2 * xs[2 * thread()], 2 * xs[2 * thread() + 1]);
  __half2 now = __float2half2_rn(0), before = now;
  for (int k = 60; k; k--) {
    __half2 next = __hfma2(twice, now, __hsub2(__float2half2_rn(1.0f / k), before));
    before = now, now = next;
  }
  out[2 * thread()] = __low2float(now), out[2 * thread() + 1] = __high2float(now);
}
static void sums_by_clenshaw(Run &run, int n) {
  Buffer<float> xs(n, [](int i) { return 1.6f * unit(i) - 0.8f; }), out(n);
  run.time([&] { clenshaw<<<n / 512, 256>>>(xs, out); });
  auto want = [&](int i) {
    double now = 0, before = 0;
    for (int k = 60; k; k--, std::swap(now, before))
      before = 2 * xs.host[i] * now + 1.0 / k - before;
    return now;
  };
  run.expect_all(out, want, 0.2);
}

__host__ __device__ static inline float light_of(const float *latitudes, int i) {
  float latitude = latitudes[i], day = i % 365;
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
__global__ void light_of_days(const float *latitudes, float *out) {
  out[thread()] = light_of(latitudes, thread());
}
static void light_on_panels(Run &run, int n) {
  Buffer<float> latitudes(n, [](int i) { return 0.2f + 0.9f * unit(i); });
  each<float>(run, n, 256, 0.03, light_of, light_of_days, latitudes);
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

/* The parabola that fits 24 points best, by the rule of Cramer. */
template <class T> __host__ __device__ static inline T curvature_of(const float *ys, int i) {
  T s[5] = {}, t[3] = {};
  for (int r = 0; r < 24; r++) {
    T power = 1, x = r / (T)8 - 1, y = ys[i * 24 + r];
    for (int k = 0; k < 5; k++, power *= x)
      s[k] += power, t[k % 3] += k < 3 ? power * y : 0;
  }
  T a = s[1] * s[3] - s[2] * s[2], b = s[1] * s[2] - s[0] * s[3], c = s[0] * s[2] - s[1] * s[1];
  return (a * t[0] + b * t[1] + c * t[2]) / (a * s[2] + b * s[3] + c * s[4]);
}
__global__ void cramer_fits(const float *ys, float *out) {
  out[thread()] = curvature_of<float>(ys, thread());
}
static void fits_by_cramer(Run &run, int n) {
  Buffer<float> ys(24 * n, unit);
  each<float>(run, n, 96, 1e-3, curvature_of<double>, cramer_fits, ys);
}

/* Products of polynomials modulo x^16 + 1, in registers, as lattice cryptography has them. */
__host__ __device__ static inline uint32_t lattice_product(const uint32_t *in, int i) {
  uint32_t a[16], b[16], sums[16] = {}, digest = 0;
  for (int k = 0; k < 16; k++)
    a[k] = in[i * 16 + k] % 3329, b[k] = in[i * 16 + k] / 3329 % 3329;
#pragma unroll
  for (int k = 0; k < 16; k++)
#pragma unroll
    for (int j = 0; j < 16; j++)
      sums[(k + j) % 16] += a[k] * (k + j < 16 ? b[j] : 3329 - b[j]);
  for (int k = 0; k < 16; k++)
    digest = digest * 5 + sums[k] % 3329;
  return digest;
}
__global__ void lattice_products(const uint32_t *in, uint32_t *out) {
  out[thread()] = lattice_product(in, thread());
}
static void products_of_polynomials(Run &run, int n) {
  Buffer<uint32_t> in(16 * n, bits);
  each<uint32_t>(run, n, 160, 0, lattice_product, lattice_products, in);
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
  dim3 grid((n + 27) / 28, (n + 11) / 12);
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
__global__ void product_of_bytes(const int *a, const int *b, int *c, int n) {
  __shared__ int part[4][33];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 4 + y, column = blockIdx.x * 32 + x;
  int sum = 0;
  for (int k = 0; k < 64; k += 32) {
    part[y][x] = a[row * 64 + k + x];
    __syncthreads();
    for (int j = 0; j < 32; j++)
      sum = __dp4a(part[y][j], b[(k + j) * n + column], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
static void bytes_multiplied(Run &run, int n) {
  Buffer<int> a(n * 64, bits), b(n * 64, [](int i) { return bits(i + 5); }), c(n * n);
  run.time([&] { product_of_bytes<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(a, b, c, n); });
  run.expect_all(c, [&](int i) {
    int sum = 0;
    for (int k = 0; k < 256; k++)
      sum += (int8_t)(a.host[i / n * 64 + k / 4] >> k % 4 * 8) *
             (int8_t)(b.host[k / 4 * n + i % n] >> k % 4 * 8);
    return sum;
  });
}

__global__ void keep_topmost(const float *in, float *out) {
  int i = thread(), n = gridDim.x * blockDim.x;
  float heap[16];
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
  auto want = [=](const float *in, int i) {
    float values[300];
    for (int k = 0; k < 300; k++)
      values[k] = in[k * n + i];
    std::nth_element(values, values + 284, values + 300);
    return values[284];
  };
  each<float>(run, n, 128, 0, want, keep_topmost, in);
}

__host__ __device__ static inline float likeness(const char *words, int at) {
  const char *a = words + at * 48, *b = a + 24;
  int p = 5 + at % 20, q = 5 + at * 7 % 19;
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
__global__ void jaro(const char *words, float *out) { out[thread()] = likeness(words, thread()); }
static void likeness_of_words(Run &run, int n) {
  Buffer<char> words(48 * n, [](int i) { return 'a' + bits(i) % 7; });
  each<float>(run, n, 128, 1e-6, likeness, jaro, words);
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
__global__ void score_proteins(const char *text, int *out) {
  out[thread()] = score(scores, text, thread());
}
static void proteins_scored(Run &run, int n) {
  Buffer<char> text(n + 48, [](int i) { return bits(i) % 24; });
  signed char table[24 * 24];
  for (int k = 0; k < 24 * 24; k++)
    table[k] = k % 25 ? bits(k) % 9 - 5 : 6;
  CHECK(cudaMemcpyToSymbol(scores, table, sizeof table));
  auto want = [&](const char *text, int i) { return score(table, text, i); };
  each<int>(run, n, 256, 0, want, score_proteins, text);
}

/* Pairs of bases that a strand can fold into, a block each. */
__global__ void fold_strands(const char *strands, int *out) {
  __shared__ unsigned char best[97][97];
  __shared__ char strand[96];
  int i = threadIdx.x;
  strand[i] = strands[blockIdx.x * 96 + i];
  for (int j = 0; j < 97; j++)
    best[j][i] = 0;
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
    const char *strand = strands.host.data() + s * 96;
    int best[97][97] = {};
    for (int i = 95; i >= 0; i--)
      for (int j = i + 4; j < 96; j++) {
        best[i][j] = best[i + 1][j - 1] + (strand[i] + strand[j] == 3);
        for (int k = i; k < j; k++)
          best[i][j] = std::max(best[i][j], best[i][k] + best[k + 1][j]);
      }
    return best[0][95];
  });
}

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
    auto first = rows.host.begin() + board * 32;
    std::vector<uint32_t> row(first, first + 32), before(32), next;
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
__global__ void dominant_by_groups(const float *matrices, float *out) {
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
  auto want = [](const float *matrices, int i) {
    std::vector<double> x(16, 1), y;
    for (int step = 0; step < 40; step++, x = y) {
      double largest = *std::max_element(x.begin(), x.end());
      y.assign(16, 0);
      for (int k = 0; k < 256; k++)
        y[k % 16] += matrices[i / 16 * 256 + k] * x[k / 16] / largest;
    }
    return x[i % 16];
  };
  each<float>(run, n, 64, 1e-3, want, dominant_by_groups, matrices);
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
__global__ void sobol(float *out) { out[thread()] = sobol_sum(directions, thread()); }
static void integrals_by_sobol(Run &run, int n) {
  uint32_t table[4 * 32];
  for (int k = 0; k < 4 * 32; k++)
    table[k] = 1u << (31 - k % 32) | (uint32_t)((uint64_t)bits(k) >> (1 + k % 32));
  CHECK(cudaMemcpyToSymbol(directions, table, sizeof table));
  auto want = [&](int i) { return sobol_sum(table, i); };
  each<float>(run, n, 256, 1e-3, want, sobol);
}

__global__ void fourier_of_warps(const float *in, float *out) {
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
  auto want = [](const float *in, int i) {
    double real = 0, imaginary = 0, turn = 3.14159265358979 / 16 * (i % 32);
    for (int k = 0; k < 32; k++) {
      real += in[i / 32 * 32 + k] * cos(turn * k);
      imaginary -= in[i / 32 * 32 + k] * sin(turn * k);
    }
    return real * real + imaginary * imaginary;
  };
  each<float>(run, n, 128, 2e-3, want, fourier_of_warps, in);
}

static const Rows rows("visitors",
                       {{"photons in a slab", photons_in_a_slab, 192 * 15000, 192 * 100},
                        {"energies by a list", energies_by_list, 128 * 500, 1536},
                        {"rays in a crystal", rays_in_a_crystal, 64 * 625, 128},
                        {"exponents of Lyapunov", exponents_of_lyapunov, 192 * 1300, 192},
                        {"totients of Euler", totients_of_euler, 256 * 400, 256},
                        {"subsets by Gosper", subsets_by_gosper, 32 * 45, 32},
                        {"hashes of records", hashes_of_records, 128 * 4000, 128},
                        {"divisors by rho", divisors_by_rho, 64 * 300, 64},
                        {"nearest of the solids", solids_near, 256 * 1200, 256},
                        {"weights of Gauss, double", weights_of_gauss, 64 * 30, 64},
                        {"American options on trees", american_options, 64 * 400, 64},
                        {"sums by Clenshaw, halves", sums_by_clenshaw, 512 * 3000, 512},
                        {"light on panels", light_on_panels, 256 * 4000, 256},
                        {"cubics between knots", spline_evaluated, 3000000, 2000},
                        {"fits by Cramer", fits_by_cramer, 96 * 4000, 192},
                        {"products of polynomials", products_of_polynomials, 160 * 1200, 160},
                        {"product, tiles of 28x12", tiles_of_28_by_12, 1000, 40},
                        {"products of bytes", bytes_multiplied, 1024, 64},
                        {"16th largest by a heap", topmost_kept, 128 * 250, 128},
                        {"likeness of words", likeness_of_words, 128 * 800, 128},
                        {"scores of proteins", proteins_scored, 256 * 1200, 256},
                        {"strands folded", strands_folded, 300, 2},
                        {"life in warps", life_in_warps, 4000, 8},
                        {"eigenvalues by groups of 16", eigenvalues_by_groups, 160000, 64},
                        {"integrals by Sobol", integrals_by_sobol, 256 * 900, 256},
                        {"frequencies by warps", frequencies_by_warps, 128 * 8000, 128}});
