/* make_float4 and the other functions that construct vectors. */
#ifndef VECTOR_FUNCTIONS_H
#define VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define CUDA_VECTOR_MAKERS(name, element, align2, align4)                                          \
  CUDA_BOTH struct name##1 make_##name##1(element x) {                                             \
    struct name##1 v = {x};                                                                        \
    return v;                                                                                      \
  }                                                                                                \
  CUDA_BOTH struct name##2 make_##name##2(element x, element y) {                                  \
    struct name##2 v = {x, y};                                                                     \
    return v;                                                                                      \
  }                                                                                                \
  CUDA_BOTH struct name##3 make_##name##3(element x, element y, element z) {                       \
    struct name##3 v = {x, y, z};                                                                  \
    return v;                                                                                      \
  }                                                                                                \
  CUDA_BOTH struct name##4 make_##name##4(element x, element y, element z, element w) {            \
    struct name##4 v = {x, y, z, w};                                                               \
    return v;                                                                                      \
  }
CUDA_VECTOR_TYPES(CUDA_VECTOR_MAKERS)

#define CUDA_LONG_VECTOR_MAKER(name, element)                                                      \
  CUDA_BOTH struct name make_##name(element x, element y, element z, element w) {                  \
    struct name v = {x, y, z, w};                                                                  \
    return v;                                                                                      \
  }
#define CUDA_LONG_VECTOR_MAKERS(name, element)                                                     \
  CUDA_LONG_VECTOR_MAKER(name##4_16a, element)                                                     \
  CUDA_LONG_VECTOR_MAKER(name##4_32a, element)
CUDA_LONG_VECTOR_TYPES(CUDA_LONG_VECTOR_MAKERS)

#endif
