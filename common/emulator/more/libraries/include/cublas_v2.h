/* cuBLAS for the emulated device: levels 1 to 3 for float, double and complex numbers of both;
 * factorisations of many small matrices; and matrix products of half, bfloat16 and 8-bit integers
 * (cublasGemmEx). Constants have the toolkit's values. Functions that are not implemented are not
 * declared. */
#ifndef CUBLAS_V2_H
#define CUBLAS_V2_H
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 130000

typedef struct cublasContext *cublasHandle_t;
typedef enum cublasStatus_t {
#define CUBLAS_STATUS(name, value) CUBLAS_STATUS_##name = value,
#include "cublas_status.def"
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
/* Allows the library to compute in lower precision. The emulated device ignores this mode. */
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

/* ---- the handle ------------------------------------------------------------------------------ */
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* ---- copies between host and device ---------------------------------------------------------- */
cublasStatus_t cublasSetVector(int n, int size, const void *from, int step, void *to, int to_step);
cublasStatus_t cublasGetVector(int n, int size, const void *from, int step, void *to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *from, int lda, void *to,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *from, int lda, void *to,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *from, int step, void *to,
                                    int to_step, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *from, int step, void *to,
                                    int to_step, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *from, int lda,
                                    void *to, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *from, int lda,
                                    void *to, int ldb, cudaStream_t stream);

/* ---- levels 1 to 3, of S and float, D and double, C and cuComplex, Z and cuDoubleComplex; R is the type of real numbers  */
#define CUBLAS_TYPE(S, T, R, Norm, Index)                                                          \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t, int n, const T *x, int incx, T *y, int incy);  \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t, int n, T *x, int incx, T *y, int incy);        \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t, int n, const T *alpha, T *x, int incx);        \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t, int n, const T *alpha, const T *x, int incx,   \
                                    T *y, int incy);                                               \
  cublasStatus_t cublas##Norm##nrm2_v2(cublasHandle_t, int n, const T *x, int incx, R *result);    \
  cublasStatus_t cublas##Norm##asum_v2(cublasHandle_t, int n, const T *x, int incx, R *result);    \
  cublasStatus_t cublas##Index##amax_v2(cublasHandle_t, int n, const T *x, int incx, int *result); \
  cublasStatus_t cublas##Index##amin_v2(cublasHandle_t, int n, const T *x, int incx, int *result); \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t, int n, T *x, int incx, T *y, int incy,          \
                                   const R *c, const T *s);                                        \
  cublasStatus_t cublas##S##rotg_v2(cublasHandle_t, T *a, T *b, R *c, T *s);                       \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t, cublasOperation_t, int m, int n,               \
                                    const T *alpha, const T *A, int lda, const T *x, int incx,     \
                                    const T *beta, T *y, int incy);                                \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,   \
                                    int n, int k, const T *alpha, const T *A, int lda, const T *B, \
                                    int ldb, const T *beta, T *C, int ldc);                        \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const T *alpha,   \
      const T *A, int lda, long long next_a, const T *B, int ldb, long long next_b, const T *beta, \
      T *C, int ldc, long long next_c, int count);                                                 \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,      \
                                        int m, int n, int k, const T *alpha, const T *const A[],   \
                                        int lda, const T *const B[], int ldb, const T *beta,       \
                                        T *const C[], int ldc, int count);                         \
  cublasStatus_t cublas##S##trsmBatched(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,        \
                                        cublasOperation_t, cublasDiagType_t, int m, int n,         \
                                        const T *alpha, const T *const A[], int lda, T *const B[], \
                                        int ldb, int count);                                       \
  cublasStatus_t cublas##S##trmm_v2(                                                               \
      cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,     \
      int m, int n, const T *alpha, const T *A, int lda, const T *B, int ldb, T *C, int ldc);      \
  cublasStatus_t cublas##S##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,            \
                                    cublasOperation_t, cublasDiagType_t, int m, int n,             \
                                    const T *alpha, const T *A, int lda, T *B, int ldb);           \
  cublasStatus_t cublas##S##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,      \
                                 int n, const T *alpha, const T *A, int lda, const T *beta,        \
                                 const T *B, int ldb, T *C, int ldc);                              \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t, cublasSideMode_t, int m, int n, const T *A,       \
                                 int lda, const T *x, int incx, T *C, int ldc);                    \
  cublasStatus_t cublas##S##gbmv_v2(cublasHandle_t, cublasOperation_t, int m, int n, int kl,       \
                                    int ku, const T *alpha, const T *A, int lda, const T *x,       \
                                    int incx, const T *beta, T *y, int incy);                      \
  cublasStatus_t cublas##S##symv_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *A, int lda, const T *x, int incx, const T *beta,      \
                                    T *y, int incy);                                               \
  cublasStatus_t cublas##S##trmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, const T *A, int lda, T *x, int incx); \
  cublasStatus_t cublas##S##tbmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, int k, const T *A, int lda, T *x,     \
                                    int incx);                                                     \
  cublasStatus_t cublas##S##tpmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, const T *A, T *x, int incx);          \
  cublasStatus_t cublas##S##trsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, const T *A, int lda, T *x, int incx); \
  cublasStatus_t cublas##S##tbsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, int k, const T *A, int lda, T *x,     \
                                    int incx);                                                     \
  cublasStatus_t cublas##S##tpsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t,           \
                                    cublasDiagType_t, int n, const T *A, T *x, int incx);          \
  cublasStatus_t cublas##S##syr_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,        \
                                   const T *x, int incx, T *A, int lda);                           \
  cublasStatus_t cublas##S##syr2_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *x, int incx, const T *y, int incy, T *A, int lda);    \
  cublasStatus_t cublas##S##symm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m,     \
                                    int n, const T *alpha, const T *A, int lda, const T *B,        \
                                    int ldb, const T *beta, T *C, int ldc);                        \
  cublasStatus_t cublas##S##syrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,    \
                                    int k, const T *alpha, const T *A, int lda, const T *beta,     \
                                    T *C, int ldc);                                                \
  cublasStatus_t cublas##S##syr2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,   \
                                     int k, const T *alpha, const T *A, int lda, const T *B,       \
                                     int ldb, const T *beta, T *C, int ldc);                       \
  cublasStatus_t cublas##S##syrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,      \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb, \
                                  const T *beta, T *C, int ldc);                                   \
  cublasStatus_t cublas##S##tpttr(cublasHandle_t, cublasFillMode_t, int n, const T *AP, T *A,      \
                                  int lda);                                                        \
  cublasStatus_t cublas##S##trttp(cublasHandle_t, cublasFillMode_t, int n, const T *A, int lda,    \
                                  T *AP);                                                          \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t, int n, T *const A[], int lda,             \
                                         int *pivots, int *info, int count);                       \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t, cublasOperation_t, int n, int columns,    \
                                         const T *const A[], int lda, const int *pivots,           \
                                         T *const B[], int ldb, int *info, int count);             \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t, int n, const T *const A[], int lda,       \
                                         const int *pivots, T *const C[], int ldc, int *info,      \
                                         int count);                                               \
  cublasStatus_t cublas##S##matinvBatched(cublasHandle_t, int n, const T *const A[], int lda,      \
                                          T *const C[], int ldc, int *info, int count);
