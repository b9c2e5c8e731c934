// Tests every function of CUDA's math library in single precision against its documented error,
// over the whole range of arguments and for special values.
typedef float T;
typedef double W;
#define FN(name) name##f
#define BOUND(single, twice) (single)
#include "math_bounds.h"
