/* For programs of NVIDIA's samples (see helper_string.h): operators for float2 to uint4, and the
 * vector functions of shading languages. A macro defines each operator for all types. */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define HM inline __host__ __device__

/* ---- numbers --------------------------------------------------------------------------------- */
#ifndef __CUDACC__
HM int max(int a, int b) { return a > b ? a : b; }
HM int min(int a, int b) { return a < b ? a : b; }
#endif
HM float lerp(float a, float b, float t) { return a + t * (b - a); }
HM float clamp(float x, float a, float b) { return fmaxf(a, fminf(x, b)); }
HM int clamp(int x, int a, int b) { return x < a ? a : x > b ? b : x; }
HM uint clamp(uint x, uint a, uint b) { return x < a ? a : x > b ? b : x; }
HM float fracf(float x) { return x - floorf(x); }
HM float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

/* ---- made of other vectors ------------------------------------------------------------------- */
#define HM_MADE(T, s)                                                                              \
  HM T##2 make_##T##2(s x) { return make_##T##2(x, x); }                                           \
  HM T##3 make_##T##3(s x) { return make_##T##3(x, x, x); }                                        \
  HM T##4 make_##T##4(s x) { return make_##T##4(x, x, x, x); }                                     \
  HM T##2 make_##T##2(T##3 v) { return make_##T##2(v.x, v.y); }                                    \
  HM T##2 make_##T##2(T##4 v) { return make_##T##2(v.x, v.y); }                                    \
  HM T##3 make_##T##3(T##2 v) { return make_##T##3(v.x, v.y, 0); }                                 \
  HM T##3 make_##T##3(T##2 v, s z) { return make_##T##3(v.x, v.y, z); }                            \
  HM T##3 make_##T##3(T##4 v) { return make_##T##3(v.x, v.y, v.z); }                               \
  HM T##4 make_##T##4(T##3 v) { return make_##T##4(v.x, v.y, v.z, 0); }                            \
  HM T##4 make_##T##4(T##3 v, s w) { return make_##T##4(v.x, v.y, v.z, w); }
HM_MADE(float, float)
HM_MADE(int, int)
HM_MADE(uint, uint)
#undef HM_MADE
/* Conversions from vectors of another type. */
#define HM_FROM(T, s, From)                                                                        \
  HM T##2 make_##T##2(From##2 v) { return make_##T##2((s)v.x, (s)v.y); }                           \
  HM T##3 make_##T##3(From##3 v) { return make_##T##3((s)v.x, (s)v.y, (s)v.z); }                   \
  HM T##4 make_##T##4(From##4 v) { return make_##T##4((s)v.x, (s)v.y, (s)v.z, (s)v.w); }
HM_FROM(float, float, int)
HM_FROM(float, float, uint)
HM_FROM(int, int, float)
HM_FROM(int, int, uint)
HM_FROM(uint, uint, int)
HM_FROM(uint, uint, float)
#undef HM_FROM

/* ---- by element ------------------------------------------------------------------------------ */
/* Defines a function or operator that works element by element. f: a function or macro of two
 * numbers. The second or the first argument may also be a single number. */
