/* cuBLAS in float and double: cublas_real.inc once for each. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>

#include "cublas.h"

/* BLAS's numbers for cuBLAS's. */
static CBLAS_TRANSPOSE operation(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}
static CBLAS_UPLO triangle(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
static CBLAS_DIAG diagonal(cublasDiagType_t d) {
  return d == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
static CBLAS_SIDE side_of(cublasSideMode_t s) {
  return s == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

static int at_least_1(int n) { return n > 1 ? n : 1; }
static int sign(int step) { return step < 0 ? -1 : 1; }
/* Rows and columns as they lie in memory. */
static int stored_rows(cublasOperation_t o, int rows, int columns) {
  return o == CUBLAS_OP_N ? rows : columns;
}
static int stored_columns(cublasOperation_t o, int rows, int columns) {
  return o == CUBLAS_OP_N ? columns : rows;
}
static bool fits(int rows, int ld) { return rows >= 0 && ld >= at_least_1(rows); }

#define T float
#define BLAS(name) cblas_s##name
#define CU(name) cublasS##name
#define CU2(name) cublasS##name##_v2
#define INDEX(name) cublasIs##name##_v2
#include "cublas_real.inc"
#undef T
#undef BLAS
#undef CU
#undef CU2
#undef INDEX

#define T double
#define BLAS(name) cblas_d##name
#define CU(name) cublasD##name
#define CU2(name) cublasD##name##_v2
#define INDEX(name) cublasId##name##_v2
#include "cublas_real.inc"
