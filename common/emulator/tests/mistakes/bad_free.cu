// cudaFree of an address inside a buffer, on the heap, in pinned memory; cudaFreeHost of a buffer.
//
// kind: bad-free leak
// says: error: cudaFree was given byte 32 of allocation 1 (128 bytes)
// says:       called here   @middle
// says:       cudaFree needs exactly the pointer that cudaMalloc returned, and cudaFreeHost the one
// says+ that cudaMallocHost returned.
// says: error: cudaFree was given host memory
// says:       called here   @heap
// says:       cudaFree needs exactly the pointer that cudaMalloc returned, and cudaFreeHost the one
// says+ that cudaMallocHost returned.
// says: error: cudaFree was given allocation 2 (128 bytes), which is pinned host memory
// says:       called here   @pinned
// says:       cudaFree needs exactly the pointer that cudaMalloc returned, and cudaFreeHost the one
// says+ that cudaMallocHost returned.
// says: error: cudaFreeHost was given allocation 1 (128 bytes), which is device memory
// says:       called here   @device
// says:       cudaFree needs exactly the pointer that cudaMalloc returned, and cudaFreeHost the one
// says+ that cudaMallocHost returned.
// says: warning: allocation 1 (128 bytes) was never given to cudaFree
// says:       allocated here   @made
// says:       Every cudaMalloc needs a cudaFree.
// says: warning: allocation 2 (128 bytes) was never given to cudaFreeHost
// says:       allocated here   @made_pinned
// says:       Every cudaMalloc needs a cudaFree.
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
#include "mistake.h"

template <bool RIGHT> void run() {
  float *data = device_array<float>(32), *pinned, *heap = (float *)malloc(4); // <- made
  MUST(cudaMallocHost(&pinned, 32 * sizeof *pinned));                         // <- made_pinned
  if (RIGHT) {
    MUST(cudaFree(data));
    MUST(cudaFreeHost(pinned));
    answer(cudaSuccess);
  } else {
    answer(cudaFree(data + 8)); // <- middle
    answer(cudaFree(heap));     // <- heap
    answer(cudaFree(pinned));   // <- pinned
    answer(cudaFreeHost(data)); // <- device
  }
  free(heap);
}
BOTH(run)
