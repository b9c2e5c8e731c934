// The buffer is freed before the kernel that reads it is launched.
//
// kind: use-after-free
// says: error: read of freed memory: allocation 1 (128 bytes), element 0   in kernel scale
// says:       thread (0,0) of block (0,0) read it   @wrong
// says:       freed before   @freed
// says:       the pointer comes from argument 1 of the kernel
// says:       The buffer was freed before this access.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void scale(float *data) { data[threadIdx.x] *= 2; } // <- wrong

template <bool RIGHT> void run() {
  float *data = device_array<float>(32);
  if (!RIGHT)
    MUST(cudaFree(data)); // <- freed
  scale<<<1, 32>>>(data);
  finish(RIGHT ? data : NULL);
}
BOTH(run)
