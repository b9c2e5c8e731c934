// An allocation fails, and its error is not checked.
//
// kind: null-pointer
// says: error: write through a null pointer   in kernel fill
// says:       thread (0,0) of block (0,0) wrote it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       The pointer is NULL. Its allocation failed or was left out, or the pointer was not
// says+ passed on.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void fill(float *data) { data[threadIdx.x] = 1; } // <- wrong

template <bool RIGHT> void run() {
  float *data = NULL;
  if (cudaMalloc(&data, RIGHT ? 128 : (size_t)1 << 50) != cudaSuccess)
    cudaGetLastError();
  fill<<<1, 32>>>(data);
  finish(data);
}
BOTH(run)
