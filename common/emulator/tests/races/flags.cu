// Flags that many blocks set, to the same value and to others, and that some look at; a search by levels.
#include "race.h"

__global__ void find(const int *values, int *found, int *where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] % 7 == 0) {
    *found = 1;
    *where = i;
  }
}

__global__ void until_found(const int *values, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!*found && values[i] % 11 == 0)
    *found = 1;
}

__global__ void level(int *depth, int now, int n, int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && depth[i] == now)
    for (int k = 1; k <= 3; k++) {
      int next = (i * 3 + k) % n;
      if (depth[next] < 0) {
        depth[next] = now + 1;
        *changed = 1;
      }
    }
}

__global__ void root(int *depth, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    depth[i] = i ? -1 : 0;
}

int main() {
  int *values = filled(4096), *found = filled(1), *where = device(1), *depth = device(2000),
      *changed = filled(1);
  find<<<64, 64>>>(values, found, where);
  until_found<<<64, 64>>>(values, found);
  root<<<20, 100>>>(depth, 2000);
  for (int now = 0; now < 7; now++)
    level<<<20, 100>>>(depth, now, 2000, changed);
  return finish();
}
