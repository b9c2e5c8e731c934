/* The header that CUDA compilers include before every .cu file. It declares the runtime API and the
 * vector types. For a CUDA compiler, it also declares the device functions of the language. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* the toolkit's include guard, which programs test */

#ifdef __CUDA__
#include "cuda_device.h"
#endif
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#ifdef __CUDA__
#include "cuda_host_math.h"
#include "texture_fetch_functions.h"
#endif
#ifdef __cplusplus
#include "cuda_runtime_templates.h"
#endif

#endif
