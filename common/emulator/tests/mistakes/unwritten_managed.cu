// A sum starts from managed memory that neither the host nor a kernel wrote.
//
// kind: unwritten-managed
// says: warning: read of managed memory that was never written: allocation 1 (4 bytes), element 0
// says+   in kernel count
// says:       thread (0,0) of block (0,0) read it   @counted
// says:       thread (0,0) of block (0,0) changed it by an atomic operation   @counted
// says:       New managed memory is zero on current cards, but CUDA does not guarantee this. Set
// says+ the memory before the launch, on the host or with cudaMemset.
// says: warning: read of managed memory that was never written: allocation 2 (256 bytes), element
// says+ 32   in kernel add
// says:       thread (32,0) of block (0,0) read it   @added
// says:       thread (32,0) of block (0,0) stored a result of it   @added
// says:       New managed memory is zero on current cards, but CUDA does not guarantee this. Set
// says+ the memory before the launch, on the host or with cudaMemset.
#include "mistake.h"

__global__ void count(int *sum) { atomicAdd(sum, 1); } // <- counted

__global__ void add(float *sum, const signed char *bytes) {
  int t = threadIdx.x;
  sum[t] += bytes[t]; // <- added
}

template <bool RIGHT> void run() {
  int *sum;
  float *floats;
  signed char *bytes;
  MUST(cudaMallocManaged(&sum, sizeof *sum));
  MUST(cudaMallocManaged(&floats, 64 * sizeof *floats));
  MUST(cudaMallocManaged(&bytes, 64));
  if (RIGHT)
    MUST(cudaMemset(sum, 0, sizeof *sum));
  for (int i = 0; i < (RIGHT ? 64 : 32); i++)
    floats[i] = 0;
  memset(bytes, -1, 64); // the host writes the value of new, unwritten memory
  count<<<1, 32>>>(sum);
  add<<<1, 64>>>(floats, bytes);
  finish(sum, floats, bytes);
}
BOTH(run)
