// Compares integer arithmetic and the intrinsics for bits, bytes and high halves with plain C that
// computes bit by bit. Also tests shifts and rotations by any amount, and division.
#include "check.h"
#include <cstdint>
#include <vector>

typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

// ---- the intrinsics in plain C
static u64 reversed(u64 v, int bits) {
  u64 r = 0;
  for (int i = 0; i < bits; i++)
    r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}
static int ones(u64 v) { return v ? (int)(v & 1) + ones(v >> 1) : 0; }
static int leading(u64 v, int bits) {
  int n = 0;
  while (n < bits && !(v >> (bits - 1 - n) & 1))
    n++;
  return n;
}
static int first(u64 v) { return v ? ones((v & -v) - 1) + 1 : 0; }
static u32 chosen(u32 x, u32 y, u32 selectors) {
  u32 r = 0;
  for (int i = 0; i < 4; i++) {
    u32 s = selectors >> 4 * i & 7;
    r |= ((s < 4 ? x : y) >> 8 * (s & 3) & 255) << 8 * i;
  }
  return r;
}
static u64 high(u64 x, u64 y) {
  u64 a = x >> 32, b = (u32)x, c = y >> 32, d = (u32)y;
  u64 middle = a * d + (b * d >> 32), other = b * c + (u32)middle;
  return a * c + (middle >> 32) + (other >> 32);
}
static s64 signed_high(s64 x, s64 y) {
  return (s64)(high(x, y) - (x < 0 ? (u64)y : 0) - (y < 0 ? (u64)x : 0));
}
static u32 dot(u32 x, u32 y, u32 sum, bool is_signed) {
  for (int i = 0; i < 32; i += 8)
    sum += is_signed ? (u32)((int8_t)(x >> i) * (int8_t)(y >> i)) : (x >> i & 255) * (y >> i & 255);
  return sum;
}
static u64 rotated(u64 v, u32 n, int bits) {
  n %= bits;
  u64 all = bits == 64 ? ~0ull : (1ull << bits) - 1;
  return n ? (v << n | v >> (bits - n)) & all : v;
}
static s32 sign24(u32 v) { return (s32)(v << 8) >> 8; }

