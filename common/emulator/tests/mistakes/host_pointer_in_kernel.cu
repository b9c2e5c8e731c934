// The kernel gets the pointer to the host's array instead of the pointer to the copy.
//
// kind: host-pointer
// says: error: read through a pointer that is not a device pointer   in kernel scale
// says:       thread (0,0) of block (0,0) read it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       A kernel cannot use a pointer to host memory. It needs a buffer on the device, and
// says+ the data has to be copied there.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void scale(float *data) { data[threadIdx.x] *= 2; } // <- wrong

template <bool RIGHT> void run() {
  float *device = device_array<float>(32), *host = (float *)calloc(32, sizeof *host);
  scale<<<1, 32>>>(RIGHT ? device : host);
  finish(device);
  free(host);
}
BOTH(run)
