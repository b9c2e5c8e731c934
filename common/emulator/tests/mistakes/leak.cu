// One buffer of each kind of memory is never freed.
//
// kind: leak
// says: warning: allocation 1 (40 bytes) was never given to cudaFree
// says:       allocated here   @device
// says:       Every cudaMalloc needs a cudaFree.
// says: warning: allocation 2 (40 bytes) was never given to cudaFreeHost
// says:       allocated here   @pinned
// says:       Every cudaMalloc needs a cudaFree.
// says: warning: allocation 3 (40 bytes) was never given to cudaFree
// says:       allocated here   @managed
// says:       Every cudaMalloc needs a cudaFree.
#include "mistake.h"

template <bool RIGHT> void run() {
  float *device = device_array<float>(10), *pinned, *managed; // <- device
  MUST(cudaMallocHost(&pinned, 40));                          // <- pinned
  MUST(cudaMallocManaged(&managed, 40));                      // <- managed
  if (RIGHT) {
    MUST(cudaFree(device));
    MUST(cudaFreeHost(pinned));
    MUST(cudaFree(managed));
  }
  answer(cudaSuccess);
}
BOTH(run)
