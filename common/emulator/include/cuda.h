/* Programs include it by habit for the runtime API; the driver API itself (cu...) is not part of
 * the emulated device. */
#ifndef CUDA_H
#define CUDA_H

#define CUDA_VERSION 13000
#include "cuda_runtime.h"

#endif
