// Races in shared memory after more calls of __syncwarp() than the emulator can number.
#include "race.h"

__global__ void turns(int *out, int n) {
  __shared__ volatile int a[128], b[128];
  int t = threadIdx.x;
  a[t] = t;
  if (t == 5)
    b[77] = 1;
  for (int i = 0; i < n; i++) {
    b[t ^ 1] = a[t];
    __syncwarp();
    a[t] = b[t] + i;
    __syncwarp();
  }
  if (t == 100)
    b[77] = a[3];
  __syncthreads();
  out[blockIdx.x * 128 + t] = a[t];
}

int main() {
  int *out = device(61 * 128);
  turns<<<61, 128>>>(out, 40);
  turns<<<61, 128>>>(out, 333);
  turns<<<61, 96>>>(out, 1);
  return finish();
}
