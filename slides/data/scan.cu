/* Computes the running totals y[i] = x[0] + ... + x[i]. Each total depends on all earlier elements,
 * but all threads compute their totals at the same time.
 *
 * make play FILE=slides/data/scan.cu
 */
#include "lab.h"

#ifndef N
#define N 100000
#endif
#define THREADS 1024 // threads per block; also the maximum number of blocks

/* Returns the running total within a warp: adds values from 1, 2, 4, 8 and 16 lanes below. */
static __device__ int warp_scan(int value) {
  int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    int below = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance)
      value += below;
  }
  return value;
}

/* Returns the running total within a block: scans each warp, scans the totals of the warps, and
 * adds the total of all warps before this one. */
static __device__ int block_scan(int value) {
  __shared__ int totals[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_scan(value);
  if (lane == 31)
    totals[warp] = value;
  __syncthreads();
  if (warp == 0)
    totals[lane] = warp_scan(totals[lane]);
  __syncthreads();
  return warp > 0 ? value + totals[warp - 1] : value;
}

/* Scans the part of x that belongs to this block, and stores the part's total. */
extern "C" __global__ void scan_blocks(const int *x, int *y, int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = block_scan(i < n ? x[i] : 0);
  if (i < n)
    y[i] = value;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = value;
}

/* Scans the totals of all blocks. This kernel is launched with one block. */
extern "C" __global__ void scan_totals(int *totals, int blocks) {
  int value = block_scan(threadIdx.x < blocks ? totals[threadIdx.x] : 0);
  if (threadIdx.x < blocks)
    totals[threadIdx.x] = value;
}

/* Adds the total of all blocks before this one. */
extern "C" __global__ void add_totals(int *y, const int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    y[i] += totals[blockIdx.x - 1];
}

/* x and y are in host memory and have n elements; n <= THREADS * THREADS. Returns the first error.
 */
static cudaError_t scan(const int *x, int *y, int n) {
  cudaError_t error = cudaSuccess;
  int *dx = NULL, *dy = NULL, *totals = NULL, blocks = CEIL_DIV(n, THREADS);
  TRY(error, cudaMalloc(&dx, sizeof(int) * n));
  TRY(error, cudaMalloc(&dy, sizeof(int) * n));
  TRY(error, cudaMalloc(&totals, sizeof(int) * blocks));
  TRY(error, cudaMemcpy(dx, x, sizeof(int) * n, cudaMemcpyHostToDevice));
  if (error == cudaSuccess) {
    scan_blocks<<<blocks, THREADS>>>(dx, dy, totals, n);
    scan_totals<<<1, THREADS>>>(totals, blocks);
    add_totals<<<blocks, THREADS>>>(dy, totals, n);
  }
  TRY(error, cudaGetLastError());
  TRY(error, cudaMemcpy(y, dy, sizeof(int) * n, cudaMemcpyDeviceToHost));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(totals);
  return error;
}

int main() {
  static int x[N], y[N];
  for (int i = 0; i < N; i++)
    x[i] = i % 97 - 40;
  cudaError_t error = scan(x, y, N);
  int right = 0;
  for (int i = 0, total = 0; i < N; i++) {
    total += x[i];
    right += y[i] == total;
  }
  printf("%s: %d of %d running totals are right\n", cudaGetErrorString(error), right, N);
  return right != N;
}
