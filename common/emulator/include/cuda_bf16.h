/* bfloat16, a format that consists of the upper 16 bits of a float. __nv_bfloat16 is one value,
 * __nv_bfloat162 two values in a word. cuda_short_float.h implements both. */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#define CUDA_SHORT __nv_bfloat16
#define CUDA_SHORT2 __nv_bfloat162
#define CUDA_SHORT_RAW __nv_bfloat16_raw
#define CUDA_SHORT_NAME bfloat16
#define CUDA_SHORT_PTX "bf16"
#define CUDA_SHORT_DIGITS 8
#define CUDA_SHORT_LEAST -126
#define CUDA_SHORT_INFINITY 0x7f80
#define CUDA_SHORT_LIMIT 0x1p128
#include "cuda_short_float.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif
