/* Replaces NVIDIA's libdevice. clang's CUDA headers implement CUDA's functions (sinf,
 * __float2int_rn, std::sin) as calls of the functions of this library, whose names begin with
 * __nv_.
 *
 * Functions that need one or a few instructions are defined here and inlined. The other math
 * functions are declared from machine/builtins.def. The machine executes a call of such a function
 * with the math library of the host. */
#ifndef CUDA_LIBDEVICE_H
#define CUDA_LIBDEVICE_H

#define NV static __device__ __inline__ __attribute__((always_inline, nodebug, unused))

/* ---- computed by the machine ----------------------------------------------------------------- */
typedef float cuda_f32;
typedef double cuda_f64;
typedef int cuda_s32;
extern "C" {
#define BUILTIN1(name, R, A, expression)                                                           \
  __device__ cuda_##R __nv_##name(cuda_##A) __attribute__((const));
#define BUILTIN2(name, R, A, B, expression)                                                        \
  __device__ cuda_##R __nv_##name(cuda_##A, cuda_##B) __attribute__((const));
#define BUILTIN4(name, R, expression)                                                              \
  __device__ cuda_##R __nv_##name(cuda_##R, cuda_##R, cuda_##R, cuda_##R) __attribute__((const));
#include "../machine/builtins.def"
}

/* ---- one instruction each ------------------------------------------------------------------- */
/* The constraints of inline assembly are r for 32-bit and l for 64-bit integers, f for float, d for
 * double. */
#define NV1(name, R, r, A, a, instruction)                                                         \
  NV R __nv_##name(A x) {                                                                          \
    R result;                                                                                      \
    __asm__(instruction " %0, %1;" : "=" r(result) : a(x));                                        \
    return result;                                                                                 \
  }
#define NV2(name, R, r, A, a, instruction)                                                         \
  NV R __nv_##name(A x, A y) {                                                                     \
    R result;                                                                                      \
    __asm__(instruction " %0, %1, %2;" : "=" r(result) : a(x), a(y));                              \
    return result;                                                                                 \
  }
#define NV3(name, R, r, A, a, instruction)                                                         \
  NV R __nv_##name(A x, A y, A z) {                                                                \
    R result;                                                                                      \
    __asm__(instruction " %0, %1, %2, %3;" : "=" r(result) : a(x), a(y), a(z));                    \
    return result;                                                                                 \
  }
#define NV_EACH_ROUNDING(MAKE) MAKE(rn, "rn") MAKE(rz, "rz") MAKE(rd, "rm") MAKE(ru, "rp")

