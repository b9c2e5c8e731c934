// Every function of CUDA's math library in single precision, within its documented error: over the
// whole range of arguments, special values included.
typedef float T;
typedef double W;
#define FN(name) name##f
#define BOUND(single, twice) (single)
#include "math_bounds.h"
