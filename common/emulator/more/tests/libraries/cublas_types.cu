/* Compares cuBLAS for all four types with plain loops over complex doubles. A test first creates a
 * full matrix, and then stores it in the layout that a function needs. Elements that the layout
 * does not store are NaN, because they must not be read. */
#include <complex>
#include <cublas_v2.h>
#include <functional>
#include <math.h>
#include <stdio.h>
#include <type_traits>
#include <vector>

typedef std::complex<double> Z;
static cublasHandle_t handle;
static int failed;
static const char *type;

template <class T> struct Is {
  enum { COMPLEX = 0 };
};
template <> struct Is<cuComplex> {
  enum { COMPLEX = 1 };
};
template <> struct Is<cuDoubleComplex> {
  enum { COMPLEX = 1 };
};
template <class T> static T to(Z z) {
  if constexpr (Is<T>::COMPLEX)
    return {decltype(T::x)(z.real()), decltype(T::x)(z.imag())};
  else
    return (T)z.real();
}
template <class T> static Z from(T x) {
  if constexpr (Is<T>::COMPLEX)
    return Z(x.x, x.y);
  else
    return Z((double)x, 0);
}
template <class T> struct RealOf { typedef T type; };
template <> struct RealOf<cuComplex> { typedef float type; };
template <> struct RealOf<cuDoubleComplex> { typedef double type; };

static unsigned state = 7;
static double eighths() { /* sums of products of its results are exact in float */
  state = state * 1664525u + 1013904223u;
  return (int)(state >> 27) / 4.0 - 4;
}
template <class T> static Z number() {
  const double real = eighths();
  return Z(real, Is<T>::COMPLEX ? eighths() : 0);
}

static void good(const char *what, cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    printf("%s in %s: %s\n", what, type, cublasGetStatusString(status)), failed = 1;
}
static void same(const char *what, Z seen, Z expected, double limit = 0) {
  if (std::abs(seen - expected) <= limit * (1 + std::abs(expected)))
    return;
  if (failed++ < 20)
    printf("%s in %s: %g + %g i, expected %g + %g i\n", what, type, seen.real(), seen.imag(),
           expected.real(), expected.imag());
}

/* ---- on the device --------------------------------------------------------------------------- */
template <class T> struct On {
  std::vector<T> host;
  T *there;
  On(const std::vector<T> &values) : host(values) {
    cudaMalloc(&there, (host.size() + 1) * sizeof(T));
    cudaMemcpy(there, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  On(const On &) = delete;
  ~On() { cudaFree(there); }
  void back() { cudaMemcpy(host.data(), there, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
};
template <class T> static T nan_of() { return to<T>(Z(NAN, NAN)); }

/* A vector whose elements are |step| apart, in reverse order if `step` is negative. */
template <class T> struct Vector : On<T> {
  int n, step;
  Vector(const std::vector<Z> &values, int step_)
      : On<T>(spread(values, step_)), n((int)values.size()), step(step_) {}
  static std::vector<T> spread(const std::vector<Z> &values, int step) {
    const int n = (int)values.size();
    std::vector<T> memory((size_t)(n - 1) * abs(step) + 1, to<T>(-77));
    for (int i = 0; i < n; i++)
      memory[(size_t)(step < 0 ? n - 1 - i : i) * abs(step)] = to<T>(values[i]);
    return memory;
  }
  Z at(int i) const { return from(this->host[(size_t)(step < 0 ? n - 1 - i : i) * abs(step)]); }
};

/* ---- whole matrices and their layouts -------------------------------------------------------- */
typedef std::function<Z(int i, int j)> Whole;
struct Matrix {
  int rows, columns;
  std::vector<Z> x;
  Z &operator()(int i, int j) { return x[i + (size_t)j * rows]; }
  Z operator()(int i, int j) const { return x[i + (size_t)j * rows]; }
};
template <class T> static Matrix any(int m, int n) {
  Matrix a{m, n, std::vector<Z>((size_t)m * n)};
  for (Z &z : a.x)
    z = number<T>();
  return a;
}
enum Kind { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };
static bool inside(cublasFillMode_t f, int i, int j) {
  return f == CUBLAS_FILL_MODE_UPPER ? i <= j : j <= i;
}
/* Returns a square matrix of this kind with k diagonals on each side of the main diagonal. */
template <class T>
static Matrix square(int n, Kind kind, cublasFillMode_t f, cublasDiagType_t d, int k) {
  Matrix a = any<T>(n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      if (abs(i - j) > k || (kind == TRIANGULAR && !inside(f, i, j)))
        a(i, j) = 0;
      else if (i > j && kind == SYMMETRIC)
        a(i, j) = a(j, i);
      else if (i > j && kind == HERMITIAN)
        a(i, j) = std::conj(a(j, i));
      else if (i == j && kind == HERMITIAN)
        a(i, j) = a(i, j).real();
      else if (i == j && kind == TRIANGULAR)
        a(i, j) = d == CUBLAS_DIAG_UNIT ? 1 : i % 2 ? -2 : 4;
    }
  return a;
}
template <class T> static std::vector<T> full(const Matrix &a, int ld) {
  std::vector<T> memory((size_t)ld * a.columns, nan_of<T>());
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++)
      memory[i + (size_t)j * ld] = to<T>(a(i, j));
  return memory;
}
/* Stores one triangle of a matrix. `unit`: the diagonal is known to be 1, so it is not stored. */
template <class T>
static std::vector<T> triangle(const Matrix &a, int ld, cublasFillMode_t f, bool unit = false) {
  std::vector<T> memory = full<T>(a, ld);
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++)
      if (!inside(f, i, j) || (unit && i == j))
        memory[i + (size_t)j * ld] = nan_of<T>();
  return memory;
}
template <class T>
static std::vector<T> packed(const Matrix &a, cublasFillMode_t f, bool unit = false) {
  std::vector<T> memory;
  for (int j = 0; j < a.columns; j++)
    for (int i = 0; i < a.rows; i++)
      if (inside(f, i, j))
        memory.push_back(unit && i == j ? nan_of<T>() : to<T>(a(i, j)));
  return memory;
}
/* Stores a band matrix: diagonal d = j - i is in row above - d. */
template <class T>
static std::vector<T> band(const Matrix &a, int ld, int below, int above, bool unit = false) {
  std::vector<T> memory((size_t)ld * a.columns, nan_of<T>());
  for (int d = -below; d <= above; d++)
    for (int j = 0; j < a.columns; j++)
      if (j - d >= 0 && j - d < a.rows && !(unit && d == 0))
        memory[above - d + (size_t)j * ld] = to<T>(a(j - d, j));
  return memory;
}
static Whole changed(const Matrix &a, cublasOperation_t o) {
  return [&a, o](int i, int j) {
    return o == CUBLAS_OP_N ? a(i, j) : o == CUBLAS_OP_T ? a(j, i) : std::conj(a(j, i));
  };
}
static Z row_times(const Whole &a, int i, int n, const std::vector<Z> &x) {
  Z sum = 0;
  for (int j = 0; j < n; j++)
    sum += a(i, j) * x[j];
  return sum;
}
template <class T> static std::vector<Z> some(int n) {
  std::vector<Z> x(n);
  for (Z &z : x)
    z = number<T>();
  return x;
}

/* ---- the functions by type ------------------------------------------------------------------- */
#define CALL(name, ...)                                                                            \
  good(#name, [&] {                                                                                \
    if constexpr (std::is_same<T, float>::value)                                                   \
      return cublasS##name(handle, __VA_ARGS__);                                                   \
    else if constexpr (std::is_same<T, double>::value)                                             \
      return cublasD##name(handle, __VA_ARGS__);                                                   \
    else if constexpr (std::is_same<T, cuComplex>::value)                                          \
      return cublasC##name(handle, __VA_ARGS__);                                                   \
    else                                                                                           \
      return cublasZ##name(handle, __VA_ARGS__);                                                   \
  }())
/* Call functions that exist only for real types or only for complex types. */
#define CALL_REAL(name, ...)                                                                       \
  good(#name, [&] {                                                                                \
    if constexpr (std::is_same<T, float>::value)                                                   \
      return cublasS##name(handle, __VA_ARGS__);                                                   \
    else                                                                                           \
      return cublasD##name(handle, __VA_ARGS__);                                                   \
  }())
