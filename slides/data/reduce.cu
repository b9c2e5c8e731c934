/* Computes the sum of many numbers in three ways: with an atomic addition for each number, with a
 * tree in shared memory, and with a tree in registers.
 *
 * make play FILE=slides/data/reduce.cu
 */
#include "lab.h"

#ifndef N
#define N (1 << 16)
#endif
#define THREADS 256
#ifndef BLOCKS
#define BLOCKS 64
#endif

/* Returns the sum of the elements that this thread reads. Each element is read by one thread, and
 * neighbouring threads read neighbouring elements. */
static __device__ int part(const int *x, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  return sum;
}

extern "C" __global__ void atomics(const int *x, int n, int *sum) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(sum, x[i]);
}

/* Halves the number of sums in each step. A barrier separates the steps. */
extern "C" __global__ void tree(const int *x, int n, int *sum) {
  __shared__ int sums[THREADS];
  int t = threadIdx.x;
  sums[t] = part(x, n);
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  if (t == 0)
    atomicAdd(sum, sums[0]);
}

/* Returns the sum of `value` over the 32 lanes of a warp. Only lane 0 gets the complete sum. */
static __device__ int warp_total(int value) {
  for (int half = 16; half > 0; half /= 2)
    value += __shfl_down_sync(0xffffffff, value, half);
  return value;
}

/* Each warp computes its sum in registers. Then one warp adds up the sums of all warps. */
extern "C" __global__ void shuffles(const int *x, int n, int *sum) {
  __shared__ int sums[THREADS / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int total = warp_total(part(x, n));
  if (lane == 0)
    sums[warp] = total;
  __syncthreads();
  if (warp == 0) {
    total = warp_total(lane < THREADS / 32 ? sums[lane] : 0);
    if (lane == 0)
      atomicAdd(sum, total);
  }
}

typedef void Kernel(const int *x, int n, int *sum);

/* Runs a kernel and prints whether its sum is correct. Returns the first error. */
static cudaError_t add_up(const char *name, Kernel *kernel, const int *x, int right) {
  cudaError_t error = cudaSuccess;
  int *dx = NULL, *dsum = NULL, sum = 0;
  TRY(error, cudaMalloc(&dx, sizeof(int) * N));
  TRY(error, cudaMalloc(&dsum, sizeof(int)));
  TRY(error, cudaMemcpy(dx, x, sizeof(int) * N, cudaMemcpyHostToDevice));
  TRY(error, cudaMemset(dsum, 0, sizeof(int)));
  if (error == cudaSuccess)
    kernel<<<BLOCKS, THREADS>>>(dx, N, dsum);
  TRY(error, cudaGetLastError());
  TRY(error, cudaMemcpy(&sum, dsum, sizeof(int), cudaMemcpyDeviceToHost));
  cudaFree(dx);
  cudaFree(dsum);
  printf("%-8s %d, %s, %s\n", name, sum, sum == right ? "right" : "wrong",
         cudaGetErrorString(error));
  return sum == right ? error : cudaErrorUnknown;
}

int main() {
  static int x[N];
  int right = 0;
  for (int i = 0; i < N; i++)
    right += x[i] = i % 97 - 40;
  return add_up("atomics", atomics, x, right) != cudaSuccess ||
         add_up("tree", tree, x, right) != cudaSuccess ||
         add_up("shuffles", shuffles, x, right) != cudaSuccess;
}
