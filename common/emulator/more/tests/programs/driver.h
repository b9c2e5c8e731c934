// A check of driver API calls, for the test programs of the driver API.
#ifndef DRIVER_H
#define DRIVER_H

#include <cuda.h>

#include "../../../tests/programs/check.h"

#define DRIVER(call)                                                                               \
  do {                                                                                             \
    CUresult result_ = (call);                                                                     \
    const char *name_ = "?";                                                                       \
    if (result_ != CUDA_SUCCESS) {                                                                 \
      cuGetErrorName(result_, &name_);                                                             \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_);                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#endif
