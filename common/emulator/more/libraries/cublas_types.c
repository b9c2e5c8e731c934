/* cuBLAS for float, double, and complex numbers of both. Includes cublas_types.inc,
 * cublas_shapes.inc and cublas_factors.inc once for each of the four types. */
#include <cblas.h>
#include <complex.h>
#undef I
#include <math.h>
#include <stdlib.h>

#include "cublas.h"

/* Convert constants of cuBLAS to those of the CPU library. */
static CBLAS_TRANSPOSE operation(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? CblasNoTrans : o == CUBLAS_OP_C ? CblasConjTrans : CblasTrans;
}
static CBLAS_UPLO triangle(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
static CBLAS_SIDE side_of(cublasSideMode_t s) {
  return s == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

static int at_least_1(int n) { return n > 1 ? n : 1; }
static int sign(int step) { return step < 0 ? -1 : 1; }
/* Returns the index of element i in a vector that was copied in the order of memory. */
static int in_order(int i, int n, int step) { return step < 0 ? n - 1 - i : i; }
/* Return the numbers of rows and columns in memory of a matrix for which op(matrix) has `rows` x
 * `columns` elements. */
static int stored_rows(cublasOperation_t o, int rows, int columns) {
  return o == CUBLAS_OP_N ? rows : columns;
}
static int stored_columns(cublasOperation_t o, int rows, int columns) {
  return o == CUBLAS_OP_N ? columns : rows;
}
static bool fits(int rows, int ld) { return rows >= 0 && ld >= at_least_1(rows); }

/* ---- how a matrix is stored ------------------------------------------------------------------ */
typedef enum Kind {
  GENERAL,
  SYMMETRIC,
  HERMITIAN,
  TRIANGULAR
} Kind; /* all except GENERAL are square and store only one triangle */
typedef enum Layout {
  FULL,
  BAND,  /* a diagonal per row: `above` upper diagonals, the main diagonal, `below` lower ones */
  PACKED /* the columns of one triangle, without gaps */
} Layout;
typedef struct Shape {
  Kind kind;
  Layout layout;
  cublasFillMode_t fill;
  cublasDiagType_t diagonal;
  int rows, columns, below, above, ld;
} Shape;

static Shape full_shape(Kind kind, cublasFillMode_t f, int n, int ld) {
  return (Shape){.kind = kind, .layout = FULL, .fill = f, .rows = n, .columns = n, .ld = ld};
}
static Shape band_shape(Kind kind, cublasFillMode_t f, int n, int k, int ld) {
  const bool upper = f == CUBLAS_FILL_MODE_UPPER;
  return (Shape){.kind = kind,
                 .layout = BAND,
                 .fill = f,
                 .rows = n,
                 .columns = n,
                 .below = upper ? 0 : k,
                 .above = upper ? k : 0,
                 .ld = ld};
}
static Shape packed_shape(Kind kind, cublasFillMode_t f, int n) {
  return (Shape){.kind = kind, .layout = PACKED, .fill = f, .rows = n, .columns = n};
}
static Shape with_diagonal(Shape s, cublasDiagType_t d) {
  s.diagonal = d;
  return s;
}

static int storage_rows(Shape s) {
  return s.layout == FULL   ? s.rows
         : s.layout == BAND ? s.below + s.above + 1
                            : (int)((long long)s.rows * (s.rows + 1) / 2);
}
static int storage_columns(Shape s) { return s.layout == PACKED ? 1 : s.columns; }
static bool shape_fits(Shape s) {
  return s.rows >= 0 && s.columns >= 0 && s.below >= 0 && s.above >= 0 &&
         (s.layout == PACKED || fits(storage_rows(s), s.ld));
}
static bool in_triangle(Shape s, int i, int j) {
  return s.fill == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
}
/* Returns the index of element (i, j) in the packed copy; -1 if it is outside of the band. If only
 * one triangle is stored, the element must be in it. */
static ptrdiff_t stored_at(Shape s, int i, int j) {
  const ptrdiff_t row = i, column = j, n = s.rows;
  switch (s.layout) {
  case FULL:
    return row + column * n;
  case BAND:
    return row - column > s.below || column - row > s.above
               ? -1
               : s.above + row - column + column * storage_rows(s);
  default:
    return s.fill == CUBLAS_FILL_MODE_UPPER ? row + column * (column + 1) / 2
                                            : row + column * (2 * n - column - 1) / 2;
  }
}

/* Returns the number of stored elements of column j, and sets *first to the row of the first stored
 * element. */
static int stored_in_column(Shape s, int j, int *first) {
  const int known = s.kind == TRIANGULAR && s.diagonal == CUBLAS_DIAG_UNIT;
  int begin = 0, end = s.rows;
  if (s.kind != GENERAL && s.fill == CUBLAS_FILL_MODE_UPPER)
    end = j + 1 - known;
  else if (s.kind != GENERAL)
    begin = j + known;
  if (s.layout == BAND) {
    begin = j - s.above > begin ? j - s.above : begin;
    end = j + s.below + 1 < end ? j + s.below + 1 : end;
  }
  *first = begin;
  return end > begin ? end - begin : 0;
}
/* Returns the index of element (i, j) in device memory. */
static ptrdiff_t device_at(Shape s, int i, int j) {
  return s.layout == PACKED ? stored_at(s, i, j)
         : s.layout == BAND ? s.above + i - j + (ptrdiff_t)j * s.ld
                            : i + (ptrdiff_t)j * s.ld;
}

/* ---- the types ------------------------------------------------------------------------------- */
#define VALUE(x) x
#define CONJUGATE(x) (x)
#define REAL(x) (x)
#define MAGNITUDE(x) fabs((double)(x))

#define T float
#define N float
#define R float
#define BLAS(name) cblas_s##name
#define BLAS_NORM(name) cblas_s##name
#define CU(name) cublasS##name
#define CU2(name) cublasS##name##_v2
#define NORM(name) cublasS##name##_v2
#define INDEX(name) cublasIs##name##_v2
#include "cublas_types.inc"

#define T double
#define N double
#define R double
#define BLAS(name) cblas_d##name
#define BLAS_NORM(name) cblas_d##name
#define CU(name) cublasD##name
#define CU2(name) cublasD##name##_v2
#define NORM(name) cublasD##name##_v2
#define INDEX(name) cublasId##name##_v2
#include "cublas_types.inc"

#undef VALUE
#undef CONJUGATE
#undef REAL
#undef MAGNITUDE
#define COMPLEX
#define VALUE(x) &x /* the CPU library expects the addresses of complex scalars */
#define CONJUGATE(x) conj(x)
#define REAL(x) creal(x)
#define MAGNITUDE(x) (fabs(creal(x)) + fabs(cimag(x)))

#define T cuComplex
#define N float _Complex
#define R float
#define BLAS(name) cblas_c##name
#define BLAS_NORM(name) cblas_sc##name
#define CU(name) cublasC##name
#define CU2(name) cublasC##name##_v2
#define NORM(name) cublasSc##name##_v2
#define BY_REAL(name) cublasCs##name##_v2
#define INDEX(name) cublasIc##name##_v2
#include "cublas_types.inc"
#undef BY_REAL

#define T cuDoubleComplex
#define N double _Complex
#define R double
#define BLAS(name) cblas_z##name
#define BLAS_NORM(name) cblas_dz##name
#define CU(name) cublasZ##name
#define CU2(name) cublasZ##name##_v2
#define NORM(name) cublasDz##name##_v2
#define BY_REAL(name) cublasZd##name##_v2
#define INDEX(name) cublasIz##name##_v2
#include "cublas_types.inc"
