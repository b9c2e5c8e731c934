// Every function of CUDA's math library in double precision, within its documented error: over the
// whole range of arguments, special values included.
typedef double T;
typedef long double W;
#define FN(name) name
#define BOUND(single, twice) (twice)
#include "math_bounds.h"
