// If the emulated card has more memory than this computer, the device prints one line, only once.
// expect: programs get half of this computer's memory
#include "check.h"

int main() {
  size_t left, all;
  void *some;
  CHECK(cudaMemGetInfo(&left, &all));
  if (left < all)
    EXPECT(cudaMalloc(&some, left + 1) == cudaErrorMemoryAllocation);
  EXPECT(cudaMallocManaged(&some, 2 * all) == cudaErrorMemoryAllocation); // may succeed on a GPU
  cudaGetLastError();
  return 0;
}
