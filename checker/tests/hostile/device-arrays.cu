// Declares a device array that is larger than the memory of any machine. The host allocates
// nothing.
// expect: out-of-bounds | is in no buffer
#include "lab.h"
#define OWN_KERNEL
#ifdef __CUDA_ARCH__
__device__ char wide[1ull << 42];
#endif
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef __CUDA_ARCH__
  wide[(size_t)threadIdx.x << 36] = (char)m;
  C[0] = wide[(size_t)threadIdx.y << 36];
#endif
}
static int attack() { return 0; }
