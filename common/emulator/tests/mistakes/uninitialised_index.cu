// A counter that was never set is used as an index. The access out of bounds that results is
// reported second.
//
// kind: out-of-bounds uninitialised
// says: error: read of global memory that was never written: allocation 2 (4 bytes), element 0   in
// says+ kernel place
// says:       thread (0,0) of block (0,0) read it   @count
// says:       thread (0,0) of block (0,0) changed it by an atomic operation   @count
// says:       Nothing was stored in this memory before it was read.
// says: error: write out of bounds: 4 bytes before allocation 1 (16 bytes): element -1   in kernel
// says+ place
// says:       thread (0,0) of block (0,0) wrote it   @store
// says:       the pointer comes from argument 2 of the kernel
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void place(int *count, int *places) {
  int at = atomicAdd(count, 1); // <- count
  if (at < 4)
    places[at] = 1; // <- store
}

template <bool RIGHT> void run() {
  int *count, *places = device_array<int>(4);
  MUST(cudaMalloc(&count, sizeof *count));
  if (RIGHT)
    MUST(cudaMemset(count, 0, sizeof *count));
  place<<<1, 1>>>(count, places);
  finish(count, places);
}
BOTH(run)
