/* cuBLAS functions whose element types are arguments, such as cublasGemmEx. They compute in double,
 * in which products and sums of 8-bit and 16-bit numbers are exact, and round the result once. A
 * tensor core adds in another order, and with CUBLAS_COMPUTE_16F it rounds intermediate results. */
#include <cblas.h>
#include <stdlib.h>

#include "../../machine/arith.h"
#include "cublas.h"

size_t cublas_size_of(cudaDataType type) {
  return type == CUDA_R_64F                          ? 8
         : type == CUDA_R_32F || type == CUDA_R_32I  ? 4
         : type == CUDA_R_16F || type == CUDA_R_16BF ? 2
         : type == CUDA_R_8I || type == CUDA_R_8U    ? 1
                                                     : 0;
}

/* Returns the size of an element in bytes, also for complex types. cublas_size_of returns 0 for
 * these, because most functions of this file do not support them. */
static long long element_bytes(cudaDataType type) {
  return type == CUDA_C_32F   ? (long long)sizeof(cuComplex)
         : type == CUDA_C_64F ? (long long)sizeof(cuDoubleComplex)
                              : (long long)cublas_size_of(type);
}

static double read_as(const void *from, cudaDataType type, size_t i) {
  switch (type) {
  case CUDA_R_64F:
    return ((const double *)from)[i];
  case CUDA_R_32F:
    return ((const float *)from)[i];
  case CUDA_R_32I:
    return ((const int32_t *)from)[i];
  case CUDA_R_16F:
    return half_to_float(((const uint16_t *)from)[i]);
  case CUDA_R_16BF:
    return bf16_to_float(((const uint16_t *)from)[i]);
  case CUDA_R_8I:
    return ((const int8_t *)from)[i];
  default:
    return ((const uint8_t *)from)[i];
  }
}

static void write_as(void *to, cudaDataType type, size_t i, double value) {
  switch (type) {
  case CUDA_R_64F:
    ((double *)to)[i] = value;
    break;
  case CUDA_R_32F:
    ((float *)to)[i] = (float)value;
    break;
  case CUDA_R_32I:
    ((int32_t *)to)[i] = (int32_t)value;
    break;
  case CUDA_R_16F:
    ((uint16_t *)to)[i] = half_from_double(value);
    break;
  case CUDA_R_16BF:
    ((uint16_t *)to)[i] = bf16_from_double(value);
    break;
  case CUDA_R_8I:
    ((int8_t *)to)[i] = (int8_t)value;
    break;
  default:
    ((uint8_t *)to)[i] = (uint8_t)value;
  }
}

double *cublas_take(Job *job, Operand from) {
  const size_t count = (size_t)from.rows * (size_t)from.columns;
  const void *narrow = cublas_job_take(job, from.device, cublas_size_of(from.type), from.rows,
                                       from.columns, from.ld);
  double *wide = narrow ? malloc(count * sizeof *wide) : NULL;
  if (narrow && !wide)
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
  for (size_t i = 0; wide && i < count; i++)
    wide[i] = read_as(narrow, from.type, i);
  return wide;
}

void cublas_give(Job *job, Operand to, const double *wide) {
  void *narrow = cublas_job_room(job, cublas_size_of(to.type), to.rows, to.columns);
  for (size_t i = 0; narrow && i < (size_t)to.rows * (size_t)to.columns; i++)
    write_as(narrow, to.type, i, wide[i]);
  cublas_job_give(job, (void *)(uintptr_t)to.device, narrow, cublas_size_of(to.type), to.rows,
                  to.columns, to.ld);
}

/* Reads alpha or beta, whose type is the compute type. */
static double factor(Job *job, const void *from, cudaDataType type) {
  double bytes = 0;
  cublas_job_scalar(job, &bytes, from, cublas_size_of(type));
  return read_as(&bytes, type, 0);
}

static Operand operand(const void *device, cudaDataType type, cublasOperation_t o, int rows,
                       int columns, int ld) {
  return (Operand){
      device, type, o, o == CUBLAS_OP_N ? rows : columns, o == CUBLAS_OP_N ? columns : rows, ld};
}

