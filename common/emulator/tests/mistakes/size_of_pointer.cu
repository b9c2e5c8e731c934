// The size of a copy is the size of the pointer, not of the data.
//
// kind: bad-copy
// says: error: the copy's source is allocation 1 (4 bytes): 4 bytes are there, 8 were asked for
// says:       copied here   @copied
// says:       allocated here   @allocated
// says:       8 bytes are the size of a pointer, and of a double. The sizeof of a pointer is not
// says+ the size of what it points to.
// answers: cudaErrorInvalidValue
#include "mistake.h"

__global__ void check(int *valid) { *valid = 1; }

template <bool RIGHT> void run() {
  int *d_valid, valid[2] = {0, 0};
  MUST(cudaMalloc(&d_valid, sizeof *d_valid)); // <- allocated
  check<<<1, 1>>>(d_valid);
  const size_t bytes = RIGHT ? sizeof *d_valid : sizeof d_valid;
  answer(cudaMemcpy(valid, d_valid, bytes, cudaMemcpyDeviceToHost)); // <- copied
  MUST(cudaFree(d_valid));
}
BOTH(run)
