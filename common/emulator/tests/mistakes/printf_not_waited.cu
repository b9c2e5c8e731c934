// A kernel's output is shown when the host waits for it. In the corrected program, that output
// replaces the output of the host.
//
// kind: not-on-a-gpu
// says: warning: the text that a kernel printed is lost: the program ends before it waits   in
// says+ kernel hello
// says:       A launch returns at once, and printf in a kernel shows its text when the host waits
// says+ for the kernel. Call cudaDeviceSynchronize() before the program ends.
#include "mistake.h"

__global__ void hello() { printf("cudaSuccess\n"); }

template <bool RIGHT> void run() {
  hello<<<1, 1>>>();
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  else
    answer(cudaGetLastError());
}
BOTH(run)