cublasStatus_t cublas_multiply(cublasHandle_t h, Operand a, Operand b, const void *alpha,
                               const void *beta, cudaDataType factors, Operand old, Operand to,
                               Finish *finish, const void *context) {
  const int m = to.rows, n = to.columns, k = a.operation == CUBLAS_OP_N ? a.columns : a.rows;
  Job job = cublas_job_begin(h, m >= 0 && n >= 0 && k >= 0);
  if (job_ready(&job) &&
      !(cublas_size_of(a.type) && cublas_size_of(b.type) && cublas_size_of(to.type)))
    job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  const double scale = factor(&job, alpha, factors), keep = factor(&job, beta, factors);
  double *left = cublas_take(&job, a), *right = cublas_take(&job, b);
  double *result = keep != 0 ? cublas_take(&job, old) : NULL;
  if (job_ready(&job) && !result && m && n &&
      !(result = calloc((size_t)m * (size_t)n, sizeof *result)))
    job.status = CUBLAS_STATUS_ALLOC_FAILED;
  if (job_ready(&job) && result) {
    cblas_dgemm(CblasColMajor, a.operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans,
                b.operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans, m, n, k, scale, left,
                a.rows ? a.rows : 1, right, b.rows ? b.rows : 1, keep, result, m);
    if (finish)
      finish(&job, context, result, m, n);
    cublas_give(&job, to, result);
  }
  free(left), free(right), free(result);
  return cublas_job_end(&job);
}

static bool all_are(cudaDataType type, cudaDataType a, cudaDataType b, cudaDataType c) {
  return a == type && b == type && c == type;
}

static cudaDataType computed_in(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC   ? CUDA_R_64F
         : compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC ? CUDA_R_16F
         : compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC ? CUDA_R_32I
                                                                                   : CUDA_R_32F;
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType a_type,
                            int lda, const void *B, cudaDataType b_type, int ldb, const void *beta,
                            void *C, cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  if (all_are(CUDA_C_32F, a_type, b_type, c_type))
    return cublasCgemm_v2(h, oa, ob, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
  if (all_are(CUDA_C_64F, a_type, b_type, c_type))
    return cublasZgemm_v2(h, oa, ob, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
  const Operand to = operand(C, c_type, CUBLAS_OP_N, m, n, ldc);
  return cublas_multiply(h, operand(A, a_type, oa, m, k, lda), operand(B, b_type, ob, k, n, ldb),
                         alpha, beta, computed_in(compute), to, to, NULL, NULL);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                             int n, int k, const float *alpha, const void *A, cudaDataType a_type,
                             int lda, const void *B, cudaDataType b_type, int ldb,
                             const float *beta, void *C, cudaDataType c_type, int ldc) {
  const Operand to = operand(C, c_type, CUBLAS_OP_N, m, n, ldc);
  return cublas_multiply(h, operand(A, a_type, oa, m, k, lda), operand(B, b_type, ob, k, n, ldb),
                         alpha, beta, CUDA_R_32F, to, to, NULL, NULL);
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType a_type, int lda, long long next_a, const void *B,
    cudaDataType b_type, int ldb, long long next_b, const void *beta, void *C, cudaDataType c_type,
    int ldc, long long next_c, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  cublasStatus_t status = count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
  for (long long i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)
    status = cublasGemmEx(
        h, oa, ob, m, n, k, alpha, (const char *)A + i * next_a * element_bytes(a_type), a_type,
        lda, (const char *)B + i * next_b * element_bytes(b_type), b_type, ldb, beta,
        (char *)C + i * next_c * element_bytes(c_type), c_type, ldc, compute, algorithm);
  return status;
}

/* The arrays of pointers A, B and C are in device memory. */
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,
                                   int m, int n, int k, const void *alpha, const void *const A[],
                                   cudaDataType a_type, int lda, const void *const B[],
                                   cudaDataType b_type, int ldb, const void *beta, void *const C[],
                                   cudaDataType c_type, int ldc, int count,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  Job job = cublas_job_begin(h, count >= 0);
  const void **left = cublas_job_take(&job, A, sizeof *A, count, 1, count),
             **right = cublas_job_take(&job, B, sizeof *B, count, 1, count);
  void **result = cublas_job_take(&job, C, sizeof *C, count, 1, count);
  for (int i = 0; i < count && job_ready(&job); i++)
    job.status = cublasGemmEx(h, oa, ob, m, n, k, alpha, left[i], a_type, lda, right[i], b_type,
                              ldb, beta, result[i], c_type, ldc, compute, algorithm);
  return cublas_job_end(&job);
}

cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t h, const cublasOperation_t oa[], const cublasOperation_t ob[], const int m[],
    const int n[], const int k[], const void *alpha, const void *const A[], cudaDataType a_type,
    const int lda[], const void *const B[], cudaDataType b_type, const int ldb[], const void *beta,
    void *const C[], cudaDataType c_type, const int ldc[], int groups, const int sizes[],
    cublasComputeType_t compute) {
  const long long bytes = (long long)cublas_size_of(computed_in(compute));
  cublasStatus_t status = groups < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
  for (long long group = 0, first = 0; group < groups && status == CUBLAS_STATUS_SUCCESS; group++) {
    status = cublasGemmBatchedEx(h, oa[group], ob[group], m[group], n[group], k[group],
                                 (const char *)alpha + group * bytes, A + first, a_type, lda[group],
                                 B + first, b_type, ldb[group], (const char *)beta + group * bytes,
                                 C + first, c_type, ldc[group], sizes[group], compute,
                                 CUBLAS_GEMM_DEFAULT);
    first += sizes[group];
  }
  return status;
}
#define GROUPED(name, T, type, compute)                                                            \
  cublasStatus_t name(cublasHandle_t h, const cublasOperation_t oa[],                              \
                      const cublasOperation_t ob[], const int m[], const int n[], const int k[],   \
                      const T alpha[], const T *const A[], const int lda[], const T *const B[],    \
                      const int ldb[], const T beta[], T *const C[], const int ldc[], int groups,  \
                      const int sizes[]) {                                                         \
    return cublasGemmGroupedBatchedEx(h, oa, ob, m, n, k, alpha, (const void *const *)A, type,     \
                                      lda, (const void *const *)B, type, ldb, beta,                \
                                      (void *const *)C, type, ldc, groups, sizes, compute);        \
  }
