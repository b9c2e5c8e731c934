/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef DRIVER_FUNCTIONS_H
#define DRIVER_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
