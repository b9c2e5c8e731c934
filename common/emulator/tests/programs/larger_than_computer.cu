// If a card has room for memory that this computer does not have, one line says so, once.
// expect: programs get half of this computer's memory
#include "check.h"

int main() {
  size_t left, all;
  void *some;
  CHECK(cudaMemGetInfo(&left, &all));
  if (left < all)
    EXPECT(cudaMalloc(&some, left + 1) == cudaErrorMemoryAllocation);
  EXPECT(cudaMallocManaged(&some, 2 * all) == cudaErrorMemoryAllocation); // on a card: perhaps
  cudaGetLastError();
  return 0;
}
