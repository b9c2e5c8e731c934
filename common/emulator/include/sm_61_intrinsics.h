/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef SM_61_INTRINSICS_H
#define SM_61_INTRINSICS_H

#include "cuda_runtime.h"

#endif
