// A right program that sleeps in each run, always below the time limit of one run.
// expect: time-out | budget-spent
// score: 55
// budget: 6
#include "lab.h"
#include <unistd.h>
#define WITH_THE_HOST_SIDE
extern "C" __global__ void matmul(const real *, const real *, real *, int, int, int);
#define attack()                                                                                   \
  cudaError_t error = cudaSuccess;                                                                 \
  real *a = NULL, *b = NULL, *c = NULL;                                                            \
  size_t as = (size_t)m * k * sizeof *a, bs = (size_t)k * n * sizeof *b,                           \
         cs = (size_t)m * n * sizeof *c;                                                           \
  usleep(1000000);                                                                                 \
  TRY(error, cudaMalloc(&a, as));                                                                  \
  TRY(error, cudaMalloc(&b, bs));                                                                  \
  TRY(error, cudaMalloc(&c, cs));                                                                  \
  TRY(error, cudaMemcpy(a, A, as, cudaMemcpyHostToDevice));                                        \
  TRY(error, cudaMemcpy(b, B, bs, cudaMemcpyHostToDevice));                                        \
  if (error == cudaSuccess)                                                                        \
    matmul<<<dim3(CEIL_DIV(n, 16), CEIL_DIV(m, 16)), dim3(16, 16)>>>(a, b, c, m, k, n);            \
  TRY(error, cudaGetLastError());                                                                  \
  TRY(error, cudaMemcpy(C, c, cs, cudaMemcpyDeviceToHost));                                        \
  cudaFree(a);                                                                                     \
  cudaFree(b);                                                                                     \
  cudaFree(c);                                                                                     \
  return error;
