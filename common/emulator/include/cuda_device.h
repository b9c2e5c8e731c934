/* The device side of CUDA for clang without the toolkit. This header is C++, because .cu files are
 * compiled as C++.
 *
 * clang has headers for threadIdx, shuffles, votes and math functions in the global namespace and
 * in std. Some declarations of the toolkit must precede these headers or be between them. The order
 * is: forward declarations of the device overloads, <cmath>, and then the overloads. The rest of
 * this header defines what the toolkit's headers define: atomics, min and max, and kernel launches.
 */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

/* The release of the toolkit that is reported to programs. */
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
/* cub uses this name for cudaDeviceSynchronize in kernels. No kernel on the emulated device
 * executes such a call. */
#define __cudaDeviceSynchronizeDeprecationAvoidance cudaDeviceSynchronize
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif
/* With nodebug, a report about an access names a line of the program instead of a line of these
 * headers. */
#include "host_defines.h"
#undef __device__
#define __device__ __attribute__((device, nodebug))

#include <__clang_cuda_math_forward_declares.h>
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
/* The toolkit includes these headers, and programs use them without an #include of their own. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <utility>

#include "vector_functions.h"
#define device device, nodebug /* the next header writes __attribute__((device)) */
#include <__clang_cuda_builtin_vars.h>
#undef device

typedef unsigned int cuuint32_t;

/* clang 14 assumes that barriers and fences write only variables whose address is taken, and moves
 * loads of shared arrays across them. An asm statement that clobbers memory prevents this. */
#if __clang_major__ < 15
__device__ static inline __attribute__((always_inline)) void cuda_keep_order() {
  __asm__ volatile("" ::: "memory");
}
#define CUDA_ORDERED(call) (cuda_keep_order(), call, cuda_keep_order())
#define CUDA_ORDERED_INT(call)                                                                     \
  __extension__({                                                                                  \
    cuda_keep_order();                                                                             \
    int result_ = call;                                                                            \
    cuda_keep_order();                                                                             \
    result_;                                                                                       \
  })
__device__ static inline __attribute__((always_inline)) void cuda_syncthreads() {
  CUDA_ORDERED(__syncthreads());
}
#define __syncthreads() cuda_syncthreads()
#define __nvvm_bar0_and(a) CUDA_ORDERED_INT(__nvvm_bar0_and(a))
#define __nvvm_bar0_or(a) CUDA_ORDERED_INT(__nvvm_bar0_or(a))
#define __nvvm_bar0_popc(a) CUDA_ORDERED_INT(__nvvm_bar0_popc(a))
#define __nvvm_bar_warp_sync(mask) CUDA_ORDERED(__nvvm_bar_warp_sync(mask))
#define __nvvm_barrier_sync(id) CUDA_ORDERED(__nvvm_barrier_sync(id))
#define __nvvm_barrier_sync_cnt(id, n) CUDA_ORDERED(__nvvm_barrier_sync_cnt(id, n))
#define __nvvm_membar_gl() CUDA_ORDERED(__nvvm_membar_gl())
#define __nvvm_membar_cta() CUDA_ORDERED(__nvvm_membar_cta())
#define __nvvm_membar_sys() CUDA_ORDERED(__nvvm_membar_sys())
#endif

/* Renames the functions without a mask that clang declares. They are defined below. */
#define __shfl cuda_shfl
#define __shfl_up cuda_shfl_up
#define __shfl_down cuda_shfl_down
#define __shfl_xor cuda_shfl_xor
#define __any cuda_any
#define __all cuda_all
#define __ballot cuda_ballot

#include "cuda_libdevice.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

/* ---- printf, assert and the heap in kernels -------------------------------------------------- */
extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *condition, const char *file, unsigned line,
                             const char *function, size_t character_bytes);
__device__ static inline void __assert_fail(const char *condition, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(condition, file, line, function, 1);
}
}
namespace std {
using ::free;
using ::malloc;
} // namespace std
#include <new> /* a header of clang, whose operator new calls malloc */

