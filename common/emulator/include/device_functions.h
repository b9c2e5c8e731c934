/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef DEVICE_FUNCTIONS_H
#define DEVICE_FUNCTIONS_H
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
