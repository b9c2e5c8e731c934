/* Texture and surface references, which CUDA 12 has removed but books still use. A program declares
 * texture<float, 2> name; at file scope, binds it to memory in host code, and reads it in kernels
 * by its name. In this header, a reference is a device variable that holds a texture object, which
 * is created when the reference is bound. Its host copy holds the settings of the program. Before
 * such a source is compiled, chevrons.sh replaces the declaration by __device__
 * cuda_texture_reference<float, 2> name; and includes this header. */
#ifndef LOCKSTEP_OLDER_TEXTURES_H
#define LOCKSTEP_OLDER_TEXTURES_H

#include <cuda_runtime.h>

#ifndef cudaTextureType1D
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#endif
#ifndef cudaSurfaceType1D
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#endif

template <class T, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct cuda_texture_reference {
  cudaTextureObject_t object = 0;
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                           cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc = {};
};
template <class T, int dimensions = cudaSurfaceType1D> struct cuda_surface_reference {
  cudaSurfaceObject_t object = 0;
};

/* ---- the host's side ------------------------------------------------------------------------- */
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const cuda_texture_reference<T, d, mode> &reference) {
  auto &own = const_cast<cuda_texture_reference<T, d, mode> &>(reference);
  cudaError_t error = own.object ? cudaDestroyTextureObject(own.object) : cudaSuccess;
  own.object = 0;
  return error;
}

template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cuda_bind(const cuda_texture_reference<T, d, mode> &reference,
                                    const cudaResourceDesc &resource) {
  auto &own = const_cast<cuda_texture_reference<T, d, mode> &>(reference);
  cudaTextureDesc chosen = {};
  cudaError_t error = cudaUnbindTexture(reference);
  for (int i = 0; i < 3; i++)
    chosen.addressMode[i] = own.addressMode[i];
  chosen.filterMode = own.filterMode;
  chosen.readMode = mode;
  chosen.normalizedCoords = own.normalized;
  if (!error)
    error = cudaCreateTextureObject(&own.object, &resource, &chosen, NULL);
  return error ? error : cudaMemcpyToSymbol(reference, &own.object, sizeof own.object);
}

/* Without `bytes`, binds the maximum size of a one-dimensional texture. */
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset,
                                          const cuda_texture_reference<T, d, mode> &reference,
                                          const void *memory, const cudaChannelFormatDesc &format,
                                          size_t bytes = 0xffffffff) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void *>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes < sizeof(T) << 27 ? bytes : sizeof(T) << 27;
  if (offset)
    *offset = 0;
  return cuda_bind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset,
                                          const cuda_texture_reference<T, d, mode> &reference,
                                          const void *memory, size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, reference, memory, cudaCreateChannelDesc<T>(), bytes);
}

template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset,
                                            const cuda_texture_reference<T, d, mode> &reference,
                                            const void *memory, const cudaChannelFormatDesc &format,
                                            size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void *>(memory);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset)
    *offset = 0;
  return cuda_bind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t
cudaBindTexture2D(size_t *offset, const cuda_texture_reference<T, d, mode> &reference,
                  const void *memory, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, cudaCreateChannelDesc<T>(), width, height,
                           pitch);
}

template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t
cudaBindTextureToArray(const cuda_texture_reference<T, d, mode> &reference,
                       cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return cuda_bind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t
cudaBindTextureToArray(const cuda_texture_reference<T, d, mode> &reference, cudaArray_const_t array,
                       const cudaChannelFormatDesc &) {
  return cudaBindTextureToArray(reference, array);
}

template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const cuda_surface_reference<T, d> &reference,
                                                 cudaArray_const_t array) {
  auto &own = const_cast<cuda_surface_reference<T, d> &>(reference);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  cudaError_t error = own.object ? cudaDestroySurfaceObject(own.object) : cudaSuccess;
  if (!error)
    error = cudaCreateSurfaceObject(&own.object, &resource);
  return error ? error : cudaMemcpyToSymbol(reference, &own.object, sizeof own.object);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const cuda_surface_reference<T, d> &reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &) {
  return cudaBindSurfaceToArray(reference, array);
}