/* ---- threadIdx and others as vectors --------------------------------------------------------- */
#define CUDA_BUILTIN_CONVERSIONS(name)                                                             \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); }     \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return uint3{x, y, z}; }
CUDA_BUILTIN_CONVERSIONS(threadIdx)
CUDA_BUILTIN_CONVERSIONS(blockIdx)
CUDA_BUILTIN_CONVERSIONS(blockDim)
CUDA_BUILTIN_CONVERSIONS(gridDim)

#define CUDA_DEVICE static __device__ __inline__ __attribute__((always_inline, unused))
#include "cuda_intrinsics.h" /* newer versions of the next headers use its functions */

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>

/* Up to clang 15, clang's own shuffles of unsigned long long call themselves endlessly. Overload
 * resolution prefers the functions below, because they have an enable_if. */
#define CUDA_SHUFFLE(name, Lane)                                                                   \
  CUDA_DEVICE unsigned long long name(unsigned mask, unsigned long long value, Lane lane,          \
                                      int width = warpSize) __attribute__((enable_if(true, ""))) { \
    return (unsigned long long)name(mask, (long long)value, lane, width);                          \
  }
CUDA_SHUFFLE(__shfl_sync, int)
CUDA_SHUFFLE(__shfl_up_sync, unsigned)
CUDA_SHUFFLE(__shfl_down_sync, unsigned)
CUDA_SHUFFLE(__shfl_xor_sync, int)
#undef CUDA_SHUFFLE

