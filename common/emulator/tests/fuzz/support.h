/* The header that generated programs include: short names of types, helper functions that are
 * defined for all operands, functions that print values (all NaNs are printed alike), inputs,
 * outputs and launches. main.c explains how to find the cause of a difference. */
#ifdef __clang__ // generated statements have unused variables and constant conditions
#pragma clang diagnostic ignored "-Weverything"
#endif
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
#define LENGTH(array) (int)(sizeof array / sizeof *array)
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
D u32 word(f32 x) { return isnan(x) ? 0x7fc00000u : __float_as_uint(x); }
D u64 word(f64 x) { return isnan(x) ? 0x7ff8000000000000ull : (u64)__double_as_longlong(x); }
#define WHOLE(T)                                                                                   \
  D u64 word64(T x) { return (u64)x; }                                                             \
  D u64 raw(T x) { return (u64)x; }                                                                \
  HD void of_seed(u64 seed, T &x) {                                                                \
    x = seed & 64 ? (T)(seed >> 20) : (T)((i64)(seed >> 32) % 9 - 4);                              \
  }
WHOLE(u8)
WHOLE(i8)
WHOLE(u16)
WHOLE(i16)
WHOLE(u32)
WHOLE(i32)
WHOLE(u64)
WHOLE(i64)
D u64 word64(f32 x) { return word(x); }
D u64 word64(f64 x) { return word(x); }
D u64 raw(f32 x) { return word(x); }
D u64 raw(f64 x) { return word(x); }
HD void of_seed(u64 seed, f32 &x) {
  x = (f32)((i32)(seed >> 33) % 100000) * (seed & 1 ? 0.25f : 1048576.0f);
}
HD f64 scaled(f64 x, f64 by) { /* a product that is not fused with an addition */
#ifdef __CUDA_ARCH__
  return __dmul_rn(x, by);
#else
  return x * by;
#endif
}
HD void of_seed(u64 seed, f64 &x) { x = scaled((f64)((i64)seed >> 12), seed & 1 ? 0.125 : 1e-9); }
template <class T> D T of_raw(u64 bits) { return (T)bits; }
template <> __device__ __forceinline__ f32 of_raw<f32>(u64 bits) {
  return __uint_as_float((u32)bits);
}
template <> __device__ __forceinline__ f64 of_raw<f64>(u64 bits) {
  return __longlong_as_double((i64)bits);
}
#ifdef HAS_HALF
typedef __half f16;
D u16 word(f16 x) { return __hisnan(x) ? 0x7e00 : __half_as_ushort(x); }
D u64 word64(f16 x) { return word(x); }
D u64 raw(f16 x) { return word(x); }
HD void of_seed(u64 seed, f16 &x) {
  x = __float2half_rn((f32)((i32)(seed >> 33) % 4000) * 0.03125f);
}
template <> __device__ __forceinline__ f16 of_raw<f16>(u64 bits) {
  return __ushort_as_half((u16)bits);
}
D half2 halves(f16 low, f16 high) { return __halves2half2(low, high); }
D f16 unsigned_zero(f16 x) { return (__half_as_ushort(x) & 0x7fff) ? x : __ushort_as_half(0); }
#endif
#ifdef HAS_BF16
typedef __nv_bfloat16 bf16;
D u16 word(bf16 x) { return __hisnan(x) ? 0x7fc0 : __bfloat16_as_ushort(x); }
D u64 word64(bf16 x) { return word(x); }
D u64 raw(bf16 x) { return word(x); }
HD void of_seed(u64 seed, bf16 &x) {
  x = __float2bfloat16_rn((f32)((i32)(seed >> 33) % 500) * 0.25f);
}
template <> __device__ __forceinline__ bf16 of_raw<bf16>(u64 bits) {
  return __ushort_as_bfloat16((u16)bits);
}
D __nv_bfloat162 bfloats(bf16 low, bf16 high) { return __halves2bfloat162(low, high); }
D bf16 unsigned_zero(bf16 x) {
  return (__bfloat16_as_ushort(x) & 0x7fff) ? x : __ushort_as_bfloat16(0);
}
#endif
template <class T> HD T from_seed(u64 seed) {
  T x;
  of_seed(seed, x);
  return x;
}
HD u64 next_of(u64 seed) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return seed ^ seed >> 29;
}

