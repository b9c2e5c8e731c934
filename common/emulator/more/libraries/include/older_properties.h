/* The members that CUDA 13 removed from cudaDeviceProp and older programs read. For nvcc, which
 * brings CUDA's own headers: the members follow the last one of the structure, where the emulated
 * device has them. nvcc reads these headers twice: as CUDA, and again after its own output, where
 * the text must be the same. */
#define hostNumaMultinodeIpcSupported                                                              \
  hostNumaMultinodeIpcSupported, clockRate, memoryClockRate, computeMode, deviceOverlap,           \
      kernelExecTimeoutEnabled, cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio
#ifdef __CUDACC__
#include <driver_types.h>
#undef hostNumaMultinodeIpcSupported
#endif
