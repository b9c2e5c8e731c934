#include "cublas_v2.h" /* the first version of the library, without handles, is not here */
