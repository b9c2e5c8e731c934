/* Counts how often each of 256 values occurs, with three kernels. The first one has a race.
 *
 *   make play FILE=slides/data/histogram.cu               runs the two correct kernels
 *   make play FILE=slides/data/histogram.cu ARGS=plain    runs the kernel with the race
 */
#include "lab.h"
#include <string.h>

#ifndef N
#define N (1 << 16)
#endif
#define BINS 256
#define THREADS 256
#ifndef BLOCKS
#define BLOCKS 64
#endif

/* Loads a count, adds 1 and stores the sum. If another thread stores the same count between the
 * load and the store, its addition is lost. */
extern "C" __global__ void plain(const unsigned char *data, int n, int *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    counts[data[i]]++;
}

/* Loads, adds and stores in one atomic operation. */
extern "C" __global__ void atomic(const unsigned char *data, int n, int *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[data[i]], 1);
}

/* Each block counts in shared memory, and at the end adds its counts to those of all blocks. */
extern "C" __global__ void tiled(const unsigned char *data, int n, int *counts) {
  __shared__ int mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

typedef void Kernel(const unsigned char *data, int n, int *counts);

/* Prints how many of the 256 counts of a kernel are correct. Returns the first error. */
static cudaError_t count(const char *name, Kernel *kernel, const unsigned char *data,
                         const int *right) {
  cudaError_t error = cudaSuccess;
  unsigned char *d = NULL;
  int *dcounts = NULL, counts[BINS] = {}, same = 0;
  TRY(error, cudaMalloc(&d, N));
  TRY(error, cudaMalloc(&dcounts, sizeof counts));
  TRY(error, cudaMemcpy(d, data, N, cudaMemcpyHostToDevice));
  TRY(error, cudaMemset(dcounts, 0, sizeof counts));
  if (error == cudaSuccess)
    kernel<<<BLOCKS, THREADS>>>(d, N, dcounts);
  TRY(error, cudaGetLastError());
  TRY(error, cudaMemcpy(counts, dcounts, sizeof counts, cudaMemcpyDeviceToHost));
  cudaFree(d);
  cudaFree(dcounts);
  for (int bin = 0; bin < BINS; bin++)
    same += counts[bin] == right[bin];
  printf("%-6s %3d of %d counts are right, %s\n", name, same, BINS, cudaGetErrorString(error));
  return error;
}

int main(int argc, char **argv) {
  static unsigned char data[N];
  static int right[BINS];
  for (unsigned i = 0, x = 1; i < N; i++) {
    x = x * 1664525u + 1013904223u;
    data[i] = x >> 24 & x >> 16; // small values are more frequent than large ones
    right[data[i]]++;
  }
  if (argc > 1 && !strcmp(argv[1], "plain"))
    return count("plain", plain, data, right) != cudaSuccess;
  return count("atomic", atomic, data, right) != cudaSuccess ||
         count("tiled", tiled, data, right) != cudaSuccess;
}
