// The rows of a matrix are on the device, but the array of their addresses is in host memory. Only
// the read of that array is reported, not the use of the value that it returns.
//
// kind: host-pointer
// says: error: read through a pointer that is not a device pointer   in kernel add
// says:       thread (0,0) of block (0,0) read it   @read
// says:       the pointer comes from argument 1 of the kernel
// says:       A kernel cannot use a pointer to host memory. It needs a buffer on the device, and
// says+ the data has to be copied there.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__global__ void add(int **rows) {
  rows[threadIdx.y][threadIdx.x] += 1; // <- read
}

template <bool RIGHT> void run() {
  enum { ROWS = 4, COLUMNS = 8 };
  int *rows[ROWS], **on_device = rows;
  for (int r = 0; r < ROWS; r++)
    rows[r] = device_array<int>(COLUMNS);
  if (RIGHT) {
    MUST(cudaMalloc(&on_device, sizeof rows));
    MUST(cudaMemcpy(on_device, rows, sizeof rows, cudaMemcpyHostToDevice));
  }
  add<<<1, dim3(COLUMNS, ROWS)>>>(on_device);
  finish(rows[0], rows[1], rows[2], rows[3], on_device);
}
BOTH(run)
