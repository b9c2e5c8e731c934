// A buffer is not freed before a device reset.
//
// kind: leak
// says: warning: allocation 1 (40 bytes) was never given to cudaFree
// says:       allocated here   @device
// says:       Every cudaMalloc needs a cudaFree.
#include "mistake.h"

template <bool RIGHT> void run() {
  float *device = device_array<float>(10); // <- device
  if (RIGHT)
    MUST(cudaFree(device));
  MUST(cudaDeviceReset());
  answer(cudaSuccess);
}
BOTH(run)
