// Tests the device as a Tesla K40c: its properties and limits, and banks of 8 bytes in two modes.
// env: LOCKSTEP_CARD=k40c LOCKSTEP_QUIET=1
#include "check.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // calls that are deprecated in CUDA 13

#include "emulator/emulator.h"

__global__ void empty() {}
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  if (p)
    *p = s[0];
}
// Reads a column of a 32×32 tile of floats. padded_column reads doubles in rows of 33.
__global__ void column(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void padded_column(double *out) {
  __shared__ double tile[32][33];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void row(double *out) {
  __shared__ double tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[31 - threadIdx.y][threadIdx.x];
}

static void properties() {
  cudaDeviceProp p;
  int value;
  CHECK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.major == 3 && p.minor == 5);
  EXPECT(p.multiProcessorCount == 15);
  EXPECT(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535);
  EXPECT(p.maxBlocksPerMultiProcessor == 16 && p.maxThreadsPerMultiProcessor == 2048);
  EXPECT(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin == 49152);
  EXPECT(p.reservedSharedMemPerBlock == 0 && p.l2CacheSize == 1572864);
  EXPECT(p.totalGlobalMem == 12799574016u);
  EXPECT(p.managedMemory && !p.concurrentManagedAccess && !p.cooperativeLaunch);
  EXPECT(p.maxTexture3D[0] == 4096);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrGlobalMemoryBusWidth, 0));
  EXPECT(value == 384);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
  EXPECT(value == 745000);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0));
  EXPECT(value == 3);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMinor, 0));
  EXPECT(value == 5);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, empty));
  EXPECT(attributes.binaryVersion == 35);
}

static void limits() {
  int n;
  void *out = nullptr;
  size_t free_bytes, total;
  dynamic<<<1, 32, 49152>>>(nullptr);
  LAUNCHED();
  EXPECT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 49153) ==
         cudaErrorInvalidValue);
  dynamic<<<1, 32, 49153>>>(nullptr);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  empty<<<70000, 1>>>();
  LAUNCHED();
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, empty, 32, 0));
  EXPECT(n == 16);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, dynamic, 256, 16385));
  EXPECT(n == 2); // 49152 / 16640: shared memory is allocated in units of 256 bytes
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&total, (void *)dynamic, 2, 256));
  EXPECT(total == 24576);
  CHECK(cudaMemGetInfo(&free_bytes, &total));
  EXPECT(free_bytes <= total);
  EXPECT(cudaMalloc(&out, 13000000000u) == cudaErrorMemoryAllocation); // more than the card has
  EXPECT(cudaLaunchCooperativeKernel((void *)empty, dim3(1), dim3(32), nullptr, 0, 0) ==
         cudaErrorNotSupported);
  EXPECT(cudaGetLastError() == cudaErrorNotSupported);
}

// Returns the wavefronts per load of a kernel with 32 loads, one per warp, of the same pattern.
template <typename T> static double wavefronts(void (*kernel)(T *)) {
  T *out;
  EmulatorCounters counters;
  CHECK(cudaMalloc(&out, 1024 * sizeof(T)));
  emulator_reset_counters();
  kernel<<<1, dim3(32, 32)>>>(out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
  EXPECT(emulator_counters(nullptr, &counters) && counters.shared_load_requests == 32);
  return (double)counters.shared_load_wavefronts / counters.shared_load_requests;
}

static void set_banks(cudaSharedMemConfig config, cudaSharedMemConfig expected) {
  CHECK(cudaDeviceSetSharedMemConfig(config));
  CHECK(cudaDeviceGetSharedMemConfig(&config));
  EXPECT(config == expected);
}

// In 4-byte mode, one wavefront can deliver both words i and i + 32 of an aligned group of 64.
static void banks() {
  cudaSharedMemConfig config;
  CHECK(cudaDeviceGetSharedMemConfig(&config));
  EXPECT(config == cudaSharedMemBankSizeFourByte);
  EXPECT(wavefronts(column) == 16 && wavefronts(padded_column) == 2);
  set_banks(cudaSharedMemBankSizeEightByte, cudaSharedMemBankSizeEightByte);
  EXPECT(wavefronts(column) == 16 && wavefronts(padded_column) == 1 && wavefronts(row) == 1);
  CHECK(cudaFuncSetSharedMemConfig((void *)padded_column, cudaSharedMemBankSizeFourByte));
  EXPECT(wavefronts(padded_column) == 2);
  CHECK(cudaFuncSetSharedMemConfig((void *)padded_column, cudaSharedMemBankSizeDefault));
  EXPECT(wavefronts(padded_column) == 1);
  set_banks(cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte);
  EXPECT(wavefronts(row) == 2 && wavefronts(padded_column) == 2);
  EXPECT(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)3) == cudaErrorInvalidValue);
}

int main() {
  properties();
  limits();
  banks();
  return done();
}
