/* The toolkit's occupancy calculator in plain C++. It computes the number of blocks of a kernel
 * that are resident on a multiprocessor, for any card, from the properties of the card. The
 * functions of the runtime API give the same results for the emulated card (state/occupancy.c). */
#ifndef CUDA_OCCUPANCY_H
#define CUDA_OCCUPANCY_H
#define __cuda_occupancy_h__

#include "cuda_runtime_api.h"

#ifdef __cplusplus /* the declarations below use constructors and default arguments */
#include <limits.h>
#include <stddef.h>

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS,
  CUDA_OCC_ERROR_INVALID_INPUT,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE
} cudaOccError;
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;
typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;
typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE,
  CACHE_PREFER_SHARED,
  CACHE_PREFER_L1,
  CACHE_PREFER_EQUAL
} cudaOccCacheConfig;
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100
} cudaOccCarveoutConfig;
/* Bits of cudaOccResult.limitingFactors. */
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 1,
  OCC_LIMIT_REGISTERS = 2,
  OCC_LIMIT_SHARED_MEMORY = 4,
  OCC_LIMIT_BLOCKS = 8,
  OCC_LIMIT_BARRIERS = 16
} cudaOccLimitingFactor;

/* The properties of the card. They can be copied from a cudaDeviceProp. */
typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
  cudaOccDeviceProp() : cudaOccDeviceProp(cudaDeviceProp()) {}
  template <class Properties>
  cudaOccDeviceProp(const Properties &p)
      : computeMajor(p.major), computeMinor(p.minor), maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor), regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor), numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
} cudaOccDeviceProp;

/* The properties of the kernel. maxThreadsPerBlock is INT_MAX if it is unknown. */
typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock, numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
  cudaOccFuncAttributes()
      : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0),
        partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
        maxDynamicSharedSizeBytes(0), numBlockBarriers(1) {}
  cudaOccFuncAttributes(const cudaFuncAttributes &a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes((size_t)a.maxDynamicSharedSizeBytes), numBlockBarriers(1) {}
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
  cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
} cudaOccDeviceState;

typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

/* ---- the rules; each number by compute capability, as 86 for 8.6 ----------------------------- */
static inline size_t occ_round_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}
static inline int occ_capability(const cudaOccDeviceProp *d) {
  return 10 * d->computeMajor + d->computeMinor;
}
static inline int occ_most_blocks(int capability) {
  if (capability < 50 || capability == 75 || capability == 86 || capability == 87)
    return 16;
  return capability == 89 || capability >= 110 ? 24 : 32;
}
/* Returns the number of warp schedulers of a multiprocessor. The registers are divided equally
 * among them. */
static inline int occ_schedulers(int capability) { return capability == 60 ? 2 : 4; }
static inline int occ_least(int a, int b) { return a < b ? a : b; }

/* Returns the maximum number of bytes of shared memory per block, static plus dynamic. */
static inline size_t occ_shared_of_block(const cudaOccDeviceProp *d,
                                         cudaOccFuncShmemConfig config) {
  return config == FUNC_SHMEM_LIMIT_OPTIN && d->computeMajor >= 7 ? d->sharedMemPerBlockOptin
                                                                  : d->sharedMemPerBlock;
}
/* Returns the bytes of shared memory of the multiprocessor. A carveout reduces them, but not below
 * the memory of one block. */
static inline size_t occ_shared_of_multiprocessor(const cudaOccDeviceProp *d,
                                                  const cudaOccDeviceState *state,
                                                  size_t of_block) {
  if (state->carveoutConfig < 0 || d->computeMajor < 7)
    return d->sharedMemPerMultiprocessor;
  size_t wanted = d->sharedMemPerMultiprocessor * (size_t)state->carveoutConfig / 100;
  return wanted > of_block ? wanted : of_block;
}

static inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const cudaOccDeviceProp *d, const cudaOccFuncAttributes *kernel,
    const cudaOccDeviceState *state, int block, size_t dynamic_shared) {
  enum { REGISTER_UNIT = 256, MOST_REGISTERS = 255 };
  if (!result || !d || !kernel || !state || block <= 0 || d->warpSize <= 0 ||
      d->maxThreadsPerBlock <= 0 || kernel->maxThreadsPerBlock <= 0 || kernel->numRegs < 0 ||
      state->carveoutConfig < -1 || state->carveoutConfig > 100)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  if (d->computeMajor < 3 || d->computeMajor > 12)
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  const int capability = occ_capability(d), schedulers = occ_schedulers(capability);
  const int warps = (block + d->warpSize - 1) / d->warpSize;
  cudaOccResult r = cudaOccResult();
  r.partitionedGCConfig = kernel->partitionedGCConfig;
  r.blockLimitBlocks = r.blockLimitBarriers = occ_most_blocks(capability);
  if (block <= d->maxThreadsPerBlock && block <= kernel->maxThreadsPerBlock)
    r.blockLimitWarps = d->maxThreadsPerMultiprocessor / d->warpSize / warps;

  const int of_warp = (int)occ_round_up((size_t)(kernel->numRegs * d->warpSize), REGISTER_UNIT);
  /* The hardware rounds the number of warps of a block up to a multiple of the number of
   * schedulers. */
  const int assumed = of_warp * (int)occ_round_up((size_t)warps, (size_t)schedulers);
  r.allocatedRegistersPerBlock = of_warp * warps;
  if (of_warp == 0)
    r.blockLimitRegs = INT_MAX;
  else if (kernel->numRegs <= MOST_REGISTERS && assumed <= d->regsPerBlock)
    r.blockLimitRegs = d->regsPerMultiprocessor / schedulers / of_warp * schedulers / warps;

  const size_t asked = kernel->sharedSizeBytes + dynamic_shared;
  const size_t taken =
      occ_round_up(asked + d->reservedSharedMemPerBlock, d->computeMajor < 8 ? 256 : 128);
  r.allocatedSharedMemPerBlock = taken;
  if (taken == 0)
    r.blockLimitSharedMem = INT_MAX;
  else if (asked <= occ_shared_of_block(d, kernel->shmemLimitConfig) &&
           (kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_DEFAULT ||
            dynamic_shared <= kernel->maxDynamicSharedSizeBytes))
    r.blockLimitSharedMem = (int)(occ_shared_of_multiprocessor(d, state, taken) / taken);

  const int least = occ_least(occ_least(r.blockLimitWarps, r.blockLimitBlocks),
                              occ_least(r.blockLimitRegs, r.blockLimitSharedMem));
  r.activeBlocksPerMultiprocessor = least;
  r.limitingFactors = (r.blockLimitWarps == least ? OCC_LIMIT_WARPS : 0u) |
                      (r.blockLimitRegs == least ? OCC_LIMIT_REGISTERS : 0u) |
                      (r.blockLimitSharedMem == least ? OCC_LIMIT_SHARED_MEMORY : 0u) |
                      (r.blockLimitBlocks == least ? OCC_LIMIT_BLOCKS : 0u);
  *result = r;
  return CUDA_OCC_SUCCESS;
}

/* Computes the block size that gives the most resident threads (the largest, if several are equally
 * good), and the number of such blocks that fill the card. */
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *grid, int *block, const cudaOccDeviceProp *d, const cudaOccFuncAttributes *kernel,
    const cudaOccDeviceState *state, size_t (*shared_of)(int block), size_t dynamic_shared = 0) {
  if (!grid || !block || !d || !kernel || !state || d->warpSize <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  const int most = occ_least(d->maxThreadsPerBlock, kernel->maxThreadsPerBlock);
  int best = 0;
  for (int size = (int)occ_round_up((size_t)most, (size_t)d->warpSize); size > 0;
       size -= d->warpSize) {
    const int threads = occ_least(size, most);
    cudaOccResult result;
    cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, d, kernel, state, threads, shared_of ? shared_of(threads) : dynamic_shared);
    if (error != CUDA_OCC_SUCCESS)
      return error;
    if (result.activeBlocksPerMultiprocessor * threads > best) {
      best = result.activeBlocksPerMultiprocessor * threads;
      *block = threads;
      *grid = result.activeBlocksPerMultiprocessor * d->numSms;
    }
  }
  return best ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_INVALID_INPUT;
}
template <class SharedOf>
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *grid, int *block, const cudaOccDeviceProp *d, const cudaOccFuncAttributes *kernel,
    const cudaOccDeviceState *state, SharedOf shared_of) {
  return cudaOccMaxPotentialOccupancyBlockSize(grid, block, d, kernel, state, shared_of);
}
static inline cudaOccError
cudaOccMaxPotentialOccupancyBlockSize(int *grid, int *block, const cudaOccDeviceProp *d,
                                      const cudaOccFuncAttributes *kernel,
                                      const cudaOccDeviceState *state, size_t dynamic_shared = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(grid, block, d, kernel, state, nullptr,
                                               dynamic_shared);
}

/* Computes the maximum dynamic shared memory per block in bytes for which `blocks` blocks can be
 * resident. */
static inline cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *bytes,
                                                               const cudaOccDeviceProp *d,
                                                               const cudaOccFuncAttributes *kernel,
                                                               const cudaOccDeviceState *state,
                                                               int blocks, int block) {
  cudaOccResult result;
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, d, kernel, state, block, 0);
  if (error != CUDA_OCC_SUCCESS)
    return error;
  if (!bytes || blocks <= 0 || blocks > result.activeBlocksPerMultiprocessor)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  const size_t unit = d->computeMajor < 8 ? 256 : 128;
  const size_t most =
      occ_shared_of_block(d, kernel->shmemLimitConfig) + d->reservedSharedMemPerBlock;
  size_t share = blocks == 1 ? most : occ_shared_of_multiprocessor(d, state, 0) / (size_t)blocks;
  share = share / unit * unit;
  share = (share < most ? share : most) - kernel->sharedSizeBytes;
  *bytes = share < kernel->maxDynamicSharedSizeBytes ? share : kernel->maxDynamicSharedSizeBytes;
  return CUDA_OCC_SUCCESS;
}

#endif
#endif
