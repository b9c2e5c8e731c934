// A grid that is rounded down leaves out the last elements, and a kernel that is never launched
// leaves out all of them, so the copy returns values that were never computed. Padding of
// structures may be unwritten.
//
// kind: unwritten-copy
// says: warning: nothing wrote 160 of the 800 bytes that a copy brings to the host: allocation 1
// says+ (800 bytes), from byte 640 on
// says:       called here   @numbers
// says:       The grid does not cover all elements, a kernel did not run, or the copy is longer
// says+ than the computed part.
// says: warning: nothing wrote 4 of the 4 bytes that a copy brings to the host: allocation 2 (8
// says+ bytes), from byte 4 on
// says:       called here   @sums
// says:       The grid does not cover all elements, a kernel did not run, or the copy is longer
// says+ than the computed part.
// says: warning: nothing wrote 192 of the 576 bytes that a copy brings to the host: allocation 3
// says+ (6144 bytes), from byte 32 on
// says:       called here   @rows
// says:       The grid does not cover all elements, a kernel did not run, or the copy is longer
// says+ than the computed part.
#include "mistake.h"

struct alignas(16) Padded {
  double weight;
  char tag;
};

template <bool RIGHT> __global__ void count(int *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] = i;
}

__global__ void tag(Padded *all) {
  all[threadIdx.x].weight = 1;
  all[threadIdx.x].tag = 't';
}

__global__ void corner(float *rows, size_t pitch, int width) {
  if ((int)threadIdx.x < width)
    ((float *)((char *)rows + threadIdx.y * pitch))[threadIdx.x] = 0;
}

template <bool RIGHT> void run() {
  enum { N = 200, ROWS = 12, COLUMNS = 12 };
  int *numbers, *sums, host[N];
  float *rows, back[ROWS * COLUMNS];
  Padded *all, some[8];
  size_t pitch;
  MUST(cudaMalloc(&numbers, N * sizeof *numbers));
  MUST(cudaMalloc(&sums, 2 * sizeof *sums));
  MUST(cudaMallocPitch(&rows, &pitch, COLUMNS * sizeof *rows, ROWS));
  MUST(cudaMalloc(&all, sizeof some));
  count<RIGHT><<<RIGHT ? (N + 31) / 32 : N / 40, 32>>>(numbers, N);
  MUST(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost)); // <- numbers
  MUST(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost)); // reported only once
  if (RIGHT)
    count<RIGHT><<<1, 2>>>(sums, 2);
  MUST(cudaMemcpy(host, sums + 1, sizeof *host, cudaMemcpyDeviceToHost)); // <- sums
  corner<<<1, dim3(16, ROWS)>>>(rows, pitch, RIGHT ? COLUMNS : 8);
  const size_t width = COLUMNS * sizeof *back;
  MUST(cudaMemcpy2D(back, width, rows, pitch, width, ROWS, cudaMemcpyDeviceToHost)); // <- rows
  tag<<<1, 8>>>(all);
  MUST(cudaMemcpy(some, all, sizeof some, cudaMemcpyDeviceToHost));
  finish(numbers, sums, rows, all);
}
BOTH(run)
