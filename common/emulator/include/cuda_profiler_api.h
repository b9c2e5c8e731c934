/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef CUDA_PROFILER_API_H
#define CUDA_PROFILER_API_H

#include "cuda_runtime.h"

#endif
