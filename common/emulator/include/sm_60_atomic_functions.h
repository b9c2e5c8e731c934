/* Programs include it by habit; cuda_runtime.h has it all. */
#ifndef SM_60_ATOMIC_FUNCTIONS_H
#define SM_60_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
