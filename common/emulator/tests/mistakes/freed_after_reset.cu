// The destructor of an object frees memory that a device reset has already freed.
//
// kind: double-free
// says: error: cudaFree was called after cudaDeviceReset for allocation 1 (400 bytes)
// says:       freed here   @freed
// says:       reset before   @reset
// says:       cudaDeviceReset frees all memory of the device. Free before it, or leave it out: the
// says+ end of the program does the same.
// answers: cudaErrorInvalidValue
#include "mistake.h"

struct Buffer {
  int *data;
  Buffer() { MUST(cudaMalloc(&data, 400)); } // <- made
  ~Buffer() { answer(cudaFree(data)); }      // <- freed
};

template <bool RIGHT> void run() {
  Buffer buffer;
  MUST(cudaMemset(buffer.data, 0, 400));
  if (!RIGHT)
    MUST(cudaDeviceReset()); // <- reset
}
BOTH(run)
