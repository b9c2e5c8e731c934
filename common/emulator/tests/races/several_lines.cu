// Several lines of one kernel race with each other, on several buffers.
#include "race.h"

__global__ void several(int *a, int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i % n] = i;
  b[(i + 1) % n] = a[(i + 7) % n];
  c[i % 3] += b[i % n];
  if (i % 5 == 0)
    a[(i + 3) % n] = c[1] - i;
  b[i % 11] = 1;
  if (blockIdx.x % 2)
    c[2] = b[i % 11] * 2;
}

int main() {
  const int n = 777;
  int *a = device(n), *b = device(n), *c = filled(3);
  several<<<24, 64>>>(a, b, c, n);
  several<<<5, 33>>>(b, a, c, 100);
  return finish();
}
