// Every lane stores its own sum to one address, although only one lane should. CUDA does not define
// which value is kept.
//
// kind: lanes-write-differently
// says: error: different values written at once within a block on allocation 1 (4 bytes), element 0
// says+   in kernel total
// says:       thread (0,0) of block (0,0) wrote it   @store
// says:       thread (1,0) of block (0,0) wrote it   @store
// says:       Lanes of one warp store different values in one place, and CUDA does not define which
// says+ value remains. Let one lane store, or give each lane its own element.
#include "mistake.h"

template <bool RIGHT> __global__ void total(int *out) {
  int sum = threadIdx.x;
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (!RIGHT || threadIdx.x == 0)
    *out = sum; // <- store
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(1);
  total<RIGHT><<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
