// Tests memory pools: the memory in use, the reserved memory, and requests that are refused. Also
// tests calls that need a second process.
#include "../../../tests/programs/inputs.h"
#include <cstdint>

static uint64_t number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = ~0ull;
  CHECK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = 3 * i;
}

static void check_work(cudaMemPool_t pool) {
  const int n = 1000;
  std::vector<int> back(n);
  int *data;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocFromPoolAsync(&data, n * sizeof *data, pool, stream));
  fill<<<4, 256, 0, stream>>>(data, n);
  LAUNCHED();
  CHECK(cudaMemcpyAsync(back.data(), data, n * sizeof *data, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(data, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  for (int i = 0; i < n; i++)
    EXPECT(back[i] == 3 * i);
}

static void check_numbers(cudaMemPool_t pool) {
  const uint64_t most = 1 << 20;
  char *first, *second;
  int follows = -1;
  EXPECT(number(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(cudaMallocAsync(&first, 700000, pool, 0));
  CHECK(cudaMallocAsync(&second, 300000, pool, 0));
  EXPECT(number(pool, cudaMemPoolAttrUsedMemCurrent) == 1000000);
  EXPECT(number(pool, cudaMemPoolAttrReservedMemCurrent) >= 1000000);
  CHECK(cudaFreeAsync(first, 0));
  EXPECT(number(pool, cudaMemPoolAttrUsedMemCurrent) == 300000);
  EXPECT(number(pool, cudaMemPoolAttrUsedMemHigh) == 1000000);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, (void *)&most));
  EXPECT(number(pool, cudaMemPoolAttrReleaseThreshold) == most);
  CHECK(cudaFree(second));
  EXPECT(number(pool, cudaMemPoolAttrReservedMemCurrent) >= most); // still reserved
  CHECK(cudaMemPoolTrimTo(pool, 0));
  EXPECT(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  uint64_t none = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
  EXPECT(number(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &follows));
  EXPECT(follows == 1);
}

static void check_current(cudaMemPool_t pool) {
  cudaMemPool_t usual, now;
  char *data;
  CHECK(cudaDeviceGetDefaultMemPool(&usual, 0));
  CHECK(cudaDeviceSetMemPool(0, pool));
  CHECK(cudaDeviceGetMemPool(&now, 0));
  EXPECT(now == pool && usual != pool);
  CHECK(cudaMallocAsync(&data, 100, 0));
  EXPECT(number(pool, cudaMemPoolAttrUsedMemCurrent) == 100);
  EXPECT(number(usual, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(cudaMemPoolDestroy(pool)); // the pool exists until its last memory is freed
  CHECK(cudaDeviceGetMemPool(&now, 0));
  EXPECT(now == usual);
  CHECK(cudaFreeAsync(data, 0));
  EXPECT(cudaMemPoolDestroy(usual) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

static void check_limits() {
  cudaMemPoolProps wanted = {};
  cudaMemPool_t pool;
  char *data;
  int supported = 0;
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.maxSize = 1000;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT(supported == 1);
  CHECK(cudaMemPoolCreate(&pool, &wanted));
  EXPECT(cudaMallocFromPoolAsync(&data, 1001, pool, 0) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaMemPoolDestroy(pool));
  wanted.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  EXPECT(cudaMemPoolCreate(&pool, &wanted) == cudaErrorNotSupported);
  EXPECT(cudaGetLastError() == cudaErrorNotSupported);
}

int main() {
  cudaMemPoolProps wanted = {};
  cudaMemPool_t pool;
  cudaIpcMemHandle_t handle;
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaMemPoolCreate(&pool, &wanted));
  check_work(pool);
  check_numbers(pool);
  check_current(pool);
  check_limits();
  EXPECT(cudaIpcGetMemHandle(&handle, NULL) == cudaErrorNotSupported);
  EXPECT(cudaGetLastError() == cudaErrorNotSupported);
  return 0;
}
