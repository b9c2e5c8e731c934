/* cuBLAS: the handle, the functions that copy vectors and matrices, errors, and the transfer of
 * operands (cublas.h). cublas_types.c implements the functions for float, double and complex
 * numbers, cublas_mixed.c the products of other types. */
#include "cublas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the handle ------------------------------------------------------------------------------ */
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = NULL;
  if (cudaFree(NULL) != cudaSuccess) /* creates the context, as cuBLAS does */
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = calloc(1, sizeof **handle);
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t answered(cublasHandle_t handle, const void *pointer) {
  return !handle    ? CUBLAS_STATUS_NOT_INITIALIZED
         : !pointer ? CUBLAS_STATUS_INVALID_VALUE
                    : CUBLAS_STATUS_SUCCESS;
}
#define ACCESSORS(Name, Set, Get, T, member)                                                       \
  cublasStatus_t Set(cublasHandle_t handle, T value) {                                             \
    cublasStatus_t status = answered(handle, &value);                                              \
    if (status == CUBLAS_STATUS_SUCCESS)                                                           \
      handle->member = value;                                                                      \
    return status;                                                                                 \
  }                                                                                                \
  cublasStatus_t Get(cublasHandle_t handle, T *value) {                                            \
    cublasStatus_t status = answered(handle, value);                                               \
    if (status == CUBLAS_STATUS_SUCCESS)                                                           \
      *value = handle->member;                                                                     \
    return status;                                                                                 \
  }
ACCESSORS(Stream, cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
ACCESSORS(PointerMode, cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t,
          pointers)
ACCESSORS(MathMode, cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
  if (version)
    *version = CUBLAS_VERSION;
  return answered(handle, version);
}
/* The atomics mode and the workspace have no effect, because the CPU library always adds in the
 * same order and needs no workspace. */
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return answered(handle, &mode);
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
  (void)workspace;
  return answered(handle, &bytes);
}

static const struct {
  cublasStatus_t status;
  const char *name;
} statuses[] = {
#define CUBLAS_STATUS(name, value) {CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name},
#include "cublas_status.def"
};
const char *cublasGetStatusName(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].name;
  return "unknown";
}
const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

/* ---- a call's operands ----------------------------------------------------------------------- */
static cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* Returns true if the stream of the handle is capturing, and prints a message. A captured call
 * would have to run at each launch of the graph, but the CPU library computes immediately. */
static bool captured(cublasHandle_t handle) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(handle->stream, &status);
  static bool said;
  if (status != cudaStreamCaptureStatusNone && !said) {
    said = true;
    fputs("lockstep: cuBLAS computes on the CPU here, and its calls cannot be captured into a "
          "graph\n",
          stderr);
  }
  return status != cudaStreamCaptureStatusNone;
}

Job cublas_job_begin(cublasHandle_t handle, bool good) {
  return (Job){.handle = handle,
               .status = !handle            ? CUBLAS_STATUS_NOT_INITIALIZED
                         : !good            ? CUBLAS_STATUS_INVALID_VALUE
                         : captured(handle) ? CUBLAS_STATUS_NOT_SUPPORTED
                                            : CUBLAS_STATUS_SUCCESS};
}

cublasStatus_t cublas_job_end(Job *job) {
  while (job->count)
    free(job->copies[--job->count]);
  return job->status;
}

static void job_copy(Job *job, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t width, size_t height) {
  if (job_ready(job) && width && height)
    job->status = status_of(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                                              cudaMemcpyDefault, job->handle->stream));
}

void *cublas_job_room(Job *job, size_t element, int rows, int columns) {
  if (!job_ready(job) || rows <= 0 || columns <= 0)
    return NULL;
  void *copy = calloc((size_t)rows * (size_t)columns, element);
  if (!copy)
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
  else
    job->copies[job->count++] = copy;
  return copy;
}