#define CUBLAS_REAL(S, T, R)                                                                       \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t, int n, const T *x, int incx, const T *y,        \
                                   int incy, T *result);                                           \
  cublasStatus_t cublas##S##rotm_v2(cublasHandle_t, int n, T *x, int incx, T *y, int incy,         \
                                    const T *rotation);                                            \
  cublasStatus_t cublas##S##rotmg_v2(cublasHandle_t, T *d1, T *d2, T *x1, const T *y1,             \
                                     T *rotation);                                                 \
  cublasStatus_t cublas##S##sbmv_v2(cublasHandle_t, cublasFillMode_t, int n, int k,                \
                                    const T *alpha, const T *A, int lda, const T *x, int incx,     \
                                    const T *beta, T *y, int incy);                                \
  cublasStatus_t cublas##S##spmv_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *A, const T *x, int incx, const T *beta, T *y,         \
                                    int incy);                                                     \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t, int m, int n, const T *alpha, const T *x,       \
                                   int incx, const T *y, int incy, T *A, int lda);                 \
  cublasStatus_t cublas##S##spr_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,        \
                                   const T *x, int incx, T *A);                                    \
  cublasStatus_t cublas##S##spr2_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *x, int incx, const T *y, int incy, T *A);
#define CUBLAS_COMPLEX(S, T, R, ByReal)                                                            \
  cublasStatus_t cublas##S##dotu_v2(cublasHandle_t, int n, const T *x, int incx, const T *y,       \
                                    int incy, T *result);                                          \
  cublasStatus_t cublas##S##dotc_v2(cublasHandle_t, int n, const T *x, int incx, const T *y,       \
                                    int incy, T *result);                                          \
  cublasStatus_t cublas##ByReal##rot_v2(cublasHandle_t, int n, T *x, int incx, T *y, int incy,     \
                                        const R *c, const R *s);                                   \
  cublasStatus_t cublas##ByReal##scal_v2(cublasHandle_t, int n, const R *alpha, T *x, int incx);   \
  cublasStatus_t cublas##S##gemm3m(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,    \
                                   int n, int k, const T *alpha, const T *A, int lda, const T *B,  \
                                   int ldb, const T *beta, T *C, int ldc);                         \
  cublasStatus_t cublas##S##hemv_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *A, int lda, const T *x, int incx, const T *beta,      \
                                    T *y, int incy);                                               \
  cublasStatus_t cublas##S##hbmv_v2(cublasHandle_t, cublasFillMode_t, int n, int k,                \
                                    const T *alpha, const T *A, int lda, const T *x, int incx,     \
                                    const T *beta, T *y, int incy);                                \
  cublasStatus_t cublas##S##hpmv_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *A, const T *x, int incx, const T *beta, T *y,         \
                                    int incy);                                                     \
  cublasStatus_t cublas##S##geru_v2(cublasHandle_t, int m, int n, const T *alpha, const T *x,      \
                                    int incx, const T *y, int incy, T *A, int lda);                \
  cublasStatus_t cublas##S##gerc_v2(cublasHandle_t, int m, int n, const T *alpha, const T *x,      \
                                    int incx, const T *y, int incy, T *A, int lda);                \
  cublasStatus_t cublas##S##her_v2(cublasHandle_t, cublasFillMode_t, int n, const R *alpha,        \
                                   const T *x, int incx, T *A, int lda);                           \
  cublasStatus_t cublas##S##her2_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *x, int incx, const T *y, int incy, T *A, int lda);    \
  cublasStatus_t cublas##S##hpr_v2(cublasHandle_t, cublasFillMode_t, int n, const R *alpha,        \
                                   const T *x, int incx, T *A);                                    \
  cublasStatus_t cublas##S##hpr2_v2(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,       \
                                    const T *x, int incx, const T *y, int incy, T *A);             \
  cublasStatus_t cublas##S##hemm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m,     \
                                    int n, const T *alpha, const T *A, int lda, const T *B,        \
                                    int ldb, const T *beta, T *C, int ldc);                        \
  cublasStatus_t cublas##S##herk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,    \
                                    int k, const R *alpha, const T *A, int lda, const R *beta,     \
                                    T *C, int ldc);                                                \
  cublasStatus_t cublas##S##her2k_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,   \
                                     int k, const T *alpha, const T *A, int lda, const T *B,       \
                                     int ldb, const R *beta, T *C, int ldc);                       \
  cublasStatus_t cublas##S##herkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,      \
                                  int k, const T *alpha, const T *A, int lda, const T *B, int ldb, \
                                  const R *beta, T *C, int ldc);
