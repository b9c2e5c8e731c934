/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef DEVICE_FUNCTIONS_H
#define DEVICE_FUNCTIONS_H
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
