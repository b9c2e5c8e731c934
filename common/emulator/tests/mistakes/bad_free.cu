// Pointers that are not cudaFree's: into the middle of a buffer, to the heap, to pinned memory.
//
// kind: bad-free leak
// says: error: cudaFree was given byte 32 of allocation 1 (128 bytes)
// says:       cudaFree wants the very pointer that cudaMalloc gave, cudaFreeHost that of cudaMallocHost
// says: error: cudaFree was given host memory
// says:       cudaFree wants the very pointer that cudaMalloc gave, cudaFreeHost that of cudaMallocHost
// says: error: cudaFree was given allocation 2 (128 bytes), which is pinned host memory
// says:       cudaFree wants the very pointer that cudaMalloc gave, cudaFreeHost that of cudaMallocHost
// says: error: cudaFreeHost was given allocation 1 (128 bytes), which is device memory
// says:       cudaFree wants the very pointer that cudaMalloc gave, cudaFreeHost that of cudaMallocHost
// says: warning: allocation 1 (128 bytes) was never given to cudaFree
// says:       every cudaMalloc needs its cudaFree
// says: warning: allocation 2 (128 bytes) was never given to cudaFreeHost
// says:       every cudaMalloc needs its cudaFree
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
#include "mistake.h"

template <bool RIGHT> void run() {
  float *data = device_array<float>(32), *pinned, *heap = (float *)malloc(4);
  MUST(cudaMallocHost(&pinned, 32 * sizeof *pinned));
  if (RIGHT) {
    MUST(cudaFree(data));
    MUST(cudaFreeHost(pinned));
    answer(cudaSuccess);
  } else {
    answer(cudaFree(data + 8));
    answer(cudaFree(heap));
    answer(cudaFree(pinned));
    answer(cudaFreeHost(data));
  }
  free(heap);
}
BOTH(run)
