// Races of asynchronous copies (cp.async), and between threads that an mbarrier should order.
//
// pair: copy_barrier race @copied @used
// pair: copy_wait copy-not-waited-for @begun @not_there
// pair: mbarrier_missing race @put @got
// pair: mbarrier_reuse race @next_round @this_round
#include "pairs.h"

__device__ static unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
#define COPY(to, from)                                                                             \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place(to)), "l"(from) : "memory")

template <bool RIGHT> __global__ void copy_barrier(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  COPY(s + t, in + t); // <- copied
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (RIGHT)
    __syncthreads();
  out[t] = s[63 - t]; // <- used
}
PAIR(copy_barrier) { copy_barrier<RIGHT><<<1, 64>>>(ints(64), ints(64)); }

template <bool RIGHT> __global__ void copy_wait(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  COPY(s + t, in + t); // <- begun
  if (RIGHT)
    asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = s[63 - t]; // <- not_there
}
PAIR(copy_wait) { copy_wait<RIGHT><<<1, 64>>>(ints(64), ints(64)); }

__device__ static void arrive_and_wait(unsigned long long *barrier) {
  int over = 0;
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(place(barrier))
               : "memory");
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(place(barrier)), "l"(state)
        : "memory");
}
template <bool RIGHT> __global__ void mbarrier_missing(int *out) {
  __shared__ int s[64];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(place(&barrier)) : "memory");
  __syncthreads();
  s[t] = t; // <- put
  if (RIGHT)
    arrive_and_wait(&barrier);
  out[t] = s[t ^ 32]; // <- got
}
PAIR(mbarrier_missing) { mbarrier_missing<RIGHT><<<1, 64>>>(ints(64)); }

template <bool RIGHT> __global__ void mbarrier_reuse(int *out) {
  __shared__ int s[64];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x, sum = 0;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(place(&barrier)) : "memory");
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    s[t] = t + i; // <- next_round
    arrive_and_wait(&barrier);
    sum += s[t ^ 32]; // <- this_round
    if (RIGHT)
      arrive_and_wait(&barrier);
  }
  out[t] = sum;
}
PAIR(mbarrier_reuse) { mbarrier_reuse<RIGHT><<<1, 64>>>(ints(64)); }
