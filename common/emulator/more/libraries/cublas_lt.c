/* cublasLt: the descriptions of matrices and products, and the products with an epilogue.
 * cublas_mixed.c computes the products. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cublas.h"
#include "include/cublasLt.h"

/* The handle is that of cuBLAS, as in the toolkit. */
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  return cublasCreate_v2((cublasHandle_t *)handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy_v2((cublasHandle_t)handle);
}
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

/* ---- descriptions: attribute n is word n ----------------------------------------------------- */
static cublasStatus_t set(uint64_t *words, size_t count, unsigned attribute, const void *value,
                          size_t bytes) {
  if (!words || !value || attribute >= count || bytes > sizeof *words)
    return CUBLAS_STATUS_INVALID_VALUE;
  words[attribute] = 0;
  memcpy(&words[attribute], value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get(const uint64_t *words, size_t count, unsigned attribute, void *value,
                          size_t bytes, size_t *written) {
  if (!words || !value || attribute >= count || bytes > sizeof *words)
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(value, &words[attribute], bytes);
  if (written)
    *written = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

#define WORDS(description) ((description) ? (description)->data : NULL)
#define COUNT(description) (sizeof(description)->data / sizeof *(description)->data)
static void *made(size_t bytes) { return calloc(1, bytes); }

/* BEGIN clears a description in the caller's memory, which has `bytes` bytes. CREATE allocates a
 * description. */
#define BEGIN(description, bytes)                                                                  \
  if (!(description) || (bytes) < sizeof *(description))                                           \
    return CUBLAS_STATUS_INVALID_VALUE;                                                            \
  memset((description), 0, sizeof *(description))
#define CREATE(description)                                                                        \
  if (!(description) || !(*(description) = made(sizeof **(description))))                          \
  return (description) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_INVALID_VALUE

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t bytes,
                                               cublasComputeType_t compute, cudaDataType scale) {
  BEGIN(desc, bytes);
  desc->data[CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = compute;
  desc->data[CUBLASLT_MATMUL_DESC_SCALE_TYPE] = scale;
  desc->data[CUBLASLT_MATMUL_DESC_EPILOGUE] = CUBLASLT_EPILOGUE_DEFAULT;
  desc->data[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = (uint32_t)-1; /* -1: the type of the result */
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                        cudaDataType scale) {
  CREATE(desc);
  return cublasLtMatmulDescInit_internal(*desc, sizeof **desc, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  return free(desc), CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes) {
  return set(WORDS(desc), COUNT(desc), attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute, void *value,
                                              size_t bytes, size_t *written) {
  return get(WORDS(desc), COUNT(desc), attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t bytes,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t ld) {
  BEGIN(layout, bytes);
  layout->data[CUBLASLT_MATRIX_LAYOUT_TYPE] = type;
  layout->data[CUBLASLT_MATRIX_LAYOUT_ROWS] = rows;
  layout->data[CUBLASLT_MATRIX_LAYOUT_COLS] = columns;
  layout->data[CUBLASLT_MATRIX_LAYOUT_LD] = (uint64_t)ld;
  layout->data[CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT] = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
  CREATE(layout);
  return cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type, rows, columns, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return free(layout), CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes) {
  return set(WORDS(layout), COUNT(layout), attribute, value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                void *value, size_t bytes, size_t *written) {
  return get(WORDS(layout), COUNT(layout), attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t bytes) {
  BEGIN(preference, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  CREATE(preference);
  return cublasLtMatmulPreferenceInit_internal(*preference, sizeof **preference);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return free(preference), CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t bytes) {
  return set(WORDS(preference), COUNT(preference), attribute, value, bytes);
}

/* ---- products -------------------------------------------------------------------------------- */
static Operand matrix(const void *at, cublasLtMatrixLayout_t l, uint64_t operation, size_t batch) {
  const cudaDataType type = (cudaDataType)l->data[CUBLASLT_MATRIX_LAYOUT_TYPE];
  const size_t step = l->data[CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET];
  return (Operand){(const char *)at + batch * step * cublas_size_of(type),
                   type,
                   (cublasOperation_t)operation,
                   (int)l->data[CUBLASLT_MATRIX_LAYOUT_ROWS],
                   (int)l->data[CUBLASLT_MATRIX_LAYOUT_COLS],
                   (int)l->data[CUBLASLT_MATRIX_LAYOUT_LD]};
}

static cudaDataType bias_type(cublasLtMatmulDesc_t desc, cudaDataType result) {
  const uint64_t type = desc->data[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE];
  return type == (uint32_t)-1 ? result : (cudaDataType)type;
}

static cublasStatus_t supported(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                cublasLtMatrixLayout_t d) {
  if (!desc || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasLtMatrixLayout_t all[] = {a, b, c, d};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]->data[CUBLASLT_MATRIX_LAYOUT_ORDER] != CUBLASLT_ORDER_COL ||
        !cublas_size_of((cudaDataType)all[i]->data[CUBLASLT_MATRIX_LAYOUT_TYPE]))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  for (unsigned i = CUBLASLT_MATMUL_DESC_A_SCALE_POINTER; i <= CUBLASLT_MATMUL_DESC_AMAX_D_POINTER;
       i++)
    if (desc->data[i])
      return CUBLAS_STATUS_NOT_SUPPORTED;
  switch (desc->data[CUBLASLT_MATMUL_DESC_EPILOGUE]) {
  case CUBLASLT_EPILOGUE_DEFAULT:
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DGELU:
    break;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const Operand left = matrix(NULL, a, desc->data[CUBLASLT_MATMUL_DESC_TRANSA], 0);
  const Operand right = matrix(NULL, b, desc->data[CUBLASLT_MATMUL_DESC_TRANSB], 0);
  const Operand result = matrix(NULL, d, CUBLAS_OP_N, 0), old = matrix(NULL, c, CUBLAS_OP_N, 0);
  const bool left_as_stored = left.operation == CUBLAS_OP_N;
  const bool right_as_stored = right.operation == CUBLAS_OP_N;
  const bool agree = (left_as_stored ? left.rows : left.columns) == result.rows &&
                     (right_as_stored ? right.columns : right.rows) == result.columns &&
                     (left_as_stored ? left.columns : left.rows) ==
                         (right_as_stored ? right.rows : right.columns) &&
                     old.rows == result.rows && old.columns == result.columns;
  return agree ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t *results,
                                              int *found) {
  (void)preference;
  if (!handle || !found || !results || wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t status = supported(desc, a, b, c, d);
  *found = status == CUBLAS_STATUS_SUCCESS;
  *results = (cublasLtMatmulHeuristicResult_t){.state = status};
  return status;
}

/* GELU, approximated with tanh as in cublasLt, and its derivative. */
#define GELU_SCALE 0.7978845608028654 /* the square root of 2 / pi */
#define GELU_CUBE 0.044715
static double gelu(double x) {
  return x / 2 * (1 + tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)));
}
static double gelu_slope(double x) {
  const double t = tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x));
  return (1 + t) / 2 + x / 2 * (1 - t * t) * GELU_SCALE * (1 + 3 * GELU_CUBE * x * x);
}

/* An epilogue, which is applied to the product before the result is rounded. */
typedef struct Epilogue {
  uint64_t kind;
  /* bias: one value for each row. aux: the arguments of GELU. */
  Operand bias, aux;
} Epilogue;

static void finish(Job *job, const void *context, double *result, int m, int n) {
  const Epilogue *e = context;
  const bool aux = e->kind & 128, slope = e->kind == CUBLASLT_EPILOGUE_DGELU;
  double *bias = e->kind & CUBLASLT_EPILOGUE_BIAS ? cublas_take(job, e->bias) : NULL;
  double *before = slope ? cublas_take(job, e->aux) : NULL;
  const size_t count = job_ready(job) ? (size_t)m * (size_t)n : 0;
  for (size_t i = 0; bias && i < count; i++)
    result[i] += bias[i % (size_t)m];
  if (aux && !slope && count)
    cublas_give(job, e->aux, result);
  for (size_t i = 0; i < count; i++)
    result[i] = slope                              ? result[i] * gelu_slope(before[i])
                : e->kind & CUBLASLT_EPILOGUE_GELU ? gelu(result[i])
                : e->kind & CUBLASLT_EPILOGUE_RELU ? fmax(result[i], 0)
                                                   : result[i];
  free(bias), free(before);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t a, const void *B,
                              cublasLtMatrixLayout_t b, const void *beta, const void *C,
                              cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t bytes,
                              cudaStream_t stream) {
  (void)algorithm, (void)workspace, (void)bytes;
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t status = supported(desc, a, b, c, d);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const uint64_t *of = desc->data;
  struct cublasContext in_stream = {
      .stream = stream, .pointers = (cublasPointerMode_t)of[CUBLASLT_MATMUL_DESC_POINTER_MODE]};
  const size_t batches = d->data[CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT];
  for (size_t i = 0; i < batches && status == CUBLAS_STATUS_SUCCESS; i++) {
    const Operand result = matrix(D, d, CUBLAS_OP_N, i);
    const cudaDataType bias = bias_type(desc, result.type);
    const Epilogue epilogue = {
        of[CUBLASLT_MATMUL_DESC_EPILOGUE],
        {(const char *)(uintptr_t)of[CUBLASLT_MATMUL_DESC_BIAS_POINTER] +
             i * of[CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE] * cublas_size_of(bias),
         bias, CUBLAS_OP_N, result.rows, 1, result.rows},
        {(const char *)(uintptr_t)of[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER] +
             i * of[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE] * cublas_size_of(result.type),
         result.type, CUBLAS_OP_N, result.rows, result.columns,
         (int)of[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD]}};
    status = cublas_multiply(&in_stream, matrix(A, a, of[CUBLASLT_MATMUL_DESC_TRANSA], i),
                             matrix(B, b, of[CUBLASLT_MATMUL_DESC_TRANSB], i), alpha, beta,
                             (cudaDataType)of[CUBLASLT_MATMUL_DESC_SCALE_TYPE],
                             matrix(C, c, CUBLAS_OP_N, i), result, finish, &epilogue);
  }
  return status;
}
