/* CUDA's vector types and dim3. Their sizes and alignments are the same as in CUDA, because these
 * determine how kernel arguments are passed and which loads a kernel uses. For example, a float4 is
 * aligned to 16 bytes, so one instruction can load it. */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#include "host_defines.h"

/* VECTORS(name, element type, alignment of the vector of 2, alignment of the vector of 4). Vectors
 * of one and three elements have the alignment of the element. */
#define CUDA_VECTOR_TYPES(VECTORS)                                                                 \
  VECTORS(char, signed char, 2, 4)                                                                 \
  VECTORS(uchar, unsigned char, 2, 4)                                                              \
  VECTORS(short, short, 4, 8)                                                                      \
  VECTORS(ushort, unsigned short, 4, 8)                                                            \
  VECTORS(int, int, 8, 16)                                                                         \
  VECTORS(uint, unsigned int, 8, 16)                                                               \
  VECTORS(long, long, 16, 16)                                                                      \
  VECTORS(ulong, unsigned long, 16, 16)                                                            \
  VECTORS(longlong, long long, 16, 16)                                                             \
  VECTORS(ulonglong, unsigned long long, 16, 16)                                                   \
  VECTORS(float, float, 8, 16)                                                                     \
  VECTORS(double, double, 16, 16)

#define CUDA_VECTOR_STRUCTS(name, element, align2, align4)                                         \
  struct name##1 {                                                                                 \
    element x;                                                                                     \
  };                                                                                               \
  struct __align__(align2) name##2 {                                                               \
    element x, y;                                                                                  \
  };                                                                                               \
  struct name##3 {                                                                                 \
    element x, y, z;                                                                               \
  };                                                                                               \
  struct __align__(align4) name##4 {                                                               \
    element x, y, z, w;                                                                            \
  };                                                                                               \
  typedef struct name##1 name##1;                                                                  \
  typedef struct name##2 name##2;                                                                  \
  typedef struct name##3 name##3;                                                                  \
  typedef struct name##4 name##4;
CUDA_VECTOR_TYPES(CUDA_VECTOR_STRUCTS)

/* Since CUDA 13, vectors of four 64-bit elements also have types whose names contain their
 * alignment. */
#define CUDA_LONG_VECTOR_TYPES(VECTORS)                                                            \
  VECTORS(long, long)                                                                              \
  VECTORS(ulong, unsigned long)                                                                    \
  VECTORS(longlong, long long)                                                                     \
  VECTORS(ulonglong, unsigned long long)                                                           \
  VECTORS(double, double)
#define CUDA_LONG_VECTOR_STRUCTS(name, element)                                                    \
  typedef struct __align__(16) name##4_16a {                                                       \
    element x, y, z, w;                                                                            \
  }                                                                                                \
  name##4_16a;                                                                                     \
  typedef struct __align__(32) name##4_32a {                                                       \
    element x, y, z, w;                                                                            \
  }                                                                                                \
  name##4_32a;
CUDA_LONG_VECTOR_TYPES(CUDA_LONG_VECTOR_STRUCTS)

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
struct dim3 {
  unsigned int x, y, z;
};
#endif
typedef struct dim3 dim3;

#endif
