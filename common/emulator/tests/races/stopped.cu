// Block `first` fails an assert and stops the launch. Some later blocks would stop the launch for
// other reasons. Races of other blocks must be reported if these blocks are certain to run. The
// argument of the program is `first`.
#include "race.h"
#include <cassert>

__global__ void gives_up(int *a, int *b, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int tile[64];
  a[i % 50] = i;
  b[i] = b[i + 1];
  tile[threadIdx.x] = i;
  b[i] += tile[63 - threadIdx.x];
  if (i % 97 == 5)
    b[n + i] = 0;
  a[60] = 3;
  if (blockIdx.x == gridDim.x - 1)
    a[60] = 4;
  if ((int)blockIdx.x == first + 20)
    __trap();
  assert((int)blockIdx.x != first || threadIdx.x < 50);
  if ((int)blockIdx.x > first + 30)
    *(int *)((char *)a + 2) = 0;
}

int main(int argc, char **argv) {
  int *a = filled(64), *b = device(100 * 64);
  gives_up<<<100, 64>>>(a, b, 6400, argc > 1 ? atoi(argv[1]) : 37);
  return finish();
}
