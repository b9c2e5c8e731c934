// Tests kernels whose lanes diverge and reconverge: nested loops with break, continue and goto,
// switches that fall through, early returns, recursion to different depths, loops of different
// length around a shuffle.
#include "check.h"

__host__ __device__ int wander(int t) {
  int s = 0;
  for (int i = 0; i < t; i++) {
    if (i % 3 == 0)
      continue;
    for (int j = 0;; j++) {
      if (j > i % 5)
        break;
      if ((j + t) % 7 == 3)
        goto next;
      s += j;
    }
    if (s > 400)
      return -s;
  next:
    s++;
    switch (i % 6) {
    case 0:
      s += 1;
      break;
    case 1:
      s ^= 3; // falls through
    case 2:
      s += t;
      break;
    case 3:
      s--;
      break;
    default:
      s += 2;
    }
  }
  return s;
}

__host__ __device__ int collatz(int n) {
  return n == 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}

__global__ void walk(int *out) { out[threadIdx.x] = wander(threadIdx.x); }
__global__ void recurse(int *out) { out[threadIdx.x] = collatz(threadIdx.x + 1); }

// Lane l executes l + 1 iterations. All lanes reconverge after the loop, where each reads the value
// of its neighbour.
__global__ void meet(int *out) {
  int lane = threadIdx.x % 32, s = 0;
  for (int i = 0; i <= lane; i++)
    s += i;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, s, 1);
}

// Half of a warp returns early; the other half continues with warp functions.
__global__ void leave(int *out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = -1;
  if (lane % 2)
    return;
  out[threadIdx.x] = __shfl_sync(0x55555555u, lane, (lane + 2) % 32);
}

static int steps(int t) { return collatz(t + 1); }
static int neighbours_sum(int t) {
  int other = (t % 32) ^ 1;
  return other * (other + 1) / 2;
}
static int next_but_one(int t) { return t % 2 ? -1 : (t % 32 + 2) % 32; }

int main() {
  const int n = 256;
  int *device, host[n];
  CHECK(cudaMalloc(&device, sizeof host));
#define RUN(kernel, right)                                                                         \
  kernel<<<1, n>>>(device);                                                                        \
  LAUNCHED();                                                                                      \
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));                            \
  for (int i = 0; i < n; i++)                                                                      \
    EXPECT(host[i] == right(i));
  RUN(walk, wander)
  RUN(recurse, steps)
  RUN(meet, neighbours_sum)
  RUN(leave, next_but_one)
  CHECK(cudaFree(device));
  return done();
}
