/* The header that programs of fuzz_idioms include: short names of types, small functions that are
 * defined for all operands, inputs, and a hash of results that ignores padding and the payloads of
 * NaNs. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#ifdef HAS_HALF
#include <cuda_fp16.h>
#endif
#ifdef HAS_BF16
#include <cuda_bf16.h>
#endif
#ifdef HAS_GROUPS
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#endif
#include <cuda_runtime.h>

#define D static __device__ __forceinline__
#define HD static __host__ __device__ __forceinline__
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

/* ---- values as bits -------------------------------------------------------------------------- */
HD u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 31;
}
D f32 clean(f32 x) { return isnan(x) ? __uint_as_float(0x7fc00000u) : x; }
D f64 clean(f64 x) { return isnan(x) ? __longlong_as_double(0x7ff8000000000000ll) : x; }
#define WHOLE(T)                                                                                   \
  HD u64 bits(T x) { return (u64)x; }
WHOLE(bool)
WHOLE(char)
WHOLE(u8)
WHOLE(i8)
WHOLE(u16)
WHOLE(i16)
WHOLE(u32)
WHOLE(i32)
WHOLE(u64)
WHOLE(i64)
HD u64 bits(f32 x) {
  u32 b;
  memcpy(&b, &x, 4);
  return x != x ? 0x7fc00000u : b;
}
HD u64 bits(f64 x) {
  u64 b;
  memcpy(&b, &x, 8);
  return x != x ? 0x7ff8000000000000ull : b;
}
#ifdef HAS_HALF
typedef __half f16;
D u64 bits(f16 x) { return __hisnan(x) ? 0x7e00 : __half_as_ushort(x); }
#endif
#ifdef HAS_BF16
typedef __nv_bfloat16 bf16;
D u64 bits(bf16 x) { return __hisnan(x) ? 0x7fc0 : __bfloat16_as_ushort(x); }
#endif

template <class T> D T whole(T v) { return v; }
D u32 whole(f32 v) { return __float_as_uint(clean(v)); }
D u64 whole(f64 v) { return (u64)__double_as_longlong(clean(v)); }

/* ---- functions for expressions --------------------------------------------------------------- */
template <class T> D T smaller(T a, T b) { return b < a ? b : a; }
template <class T> D T larger(T a, T b) { return a < b ? b : a; }
template <class T> D T select(bool c, const T &a, const T &b) { return c ? a : b; }
template <class T> D T quotient(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a / b); }
template <class T> D T rest(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a % b); }
template <class T> D u64 unsigned_of(T a) { return (u64)a & (~0ull >> (64 - 8 * sizeof(T))); }
template <class T> D T rotated(T a, u32 n) {
  constexpr u32 width = 8 * sizeof(T);
  n %= width;
  return (T)(unsigned_of(a) << n | unsigned_of(a) >> ((width - n) % width));
}
template <class T> D T power(T a, u32 n) {
  u64 product = 1, square = (u64)a;
  for (; n; n >>= 1, square *= square)
    if (n & 1)
      product *= square;
  return (T)product;
}
template <class T> __device__ __noinline__ T gcd_of(T a, T b) {
  u64 x = unsigned_of(a) & 0xffff, y = unsigned_of(b) & 0xffff;
  while (y) {
    const u64 next = x % y;
    x = y;
    y = next;
  }
  return (T)x;
}
template <class T> D T swap_bytes(T a) {
  u64 x = unsigned_of(a), y = 0;
#pragma unroll
  for (unsigned i = 0; i < sizeof(T); i++, x >>= 8)
    y = y << 8 | (x & 255);
  return (T)y;
}
template <class T> D T bits_reversed(T a) {
  return (T)(__brevll(unsigned_of(a)) >> (64 - 8 * sizeof(T)));
}
template <class T> D T average(T a, T b) { return (T)((a & b) + ((T)(a ^ b) >> 1)); }
/* Returns the value of type T that is nearest to any integer. */
template <class T, class U> D T clamp_to(U v) {
  constexpr bool is_signed = (T)-1 < (T)1;
  constexpr u64 most = ~0ull >> (64 - 8 * sizeof(T) + is_signed);
  if (v < (U)0 && (U)-1 < (U)1) {
    if (!is_signed)
      return 0;
    const i64 least = -(i64)most - 1;
    return (i64)v < least ? (T)least : (T)v;
  }
  return (u64)v > most ? (T)most : (T)v;
}
D f32 finite_float(u32 u) { return __uint_as_float((u & 0x87ffffff) + 0x3c000000); }
D f64 finite_double(u64 u) {
  return __longlong_as_double((i64)((u & 0x81ffffffffffffffull) + 0x3f00000000000000ull));
}
D u32 shift_left(u32 a, u32 n) {
  u32 r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
  return r;
}
D u32 shift_right(u32 a, u32 n) {
  u32 r;
  asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
  return r;
}

/* ---- host code ------------------------------------------------------------------------------- */
static int only = -1;
static u64 hash, shown;
static void check(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  printf("%s: %s\n", call, cudaGetErrorName(error));
  fflush(stdout);
  _exit(1);
}
#define CHECK(call) check(call, #call)

static u64 next_of(u64 seed) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return seed ^ seed >> 29;
}
template <class T> static T from_seed(u64 seed) {
  if ((T)0.5 != (T)0)
    return (T)((f64)((i64)(seed >> 34) - (1 << 29)) / (seed & 1 ? 64 : 1 << 20));
  return seed & 64 ? (T)(seed >> 20) : (T)((i64)(seed >> 32) % 9 - 4);
}

/* Device memory that is freed at the end of its scope. */
template <class T> struct Buffer {
  T *data = nullptr;
  int count;
  explicit Buffer(int n) : count(n) {
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemset(data, 0, n * sizeof(T)));
  }
  Buffer(int n, u64 seed) : Buffer(n) {
    T *host = new T[n];
    for (int i = 0; i < n; i++)
      host[i] = from_seed<T>(seed = next_of(seed));
    CHECK(cudaMemcpy(data, host, n * sizeof(T), cudaMemcpyHostToDevice));
    delete[] host;
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { CHECK(cudaFree(data)); }
  operator T *() const { return data; }
};

template <class T> static void show_host(const T *values, int n) {
  for (int i = 0; i < n; i++) {
    const u64 b = bits(values[i]);
    if (only >= 0)
      printf("  %llu %016llx\n", shown, b);
    hash = mix(hash, b + ++shown);
  }
}
template <class T> static void show(const T *values, int n) {
  T *host = new T[n];
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, values, n * sizeof(T), cudaMemcpyDeviceToHost));
  show_host(host, n);
  delete[] host;
}
template <class T> static void show(const Buffer<T> &b) { show(b.data, b.count); }

static void begin(int argc, char **argv) {
  only = argc > 1 ? atoi(argv[1]) : -1;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
}
static bool wanted(int k) { return only < 0 || only == k; }
static void done(int k) {
  CHECK(cudaDeviceSynchronize());
  printf("kernel %d: %016llx\n", k, hash);
  fflush(stdout);
  hash = shown = 0;
}
