// Checks the results of driver API calls in test programs.
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
