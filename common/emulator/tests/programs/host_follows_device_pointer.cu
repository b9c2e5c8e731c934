// Host code that dereferences a device pointer dies as on a real machine, and is told why.
// exit: 139
// expect: host code touched byte 12 of allocation 1 (40 bytes)
// expect: cudaMemcpy the data back first
#include "check.h"
#include <sys/resource.h>

int main() {
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  int *device;
  CHECK(cudaMalloc(&device, 10 * sizeof(int)));
  device[3] = 7;
  return done();
}
