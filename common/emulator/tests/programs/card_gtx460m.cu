// The device emulates a GeForce GTX 460M of compute capability 2.1. Tests the calls that such an
// old card refuses, and the number of blocks that fit on it.
// env: LOCKSTEP_CARD=gtx460m LOCKSTEP_QUIET=1
#include "check.h"

__global__ void empty() {}
__global__ void __launch_bounds__(1024) bounded(float *p) { p[threadIdx.x] *= 2; }
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  if (p)
    *p = s[0];
}

// Has more live values than the 63 registers of a thread, so some values are in local memory.
__device__ void exchange(float *p) {
  float value[100];
#pragma unroll
  for (int i = 0; i < 100; i++)
    value[i] = p[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 100; i++)
    p[99 - i] = value[i] * value[(i + 1) % 100];
}
__global__ void many(float *p) { exchange(p); }
// With fewer registers per thread, more values are in local memory, and four blocks are resident.
__global__ void __launch_bounds__(256, 4) together(float *p) { exchange(p); }

static void properties() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.major == 2 && p.minor == 1 && p.multiProcessorCount == 4);
  EXPECT(p.maxGridSize[0] == 65535 && p.regsPerBlock == 32768);
  EXPECT(p.maxThreadsPerMultiProcessor == 1536 && p.maxBlocksPerMultiProcessor == 8);
  EXPECT(p.totalGlobalMem == 1610612736 && !p.managedMemory && !p.cooperativeLaunch);
  EXPECT(p.maxTexture3D[2] == 2048);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, many));
  EXPECT(attributes.numRegs == 63 && attributes.binaryVersion == 21);
}

static void refusals() {
  float *out = nullptr;
  empty<<<65535, 1>>>();
  LAUNCHED();
  empty<<<65536, 1>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  empty<<<1, 1025>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  dynamic<<<1, 32, 49153>>>(nullptr);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMemset(out, 0, 4096));
  many<<<1, 1024>>>(out); // the number of registers is an estimate; a GPU may refuse this
  LAUNCHED();
  bounded<<<1, 1024>>>(out);
  LAUNCHED();
  CHECK(cudaFree(out));
  EXPECT(cudaMalloc(&out, (size_t)2 << 30) == cudaErrorMemoryAllocation);
  EXPECT(cudaMallocManaged(&out, 4096) == cudaErrorNotSupported);
}

static void occupancy() {
  int n, grid, block;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, empty, 32, 0));
  EXPECT(n == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, empty, 1024, 0));
  EXPECT(n == 1);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, dynamic, 128, 10000));
  EXPECT(n == 4); // shared memory is allocated in units of 128 bytes
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, many, 256, 0));
  EXPECT(n == 2); // 2048 registers per warp: 8 warps on each of 2 schedulers
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, together, 256, 0));
  EXPECT(n == 4);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty));
  EXPECT(block == 768 && grid == 8); // two blocks of 768 threads fill the limit of 1536
}

int main() {
  properties();
  refusals();
  occupancy();
  return done();
}
