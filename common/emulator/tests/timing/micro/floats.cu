/* Floating point: products, division, roots and functions, precise and approximate, and with
 * arguments that need the slow path. */
#include "chains.h"

#define OPS(_)                                                                                     \
  _(fma_f32, float, asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y)), 1, 0.5f)        \
  _(min_f32, float, asm volatile("min.f32 %0, %0, %1;" : "+f"(x) : "f"(y)), 1, 0.5f)               \
  _(div_f32, float, asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(y)), 1.5f, 1.7f)         \
  _(div_f32_tiny, float, asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(y)), 1e-39f, 1.7f)  \
  _(div_f32_approximate, float,                                                                    \
    asm volatile("div.approx.f32 %0, %1, %0;"                                                      \
                 : "+f"(x)                                                                         \
                 : "f"(y)),                                                                        \
    1.5f, 1.7f)                                                                                    \
  _(rcp_f32, float, asm volatile("rcp.rn.f32 %0, %0;" : "+f"(x) : "f"(y)), 1.5f, 0)                \
  _(rcp_f32_approximate, float,                                                                    \
    asm volatile("rcp.approx.f32 %0, %0;"                                                          \
                 : "+f"(x)                                                                         \
                 : "f"(y)),                                                                        \
    1.5f, 0)                                                                                       \
  _(sqrt_f32, float, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x) : "f"(y)), 1.5f, 0)              \
  _(sqrt_f32_zero, float, asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x) : "f"(y)), 0, 0)            \
  _(sqrt_f32_approximate, float,                                                                   \
    asm volatile("sqrt.approx.f32 %0, %0;"                                                         \
                 : "+f"(x)                                                                         \
                 : "f"(y)),                                                                        \
    1.5f, 0)                                                                                       \
  _(rsqrt_f32_approximate, float,                                                                  \
    asm volatile("rsqrt.approx.f32 %0, %0;"                                                        \
                 : "+f"(x)                                                                         \
                 : "f"(y)),                                                                        \
    1.5f, 0)                                                                                       \
  _(one_over_sqrt, float, x = y / sqrtf(x), 1.5f, 1.7f)                                            \
  _(ex2_f32, float, asm volatile("ex2.approx.f32 %0, %0;" : "+f"(x) : "f"(y)), 0.5f, 0)            \
  _(sin_f32, float, asm volatile("sin.approx.f32 %0, %0;" : "+f"(x) : "f"(y)), 0.5f, 0)            \
  _(fma_f64, double, asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(y)), 1, 0.5)        \
  _(div_f64, double, asm volatile("div.rn.f64 %0, %1, %0;" : "+d"(x) : "d"(y)), 1.5, 1.7)          \
  _(sqrt_f64, double, asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(x) : "d"(y)), 1.5, 0)

MEASURE_ALL(OPS)
