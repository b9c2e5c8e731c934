/* Names that older programs use and that CUDA 13 has removed from its headers. This header is used
 * only with nvcc and the toolkit's headers. The emulated device's own headers, for clang, contain
 * these names already. */
#ifndef LOCKSTEP_OLDER_CUDA_H
#define LOCKSTEP_OLDER_CUDA_H

#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
static inline cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

#ifdef __cplusplus
/* In older versions, a memory location is the number of a device, or cudaCpuDeviceId. */
static inline cudaMemLocation lockstep_place(int device) {
  cudaMemLocation place;
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return place;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, bytes, lockstep_place(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
  return cudaMemAdvise(pointer, bytes, advice, lockstep_place(device));
}

/* Shuffles without a mask. They use the mask of the active lanes. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700
template <class T> static __device__ inline T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T> static __device__ inline T __shfl_up(T value, unsigned less, int width = 32) {
  return __shfl_up_sync(__activemask(), value, less, width);
}
template <class T> static __device__ inline T __shfl_down(T value, unsigned more, int width = 32) {
  return __shfl_down_sync(__activemask(), value, more, width);
}
template <class T> static __device__ inline T __shfl_xor(T value, int with, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, with, width);
}
#endif

/* The base classes of function objects for thrust. */
namespace thrust {
template <class Argument, class Result> struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <class First, class Second, class Result> struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
} // namespace thrust
#endif
#endif

#endif