#define NV_ARITHMETIC(suffix, ptx)                                                                 \
  NV2(fadd_##suffix, float, "f", float, "f", "add." ptx ".f32")                                    \
  NV2(fsub_##suffix, float, "f", float, "f", "sub." ptx ".f32")                                    \
  NV2(fmul_##suffix, float, "f", float, "f", "mul." ptx ".f32")                                    \
  NV2(fdiv_##suffix, float, "f", float, "f", "div." ptx ".f32")                                    \
  NV3(fmaf_##suffix, float, "f", float, "f", "fma." ptx ".f32")                                    \
  NV3(fmaf_ieee_##suffix, float, "f", float, "f", "fma." ptx ".f32")                               \
  NV1(frcp_##suffix, float, "f", float, "f", "rcp." ptx ".f32")                                    \
  NV1(fsqrt_##suffix, float, "f", float, "f", "sqrt." ptx ".f32")                                  \
  NV2(dadd_##suffix, double, "d", double, "d", "add." ptx ".f64")                                  \
  NV2(dsub_##suffix, double, "d", double, "d", "sub." ptx ".f64")                                  \
  NV2(dmul_##suffix, double, "d", double, "d", "mul." ptx ".f64")                                  \
  NV2(ddiv_##suffix, double, "d", double, "d", "div." ptx ".f64")                                  \
  NV3(fma_##suffix, double, "d", double, "d", "fma." ptx ".f64")                                   \
  NV1(drcp_##suffix, double, "d", double, "d", "rcp." ptx ".f64")                                  \
  NV1(dsqrt_##suffix, double, "d", double, "d", "sqrt." ptx ".f64")
NV_EACH_ROUNDING(NV_ARITHMETIC)

#define NV_FROM_INTEGER(suffix, ptx)                                                               \
  NV1(int2float_##suffix, float, "f", int, "r", "cvt." ptx ".f32.s32")                             \
  NV1(uint2float_##suffix, float, "f", unsigned, "r", "cvt." ptx ".f32.u32")                       \
  NV1(ll2float_##suffix, float, "f", long long, "l", "cvt." ptx ".f32.s64")                        \
  NV1(ull2float_##suffix, float, "f", unsigned long long, "l", "cvt." ptx ".f32.u64")              \
  NV1(ll2double_##suffix, double, "d", long long, "l", "cvt." ptx ".f64.s64")                      \
  NV1(ull2double_##suffix, double, "d", unsigned long long, "l", "cvt." ptx ".f64.u64")            \
  NV1(double2float_##suffix, float, "f", double, "d", "cvt." ptx ".f32.f64")
NV_EACH_ROUNDING(NV_FROM_INTEGER)
NV double __nv_int2double_rn(int x) { return x; }
NV double __nv_uint2double_rn(unsigned x) { return x; }

#define NV_TO_INTEGER(suffix, ptx)                                                                 \
  NV1(float2int_##suffix, int, "r", float, "f", "cvt." ptx "i.s32.f32")                            \
  NV1(float2uint_##suffix, unsigned, "r", float, "f", "cvt." ptx "i.u32.f32")                      \
  NV1(float2ll_##suffix, long long, "l", float, "f", "cvt." ptx "i.s64.f32")                       \
  NV1(float2ull_##suffix, unsigned long long, "l", float, "f", "cvt." ptx "i.u64.f32")             \
  NV1(double2int_##suffix, int, "r", double, "d", "cvt." ptx "i.s32.f64")                          \
  NV1(double2uint_##suffix, unsigned, "r", double, "d", "cvt." ptx "i.u32.f64")                    \
  NV1(double2ll_##suffix, long long, "l", double, "d", "cvt." ptx "i.s64.f64")                     \
  NV1(double2ull_##suffix, unsigned long long, "l", double, "d", "cvt." ptx "i.u64.f64")
NV_EACH_ROUNDING(NV_TO_INTEGER)

NV1(sqrtf, float, "f", float, "f", "sqrt.rn.f32")
NV1(sqrt, double, "d", double, "d", "sqrt.rn.f64")
NV1(rsqrtf, float, "f", float, "f", "rsqrt.approx.f32")
NV float __nv_frsqrt_rn(float x) { return (float)(1.0 / __nv_sqrt((double)x)); }
NV double __nv_rsqrt(double x) { return 1.0 / __nv_sqrt(x); }
NV1(saturatef, float, "f", float, "f", "cvt.sat.f32.f32")
NV2(fast_fdividef, float, "f", float, "f", "div.approx.f32")
NV1(fast_sinf, float, "f", float, "f", "sin.approx.f32")
NV1(fast_cosf, float, "f", float, "f", "cos.approx.f32")
NV1(fast_log2f, float, "f", float, "f", "lg2.approx.f32")
NV1(fast_exp2f, float, "f", float, "f", "ex2.approx.f32")
NV float __nv_fast_expf(float x) { return __nv_fast_exp2f(x * 1.4426950408889634f); }
NV float __nv_fast_exp10f(float x) { return __nv_fast_exp2f(x * 3.3219280948873623f); }
NV float __nv_fast_logf(float x) { return __nv_fast_log2f(x) * 0.6931471805599453f; }
NV float __nv_fast_log10f(float x) { return __nv_fast_log2f(x) * 0.3010299956639812f; }
NV float __nv_fast_powf(float x, float y) { return __nv_fast_exp2f(y * __nv_fast_log2f(x)); }
NV float __nv_fast_tanf(float x) {
  return __nv_fast_fdividef(__nv_fast_sinf(x), __nv_fast_cosf(x));
}
NV void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = __nv_fast_sinf(x), *c = __nv_fast_cosf(x);
}

/* ---- integers and bits ----------------------------------------------------------------------- */
NV1(brev, unsigned, "r", unsigned, "r", "brev.b32")
NV1(brevll, unsigned long long, "l", unsigned long long, "l", "brev.b64")
NV1(clz, int, "r", int, "r", "clz.b32")
NV1(clzll, int, "r", long long, "l", "clz.b64")
NV1(popc, int, "r", unsigned, "r", "popc.b32")
NV1(popcll, int, "r", unsigned long long, "l", "popc.b64")
NV3(prmt, unsigned, "r", unsigned, "r", "prmt.b32")
/* Clears the highest bit of each selector. In prmt it means "replicate the sign"; in __byte_perm it
 * is ignored. */
NV unsigned __nv_byte_perm(unsigned x, unsigned y, unsigned selectors) {
  return __nv_prmt(x, y, selectors & 0x7777);
}
/* Reverses the bits instead of computing x & -x, because -x overflows for the smallest number. */
NV int __nv_ffs(int x) { return x ? 1 + __nv_clz((int)__nv_brev((unsigned)x)) : 0; }
NV int __nv_ffsll(long long x) {
  return x ? 1 + __nv_clzll((long long)__nv_brevll((unsigned long long)x)) : 0;
}
NV1(abs, int, "r", int, "r", "abs.s32")
NV1(llabs, long long, "l", long long, "l", "abs.s64")
NV int __nv_min(int x, int y) { return x < y ? x : y; }
NV int __nv_max(int x, int y) { return x > y ? x : y; }
NV unsigned __nv_umin(unsigned x, unsigned y) { return x < y ? x : y; }
NV unsigned __nv_umax(unsigned x, unsigned y) { return x > y ? x : y; }
NV long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
NV long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
NV unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) {
  return x < y ? x : y;
}
NV unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) {
  return x > y ? x : y;
}
NV2(mul24, int, "r", int, "r", "mul24.lo.s32")
NV2(umul24, unsigned, "r", unsigned, "r", "mul24.lo.u32")
NV2(mulhi, int, "r", int, "r", "mul.hi.s32")
NV2(umulhi, unsigned, "r", unsigned, "r", "mul.hi.u32")
NV2(mul64hi, long long, "l", long long, "l", "mul.hi.s64")
NV2(umul64hi, unsigned long long, "l", unsigned long long, "l", "mul.hi.u64")
NV int __nv_hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
NV int __nv_rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
NV unsigned __nv_uhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y) >> 1);
}
NV unsigned __nv_urhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
NV unsigned __nv_sad(int x, int y, unsigned z) {
  return z + (x < y ? (unsigned)y - x : (unsigned)x - y);
}
NV unsigned __nv_usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }

NV1(float_as_int, int, "r", float, "f", "mov.b32")
NV1(float_as_uint, unsigned, "r", float, "f", "mov.b32")
NV1(int_as_float, float, "f", int, "r", "mov.b32")
NV1(uint_as_float, float, "f", unsigned, "r", "mov.b32")
NV1(double_as_longlong, long long, "l", double, "d", "mov.b64")
NV1(longlong_as_double, double, "d", long long, "l", "mov.b64")
NV int __nv_double2hiint(double x) { return (int)(__nv_double_as_longlong(x) >> 32); }
NV int __nv_double2loint(double x) { return (int)__nv_double_as_longlong(x); }
NV double __nv_hiloint2double(int high, int low) {
  return __nv_longlong_as_double(
      (long long)(((unsigned long long)(unsigned)high << 32) | (unsigned)low));
}

/* ---- floating point, cheap enough to inline: T is the type, f its suffix --------------------- */
NV int __nv_signbitf(float x) { return __nv_float_as_int(x) < 0; }
NV int __nv_signbitd(double x) { return __nv_double_as_longlong(x) < 0; }
NV float __nv_copysignf(float x, float y) {
  return __nv_int_as_float((__nv_float_as_int(x) & 0x7fffffff) |
                           (__nv_float_as_int(y) & (int)0x80000000));
}
NV double __nv_copysign(double x, double y) {
  const long long sign = (long long)0x8000000000000000ull;
  return __nv_longlong_as_double((__nv_double_as_longlong(x) & ~sign) |
                                 (__nv_double_as_longlong(y) & sign));
}
NV double __nv_nan(const signed char *) { return __builtin_nan(""); }
NV float __nv_nanf(const signed char *) { return __builtin_nanf(""); }
NV int __nv_isnanf(float x) { return x != x; }
NV int __nv_isnand(double x) { return x != x; }
NV int __nv_isinff(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
NV int __nv_isinfd(double x) { return __builtin_fabs(x) == __builtin_inf(); }
NV int __nv_finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
NV int __nv_isfinited(double x) { return __builtin_fabs(x) < __builtin_inf(); }

#define NV_FLOATING(T, f)                                                                          \
  NV T __nv_fabs##f(T x) { return __builtin_fabs##f(x); }                                          \
  NV T __nv_floor##f(T x) { return __builtin_floor##f(x); }                                        \
  NV T __nv_ceil##f(T x) { return __builtin_ceil##f(x); }                                          \
  NV T __nv_trunc##f(T x) { return __builtin_trunc##f(x); }                                        \
  NV T __nv_rint##f(T x) { return __builtin_rint##f(x); }                                          \
  NV T __nv_nearbyint##f(T x) { return __builtin_nearbyint##f(x); }                                \
  NV T __nv_fma##f(T x, T y, T z) { return __builtin_fma##f(x, y, z); }                            \
  NV T __nv_fmin##f(T x, T y) { return __builtin_fmin##f(x, y); }                                  \
  NV T __nv_fmax##f(T x, T y) { return __builtin_fmax##f(x, y); }                                  \
  NV T __nv_fdim##f(T x, T y) { return x <= y ? (T)0 : x - y; }                                    \
  NV T __nv_round##f(T x) {                                                                        \
    T whole = __builtin_trunc##f(x);                                                               \
    if (__builtin_fabs##f(x - whole) >= (T)0.5)                                                    \
      whole += __nv_copysign##f((T)1, x);                                                          \
    return __nv_copysign##f(whole, x);                                                             \
  }                                                                                                \
  NV long long __nv_llrint##f(T x) { return (long long)__builtin_rint##f(x); }                     \
  NV long long __nv_llround##f(T x) { return (long long)__nv_round##f(x); }                        \
  NV T __nv_scalbn##f(T x, int n) { return __nv_ldexp##f(x, n); }                                  \
  NV T __nv_powi##f(T x, int n) { return __nv_pow##f(x, (T)n); }                                   \
  NV T __nv_rhypot##f(T x, T y) { return __nv_rlength##f(x, y, 0, 0); }                            \
  NV void __nv_sincos##f(T x, T *s, T *c) { *s = __nv_sin##f(x), *c = __nv_cos##f(x); }            \
  NV void __nv_sincospi##f(T x, T *s, T *c) { *s = __nv_sinpi##f(x), *c = __nv_cospi##f(x); }      \
  NV T __nv_frexp##f(T x, int *exponent) {                                                         \
    *exponent = __nv_frexp_exponent##f(x);                                                         \
    return __nv_frexp_mantissa##f(x);                                                              \
  }                                                                                                \
  NV T __nv_modf##f(T x, T *whole) {                                                               \
    *whole = __builtin_trunc##f(x);                                                                \
    return __nv_copysign##f(__builtin_fabs##f(x) == (T)__builtin_inf() ? (T)0 : x - *whole, x);    \
  }                                                                                                \
  NV T __nv_remquo##f(T x, T y, int *quotient) {                                                   \
    *quotient = __nv_remquo_quotient##f(x, y);                                                     \
    return __nv_remainder##f(x, y);                                                                \
  }                                                                                                \
  NV T __nv_norm##f(int n, const T *x) {                                                           \
    T result = 0;                                                                                  \
    for (int i = 0; i < n; i++)                                                                    \
      result = __nv_hypot##f(result, x[i]);                                                        \
    return result;                                                                                 \
  }                                                                                                \
  NV T __nv_rnorm##f(int n, const T *x) { return (T)1 / __nv_norm##f(n, x); }

/* CUDA's names are norm3d for double and norm3df for float: the d does not mean double. */
#define NV_NORMS(T, f)                                                                             \
  NV T __nv_norm3d##f(T x, T y, T z) { return __nv_length##f(x, y, z, 0); }                        \
  NV T __nv_norm4d##f(T x, T y, T z, T w) { return __nv_length##f(x, y, z, w); }                   \
  NV T __nv_rnorm3d##f(T x, T y, T z) { return __nv_rlength##f(x, y, z, 0); }                      \
  NV T __nv_rnorm4d##f(T x, T y, T z, T w) { return __nv_rlength##f(x, y, z, w); }
NV_FLOATING(float, f)
NV_FLOATING(double, )
NV_NORMS(float, f)
NV_NORMS(double, )

#endif
