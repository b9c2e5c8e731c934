/* Benchmark kernels that mostly compute: N bodies, random numbers, hashes, division, functions, and
 * local arrays. */
#include "bench.h"

enum { THREADS = 256 };

/* ---- bodies ---------------------------------------------------------------------------------- */
__global__ void forces(const float4 *bodies, float3 *out, int n) {
  __shared__ float4 tile[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += THREADS) {
    tile[threadIdx.x] = bodies[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < THREADS; k++) {
      float x = tile[k].x - me.x, y = tile[k].y - me.y, z = tile[k].z - me.z;
      float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
      float pull = tile[k].w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }
  out[i] = sum;
}

static void bodies(Run &run, int n) {
  Buffer<float4> in(n, [](int i) {
    return make_float4(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), unit(4 * i + 3));
  });
  Buffer<float3> out(n);
  run.time([&] { forces<<<n / THREADS, THREADS>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i += 41) {
    double sum[3] = {};
    for (const float4 &other : in.host) {
      double x = other.x - in.host[i].x, y = other.y - in.host[i].y, z = other.z - in.host[i].z;
      double pull = other.w * pow(x * x + y * y + z * z + 0.01, -1.5);
      sum[0] += pull * x, sum[1] += pull * y, sum[2] += pull * z;
    }
    run.expect(i, out.host[i].x, sum[0], 2e-5 * n);
    run.expect(i, out.host[i].y, sum[1], 2e-5 * n);
    run.expect(i, out.host[i].z, sum[2], 2e-5 * n);
  }
}

/* ---- one number in, one out; the host runs the same functions -------------------------------- */
__host__ __device__ static inline unsigned darts(unsigned i) { // a linear congruential generator
  unsigned state = mix(i), inside = 0;
  for (int dart = 0; dart < 64; dart++) {
    state = state * 1664525u + 1013904223u;
    int x = (int)(state >> 17);
    state = state * 1664525u + 1013904223u;
    int y = (int)(state >> 17);
    inside += x * x + y * y < 1 << 30;
  }
  return inside;
}

__host__ __device__ static inline unsigned xorwow(unsigned i) {
  unsigned x = mix(i), y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
  unsigned sum = 0;
  for (int round = 0; round < 48; round++) {
    unsigned t = x ^ x >> 2;
    x = y, y = z, z = w, w = v;
    v = (v ^ v << 4) ^ (t ^ t << 1);
    d += 362437;
    sum += (d + v) >> 8;
  }
  return sum;
}

__host__ __device__ static inline unsigned hash(unsigned i) {
  unsigned h = i;
  for (unsigned round = 0; round < 32; round++)
    h = mix(h + round);
  return h;
}

__host__ __device__ static inline unsigned divisions(unsigned i) {
  unsigned sum = 0;
  for (unsigned d = 3; d < 35; d++)
    sum += i / d * 7 + i % (d + 1) + (unsigned)((int)(i - 5000) / (int)d);
  return sum;
}

__host__ __device__ static inline unsigned wide(unsigned i) {
  unsigned long long state = i + 0x9e3779b97f4a7c15ull, sum = 0;
  for (int round = 0; round < 32; round++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (state >> 33) ^ (state << (round & 15));
    sum = sum > 1ull << 62 ? sum - (1ull << 61) : sum;
  }
  return (unsigned)(sum ^ sum >> 32);
}

/* Computes the greatest common divisor, by a modulo in a loop in which lanes diverge. */
__host__ __device__ static inline unsigned divisor(unsigned i) {
  unsigned a = i + 1, b = mix(i) & 0xfffff;
  while (b) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Finds the four largest of 32 numbers. The array is in local memory, because its index is computed
 * at run time. */
__host__ __device__ static inline unsigned top_four(unsigned i) {
  unsigned top[4] = {};
  for (unsigned k = 0; k < 32; k++) {
    unsigned value = mix(i * 32 + k) >> 8;
    int at = 3;
    if (value <= top[at])
      continue;
    for (; at > 0 && top[at - 1] < value; at--)
      top[at] = top[at - 1];
    top[at] = value;
  }
  return top[0] ^ top[1] << 1 ^ top[2] << 2 ^ top[3] << 3;
}

__host__ __device__ static inline unsigned counted(unsigned i) { // a histogram in local memory
  unsigned bins[16], sum = 0;
  for (int k = 0; k < 16; k++)
    bins[k] = k;
  for (unsigned k = 0; k < 32; k++)
    bins[(i >> (k & 7) ^ k * 5) & 15] += k;
  for (unsigned k = 0; k < 16; k++)
    sum += bins[k] * k;
  return sum;
}

__host__ __device__ __noinline__ unsigned step(unsigned value, unsigned round) {
  return value % 2 ? value * 3 + round : value / 2 + round;
}

__host__ __device__ static inline unsigned calls(unsigned i) {
  unsigned value = i;
  for (unsigned round = 0; round < 32; round++)
    value = step(value, round);
  return value;
}

struct Triangle {
  unsigned corners[3], weight;
};

__host__ __device__ __noinline__ Triangle turn(Triangle from, unsigned by) {
  Triangle to = {{from.corners[1] + by, from.corners[2], from.corners[0] ^ by}, from.weight + by};
  return to;
}

__host__ __device__ static inline unsigned structs(unsigned i) {
  Triangle t = {{i, i + 1, i * 3}, 1};
  for (unsigned round = 0; round < 16; round++)
    t = turn(t, round + i);
  return t.corners[0] + t.corners[1] * 3 + t.corners[2] * 5 + t.weight;
}

typedef unsigned Number(unsigned);
template <Number *NUMBER> __global__ void numbers(unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = NUMBER(i);
}

template <Number *NUMBER> static void computed(Run &run, int n) {
  Buffer<unsigned> out(n);
  run.time([&] { numbers<NUMBER><<<n / THREADS, THREADS>>>(out); });
  run.expect_all(out, [](int i) { return NUMBER((unsigned)i); });
}

/* ---- functions ------------------------------------------------------------------------------- */
template <class T> __global__ void functions(const T *in, T *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[i], sum = 0;
  for (int round = 0; round < rounds; round++) {
    sum += sin(x) * exp(-x) + rsqrt(x + 1) + cos(x) * log(x + 1);
    x += (T)0.25;
  }
  out[i] = sum;
}

template <class T> static void transcendental(Run &run, int n) {
  const int rounds = 8;
  Buffer<T> in(n, unit), out(n);
  run.time([&] { functions<T><<<n / THREADS, THREADS>>>(in, out, rounds); });
  out.down();
  for (int i = 0; i < n; i += 13) {
    double x = in.host[i], sum = 0;
    for (int round = 0; round < rounds; round++, x += 0.25)
      sum += sin(x) * exp(-x) + 1 / sqrt(x + 1) + cos(x) * log(x + 1);
    run.expect(i, out.host[i], sum, sizeof(T) == 8 ? 1e-12 : 1e-4);
  }
}

/* Computes the Black-Scholes price of an option with fast mathematical functions. */
__global__ void options(const float *price, const float *strike, float *call, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float rate = 0.02f, volatility = 0.3f, years = 2;
  float root = sqrtf(years), s = price[i] + 0.5f, k = strike[i] + 0.5f;
  float d1 =
      (__logf(s / k) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f);
  call[i] = s * n1 - k * __expf(-rate * years) * n2;
}

static void black_scholes(Run &run, int n) {
  Buffer<float> price(n, unit), strike(n, [](int i) { return unit(i + 7); }), call(n);
  run.time_several(4, [&] { options<<<n / THREADS, THREADS>>>(price, strike, call, n); });
  call.down();
  for (int i = 0; i < n; i += 13) {
    double s = price.host[i] + 0.5, k = strike.host[i] + 0.5, spread = 0.3 * sqrt(2.0);
    double d1 = (log(s / k) + (0.02 + 0.045) * 2) / spread, d2 = d1 - spread;
    run.expect(i, call.host[i],
               0.5 * (s * erfc(-d1 * sqrt(0.5)) - k * exp(-0.04) * erfc(-d2 * sqrt(0.5))), 1e-4);
  }
}

static const Rows rows("arithmetic",
                       {{"N-body", bodies, 2048, 256},
                        {"Monte Carlo, LCG", computed<darts>, 1 << 17, 512},
                        {"Monte Carlo, XORWOW", computed<xorwow>, 1 << 17, 512},
                        {"integer hash", computed<hash>, 1 << 18, 512},
                        {"division and modulo", computed<divisions>, 1 << 17, 512},
                        {"64-bit integers", computed<wide>, 1 << 18, 512},
                        {"greatest common divisor", computed<divisor>, 1 << 19, 512},
                        {"local array, the four largest", computed<top_four>, 1 << 16, 512},
                        {"local array, own histogram", computed<counted>, 1 << 17, 512},
                        {"calls of a function", computed<calls>, 1 << 17, 512},
                        {"structs as arguments", computed<structs>, 1 << 16, 512},
                        {"sin, exp, rsqrt", transcendental<float>, 1 << 18, 512},
                        {"sin, exp, rsqrt, double", transcendental<double>, 1 << 17, 512},
                        {"Black-Scholes", black_scholes, 1 << 18, 512}});
