// A kernel whose first launch is right and whose later launches have a race.
// expect: race/race-between-blocks | on launches
#include "lab.h"
#define OWN_KERNEL
__device__ int launches;
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  real sum = 0;
  int before = launches;
  if (row >= m || column >= n)
    return;
  if (row == m - 1 && column == n - 1)
    launches = before + 1;
  for (int i = 0; i < k - (before > 0); i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
static int attack() { return 0; }
