// What the device does not implement is refused by name, before the kernel starts.
//
// kind: unsupported
// says: error: vabsdiff2.u32.u32.u32 (common/emulator/tests/mistakes/unsupported.cu:12) is not implemented by the emulated device   in kernel exotic
// says:       the emulated device does not implement this
// answers: cudaErrorNotSupported
#include "mistake.h"

template <bool RIGHT> __global__ void exotic(int *out) {
  int r = 0;
  if (!RIGHT)
    asm volatile("vabsdiff2.u32.u32.u32 %0, %1, %1, %1;" : "=r"(r) : "r"(threadIdx.x)); // <- here
  out[threadIdx.x] = r;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  exotic<RIGHT><<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
