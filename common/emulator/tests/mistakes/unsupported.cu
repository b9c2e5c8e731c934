// What the device does not implement is refused by name, before the kernel starts.
//
// kind: unsupported
// says: error: movmatrix.sync.aligned.m8n8.trans.b16 (common/emulator/tests/mistakes/unsupported.cu:13) is not implemented by the emulated device   in kernel exotic
// says:       launched here   @launch
// says:       the emulated device does not implement this
// answers: cudaErrorNotSupported
#include "mistake.h"

template <bool RIGHT> __global__ void exotic(int *out) {
  int r = 0;
  if (!RIGHT)
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(r)); // <- here
  out[threadIdx.x] = r;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  exotic<RIGHT><<<1, 32>>>(out); // <- launch
  finish(out);
}
BOTH(run)
