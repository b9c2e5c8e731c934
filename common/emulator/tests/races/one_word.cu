// Two, three or a hundred blocks read and write one word. In one launch, they read a word that was
// never written.
#include "race.h"

__global__ void count(int *sum) {
  if (threadIdx.x == 0)
    *sum += 1;
}

__global__ void largest(int *most, const int *values) {
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  *most = value > *most ? value : *most;
}

int main() {
  int *sum = filled(1), *fresh = device(1), *most = filled(1), *values = filled(100 * 64);
  count<<<2, 32>>>(sum);
  count<<<100, 32>>>(sum);
  count<<<3, 32>>>(fresh);
  largest<<<100, 64>>>(most, values);
  return finish();
}
