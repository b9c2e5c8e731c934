/* For programs of NVIDIA's samples, which include a header of this name from the folder Common/:
 * error checks that print the line and end the program, and the selection of a device. Written for
 * this workbook; works with the emulated device and with a GPU. */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include "helper_string.h"

#include <cuda_runtime.h>
#include <stdint.h>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

/* ---- errors ---------------------------------------------------------------------------------- */
/* Returns the name of an error. Supports the libraries whose headers are included before this
 * header; errors of other libraries are printed as numbers. */
inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#ifdef __cuda_cuda_h__
inline const char *_cudaGetErrorEnum(CUresult error) {
  const char *name = NULL;
  cuGetErrorName(error, &name);
  return name ? name : "unknown";
}
#endif
#ifdef CUBLAS_VERSION
inline const char *_cudaGetErrorEnum(cublasStatus_t error) { return cublasGetStatusName(error); }
#endif
template <class T> inline const char *_cudaGetErrorEnum(T) { return "see the library's header"; }

template <class T> void check(T error, const char *call, const char *file, int line) {
  if (!error)
    return;
  fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\"\n", file, line, (unsigned int)error,
          _cudaGetErrorEnum(error), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline bool sdkLastError(const char *text, const char *file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, text, (int)error,
            cudaGetErrorString(error));
  return error != cudaSuccess;
}
inline void __getLastCudaError(const char *text, const char *file, int line) {
  if (sdkLastError(text, file, line))
    exit(EXIT_FAILURE);
}
#define getLastCudaError(text) __getLastCudaError(text, __FILE__, __LINE__)
inline void __printLastCudaError(const char *text, const char *file, int line) {
  sdkLastError(text, file, line);
}
#define printLastCudaError(text) __printLastCudaError(text, __FILE__, __LINE__)

inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5f : value - 0.5f); }

/* ---- devices --------------------------------------------------------------------------------- */
/* Return the number of FP32 cores of a multiprocessor, and the name of the architecture. */
inline int _ConvertSMVer2Cores(int major, int minor) {
  const int version = 10 * major + minor;
  return version < 20                         ? 8
         : version < 30                       ? (version == 20 ? 32 : 48)
         : version < 50                       ? 192
         : version == 60 || version / 10 == 7 ? 64
         : version == 80                      ? 64
                                              : 128;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  static const char *const names[] = {"?",      "Tesla", "Fermi",  "Kepler", "?",        "Maxwell",
                                      "Pascal", "Volta", "Ampere", "Hopper", "Blackwell"};
  return major == 7 && minor == 5   ? "Turing"
         : major == 8 && minor == 9 ? "Ada"
         : major < 0                ? "?"
                                    : names[major < 10 ? major : 10];
}

/* Makes `device` the current device and returns its number. Returns -1 if there is no such device.
 */
inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "no CUDA device\n");
    exit(EXIT_FAILURE);
  }
  if (device < 0)
    device = 0;
  if (device >= count) {
    fprintf(stderr, "device %d: there are %d\n", device, count);
    return -1;
  }
  checkCudaErrors(cudaSetDevice(device));
  cudaDeviceProp card;
  checkCudaErrors(cudaGetDeviceProperties(&card, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, card.name, card.major,
         card.minor);
  return device;
}

inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0;
  double most = -1;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++) {
    cudaDeviceProp card;
    int clock = 0;
    checkCudaErrors(cudaGetDeviceProperties(&card, i));
    checkCudaErrors(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, i));
    const double rate =
        (double)clock * card.multiProcessorCount * _ConvertSMVer2Cores(card.major, card.minor);
    if (rate > most)
      most = rate, best = i;
  }
  return best;
}

/* Selects and returns the device that the option -device=N names; without this option, the fastest
 * device. */
inline int findCudaDevice(int argc, const char **argv) {
  const bool chosen = checkCmdLineFlag(argc, argv, "device");
  const int device = gpuDeviceInit(chosen ? getCmdLineArgumentInt(argc, argv, "device")
                                          : gpuGetMaxGflopsDeviceId());
  if (device < 0)
    exit(EXIT_FAILURE);
  return device;
}

/* Selects and returns the first integrated device. If there is none, the program ends. */
inline int findIntegratedGPU() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++) {
    int integrated = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, i));
    if (integrated)
      return gpuDeviceInit(i);
  }
  fprintf(stderr, "no integrated GPU\n");
  exit(EXIT_FAILURE);
}

inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp card;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&card, device));
  const bool enough = card.major > major || (card.major == major && card.minor >= minor);
  if (!enough)
    printf("compute capability %d.%d is needed, device %d has %d.%d\n", major, minor, device,
           card.major, card.minor);
  return enough;
}

#endif
