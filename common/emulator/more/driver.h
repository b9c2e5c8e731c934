/* Functions shared by the files of the driver API. */
#ifndef DRIVER_H
#define DRIVER_H

#include "include/cuda.h"

CUresult driver_result(cudaError_t); /* Converts the result of a runtime call. */

#endif
