// Before the host waits, kernels print more than the buffer can store. The printed text is empty
// here, but each call of printf uses space in the buffer.
//
// kind: not-on-a-gpu
// says: warning: kernels print about 400 KB before the host waits, and a GPU's buffer has 256 KB
// says+   in kernel print
// says:       the host waits here   @waits
// says:       A GPU keeps what kernels print in a buffer, and overwrites the oldest text when the
// says+ buffer is full. Print less, or set cudaLimitPrintfFifoSize with cudaDeviceSetLimit().
#include "mistake.h"

__global__ void print() { printf("%s", ""); }

template <bool RIGHT> void run() {
  int *x = device_array<int>(1);
  MUST(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 256 << 10));
  for (int i = 0; i < 40; i++) {
    print<<<1, 256>>>();
    if (RIGHT)
      MUST(cudaDeviceSynchronize());
  }
  finish(x); // <- waits
}
BOTH(run)
