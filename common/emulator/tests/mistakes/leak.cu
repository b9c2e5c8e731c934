// Buffers that nobody frees: one of each kind of memory.
//
// kind: leak
// says: warning: allocation 1 (40 bytes) was never given to cudaFree
// says:       every cudaMalloc needs its cudaFree
// says: warning: allocation 2 (40 bytes) was never given to cudaFreeHost
// says:       every cudaMalloc needs its cudaFree
// says: warning: allocation 3 (40 bytes) was never given to cudaFree
// says:       every cudaMalloc needs its cudaFree
#include "mistake.h"

template <bool RIGHT> void run() {
  float *device = device_array<float>(10), *pinned, *managed;
  MUST(cudaMallocHost(&pinned, 40));
  MUST(cudaMallocManaged(&managed, 40));
  if (RIGHT) {
    MUST(cudaFree(device));
    MUST(cudaFreeHost(pinned));
    MUST(cudaFree(managed));
  }
  answer(cudaSuccess);
}
BOTH(run)