#define CALL_COMPLEX(name, ...)                                                                    \
  good(#name, [&] {                                                                                \
    if constexpr (std::is_same<T, cuComplex>::value)                                               \
      return cublasC##name(handle, __VA_ARGS__);                                                   \
    else                                                                                           \
      return cublasZ##name(handle, __VA_ARGS__);                                                   \
  }())

static const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
enum { N = 7, K = 2, LD = 9 };

/* Checks `call`, which computes y = alpha a x + beta y. */
template <class T>
static void
product(const char *what, const Whole &a, int results, int length,
        const std::function<void(T *alpha, Vector<T> &x, T *beta, Vector<T> &y)> &call) {
  for (Z factor : {Z(0), number<T>()}) {
    std::vector<Z> x = some<T>(length), y = some<T>(results);
    T alpha = to<T>(number<T>()), beta = to<T>(factor);
    Vector<T> device_x(x, 2), device_y(y, -3);
    call(&alpha, device_x, &beta, device_y);
    device_y.back();
    for (int i = 0; i < results; i++)
      same(what, device_y.at(i), from(alpha) * row_times(a, i, length, x) + factor * y[i]);
  }
}

template <class T> static void vectors_by_matrices() {
  for (cublasOperation_t o : operations) {
    const Matrix a = any<T>(N, 5);
    Matrix few = any<T>(N, 5);
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < N; i++)
        if (i - j > 1 || j - i > 2)
          few(i, j) = 0;
    const int results = o == CUBLAS_OP_N ? N : 5, length = N + 5 - results;
    On<T> device(full<T>(a, LD)), banded(band<T>(few, 6, 1, 2));
    product<T>("gemv", changed(a, o), results, length,
               [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
                 CALL(gemv, o, N, 5, alpha, device.there, LD, x.there, 2, beta, y.there, -3);
               });
    product<T>("gbmv", changed(few, o), results, length,
               [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
                 CALL(gbmv, o, N, 5, 1, 2, alpha, banded.there, 6, x.there, 2, beta, y.there, -3);
               });
  }
  for (cublasFillMode_t f : fills) {
    const Kind kind = Is<T>::COMPLEX ? HERMITIAN : SYMMETRIC;
    const bool upper = f == CUBLAS_FILL_MODE_UPPER;
    const Matrix a = square<T>(N, kind, f, diagonals[0], N),
                 few = square<T>(N, kind, f, diagonals[0], K),
                 b = square<T>(N, SYMMETRIC, f, diagonals[0], N);
    On<T> whole(triangle<T>(a, LD, f)), part(packed<T>(a, f)), symmetric(triangle<T>(b, LD, f)),
        banded(band<T>(few, K + 1, upper ? 0 : K, upper ? K : 0));
    typedef std::function<void(T *, Vector<T> &, T *, Vector<T> &)> Call;
    Call by_full = [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
      if constexpr (Is<T>::COMPLEX)
        CALL_COMPLEX(hemv, f, N, alpha, whole.there, LD, x.there, 2, beta, y.there, -3);
      else
        CALL_REAL(symv, f, N, alpha, whole.there, LD, x.there, 2, beta, y.there, -3);
    };
    Call by_band = [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
      if constexpr (Is<T>::COMPLEX)
        CALL_COMPLEX(hbmv, f, N, K, alpha, banded.there, K + 1, x.there, 2, beta, y.there, -3);
      else
        CALL_REAL(sbmv, f, N, K, alpha, banded.there, K + 1, x.there, 2, beta, y.there, -3);
    };
    Call by_packed = [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
      if constexpr (Is<T>::COMPLEX)
        CALL_COMPLEX(hpmv, f, N, alpha, part.there, x.there, 2, beta, y.there, -3);
      else
        CALL_REAL(spmv, f, N, alpha, part.there, x.there, 2, beta, y.there, -3);
    };
    product<T>("symv or hemv", changed(a, CUBLAS_OP_N), N, N, by_full);
    product<T>("sbmv or hbmv", changed(few, CUBLAS_OP_N), N, N, by_band);
    product<T>("spmv or hpmv", changed(a, CUBLAS_OP_N), N, N, by_packed);
    product<T>("symv", changed(b, CUBLAS_OP_N), N, N,
               [&](T *alpha, Vector<T> &x, T *beta, Vector<T> &y) {
                 CALL(symv, f, N, alpha, symmetric.there, LD, x.there, 2, beta, y.there, -3);
               });
  }
}

