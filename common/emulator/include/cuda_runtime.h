/* The header that compilers include before every .cu file: the runtime API, the short vectors and,
 * for a CUDA compiler, the language. In C it has the runtime API only.
 */
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
