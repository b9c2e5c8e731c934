/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef DRIVER_FUNCTIONS_H
#define DRIVER_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
