// Tests arithmetic, comparisons, conversions, functions and atomics on halves and on pairs of
// halves. The host computes the expected results in double and rounds once.
#include "check.h"
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <vector>

// ONE(name, device expression, host expression of the doubles x, y, z, tolerance in units in the
// last place)
#define ARITHMETIC(ONE)                                                                            \
  ONE(add, __hadd(a, b), x + y, 0)                                                                 \
  ONE(sub, __hsub(a, b), x - y, 0)                                                                 \
  ONE(mul, __hmul(a, b), x *y, 0)                                                                  \
  ONE(div, __hdiv(a, b), x / y, 1)                                                                 \
  ONE(fma, __hfma(a, b, c), x *y + z, 0)                                                           \
  ONE(operators, -(a + b) * c, -(double)__half2float(__double2half(x + y)) * z, 0)                 \
  ONE(add_sat, __hadd_sat(a, b), clamp(x + y), 0)                                                  \
  ONE(fma_sat, __hfma_sat(a, b, c), clamp(x *y + z), 0)                                            \
  ONE(neg, __hneg(a), -x, 0)                                                                       \
  ONE(abs, __habs(a), std::fabs(x), 0)                                                             \
  ONE(lower, __hmin(a, b), std::fmin(x, y), 0)                                                     \
  ONE(upper, __hmax(a, b), std::fmax(x, y), 0)                                                     \
  ONE(less, __hlt(a, b) ? a : b, x < y ? x : y, 0)                                                 \
  ONE(unordered, __hgeu(a, b) ? a : b, !(x < y) ? x : y, 0)                                        \
  ONE(pair_add, __low2half(__hadd2(__halves2half2(a, b), __halves2half2(b, c))), x + y, 0)         \
  ONE(pair_fma,                                                                                    \
      __high2half(__hfma2(__halves2half2(b, a), __halves2half2(a, b), __halves2half2(b, c))),      \
      x *y + z, 0)                                                                                 \
  ONE(pair_mul, __high2half(__hmul2(__halves2half2(b, a), __half2half2(c))), x *z, 0)              \
  ONE(pair_sub, __low2half(__hsub2(__halves2half2(c, a), __halves2half2(b, c))), z - y, 0)         \
  ONE(pair_eq, __low2half(__heq2(__halves2half2(a, b), __halves2half2(b, a))), x == y, 0)          \
  ONE(pair_neg, __high2half(__hneg2(__halves2half2(a, b))), -y, 0)                                 \
  ONE(to_int, __int2half_rn(__half2int_rz(a)), (double)whole(std::trunc(x)), 0)                    \
  ONE(to_int_up, __int2half_rn(__half2int_ru(a)), (double)whole(std::ceil(x)), 0)                  \
  ONE(to_int_near, __int2half_rn(__half2int_rn(a)), (double)whole(std::rint(x)), 0)                \
  ONE(to_ll, __ll2half_rn(__half2ll_rd(b)), y != y ? -INFINITY : std::floor(y) + 0.0, 0)           \
  ONE(sqrt, hsqrt(a), std::sqrt(x), 1)                                                             \
  ONE(rcp, hrcp(a), 1 / x, 1)                                                                      \
  ONE(exp, hexp(a), std::exp(x), 2)                                                                \
  ONE(log, hlog(a), std::log(x), 2)                                                                \
  ONE(floor, hfloor(a), std::floor(x), 0)                                                          \
  ONE(rint, hrint(a), std::rint(x), 0)

#define NUMBER(name, ...) N_##name,
enum { ARITHMETIC(NUMBER) COUNT };

static double clamp(double v) { return v > 0 ? v < 1 ? v : 1 : 0; }
static int whole(double v) {
  return v != v ? 0 : v > 2e9 ? 2147483647 : v < -2e9 ? INT_MIN : (int)v;
}

__global__ void compute(const __half *in, __half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half a = in[i], b = in[(i * 7 + 3) % n], c = in[(i * 31 + 11) % n];
#define DO(name, device, host, ulps) out[N_##name * n + i] = device;
  ARITHMETIC(DO)
}

// Returns the distance of two halves in units in the last place; 0 for two NaNs.
static int apart(__half a, __half b) {
  if (std::isnan(__half2float(a)) || std::isnan(__half2float(b)))
    return std::isnan(__half2float(a)) && std::isnan(__half2float(b)) ? 0 : 65536;
  int p = __half_as_ushort(a), q = __half_as_ushort(b);
  p = p & 0x8000 ? 0x8000 - p : p; // +0 and -0 are both 0
  q = q & 0x8000 ? 0x8000 - q : q;
  return abs(p - q);
}

static void arithmetic() {
  const int n = 4000;
  std::vector<__half> in(n), out(COUNT * n);
  for (int i = 0; i < n; i++) // special values, then values of any size, then values near 1
    in[i] = __ushort_as_half((unsigned short)(i < 64     ? (i % 4 * 0x2000 + i / 4 * 0x400 - i / 32)
                                              : i < 2000 ? i * 40503u >> 3
                                                         : 0x3c00 + i * 40503u % 0x800));
  __half *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, n * sizeof(__half)));
  CHECK(cudaMalloc(&d_out, COUNT * n * sizeof(__half)));
  CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  compute<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, COUNT * n * sizeof(__half), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    double x = __half2float(in[i]), y = __half2float(in[(i * 7 + 3) % n]);
    double z = __half2float(in[(i * 31 + 11) % n]);
