/* Declarations shared by the files that implement the driver API. */
#ifndef DRIVER_H
#define DRIVER_H

#include "include/cuda.h"

CUresult driver_result(cudaError_t); /* converts the result of a runtime call */

#endif
