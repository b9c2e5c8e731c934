// Tests alloca: memory of one thread, whose size is computed at run time, exists until the function
// returns. clang does not support alloca in kernels, so with clang the test uses inline PTX.
#include "check.h"

__device__ __forceinline__ int *taken(int n) {
#ifdef __clang__
  unsigned long long at;
  asm volatile("{ .reg .b64 %%t; alloca.u64 %%t, %1, 16; cvta.local.u64 %0, %%t; }"
               : "=l"(at)
               : "l"(n * 4ull));
  return (int *)at;
#else
  return (int *)alloca(n * sizeof(int));
#endif
}

#define SUM(name, memory)                                                                          \
  {                                                                                                \
    int *p = memory, s = 0;                                                                        \
    for (int i = 0; i < n; i++)                                                                    \
      p[i] = i * n + depth;                                                                        \
    if (depth > 0)                                                                                 \
      s = name(n + 1, depth - 1);                                                                  \
    for (int i = n; i-- > 0;)                                                                      \
      s = s * 3 + p[i];                                                                            \
    return s;                                                                                      \
  }
__device__ __noinline__ int sum(int n, int depth)
    SUM(sum, taken(n)) static int expected(int n, int depth) {
  int space[64];
  SUM(expected, space)
}

__global__ void sums(int *out) {
  int s = 0;
  for (int i = 0; i < 3; i++) { // each iteration allocates more
    int *a = taken(5 + threadIdx.x), *b = taken(3);
    for (int k = 0; k < 5 + (int)threadIdx.x; k++)
      a[k] = k;
    for (int k = 0; k < 3; k++)
      b[k] = 100;
    for (int k = 0; k < 5 + (int)threadIdx.x; k++)
      s += a[k];
  }
  out[threadIdx.x] = s + sum(4 + threadIdx.x % 3, 5);
}

int main() {
  int *d_out, out[32];
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192)); // a GPU's default is 1024 bytes per thread
  CHECK(cudaMalloc(&d_out, sizeof out));
  sums<<<1, 32>>>(d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 32; t++)
    EXPECT(out[t] == 3 * (4 + t) * (5 + t) / 2 + expected(4 + t % 3, 5));
  CHECK(cudaFree(d_out));
  return done();
}
