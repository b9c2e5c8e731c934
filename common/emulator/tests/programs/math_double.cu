// Tests every function of CUDA's math library in double precision against its documented error,
// over the whole range of arguments and for special values.
typedef double T;
typedef long double W;
#define FN(name) name
#define BOUND(single, twice) (twice)
#include "math_bounds.h"