GROUPED(cublasSgemmGroupedBatched, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED(cublasDgemmGroupedBatched, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
#undef GROUPED

/* ---- vectors of any types -------------------------------------------------------------------- */
/* Returns a vector as a matrix with one row. The caller handles a negative step. */
static Operand row(const void *device, cudaDataType type, int n, int step) {
  return (Operand){device, type, CUBLAS_OP_N, 1, n, abs(step)};
}
static Job begin_typed(cublasHandle_t h, bool good, cudaDataType a, cudaDataType b,
                       cudaDataType c) {
  Job job = cublas_job_begin(h, good);
  if (job_ready(&job) && !(cublas_size_of(a) && cublas_size_of(b) && cublas_size_of(c)))
    job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  return job;
}
/* Replaces (x, y) by rotation * (x, y). The rotation is stored by rows. */
static cublasStatus_t combine(Job *job, int n, Operand x, int incx, Operand y, int incy,
                              const double rotation[4], bool both) {
  double *a = cublas_take(job, x), *b = cublas_take(job, y);
  for (int i = 0; a && b && i < n; i++) {
    double *x_i = a + (incx < 0 ? n - 1 - i : i), *y_i = b + (incy < 0 ? n - 1 - i : i);
    const double old = *x_i;
    *x_i = rotation[0] * old + rotation[1] * *y_i;
    *y_i = rotation[2] * old + rotation[3] * *y_i;
  }
  if (a && both)
    cublas_give(job, x, a);
  if (b)
    cublas_give(job, y, b);
  free(a), free(b);
  return cublas_job_end(job);
}

cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alpha_type,
                            const void *x, cudaDataType x_type, int incx, void *y,
                            cudaDataType y_type, int incy, cudaDataType compute) {
  (void)compute;
  Job job = begin_typed(h, incx && incy, alpha_type, x_type, y_type);
  const double rotation[4] = {1, 0, job_ready(&job) ? factor(&job, alpha, alpha_type) : 0, 1};
  return combine(&job, n, row(x, x_type, n, incx), incx, row(y, y_type, n, incy), incy, rotation,
                 false);
}

cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void *x, cudaDataType x_type, int incx, void *y,
                           cudaDataType y_type, int incy, const void *c, const void *s,
                           cudaDataType angle_type, cudaDataType compute) {
  (void)compute;
  Job job = begin_typed(h, incx && incy, angle_type, x_type, y_type);
  const double cosine = job_ready(&job) ? factor(&job, c, angle_type) : 0,
               sine = job_ready(&job) ? factor(&job, s, angle_type) : 0;
  const double rotation[4] = {cosine, sine, -sine, cosine};
  return combine(&job, n, row(x, x_type, n, incx), incx, row(y, y_type, n, incy), incy, rotation,
                 true);
}

cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alpha_type,
                            void *x, cudaDataType x_type, int incx, cudaDataType compute) {
  (void)compute;
  Job job = begin_typed(h, incx > 0, alpha_type, x_type, x_type);
  const double scale = job_ready(&job) ? factor(&job, alpha, alpha_type) : 0;
  double *a = cublas_take(&job, row(x, x_type, n, incx));
  for (int i = 0; a && i < n; i++)
    a[i] *= scale;
  if (a)
    cublas_give(&job, row(x, x_type, n, incx), a);
  free(a);
  return cublas_job_end(&job);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx,
                            void *result, cudaDataType result_type, cudaDataType compute) {
  (void)compute;
  Job job = begin_typed(h, incx > 0, x_type, result_type, result_type);
  double *a = cublas_take(&job, row(x, x_type, n, incx)), rounded = 0;
  if (job_ready(&job))
    write_as(&rounded, result_type, 0, a ? cblas_dnrm2(n, a, 1) : 0);
  free(a);
  cublas_job_result(&job, result, &rounded, cublas_size_of(result_type));
  return cublas_job_end(&job);
}

