// Each block increments a counter when it is done, then writes the result. Only the block that is
// last may write it.
//
// kind: race-between-blocks
// says: error: race between blocks on allocation 1 (256 bytes), element 1   in kernel total
// says:       thread (0,0) of block (1,0) wrote it   @part
// says:       thread (0,0) of block (0,0) read it   @sum
// says:       No fence orders the two accesses. The first block needs a __threadfence() before the
// says+ atomic operation that signals the other block. The other block needs a __threadfence()
// says+ after the operation that reads the signal.
// says: error: race between blocks on allocation 1 (256 bytes), element 0   in kernel total
// says:       thread (0,0) of block (0,0) wrote it   @result
// says:       thread (0,0) of block (1,0) read it   @sum
// says:       No fence orders the two accesses. The first block needs a __threadfence() before the
// says+ atomic operation that signals the other block. The other block needs a __threadfence()
// says+ after the operation that reads the signal.
// says: error: race between blocks on allocation 1 (256 bytes), element 0   in kernel total
// says:       thread (0,0) of block (0,0) wrote it   @result
// says:       thread (0,0) of block (1,0) wrote it   @result
// says:       No fence orders the two accesses. The first block needs a __threadfence() before the
// says+ atomic operation that signals the other block. The other block needs a __threadfence()
// says+ after the operation that reads the signal.
// log: "kind":"race-between-blocks","severity":"error"
#include "mistake.h"

#define BLOCKS 8

__device__ unsigned done;

template <bool RIGHT> __global__ void total(float *parts) {
  if (threadIdx.x > 0)
    return;
  parts[blockIdx.x] = blockIdx.x; // <- part
  __threadfence();
  const bool last = atomicAdd(&done, 1) == BLOCKS - 1;
  if (RIGHT && !last)
    return;
  float sum = 0;
  for (int i = 0; i < BLOCKS; i++)
    sum += parts[i]; // <- sum
  parts[0] = sum;    // <- result
}

template <bool RIGHT> void run() {
  float *parts = device_array<float>(64);
  total<RIGHT><<<BLOCKS, 32>>>(parts);
  finish(parts);
}
BOTH(run)