/* The same functions with pointers to the references, as in C. */
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const cuda_texture_reference<T, d, mode> *reference) {
  return cudaUnbindTexture(*reference);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset,
                                          const cuda_texture_reference<T, d, mode> *reference,
                                          const void *memory, const cudaChannelFormatDesc *format,
                                          size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, *reference, memory, *format, bytes);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset,
                                            const cuda_texture_reference<T, d, mode> *reference,
                                            const void *memory, const cudaChannelFormatDesc *format,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, *reference, memory, *format, width, height, pitch);
}
template <class T, int d, cudaTextureReadMode mode>
static inline cudaError_t
cudaBindTextureToArray(const cuda_texture_reference<T, d, mode> *reference, cudaArray_const_t array,
                       const cudaChannelFormatDesc *) {
  return cudaBindTextureToArray(*reference, array);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const cuda_surface_reference<T, d> *reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *) {
  return cudaBindSurfaceToArray(*reference, array);
}

/* ---- the kernels' ---------------------------------------------------------------------------- */
/* The type that a fetch returns: the type of the element, or a float in [0, 1] or [-1, 1]. */
template <class T, cudaTextureReadMode mode> struct cuda_fetched { typedef T type; };
#define CUDA_FETCHED(T, V)                                                                         \
  template <> struct cuda_fetched<T, cudaReadModeNormalizedFloat> { typedef float type; };         \
  template <> struct cuda_fetched<V##1, cudaReadModeNormalizedFloat> { typedef float1 type; };     \
  template <> struct cuda_fetched<V##2, cudaReadModeNormalizedFloat> { typedef float2 type; };     \
  template <> struct cuda_fetched<V##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
CUDA_FETCHED(signed char, char)
CUDA_FETCHED(unsigned char, uchar)
CUDA_FETCHED(short, short)
CUDA_FETCHED(unsigned short, ushort)
#undef CUDA_FETCHED

#define CUDA_LIST(...) __VA_ARGS__
#define CUDA_FETCH(name, parameters, ...)                                                          \
  template <class T, int d, cudaTextureReadMode mode>                                              \
  static __device__ inline typename cuda_fetched<T, mode>::type name(                              \
      const cuda_texture_reference<T, d, mode> &reference, parameters) {                           \
    return name<typename cuda_fetched<T, mode>::type>(reference.object, __VA_ARGS__);              \
  }
CUDA_FETCH(tex1Dfetch, int x, x)
CUDA_FETCH(tex1D, float x, x)
CUDA_FETCH(tex2D, CUDA_LIST(float x, float y), x, y)
CUDA_FETCH(tex3D, CUDA_LIST(float x, float y, float z), x, y, z)
CUDA_FETCH(tex1DLayered, CUDA_LIST(float x, int layer), x, layer)
CUDA_FETCH(tex2DLayered, CUDA_LIST(float x, float y, int layer), x, y, layer)
CUDA_FETCH(texCubemap, CUDA_LIST(float x, float y, float z), x, y, z)
#undef CUDA_FETCH

#define CUDA_PLACE(name, parameters, ...)                                                          \
  template <class T, class S, int d>                                                               \
  static __device__ inline void name##write(                                                       \
      T value, const cuda_surface_reference<S, d> &reference, parameters,                          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                       \
    name##write(value, reference.object, __VA_ARGS__, mode);                                       \
  }                                                                                                \
  template <class T, class S, int d>                                                               \
  static __device__ inline void name##read(T *to, const cuda_surface_reference<S, d> &reference,   \
                                           parameters,                                             \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    name##read(to, reference.object, __VA_ARGS__, mode);                                           \
  }                                                                                                \
  template <class T, class S, int d>                                                               \
  static __device__ inline T name##read(const cuda_surface_reference<S, d> &reference, parameters, \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return name##read<T>(reference.object, __VA_ARGS__, mode);                                     \
  }
CUDA_PLACE(surf1D, int x, x)
CUDA_PLACE(surf2D, CUDA_LIST(int x, int y), x, y)
CUDA_PLACE(surf3D, CUDA_LIST(int x, int y, int z), x, y, z)
CUDA_PLACE(surf1DLayered, CUDA_LIST(int x, int layer), x, layer)
CUDA_PLACE(surf2DLayered, CUDA_LIST(int x, int y, int layer), x, y, layer)
#undef CUDA_PLACE
#undef CUDA_LIST

#endif