/* Defines functions that support only single-precision complex numbers. */
#define RANK_K_EX(name, by, Factor)                                                                \
  cublasStatus_t name(cublasHandle_t h, cublasFillMode_t f, cublasOperation_t o, int n, int k,     \
                      const Factor *alpha, const void *A, cudaDataType a_type, int lda,            \
                      const Factor *beta, void *C, cudaDataType c_type, int ldc) {                 \
    return all_are(CUDA_C_32F, a_type, c_type, c_type)                                             \
               ? by(h, f, o, n, k, alpha, A, lda, beta, C, ldc)                                    \
               : CUBLAS_STATUS_NOT_SUPPORTED;                                                      \
  }
RANK_K_EX(cublasCsyrkEx, cublasCsyrk_v2, cuComplex)
RANK_K_EX(cublasCsyrk3mEx, cublasCsyrk_v2, cuComplex)
RANK_K_EX(cublasCherkEx, cublasCherk_v2, float)
RANK_K_EX(cublasCherk3mEx, cublasCherk_v2, float)
#undef RANK_K_EX

/* Returns element i of a packed vector. With a negative step, the elements are in reverse order. */
static double element(const void *packed, cudaDataType type, int i, int n, int step) {
  return read_as(packed, type, (size_t)(step < 0 ? n - 1 - i : i));
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx,
                           const void *y, cudaDataType y_type, int incy, void *result,
                           cudaDataType result_type, cudaDataType compute) {
  (void)compute;
  if (all_are(CUDA_C_32F, x_type, y_type, result_type))
    return cublasCdotu_v2(h, n, x, incx, y, incy, result);
  if (all_are(CUDA_C_64F, x_type, y_type, result_type))
    return cublasZdotu_v2(h, n, x, incx, y, incy, result);
  const size_t x_bytes = cublas_size_of(x_type), y_bytes = cublas_size_of(y_type);
  Job job = cublas_job_begin(h, incx && incy && x_bytes && y_bytes && cublas_size_of(result_type));
  const void *a = cublas_job_take_vector(&job, x, x_bytes, n, incx),
             *b = cublas_job_take_vector(&job, y, y_bytes, n, incy);
  double sum = 0, rounded;
  for (int i = 0; b && i < n; i++)
    sum += element(a, x_type, i, n, incx) * element(b, y_type, i, n, incy);
  write_as(&rounded, result_type, 0, sum);
  cublas_job_result(&job, result, &rounded, cublas_size_of(result_type));
  return cublas_job_end(&job);
}

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                           int n, int k, const void *alpha, const void *A, int lda, const void *B,
                           int ldb, const void *beta, void *C, int ldc) {
  const Operand to = operand(C, CUDA_R_16F, CUBLAS_OP_N, m, n, ldc);
  return cublas_multiply(h, operand(A, CUDA_R_16F, oa, m, k, lda),
                         operand(B, CUDA_R_16F, ob, k, n, ldb), alpha, beta, CUDA_R_16F, to, to,
                         NULL, NULL);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t oa,
                                         cublasOperation_t ob, int m, int n, int k,
                                         const void *alpha, const void *A, int lda,
                                         long long next_a, const void *B, int ldb, long long next_b,
                                         const void *beta, void *C, int ldc, long long next_c,
                                         int count) {
  return cublasGemmStridedBatchedEx(h, oa, ob, m, n, k, alpha, A, CUDA_R_16F, lda, next_a, B,
                                    CUDA_R_16F, ldb, next_b, beta, C, CUDA_R_16F, ldc, next_c,
                                    count, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,
                                  int m, int n, int k, const void *alpha, const void *const A[],
                                  int lda, const void *const B[], int ldb, const void *beta,
                                  void *const C[], int ldc, int count) {
  return cublasGemmBatchedEx(h, oa, ob, m, n, k, alpha, A, CUDA_R_16F, lda, B, CUDA_R_16F, ldb,
                             beta, C, CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
                             CUBLAS_GEMM_DEFAULT);
}

/* For real types this is the same as cublasDotEx, because a real number is its own conjugate. */
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx,
                            const void *y, cudaDataType y_type, int incy, void *result,
                            cudaDataType result_type, cudaDataType compute) {
  if (all_are(CUDA_C_32F, x_type, y_type, result_type))
    return cublasCdotc_v2(h, n, x, incx, y, incy, result);
  if (all_are(CUDA_C_64F, x_type, y_type, result_type))
    return cublasZdotc_v2(h, n, x, incx, y, incy, result);
  return cublasDotEx(h, n, x, x_type, incx, y, y_type, incy, result, result_type, compute);
}
