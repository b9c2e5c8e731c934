// Warps wait for each other with a counter (release and acquire), like barriers of the C++ library,
// but they do not wait between reading values and storing the next ones.
//
// kind: race
// says: error: race on values, word 0   in kernel exchange
// says:       thread (0,0) of block (0,0) wrote it   @store
// says:       thread (95,0) of block (0,0) read it   @read
// says:       No barrier separates the two accesses. All threads must have stored their values
// says+ before any thread reads them.
#include "mistake.h"

__device__ void arrive_and_wait(unsigned *count, unsigned wanted) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(count);
  unsigned now;
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");
  do
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(now) : "r"(at) : "memory");
  while (now < wanted);
  __syncwarp();
}

template <bool RIGHT> __global__ void exchange(float *out) {
  __shared__ float values[128];
  __shared__ unsigned count;
  const int t = threadIdx.x;
  unsigned wanted = 0;
  float sum = 0;
  if (t == 0)
    count = 0;
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    values[t] = t + i; // <- store
    arrive_and_wait(&count, wanted += 4);
    sum += values[(t + 33) % 128]; // <- read
    if (RIGHT)
      arrive_and_wait(&count, wanted += 4);
  }
  out[t] = sum;
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(128);
  exchange<RIGHT><<<1, 128>>>(out);
  finish(out);
}
BOTH(run)