/* Checks that `times` replaces x by a x, and that the solving function gives x again. */
template <class T>
static void there_and_back(const char *what, const Whole &a,
                           const std::function<void(Vector<T> &x)> &times,
                           const std::function<void(Vector<T> &x)> &solve) {
  const std::vector<Z> x = some<T>(N);
  Vector<T> device(x, -2);
  times(device);
  device.back();
  for (int i = 0; i < N; i++)
    same(what, device.at(i), row_times(a, i, N, x));
  solve(device);
  device.back();
  for (int i = 0; i < N; i++)
    same(what, device.at(i), x[i], 2e-2); /* large tolerance: differences lose digits */
}
template <class T> static void triangles() {
  for (cublasFillMode_t f : fills)
    for (cublasDiagType_t d : diagonals)
      for (cublasOperation_t o : operations) {
        const bool upper = f == CUBLAS_FILL_MODE_UPPER, unit = d == CUBLAS_DIAG_UNIT;
        const Matrix a = square<T>(N, TRIANGULAR, f, d, 1),
                     few = square<T>(N, TRIANGULAR, f, d, K - 1);
        On<T> whole(triangle<T>(a, LD, f, unit)), part(packed<T>(a, f, unit)),
            banded(band<T>(few, K, upper ? 0 : K - 1, upper ? K - 1 : 0, unit));
        there_and_back<T>(
            "trmv, trsv", changed(a, o),
            [&](Vector<T> &x) { CALL(trmv, f, o, d, N, whole.there, LD, x.there, -2); },
            [&](Vector<T> &x) { CALL(trsv, f, o, d, N, whole.there, LD, x.there, -2); });
        there_and_back<T>(
            "tpmv, tpsv", changed(a, o),
            [&](Vector<T> &x) { CALL(tpmv, f, o, d, N, part.there, x.there, -2); },
            [&](Vector<T> &x) { CALL(tpsv, f, o, d, N, part.there, x.there, -2); });
        there_and_back<T>(
            "tbmv, tbsv", changed(few, o),
            [&](Vector<T> &x) { CALL(tbmv, f, o, d, N, K - 1, banded.there, K, x.there, -2); },
            [&](Vector<T> &x) { CALL(tbsv, f, o, d, N, K - 1, banded.there, K, x.there, -2); });
      }
}

/* Checks a full or packed triangle. Elements that the layout does not store must still be NaN. */
template <class T>
static void holds(const char *what, On<T> &device, const Matrix &expected, cublasFillMode_t f,
                  bool is_packed) {
  device.back();
  const std::vector<T> wanted = is_packed ? packed<T>(expected, f) : triangle<T>(expected, LD, f);
  for (size_t i = 0; i < wanted.size(); i++)
    if (std::isnan(from(wanted[i]).real()) != std::isnan(from(device.host[i]).real()))
      same(what, 1, 0);
    else if (!std::isnan(from(wanted[i]).real()))
      same(what, from(device.host[i]), from(wanted[i]));
}
static Z turned(Z z, bool conjugated) { return conjugated ? std::conj(z) : z; }

