// A kernel frees an address inside an allocation, not the one that malloc returned.
//
// kind: bad-free-in-kernel
// says: error: free was given what no malloc of a kernel gave, or what was freed before   in kernel
// says+ sum_up
// says:       thread (0,0) of block (0,0) freed here   @here
// says:       In a kernel, free and delete need exactly the pointer that malloc or new returned in
// says+ a kernel. A pointer can be freed only once.
// answers: cudaErrorLaunchFailure
#include "mistake.h"

__device__ int *kept;

__global__ void sum_up(int *out, int n, int ahead) {
  int *data = (int *)malloc(n * sizeof *data), *at = data, sum = 0;
  kept = data;
  for (int i = 0; i < n; i++)
    data[i] = i;
  for (int i = 0; i < n; i++)
    sum += *at++;
  *out = sum;
  free(at - ahead); // <- here
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(1);
  sum_up<<<1, 1>>>(out, 100, RIGHT ? 100 : 99);
  finish(out);
}
BOTH(run)