#define JUDGE(name, device, host, ulps)                                                            \
  if (!(apart(out[N_##name * n + i], __double2half(host)) <= ulps)) {                              \
    fprintf(stderr, #name "(%g, %g, %g) = %g, expected %g\n", x, y, z,                             \
            __half2float(out[N_##name * n + i]), __half2float(__double2half(host)));               \
    exit(1);                                                                                       \
  }
    ARITHMETIC(JUDGE)
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

// Rounds in the four rounding modes, on the device and on the host.
__global__ void round_all(const float *in, unsigned short *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  out[4 * i] = __half_as_ushort(__float2half_rn(in[i]));
  out[4 * i + 1] = __half_as_ushort(__float2half_rz(in[i]));
  out[4 * i + 2] = __half_as_ushort(__float2half_rd(in[i]));
  out[4 * i + 3] = __half_as_ushort(__float2half_ru(in[i]));
}

static void rounding() {
  const float in[] = {1.0004f, -1.0004f, 1.00049f, 65519, 65520,
                      -70000,  1e-8f,    -1e-8f,   6e-5f, 0.1f};
  const unsigned short nearest[] = {0x3c00, 0xbc00, 0x3c01, 0x7bff, 0x7c00,
                                    0xfc00, 0,      0x8000, 0x03ef, 0x2e66};
  const unsigned short down[] = {0x3c00, 0xbc01, 0x3c00, 0x7bff, 0x7bff,
                                 0xfc00, 0,      0x8001, 0x03ee, 0x2e66};
  const int n = sizeof in / sizeof *in;
  float *d_in;
  unsigned short *d_out, out[4 * n];
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  round_all<<<1, 32>>>(d_in, d_out, n);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    unsigned short zero = __half_as_ushort(__float2half_rz(in[i]));
    unsigned short up = __half_as_ushort(__float2half_ru(in[i]));
    EXPECT(out[4 * i] == nearest[i] && out[4 * i + 2] == down[i]);
    EXPECT(out[4 * i + 1] == (in[i] < 0 ? up : down[i]) && zero == out[4 * i + 1]);
    EXPECT(out[4 * i + 3] == up && up == down[i] + (in[i] < 0 ? -1 : 1));
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

__global__ void add_up(__half *sum, __half2 *sums) {
  __shared__ __half local;
  if (threadIdx.x == 0)
    local = __float2half(0);
  __syncthreads();
  atomicAdd(&local, __float2half(0.5f));
  atomicAdd(sums, __floats2half2_rn(1, -0.25f));
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(sum, local);
}

static void atomics() {
  __half2 *device, host[2];
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMemset(device, 0, sizeof host));
  add_up<<<3, 96>>>((__half *)device, device + 1);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(__low2float(host[0]) == 3 * 48 && __high2float(host[0]) == 0);
  EXPECT(__low2float(host[1]) == 3 * 96 && __high2float(host[1]) == -3 * 24);
  CHECK(cudaFree(device));
}

// Tests loads and stores with cache hints, and minima and maxima that are NaN if an operand is.
__global__ void through_caches(const __half *in, __half2 *out, int *bad) {
  const int t = threadIdx.x;
  const __half nan = __ushort_as_half(0x7e01), x = __ldcg(in + t);
  __stcg((__half *)(out + t), __ldca(in + t));
  __stwt((__half *)(out + t) + 1, __ldcv(in + t));
  const __half2 both = __ldcs((const __half2 *)in + t / 2);
  __stcs(out + 32 + t, both);
  DEVICE_EXPECT(bad, __heq(t % 2 ? __high2half(both) : __low2half(both), x));
  DEVICE_EXPECT(bad, __half_as_ushort(__hmax_nan(x, nan)) == 0x7fff &&
                         __half_as_ushort(__hmin_nan(nan, x)) == 0x7fff);
  DEVICE_EXPECT(bad, __heq(__hmax_nan(x, __float2half(5)), __float2half(t > 5 ? t : 5)) &&
                         __heq(__low2half(__hmin2_nan(both, both)), __low2half(both)));
  DEVICE_EXPECT(bad, __high2float(__hisnan2(__halves2half2(x, nan))) == 1 &&
                         __low2float(__hisnan2(__halves2half2(x, nan))) == 0);
}

static void caches() {
  __half in[32], *d_in;
  __half2 out[64], *d_out;
  int *bad;
  for (int i = 0; i < 32; i++)
    in[i] = __float2half(i);
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&bad, sizeof *bad));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bad, 0, sizeof *bad));
  through_caches<<<1, 32>>>(d_in, d_out, bad);
  LAUNCHED();
  expect_no_line(bad);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    EXPECT(__low2float(out[i]) == i && __high2float(out[i]) == i &&
           __high2float(out[32 + i]) == (i | 1));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(bad));
}

int main() {
  arithmetic();
  rounding();
  atomics();
  caches();
  return done();
}