void *cublas_job_take(Job *job, const void *device, size_t element, int rows, int columns, int ld) {
  void *copy = cublas_job_room(job, element, rows, columns);
  if (copy)
    job_copy(job, copy, element * (size_t)rows, device, element * (size_t)ld,
             element * (size_t)rows, (size_t)columns);
  return copy;
}

void cublas_job_fetch(Job *job, void *copy, const void *device, size_t bytes) {
  job_copy(job, copy, bytes, device, bytes, bytes, 1);
}

void cublas_job_give(Job *job, void *device, const void *copy, size_t element, int rows,
                     int columns, int ld) {
  if (copy)
    job_copy(job, device, element * (size_t)ld, copy, element * (size_t)rows,
             element * (size_t)rows, (size_t)columns);
}

void *cublas_job_take_vector(Job *job, const void *device, size_t element, int n, int step) {
  return cublas_job_take(job, device, element, 1, n, abs(step));
}

void cublas_job_give_vector(Job *job, void *device, const void *copy, size_t element, int n,
                            int step) {
  cublas_job_give(job, device, copy, element, 1, n, abs(step));
}

void cublas_job_scalar(Job *job, void *to, const void *from, size_t bytes) {
  memset(to, 0, bytes);
  if (!from && job_ready(job))
    job->status = CUBLAS_STATUS_INVALID_VALUE;
  else if (job_ready(job) && job->handle->pointers == CUBLAS_POINTER_MODE_HOST)
    memcpy(to, from, bytes);
  else
    job_copy(job, to, bytes, from, bytes, bytes, 1);
}

/* If the result is in host memory, this function waits for the stream, as cuBLAS does. */
void cublas_job_result(Job *job, void *to, const void *from, size_t bytes) {
  if (!to && job_ready(job))
    job->status = CUBLAS_STATUS_INVALID_VALUE;
  if (!job_ready(job))
    return;
  if (job->handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    memcpy(to, from, bytes);
    job->status = status_of(cudaStreamSynchronize(job->handle->stream));
  } else {
    job_copy(job, to, bytes, from, bytes, bytes, 1);
  }
}

/* ---- copies between host and device ---------------------------------------------------------- */
static cublasStatus_t move(int rows, int columns, int size, const void *from, int lda, void *to,
                           int ldb, enum cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || size <= 0 || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!rows || !columns)
    return CUBLAS_STATUS_SUCCESS;
  const size_t bytes = (size_t)size;
  cudaError_t error = waits
                          ? cudaMemcpy2D(to, bytes * (size_t)ldb, from, bytes * (size_t)lda,
                                         bytes * (size_t)rows, (size_t)columns, kind)
                          : cudaMemcpy2DAsync(to, bytes * (size_t)ldb, from, bytes * (size_t)lda,
                                              bytes * (size_t)rows, (size_t)columns, kind, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
#define MOVES(Name, kind)                                                                          \
  cublasStatus_t cublas##Name##Matrix(int rows, int columns, int size, const void *from, int lda,  \
                                      void *to, int ldb) {                                         \
    return move(rows, columns, size, from, lda, to, ldb, kind, true, NULL);                        \
  }                                                                                                \
  cublasStatus_t cublas##Name##MatrixAsync(int rows, int columns, int size, const void *from,      \
                                           int lda, void *to, int ldb, cudaStream_t stream) {      \
    return move(rows, columns, size, from, lda, to, ldb, kind, false, stream);                     \
  }                                                                                                \
  cublasStatus_t cublas##Name##Vector(int n, int size, const void *from, int step, void *to,       \
                                      int to_step) {                                               \
    return move(1, n, size, from, step, to, to_step, kind, true, NULL);                            \
  }                                                                                                \
  cublasStatus_t cublas##Name##VectorAsync(int n, int size, const void *from, int step, void *to,  \
                                           int to_step, cudaStream_t stream) {                     \
    return move(1, n, size, from, step, to, to_step, kind, false, stream);                         \
  }
MOVES(Set, cudaMemcpyHostToDevice)
MOVES(Get, cudaMemcpyDeviceToHost)
