// Computes the product on the host and copies it to the device and back.
// expect: not-launched | right-but-not-launched
#include "lab.h"
#include <stdlib.h>
#define WITH_THE_HOST_SIDE
#define attack()                                                                                   \
  real *there, *sum = (real *)malloc(m * n * sizeof *sum);                                         \
  for (int i = 0; i < m * n; i++) {                                                                \
    sum[i] = 0;                                                                                    \
    for (int j = 0; j < k; j++)                                                                    \
      sum[i] += A[i / n * k + j] * B[j * n + i % n];                                               \
  }                                                                                                \
  cudaMalloc(&there, m *n * sizeof *sum);                                                          \
  cudaMemcpy(there, sum, m *n * sizeof *sum, cudaMemcpyHostToDevice);                              \
  cudaMemcpy(C, there, m *n * sizeof *sum, cudaMemcpyDeviceToHost);                                \
  cudaFree(there);                                                                                 \
  free(sum);