/* Functions without a mask, which the toolkit had before compute capability 7.0 and which older
 * books use. Their mask is that of the active lanes. */
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __any
#undef __all
#undef __ballot
#define CUDA_GONE(name)                                                                            \
  __attribute__((deprecated("gone since compute capability 7.0: " #name "_sync(mask, ...)")))
#define CUDA_SHUFFLE(name, Lane)                                                                   \
  template <class T>                                                                               \
  CUDA_GONE(name)                                                                                  \
  CUDA_DEVICE T name(T value, Lane lane, int width = warpSize) {                                   \
    return name##_sync(__activemask(), value, lane, width);                                        \
  }
CUDA_SHUFFLE(__shfl, int)
CUDA_SHUFFLE(__shfl_up, unsigned)
CUDA_SHUFFLE(__shfl_down, unsigned)
CUDA_SHUFFLE(__shfl_xor, int)
#undef CUDA_SHUFFLE
CUDA_GONE(__any) CUDA_DEVICE int __any(int a) { return __any_sync(__activemask(), a); }
CUDA_GONE(__all) CUDA_DEVICE int __all(int a) { return __all_sync(__activemask(), a); }
CUDA_GONE(__ballot) CUDA_DEVICE unsigned int __ballot(int a) {
  return __ballot_sync(__activemask(), a);
}
#undef CUDA_GONE

/* ---- math that the toolkit overloads and clang leaves out ------------------------------------ */
/* clang only forward-declares these functions, because the toolkit defines them. */
#define CUDA_OVERLOAD1(R, name)                                                                    \
  CUDA_DEVICE R name(float x) { return name##f(x); }
#define CUDA_OVERLOAD2(name)                                                                       \
  CUDA_DEVICE float name(float x, float y) { return name##f(x, y); }
CUDA_OVERLOAD1(float, acosh)
CUDA_OVERLOAD1(float, asinh)
CUDA_OVERLOAD1(float, atanh)
CUDA_OVERLOAD1(float, cbrt)
CUDA_OVERLOAD1(float, erf)
CUDA_OVERLOAD1(float, erfc)
CUDA_OVERLOAD1(float, exp2)
CUDA_OVERLOAD1(float, expm1)
CUDA_OVERLOAD1(float, lgamma)
CUDA_OVERLOAD1(float, log1p)
CUDA_OVERLOAD1(float, log2)
CUDA_OVERLOAD1(float, logb)
CUDA_OVERLOAD1(float, nearbyint)
CUDA_OVERLOAD1(float, rint)
CUDA_OVERLOAD1(float, round)
CUDA_OVERLOAD1(float, tgamma)
CUDA_OVERLOAD1(float, trunc)
CUDA_OVERLOAD1(int, ilogb)
CUDA_OVERLOAD1(long, lrint)
CUDA_OVERLOAD1(long, lround)
CUDA_OVERLOAD1(long long, llrint)
CUDA_OVERLOAD1(long long, llround)
CUDA_OVERLOAD2(copysign)
CUDA_OVERLOAD2(fdim)
CUDA_OVERLOAD2(fmax)
CUDA_OVERLOAD2(fmin)
CUDA_OVERLOAD2(hypot)
CUDA_OVERLOAD2(nextafter)
CUDA_OVERLOAD2(remainder)
CUDA_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
CUDA_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
CUDA_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
CUDA_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
/* Functions of CUDA that the C library does not have. */
CUDA_DEVICE float rsqrt(float x) { return rsqrtf(x); }
CUDA_DEVICE double nan(const char *) { return __builtin_nan(""); }
CUDA_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
CUDA_DEVICE float rcbrt(float x) { return rcbrtf(x); }
CUDA_DEVICE float sinpi(float x) { return sinpif(x); }
CUDA_DEVICE float cospi(float x) { return cospif(x); }
CUDA_DEVICE float exp10(float x) { return exp10f(x); }
CUDA_DEVICE float erfinv(float x) { return erfinvf(x); }
CUDA_DEVICE float erfcinv(float x) { return erfcinvf(x); }
CUDA_DEVICE float erfcx(float x) { return erfcxf(x); }
CUDA_DEVICE float normcdf(float x) { return normcdff(x); }
CUDA_DEVICE float normcdfinv(float x) { return normcdfinvf(x); }
CUDA_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
CUDA_DEVICE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

/* min and max for all combinations of arithmetic types, on host and device, as in the toolkit. */
#define CUDA_MIN_MAX(T)                                                                            \
  CUDA_BOTH T min(T a, T b) { return b < a ? b : a; }                                              \
  CUDA_BOTH T max(T a, T b) { return a < b ? b : a; }
#define CUDA_MIN_MAX_MIXED(A, B, R)                                                                \
  CUDA_BOTH R min(A a, B b) { return min((R)a, (R)b); }                                            \
  CUDA_BOTH R max(A a, B b) { return max((R)a, (R)b); }                                            \
  CUDA_BOTH R min(B a, A b) { return min((R)a, (R)b); }                                            \
  CUDA_BOTH R max(B a, A b) { return max((R)a, (R)b); }
static __inline__ __host__ __attribute__((unused)) int min(int a, int b) { return b < a ? b : a; }
static __inline__ __host__ __attribute__((unused)) int max(int a, int b) { return a < b ? b : a; }
CUDA_MIN_MAX(unsigned int)
CUDA_MIN_MAX(long)
CUDA_MIN_MAX(unsigned long)
CUDA_MIN_MAX(long long)
CUDA_MIN_MAX(unsigned long long)
CUDA_MIN_MAX_MIXED(int, unsigned int, unsigned int)
CUDA_MIN_MAX_MIXED(long, unsigned long, unsigned long)
CUDA_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
#define CUDA_FLOAT_MIN_MAX(T, f)                                                                   \
  CUDA_BOTH T min(T a, T b) { return __builtin_fmin##f(a, b); }                                    \
  CUDA_BOTH T max(T a, T b) { return __builtin_fmax##f(a, b); }
CUDA_FLOAT_MIN_MAX(float, f)
CUDA_FLOAT_MIN_MAX(double, )
CUDA_MIN_MAX_MIXED(float, double, double)

/* ---- atomics: name, type, and clang's builtin; scopes: device, block, system ----------------- */
#define CUDA_ATOMIC(name, T, I, operation)                                                         \
  CUDA_DEVICE T name(T *p, T v) { return (T)__nvvm_atom_##operation((I *)p, (I)v); }
#define CUDA_ATOMIC_SCOPES(name, T, I, operation, kind)                                            \
  CUDA_ATOMIC(name, T, I, operation##_gen_##kind)                                                  \
  CUDA_ATOMIC(name##_block, T, I, cta_##operation##_gen_##kind)                                    \
  CUDA_ATOMIC(name##_system, T, I, sys_##operation##_gen_##kind)
/* For the operations of CUDA_ATOMIC_INTEGERS, clang has one builtin per width for signed and
 * unsigned types. For min and max, it has different builtins for signed and unsigned types. */
#define CUDA_ATOMIC_INTEGERS(name, operation)                                                      \
  CUDA_ATOMIC_SCOPES(name, int, int, operation, i)                                                 \
  CUDA_ATOMIC_SCOPES(name, unsigned int, int, operation, i)                                        \
  CUDA_ATOMIC_SCOPES(name, unsigned long long, long long, operation, ll)
CUDA_ATOMIC_INTEGERS(atomicAdd, add)
CUDA_ATOMIC_INTEGERS(atomicExch, xchg)
CUDA_ATOMIC_INTEGERS(atomicAnd, and)
CUDA_ATOMIC_INTEGERS(atomicOr, or)
CUDA_ATOMIC_INTEGERS(atomicXor, xor)
CUDA_ATOMIC_SCOPES(atomicAdd, float, float, add, f)
CUDA_ATOMIC_SCOPES(atomicAdd, double, double, add, d)
CUDA_ATOMIC_SCOPES(atomicMin, int, int, min, i)
CUDA_ATOMIC_SCOPES(atomicMax, int, int, max, i)
CUDA_ATOMIC_SCOPES(atomicMin, long long, long long, min, ll)
CUDA_ATOMIC_SCOPES(atomicMax, long long, long long, max, ll)
CUDA_ATOMIC(atomicMin, unsigned int, unsigned int, min_gen_ui)
CUDA_ATOMIC(atomicMax, unsigned int, unsigned int, max_gen_ui)
CUDA_ATOMIC(atomicMin, unsigned long long, unsigned long long, min_gen_ull)
CUDA_ATOMIC(atomicMax, unsigned long long, unsigned long long, max_gen_ull)
/* Uses inline PTX, because clang's builtins with a scope compare unsigned values as if they were
 * signed. */
#define CUDA_ATOMIC_UNSIGNED(name, T, r, instruction)                                              \
  CUDA_DEVICE T name(T *p, T v) {                                                                  \
    T old;                                                                                         \
    __asm__ volatile(instruction " %0, [%1], %2;" : "=" r(old) : "l"(p), r(v) : "memory");         \
    return old;                                                                                    \
  }
CUDA_ATOMIC_UNSIGNED(atomicMin_block, unsigned int, "r", "atom.cta.min.u32")
CUDA_ATOMIC_UNSIGNED(atomicMax_block, unsigned int, "r", "atom.cta.max.u32")
CUDA_ATOMIC_UNSIGNED(atomicMin_system, unsigned int, "r", "atom.sys.min.u32")
CUDA_ATOMIC_UNSIGNED(atomicMax_system, unsigned int, "r", "atom.sys.max.u32")
CUDA_ATOMIC_UNSIGNED(atomicMin_block, unsigned long long, "l", "atom.cta.min.u64")
CUDA_ATOMIC_UNSIGNED(atomicMax_block, unsigned long long, "l", "atom.cta.max.u64")
CUDA_ATOMIC_UNSIGNED(atomicMin_system, unsigned long long, "l", "atom.sys.min.u64")
CUDA_ATOMIC_UNSIGNED(atomicMax_system, unsigned long long, "l", "atom.sys.max.u64")
CUDA_ATOMIC_SCOPES(atomicInc, unsigned int, unsigned int, inc, ui)
CUDA_ATOMIC_SCOPES(atomicDec, unsigned int, unsigned int, dec, ui)

#define CUDA_ATOMIC_DERIVED(suffix)                                                                \
  CUDA_DEVICE int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, -v); }            \
  CUDA_DEVICE unsigned int atomicSub##suffix(unsigned int *p, unsigned int v) {                    \
    return atomicAdd##suffix(p, 0u - v);                                                           \
  }                                                                                                \
  CUDA_DEVICE float atomicExch##suffix(float *p, float v) {                                        \
    return __int_as_float(atomicExch##suffix((int *)p, __float_as_int(v)));                        \
  }
CUDA_ATOMIC_DERIVED()
CUDA_ATOMIC_DERIVED(_block)
CUDA_ATOMIC_DERIVED(_system)

#define CUDA_ATOMIC_CAS(name, operation)                                                           \
  CUDA_DEVICE int name(int *p, int old, int v) {                                                   \
    return __nvvm_atom_##operation##_gen_i(p, old, v);                                             \
  }                                                                                                \
  CUDA_DEVICE unsigned int name(unsigned int *p, unsigned int old, unsigned int v) {               \
    return (unsigned int)__nvvm_atom_##operation##_gen_i((int *)p, (int)old, (int)v);              \
  }                                                                                                \
  CUDA_DEVICE unsigned long long name(unsigned long long *p, unsigned long long old,               \
                                      unsigned long long v) {                                      \
    return (unsigned long long)__nvvm_atom_##operation##_gen_ll((long long *)p, (long long)old,    \
                                                                (long long)v);                     \
  }
CUDA_ATOMIC_CAS(atomicCAS, cas)
CUDA_ATOMIC_CAS(atomicCAS_block, cta_cas)
CUDA_ATOMIC_CAS(atomicCAS_system, sys_cas)
CUDA_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v) {
  unsigned short seen;
  __asm__ volatile("atom.cas.b16 %0, [%1], %2, %3;"
                   : "=h"(seen)
                   : "l"(p), "h"(old), "h"(v)
                   : "memory");
  return seen;
}

/* ---- functions of the toolkit's crt/sm_70_rt.hpp --------------------------------------------- */
/* Uses inline PTX, because up to clang 15 the builtins for 64-bit values have 64-bit results. */
#define CUDA_MATCH_BITS(bits, U, r)                                                                \
  CUDA_DEVICE unsigned int cuda_match_any_##bits(unsigned int mask, U value) {                     \
    unsigned int same;                                                                             \
    __asm__ volatile("match.any.sync.b" #bits " %0, %1, %2;" : "=r"(same) : r(value), "r"(mask));  \
    return same;                                                                                   \
  }                                                                                                \
  CUDA_DEVICE unsigned int cuda_match_all_##bits(unsigned int mask, U value, int *all) {           \
    unsigned int same;                                                                             \
    __asm__ volatile("{ .reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3; selp.b32 %1, 1, 0, " \
                     "p; }"                                                                        \
                     : "=r"(same), "=r"(*all)                                                      \
                     : r(value), "r"(mask));                                                       \
    return same;                                                                                   \
  }
CUDA_MATCH_BITS(32, unsigned int, "r")
CUDA_MATCH_BITS(64, unsigned long long, "l")
#define CUDA_MATCH(T, bits, U)                                                                     \
  CUDA_DEVICE unsigned int __match_any_sync(unsigned int mask, T value) {                          \
    return cuda_match_any_##bits(mask, (U)value);                                                  \
  }                                                                                                \
  CUDA_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int *all) {                \
    return cuda_match_all_##bits(mask, (U)value, all);                                             \
  }
CUDA_MATCH(int, 32, unsigned int)
CUDA_MATCH(unsigned int, 32, unsigned int)
CUDA_MATCH(long, 64, unsigned long long)
CUDA_MATCH(unsigned long, 64, unsigned long long)
CUDA_MATCH(long long, 64, unsigned long long)
CUDA_MATCH(unsigned long long, 64, unsigned long long)
#define CUDA_MATCH_FLOATING(T, as_integer)                                                         \
  CUDA_DEVICE unsigned int __match_any_sync(unsigned int mask, T value) {                          \
    return __match_any_sync(mask, as_integer(value));                                              \
  }                                                                                                \
  CUDA_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int *all) {                \
    return __match_all_sync(mask, as_integer(value), all);                                         \
  }
CUDA_MATCH_FLOATING(float, __float_as_int)
CUDA_MATCH_FLOATING(double, __double_as_longlong)

CUDA_DEVICE void __nanosleep(unsigned int nanoseconds) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

#undef __device__
#define __device__ __attribute__((device))

/* ---- kernel<<<grid, block, shared, stream>>>(...) -------------------------------------------- */
#include "cuda_runtime_api.h"
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                    struct CUstream_st *stream = 0);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                  void *stream);
/* In the device pass, clang looks this function up instead of __cudaPushCallConfiguration, because
 * the version of the toolkit is unknown. It is not defined. */
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                         struct CUstream_st *stream = 0);

/* The functions that launch kernels from kernels. thrust contains such launches. The device refuses
 * a kernel that calls one of these functions; the message names the function. */
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
}

#endif