/* ---- operations that the rows use ------------------------------------------------------------ */
D f32 float_of(u32 bits) { return __uint_as_float(bits); }
D f64 double_of(u64 bits) { return __longlong_as_double((i64)bits); }
D f32 clean(f32 x) { return __uint_as_float(word(x)); }
D f64 clean(f64 x) { return __longlong_as_double((i64)word(x)); }
D f32 unsigned_zero(f32 x) { return x == 0 ? 0 : x; }
D f64 unsigned_zero(f64 x) { return x == 0 ? 0 : x; }
D i32 absolute(i32 x) { return x == (i32)0x80000000 ? 0 : abs(x); }
D i32 binary_order(f32 x) { return ilogbf(x); }
template <class T> D T quotient(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a / b); }
template <class T> D T rest(T a, T b) { return b == 0 || b == (T)-1 ? (T)~a : (T)(a % b); }
template <class T> D T smaller(T a, T b) { return a < b ? a : b; }
template <class T> D T larger(T a, T b) { return a > b ? a : b; }
template <class T> D T rotated(T a, u32 n) {
  const u64 bits = (u64)a & (~0ull >> (64 - 8 * sizeof(T)));
  n &= 8 * sizeof(T) - 1;
  return (T)(bits << n | bits >> ((8 * sizeof(T) - n) & (8 * sizeof(T) - 1)));
}
D u32 of_bytes(uchar4 v) { return v.x | v.y << 8 | v.z << 16 | (u32)v.w << 24; }
D u64 of_words(uint2 v) { return v.x ^ (u64)v.y << 32; }
D u32 carried(u32 a, u32 b, u32 c, u32 d) {
  u32 x, y, z;
  asm("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %5, %6; madc.hi.u32 %2, %3, %5, 0;"
      : "=&r"(x), "=&r"(y), "=&r"(z)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return x ^ y * 3u ^ z * 5u;
}
D u64 borrowed(u64 a, u64 b, u64 c) {
  u64 x, y;
  asm("sub.cc.u64 %0, %2, %3; subc.u64 %1, %4, 0;" : "=&l"(x), "=&l"(y) : "l"(a), "l"(b), "l"(c));
  return x ^ y;
}
D u32 branchy(u32 a, u32 b) {
  u32 r;
  asm("{ .reg .pred p, q; setp.gt.u32 p, %1, %2; and.b32 %0, %1, 5; setp.ne.and.u32 q, %0, 0, p; "
      "@p add.u32 %0, %0, %2; @!q mul.lo.u32 %0, %0, 7; selp.u32 %0, %0, %1, p; }"
      : "=&r"(r)
      : "r"(a), "r"(b));
  return r;
}
D i32 nested(i32 a, u32 b) { return a < 0 ? (b & 1 ? -a : a / 2) : b > 9 ? a % 7 : a * 3; }
D f32 mantissa(f32 x) {
  int e = 0;
  const f32 m = frexpf(isfinite(x) ? x : 1.5f, &e);
  return m + (f32)e;
}
D f64 mantissa(f64 x) {
  int e = 0;
  const f64 m = frexp(isfinite(x) ? x : 1.5, &e);
  return m + e;
}
D f32 fraction(f32 x) {
  f32 whole;
  const f32 rest = modff(isfinite(x) ? x : 2.5f, &whole);
  return __fsub_rn(whole, rest);
}
D f64 fraction(f64 x) {
  f64 whole;
  const f64 rest = modf(isfinite(x) ? x : 2.5, &whole);
  return __dsub_rn(whole, rest);
}
D f32 length2(const float4 v) {
  return __fmaf_rn(v.x, v.x, __fmaf_rn(v.y, v.y, __fmaf_rn(v.z, v.z, __fmul_rn(v.w, v.w))));
}
template <class T> __device__ __noinline__ void exchange(T *a, T *b) {
  const T old = *a;
  *a = *b;
  *b = old;
}
template <class T> __device__ __noinline__ bool bumped(T *x, u32 by) {
  *x = (T)((u32)*x * 5u + by);
  return *x & 8;
}
D void clamped_add(u32 *p, u32 v) { /* saturates, so the order of threads does not matter */
  u32 seen = atomicAdd(p, 0), old;
  do {
    old = seen;
    seen = atomicCAS(p, old, old + v > 0x8000000u ? 0x8000000u : old + v);
  } while (seen != old);
}

/* nvcc 13 assumes that __mul24 does not overflow. Before compute capability 9.0, it also assumes
 * this of the upper half of __vsubus2. These functions avoid the overflow. */
D i32 product24(i32 a, i32 b) {
  const i64 product = (i64)(a << 8 >> 8) * (b << 8 >> 8);
  return product == (i32)product ? __mul24(a, b) : (i32)product;
}
D u32 clamped_differences(u32 a, u32 b) {
#if !defined(__clang__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  const u32 low = (a & 0xffff) > (b & 0xffff) ? (a & 0xffff) - (b & 0xffff) : 0;
  return low | (a >> 16 > b >> 16 ? (a >> 16) - (b >> 16) : 0) << 16;
#else
  return __vsubus2(a, b);
#endif
}
#define __mul24 product24
#define __vsubus2 clamped_differences

/* ---- lanes ----------------------------------------------------------------------------------- */
D u32 nth_lane(u32 mask, u32 n) {
  for (n %= __popc(mask); n; n--)
    mask &= mask - 1;
  return __ffs((i32)mask) - 1;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REDUCED(name, T, ptx, builtin)                                                             \
  D T name(u32 mask, T v) { return builtin(mask, v); }
#else
#define REDUCED(name, T, ptx, builtin)                                                             \
  D T name(u32 mask, T v) {                                                                        \
    T r;                                                                                           \
    asm volatile("redux.sync." ptx " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));                  \
    return r;                                                                                      \
  }
#endif
REDUCED(reduced_add, u32, "add.u32", __reduce_add_sync)
REDUCED(reduced_min, u32, "min.u32", __reduce_min_sync)
REDUCED(reduced_max, u32, "max.u32", __reduce_max_sync)
REDUCED(reduced_and, u32, "and.b32", __reduce_and_sync)
REDUCED(reduced_or, u32, "or.b32", __reduce_or_sync)
REDUCED(reduced_xor, u32, "xor.b32", __reduce_xor_sync)
REDUCED(reduced_min_signed, i32, "min.s32", __reduce_min_sync)
REDUCED(reduced_max_signed, i32, "max.s32", __reduce_max_sync)

#ifdef HAS_GROUPS
template <class Tile, class S> D S shuffled(const Tile &tile, const S &s, u32 from) {
  if constexpr (sizeof(S) <= 32) /* types that cooperative groups accept */
    return tile.shfl(s, from);
  return s;
}
#endif

/* ---- memory: inputs, memory of each thread, shared sums -------------------------------------- */
enum {
  MOST = 512,
  OWN = 32,
  SUMS = 144,
  SUMS64 = 80,
  SHARED_BYTES = 24576,
  STRUCT_BYTES = 160,
  KINDS = 3
};
struct In {
  const u32 *words;
  const u64 *longs;
  const f32 *floats;
  const f64 *doubles;
  const u16 *shorts;
  const u8 *bytes;
  const u64 *before;
  u64 *out, *board;
  u32 *own, *sums;
  u64 *sums64;
  f32 *float_sums;
  f64 *double_sums;
  u16 *half_sums;
  u8 *structs;
  u32 count;
  cudaTextureObject_t line, image, picture, bytes4, volume, shades;
};
#define THREAD                                                                                     \
  const u32 tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);             \
  const u32 nthr = blockDim.x * blockDim.y * blockDim.z, lane = tid % 32;                          \
  const u32 gid = tid + nthr * (blockIdx.x + gridDim.x * blockIdx.y);                              \
  const u32 in_warp = min(32u, nthr - tid / 32 * 32);                                              \
  const u32 wm = in_warp == 32 ? ~0u : (1u << in_warp) - 1;                                        \
  (void)lane, (void)wm
/* Each part of a thread's memory is accessed with only one type. */
#define OWN_WORDS (in.own + gid * OWN)
#define OWN_LONGS ((u64 *)(in.own + gid * OWN + 8))
#define OWN_FLOATS ((f32 *)(in.own + gid * OWN + 16))
#define OWN_SHORTS ((u16 *)(in.own + gid * OWN + 20))
#define OWN_BYTES ((u8 *)(in.own + gid * OWN + 24))
#define OWN_QUAD ((uint4 *)(in.own + gid * OWN + 28))
#define OWN_STRUCT(S, kind) (*(S *)(in.structs + (gid * KINDS + (kind)) * STRUCT_BYTES))

#ifdef SEE
enum { SEEN = 400 };
struct Seen {
  u64 value;
  u32 number;
};
__device__ Seen seen[MOST][SEEN];
__device__ u32 nseen[MOST];
template <class T> __device__ __noinline__ T see(u32 number, T value) {
  const u32 t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) +
                blockDim.x * blockDim.y * blockDim.z * (blockIdx.x + gridDim.x * blockIdx.y);
  if (nseen[t] < SEEN) {
    seen[t][nseen[t]].value = word64(value);
    seen[t][nseen[t]++].number = number;
  }
  return value;
}
#undef SEE
#define SEEING
#define SEE(number, ...) see(number, (__VA_ARGS__))
#else
#define SEE(number, ...) (__VA_ARGS__)
#endif

/* ---- host code ------------------------------------------------------------------------------- */
static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  printf("%s: %s\n", what, cudaGetErrorName(error));
  fflush(stdout);
  _exit(1);
}
#define CHECK(call) check(call, #call)

static int only = -1, threads, mode, nkernels_here, launched;
static bool prints;
static In device;
static u64 *managed[2], *plain[2];
static cudaStream_t streams[2];
static cudaEvent_t event;
static u8 inputs[8192], hosts[MOST * OWN * 4];
#ifdef HAS_TEXTURES
static cudaArray_t arrays[5];
static void *pitched;
#endif

static u64 host_chance() {
  static u64 s = 88172645463325252ull;
  s = next_of(s);
  return s ^ s >> 33;
}
template <class T> static const T *input(size_t bytes, bool floating) {
  T *there;
  for (size_t i = 0; i < bytes / 8; i++) {
    u64 r = host_chance();
    r = floating     ? sizeof(T) == 4 ? (r & 0x87ffffff87ffffffull) + 0x3c0000003c000000ull
                                      : (r & 0x81ffffffffffffffull) + 0x3f00000000000000ull
        : i % 4 == 1 ? r >> 60
                     : r;
    memcpy(inputs + 8 * i, &r, 8);
  }
  CHECK(cudaMalloc((void **)&there, bytes));
  CHECK(cudaMemcpy(there, inputs, bytes, cudaMemcpyHostToDevice));
  return there;
}
template <class T> static T *output(size_t bytes) {
  T *there;
  CHECK(cudaMalloc((void **)&there, bytes));
  return there;
}

#ifdef HAS_TEXTURES
static cudaTextureObject_t texture(const cudaResourceDesc &resource, cudaTextureAddressMode x,
                                   cudaTextureAddressMode y, cudaTextureFilterMode filter,
                                   cudaTextureReadMode read, bool normalised) {
  cudaTextureDesc t;
  memset(&t, 0, sizeof t);
  t.addressMode[0] = x;
  t.addressMode[1] = t.addressMode[2] = y;
  t.filterMode = filter;
  t.readMode = read;
  t.normalizedCoords = normalised;
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &t, nullptr));
  return object;
}
template <class T>
static cudaResourceDesc array_of(int number, int width, int height, int depth, const void *texels) {
  cudaResourceDesc r;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  if (depth) {
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    CHECK(cudaMalloc3DArray(&arrays[number], &format, make_cudaExtent(width, height, depth)));
    copy.srcPtr = make_cudaPitchedPtr((void *)texels, width * sizeof(T), width, height);
    copy.dstArray = arrays[number];
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  } else {
    const size_t rows = height ? height : 1;
    CHECK(cudaMallocArray(&arrays[number], &format, width, height));
    CHECK(cudaMemcpy2DToArray(arrays[number], 0, 0, texels, width * sizeof(T), width * sizeof(T),
                              rows, cudaMemcpyHostToDevice));
  }
  r.res.array.array = arrays[number];
  return r;
}
static void make_textures() {
  static f32 wholes[4 * 32 * 16], reals[64 * 32];
  for (int i = 0; i < 4 * 32 * 16; i++)
    wholes[i] = (f32)((i32)(host_chance() % 2001) - 1000);
  for (int i = 0; i < 64 * 32; i++)
    reals[i] = (f32)((i32)(host_chance() % 200001) - 100000) / 64;
  for (size_t i = 0; i < sizeof inputs; i++)
    inputs[i] = (u8)(host_chance() >> 8);
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = (void *)device.floats;
  r.res.linear.desc = cudaCreateChannelDesc<f32>();
  r.res.linear.sizeInBytes = 4096;
  device.line = texture(r, cudaAddressModeClamp, cudaAddressModeClamp, cudaFilterModePoint,
                        cudaReadModeElementType, false);
  device.image =
      texture(array_of<f32>(0, 64, 32, 0, reals), cudaAddressModeClamp, cudaAddressModeBorder,
              cudaFilterModePoint, cudaReadModeElementType, false);
  device.picture =
      texture(array_of<float4>(1, 32, 16, 0, wholes), cudaAddressModeWrap, cudaAddressModeMirror,
              cudaFilterModeLinear, cudaReadModeElementType, true);
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 32 * 4, 16));
  CHECK(cudaMemcpy2D(pitched, pitch, inputs, 32 * 4, 32 * 4, 16, cudaMemcpyHostToDevice));
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = pitched;
  r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  r.res.pitch2D.width = 32;
  r.res.pitch2D.height = 16;
  r.res.pitch2D.pitchInBytes = pitch;
  device.bytes4 = texture(r, cudaAddressModeBorder, cudaAddressModeClamp, cudaFilterModePoint,
                          cudaReadModeElementType, false);
  device.volume =
      texture(array_of<short2>(2, 16, 8, 4, inputs + 2048), cudaAddressModeClamp,
              cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, false);
  device.shades =
      texture(array_of<u8>(3, 64, 0, 0, inputs), cudaAddressModeBorder, cudaAddressModeClamp,
              cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
}
#endif

