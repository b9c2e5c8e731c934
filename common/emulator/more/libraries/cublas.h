/* Declarations shared by the files that implement cuBLAS with a BLAS library for the CPU. A call
 * copies its operands to the host without gaps, calls the CPU library, and copies the results back.
 * All copies use the runtime API, which checks pointers, bounds and the order of streams, as it
 * does for the copies of the program. */
#ifndef LIBRARIES_CUBLAS_H
#define LIBRARIES_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream;
  /* Whether scalars (alpha, beta, results) are in host or device memory. */
  cublasPointerMode_t pointers;
  cublasMath_t math;
};

enum { OPERANDS = 8 };
typedef struct Job {
  cublasHandle_t handle;
  /* The first error of the call. */
  cublasStatus_t status;
  void *copies[OPERANDS];
  unsigned count;
} Job;

/* Begins a call. `good` is true if the arguments that are passed by value (sizes, steps) are valid.
 */
Job cublas_job_begin(cublasHandle_t, bool good);
static inline bool job_ready(const Job *job) { return job->status == CUBLAS_STATUS_SUCCESS; }
/* Frees the copies of the operands, and returns the status of the call. */
cublasStatus_t cublas_job_end(Job *);
/* Returns a copy of a matrix without gaps: the leading dimension of the copy is `rows`. Returns
 * NULL on failure, or if the matrix is empty. */
void *cublas_job_take(Job *, const void *device, size_t element, int rows, int columns, int ld);
/* Copies `bytes` bytes from the device into an existing copy. */
void cublas_job_fetch(Job *, void *copy, const void *device, size_t bytes);
/* Allocates the memory for a copy of a matrix. Does not read the device's memory. */
void *cublas_job_room(Job *, size_t element, int rows, int columns);
void cublas_job_give(Job *, void *device, const void *copy, size_t element, int rows, int columns,
                     int ld);
/* Returns a copy without gaps of a vector whose elements are |step| apart. The elements of the copy
 * are in the same order in memory. */
void *cublas_job_take_vector(Job *, const void *device, size_t element, int n, int step);
void cublas_job_give_vector(Job *, void *device, const void *copy, size_t element, int n, int step);
/* cublas_job_scalar reads a scalar such as alpha from host or device memory. cublas_job_result
 * writes a scalar result to host or device memory. */
void cublas_job_scalar(Job *, void *to, const void *from, size_t bytes);
void cublas_job_result(Job *, void *to, const void *from, size_t bytes);

/* ---- products of any types, cublas_mixed.c ---- */
size_t cublas_size_of(cudaDataType); /* in bytes; 0: unknown type */
typedef struct Operand {
  const void *device;
  cudaDataType type;
  cublasOperation_t operation;
  /* The numbers of rows and columns in memory. */
  int rows, columns, ld;
} Operand;
/* Returns a copy of the elements, converted to double, which the caller frees. Returns NULL on
 * failure, or if there are no elements. */
double *cublas_take(Job *, Operand);
void cublas_give(Job *, Operand to, const double *);
/* Computes to = finish(alpha * a * b + beta * old), rounded to the type of `to`. `factors`: the
 * type of alpha and beta. */
typedef void Finish(Job *, const void *context, double *result, int m, int n);
cublasStatus_t cublas_multiply(cublasHandle_t, Operand a, Operand b, const void *alpha,
                               const void *beta, cudaDataType factors, Operand old, Operand to,
                               Finish *, const void *context);

/* Products of halves. cublas_v2.h declares them only for C++, in which the type __half exists. */
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
