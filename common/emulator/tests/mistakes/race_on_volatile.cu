// A volatile flag in shared memory: volatile makes the compiler keep the accesses, but orders
// nothing.
//
// kind: race
// says: error: race on flag, word 0   in kernel hand_over
// says:       thread (0,0) of block (0,0) wrote it   @first
// says:       thread (32,0) of block (0,0) read it   @second
// says:       The keyword volatile orders nothing. Only __syncthreads() or an atomic operation
// says+ does.
#include "mistake.h"

template <bool RIGHT> __global__ void hand_over(int *out) {
  __shared__ volatile int flag;
  int t = threadIdx.x;
  if (t == 0)
    flag = 1; // <- first
  if (RIGHT)
    __syncthreads();
  if (t == 32)
    out[0] = flag; // <- second
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(1);
  hand_over<RIGHT><<<1, 64>>>(out);
  finish(out);
}
BOTH(run)
