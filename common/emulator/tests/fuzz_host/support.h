/* The header of programs from fuzz_host/generate.c: types, operations for host and device, the
 * hash, and a warp on the host, whose lanes are elements of an array. On the device, an operation
 * calls CUDA's function; on the host, it is written in plain C according to the specification. The
 * results must be equal to the bit (all NaNs count as equal). */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define HD static __host__ __device__
#define HDI static __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define EITHER(device, host) device
#else
#define EITHER(device, host) host
#endif
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;
/* A half, stored as bits. */
typedef struct half16 {
  u16 bits;
} f16;

enum { THREADS = 128, WARPS = THREADS / 32, WORDS = 512 };

HDI u32 bits_of(f32 x) {
  u32 b;
  memcpy(&b, &x, 4);
  return x == x ? b : 0x7fc00000u;
}
HDI u64 bits_of(f64 x) {
  u64 b;
  memcpy(&b, &x, 8);
  return x == x ? b : 0x7ff8000000000000ull;
}
HDI u16 bits_of(f16 x) { return (x.bits & 0x7fff) > 0x7c00 ? 0x7e00 : x.bits; }
HDI u64 look(u8 x) { return x; }
HDI u64 look(i8 x) { return (u64)x; }
HDI u64 look(u16 x) { return x; }
HDI u64 look(i16 x) { return (u64)x; }
HDI u64 look(u32 x) { return x; }
HDI u64 look(i32 x) { return (u64)x; }
HDI u64 look(u64 x) { return x; }
HDI u64 look(i64 x) { return (u64)x; }
HDI u64 look(f32 x) { return bits_of(x); }
HDI u64 look(f64 x) { return bits_of(x); }
HDI u64 look(f16 x) { return bits_of(x); }
HDI u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 31;
}

/* ---- half precision on the host: rounds a double to nearest even ----------------------------- */
static inline u16 nearest_half(f64 x) {
  u64 b;
  memcpy(&b, &x, 8);
  const u16 sign = (u16)(b >> 48 & 0x8000);
  const int e = (int)(b >> 52 & 2047) - 1023;
  if (x != x)
    return 0x7e00;
  if (e < -26)
    return sign;
  if (e > 15)
    return sign | 0x7c00;
  const u64 m = (b & 0xfffffffffffffull) | 0x10000000000000ull;
  const int drop = e < -14 ? 42 - 14 - e : 42;
  u64 kept = m >> drop, rest = m & ((1ull << drop) - 1), half = 1ull << (drop - 1);
  kept += rest > half || (rest == half && (kept & 1));
  return (u16)(sign | (e < -14 ? kept : kept + ((u64)(e + 14) << 10)));
}
static inline f64 half_value(u16 h) {
  const int e = h >> 10 & 31, m = h & 1023;
  const f64 v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
  return h & 0x8000 ? -v : v;
}
HDI f16 of_bits(u16 b) {
  f16 h;
  h.bits = b;
  return h;
}
HDI __half H(f16 x) {
  __half h;
  memcpy(&h, &x, sizeof h);
  return h;
}
HDI f16 F(__half x) {
  f16 h;
  memcpy(&h, &x, sizeof h);
  return h;
}
HDI f16 to_f16(f64 x) { return EITHER(F(__double2half(x)), of_bits(nearest_half(x))); }
HDI f16 to_f16(f32 x) { return EITHER(F(__float2half_rn(x)), of_bits(nearest_half(x))); }
HDI f32 to_f32(f16 x) { return EITHER(__half2float(H(x)), (f32)half_value(x.bits)); }
/* Computes in double and rounds once to half. The product and sum of halves are exact in double. A
 * quotient is not exact, but rounding it twice gives the same half. */
HDI f16 add(f16 a, f16 b) {
  return EITHER(F(__hadd_rn(H(a), H(b))),
                of_bits(nearest_half(half_value(a.bits) + half_value(b.bits))));
}
HDI f16 mul(f16 a, f16 b) {
  return EITHER(F(__hmul_rn(H(a), H(b))),
                of_bits(nearest_half(half_value(a.bits) * half_value(b.bits))));
}
HDI f16 fused(f16 a, f16 b, f16 c) {
  return EITHER(
      F(__hfma(H(a), H(b), H(c))),
      of_bits(nearest_half(half_value(a.bits) * half_value(b.bits) + half_value(c.bits))));
}
HDI bool less(f16 a, f16 b) {
  return EITHER(__hlt(H(a), H(b)), half_value(a.bits) < half_value(b.bits));
}

