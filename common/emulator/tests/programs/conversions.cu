// Tests conversions between integers and floating point, rounded to nearest (rn), to zero (rz),
// down (rd) and up (ru), also outside of the target's range; casts; and reinterpreted bits.
#include "check.h"
#include <climits>
#include <cmath>
#include <cstring>
#include <vector>

typedef unsigned long long u64;
typedef long long s64;

#define ROUNDINGS(MAKE, ...)                                                                       \
  MAKE(rn, __VA_ARGS__) MAKE(rz, __VA_ARGS__) MAKE(rd, __VA_ARGS__) MAKE(ru, __VA_ARGS__)

// ---- to integers: TO(rounding, name, from, to, lowest, highest, result for NaN)
// NaN becomes 0 if both types have at most 32 bits, otherwise only the top bit is set.
#define TO_WHOLE(TO, name, F)                                                                      \
  ROUNDINGS(TO, name##2int, F, int, INT_MIN, INT_MAX, sizeof(F) == 8 ? INT_MIN : 0)                \
  ROUNDINGS(TO, name##2uint, F, unsigned, 0, UINT_MAX, sizeof(F) == 8 ? 1u << 31 : 0)              \
  ROUNDINGS(TO, name##2ll, F, s64, LLONG_MIN, LLONG_MAX, LLONG_MIN)                                \
  ROUNDINGS(TO, name##2ull, F, u64, 0, ULLONG_MAX, 1ull << 63)
#define ALL_TO_WHOLE(TO) TO_WHOLE(TO, float, float) TO_WHOLE(TO, double, double)
// ---- from integers: FROM(rounding, name, from, to, digits of the target)
#define ALL_FROM_WHOLE(FROM)                                                                       \
  ROUNDINGS(FROM, int2float, int, float, 24)                                                       \
  ROUNDINGS(FROM, uint2float, unsigned, float, 24)                                                 \
  ROUNDINGS(FROM, ll2float, s64, float, 24)                                                        \
  ROUNDINGS(FROM, ull2float, u64, float, 24)                                                       \
  ROUNDINGS(FROM, ll2double, s64, double, 53)                                                      \
  ROUNDINGS(FROM, ull2double, u64, double, 53)                                                     \
  FROM(rn, int2double, int, double, 53)                                                            \
  FROM(rn, uint2double, unsigned, double, 53)

#define NUMBER(rounding, name, ...) N_##name##_##rounding,
enum { ALL_TO_WHOLE(NUMBER) TO_COUNT };
enum { ALL_FROM_WHOLE(NUMBER) FROM_COUNT };
enum { N = 2048 };

__global__ void to_whole(const double *in, u64 *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#define DO(rounding, name, F, T, ...)                                                              \
  out[N_##name##_##rounding * N + t] = (u64)__##name##_##rounding((F)in[t]);
  ALL_TO_WHOLE(DO)
#undef DO
}

__global__ void from_whole(const u64 *in, double *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#define DO(rounding, name, F, ...)                                                                 \
  out[N_##name##_##rounding * N + t] = __##name##_##rounding((F)in[t]);
  ALL_FROM_WHOLE(DO)
}

enum Rounding { rn, rz, rd, ru };

static double whole(double x, Rounding rounding) {
  return rounding == rn   ? std::rint(x)
         : rounding == rz ? std::trunc(x)
         : rounding == rd ? std::floor(x)
                          : std::ceil(x);
}

template <class T> static T clamped(double x, T low, T high, T nan) {
  return x != x ? nan : x <= (double)low ? low : x >= (double)high ? high : (T)x;
}

// Returns `magnitude` rounded to `digits` binary digits.
static double rounded(bool negative, u64 magnitude, int digits, Rounding rounding) {
  int drop = 0;
  while (magnitude >> drop >> digits)
    drop++;
  u64 kept = magnitude >> drop, rest = magnitude - (kept << drop),
      half = drop ? 1ull << (drop - 1) : 0;
  if (rounding == rn   ? rest > half || (drop && rest == half && kept % 2)
      : rounding == rd ? negative && rest
      : rounding == ru ? !negative && rest
                       : false)
    kept++;
  double result = std::ldexp((double)kept, drop);
  return negative ? -result : result;
}

template <class F> static double round_whole(F x, int digits, Rounding rounding) {
  if constexpr (F(-1) < F(0))
    if (x < 0)
      return rounded(true, 0 - (u64)x, digits, rounding);
  return rounded(false, (u64)x, digits, rounding);
}

template <class In, class Out>
static std::vector<Out> run(void (*kernel)(const In *, Out *), const std::vector<In> &in,
                            int count) {
  std::vector<Out> out(count * N);
  In *d_in;
  Out *d_out;
  CHECK(cudaMalloc(&d_in, N * sizeof(In)));
  CHECK(cudaMalloc(&d_out, count * N * sizeof(Out)));
  CHECK(cudaMemcpy(d_in, in.data(), N * sizeof(In), cudaMemcpyHostToDevice));
  kernel<<<N / 128, 128>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, count * N * sizeof(Out), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return out;
}

static void check_to_whole() {
  std::vector<double> in(N);
  const double edges[] = {0.0,      -0.0,      0.5,  1.5,   -0.5,         2.5,   NAN,
                          INFINITY, -INFINITY, 1e20, -1e20, 2147483647.5, 1e-40, -2147483648.5};
  for (int t = 0; t < N; t++)
    in[t] = std::ldexp((t * 2654435761u % 4096 - 2048.0) / 8, t % 57 - 5);
  memcpy(in.data(), edges, sizeof edges);
  std::vector<u64> out = run(to_whole, in, TO_COUNT);
#define JUDGE(rounding, name, F, T, low, high, nan)                                                \
  for (int t = 0; t < N; t++)                                                                      \
    EXPECT((T)out[N_##name##_##rounding * N + t] ==                                                \
               clamped<T>(whole((F)in[t], rounding), low, high, nan) &&                            \
           #name "_" #rounding);
  ALL_TO_WHOLE(JUDGE)
#undef JUDGE
}

static void check_from_whole() {
  std::vector<u64> in(N);
  u64 state = 12345;
  for (int t = 0; t < N; t++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    in[t] = t % 4 == 0 ? (1ull << t / 32) + t % 3 - 1 : state >> t % 64;
  }
  std::vector<double> out = run(from_whole, in, FROM_COUNT);
#define JUDGE(rounding, name, F, T, digits)                                                        \
  for (int t = 0; t < N; t++)                                                                      \
    EXPECT(out[N_##name##_##rounding * N + t] == round_whole((F)in[t], digits, rounding) && #name  \
           "_" #rounding);
  ALL_FROM_WHOLE(JUDGE)
}

// Casts of C++ round towards zero. Conversions to narrow types wrap around.
__global__ void casts(int *bad, float f, double d, int big, u64 bits) {
  DEVICE_EXPECT(bad, (int)f == -3 && (unsigned)-f == 3 && (s64)f == -3 && (short)f == -3);
  DEVICE_EXPECT(bad, (int)d == 7 && (u64)d == 7 && (float)d == 7.75f && (unsigned char)d == 7);
  DEVICE_EXPECT(bad, (char)big == 0x45 && (short)big == 0x2345 && (signed char)(big >> 8) == 0x23);
  DEVICE_EXPECT(bad, (float)(unsigned char)(big + 0xa0) == 229 && (double)(short)-big == -9029);
  DEVICE_EXPECT(bad, (bool)f && !(bool)(f - f) && (int)(d > 0) == 1);
  DEVICE_EXPECT(bad, __float_as_int(f) == (int)0xc0700000 && __float_as_uint(f) == 0xc0700000);
  DEVICE_EXPECT(bad, __int_as_float(0x40700000) == -f && __uint_as_float(0xc0700000) == f);
  DEVICE_EXPECT(bad, __double_as_longlong(d) == 0x401f000000000000ll);
  DEVICE_EXPECT(bad, __longlong_as_double((s64)bits) == d);
  DEVICE_EXPECT(bad, __double2hiint(d) == 0x401f0000 && __double2loint(d) == 0);
  DEVICE_EXPECT(bad, __hiloint2double((int)(bits >> 32), (int)bits) == d);
}

int main() {
  check_to_whole();
  check_from_whole();
  int *d_bad;
  CHECK(cudaMalloc(&d_bad, sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, sizeof *d_bad));
  casts<<<1, 1>>>(d_bad, -3.75f, 7.75, 0x12345, 0x401f000000000000ull);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaFree(d_bad));
  return done();
}
