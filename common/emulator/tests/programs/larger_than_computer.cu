// What a card has room for and this computer has not is told in a line, once.
// expect: of this computer's memory programs get half
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
