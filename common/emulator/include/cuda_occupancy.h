/* Thrust includes it; the calculator of occupancy itself, which is plain C++, is not here: the runtime API answers. */
#include "cuda_runtime_api.h"
