/* Implements the API functions that query kernels: attributes, limits, and the number of blocks
 * that are resident on a multiprocessor (state/occupancy.c). The reported number of registers is
 * the minimum that the PTX needs; the GPU's assembler may use more. */
#include "runtime.h"

#include "../state/occupancy.h"

/* Returns the maximum number of threads per block for which the multiprocessor has enough
 * registers. */
static uint32_t most_threads(const RuntimeKernel *kernel) {
  const Device *card = selected_device();
  const PtxFunction *function = kernel->function;
  const uint32_t bound = function->max_threads;
  uint32_t most = bound && bound < card->threads_per_block ? bound : card->threads_per_block;
  uint32_t registers = runtime_registers(function);
  if (registers > occupancy_registers_for(card, most))
    registers = predict_registers(kernel->module->program, function);
  while (most > WARP_LANES &&
         occupancy_block_registers(card, most, registers) > card->registers_per_block)
    most -= WARP_LANES;
  return most;
}

static cudaError_t attributes_of(struct cudaFuncAttributes *out, const void *host) {
  if (!out)
    return cudaErrorInvalidValue;
  const RuntimeKernel *kernel = runtime_kernel(host);
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  const PtxFunction *function = kernel->function;
  const PtxModule *program = kernel->module->program;
  const Device *card = selected_device();
  *out = (struct cudaFuncAttributes){
      .sharedSizeBytes = function->shared_bytes,
      .localSizeBytes = function->local_bytes,
      .maxThreadsPerBlock = (int)most_threads(kernel),
      .numRegs = (int)runtime_registers(function),
      .ptxVersion = program->target,
      .binaryVersion = (int)(10 * card->capability[0] + card->capability[1]),
      .maxDynamicSharedSizeBytes = (int)module_dynamic_limit(program, function),
      .preferredShmemCarveout = -1,
  };
  for (uint32_t i = 0; i < program->nvariables; i++)
    if (program->variables[i].space == PTX_CONST)
      out->constSizeBytes += program->variables[i].bytes;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  RUNTIME_CALL(attributes_of(attributes, function));
}

static cudaError_t set_attribute(const void *host, enum cudaFuncAttribute attribute, int value) {
  RuntimeKernel *kernel = runtime_kernel(host);
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
    return cudaErrorInvalidValue;
  if ((uint64_t)value + kernel->function->shared_bytes > selected_device()->shared_per_block_optin)
    return cudaErrorInvalidValue;
  module_allow_dynamic(kernel->module->program, kernel->function, (uint32_t)value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                 int value) {
  RUNTIME_CALL(set_attribute(function, attribute, value));
}

static cudaError_t known(const void *host) {
  return runtime_kernel(host) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

/* Checks the arguments. The call is a hint that has no effect, because the emulated device does not
 * partition a cache. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  RUNTIME_CALL((unsigned)config > 3 ? cudaErrorInvalidValue : known(function));
}

/* Stores the bank size for a kernel. The bank size has an effect only on cards that support 8-byte
 * banks. */
static cudaError_t set_banks(const void *host, enum cudaSharedMemConfig config) {
  RuntimeKernel *kernel = runtime_kernel(host);
  if ((unsigned)config > cudaSharedMemBankSizeEightByte)
    return cudaErrorInvalidValue;
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  kernel->banks = runtime_bank_choice(config);
  return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  RUNTIME_CALL(set_banks(function, config));
}

static cudaError_t name_of(const char **name, const void *host) {
  const RuntimeKernel *kernel = runtime_kernel(host);
  if (!name)
    return cudaErrorInvalidValue;
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  *name = kernel->name;
  return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  RUNTIME_CALL(name_of(name, function));
}

static cudaError_t parameter_of(const void *host, size_t index, size_t *offset, size_t *bytes) {
  const RuntimeKernel *kernel = runtime_kernel(host);
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  if (!offset || index >= kernel->function->nparams)
    return cudaErrorInvalidValue;
  *offset = kernel->function->params[index].offset;
  if (bytes)
    *bytes = kernel->function->params[index].bytes;
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                 size_t *bytes) {
  RUNTIME_CALL(parameter_of(function, index, offset, bytes));
}

/* ---- occupancy ------------------------------------------------------------------------------- */
uint32_t runtime_resident_blocks(const RuntimeKernel *kernel, uint32_t threads,
                                 size_t dynamic_shared) {
  const PtxFunction *function = kernel->function;
  if (dynamic_shared > module_dynamic_limit(kernel->module->program, function))
    return 0;
  return occupancy_of(selected_device(), threads, runtime_registers(function),
                      function->shared_bytes + (uint32_t)dynamic_shared)
      .blocks;
}

static cudaError_t occupancy(int *blocks, const void *host, int threads, size_t dynamic_shared) {
  if (!blocks || threads <= 0)
    return cudaErrorInvalidValue;
  const RuntimeKernel *kernel = runtime_kernel(host);
  if (!kernel)
    return cudaErrorInvalidDeviceFunction;
  *blocks = (int)runtime_resident_blocks(kernel, (uint32_t)threads, dynamic_shared);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_shared) {
  RUNTIME_CALL(occupancy(blocks, function, block_size, dynamic_shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t dynamic_shared, unsigned flags) {
  RUNTIME_CALL(flags <= cudaOccupancyDisableCachingOverride
                   ? occupancy(blocks, function, block_size, dynamic_shared)
                   : cudaErrorInvalidValue);
}

/* Computes the maximum number of bytes of dynamic shared memory per block with which `blocks`
 * blocks are resident on a multiprocessor. */
static cudaError_t available_shared(size_t *bytes, const void *host, int blocks, int threads) {
  int resident;
  cudaError_t error =
      blocks > 0 && bytes ? occupancy(&resident, host, threads, 0) : cudaErrorInvalidValue;
  if (error)
    return error;
  if (resident < blocks)
    return cudaErrorInvalidValue;
  const RuntimeKernel *kernel = runtime_kernel(host);
  uint32_t share = occupancy_shared_for(selected_device(), (uint32_t)blocks);
  uint32_t fixed = kernel->function->shared_bytes;
  *bytes = share > fixed ? share - fixed : 0;
  return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int block_size) {
  RUNTIME_CALL(available_shared(bytes, function, blocks, block_size));
}
