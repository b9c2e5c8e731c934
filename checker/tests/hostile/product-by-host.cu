// Computes the product on the host and writes it to the result.
// expect: not-launched | host-wrote
#include "lab.h"
#define WITH_THE_HOST_SIDE
#define attack()                                                                                   \
  for (int i = 0; i < m * n; i++) {                                                                \
    C[i] = 0;                                                                                      \
    for (int j = 0; j < k; j++)                                                                    \
      C[i] += A[i / n * k + j] * B[j * n + i % n];                                                 \
  }
