/* The members that CUDA 13 took out of cudaDeviceProp and older programs read, for nvcc, which brings CUDA's own headers:
 * they stand behind its last one. The emulated device has them there. nvcc reads its headers twice: for the language, as
 * CUDA, and again behind what it made of the program, where all must come as it is. */
#define hostNumaMultinodeIpcSupported                                                              \
  hostNumaMultinodeIpcSupported, clockRate, memoryClockRate, computeMode, deviceOverlap,           \
      kernelExecTimeoutEnabled, cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio
#ifdef __CUDACC__
#include <driver_types.h>
#undef hostNumaMultinodeIpcSupported
#endif
