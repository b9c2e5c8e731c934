/* Programs may include this header; cuda_runtime.h has the declarations. */
#ifndef SM_61_INTRINSICS_H
#define SM_61_INTRINSICS_H

#include "cuda_runtime.h"

#endif
