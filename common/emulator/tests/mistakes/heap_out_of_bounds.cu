// An index is past the end of memory that a kernel got from malloc.
//
// kind: out-of-bounds
// says: error: write out of bounds: 20 bytes that malloc or new returned, element 5; its elements
// says+ are 0 to 4   in kernel fill
// says:       thread (0,0) of block (0,0) wrote it   @past
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

__device__ int *pieces[64];

__global__ void get() { pieces[threadIdx.x] = (int *)malloc(5 * sizeof(int)); }
__global__ void fill(int n) {
  for (int i = 0; i < n; i++)
    pieces[threadIdx.x][i] = i; // <- past
}
__global__ void sum(int *out) {
  int s = 0;
  for (int i = 0; i < 5; i++)
    s += pieces[threadIdx.x][i];
  out[threadIdx.x] = s;
  free(pieces[threadIdx.x]);
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(64), sums[64];
  get<<<1, 64>>>();
  fill<<<1, 64>>>(RIGHT ? 5 : 6);
  if (RIGHT) {
    sum<<<1, 64>>>(out);
    MUST(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    if (sums[63] != 10)
      printf("%d\n", sums[63]);
  }
  finish(out);
}
BOTH(run)