template <class T> static void updates() {
  typedef typename RealOf<T>::type R;
  const std::vector<Z> x = some<T>(N), y = some<T>(N), z = some<T>(5);
  Vector<T> device_x(x, 2), device_y(y, -1), device_z(z, -3);
  const Z factor = number<T>();
  T alpha = to<T>(factor);
  R real = 3;
  for (bool conjugated : {false, true}) {
    if (conjugated && !Is<T>::COMPLEX)
      break;
    Matrix a = any<T>(N, 5);
    On<T> device(full<T>(a, LD));
    if constexpr (!Is<T>::COMPLEX)
      CALL_REAL(ger, N, 5, &alpha, device_x.there, 2, device_z.there, -3, device.there, LD);
    else if (conjugated)
      CALL_COMPLEX(gerc, N, 5, &alpha, device_x.there, 2, device_z.there, -3, device.there, LD);
    else
      CALL_COMPLEX(geru, N, 5, &alpha, device_x.there, 2, device_z.there, -3, device.there, LD);
    device.back();
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < N; i++)
        same("ger", from(device.host[i + (size_t)j * LD]),
             a(i, j) + factor * x[i] * turned(z[j], conjugated));
  }
  for (cublasFillMode_t f : fills)
    for (bool twice : {false, true})
      for (bool is_packed : {false, true})
        for (Kind kind : {SYMMETRIC, HERMITIAN}) {
          const bool conjugated = kind == HERMITIAN;
          if ((conjugated && !Is<T>::COMPLEX) || (Is<T>::COMPLEX && !conjugated && is_packed))
            continue;
          Matrix a = square<T>(N, kind, f, diagonals[0], N);
          On<T> device(is_packed ? packed<T>(a, f) : triangle<T>(a, LD, f));
          T *A = device.there, *X = device_x.there, *Y = device_y.there;
          if constexpr (Is<T>::COMPLEX) {
            if (!conjugated && twice)
              CALL(syr2, f, N, &alpha, X, 2, Y, -1, A, LD);
            else if (!conjugated)
              CALL(syr, f, N, &alpha, X, 2, A, LD);
            else if (twice && is_packed)
              CALL_COMPLEX(hpr2, f, N, &alpha, X, 2, Y, -1, A);
            else if (twice)
              CALL_COMPLEX(her2, f, N, &alpha, X, 2, Y, -1, A, LD);
            else if (is_packed)
              CALL_COMPLEX(hpr, f, N, &real, X, 2, A);
            else
              CALL_COMPLEX(her, f, N, &real, X, 2, A, LD);
          } else {
            if (twice && is_packed)
              CALL_REAL(spr2, f, N, &alpha, X, 2, Y, -1, A);
            else if (twice)
              CALL(syr2, f, N, &alpha, X, 2, Y, -1, A, LD);
            else if (is_packed)
              CALL_REAL(spr, f, N, &alpha, X, 2, A);
            else
              CALL(syr, f, N, &alpha, X, 2, A, LD);
          }
          const Z by = conjugated && !twice ? Z(real) : factor;
          for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
              a(i, j) += twice ? by * x[i] * turned(y[j], conjugated) +
                                     turned(by, conjugated) * y[i] * turned(x[j], conjugated)
                               : by * x[i] * turned(x[j], conjugated);
          holds(conjugated ? "her" : "syr", device, a, f, is_packed);
        }
}

/* ---- level 3 --------------------------------------------------------------------------------- */
static Z entry(const Whole &a, const Whole &b, int i, int j, int k) {
  Z sum = 0;
  for (int l = 0; l < k; l++)
    sum += a(i, l) * b(l, j);
  return sum;
}

template <class T> static void products() {
  typedef typename RealOf<T>::type R;
  const Z factor = number<T>(), keep = number<T>();
  T alpha = to<T>(factor), beta = to<T>(keep);
  for (cublasOperation_t oa : operations)
    for (cublasOperation_t ob : operations) {
      const Matrix a = oa == CUBLAS_OP_N ? any<T>(N, 4) : any<T>(4, N),
                   b = ob == CUBLAS_OP_N ? any<T>(4, 5) : any<T>(5, 4), c = any<T>(N, 5);
      On<T> A(full<T>(a, LD)), B(full<T>(b, LD)), C(full<T>(c, LD)), D(full<T>(c, LD));
      CALL(gemm, oa, ob, N, 5, 4, &alpha, A.there, LD, B.there, LD, &beta, C.there, LD);
      if constexpr (Is<T>::COMPLEX)
        CALL_COMPLEX(gemm3m, oa, ob, N, 5, 4, &alpha, A.there, LD, B.there, LD, &beta, D.there, LD);
      C.back(), D.back();
      for (int j = 0; j < 5; j++)
        for (int i = 0; i < N; i++) {
          const Z wanted = factor * entry(changed(a, oa), changed(b, ob), i, j, 4) + keep * c(i, j);
          same("gemm", from(C.host[i + (size_t)j * LD]), wanted);
          if (Is<T>::COMPLEX)
            same("gemm3m", from(D.host[i + (size_t)j * LD]), wanted);
        }
    }
  for (cublasFillMode_t f : fills)
    for (Kind kind : {SYMMETRIC, HERMITIAN}) {
      const bool hermitian = kind == HERMITIAN;
      if (hermitian && !Is<T>::COMPLEX)
        continue;
      for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
        const int size = side == CUBLAS_SIDE_LEFT ? N : 5;
        const Matrix a = square<T>(size, kind, f, diagonals[0], N), b = any<T>(N, 5),
                     c = any<T>(N, 5);
        On<T> A(triangle<T>(a, LD, f)), B(full<T>(b, LD)), C(full<T>(c, LD));
        if (!hermitian)
          CALL(symm, side, f, N, 5, &alpha, A.there, LD, B.there, LD, &beta, C.there, LD);
        else if constexpr (Is<T>::COMPLEX)
          CALL_COMPLEX(hemm, side, f, N, 5, &alpha, A.there, LD, B.there, LD, &beta, C.there, LD);
        C.back();
        const Whole first = changed(side == CUBLAS_SIDE_LEFT ? a : b, CUBLAS_OP_N),
                    second = changed(side == CUBLAS_SIDE_LEFT ? b : a, CUBLAS_OP_N);
        for (int j = 0; j < 5; j++)
          for (int i = 0; i < N; i++)
            same("symm or hemm", from(C.host[i + (size_t)j * LD]),
                 factor * entry(first, second, i, j, size) + keep * c(i, j));
      }
      const cublasOperation_t turn = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
      for (cublasOperation_t o : {CUBLAS_OP_N, turn})
        for (int which : {0, 1, 2}) { /* syrk, syr2k, syrkx or herk, ... */
          const Matrix a = o == CUBLAS_OP_N ? any<T>(N, 4) : any<T>(4, N),
                       b = o == CUBLAS_OP_N ? any<T>(N, 4) : any<T>(4, N);
          Matrix c = square<T>(N, kind, f, diagonals[0], N);
          On<T> A(full<T>(a, LD)), B(full<T>(b, LD)), C(triangle<T>(c, LD, f));
          R real = 2, real_beta = -3;
          T *a_there = A.there, *b_there = B.there, *c_there = C.there;
          if (!hermitian) {
            if (which == 0)
              CALL(syrk, f, o, N, 4, &alpha, a_there, LD, &beta, c_there, LD);
            else if (which == 1)
              CALL(syr2k, f, o, N, 4, &alpha, a_there, LD, b_there, LD, &beta, c_there, LD);
            else
              CALL(syrkx, f, o, N, 4, &alpha, a_there, LD, b_there, LD, &beta, c_there, LD);
          } else if constexpr (Is<T>::COMPLEX) {
            if (which == 0)
              CALL_COMPLEX(herk, f, o, N, 4, &real, a_there, LD, &real_beta, c_there, LD);
            else if (which == 1)
              CALL_COMPLEX(her2k, f, o, N, 4, &alpha, a_there, LD, b_there, LD, &real_beta, c_there,
                           LD);
            else
              CALL_COMPLEX(herkx, f, o, N, 4, &alpha, a_there, LD, b_there, LD, &real_beta, c_there,
                           LD);
          }
          const Matrix &other = which ? b : a;
          const Z by = hermitian && !which ? Z(real) : factor,
                  kept = hermitian ? Z(real_beta) : keep;
          for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
              Z sum = 0, exchanged = 0;
              for (int l = 0; l < 4; l++) {
                const Z a_i = o == CUBLAS_OP_N ? a(i, l) : turned(a(l, i), hermitian),
                        b_i = o == CUBLAS_OP_N ? other(i, l) : turned(other(l, i), hermitian);
                const Z a_j = o == CUBLAS_OP_N ? a(j, l) : turned(a(l, j), hermitian),
                        b_j = o == CUBLAS_OP_N ? other(j, l) : turned(other(l, j), hermitian);
                sum += a_i * turned(b_j, hermitian), exchanged += b_i * turned(a_j, hermitian);
              }
              c(i, j) =
                  kept * c(i, j) + by * sum + (which == 1 ? turned(by, hermitian) * exchanged : 0);
              if (hermitian && i == j)
                c(i, j) = c(i, j).real();
            }
          holds("rank k", C, c, f, false);
        }
    }
}

