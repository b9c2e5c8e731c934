/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef DEVICE_LAUNCH_PARAMETERS_H
#define DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"

#endif
