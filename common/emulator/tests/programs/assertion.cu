// assert in a kernel: a message with the line, and an error for the host.
// expect: i < 40
// expect: assertion.cu:9
// expect: ok
#include "check.h"
#include <cassert>

__global__ void counted(int i) {
  assert(i < 40);
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
