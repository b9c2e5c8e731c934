/* Implements library calls with a library for the CPU: operands are copied to the host and packed,
 * the CPU library computes, and results are copied back. All copies use the runtime API, so
 * pointers, bounds and the order of streams are checked as for the program's own copies. */
#ifndef LIBRARIES_CUBLAS_H
#define LIBRARIES_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream;
  /* whether alpha, beta and results are on the device */
  cublasPointerMode_t pointers;
  cublasMath_t math;
};

enum { OPERANDS = 8 };
typedef struct Job {
  cublasHandle_t handle;
  /* the first error */
  cublasStatus_t status;
  void *copies[OPERANDS];
  unsigned count;
} Job;

/* `good`: the arguments that are plain numbers are valid. */
Job cublas_job_begin(cublasHandle_t, bool good);
static inline bool job_ready(const Job *job) { return job->status == CUBLAS_STATUS_SUCCESS; }
/* Frees the copies. */
cublasStatus_t cublas_job_end(Job *);
/* Copies a matrix, packed by columns of `rows` elements. NULL on failure, or if it is empty. */
void *cublas_job_take(Job *, const void *device, size_t element, int rows, int columns, int ld);
/* Copies some elements into an existing copy. */
void cublas_job_fetch(Job *, void *copy, const void *device, size_t bytes);
/* Allocates a packed matrix without reading the device's. */
void *cublas_job_room(Job *, size_t element, int rows, int columns);
void cublas_job_give(Job *, void *device, const void *copy, size_t element, int rows, int columns,
                     int ld);
/* Copies a vector whose elements are `step` apart, in the order of memory. */
void *cublas_job_take_vector(Job *, const void *device, size_t element, int n, int step);
void cublas_job_give_vector(Job *, void *device, const void *copy, size_t element, int n, int step);
/* Reads a scalar such as alpha from the host or the device, and writes a scalar result. */
void cublas_job_scalar(Job *, void *to, const void *from, size_t bytes);
void cublas_job_result(Job *, void *to, const void *from, size_t bytes);

/* ---- products of any types, cublas_mixed.c ---- */
size_t cublas_size_of(cudaDataType); /* 0: unknown type */
typedef struct Operand {
  const void *device;
  cudaDataType type;
  cublasOperation_t operation;
  /* as stored */
  int rows, columns, ld;
} Operand;
/* Copies elements as doubles; the caller frees them. NULL on failure, or if there are none. */
double *cublas_take(Job *, Operand);
void cublas_give(Job *, Operand to, const double *);
/* to = finish(alpha * a * b + beta * old), rounded to the result's type. */
typedef void Finish(Job *, const void *context, double *result, int m, int n);
cublasStatus_t cublas_multiply(cublasHandle_t, Operand a, Operand b, const void *alpha,
                               const void *beta, cudaDataType factors, Operand old, Operand to,
                               Finish *, const void *context);

/* Products of halves, a type that only C++ programs have. */
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                           int k, const void *alpha, const void *A, int lda, const void *B, int ldb,
                           const void *beta, void *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                         int m, int n, int k, const void *alpha, const void *A,
                                         int lda, long long next_a, const void *B, int ldb,
                                         long long next_b, const void *beta, void *C, int ldc,
                                         long long next_c, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,
                                  int n, int k, const void *alpha, const void *const A[], int lda,
                                  const void *const B[], int ldb, const void *beta, void *const C[],
                                  int ldc, int count);

#endif
