// A loop has no guard, so most threads of two blocks read past the end in every step. All reads are
// counted. The report shows the read of the first thread, for any order of the threads.
//
// kind: out-of-bounds
// says: error: read out of bounds: allocation 1 (800 bytes), element 200; its elements are 0 to 199
// says+   in kernel row_sums
// says:       thread (0,0,5) of block (0,0,0) read it   @wrong
// says:       the pointer comes from argument 1 of the kernel
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
// log: "element":200,"times":4920
#include "mistake.h"

#define ROWS 5
#define COLUMNS 40
#define THREADS 64

template <bool RIGHT> __global__ void row_sums(const float *A, float *out) {
  int row = blockIdx.x * blockDim.z + threadIdx.z;
  if (RIGHT && row >= ROWS)
    return;
  float sum = 0;
  for (int i = 0; i < COLUMNS; i++)
    sum += A[row * COLUMNS + i]; // <- wrong
  out[row] = sum;
}

template <bool RIGHT> void run() {
  float *A = device_array<float>(ROWS * COLUMNS), *out = device_array<float>(2 * THREADS);
  row_sums<RIGHT><<<2, dim3(1, 1, THREADS)>>>(A, out);
  finish(A, out);
}
BOTH(run)
