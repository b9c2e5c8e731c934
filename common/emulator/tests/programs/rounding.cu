// Tests floating-point arithmetic with explicit rounding modes: sums, products, quotients, roots
// and fused multiply-adds in both precisions, subnormal numbers included. The host must get the
// same bits.
#include "check.h"
#include <cfenv>
#include <cmath>
#include <cstring>
#include <vector>

#define EACH(MAKE, name, ...)                                                                      \
  MAKE(name##_rn, FE_TONEAREST, __VA_ARGS__)                                                       \
  MAKE(name##_rz, FE_TOWARDZERO, __VA_ARGS__)                                                      \
  MAKE(name##_rd, FE_DOWNWARD, __VA_ARGS__)                                                        \
  MAKE(name##_ru, FE_UPWARD, __VA_ARGS__)

// MAKE(device function, mode, its arguments, host expression). a, b and c are the operands.
#define SINGLE(MAKE)                                                                               \
  EACH(MAKE, __fadd, (a, b), a + b)                                                                \
  EACH(MAKE, __fsub, (a, b), a - b)                                                                \
  EACH(MAKE, __fmul, (a, b), a *b)                                                                 \
  EACH(MAKE, __fdiv, (a, b), a / b)                                                                \
  EACH(MAKE, __fmaf, (a, b, c), std::fma((float)a, (float)b, (float)c))                            \
  EACH(MAKE, __frcp, (a), 1 / a)                                                                   \
  EACH(MAKE, __fsqrt, (a), std::sqrt((float)a))                                                    \
  EACH(MAKE, __double2float, (a * (1 + 0x1p-23)), (float)(d * (1 + 0x1p-23)))
#define DOUBLE(MAKE)                                                                               \
  EACH(MAKE, __dadd, (a, b), a + b)                                                                \
  EACH(MAKE, __dsub, (a, b), a - b)                                                                \
  EACH(MAKE, __dmul, (a, b), a *b)                                                                 \
  EACH(MAKE, __ddiv, (a, b), a / b)                                                                \
  EACH(MAKE, __fma, (a, b, c), std::fma((double)a, (double)b, (double)c))                          \
  EACH(MAKE, __drcp, (a), 1 / a)                                                                   \
  EACH(MAKE, __dsqrt, (a), std::sqrt((double)a))

#define NUMBER(name, ...) N##name,
enum { SINGLE(NUMBER) SINGLES };
enum { DOUBLE(NUMBER) DOUBLES };
enum { N = 2048 };

#define OPERANDS(T)                                                                                \
  volatile T a = in[t], b = in[(t * 7 + 5) % N], c = in[(t * 3 + 1) % N];                          \
  (void)a, (void)b, (void)c;

#define DO(name, mode, arguments, host) out[N##name * N + t] = name arguments;
__global__ void compute(const float *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t], b = in[(t * 7 + 5) % N], c = in[(t * 3 + 1) % N];
  SINGLE(DO)
}
__global__ void compute(const double *in, double *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t], b = in[(t * 7 + 5) % N], c = in[(t * 3 + 1) % N];
  DOUBLE(DO)
}

template <class T> static bool same(T a, T b) {
  return a != a ? b != b : memcmp(&a, &b, sizeof a) == 0;
}

template <class T> static std::vector<T> inputs() {
  const T edges[] = {0, T(-0.0), 1, -1, T(INFINITY), T(-INFINITY), T(NAN)};
  std::vector<T> in(N);
  int exponents = sizeof(T) == 4 ? 290 : 2120, lowest = sizeof(T) == 4 ? -150 : -1075;
  for (int t = 0; t < N; t++) {
    T digits = 1 + T(t * 2654435761u % 16777213) / 16777213 + T(t) / 3000000;
    in[t] = std::ldexp(t % 5 < 2 ? -digits : digits,
                       t % 4 ? t % 7 - 3 : t / 4 * 31 % exponents + lowest);
  }
  memcpy(in.data(), edges, sizeof edges);
  return in;
}

template <class T> static std::vector<T> run(const std::vector<T> &in, int count) {
  std::vector<T> out(count * N);
  T *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, N * sizeof(T)));
  CHECK(cudaMalloc(&d_out, count * N * sizeof(T)));
  CHECK(cudaMemcpy(d_in, in.data(), N * sizeof(T), cudaMemcpyHostToDevice));
  compute<<<N / 128, 128>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, count * N * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return out;
}

// `volatile` keeps the compiler from moving the computation across fesetround.
#define JUDGE(name, mode, arguments, host)                                                         \
  {                                                                                                \
    fesetround(mode);                                                                              \
    volatile Type expected = host;                                                                 \
    fesetround(FE_TONEAREST);                                                                      \
    if (!same<Type>(expected, out[N##name * N + t])) {                                             \
      fprintf(stderr, #name "(%a, %a, %a) = %a, expected %a\n", (double)a, (double)b, (double)c,   \
              (double)out[N##name * N + t], (double)expected);                                     \
      exit(1);                                                                                     \
    }                                                                                              \
  }

static void singles() {
  typedef float Type;
  std::vector<float> in = inputs<float>(), out = run(in, SINGLES);
  for (int t = 0; t < N; t++) {
    OPERANDS(float)
    volatile double d = a;
    SINGLE(JUDGE)
  }
}

static void doubles() {
  typedef double Type;
  std::vector<double> in = inputs<double>(), out = run(in, DOUBLES);
  for (int t = 0; t < N; t++) {
    OPERANDS(double)
    DOUBLE(JUDGE)
  }
}

int main() {
  singles();
  doubles();
  return done();
}