/* Computes alpha op(A) B and then solves for B, for both sides. */
template <class T> static void triangles_by_matrices() {
  const T alpha = to<T>(2), back = to<T>(0.5);
  for (cublasFillMode_t f : fills)
    for (cublasDiagType_t d : diagonals)
      for (cublasOperation_t o : operations)
        for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const int size = left ? N : 5;
          const Matrix a = square<T>(size, TRIANGULAR, f, d, 1), b = any<T>(N, 5);
          On<T> A(triangle<T>(a, LD, f, d == CUBLAS_DIAG_UNIT)), B(full<T>(b, LD)),
              C(full<T>(b, LD));
          CALL(trmm, side, f, o, d, N, 5, &alpha, A.there, LD, B.there, LD, C.there, LD);
          C.back();
          for (int j = 0; j < 5; j++)
            for (int i = 0; i < N; i++)
              same("trmm", from(C.host[i + (size_t)j * LD]),
                   2.0 * (left ? entry(changed(a, o), changed(b, CUBLAS_OP_N), i, j, N)
                               : entry(changed(b, CUBLAS_OP_N), changed(a, o), i, j, 5)));
          On<T *> lists({A.there, C.there});
          CALL(trsmBatched, side, f, o, d, N, 5, &back, lists.there, LD, lists.there + 1, LD, 1);
          C.back();
          for (int j = 0; j < 5; j++)
            for (int i = 0; i < N; i++)
              same("trsm", from(C.host[i + (size_t)j * LD]), b(i, j), 2e-2);
        }
}

template <class T> static void others() {
  for (cublasFillMode_t f : fills) {
    Matrix a = any<T>(N, N);
    On<T> part(packed<T>(a, f)), whole(std::vector<T>((size_t)LD * N, nan_of<T>())),
        again(std::vector<T>(N * (N + 1) / 2));
    CALL(tpttr, f, N, part.there, whole.there, LD);
    holds("tpttr", whole, a, f, false);
    CALL(trttp, f, N, whole.there, LD, again.there);
    holds("trttp", again, a, f, true);
  }
  for (cublasOperation_t o : operations) {
    const Matrix a = o == CUBLAS_OP_N ? any<T>(N, 5) : any<T>(5, N), b = any<T>(N, 5);
    const std::vector<Z> x = some<T>(5);
    On<T> A(full<T>(a, LD)), B(full<T>(b, LD)), C(full<T>(b, LD)), D(full<T>(b, LD));
    Vector<T> factors(x, -2);
    T alpha = to<T>(number<T>()), beta = to<T>(3);
    CALL(geam, o, CUBLAS_OP_N, N, 5, &alpha, A.there, LD, &beta, B.there, LD, C.there, LD);
    CALL(dgmm, CUBLAS_SIDE_RIGHT, N, 5, B.there, LD, factors.there, -2, D.there, LD);
    C.back(), D.back();
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < N; i++) {
        same("geam", from(C.host[i + (size_t)j * LD]),
             from(alpha) * changed(a, o)(i, j) + 3.0 * b(i, j));
        same("dgmm", from(D.host[i + (size_t)j * LD]), b(i, j) * x[j]);
      }
  }
}