// ONE(name, device expression, host expression). Operands: a, b, c (u32), i, j (s32), p, q (u64),
// l, m (s64).
#define INTRINSICS(ONE)                                                                            \
  ONE(popc, __popc(a), ones(a))                                                                    \
  ONE(popcll, __popcll(p), ones(p))                                                                \
  ONE(clz, __clz(i), leading(a, 32))                                                               \
  ONE(clzll, __clzll(l), leading(p, 64))                                                           \
  ONE(ffs, __ffs(i), first(a))                                                                     \
  ONE(ffsll, __ffsll(l), first(p))                                                                 \
  ONE(ffs_top, __ffs(i << 31) + __ffsll(l << 63), (a & 1 ? 32 : 0) + (p & 1 ? 64 : 0))             \
  ONE(brev, __brev(a), reversed(a, 32))                                                            \
  ONE(brevll, __brevll(p), reversed(p, 64))                                                        \
  ONE(byte_perm, __byte_perm(a, b, c), chosen(a, b, c))                                            \
  ONE(mulhi, __mulhi(i, j), (u32)((s64)i * j >> 32))                                               \
  ONE(umulhi, __umulhi(a, b), (u32)((u64)a * b >> 32))                                             \
  ONE(mul64hi, __mul64hi(l, m), (u64)signed_high(l, m))                                            \
  ONE(umul64hi, __umul64hi(p, q), high(p, q))                                                      \
  ONE(mul24, __mul24(i, j), (u32)((s64)sign24(a) * sign24(b)))                                     \
  ONE(umul24, __umul24(a, b), (u32)((u64)(a & 0xffffff) * (b & 0xffffff)))                         \
  ONE(hadd, __hadd(i, j), (u32)(((s64)i + j) >> 1))                                                \
  ONE(rhadd, __rhadd(i, j), (u32)(((s64)i + j + 1) >> 1))                                          \
  ONE(uhadd, __uhadd(a, b), (u32)(((u64)a + b) >> 1))                                              \
  ONE(urhadd, __urhadd(a, b), (u32)(((u64)a + b + 1) >> 1))                                        \
  ONE(sad, __sad(i, j, c), c + (u32)(i < j ? (s64)j - i : (s64)i - j))                             \
  ONE(usad, __usad(a, b, c), c + (a < b ? b - a : a - b))                                          \
  ONE(funnel_l, __funnelshift_l(a, b, c), (u32)(((u64)b << 32 | a) << (c & 31) >> 32))             \
  ONE(funnel_r, __funnelshift_r(a, b, c), (u32)(((u64)b << 32 | a) >> (c & 31)))                   \
  ONE(funnel_lc, __funnelshift_lc(a, b, c), c >= 32 ? a : (u32)(((u64)b << 32 | a) << c >> 32))    \
  ONE(funnel_rc, __funnelshift_rc(a, b, c), c >= 32 ? b : (u32)(((u64)b << 32 | a) >> c))          \
  ONE(dp4a, __dp4a(i, j, (int)c), dot(a, b, c, true))                                              \
  ONE(udp4a, __dp4a(a, b, c), dot(a, b, c, false))                                                 \
  ONE(dp2a, __dp2a_hi(i, j, (int)c),                                                               \
      c + (u32)((int16_t)a * (int8_t)(b >> 16)) + (u32)((int16_t)(a >> 16) * (int8_t)(b >> 24)))   \
  ONE(udp2a, __dp2a_lo(a, b, c), c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255))        \
  ONE(min, min(i, j) + (u64)max(a, b), (u64)(s64)(i < j ? i : j) + (a > b ? a : b))                \
  ONE(minll, min(l, m) ^ max(p, q), (u64)(l < m ? l : m) ^ (p > q ? p : q))                        \
  ONE(abs, abs(i) + (u64)llabs(l), (u64)(s64)(s32)(i < 0 ? 0u - a : a) + (l < 0 ? 0ull - p : p))   \
  ONE(rotate_left, a << (c & 31) | a >> (-c & 31), rotated(a, c, 32))                              \
  ONE(rotate_left64, p << (c & 63) | p >> (-c & 63), rotated(p, c, 64))                            \
  ONE(rotate_right64, p >> (c & 63) | p << (-c & 63), rotated(p, 64 - c % 64, 64))                 \
  ONE(hole, p & ~(1ull << c % 64), p - (p & rotated(1, c, 64)))                                    \
  ONE(shifts, (a << c % 32) + (u64)(i >> c % 32) + (p >> c % 64) + (l >> c % 64),                  \
      (u64)(a << c % 32) + (u64)(s64)(i >> c % 32) + (p >> c % 64) + (u64)(l >> c % 64))           \
  ONE(shift31, (s64)(s32)(a * b) << 31, (u64)(s64)(s32)(a * b) << 31)                              \
  ONE(times31, (s64)(s32)(a * b) * -2147483648ll, 0 - ((u64)(s64)(s32)(a * b) << 31))              \
  ONE(sign_mask, (u64)(l < 0 ? 7 : 0) + (u64)((l >> 62) & 15) + (u64)((l >> 41) & 0xffffff),       \
      (u64)(l < 0 ? 7 : 0) + (u64)((l >> 62) & 15) + (u64)((l >> 41) & 0xffffff))                  \
  ONE(divide, a / (b | 1) + p / (q | 1), a / (b | 1) + p / (q | 1))                                \
  ONE(remain, a % (b | 1) + p % (q | 1), a % (b | 1) + p % (q | 1))                                \
  ONE(divide_signed, (u64)(s64)(i / (j / 2 | 1)) + l / (m / 2 | 1),                                \
      (u64)(s64)(i / (j / 2 | 1)) + l / (m / 2 | 1))                                               \
  ONE(remain_signed, (u64)(s64)(i % (j / 2 | 1)) + l % (m / 2 | 1),                                \
      (u64)(s64)(i % (j / 2 | 1)) + l % (m / 2 | 1))                                               \
  ONE(by_constants, a / 7 + a % 10 + p / 1000003 + (u64)(i / -9) + l % 17,                         \
      a / 7 + a % 10 + p / 1000003 + (u64)(s64)(i / -9) + l % 17)

#define NUMBER(name, ...) N_##name,
enum { INTRINSICS(NUMBER) COUNT, N = 1024 };

#define OPERANDS                                                                                   \
  u64 p = in[t], q = in[(t * 5 + 1) % N];                                                          \
  u32 a = (u32)p, b = (u32)(q >> 32), c = (u32)(in[(t * 9 + 4) % N] >> 16);                        \
  s64 l = (s64)p, m = (s64)q;                                                                      \
  s32 i = (s32)a, j = (s32)b;                                                                      \
  (void)l, (void)m, (void)i, (void)j, (void)c;

__global__ void compute(const u64 *in, u64 *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  OPERANDS
#define DO(name, device, host) out[N_##name * N + t] = (u64)(device);
  INTRINSICS(DO)
}

int main() {
  std::vector<u64> in(N), out(COUNT * N);
  u64 state = 88172645463325252ull;
  for (int t = 0; t < N; t++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    in[t] = state >> (t % 3 ? 0 : t % 64); // numbers of different length
  }
  const u64 edges[] = {0, 1, ~0ull, 1ull << 63, ~0ull >> 1, 0x80000000, 0x7fffffff, 0xffffffff};
  for (int t = 0; t < 64; t++)
    in[t * 16 % N + t / 8] = edges[t % 8];
  u64 *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(u64)));
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(u64)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(u64), cudaMemcpyHostToDevice));
  compute<<<N / 128, 128>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(u64), cudaMemcpyDeviceToHost));
  for (int t = 0; t < N; t++) {
    OPERANDS
#define JUDGE(name, device, host)                                                                  \
  if (out[N_##name * N + t] != (u64)(host) && (u32)out[N_##name * N + t] != (u64)(host)) {         \
    fprintf(stderr, #name ": a %x b %x c %x p %llx q %llx: %llx, expected %llx\n", a, b, c,        \
            (unsigned long long)p, (unsigned long long)q,                                          \
            (unsigned long long)out[N_##name * N + t], (unsigned long long)(u64)(host));           \
    exit(1);                                                                                       \
  }
    INTRINSICS(JUDGE)
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return done();
}
