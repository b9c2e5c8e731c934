// Tests mistakes for which the runtime returns an error. If a real device refuses the call, the
// error must be the one that CUDA 13 returns.
// env: LOCKSTEP_QUIET=1
#include "check.h"

__global__ void empty() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  if (p)
    *p = s[0];
}
__constant__ int constants[4];

// Expects that the call returns this error, and that cudaGetLastError returns this error once.
#define FAILS(error, call)                                                                         \
  do {                                                                                             \
    EXPECT((call) == error);                                                                       \
    EXPECT(cudaPeekAtLastError() == error);                                                        \
    EXPECT(cudaGetLastError() == error);                                                           \
    EXPECT(cudaGetLastError() == cudaSuccess);                                                     \
  } while (0)
#define LAUNCH_FAILS(...)                                                                          \
  do {                                                                                             \
    (__VA_ARGS__);                                                                                 \
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);                                           \
  } while (0)

static void launches() {
  LAUNCH_FAILS(empty<<<0, 32>>>());
  LAUNCH_FAILS(empty<<<1, 0>>>());
  LAUNCH_FAILS(empty<<<1, 1025>>>());
  LAUNCH_FAILS(empty<<<1, dim3(1, 1, 65)>>>());
  LAUNCH_FAILS(empty<<<dim3(1, 65536), 1>>>());
  LAUNCH_FAILS(bounded<<<1, 256>>>());
  LAUNCH_FAILS(dynamic<<<1, 32, 49153>>>(nullptr));
  dynamic<<<1, 32, 49152>>>(nullptr);
  LAUNCHED();
  FAILS(cudaErrorInvalidValue,
        cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  dynamic<<<1, 32, 232448>>>(nullptr);
  LAUNCHED();
}

static void copies() {
  char host[64] = "", *device, *pinned;
  CHECK(cudaMalloc(&device, 64));
  CHECK(cudaMallocHost(&pinned, 64));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(host, host + 32, 8, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(device, host, 8, cudaMemcpyDeviceToHost));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(host, device, 8, cudaMemcpyDeviceToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 8, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(device, nullptr, 8, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 8, (cudaMemcpyKind)9));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(device, host, 1 << 30, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidPitchValue,
        cudaMemcpy2D(device, 10, host, 10, 20, 2, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemset(host, 0, 8));
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(pinned, host, 8, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device, pinned, 8, cudaMemcpyDefault));
  FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(constants, host, 17));
  FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(constants, host, 8, 12));
  FAILS(cudaErrorInvalidMemcpyDirection,
        cudaMemcpyToSymbol(constants, host, 8, 0, cudaMemcpyDeviceToHost));
  FAILS(cudaErrorInvalidValue, cudaFree(device + 4));
  FAILS(cudaErrorInvalidValue, cudaFree(host));
  FAILS(cudaErrorInvalidValue, cudaFree(pinned));
  FAILS(cudaErrorInvalidValue, cudaFreeHost(device));
  CHECK(cudaFree(device));
  FAILS(cudaErrorInvalidValue, cudaFree(device));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(nullptr));
}

static void the_rest() {
  void *pointer = &pointer;
  int n;
  cudaEvent_t start, stop;
  cudaStream_t stream;
  float ms;
  FAILS(cudaErrorMemoryAllocation, cudaMalloc(&pointer, (size_t)1 << 50));
  EXPECT(pointer == nullptr);
  CHECK(cudaMalloc(&pointer, 0));
  FAILS(cudaErrorInvalidDevice, cudaSetDevice(77));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventQuery(start));
  FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, stop));
  FAILS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 2));
  FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, empty, 1024, 0));
  EXPECT(n == 2);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, dynamic, 32, 60000));
  EXPECT(n == 3);
  FAILS(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, empty, 0, 0));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.maxThreadsPerBlock == 128);
}

int main() {
  launches();
  copies();
  the_rest();
  return done();
}