/* Factorises matrices with large elements off the diagonal, so that pivoting exchanges rows. */
template <class T> static void factors() {
  enum { COUNT = 3 };
  Matrix a[COUNT] = {any<T>(N, N), any<T>(N, N), any<T>(N, N)}, b = any<T>(N, 2);
  for (Matrix &each : a)
    for (int i = 0; i < N; i++)
      each((i + 3) % N, i) += 40;
  for (int i = 0; i < N; i++)
    a[2](i, 4) = 0;
  for (cublasOperation_t o : operations) {
    On<T> A(full<T>(a[0], LD)), B(full<T>(a[1], LD)), C(full<T>(a[2], LD)), right(full<T>(b, LD)),
        right_2(full<T>(b, LD)), inverse(std::vector<T>(LD * N, nan_of<T>())),
        inverse_2(std::vector<T>(LD * N, nan_of<T>()));
    On<T *> list({A.there, B.there, C.there}), rights({right.there, right_2.there}),
        inverses({inverse.there, inverse_2.there});
    On<int> pivots(std::vector<int>(COUNT * N)), info(std::vector<int>(COUNT, -1));
    int wrong = -1;
    if (o == CUBLAS_OP_T) { /* the inverse without a factorisation before it */
      CALL(matinvBatched, N, list.there, LD, inverses.there, LD, info.there, 2);
      info.back();
    } else {
      CALL(getrfBatched, N, list.there, LD, pivots.there, info.there, COUNT);
      info.back();
      same("getrfBatched, singular", info.host[2], 5);
      CALL(getriBatched, N, list.there, LD, pivots.there, inverses.there, LD, info.there, 2);
      CALL(getrsBatched, o, N, 2, list.there, LD, pivots.there, rights.there, LD, &wrong, 2);
      same("getrsBatched, arguments", wrong, 0);
    }
    same("singular", info.host[0] + info.host[1], 0);
    inverse_2.back(), right_2.back();
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        Z sum = 0, product = 0;
        for (int l = 0; l < N; l++) {
          sum += a[1](i, l) * from(inverse_2.host[l + (size_t)j * LD]);
          if (j < 2)
            product += changed(a[1], o)(i, l) * from(right_2.host[l + (size_t)j * LD]);
        }
        same("inverse", sum, i == j, 1e-4);
        if (j < 2 && o != CUBLAS_OP_T)
          same("getrsBatched", product, b(i, j), 1e-4);
      }
  }
}

/* ---- level 1 --------------------------------------------------------------------------------- */
template <class T> static void vectors() {
  typedef typename RealOf<T>::type R;
  const std::vector<Z> x = some<T>(N), y = some<T>(N);
  const Z factor = number<T>();
  T alpha = to<T>(factor), s = to<T>(number<T>());
  R cosine = 2, length = 0, sum = 0;
  Z dot = 0, dot_c = 0;
  double squares = 0, total = 0;
  int largest = 0, smallest = 0, largest_seen = 0, smallest_seen = 0;
  auto size = [&](int i) { return fabs(x[i].real()) + fabs(x[i].imag()); };
  for (int i = 0; i < N; i++) {
    dot += x[i] * y[i], dot_c += std::conj(x[i]) * y[i], squares += std::norm(x[i]),
        total += size(i);
    largest = size(i) > size(largest) ? i : largest,
    smallest = size(i) < size(smallest) ? i : smallest;
  }
  Vector<T> X(x, 2), Y(y, -3), copied(y, 1), P(x, 2), Q(y, -3);
  T result = alpha, result_c = alpha;
  if constexpr (std::is_same<T, float>::value) {
    good("nrm2", cublasSnrm2(handle, N, X.there, 2, &length)),
        good("asum", cublasSasum(handle, N, X.there, 2, &sum));
    good("amax", cublasIsamax(handle, N, X.there, 2, &largest_seen)),
        good("amin", cublasIsamin(handle, N, X.there, 2, &smallest_seen));
  } else if constexpr (std::is_same<T, double>::value) {
    good("nrm2", cublasDnrm2(handle, N, X.there, 2, &length)),
        good("asum", cublasDasum(handle, N, X.there, 2, &sum));
    good("amax", cublasIdamax(handle, N, X.there, 2, &largest_seen)),
        good("amin", cublasIdamin(handle, N, X.there, 2, &smallest_seen));
  } else if constexpr (std::is_same<T, cuComplex>::value) {
    good("nrm2", cublasScnrm2(handle, N, X.there, 2, &length)),
        good("asum", cublasScasum(handle, N, X.there, 2, &sum));
    good("amax", cublasIcamax(handle, N, X.there, 2, &largest_seen)),
        good("amin", cublasIcamin(handle, N, X.there, 2, &smallest_seen));
  } else {
    good("nrm2", cublasDznrm2(handle, N, X.there, 2, &length)),
        good("asum", cublasDzasum(handle, N, X.there, 2, &sum));
    good("amax", cublasIzamax(handle, N, X.there, 2, &largest_seen)),
        good("amin", cublasIzamin(handle, N, X.there, 2, &smallest_seen));
  }
  same("nrm2", (double)length, sqrt(squares), 1e-6), same("asum", (double)sum, total);
  same("amax", largest_seen, largest + 1), same("amin", smallest_seen, smallest + 1);
  if constexpr (Is<T>::COMPLEX) {
    CALL_COMPLEX(dotu, N, X.there, 2, Y.there, -3, &result);
    CALL_COMPLEX(dotc, N, X.there, 2, Y.there, -3, &result_c);
    same("dotc", from(result_c), dot_c);
  } else {
    CALL_REAL(dot, N, X.there, 2, Y.there, -3, &result);
  }
  same("dot", from(result), dot);
  CALL(copy, N, X.there, 2, copied.there, 1);
  CALL(axpy, N, &alpha, copied.there, 1, Y.there, -3);
  CALL(rot, N, P.there, 2, Q.there, -3, &cosine, &s);
  Y.back(), P.back(), Q.back();
  for (int i = 0; i < N; i++) {
    same("axpy", Y.at(i), factor * x[i] + y[i]);
    same("rot", P.at(i), (double)cosine * x[i] + from(s) * y[i]);
    same("rot", Q.at(i), (double)cosine * y[i] - std::conj(from(s)) * x[i]);
  }
  CALL(swap, N, P.there, 2, copied.there, 1);
  CALL(scal, N, &alpha, P.there, 2);
  if constexpr (std::is_same<T, cuComplex>::value)
    good("scal", cublasCsscal(handle, N, &cosine, P.there, 2));
  if constexpr (std::is_same<T, cuDoubleComplex>::value)
    good("scal", cublasZdscal(handle, N, &cosine, P.there, 2));
  P.back();
  for (int i = 0; i < N; i++)
    same("scal", P.at(i), factor * x[i] * (Is<T>::COMPLEX ? 2.0 : 1.0));

  /* Computes the rotation that makes the second of two numbers 0. */
  const Z first = Z(3, Is<T>::COMPLEX ? -1 : 0), second = Z(4, Is<T>::COMPLEX ? 2 : 0);
  T a = to<T>(first), b = to<T>(second);
  CALL(rotg, &a, &b, &cosine, &s);
  same("rotg", -std::conj(from(s)) * first + (double)cosine * second, 0, 1e-5);
  same("rotg", (double)cosine * first + from(s) * second, from(a), 1e-6);
  same("rotg", (double)cosine * (double)cosine + std::norm(from(s)), 1, 1e-6);
  if constexpr (!Is<T>::COMPLEX) { /* flag -1: the other four are a 2x2 matrix by columns */
    const T numbers[5] = {-1, 2, 3, -4, 5};
    Vector<T> U(x, 1), V(y, -2);
    CALL_REAL(rotm, N, U.there, 1, V.there, -2, numbers);
    U.back(), V.back();
    for (int i = 0; i < N; i++)
      same("rotm", U.at(i), 2.0 * x[i] - 4.0 * y[i]),
          same("rotm", V.at(i), 3.0 * x[i] + 5.0 * y[i]);
    T d1 = 2, d2 = 3, x1 = 4, y1 = 1, made[5] = {0};
    CALL_REAL(rotmg, &d1, &d2, &x1, &y1, made);
    const double h21 = made[0] == 0 || made[0] == -1 ? made[2] : -1,
                 h22 = made[0] == 0 ? 1 : made[4];
    same("rotmg", h21 * 4 + h22 * 1, 0, 1e-5);
  }
}

