// A function takes a lock. The lane that has the lock must return and continue while the other
// lanes of its warp, which made the same call, still try to get the lock.
#include "check.h"

__device__ __noinline__ void take(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ __noinline__ void give(int *mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

__global__ void by_lane(int *mutex, int *sum) {
  take(mutex);
  *(volatile int *)sum = *(volatile int *)sum + 1;
  give(mutex);
}

// Takes the lock through a second function call.
__device__ __noinline__ void enter(int *mutex, int *entries) {
  take(mutex);
  *(volatile int *)entries = *(volatile int *)entries + 1;
}

__global__ void by_two_calls(int *mutex, int *sum) {
  enter(mutex, sum);
  *(volatile int *)sum = *(volatile int *)sum + 1;
  give(mutex);
}

// The loop is in the kernel; the function tries only once.
__device__ __noinline__ bool try_to_take(int *mutex) { return atomicCAS(mutex, 0, 1) == 0; }

__global__ void by_tries(int *mutex, int *sum) {
  while (!try_to_take(mutex)) {
  }
  __threadfence();
  *(volatile int *)sum = *(volatile int *)sum + 1;
  give(mutex);
}

// The functions are called through pointers.
__device__ void (*const way[2])(int *) = {take, give};

__global__ void by_pointer(int *mutex, int *sum, int first) {
  way[first](mutex);
  *(volatile int *)sum = *(volatile int *)sum + 1;
  way[1 - first](mutex);
}

int main() {
  enum { BLOCKS = 2, THREADS = 64 };
  int *d, sum;
  CHECK(cudaMalloc(&d, 2 * sizeof *d));
  CHECK(cudaMemset(d, 0, 2 * sizeof *d));
  by_lane<<<BLOCKS, THREADS>>>(d, d + 1);
  by_two_calls<<<BLOCKS, THREADS>>>(d, d + 1);
  by_tries<<<BLOCKS, THREADS>>>(d, d + 1);
  by_pointer<<<BLOCKS, THREADS>>>(d, d + 1, 0);
  CHECK(cudaMemcpy(&sum, d + 1, sizeof sum, cudaMemcpyDeviceToHost));
  EXPECT(sum == 5 * BLOCKS * THREADS);
  CHECK(cudaFree(d));
  return done();
}
