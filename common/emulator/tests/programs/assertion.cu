// assert in a kernel: a message with the line, and an error for the host.
// expect: i < limit
// expect: assertion.cu:10
// expect: ok
#include "check.h"
#include <cassert>

__global__ void counted(int i) {
  int limit = 40;
  assert(i < limit);
}

int main() {
  counted<<<1, 32>>>(39);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  counted<<<1, 32>>>(42);
  LAUNCHED();
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  return done();
}
