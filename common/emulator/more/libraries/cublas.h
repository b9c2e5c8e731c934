/* How a library call reaches the device: operands come over as packed copies, a CPU library computes, results go back.
 * Through the runtime API alone, so that pointers, ends of buffers and the order of streams are checked as for any
 * copy of the program's own. */
#ifndef LIBRARIES_CUBLAS_H
#define LIBRARIES_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointers; /* where alpha, beta and results are */
  cublasMath_t math;
};

enum { OPERANDS = 8 };
typedef struct Job {
  cublasHandle_t handle;
  cublasStatus_t status; /* the first thing that went wrong */
  void *copies[OPERANDS];
  unsigned count;
} Job;

/* `good`: the arguments that are plain numbers make sense. */
Job cublas_job_begin(cublasHandle_t, bool good);
static inline bool job_ready(const Job *job) { return job->status == CUBLAS_STATUS_SUCCESS; }
/* Frees the copies. */
cublasStatus_t cublas_job_end(Job *);
/* A matrix by columns of `rows` elements, packed; NULL if it failed or is empty. */
void *cublas_job_take(Job *, const void *device, size_t element, int rows, int columns, int ld);
/* Some elements of it, into a copy that there is. */
void cublas_job_fetch(Job *, void *copy, const void *device, size_t bytes);
/* Room for one that is not read. */
void *cublas_job_room(Job *, size_t element, int rows, int columns);
void cublas_job_give(Job *, void *device, const void *copy, size_t element, int rows, int columns,
                     int ld);
/* A vector whose elements lie `step` apart, in the order of the memory. */
void *cublas_job_take_vector(Job *, const void *device, size_t element, int n, int step);
void cublas_job_give_vector(Job *, void *device, const void *copy, size_t element, int n, int step);
/* alpha and its like, wherever they are, and a result that goes there. */
void cublas_job_scalar(Job *, void *to, const void *from, size_t bytes);
void cublas_job_result(Job *, void *to, const void *from, size_t bytes);

/* ---- products of any types, cublas_mixed.c ---- */
size_t cublas_size_of(cudaDataType); /* 0: none that is known */
typedef struct Operand {
  const void *device;
  cudaDataType type;
  cublasOperation_t operation;
  int rows, columns, ld; /* as stored */
} Operand;
/* As double, to be freed; NULL if it failed or is empty. */
double *cublas_take(Job *, Operand);
void cublas_give(Job *, Operand to, const double *);
/* to = alpha * a * b + beta * old, and what `finish` makes of it before it is rounded. */
typedef void Finish(Job *, const void *context, double *result, int m, int n);
cublasStatus_t cublas_multiply(cublasHandle_t, Operand a, Operand b, const void *alpha,
                               const void *beta, cudaDataType factors, Operand old, Operand to,
                               Finish *, const void *context);

/* Of halves, which only C++ programs know. */
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