static void prepare(int argc, char **argv) {
  only = argc > 1 ? atoi(argv[1]) : -1;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  device.words = input<u32>(4096, false);
  device.longs = input<u64>(4096, false);
  device.floats = input<f32>(4096, true);
  device.doubles = input<f64>(4096, true);
  device.shorts = input<u16>(4096, false);
  device.bytes = input<u8>(4096, false);
  device.board = output<u64>(MOST * 8);
  device.own = output<u32>(MOST * OWN * 4);
  device.sums = output<u32>(SUMS * 4);
  device.sums64 = output<u64>(SUMS64 * 8);
  device.float_sums = output<f32>(64);
  device.double_sums = output<f64>(128);
  device.half_sums = output<u16>(64);
  device.structs = output<u8>(MOST * KINDS * STRUCT_BYTES);
  for (int i = 0; i < 2; i++) {
    plain[i] = output<u64>(MOST * 8);
    CHECK(cudaMallocManaged((void **)&managed[i], MOST * 8));
    CHECK(cudaStreamCreate(&streams[i]));
  }
  CHECK(cudaEventCreate(&event));
#ifdef HAS_TEXTURES
  make_textures();
#endif
}
static bool wanted(int number) { return only < 0 || only == number; }

/* Redirects the output of kernels to a file, which is sorted later, because the order of the output
 * is not defined. */
