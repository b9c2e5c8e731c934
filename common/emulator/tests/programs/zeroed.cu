/* Some programs rely on new device memory being zero. With LOCKSTEP_ZEROED all new memory is zero,
 * whichever function allocates it and whatever it contained before. */
// env: LOCKSTEP_ZEROED=1 LOCKSTEP_QUIET=1

#include <stdio.h>

#define MUST(call)                                                                                 \
  do {                                                                                             \
    cudaError_t error = call;                                                                      \
    if (error != cudaSuccess)                                                                      \
      return printf("%s: %s\n", #call, cudaGetErrorName(error)), 1;                                \
  } while (0)

__global__ void fill(int *p) { p[threadIdx.x] = 7; }

int main() {
  int *p, host[64];
  for (int round = 0; round < 3; round++) {
    MUST(round == 2 ? cudaMallocAsync((void **)&p, sizeof host, 0) : cudaMalloc(&p, sizeof host));
    MUST(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
      if (host[i] != 0)
        return printf("round %d, element %d: %x\n", round, i, host[i]), 1;
    fill<<<1, 64>>>(p);
    MUST(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    MUST(cudaFree(p));
  }
  puts("zeroed: ok");
}
