/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef DEVICE_LAUNCH_PARAMETERS_H
#define DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
