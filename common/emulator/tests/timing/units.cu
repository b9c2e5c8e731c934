/* Kernels limited by one unit of the multiprocessor: a pipe, latency, bank conflicts, barriers,
 * divergence, small grids, few resident blocks. */
#include "../bench/bench.h"

/* ---- pipes and chains: CHAINS independent recurrences a thread -------------------------------- */
template <class T, int CHAINS> __global__ void recurrence(T *out, T a, T b, int steps) {
  T x[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    x[c] = (T)(threadIdx.x % 7 + c);
  for (int k = 0; k < steps; k++)
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
      x[c] = x[c] * a + b;
  T sum = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    sum += x[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <class T, int CHAINS, int BLOCKS, int THREADS> static void chains(Run &run, int steps) {
  Buffer<T> out(BLOCKS * THREADS);
  const T a = (T)0.75, b = (T)1;
  run.time([&] { recurrence<T, CHAINS><<<BLOCKS, THREADS>>>(out, a, b, steps); });
  run.expect_all(
      out,
      [&](int i) {
        double sum = 0;
        for (int c = 0; c < CHAINS; c++) {
          double x = i % THREADS % 7 + c;
          for (int k = 0; k < steps && k < 400; k++)
            x = x * 0.75 + 1;
          sum += x;
        }
        return sum;
      },
      1e-3);
}

/* ---- one number in, one out ------------------------------------------------------------------- */
__host__ __device__ static inline unsigned hashes(unsigned i) {
  for (int k = 0; k < 32; k++)
    i = mix(i) + k;
  return i;
}
__host__ __device__ static inline unsigned wide(unsigned i) {
  uint64_t x = i + 1;
  for (int k = 0; k < 32; k++)
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull + k;
  return (unsigned)(x >> 32);
}
__host__ __device__ static inline unsigned divisions(unsigned i) {
  unsigned sum = 0;
  for (unsigned k = 1; k < 17; k++)
    sum += (i * 77777u) / (k + (i & 3)) + (i * 99u) % (k * 3 + (i & 1));
  return sum;
}
__host__ __device__ static inline unsigned bit_tricks(unsigned i) {
  unsigned sum = 0;
  for (int k = 0; k < 32; k++) {
    i = i << 7 | i >> 25;
    sum += (i ^ sum) & (i >> 3);
  }
  return sum;
}
__host__ __device__ static inline unsigned polynomial(unsigned i) { /* exact in double */
  double x = (i & 1023) + 1, y = 0;
  for (int k = 0; k < 64; k++)
    y = y * 0.5 + x;
  return (unsigned)(y * 1024);
}
__host__ __device__ static inline unsigned branchy(unsigned i) {
  unsigned x = i;
  for (int k = 0; k < 32; k++) {
    if (mix(i + k) & 1)
      x = x * 3 + 1;
    else
      x = (x >> 1) ^ k;
  }
  return x;
}
__host__ __device__ static inline unsigned lengths(unsigned i) {
  unsigned x = i, steps = mix(i) & 127;
  for (unsigned k = 0; k < steps; k++)
    x = x * 1664525u + 1013904223u;
  return x;
}
__host__ __device__ static inline unsigned cases(unsigned i) {
  unsigned x = i;
  for (int k = 0; k < 16; k++)
    switch ((x >> 4 ^ i) & 3) {
    case 0:
      x = x * 5 + 3;
      break;
    case 1:
      x = (x ^ x >> 9) + 7;
      break;
    case 2:
      x = x << 3 ^ x >> 5;
      break;
    default:
      x = x * x + 11;
    }
  return x;
}
typedef unsigned Number(unsigned);
template <Number *F> __global__ void numbers_kernel(unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = F(i);
}
template <Number *F> static void numbers(Run &run, int n) {
  Buffer<unsigned> out(n);
  run.time([&] { numbers_kernel<F><<<n / 256, 256>>>(out); });
  run.expect_all(out, [](int i) { return F((unsigned)i); });
}

/* ---- special functions ------------------------------------------------------------------------ */
struct Roots {
  static __host__ __device__ float f(float x) { return sqrtf(x) + 0.5f; }
};
struct Inverses {
  static __host__ __device__ float f(float x) { return 1.0f / (x + 0.5f); }
};
struct Logarithms {
  static __host__ __device__ float f(float x) { return logf(x + 1.5f); }
};
struct Powers {
  static __host__ __device__ float f(float x) { return powf(x + 0.5f, 0.7f); }
};
struct Sines {
  static __host__ __device__ double f(double x) { return sin(x) + 1; }
};
struct Ratios {
  static __host__ __device__ double f(double x) { return 1.0 / (x + 0.5); }
};
template <class F, class T> __global__ void repeated(const T *in, T *out, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[i];
  for (int k = 0; k < times; k++)
    x = F::f(x);
  out[i] = x;
}
template <class F, class T, int TIMES> static void functions(Run &run, int n) {
  Buffer<T> in(n, unit), out(n);
  run.time([&] { repeated<F, T><<<n / 128, 128>>>(in, out, TIMES); });
  run.expect_all(
      out,
      [&](int i) {
        T x = in.host[i];
        for (int k = 0; k < TIMES; k++)
          x = F::f(x);
        return x;
      },
      1e-3);
}

/* ---- shared memory: strides, chains, barriers, shuffles ---------------------------------------- */
template <int STRIDE> __global__ void strided_shared(float *out, int rounds) {
  __shared__ float s[256 * STRIDE];
  for (int i = threadIdx.x; i < 256 * STRIDE; i += 256)
    s[i] = i % 5;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < rounds; k++)
    sum += s[(threadIdx.x * STRIDE + k) & (256 * STRIDE - 1)];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
template <int STRIDE> static void strides(Run &run, int blocks) {
  const int rounds = 512;
  Buffer<float> out(blocks * 256);
  run.time([&] { strided_shared<STRIDE><<<blocks, 256>>>(out, rounds); });
  run.expect_all(out, [&](int i) {
    int sum = 0;
    for (int k = 0; k < rounds; k++)
      sum += ((i % 256 * STRIDE + k) & (256 * STRIDE - 1)) % 5;
    return sum;
  });
}

__global__ void chain_shared(int *out, int steps) {
  __shared__ int next[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    next[i] = (i * 5 + 1) & 1023;
  __syncthreads();
  int at = threadIdx.x;
  for (int k = 0; k < steps; k++)
    at = next[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
template <int THREADS> static void chains_shared(Run &run, int steps) {
  Buffer<int> out(132 * THREADS);
  run.time([&] { chain_shared<<<132, THREADS>>>(out, steps); });
  run.expect_all(out, [&](int i) {
    int at = i % THREADS;
    for (int k = 0; k < steps; k++)
      at = (at * 5 + 1) & 1023;
    return at;
  });
}

template <int THREADS> __global__ void barriers(int *out, int rounds) {
  __shared__ int s[THREADS];
  s[threadIdx.x] = threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    __syncthreads();
    int other = s[(threadIdx.x + 1) % THREADS];
    __syncthreads();
    s[threadIdx.x] = other;
  }
  out[blockIdx.x * THREADS + threadIdx.x] = s[threadIdx.x];
}
template <int THREADS> static void rotations(Run &run, int rounds) {
  const int blocks = 528;
  Buffer<int> out(blocks * THREADS);
  run.time([&] { barriers<THREADS><<<blocks, THREADS>>>(out, rounds); });
  run.expect_all(out, [&](int i) { return (i + rounds) % THREADS; });
}

__global__ void butterflies(int *out, int rounds) {
  int x = threadIdx.x % 32;
  for (int k = 0; k < rounds; k++)
    for (int apart = 1; apart < 32; apart *= 2)
      x = (x + __shfl_xor_sync(~0u, x, apart)) & 0xffff;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
static void shuffles(Run &run, int rounds) {
  Buffer<int> out(528 * 256);
  run.time([&] { butterflies<<<528, 256>>>(out, rounds); });
  int want = 496;
  for (int k = 1; k < rounds; k++)
    want = want * 32 & 0xffff;
  run.expect_all(out, [&](int) { return want; });
}

/* ---- how many blocks are there, and how many at a time ------------------------------------------ */
template <int REGISTERS>
__global__ void __launch_bounds__(256) heavy(const float *in, float *out, int n) {
  float v[REGISTERS];
  int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < REGISTERS; k++)
    v[k] = in[(i + k * 256) & (n - 1)];
#pragma unroll 1
  for (int round = 0; round < 16; round++)
#pragma unroll
    for (int k = 0; k < REGISTERS; k++)
      v[k] = v[k] * 0.5f + v[(k + 1) % REGISTERS];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < REGISTERS; k++)
    sum += v[k];
  out[i] = sum;
}
template <int REGISTERS> static void heavies(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time([&] { heavy<REGISTERS><<<n / 256, 256>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        static float v[REGISTERS];
        float sum = 0;
        if (i % 61)
          return out.host[i];
        for (int k = 0; k < REGISTERS; k++)
          v[k] = in.host[(i + k * 256) & (n - 1)];
        for (int round = 0; round < 16; round++)
          for (int k = 0; k < REGISTERS; k++)
            v[k] = fmaf(v[k], 0.5f, v[(k + 1) % REGISTERS]);
        for (int k = 0; k < REGISTERS; k++)
          sum += v[k];
        return sum;
      },
      1e-1);
}

__global__ void roomy(const float *in, float *out, int each) {
  extern __shared__ float s[];
  for (int k = 0; k < each; k++)
    s[k * blockDim.x + threadIdx.x] = in[(blockIdx.x * each + k) * blockDim.x + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < each; k++)
    sum += s[k * blockDim.x + (threadIdx.x ^ (k & 31))];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <int KILOBYTES, int THREADS> static void roomies(Run &run, int blocks) {
  const int bytes = KILOBYTES * 1024, each = bytes / 4 / THREADS;
  Buffer<float> in((size_t)blocks * each * THREADS, [](int i) { return bits(i) % 16; }),
      out(blocks * THREADS);
  CHECK(cudaFuncSetAttribute(roomy, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  run.time([&] { roomy<<<blocks, THREADS, bytes>>>(in, out, each); });
  run.expect_all(out, [&](int i) {
    int block = i / THREADS, t = i % THREADS;
    double sum = 0;
    for (int k = 0; k < each; k++)
      sum += in.host[((size_t)block * each + k) * THREADS + (t ^ (k & 31))];
    return sum;
  });
}

__global__ void walk(const int *next, int *out, int steps, int size) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) & (size - 1);
  for (int k = 0; k < steps; k++)
    at = next[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
template <int BLOCKS, int THREADS> static void walks(Run &run, int size) {
  const int steps = 256;
  Buffer<int> next(size,
                   [&](int i) { return (int)((i * 1103515245u + 12345u) & (unsigned)(size - 1)); });
  Buffer<int> out(BLOCKS * THREADS);
  run.time([&] { walk<<<BLOCKS, THREADS>>>(next, out, steps, size); });
  run.expect_all(out, [&](int at) {
    at &= size - 1;
    for (int k = 0; k < steps; k++)
      at = next.host[at];
    return at;
  });
}

static const Rows
    rows("units", {
                      {"chain of FMAs, one warp an SM", chains<float, 1, 132, 32>, 8192, 64},
                      {"chain of FMAs, 2 chains, 8 warps", chains<float, 2, 132, 256>, 8192, 64},
                      {"8 chains of FMAs, 264 blocks", chains<float, 8, 264, 512>, 2048, 64},
                      {"8 chains of FMAs, 265 blocks", chains<float, 8, 265, 1024>, 1024, 64},
                      {"8 chains of FMAs, 20 blocks", chains<float, 8, 20, 256>, 2048, 64},
                      {"chain of DFMAs, one warp an SM", chains<double, 1, 132, 32>, 4096, 64},
                      {"8 chains of DFMAs", chains<double, 8, 264, 256>, 1024, 64},
                      {"3 chains of DFMAs, 133 blocks", chains<double, 3, 133, 1024>, 512, 64},
                      {"32 hashes", numbers<hashes>, 1 << 20, 1024},
                      {"64-bit products", numbers<wide>, 1 << 20, 1024},
                      {"divisions of integers", numbers<divisions>, 1 << 19, 1024},
                      {"rotations of bits", numbers<bit_tricks>, 1 << 20, 1024},
                      {"polynomial, double", numbers<polynomial>, 1 << 20, 1024},
                      {"either of two ways", numbers<branchy>, 1 << 19, 1024},
                      {"loops of any length", numbers<lengths>, 1 << 20, 1024},
                      {"one of four cases", numbers<cases>, 1 << 20, 1024},
                      {"square roots", functions<Roots, float, 64>, 1 << 19, 1024},
                      {"inverses", functions<Inverses, float, 64>, 1 << 19, 1024},
                      {"logarithms", functions<Logarithms, float, 32>, 1 << 19, 1024},
                      {"powers", functions<Powers, float, 16>, 1 << 18, 1024},
                      {"sines, double", functions<Sines, double, 8>, 1 << 18, 1024},
                      {"ratios, double", functions<Ratios, double, 16>, 1 << 18, 1024},
                      {"shared, stride 1", strides<1>, 1056, 4},
                      {"shared, stride 2", strides<2>, 1056, 4},
                      {"shared, stride 8", strides<8>, 1056, 4},
                      {"chain in shared, 1 warp", chains_shared<32>, 1024, 64},
                      {"chain in shared, 16 warps", chains_shared<512>, 1024, 64},
                      {"barriers, 64 threads", rotations<64>, 256, 8},
                      {"barriers, 512 threads", rotations<512>, 256, 8},
                      {"butterflies of shuffles", shuffles, 64, 4},
                      {"96 values in registers", heavies<96>, 1 << 18, 1024},
                      {"32 values in registers", heavies<32>, 1 << 20, 1024},
                      {"96 KB of shared memory a block", roomies<96, 256>, 528, 4},
                      {"24 KB of shared memory a block", roomies<24, 64>, 1056, 4},
                      {"walk in L2, one warp an SM", walks<132, 32>, 1 << 20, 1 << 14},
                      {"walk in L2, 32 warps an SM", walks<132, 1024>, 1 << 21, 1 << 18},
                      {"walk in L1", walks<132, 128>, 1 << 12, 1 << 12},
                  });
