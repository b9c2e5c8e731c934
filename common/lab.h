/* Everything that a lab may include, in its .cu file and in its lab.c.
 *
 * Matrices are one-dimensional arrays in row-major order: element (row, column) of a matrix with
 * `columns` columns is at index row * columns + column. Sizes are counted in elements, memory in
 * bytes. A product is C = A·B with A m×k, B k×n and C m×n. */
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

/* The number of pieces of size d that cover n: CEIL_DIV(33, 32) is 2, whereas 33 / 32 is 1. For n
 * >= 0 and d > 0. */
#define CEIL_DIV(n, d) (((n) + (d)-1) / (d))

/* Calls a function of the CUDA runtime unless an earlier one failed, so that `error` keeps the
 * first error and the lines that free things can follow without a jump:
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

/* EXPORT_KERNEL(matmul) lets code outside the .cu file launch the kernel, through
 * cudaLaunchKernel(kernel_matmul, ...). Only the CUDA compiler can produce the address that
 * identifies a kernel on the host. IMPORT_KERNEL declares it in the other file. */
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

/* A function with open gaps leaves its parameters and variables unused. These lines suppress the
 * compiler's warnings. */
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 177
#endif

#endif