/* ---- float and double ------------------------------------------------------------------------ */
HDI f32 add(f32 a, f32 b) { return EITHER(__fadd_rn(a, b), a + b); }
HDI f32 sub(f32 a, f32 b) { return EITHER(__fsub_rn(a, b), a - b); }
HDI f32 mul(f32 a, f32 b) { return EITHER(__fmul_rn(a, b), a * b); }
HDI f32 over(f32 a, f32 b) { return EITHER(__fdiv_rn(a, b), a / b); }
HDI f32 root(f32 a) { return EITHER(__fsqrt_rn(a), sqrtf(a)); }
HDI f32 fused(f32 a, f32 b, f32 c) { return EITHER(__fmaf_rn(a, b, c), fmaf(a, b, c)); }
HDI f64 add(f64 a, f64 b) { return EITHER(__dadd_rn(a, b), a + b); }
HDI f64 sub(f64 a, f64 b) { return EITHER(__dsub_rn(a, b), a - b); }
HDI f64 mul(f64 a, f64 b) { return EITHER(__dmul_rn(a, b), a * b); }
HDI f64 over(f64 a, f64 b) { return EITHER(__ddiv_rn(a, b), a / b); }
HDI f64 root(f64 a) { return EITHER(__dsqrt_rn(a), sqrt(a)); }
HDI f64 fused(f64 a, f64 b, f64 c) { return EITHER(__fma_rn(a, b, c), fma(a, b, c)); }
HDI bool less(f32 a, f32 b) { return a < b; }
HDI bool less(f64 a, f64 b) { return a < b; }
/* Returns the integer part if it fits into the type, otherwise 7. */
HDI i32 whole(f32 x) { return x > -2e9f && x < 2e9f ? (i32)x : 7; }
HDI i64 whole(f64 x) { return x > -9e18 && x < 9e18 ? (i64)x : 7; }
HDI i32 whole(f16 x) { return whole(to_f32(x)); }

/* ---- integers -------------------------------------------------------------------------------- */
HDI u32 high(u32 a, u32 b) { return EITHER(__umulhi(a, b), (u32)((u64)a * b >> 32)); }
HDI u64 high(u64 a, u64 b) {
  return EITHER(__umul64hi(a, b), (u64)((unsigned __int128)a * b >> 64));
}
HDI u32 count(u32 a) { return EITHER(__popc(a), __builtin_popcount(a)); }
HDI u32 zeros(u32 a) { return EITHER(__clz((i32)a), a ? __builtin_clz(a) : 32); }
HDI u32 first(u32 a) { return EITHER(__ffs((i32)a), __builtin_ffs((i32)a)); }
HDI u32 turned(u32 a, u32 n) {
  return EITHER(__funnelshift_l(a, a, n), a << (n & 31) | a >> (-n & 31));
}
HDI u64 zeros(u64 a) { return EITHER(__clzll((i64)a), a ? __builtin_clzll(a) : 64); }
HDI u32 reversed(u32 a) {
#ifdef __CUDA_ARCH__
  return __brev(a);
#else
  u32 r = 0;
  for (int i = 0; i < 32; i++)
    r |= (a >> i & 1) << (31 - i);
  return r;
#endif
}
HDI u32 permuted(u32 a, u32 b, u32 s) {
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, s);
#else
  const u64 both = (u64)b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; i++)
    r |= (u32)(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
  return r;
#endif
}
template <class T> HDI T quotient(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a / b); }
template <class T> HDI T rest(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a % b); }

/* ---- shuffles on the host -------------------------------------------------------------------- */
/* Returns the source lane of a shuffle, as the PTX manual defines it for shfl. Without a
 * source, returns `lane`. */
enum Shuffle { INDEX, UP, DOWN, XOR };
static inline u32 partner(Shuffle how, u32 lane, u32 by, u32 width) {
  const u32 low = lane & ~(width - 1), high = low + width - 1;
  const u32 to = how == INDEX  ? low + (by & (width - 1))
                 : how == UP   ? lane - by
                 : how == DOWN ? lane + by
                               : lane ^ by;
  return how == UP ? (lane < low + by ? lane : to) : how == INDEX || to <= high ? to : lane;
}

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorName(error));
    exit(1);
  }
}
#define CHECK(call) check(call, #call)

static u32 words[WORDS];
static u64 device_hash[THREADS * 4], host_hash[THREADS * 4];
static int compare(int number, int only) {
  u64 h = 0;
  int wrong = -1;
  for (int t = 0; t < THREADS; t++) {
    h = mix(h, device_hash[t]);
    if (device_hash[t] != host_hash[t] && wrong < 0)
      wrong = t;
    if (only >= 0)
      printf("thread %d %016llx host %016llx\n", t, device_hash[t], host_hash[t]);
  }
  printf("kernel %d: %016llx\n", number, h);
  if (wrong >= 0)
    printf("kernel %d is not the host's, first in thread %d\n", number, wrong);
  return wrong >= 0;
}
