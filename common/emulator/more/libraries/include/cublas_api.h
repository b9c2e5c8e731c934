#include "cublas_v2.h" /* the functions without a handle are not implemented */
