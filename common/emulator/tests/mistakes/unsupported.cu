// The device refuses an instruction that it does not implement, by name, before the kernel starts.
//
// kind: unsupported
// says: error: wgmma.fence.sync.aligned (common/emulator/tests/mistakes/unsupported.cu:14) is not
// says+ implemented by the emulated device   in kernel exotic
// says:       launched here   @launch
// says:       The emulated device cannot run this kernel.
// answers: cudaErrorNotSupported
#include "mistake.h"

template <bool RIGHT> __global__ void exotic(int *out) {
  long long r = 0;
  if (!RIGHT)
    asm volatile("wgmma.fence.sync.aligned;" : "+l"(r)); // <- here
  out[threadIdx.x] = (int)r;
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  exotic<RIGHT><<<1, 32>>>(out); // <- launch
  finish(out);
}
BOTH(run)