template <class T> static void all(const char *name) {
  type = name;
  vectors<T>();
  vectors_by_matrices<T>();
  triangles<T>();
  updates<T>();
  products<T>();
  triangles_by_matrices<T>();
  others<T>();
  factors<T>();
}

/* Tests functions whose element types are arguments. */
static void mixed() {
  type = "given types";
  const std::vector<Z> x = some<double>(N), y = some<double>(N);
  Vector<float> X(x, 2), A(x, 2);
  Vector<double> Y(y, -3), B(y, 1), C(x, 1);
  const double two = 2, cosine = 3, sine = -4;
  const float half = 0.5f;
  double length = 0, squares = 0;
  good("AxpyEx", cublasAxpyEx(handle, N, &two, CUDA_R_64F, X.there, CUDA_R_32F, 2, Y.there,
                              CUDA_R_64F, -3, CUDA_R_64F));
  good("Nrm2Ex", cublasNrm2Ex(handle, N, X.there, CUDA_R_32F, 2, &length, CUDA_R_64F, CUDA_R_64F));
  good("ScalEx", cublasScalEx(handle, N, &half, CUDA_R_32F, A.there, CUDA_R_32F, 2, CUDA_R_32F));
  good("RotEx", cublasRotEx(handle, N, B.there, CUDA_R_64F, 1, C.there, CUDA_R_64F, 1, &cosine,
                            &sine, CUDA_R_64F, CUDA_R_64F));
  Y.back(), A.back(), B.back(), C.back();
  for (int i = 0; i < N; i++) {
    squares += std::norm(x[i]);
    same("AxpyEx", Y.at(i), 2.0 * x[i] + y[i]);
    same("ScalEx", A.at(i), 0.5 * x[i]);
    same("RotEx", B.at(i), 3.0 * y[i] - 4.0 * x[i]),
        same("RotEx", C.at(i), 3.0 * x[i] + 4.0 * y[i]);
  }
  same("Nrm2Ex", length, sqrt(squares), 1e-12);
  if (cublasAxpyEx(handle, N, &two, CUDA_R_64F, X.there, CUDA_R_4I, 2, Y.there, CUDA_R_64F, -3,
                   CUDA_R_64F) != CUBLAS_STATUS_NOT_SUPPORTED)
    same("a type that is not here", 0, 1);

  typedef cuComplex T;
  const std::vector<Z> p = some<T>(N), q = some<T>(N);
  Vector<T> u(p, 2), v(q, -3);
  T sum;
  Z expected = 0;
  good("DotcEx", cublasDotcEx(handle, N, u.there, CUDA_C_32F, 2, v.there, CUDA_C_32F, -3, &sum,
                              CUDA_C_32F, CUDA_C_32F));
  for (int i = 0; i < N; i++)
    expected += std::conj(p[i]) * q[i];
  same("DotcEx", from(sum), expected);
  const Matrix a = any<T>(N, 4), b = any<T>(4, 5);
  Matrix c = any<T>(N, 5), d = square<T>(N, HERMITIAN, fills[0], diagonals[0], N);
  On<T> left(full<T>(a, LD)), right(full<T>(b, LD)), result(full<T>(c, LD)),
      square_(triangle<T>(d, LD, fills[0]));
  const Z factor = number<T>();
  const T alpha = to<T>(factor), one = to<T>(1);
  const float real = 2, minus = -1;
  good("GemmEx", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, 5, 4, &alpha, left.there,
                              CUDA_C_32F, LD, right.there, CUDA_C_32F, LD, &one, result.there,
                              CUDA_C_32F, LD, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  good("CherkEx", cublasCherkEx(handle, fills[0], CUBLAS_OP_N, N, 4, &real, left.there, CUDA_C_32F,
                                LD, &minus, square_.there, CUDA_C_32F, LD));
  result.back();
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < N; i++)
      same("GemmEx", from(result.host[i + (size_t)j * LD]),
           factor * entry(changed(a, CUBLAS_OP_N), changed(b, CUBLAS_OP_N), i, j, 4) + c(i, j));
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      Z sum = 0;
      for (int l = 0; l < 4; l++)
        sum += a(i, l) * std::conj(a(j, l));
      d(i, j) = 2.0 * sum - d(i, j);
    }
  holds("CherkEx", square_, d, fills[0], false);
}

