/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef CUDA_PROFILER_API_H
#define CUDA_PROFILER_API_H

#include "cuda_runtime.h"

#endif
