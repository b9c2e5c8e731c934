/* nvcuda::wmma for clang: matrix products that a warp computes together. Each lane holds a part of
 * a fragment. The functions become the instructions wmma.load, wmma.mma and wmma.store. The
 * supported types are half, bfloat16, TF32, 8-bit integers and double, in the shapes of PTX. */
#ifndef LOCKSTEP_MMA_H
#define LOCKSTEP_MMA_H
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#ifdef __cplusplus
#define WMMA_HERE static __attribute__((device, nodebug, unused, always_inline)) inline

namespace nvcuda {
namespace wmma {
enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
namespace precision {
struct tf32 {};
} // namespace precision

namespace details {
/* A 32-bit register of a fragment. */
typedef unsigned __attribute__((may_alias)) Word;
template <class T> struct Storage { using type = T; };
template <> struct Storage<precision::tf32> { using type = float; };
/* The number of elements of a matrix, and the number of elements that a lane holds. Fragments of A
 * and B with elements of type half hold each element twice. */
template <class Use> struct Size;
template <> struct Size<matrix_a> {
  static constexpr int of(int m, int, int k) { return m * k; }
};
template <> struct Size<matrix_b> {
  static constexpr int of(int, int n, int k) { return n * k; }
};
template <> struct Size<accumulator> {
  static constexpr int of(int m, int n, int) { return m * n; }
};
template <class Use, class T> struct Held {
  static constexpr int of(int size) { return size / 32; }
};
template <class Use> struct Held<Use, __half> {
  static constexpr int of(int) { return 16; }
};
template <> struct Held<accumulator, __half> {
  static constexpr int of(int size) { return size / 32; }
};
template <class T, class U> struct Same {
  enum { value = 0 };
};
template <class T> struct Same<T, T> {
  enum { value = 1 };
};
} // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
  using element_type = T;
  using storage_element_type = typename details::Storage<T>::type;
  enum { num_elements = details::Held<Use, T>::of(details::Size<Use>::of(M, N, K)) };
  enum { num_storage_elements = num_elements };
  storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
WMMA_HERE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, Value value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = (typename details::Storage<T>::type)value;
}
WMMA_HERE float __float_to_tf32(float x) {
  unsigned bits;
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

/* ---- registers of operands, and their numbers in an instruction ------------------------------ */
#define WMMA_OUT1(r) "=r"(r[0])
#define WMMA_IN1(r) "r"(r[0])
#define WMMA_LOAD1 "{%0}, [%1], %2;"
#define WMMA_STORE1 "[%0], {%1}, %2;"
#define WMMA_OUT2(r) "=r"(r[0]), "=r"(r[1])
#define WMMA_IN2(r) "r"(r[0]), "r"(r[1])
#define WMMA_LOAD2 "{%0,%1}, [%2], %3;"
#define WMMA_STORE2 "[%0], {%1,%2}, %3;"
#define WMMA_OUT4(r) "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
#define WMMA_IN4(r) "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
#define WMMA_LOAD4 "{%0,%1,%2,%3}, [%4], %5;"
#define WMMA_STORE4 "[%0], {%1,%2,%3,%4}, %5;"
#define WMMA_OUT8(r)                                                                               \
  "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define WMMA_IN8(r)                                                                                \
  "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
#define WMMA_LOAD8 "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
#define WMMA_STORE8 "[%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;"
#define WMMA_OUT1D(r) "=d"(r[0])
#define WMMA_OUT2D(r) "=d"(r[0]), "=d"(r[1])
#define WMMA_IN1D(r) "d"(r[0])
#define WMMA_IN2D(r) "d"(r[0]), "d"(r[1])
#define WMMA_LOAD1D WMMA_LOAD1
#define WMMA_LOAD2D WMMA_LOAD2
#define WMMA_STORE2D WMMA_STORE2
#define WMMA_MMA8888                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                   \
  "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27,%28,%29,%30,%31};"
#define WMMA_MMA8884                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                   \
  "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27};"
#define WMMA_MMA4888                                                                               \
  "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, "                \
  "{%20,%21,%22,%23,%24,%25,%26,%27};"
#define WMMA_MMA4884                                                                               \
  "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, "                \
  "{%20,%21,%22,%23};"
#define WMMA_MMA8448                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, "                                \
  "{%16,%17,%18,%19,%20,%21,%22,%23};"
#define WMMA_MMA8288                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13,%14,%15,%16,%17}, "                        \
  "{%18,%19,%20,%21,%22,%23,%24,%25};"
#define WMMA_MMA8828                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17}, "                        \
  "{%18,%19,%20,%21,%22,%23,%24,%25};"
#define WMMA_MMA8228                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};"
#define WMMA_MMA8148                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8}, {%9,%10,%11,%12}, {%13,%14,%15,%16,%17,%18,%19,%20};"
#define WMMA_MMA8418                                                                               \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12}, {%13,%14,%15,%16,%17,%18,%19,%20};"
#define WMMA_MMA2112 "{%0,%1}, {%2}, {%3}, {%4,%5};"
#define WMMA_MMA2D1D1D2D WMMA_MMA2112

#define WMMA_LOAD_AS(what, layout, shape, ptx, n, R, r, p, stride)                                 \
  __asm__ volatile("wmma.load." what ".sync.aligned." layout "." shape "." ptx " " WMMA_LOAD##n    \
                   : WMMA_OUT##n(((R *)r))                                                         \
                   : "l"(p), "r"(stride)                                                           \
                   : "memory")
#define WMMA_STORE_AS(layout, shape, ptx, n, R, r, p, stride)                                      \
  __asm__ volatile("wmma.store.d.sync.aligned." layout "." shape "." ptx " " WMMA_STORE##n         \
                   :                                                                               \
                   : "l"(p), WMMA_IN##n(((const R *)r)), "r"(stride)                               \
                   : "memory")
/* Loads of A or B. The layout is part of the type of the fragment. */
#define WMMA_FACTOR(Use, what, M, N, K, T, Memory, ptx, n, R)                                      \
  template <class Layout>                                                                          \
  WMMA_HERE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const Memory *p,           \
                                  unsigned stride) {                                               \
    if (details::Same<Layout, row_major>::value)                                                   \
      WMMA_LOAD_AS(what, "row", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                  \
    else                                                                                           \
      WMMA_LOAD_AS(what, "col", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                  \
  }
/* Loads and stores of an accumulator. The layout is an argument. */
#define WMMA_SUM(M, N, K, T, ptx, n, R)                                                            \
  WMMA_HERE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,                \
                                  unsigned stride, layout_t layout) {                              \
    if (layout == mem_row_major)                                                                   \
      WMMA_LOAD_AS("c", "row", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                   \
    else                                                                                           \
      WMMA_LOAD_AS("c", "col", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                   \
  }                                                                                                \
  WMMA_HERE void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,               \
                                   unsigned stride, layout_t layout) {                             \
    if (layout == mem_row_major)                                                                   \
      WMMA_STORE_AS("row", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                       \
    else                                                                                           \
      WMMA_STORE_AS("col", "m" #M "n" #N "k" #K, ptx, n, R, f.x, p, stride);                       \
  }
#define WMMA_MULTIPLY_AS(la, lb, shape, types, form, nd, na, nb, nc, R, d, a, b, c)                \
  __asm__ volatile("wmma.mma.sync.aligned." la "." lb "." shape "." types " " form                 \
                   : WMMA_OUT##nd(((R *)d))                                                        \
                   : WMMA_IN##na(((const R *)a)), WMMA_IN##nb(((const R *)b)),                     \
                     WMMA_IN##nc(((const R *)c)))
#define WMMA_MULTIPLY(M, N, K, T, D, C, types, nd, na, nb, nc, R)                                  \
  template <class A, class B>                                                                      \
  WMMA_HERE void mma_sync(                                                                         \
      fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, A> &a,            \
      const fragment<matrix_b, M, N, K, T, B> &b, const fragment<accumulator, M, N, K, C> &c) {    \
    if (details::Same<A, row_major>::value && details::Same<B, row_major>::value)                  \
      WMMA_MULTIPLY_AS("row", "row", "m" #M "n" #N "k" #K, types, WMMA_MMA##nd##na##nb##nc, nd,    \
                       na, nb, nc, R, d.x, a.x, b.x, c.x);                                         \
    else if (details::Same<A, row_major>::value)                                                   \
      WMMA_MULTIPLY_AS("row", "col", "m" #M "n" #N "k" #K, types, WMMA_MMA##nd##na##nb##nc, nd,    \
                       na, nb, nc, R, d.x, a.x, b.x, c.x);                                         \
    else if (details::Same<B, row_major>::value)                                                   \
      WMMA_MULTIPLY_AS("col", "row", "m" #M "n" #N "k" #K, types, WMMA_MMA##nd##na##nb##nc, nd,    \
                       na, nb, nc, R, d.x, a.x, b.x, c.x);                                         \
    else                                                                                           \
      WMMA_MULTIPLY_AS("col", "col", "m" #M "n" #N "k" #K, types, WMMA_MMA##nd##na##nb##nc, nd,    \
                       na, nb, nc, R, d.x, a.x, b.x, c.x);                                         \
  }

/* ---- the supported shapes and types ---------------------------------------------------------- */
#define WMMA_HALVES(M, N, K)                                                                       \
  WMMA_FACTOR(matrix_a, "a", M, N, K, __half, __half, "f16", 8, details::Word)                     \
  WMMA_FACTOR(matrix_b, "b", M, N, K, __half, __half, "f16", 8, details::Word)                     \
  WMMA_SUM(M, N, K, __half, "f16", 4, details::Word)                                               \
  WMMA_SUM(M, N, K, float, "f32", 8, details::Word)                                                \
  WMMA_MULTIPLY(M, N, K, __half, float, float, "f32.f32", 8, 8, 8, 8, details::Word)               \
  WMMA_MULTIPLY(M, N, K, __half, float, __half, "f32.f16", 8, 8, 8, 4, details::Word)              \
  WMMA_MULTIPLY(M, N, K, __half, __half, float, "f16.f32", 4, 8, 8, 8, details::Word)              \
  WMMA_MULTIPLY(M, N, K, __half, __half, __half, "f16.f16", 4, 8, 8, 4, details::Word)
WMMA_HALVES(16, 16, 16)
WMMA_HALVES(8, 32, 16)
WMMA_HALVES(32, 8, 16)

#define WMMA_BFLOATS(M, N, K, na, nb)                                                              \
  WMMA_FACTOR(matrix_a, "a", M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", na, details::Word)     \
  WMMA_FACTOR(matrix_b, "b", M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", nb, details::Word)     \
  WMMA_MULTIPLY(M, N, K, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, na, nb, 8,           \
                details::Word)
WMMA_BFLOATS(16, 16, 16, 4, 4)
WMMA_BFLOATS(8, 32, 16, 2, 8)
WMMA_BFLOATS(32, 8, 16, 8, 2)

#define WMMA_BYTES(M, N, K, T, ptx, na, nb)                                                        \
  WMMA_FACTOR(matrix_a, "a", M, N, K, T, T, ptx, na, details::Word)                                \
  WMMA_FACTOR(matrix_b, "b", M, N, K, T, T, ptx, nb, details::Word)                                \
  WMMA_MULTIPLY(M, N, K, T, int, int, "s32." ptx "." ptx ".s32", 8, na, nb, 8, details::Word)
#define WMMA_WHOLE(M, N, K, na, nb)                                                                \
  WMMA_BYTES(M, N, K, signed char, "s8", na, nb)                                                   \
  WMMA_BYTES(M, N, K, unsigned char, "u8", na, nb)                                                 \
  WMMA_SUM(M, N, K, int, "s32", 8, details::Word)
WMMA_WHOLE(16, 16, 16, 2, 2)
WMMA_WHOLE(8, 32, 16, 1, 4)
WMMA_WHOLE(32, 8, 16, 4, 1)

WMMA_FACTOR(matrix_a, "a", 16, 16, 8, precision::tf32, float, "tf32", 4, details::Word)
WMMA_FACTOR(matrix_b, "b", 16, 16, 8, precision::tf32, float, "tf32", 4, details::Word)
WMMA_SUM(16, 16, 8, float, "f32", 8, details::Word)
WMMA_MULTIPLY(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", 8, 4, 4, 8,
              details::Word)

WMMA_FACTOR(matrix_a, "a", 8, 8, 4, double, double, "f64", 1D, double)
WMMA_FACTOR(matrix_b, "b", 8, 8, 4, double, double, "f64", 1D, double)
WMMA_SUM(8, 8, 4, double, "f64", 2D, double)
WMMA_MULTIPLY(8, 8, 4, double, double, double, "rn.f64.f64.f64.f64", 2D, 1D, 1D, 2D, double)
} // namespace wmma
} // namespace nvcuda

#undef WMMA_BFLOATS
#undef WMMA_BYTES
#undef WMMA_FACTOR
#undef WMMA_HALVES
#undef WMMA_HERE
#undef WMMA_IN1
#undef WMMA_IN1D
#undef WMMA_IN2
#undef WMMA_IN2D
#undef WMMA_IN4
#undef WMMA_IN8
#undef WMMA_LOAD1
#undef WMMA_LOAD1D
#undef WMMA_LOAD2
#undef WMMA_LOAD2D
#undef WMMA_LOAD4
#undef WMMA_LOAD8
#undef WMMA_LOAD_AS
#undef WMMA_MMA2112
#undef WMMA_MMA2D1D1D2D
#undef WMMA_MMA4884
#undef WMMA_MMA4888
#undef WMMA_MMA8148
#undef WMMA_MMA8228
#undef WMMA_MMA8288
#undef WMMA_MMA8418
#undef WMMA_MMA8448
#undef WMMA_MMA8828
#undef WMMA_MMA8884
#undef WMMA_MMA8888
#undef WMMA_MULTIPLY
#undef WMMA_MULTIPLY_AS
#undef WMMA_OUT1
#undef WMMA_OUT1D
#undef WMMA_OUT2
#undef WMMA_OUT2D
#undef WMMA_OUT4
#undef WMMA_OUT8
#undef WMMA_STORE1
#undef WMMA_STORE2
#undef WMMA_STORE2D
#undef WMMA_STORE4
#undef WMMA_STORE8
#undef WMMA_STORE_AS
#undef WMMA_SUM
#undef WMMA_WHOLE
#endif
#endif
