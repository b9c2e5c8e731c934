// Many blocks set a flag, to the same value or to different values.
#include "race.h"

__global__ void find(const int *values, int *found, int *where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] % 7 == 0) {
    *found = 1;
    *where = i;
  }
}

__global__ void parity(int *flags) { flags[threadIdx.x % 4] = blockIdx.x % 2 + threadIdx.x % 4; }

int main() {
  int *values = filled(4096), *found = filled(1), *where = device(1), *flags = device(4);
  find<<<64, 64>>>(values, found, where);
  parity<<<1, 64>>>(flags);
  parity<<<2, 64>>>(flags);
  parity<<<33, 64>>>(flags);
  return finish();
}