#define HM_PLUS(a, b) ((a) + (b))
#define HM_MINUS(a, b) ((a) - (b))
#define HM_TIMES(a, b) ((a) * (b))
#define HM_OVER(a, b) ((a) / (b))
#define HM_OPERATOR(sign, f, T, s)                                                                 \
  HM T##2 operator sign(T##2 a, T##2 b) { return make_##T##2(f(a.x, b.x), f(a.y, b.y)); }          \
  HM T##3 operator sign(T##3 a, T##3 b) {                                                          \
    return make_##T##3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));                                     \
  }                                                                                                \
  HM T##4 operator sign(T##4 a, T##4 b) {                                                          \
    return make_##T##4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));                        \
  }                                                                                                \
  HM_WITH_NUMBER(sign, T, T##2, s)                                                                 \
  HM_WITH_NUMBER(sign, T, T##3, s)                                                                 \
  HM_WITH_NUMBER(sign, T, T##4, s)
#define HM_WITH_NUMBER(sign, T, V, s)                                                              \
  HM V operator sign(V a, s b) { return a sign make_##V(b); }                                      \
  HM V operator sign(s a, V b) { return make_##V(a) sign b; }                                      \
  HM void operator sign##=(V &a, V b) { a = a sign b; }                                            \
  HM void operator sign##=(V &a, s b) { a = a sign b; }
#define HM_OPERATORS(T, s)                                                                         \
  HM_OPERATOR(+, HM_PLUS, T, s)                                                                    \
  HM_OPERATOR(-, HM_MINUS, T, s)                                                                   \
  HM_OPERATOR(*, HM_TIMES, T, s)
HM_OPERATORS(float, float)
HM_OPERATORS(int, int)
HM_OPERATORS(uint, uint)
HM_OPERATOR(/, HM_OVER, float, float)
#undef HM_OPERATORS
#undef HM_OPERATOR
#undef HM_WITH_NUMBER

#define HM_UNARY(name, f, T)                                                                       \
  HM T##2 name(T##2 v) { return make_##T##2(f(v.x), f(v.y)); }                                     \
  HM T##3 name(T##3 v) { return make_##T##3(f(v.x), f(v.y), f(v.z)); }                             \
  HM T##4 name(T##4 v) { return make_##T##4(f(v.x), f(v.y), f(v.z), f(v.w)); }
#define HM_NEGATIVE(x) (-(x))
HM_UNARY(operator-, HM_NEGATIVE, float)
HM_UNARY(operator-, HM_NEGATIVE, int)
HM_UNARY(floorf, floorf, float)
HM_UNARY(fracf, fracf, float)
HM_UNARY(fabs, fabsf, float)
HM_UNARY(abs, abs, int)
#undef HM_UNARY
#define HM_BINARY(name, f, T)                                                                      \
  HM T##2 name(T##2 a, T##2 b) { return make_##T##2(f(a.x, b.x), f(a.y, b.y)); }                   \
  HM T##3 name(T##3 a, T##3 b) { return make_##T##3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }      \
  HM T##4 name(T##4 a, T##4 b) {                                                                   \
    return make_##T##4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));                        \
  }
#define HM_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define HM_MOST(a, b) ((a) > (b) ? (a) : (b))
HM_BINARY(fminf, fminf, float)
HM_BINARY(fmaxf, fmaxf, float)
HM_BINARY(fmodf, fmodf, float)
HM_BINARY(min, HM_LEAST, int)
HM_BINARY(max, HM_MOST, int)
HM_BINARY(min, HM_LEAST, uint)
HM_BINARY(max, HM_MOST, uint)
#undef HM_BINARY

/* ---- of whole vectors ------------------------------------------------------------------------ */
#define HM_DOT(T, s)                                                                               \
  HM s dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                       \
  HM s dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                           \
  HM s dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
HM_DOT(float, float)
HM_DOT(int, int)
HM_DOT(uint, uint)
#undef HM_DOT
#define HM_CLAMPED(V, s, least, most)                                                              \
  HM V clamp(V v, V a, V b) { return most(a, least(v, b)); }                                       \
  HM V clamp(V v, s a, s b) { return clamp(v, make_##V(a), make_##V(b)); }
HM_CLAMPED(float2, float, fminf, fmaxf)
HM_CLAMPED(float3, float, fminf, fmaxf)
HM_CLAMPED(float4, float, fminf, fmaxf)
HM_CLAMPED(int2, int, min, max)
HM_CLAMPED(int3, int, min, max)
HM_CLAMPED(int4, int, min, max)
HM_CLAMPED(uint2, uint, min, max)
HM_CLAMPED(uint3, uint, min, max)
HM_CLAMPED(uint4, uint, min, max)
#undef HM_CLAMPED
#define HM_GEOMETRY(V)                                                                             \
  HM V lerp(V a, V b, float t) { return a + t * (b - a); }                                         \
  HM float length(V v) { return sqrtf(dot(v, v)); }                                                \
  HM V normalize(V v) { return v * (1.0f / sqrtf(dot(v, v))); }                                    \
  HM V smoothstep(V a, V b, V x) {                                                                 \
    V y = clamp((x - a) / (b - a), 0.0f, 1.0f);                                                    \
    return y * y * (3.0f - 2.0f * y);                                                              \
  }
HM_GEOMETRY(float2)
HM_GEOMETRY(float3)
HM_GEOMETRY(float4)
#undef HM_GEOMETRY
/* Returns the reflection of a ray at a surface. The normal must have length 1. */
HM float3 reflect(float3 ray, float3 normal) { return ray - 2.0f * normal * dot(normal, ray); }
HM float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef HM

#endif