CUBLAS_TYPE(S, float, float, S, Is)
CUBLAS_TYPE(D, double, double, D, Id)
CUBLAS_TYPE(C, cuComplex, float, Sc, Ic)
CUBLAS_TYPE(Z, cuDoubleComplex, double, Dz, Iz)
CUBLAS_REAL(S, float, float)
CUBLAS_REAL(D, double, double)
CUBLAS_COMPLEX(C, cuComplex, float, Cs)
CUBLAS_COMPLEX(Z, cuDoubleComplex, double, Zd)
#undef CUBLAS_TYPE
#undef CUBLAS_REAL
#undef CUBLAS_COMPLEX

/* ---- products of other types: computed in float, or double where one is ---------------------- */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType a_type, int lda, const void *B,
                            cudaDataType b_type, int ldb, const void *beta, void *C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType a_type,
                                          int lda, long long int next_a, const void *B,
                                          cudaDataType b_type, int ldb, long long int next_b,
                                          const void *beta, void *C, cudaDataType c_type, int ldc,
                                          long long int next_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const A[], cudaDataType a_type, int lda,
                                   const void *const B[], cudaDataType b_type, int ldb,
                                   const void *beta, void *const C[], cudaDataType c_type, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                           int incx, const void *y, cudaDataType y_type, int incy, void *result,
                           cudaDataType result_type, cudaDataType compute);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                            int incx, const void *y, cudaDataType y_type, int incy, void *result,
                            cudaDataType result_type, cudaDataType compute);
