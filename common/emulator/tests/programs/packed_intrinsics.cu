// Tests intrinsics on two 16-bit or four 8-bit parts of a word, and intrinsics with three operands.
// The results are compared with plain C that computes the parts one by one.
#include "check.h"
#include <algorithm>
#include <cstdint>
#include <vector>

typedef uint32_t u32;
typedef int32_t s32;
typedef int64_t s64;

// ---- applies f to each part of x, y and z as integers, and truncates the result to the part
template <class F> static u32 parts(int n, bool is_signed, F f, u32 x, u32 y, u32 z = 0) {
  int width = 32 / n;
  u32 r = 0, mask = n == 1 ? ~0u : (1u << width) - 1;
  auto part = [=](u32 v, int i) {
    u32 field = v >> i * width & mask;
    return is_signed && field >> (width - 1) ? (s64)field - (s64)mask - 1 : (s64)field;
  };
  for (int i = 0; i < n; i++)
    r |= ((u32)f(part(x, i), part(y, i), part(z, i)) & mask) << i * width;
  return r;
}
static s64 clamp(s64 v, int n, bool is_signed) {
  s64 most = (1ll << (32 / n - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
  return std::min(std::max(v, least), most);
}
#define F(expression)                                                                              \
  [](s64 a, s64 b, s64 c) -> s64 { return (void)a, (void)b, (void)c, expression; }

// ONE(name, device expression of x, y, z, host expression)
#define OF(n, ONE)                                                                                 \
  ONE(add##n, __vadd##n(x, y), parts(n, 1, F(a + b), x, y))                                        \
  ONE(sub##n, __vsub##n(x, y), parts(n, 1, F(a - b), x, y))                                        \
  ONE(addss##n, __vaddss##n(x, y), parts(n, 1, F(clamp(a + b, n, 1)), x, y))                       \
  ONE(addus##n, __vaddus##n(x, y), parts(n, 0, F(clamp(a + b, n, 0)), x, y))                       \
  ONE(subss##n, __vsubss##n(x, y), parts(n, 1, F(clamp(a - b, n, 1)), x, y))                       \
  ONE(subus##n, __vsubus##n(x, y), parts(n, 0, F(clamp(a - b, n, 0)), x, y))                       \
  ONE(abs##n, __vabs##n(x), parts(n, 1, F(a < 0 ? -a : a), x, y))                                  \
  ONE(absss##n, __vabsss##n(x), parts(n, 1, F(clamp(a < 0 ? -a : a, n, 1)), x, y))                 \
  ONE(neg##n, __vneg##n(x), parts(n, 1, F(-a), x, y))                                              \
  ONE(negss##n, __vnegss##n(x), parts(n, 1, F(clamp(-a, n, 1)), x, y))                             \
  ONE(absdiffs##n, __vabsdiffs##n(x, y), parts(n, 1, F(a < b ? b - a : a - b), x, y))              \
  ONE(absdiffu##n, __vabsdiffu##n(x, y), parts(n, 0, F(a < b ? b - a : a - b), x, y))              \
  ONE(avgs##n, __vavgs##n(x, y), parts(n, 1, F((a + b + (a + b >= 0)) >> 1), x, y))                \
  ONE(avgu##n, __vavgu##n(x, y), parts(n, 0, F((a + b + 1) >> 1), x, y))                           \
  ONE(haddu##n, __vhaddu##n(x, y), parts(n, 0, F((a + b) >> 1), x, y))                             \
  ONE(maxs##n, __vmaxs##n(x, y), parts(n, 1, F(std::max(a, b)), x, y))                             \
  ONE(maxu##n, __vmaxu##n(x, y), parts(n, 0, F(std::max(a, b)), x, y))                             \
  ONE(mins##n, __vmins##n(x, y), parts(n, 1, F(std::min(a, b)), x, y))                             \
  ONE(minu##n, __vminu##n(x, y), parts(n, 0, F(std::min(a, b)), x, y))                             \
  ONE(cmpeq##n, __vcmpeq##n(x, y), parts(n, 0, F(a == b ? -1 : 0), x, y))                          \
  ONE(cmpne##n, __vcmpne##n(x, y), parts(n, 0, F(a != b ? -1 : 0), x, y))                          \
  ONE(cmplts##n, __vcmplts##n(x, y), parts(n, 1, F(a < b ? -1 : 0), x, y))                         \
  ONE(cmpleu##n, __vcmpleu##n(x, y), parts(n, 0, F(a <= b ? -1 : 0), x, y))                        \
  ONE(cmpgts##n, __vcmpgts##n(x, y), parts(n, 1, F(a > b ? -1 : 0), x, y))                         \
  ONE(cmpgeu##n, __vcmpgeu##n(x, y), parts(n, 0, F(a >= b ? -1 : 0), x, y))                        \
  ONE(seteq##n, __vseteq##n(x, y), parts(n, 0, F(a == b), x, y))                                   \
  ONE(setltu##n, __vsetltu##n(x, y), parts(n, 0, F(a < b), x, y))                                  \
  ONE(setges##n, __vsetges##n(x, y), parts(n, 1, F(a >= b), x, y))
#define THREE(suffix, n, is_signed, T, ONE)                                                        \
  ONE(max3_##suffix, __vimax3_##suffix((T)x, (T)y, (T)z),                                          \
      parts(n, is_signed, F(std::max(std::max(a, b), c)), x, y, z))                                \
  ONE(min3_##suffix, __vimin3_##suffix((T)x, (T)y, (T)z),                                          \
      parts(n, is_signed, F(std::min(std::min(a, b), c)), x, y, z))                                \
  ONE(addmax_##suffix, __viaddmax_##suffix((T)x, (T)y, (T)z),                                      \
      parts(n, is_signed, F(std::max(a, c)), parts(n, 0, F(a + b), x, y), 0, z))                   \
  ONE(addmin_##suffix, __viaddmin_##suffix((T)x, (T)y, (T)z),                                      \
      parts(n, is_signed, F(std::min(a, c)), parts(n, 0, F(a + b), x, y), 0, z))
#define RELU(suffix, n, T, ONE)                                                                    \
  ONE(max_relu_##suffix, __vimax_##suffix##_relu((T)x, (T)y),                                      \
      parts(n, 1, F(std::max(std::max(a, b), (s64)0)), x, y))                                      \
  ONE(min3_relu_##suffix, __vimin3_##suffix##_relu((T)x, (T)y, (T)z),                              \
      parts(n, 1, F(std::max(std::min(std::min(a, b), c), (s64)0)), x, y, z))                      \
  ONE(addmin_relu_##suffix, __viaddmin_##suffix##_relu((T)x, (T)y, (T)z),                          \
      parts(n, 1, F(std::max(std::min(a, c), (s64)0)), parts(n, 0, F(a + b), x, y), 0, z))
#define INTRINSICS(ONE)                                                                            \
  OF(2, ONE)                                                                                       \
  OF(4, ONE)                                                                                       \
  THREE(s32, 1, 1, s32, ONE)                                                                       \
  THREE(u32, 1, 0, u32, ONE)                                                                       \
  THREE(s16x2, 2, 1, u32, ONE)                                                                     \
  THREE(u16x2, 2, 0, u32, ONE) RELU(s32, 1, s32, ONE) RELU(s16x2, 2, u32, ONE)

#define NUMBER(name, ...) N_##name,
enum { INTRINSICS(NUMBER) COUNT, N = 1024 };

__global__ void compute(const u32 *in, u32 *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u32 x = in[t], y = in[(t * 5 + 1) % N], z = in[(t * 9 + 4) % N];
#define DO(name, device, host) out[N_##name * N + t] = (u32)(device);
  INTRINSICS(DO)
}

__global__ void sums_and_larger(const u32 *in, u32 *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u32 x = in[t], y = in[(t * 5 + 1) % N];
  bool upper, lower;
  out[t] = __vsads4(x, y) + 3 * __vsadu2(x, y);
  u32 least = __vibmin_s16x2(x, y, &upper, &lower);
  out[N + t] = least + upper * 2 + lower;
}

int main() {
  std::vector<u32> in(N), out(COUNT * N);
  u32 state = 12345;
  for (int t = 0; t < N; t++) {
    state = state * 1664525u + 1013904223u;
    in[t] = t % 5 ? state ^ state >> 15 : (state & 0xff00ff00u) | 0x807f7f80u;
  }
  u32 *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(u32)));
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(u32)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(u32), cudaMemcpyHostToDevice));
  compute<<<N / 128, 128>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(u32), cudaMemcpyDeviceToHost));
  for (int t = 0; t < N; t++) {
    u32 x = in[t], y = in[(t * 5 + 1) % N], z = in[(t * 9 + 4) % N];
#define JUDGE(name, device, host)                                                                  \
  if (out[N_##name * N + t] != (host)) {                                                           \
    fprintf(stderr, #name ": %x %x %x: %x, expected %x\n", x, y, z, out[N_##name * N + t], host);  \
    exit(1);                                                                                       \
  }
    INTRINSICS(JUDGE)
  }
  sums_and_larger<<<N / 128, 128>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, 2 * N * sizeof(u32), cudaMemcpyDeviceToHost));
  for (int t = 0; t < N; t++) {
    u32 x = in[t], y = in[(t * 5 + 1) % N], sum = 0;
    for (int i = 0; i < 32; i += 8)
      sum += (u32)abs((int8_t)(x >> i) - (int8_t)(y >> i));
    for (int i = 0; i < 32; i += 16)
      sum += 3 * (u32)abs((int)(x >> i & 0xffff) - (int)(y >> i & 0xffff));
    EXPECT(out[t] == sum);
    bool upper = (s32)x >> 16 <= (s32)y >> 16, lower = (int16_t)x <= (int16_t)y;
    u32 least = ((upper ? x : y) & 0xffff0000u) | ((lower ? x : y) & 0xffff);
    EXPECT(out[N + t] == least + upper * 2 + lower);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return done();
}
