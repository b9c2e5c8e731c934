// A kernel that reads past its buffers to find the harness's data.
// expect: out-of-bounds | read out of bounds
#include "lab.h"
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n)
    C[row * n + column] = *(const real *)(((size_t)C & ~(size_t)0xffffff) + 0x1000000 +
                                          (row * n + column) * sizeof(real));
}
static int attack() { return 0; }
