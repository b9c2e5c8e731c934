// A recursion that exceeds the stack. An H100 ends it at the 32nd call, unless the stack is made
// larger.
//
// kind: stack
// says: error: calls nested too deep: the stack is full   in kernel start
// says:       thread (0,0) of block (0,0) made one call more   @here
// says:       A thread has 1024 bytes of stack for recursive calls, unless
// says+ cudaDeviceSetLimit(cudaLimitStackSize, ...) provides more.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__device__ __noinline__ int depth(int n, int *out) {
  out[0] = n;
  return n == 0 ? 0 : depth(n - 1, out + (n & 1)) + out[n & 3] + 1; // <- here
}

__global__ void start(int *out, int n) { out[0] = depth(n, out); }

template <bool RIGHT> void run() {
  int *out = device_array<int>(4096);
  if (RIGHT)
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  start<<<1, 1>>>(out, 100);
  finish(out);
}
BOTH(run)
