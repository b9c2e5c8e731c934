/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef SM_60_ATOMIC_FUNCTIONS_H
#define SM_60_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
