/* For programs of NVIDIA's samples: the functions of helper_cuda.h for the driver API. */
#ifndef COMMON_HELPER_CUDA_DRVAPI_H_
#define COMMON_HELPER_CUDA_DRVAPI_H_

#include <cuda.h>

#include "helper_cuda.h"

#include <fstream>
#include <sstream>

/* Stores an attribute of the device in *value, such as its number of multiprocessors. */
template <class T>
inline void getCudaAttribute(T *value, CUdevice_attribute attribute, int device) {
  int number = 0;
  checkCudaErrors(cuDeviceGetAttribute(&number, attribute, device));
  *value = (T)number;
}

inline int gpuGetMaxGflopsDeviceIdDRV() {
  checkCudaErrors(cuInit(0));
  return gpuGetMaxGflopsDeviceId();
}
inline int gpuDeviceInitDRV(int argc, const char **argv) {
  checkCudaErrors(cuInit(0));
  return findCudaDevice(argc, argv);
}
inline CUdevice findCudaDeviceDRV(int argc, const char **argv) {
  CUdevice device;
  checkCudaErrors(cuInit(0));
  checkCudaErrors(cuDeviceGet(&device, findCudaDevice(argc, argv)));
  return device;
}
inline bool checkCudaCapabilitiesDRV(int major, int minor, int device) {
  int own_major = 0, own_minor = 0;
  getCudaAttribute(&own_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  getCudaAttribute(&own_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  return own_major > major || (own_major == major && own_minor >= minor);
}

/* Finds a file with PTX or machine code. Returns true if it is found; stores its path and contents.
 */
inline bool findFatbinPath(const char *name, std::string &path, char **argv,
                           std::ostringstream &content) {
  char *found = sdkFindFilePath(name, argv[0]);
  if (!found)
    return false;
  path = found;
  free(found);
  std::ifstream file(path, std::ios::binary);
  content << file.rdbuf();
  return (bool)file;
}

#endif
