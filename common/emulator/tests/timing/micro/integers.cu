/* Integers: sums, products, logic, shifts, counts of bits, 64 bits, conversions. */
#include "chains.h"

#define OPS(_)                                                                                     \
  _(add_u32, uint32_t, asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 3)               \
  _(mul_lo_u32, uint32_t, asm volatile("mul.lo.u32 %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 3)         \
  _(mad_lo_u32, uint32_t, asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(y)), 1, 3)     \
  _(mul_hi_u32, uint32_t,                                                                          \
    asm volatile("mul.hi.u32 %0, %0, %1;"                                                          \
                 : "+r"(x)                                                                         \
                 : "r"(y)),                                                                        \
    7, 0xfffffff1)                                                                                 \
  _(mul_hi_s32, int, asm volatile("mul.hi.s32 %0, %0, %1;" : "+r"(x) : "r"(y)), 7, 0x7ffffff1)     \
  _(mul_wide_u32, uint64_t,                                                                        \
    asm volatile("{.reg .u32 a; cvt.u32.u64 a, %0; mul.wide.u32 %0, a, a;}"                        \
                 : "+l"(x)                                                                         \
                 : "l"(y)),                                                                        \
    7, 1)                                                                                          \
  _(xor_b32, uint32_t, asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 3)               \
  _(shl_b32, uint32_t, asm volatile("shl.b32 %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 1)               \
  _(shf_b32, uint32_t, asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 3)    \
  _(min_s32, int, asm volatile("min.s32 %0, %0, %1;" : "+r"(x) : "r"(y)), 1, 3)                    \
  _(popc_b32, uint32_t, asm volatile("popc.b32 %0, %0;" : "+r"(x) : "r"(y)), 1, 3)                 \
  _(clz_b32, uint32_t, asm volatile("clz.b32 %0, %0;" : "+r"(x) : "r"(y)), 1, 3)                   \
  _(brev_b32, uint32_t, asm volatile("brev.b32 %0, %0;" : "+r"(x) : "r"(y)), 1, 3)                 \
  _(prmt_b32, uint32_t, asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(x) : "r"(y)), 1, 3)     \
  _(setp_selp_u32, uint32_t,                                                                       \
    asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, 9, p;}"                   \
                 : "+r"(x)                                                                         \
                 : "r"(y)),                                                                        \
    1, 3)                                                                                          \
  _(add_u64, uint64_t, asm volatile("add.u64 %0, %0, %1;" : "+l"(x) : "l"(y)), 1, 3)               \
  _(mul_lo_u64, uint64_t, asm volatile("mul.lo.u64 %0, %0, %1;" : "+l"(x) : "l"(y)), 1, 3)         \
  _(mul_hi_u64, uint64_t, asm volatile("mul.hi.u64 %0, %0, %1;" : "+l"(x) : "l"(y)), 7, ~0ull - 9) \
  _(shl_b64, uint64_t,                                                                             \
    asm volatile("{.reg .u32 n; cvt.u32.u64 n, %1; shl.b64 %0, %0, n;}"                            \
                 : "+l"(x)                                                                         \
                 : "l"(y)),                                                                        \
    1, 1)                                                                                          \
  _(min_u64, uint64_t, asm volatile("min.u64 %0, %0, %1;" : "+l"(x) : "l"(y)), 1, 3)               \
  _(cvt_f32_u32, uint32_t,                                                                         \
    asm volatile("{.reg .f32 f; cvt.rn.f32.u32 f, %0; mov.b32 %0, f;}"                             \
                 : "+r"(x)                                                                         \
                 : "r"(y)),                                                                        \
    1, 3)                                                                                          \
  _(cvt_u32_f32, uint32_t,                                                                         \
    asm volatile("{.reg .f32 f; mov.b32 f, %0; cvt.rzi.u32.f32 %0, f;}"                            \
                 : "+r"(x)                                                                         \
                 : "r"(y)),                                                                        \
    1, 3)                                                                                          \
  _(cvt_f64_f32_back, float,                                                                       \
    asm volatile("{.reg .f64 d; cvt.f64.f32 d, %0; cvt.rn.f32.f64 %0, d;}"                         \
                 : "+f"(x)                                                                         \
                 : "f"(y)),                                                                        \
    1, 3)                                                                                          \
  _(cvt_f64_s32_back, int,                                                                         \
    asm volatile("{.reg .f64 d; cvt.rn.f64.s32 d, %0; cvt.rzi.s32.f64 %0, d;}"                     \
                 : "+r"(x)                                                                         \
                 : "r"(y)),                                                                        \
    1, 3)

MEASURE_ALL(OPS)