/* Tests two products of one size and one product of another size. Memory outside of a triangle, and
 * the result if beta is 0, may be uninitialised: the functions do not read it, and there must be no
 * report. */
static void groups() {
  typedef cuDoubleComplex C;
  type = "groups";
  const Matrix a = any<double>(N, 4), b = any<double>(4, 5), c = any<double>(5, 4);
  On<double> A(full<double>(a, LD)), B(full<double>(b, LD)), D(full<double>(c, LD)),
      first(full<double>(any<double>(N, 5), LD)), second(full<double>(any<double>(N, 5), LD)),
      third(full<double>(any<double>(N, 5), LD));
  On<double *> left({A.there, A.there, A.there}), right({B.there, B.there, D.there}),
      result({first.there, second.there, third.there});
  const cublasOperation_t oa[] = {CUBLAS_OP_N, CUBLAS_OP_N}, ob[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  const int m[] = {N, N}, n[] = {5, 5}, k[] = {4, 4}, ld[] = {LD, LD}, sizes[] = {2, 1};
  const double alpha[] = {2, 3}, beta[] = {0, 0};
  good("grouped", cublasDgemmGroupedBatched(handle, oa, ob, m, n, k, alpha, left.there, ld,
                                            right.there, ld, beta, result.there, ld, 2, sizes));
  second.back(), third.back();
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < N; i++) {
      same("grouped", second.host[i + (size_t)j * LD],
           2.0 * entry(changed(a, CUBLAS_OP_N), changed(b, CUBLAS_OP_N), i, j, 4));
      same("grouped", third.host[i + (size_t)j * LD],
           3.0 * entry(changed(a, CUBLAS_OP_N), changed(c, CUBLAS_OP_T), i, j, 4));
    }

  const C one = {1, 0}, none = {0, 0};
  const double no = 0;
  On<C> x(std::vector<C>(N * 4, one));
  C *unwritten, seen;
  cudaMalloc(&unwritten, sizeof(C) * N * N);
  good("her2k", cublasZher2k(handle, fills[0], CUBLAS_OP_N, N, 4, &one, x.there, N, x.there, N, &no,
                             unwritten, N));
  good("hemv",
       cublasZhemv(handle, fills[0], N, &one, unwritten, N, x.there, 1, &none, x.there + N, 1));
  good("trsv",
       cublasZtrsv(handle, fills[0], CUBLAS_OP_N, CUBLAS_DIAG_UNIT, N, unwritten, N, x.there, 1));
  cudaMemcpy(&seen, unwritten + N - 1, sizeof seen, cudaMemcpyDeviceToHost);
  same("her2k", from(seen), 8);
  cudaFree(unwritten);
}

/* Runs groups() and mixed(), and tests wrong arguments and scalars in device memory. */
static void rest() {
  groups();
  type = "float";
  On<float> a(std::vector<float>(64, 1)), x(std::vector<float>(8, 1)), y(std::vector<float>(8, 1)),
      factor({2, 0});
  const float one = 1;
  for (cublasStatus_t status :
       {cublasSgbmv(handle, CUBLAS_OP_N, 8, 8, 2, 2, &one, a.there, 4, x.there, 1, &one, y.there,
                    1),
        cublasSsbmv(handle, CUBLAS_FILL_MODE_UPPER, 8, 3, &one, a.there, 3, x.there, 1, &one,
                    y.there, 1),
        cublasSspmv(handle, CUBLAS_FILL_MODE_UPPER, -1, &one, a.there, x.there, 1, &one, y.there,
                    1),
        cublasSsyr(handle, CUBLAS_FILL_MODE_UPPER, 8, &one, x.there, 0, a.there, 8),
        cublasSmatinvBatched(handle, 33, nullptr, 33, nullptr, 33, nullptr, 1)})
    if (status != CUBLAS_STATUS_INVALID_VALUE)
      same("a wrong argument", (double)status, (double)CUBLAS_STATUS_INVALID_VALUE);
  mixed();
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  good("sbmv", cublasSsbmv(handle, CUBLAS_FILL_MODE_UPPER, 8, 0, factor.there, a.there, 1, x.there,
                           1, factor.there + 1, y.there, 1));
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  y.back();
  for (float each : y.host)
    same("sbmv", each, 2);
}

int main() {
  cublasCreate(&handle);
  all<float>("float");
  all<double>("double");
  all<cuComplex>("complex of float");
  all<cuDoubleComplex>("complex of double");
  rest();
  cublasDestroy(handle);
  puts(failed ? "wrong" : "good");
  return failed != 0;
}
