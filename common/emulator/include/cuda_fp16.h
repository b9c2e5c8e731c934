/* Half precision. __half is one value, __half2 two values in a word. cuda_short_float.h implements
 * both. */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define CUDA_SHORT __half
#define CUDA_SHORT2 __half2
#define CUDA_SHORT_RAW __half_raw
#define CUDA_SHORT_NAME half
#define CUDA_SHORT_PTX "f16"
#define CUDA_SHORT_DIGITS 11
#define CUDA_SHORT_LEAST -14
#define CUDA_SHORT_INFINITY 0x7c00
#define CUDA_SHORT_LIMIT 65536.0
#include "cuda_short_float.h"
typedef __half half;
typedef __half2 half2;
#endif

#endif
