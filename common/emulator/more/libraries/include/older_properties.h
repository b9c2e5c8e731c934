/* The members of cudaDeviceProp that CUDA 13 has removed but older programs read. This header is
 * used only with nvcc and the toolkit's headers. A macro adds the members after the last member of
 * the structure, at the offsets at which the emulated device stores them. nvcc reads these headers
 * twice, as CUDA and again in the host code that it generates. The text of the headers must be the
 * same both times. */
#define hostNumaMultinodeIpcSupported                                                              \
  hostNumaMultinodeIpcSupported, clockRate, memoryClockRate, computeMode, deviceOverlap,           \
      kernelExecTimeoutEnabled, cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio
#ifdef __CUDACC__
#include <driver_types.h>
#undef hostNumaMultinodeIpcSupported
#endif