/* Products in groups. The products of one group have the same sizes. The arrays of pointers to the
 * matrices are in device memory, all other arrays in host memory. */
cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[],
    const int m[], const int n[], const int k[], const void *alpha, const void *const A[],
    cudaDataType a_type, const int lda[], const void *const B[], cudaDataType b_type,
    const int ldb[], const void *beta, void *const C[], cudaDataType c_type, const int ldc[],
    int groups, const int sizes[], cublasComputeType_t compute);
#define CUBLAS_GROUPED(name, T)                                                                    \
  cublasStatus_t name(cublasHandle_t, const cublasOperation_t transa[],                            \
                      const cublasOperation_t transb[], const int m[], const int n[],              \
                      const int k[], const T alpha[], const T *const A[], const int lda[],         \
                      const T *const B[], const int ldb[], const T beta[], T *const C[],           \
                      const int ldc[], int groups, const int sizes[]);
CUBLAS_GROUPED(cublasSgemmGroupedBatched, float)
CUBLAS_GROUPED(cublasDgemmGroupedBatched, double)
#undef CUBLAS_GROUPED
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, const void *x, cudaDataType x_type, int incx,
                            void *y, cudaDataType y_type, int incy, cudaDataType compute);
cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void *x, cudaDataType x_type, int incx,
                           void *y, cudaDataType y_type, int incy, const void *c, const void *s,
                           cudaDataType angle_type, cudaDataType compute);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, void *x, cudaDataType x_type, int incx,
                            cudaDataType compute);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                            int incx, void *result, cudaDataType result_type, cudaDataType compute);
#define CUBLAS_RANK_K_EX(name, Factor)                                                             \
  cublasStatus_t name(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,           \
                      const Factor *alpha, const void *A, cudaDataType a_type, int lda,            \
                      const Factor *beta, void *C, cudaDataType c_type, int ldc);
CUBLAS_RANK_K_EX(cublasCsyrkEx, cuComplex)
CUBLAS_RANK_K_EX(cublasCsyrk3mEx, cuComplex)
CUBLAS_RANK_K_EX(cublasCherkEx, float)
CUBLAS_RANK_K_EX(cublasCherk3mEx, float)
#undef CUBLAS_RANK_K_EX
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType a_type, int lda, const void *B,
                             cudaDataType b_type, int ldb, const float *beta, void *C,
                             cudaDataType c_type, int ldc);

#ifdef __cplusplus
} /* extern "C" */

#include "cuda_bf16.h" /* as in the toolkit's header */

/* Products of halves. They are computed exactly and rounded once. */
#include "cuda_fp16.h"
extern "C" cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                                      cublasOperation_t transb, int m, int n, int k,
                                      const __half *alpha, const __half *A, int lda,
                                      const __half *B, int ldb, const __half *beta, __half *C,
                                      int ldc);

extern "C" cublasStatus_t
cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, int k, const __half *alpha, const __half *A, int lda,
                          long long int next_a, const __half *B, int ldb, long long int next_b,
                          const __half *beta, __half *C, int ldc, long long int next_c, int count);
extern "C" cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                             cublasOperation_t transb, int m, int n, int k,
                                             const __half *alpha, const __half *const A[], int lda,
                                             const __half *const B[], int ldb, const __half *beta,
                                             __half *const C[], int ldc, int count);

/* Converts the compute type of the signatures before CUDA 11, which is a cudaDataType. */
static inline cublasComputeType_t cublasComputeTypeOf(cudaDataType type) {
  return type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_16F                     ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_32I                     ? CUBLAS_COMPUTE_32I
                                                  : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType a_type,
                                          int lda, const void *B, cudaDataType b_type, int ldb,
                                          const void *beta, void *C, cudaDataType c_type, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb, beta,
                      C, c_type, ldc, cublasComputeTypeOf(compute), algorithm);
}
#endif

#include "cublas_names.h"

#endif
