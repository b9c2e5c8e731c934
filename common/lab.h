/* The only header that a lab's .cu file and its lab.c need to include.
 *
 * Matrices are one-dimensional arrays in row-major order: element (row, column) of a matrix with
 * `columns` columns is at index row * columns + column. Sizes of matrices are numbers of elements;
 * sizes of memory are numbers of bytes. A matrix product is C = A·B, where A is m×k, B is k×n and
 * C is m×n. */
#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h> // printf, also in kernels

/* The element type: -DREAL=float, or -DREAL=double with PRECISION=double. */
#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/* Divides n by d and rounds up: the number of pieces of size d that cover n elements. CEIL_DIV(33,
 * 32) is 2, whereas 33 / 32 is 1. n must not be negative, and d must be positive. */
#define CEIL_DIV(n, d) (((n) + (d)-1) / (d))

/* Evaluates `call` only if `error` is still cudaSuccess, and stores the result in `error`. After
 * the first error the remaining calls are skipped, and the function continues with the lines that
 * free memory:
 *
 *   cudaError_t error = cudaSuccess;
 *   TRY(error, cudaMalloc(&x, bytes));
 *   TRY(error, cudaMemcpy(x, X, bytes, cudaMemcpyHostToDevice));
 *   cudaFree(x); // freeing NULL does nothing
 *   return error;
 */
#define TRY(error, call)                                                                           \
  do {                                                                                             \
    if ((error) == cudaSuccess)                                                                    \
      (error) = (call);                                                                            \
  } while (0)

/* EXPORT_KERNEL(matmul) defines kernel_matmul, the address that identifies the kernel on the host.
 * Only a CUDA compiler can produce this address. A C file declares it with IMPORT_KERNEL(matmul)
 * and launches the kernel with cudaLaunchKernel(kernel_matmul, ...). */
#define IMPORT_KERNEL(kernel) extern const void *const kernel_##kernel
#ifdef __CUDA_ARCH__
#define EXPORT_KERNEL(kernel)
#else
#define EXPORT_KERNEL(kernel)                                                                      \
  extern "C" {                                                                                     \
  IMPORT_KERNEL(kernel);                                                                           \
  const void *const kernel_##kernel = (const void *)(kernel);                                      \
  }
#endif

/* While a gap is open, parameters and variables of its function may be unused. These lines suppress
 * the compiler's warnings about unused parameters and variables. */
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 177
#endif

#endif
