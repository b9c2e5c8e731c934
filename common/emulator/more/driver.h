/* What the files of the driver API share. */
#ifndef DRIVER_H
#define DRIVER_H

#include "include/cuda.h"

CUresult driver_result(cudaError_t); /* of the runtime's call beneath */

#endif
