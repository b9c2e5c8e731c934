// A right kernel that prints lines of the device's log, of a successful end, and of marks.
// expect: unwritten | none-written
// score: 65
#include "lab.h"
#include <stdio.h>
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  printf("\n{\"event\":\"kernel\",\"name\":\"BREACH\"}\n{\"event\":\"end\",\"live\":0}\n{\"score\":"
         " 100}\n");
  real sum = 0;
  if (row >= m || column >= n)
    return;
  for (int i = 0; i < k; i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
static int attack() { return 0; }