static int terminal = -1;
static FILE *printed;
static void divert() {
  fflush(stdout);
  printed = tmpfile();
  terminal = dup(1);
  dup2(fileno(printed), 1);
}
static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
static u64 returned() {
  static char text[1 << 20], *lines[1 << 14];
  fflush(stdout);
  dup2(terminal, 1);
  close(terminal);
  rewind(printed);
  text[fread(text, 1, sizeof text - 1, printed)] = 0;
  fclose(printed);
  int n = 0;
  for (char *l = strtok(text, "\n"); l && n < 1 << 14; l = strtok(nullptr, "\n"))
    lines[n++] = l;
  qsort(lines, n, sizeof *lines, by_text);
  u64 h = n;
  for (int i = 0; i < n; i++) {
    if (only >= 0)
      printf("printed %s\n", lines[i]);
    for (const char *c = lines[i]; *c; c++)
      h = mix(h, (u8)*c);
  }
  return h;
}

/* `how` selects how the next kernel gets the results. 0: it is in the same stream. 1: it is in
 * another stream, which waits for an event. 2: it gets a copy. 3: the results are in managed
 * memory, and the host changes some of them. */
static In begin(int n, int how, int nkernels, bool kernels_print = false) {
  In in = device;
  threads = n, mode = how, prints = kernels_print, nkernels_here = nkernels, launched = 0;
  u64 **buffers = mode == 3 ? managed : plain;
  in.count = n;
  in.before = buffers[0];
  in.out = buffers[1];
  u64 *first = (u64 *)hosts;
  for (int i = 0; i < n; i++)
    first[i] = next_of(i);
  CHECK(cudaMemcpy(buffers[0], first, n * 8, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(buffers[1], 0x33, n * 8));
  CHECK(cudaMemset(in.board, 0, n * 8));
  for (int i = 0; i < n * OWN; i++) {
    const u32 v = (u32)i * 0x85ebca6bu;
    memcpy(hosts + 4 * i, &v, 4);
  }
  for (int i = 0; i < n; i++)
    for (int j = 16; j < 20; j++) {
      const f32 v = (f32)(i % 100 + j);
      memcpy(hosts + 4 * (i * OWN + j), &v, 4);
    }
  CHECK(cudaMemcpy(in.own, hosts, n * OWN * 4, cudaMemcpyHostToDevice));
  for (u32 i = 0; i < SUMS; i++) {
    const u32 v = i < 16 || i >= 128 ? i : i < 96 ? i * 0x9e3779b9u : i % 8;
    memcpy(hosts + 4 * i, &v, 4);
  }
  CHECK(cudaMemcpy(in.sums, hosts, SUMS * 4, cudaMemcpyHostToDevice));
  for (u64 i = 0; i < SUMS64; i++) {
    const u64 v = i * 0x9e3779b97f4a7c15ull;
    memcpy(hosts + 8 * i, &v, 8);
  }
  CHECK(cudaMemcpy(in.sums64, hosts, SUMS64 * 8, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(in.float_sums, 0, 64));
  CHECK(cudaMemset(in.double_sums, 0, 128));
  CHECK(cudaMemset(in.half_sums, 0, 64));
  CHECK(cudaMemset(in.structs, 0, (size_t)n * KINDS * STRUCT_BYTES));
#ifdef SEEING
  static const u32 none[MOST] = {0};
  CHECK(cudaMemcpyToSymbol(nseen, none, sizeof none));
#endif
  CHECK(cudaDeviceSynchronize()); /* non-blocking streams do not wait for the copy */
  if (prints)
    divert();
  return in;
}
static cudaStream_t stream_of(int number) { return mode == 1 ? streams[number % 2] : nullptr; }
template <class... P, class... A>
static void launch(bool cooperative, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared,
                   A... values) {
  cudaStream_t stream = stream_of(launched);
  if (cooperative) {
    void *all[] = {(void *)&values...};
    CHECK(cudaLaunchCooperativeKernel((const void *)kernel, grid, block, all, shared, stream));
  } else {
    kernel<<<grid, block, shared, stream>>>(values...);
  }
  launched++;
}
static void next(In &in, int number) {
  u64 *read = (u64 *)in.before;
  if (mode == 1) {
    CHECK(cudaEventRecord(event, streams[(launched - 1) % 2]));
    CHECK(cudaStreamWaitEvent(streams[launched % 2], event, 0));
  }
  if (mode == 2) {
    CHECK(cudaMemcpyAsync(read, in.out, threads * 8, cudaMemcpyDeviceToDevice));
    return;
  }
  if (mode == 3) {
    CHECK(cudaDeviceSynchronize());
    for (int i = number; i < threads; i += 3)
      in.out[i] = in.out[i] * 3 + i;
  }
  in.before = in.out;
  in.out = read;
}
template <class T> static void change(T &symbol) {
  u32 values[sizeof(T) / 4];
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(values, symbol, sizeof values));
  for (size_t i = 0; i < sizeof values / 4; i++)
    values[i] = values[i] * 5 + (u32)i;
  CHECK(cudaMemcpyToSymbol(symbol, values, sizeof values));
}

/* ---- the hash -------------------------------------------------------------------------------- */
static u64 hashed(u64 h, const char *name, const void *there, size_t bytes, int unit) {
  CHECK(cudaMemcpy(hosts, there, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < bytes / unit; i++) {
    u64 v = 0;
    memcpy(&v, hosts + i * unit, unit);
    h = mix(h, v);
    if (only >= 0)
      printf("%s %d %0*llx\n", name, (int)i, 2 * unit, v);
  }
  return h;
}
static void finish(int number) {
  char name[32];
  snprintf(name, sizeof name, "kernel %d", number);
  check(cudaGetLastError(), name);
  const cudaError_t error = cudaDeviceSynchronize();
  u64 h = prints ? returned() : 0;
  check(error, name);
  const bool swapped = mode != 2 && nkernels_here % 2 == 0;
  u64 **buffers = mode == 3 ? managed : plain;
  h = hashed(h, "out", buffers[!swapped], threads * 8, 8);
  h = hashed(h, "before", buffers[swapped], threads * 8, 8);
  h = hashed(h, "own", device.own, threads * OWN * 4, 4);
  h = hashed(h, "sum", device.sums, SUMS * 4, 4);
  h = hashed(h, "sum64", device.sums64, SUMS64 * 8, 8);
  h = hashed(h, "float sum", device.float_sums, 64, 4);
  h = hashed(h, "double sum", device.double_sums, 128, 8);
  h = hashed(h, "half sum", device.half_sums, 64, 2);
#ifdef SEEING
  static Seen all[MOST][SEEN];
  static u32 n[MOST];
  CHECK(cudaMemcpyFromSymbol(all, seen, sizeof all));
  CHECK(cudaMemcpyFromSymbol(n, nseen, sizeof n));
  for (int t = 0; only >= 0 && t < threads; t++)
    for (u32 i = 0; i < n[t]; i++)
      printf("see %d #%d %llx\n", t, (int)all[t][i].number, all[t][i].value);
#endif
  printf("kernel %d: %016llx\n", number, h);
  fflush(stdout);
}

static int release() {
  const void *all[] = {device.words,     device.longs,   device.floats,     device.doubles,
                       device.shorts,    device.bytes,   device.board,      device.own,
                       device.sums,      device.sums64,  device.float_sums, device.double_sums,
                       device.half_sums, device.structs, plain[0],          plain[1],
                       managed[0],       managed[1]};
#ifdef HAS_TEXTURES
  const cudaTextureObject_t objects[] = {device.line,   device.image,  device.picture,
                                         device.bytes4, device.volume, device.shades};
  for (int i = 0; i < LENGTH(objects); i++)
    CHECK(cudaDestroyTextureObject(objects[i]));
  for (int i = 0; i < 4; i++)
    CHECK(cudaFreeArray(arrays[i]));
  CHECK(cudaFree(pitched));
#endif
  for (int i = 0; i < LENGTH(all); i++)
    CHECK(cudaFree((void *)all[i]));
  for (int i = 0; i < 2; i++)
    CHECK(cudaStreamDestroy(streams[i]));
  CHECK(cudaEventDestroy(event));
  return 0;
}
