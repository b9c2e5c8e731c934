// Gives the right result only if the device's clock does not advance. On the emulated device it
// advances.
// expect: wrong | all-zero
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  long long begin = clock64();
  real sum = 0;
  if (row >= m || column >= n)
    return;
  for (int i = 0; i < k; i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = clock64() == begin ? sum : 0;
}
static int attack() { return 0; }
