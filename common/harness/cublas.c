/* Computes products with cuBLAS for comparison. This file is compiled only if the CUDA Toolkit has
 * cuBLAS (probe.sh checks this). The library is loaded when the first product runs, because it is
 * large and the checker starts a lab's program many times.
 *
 * cuBLAS uses column-major order, in which the row-major product C = A·B is Cᵀ = Bᵀ·Aᵀ. Therefore
 * the operands are exchanged, and a row-major M is passed as Mᵀ. Float products use float only, not
 * TF32. Double products use tensor cores if the GPU has tensor cores for double, because these
 * compute in full double precision. */
#ifdef LOCKSTEP_CUBLAS
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "harness.h"

#define TEXT(name) #name
#define SYMBOL(name) TEXT(name) /* expands macros of cublas_v2.h, such as cublasSgemm */
#define LIBRARY_FUNCTION(name) static __typeof__(&name) library_##name
LIBRARY_FUNCTION(cublasCreate);
LIBRARY_FUNCTION(cublasSetMathMode);
LIBRARY_FUNCTION(cublasSgemm);
LIBRARY_FUNCTION(cublasDgemm);
LIBRARY_FUNCTION(cublasSgemv);
LIBRARY_FUNCTION(cublasDgemv);

static void *find(void *library, const char *name) {
  void *function = library ? dlsym(library, name) : NULL;
  if (!function)
    die("cublas: %s", dlerror());
  return function;
}

/* Returns the handle. Loads the library and creates the handle at the first call. */
static cublasHandle_t library(void) {
  static cublasHandle_t handle;
  if (handle)
    return handle;
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  void *so = dlopen(LOCKSTEP_CUBLAS, RTLD_NOW | RTLD_LOCAL);
#define FIND(name) library_##name = (__typeof__(library_##name))find(so, SYMBOL(name))
  FIND(cublasCreate);
  FIND(cublasSetMathMode);
  FIND(cublasSgemm);
  FIND(cublasDgemm);
  FIND(cublasSgemv);
  FIND(cublasDgemv);
  if (library_cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS ||
      library_cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH) != CUBLAS_STATUS_SUCCESS)
    die("cublas: %s does not start", LOCKSTEP_CUBLAS);
  return handle;
}

static cudaError_t answer(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

cudaError_t matmul_cublas(const Run *run) {
  int m = run->size[MATMUL_M], k = run->size[MATMUL_K], n = run->size[MATMUL_N];
  const void *A = run->operand[MATMUL_A], *B = run->operand[MATMUL_B];
  void *C = run->operand[MATMUL_C];
  cublasHandle_t h = library();
  if (run->instance->element_bytes == sizeof(float))
    return answer(library_cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &(float){1}, B, n, A, k,
                                      &(float){0}, C, n));
  return answer(library_cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &(double){1}, B, n, A, k,
                                    &(double){0}, C, n));
}

cudaError_t matvec_cublas(const Run *run) {
  int rows = run->size[MATVEC_ROWS], columns = run->size[MATVEC_COLUMNS];
  const void *M = run->operand[MATVEC_MATRIX], *v = run->operand[MATVEC_VECTOR];
  void *out = run->operand[MATVEC_OUT];
  cublasHandle_t h = library();
  if (run->instance->element_bytes == sizeof(float))
    return answer(library_cublasSgemv(h, CUBLAS_OP_T, columns, rows, &(float){1}, M, columns, v, 1,
                                      &(float){0}, out, 1));
  return answer(library_cublasDgemv(h, CUBLAS_OP_T, columns, rows, &(double){1}, M, columns, v, 1,
                                    &(double){0}, out, 1));
}
#endif
