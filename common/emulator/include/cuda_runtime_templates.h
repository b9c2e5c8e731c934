/* The C++ part of the runtime API: overloads of its functions with typed pointers, symbols and
 * kernels. */
#ifndef CUDA_RUNTIME_TEMPLATES_H
#define CUDA_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes,
                                         unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}

/* Converts a device number to a cudaMemLocation. Before CUDA 13, these functions had a device
 * number as parameter. */
static inline cudaMemLocation cudaLocationOf(int device) {
  cudaMemLocation location = {cudaMemLocationTypeDevice, device};
  if (device == cudaCpuDeviceId)
    location = cudaMemLocation{cudaMemLocationTypeHost, 0};
  return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, bytes, cudaLocationOf(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
  return ::cudaMemAdvise(pointer, bytes, advice, cudaLocationOf(device));
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(T **pointer, const T &symbol) {
  return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Returns the channel format of an element type: the number of channels and their width in bits. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc();
#define CUDA_FORMAT(T, channels, C, kind)                                                          \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                            \
    const int bits = 8 * (int)sizeof(C);                                                           \
    return cudaChannelFormatDesc{bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,           \
                                 channels > 3 ? bits : 0, cudaChannelFormatKind##kind};            \
  }
#define CUDA_FORMATS(V, C, kind)                                                                   \
  CUDA_FORMAT(C, 1, C, kind)                                                                       \
  CUDA_FORMAT(V##1, 1, C, kind)                                                                    \
  CUDA_FORMAT(V##2, 2, C, kind)                                                                    \
  CUDA_FORMAT(V##4, 4, C, kind)
CUDA_FORMAT(char, 1, char, Signed)
CUDA_FORMATS(char, signed char, Signed)
CUDA_FORMATS(uchar, unsigned char, Unsigned)
CUDA_FORMATS(short, short, Signed)
CUDA_FORMATS(ushort, unsigned short, Unsigned)
CUDA_FORMATS(int, int, Signed)
CUDA_FORMATS(uint, unsigned int, Unsigned)
CUDA_FORMATS(float, float, Float)
#undef CUDA_FORMATS
#undef CUDA_FORMAT

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                       stream);
}
/* Launches a kernel. Converts the arguments to the parameter types of the kernel. */
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Parameters...),
                                             Arguments &&...arguments) {
  return [&](Parameters... parameters) {
    void *list[] = {(void *)&parameters..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, list);
  }(static_cast<Arguments &&>(arguments)...);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute,
                                               int value) {
  return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function,
                                                                        int block_size,
                                                                        size_t dynamic_shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                         dynamic_shared);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int block_size,
                                                       size_t dynamic_shared, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)function, block_size, dynamic_shared, flags);
}

/* Finds the block size that gives the most resident threads, and the number of such blocks that
 * fills the device. `shared_of` returns the bytes of dynamic shared memory for a block size. The
 * function tries multiples of the warp size in descending order. */
template <class Shared, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, T function,
                                               Shared shared_of, int limit = 0) {
  cudaFuncAttributes attributes;
  int sms = 0, best = 0;
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess)
    return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  for (int size = most >= 32 ? most / 32 * 32 : most; size > 0; size -= 32) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
                                                            shared_of(size));
    if (error != cudaSuccess)
      return error;
    if (blocks * size <= best)
      continue;
    best = blocks * size;
    *block_size = size;
    *grid_size = blocks * sms;
  }
  return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size,
                                                             T function, size_t dynamic_shared = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid_size, block_size, function, [=](int) { return dynamic_shared; }, limit);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, T function,
                                            size_t dynamic_shared = 0, int limit = 0,
                                            unsigned int flags = 0) {
  return flags > 1 ? cudaErrorInvalidValue
                   : cudaOccupancyMaxPotentialBlockSize(grid_size, block_size, function,
                                                        dynamic_shared, limit);
}

/* Overloads of the functions for graphs: with device variables as parameters, and with the
 * signatures of earlier toolkits. */
template <class T>
static inline cudaError_t
cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                               const cudaGraphNode_t *after, size_t count, const T &symbol,
                               const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, after, count, (const void *)&symbol, from,
                                          bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                           const cudaGraphNode_t *after,
                                                           size_t count, void *to, const T &symbol,
                                                           size_t bytes, size_t offset,
                                                           cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to, (const void *)&symbol,
                                            bytes, offset, kind);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *, char *, size_t) {
  return ::cudaGraphInstantiate(exec, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *differs,
                                              cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, 0, 0};
  cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  *differs = info.errorNode;
  *result = info.result;
  return error;
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, size_t *count) {
  return ::cudaGraphGetEdges(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                       size_t *count) {
  return ::cudaGraphNodeGetDependencies(node, nodes, 0, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t *nodes, size_t *count) {
  return ::cudaGraphNodeGetDependentNodes(node, nodes, 0, count);
}

#endif
