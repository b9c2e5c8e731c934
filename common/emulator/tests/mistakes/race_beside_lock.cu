// One of the writers does not take the lock. The fences of the lock order only the other writers. A
// second lock has no fences, so it orders nothing.
//
// kind: race-between-blocks
// says: error: race between blocks on allocation 2 (4 bytes), element 0   in kernel count
// says:       thread (0,0) of block (0,0) wrote it   @held
// says:       thread (0,0) of block (1,0) read it   @beside
// says:       Only one of the two threads holds the lock. The other thread must acquire it, too.
// says: error: race between blocks on allocation 2 (4 bytes), element 0   in kernel bare
// says:       thread (0,0) of block (0,0) wrote it   @bare
// says:       thread (0,0) of block (1,0) read it   @bare
// says:       An atomic operation orders only its own variable. A __threadfence() before it and one
// says+ after it order the other variables.
#include "mistake.h"

template <bool RIGHT> __global__ void count(int *mutex, int *sum) {
  if (threadIdx.x)
    return;
  if (RIGHT || blockIdx.x == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1; // <- held
    __threadfence();
    atomicExch(mutex, 0);
  } else {
    *sum += 1; // <- beside
  }
}

template <bool RIGHT> __global__ void bare(int *mutex, int *sum) {
  if (threadIdx.x)
    return;
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  if (RIGHT)
    __threadfence();
  *sum += 1; // <- bare
  if (RIGHT)
    __threadfence();
  atomicExch(mutex, 0);
}

template <bool RIGHT> void run() {
  int *mutex = device_array<int>(1), *sum = device_array<int>(1);
  count<RIGHT><<<2, 32>>>(mutex, sum);
  bare<RIGHT><<<2, 32>>>(mutex, sum);
  finish(mutex, sum);
}
BOTH(run)
