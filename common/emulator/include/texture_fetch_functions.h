/* tex1Dfetch, tex1D, tex2D, tex3D and related functions for clang. Each of them is one instruction,
 * which fetches four channels of 32 bits. The header also defines surf1Dread and related functions.
 * The device has no mipmaps, so levels of detail and gradients are ignored. cuda_runtime.h includes
 * this header. */
#ifndef TEXTURE_FETCH_FUNCTIONS_H
#define TEXTURE_FETCH_FUNCTIONS_H

#define CUDA_TEX_HERE static __attribute__((device, nodebug, always_inline, unused)) inline

/* ---- the instruction: channels of type K, coordinates --------------------------------------- */
#define CUDA_TEX_FETCH(K, ptx, letter, name, geometry, places, C, coordinate, coordinates, ...)    \
  CUDA_TEX_HERE void name(K *t, cudaTextureObject_t object, CUDA_TEX_##coordinates(C)) {           \
    __asm__ volatile("tex." geometry ".v4." ptx "." coordinate " {%0, %1, %2, %3}, [%4, " places   \
                     "];"                                                                          \
                     : "=" letter(t[0]), "=" letter(t[1]), "=" letter(t[2]), "=" letter(t[3])      \
                     : "l"(object), __VA_ARGS__);                                                  \
  }
#define CUDA_TEX_1(C) C x
#define CUDA_TEX_2(C) C x, C y
#define CUDA_TEX_3(C) C x, C y, C z
#define CUDA_TEX_A1(C) C x, int layer
#define CUDA_TEX_A2(C) C x, C y, int layer
#define CUDA_TEX_FETCHES(K, ptx, letter)                                                           \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_number, "1d", "{%5}", int, "s32", 1, "r"(x))             \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_1d, "1d", "{%5}", float, "f32", 1, "f"(x))               \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_2d, "2d", "{%5, %6}", float, "f32", 2, "f"(x), "f"(y))   \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_3d, "3d", "{%5, %6, %7, %7}", float, "f32", 3, "f"(x),   \
                 "f"(y), "f"(z))                                                                   \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_cube, "cube", "{%5, %6, %7, %7}", float, "f32", 3,       \
                 "f"(x), "f"(y), "f"(z))                                                           \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_a1d, "a1d", "{%6, %5}", float, "f32", A1, "f"(x),        \
                 "r"(layer))                                                                       \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_a2d, "a2d", "{%7, %5, %6, %6}", float, "f32", A2,        \
                 "f"(x), "f"(y), "r"(layer))                                                       \
  CUDA_TEX_HERE void cuda_tex_gather(K *t, cudaTextureObject_t object, float x, float y,           \
                                     int component) {                                              \
    if (component == 0)                                                                            \
      CUDA_TEX_GATHER(ptx, letter, "r");                                                           \
    else if (component == 1)                                                                       \
      CUDA_TEX_GATHER(ptx, letter, "g");                                                           \
    else if (component == 2)                                                                       \
      CUDA_TEX_GATHER(ptx, letter, "b");                                                           \
    else                                                                                           \
      CUDA_TEX_GATHER(ptx, letter, "a");                                                           \
  }
#define CUDA_TEX_GATHER(ptx, letter, component)                                                    \
  __asm__ volatile("tld4." component ".2d.v4." ptx ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"        \
                   : "=" letter(t[0]), "=" letter(t[1]), "=" letter(t[2]), "=" letter(t[3])        \
                   : "l"(object), "f"(x), "f"(y))
CUDA_TEX_FETCHES(float, "f32", "f")
CUDA_TEX_FETCHES(int, "s32", "r")
CUDA_TEX_FETCHES(unsigned int, "u32", "r")

/* ---- from channels to the type that the program asks for ------------------------------------- */
template <class T> struct CudaTexel;
#define CUDA_TEXEL(T, K, ...)                                                                      \
  template <> struct CudaTexel<T> {                                                                \
    typedef K channel;                                                                             \
    CUDA_TEX_HERE T of(const K *t) { return __VA_ARGS__; }                                         \
  };
#define CUDA_TEXELS(T, V, K)                                                                       \
  CUDA_TEXEL(T, K, (T)t[0])                                                                        \
  CUDA_TEXEL(V##1, K, make_##V##1((T)t[0]))                                                        \
  CUDA_TEXEL(V##2, K, make_##V##2((T)t[0], (T)t[1]))                                               \
  CUDA_TEXEL(V##4, K, make_##V##4((T)t[0], (T)t[1], (T)t[2], (T)t[3]))
CUDA_TEXEL(char, int, (char)t[0])
CUDA_TEXELS(signed char, char, int)
CUDA_TEXELS(unsigned char, uchar, unsigned int)
CUDA_TEXELS(short, short, int)
CUDA_TEXELS(unsigned short, ushort, unsigned int)
CUDA_TEXELS(int, int, int)
CUDA_TEXELS(unsigned int, uint, unsigned int)
CUDA_TEXELS(float, float, float)

#define CUDA_TEX(name, fetch, parameters, ...)                                                     \
  template <class T> CUDA_TEX_HERE T name(cudaTextureObject_t object, parameters) {                \
    typename CudaTexel<T>::channel t[4];                                                           \
    fetch(t, object, __VA_ARGS__);                                                                 \
    return CudaTexel<T>::of(t);                                                                    \
  }                                                                                                \
  template <class T> CUDA_TEX_HERE void name(T *out, cudaTextureObject_t object, parameters) {     \
    *out = name<T>(object, __VA_ARGS__);                                                           \
  }
#define CUDA_TEX_LIST(...) __VA_ARGS__
#define CUDA_TEX_MORE(name, fetch, parameters, slope, ...)                                         \
  CUDA_TEX(name, fetch, CUDA_TEX_LIST(parameters), __VA_ARGS__)                                    \
  CUDA_TEX(name##Lod, fetch, CUDA_TEX_LIST(parameters, float), __VA_ARGS__)                        \
  CUDA_TEX(name##Grad, fetch, CUDA_TEX_LIST(parameters, slope, slope), __VA_ARGS__)
CUDA_TEX(tex1Dfetch, cuda_tex_number, int x, x)
CUDA_TEX_MORE(tex1D, cuda_tex_1d, float x, float, x)
CUDA_TEX_MORE(tex2D, cuda_tex_2d, CUDA_TEX_LIST(float x, float y), float2, x, y)
CUDA_TEX_MORE(tex3D, cuda_tex_3d, CUDA_TEX_LIST(float x, float y, float z), float4, x, y, z)
CUDA_TEX_MORE(tex1DLayered, cuda_tex_a1d, CUDA_TEX_LIST(float x, int layer), float, x, layer)
CUDA_TEX_MORE(tex2DLayered, cuda_tex_a2d, CUDA_TEX_LIST(float x, float y, int layer), float2, x, y,
              layer)
CUDA_TEX_MORE(texCubemap, cuda_tex_cube, CUDA_TEX_LIST(float x, float y, float z), float4, x, y, z)
CUDA_TEX(tex2Dgather, cuda_tex_gather, CUDA_TEX_LIST(float x, float y, int component = 0), x, y,
         component)

/* ---- surfaces: elements of 1 to 16 bytes, x in bytes ----------------------------------------- */
#define CUDA_SURFACE_READ(geometry, places, mode, ...)                                             \
  if (sizeof(T) == 1)                                                                              \
    __asm__ volatile("suld.b." geometry ".b8." mode " %[h], [%[s], " places "];"                   \
                     : [h] "=h"(half)                                                              \
                     : [s] "l"(object), __VA_ARGS__                                                \
                     : "memory");                                                                  \
  else if (sizeof(T) == 2)                                                                         \
    __asm__ volatile("suld.b." geometry ".b16." mode " %[h], [%[s], " places "];"                  \
                     : [h] "=h"(half)                                                              \
                     : [s] "l"(object), __VA_ARGS__                                                \
                     : "memory");                                                                  \
  else if (sizeof(T) == 4)                                                                         \
    __asm__ volatile("suld.b." geometry ".b32." mode " %[a], [%[s], " places "];"                  \
                     : [a] "=r"(word[0])                                                           \
                     : [s] "l"(object), __VA_ARGS__                                                \
                     : "memory");                                                                  \
  else if (sizeof(T) == 8)                                                                         \
    __asm__ volatile("suld.b." geometry ".v2.b32." mode " {%[a], %[b]}, [%[s], " places "];"       \
                     : [a] "=r"(word[0]), [b] "=r"(word[1])                                        \
                     : [s] "l"(object), __VA_ARGS__                                                \
                     : "memory");                                                                  \
  else                                                                                             \
    __asm__ volatile("suld.b." geometry ".v4.b32." mode                                            \
                     " {%[a], %[b], %[c], %[d]}, [%[s], " places "];"                              \
                     : [a] "=r"(word[0]), [b] "=r"(word[1]), [c] "=r"(word[2]), [d] "=r"(word[3])  \
                     : [s] "l"(object), __VA_ARGS__                                                \
                     : "memory")
#define CUDA_SURFACE_WRITE(geometry, places, mode, ...)                                            \
  if (sizeof(T) == 1)                                                                              \
    __asm__ volatile("sust.b." geometry ".b8." mode " [%[s], " places "], %[h];"                   \
                     :                                                                             \
                     : [s] "l"(object), [h] "h"(half), __VA_ARGS__                                 \
                     : "memory");                                                                  \
  else if (sizeof(T) == 2)                                                                         \
    __asm__ volatile("sust.b." geometry ".b16." mode " [%[s], " places "], %[h];"                  \
                     :                                                                             \
                     : [s] "l"(object), [h] "h"(half), __VA_ARGS__                                 \
                     : "memory");                                                                  \
  else if (sizeof(T) == 4)                                                                         \
    __asm__ volatile("sust.b." geometry ".b32." mode " [%[s], " places "], %[a];"                  \
                     :                                                                             \
                     : [s] "l"(object), [a] "r"(word[0]), __VA_ARGS__                              \
                     : "memory");                                                                  \
  else if (sizeof(T) == 8)                                                                         \
    __asm__ volatile("sust.b." geometry ".v2.b32." mode " [%[s], " places "], {%[a], %[b]};"       \
                     :                                                                             \
                     : [s] "l"(object), [a] "r"(word[0]), [b] "r"(word[1]), __VA_ARGS__            \
                     : "memory");                                                                  \
  else                                                                                             \
    __asm__ volatile(                                                                              \
        "sust.b." geometry ".v4.b32." mode " [%[s], " places "], {%[a], %[b], %[c], %[d]};"        \
        :                                                                                          \
        : [s] "l"(object), [a] "r"(word[0]), [b] "r"(word[1]), [c] "r"(word[2]), [d] "r"(word[3]), \
          __VA_ARGS__                                                                              \
        : "memory")
#define CUDA_SURFACE_MODES(DO, geometry, places, ...)                                              \
  if (mode == cudaBoundaryModeZero) {                                                              \
    DO(geometry, places, "zero", __VA_ARGS__);                                                     \
  } else if (mode == cudaBoundaryModeClamp) {                                                      \
    DO(geometry, places, "clamp", __VA_ARGS__);                                                    \
  } else {                                                                                         \
    DO(geometry, places, "trap", __VA_ARGS__);                                                     \
  }
#define CUDA_SURFACE(name, geometry, places, parameters, arguments, ...)                           \
  template <class T>                                                                               \
  CUDA_TEX_HERE T name##read(cudaSurfaceObject_t object, parameters,                               \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    T value;                                                                                       \
    unsigned short half = 0;                                                                       \
    unsigned int word[4];                                                                          \
    CUDA_SURFACE_MODES(CUDA_SURFACE_READ, geometry, places, __VA_ARGS__)                           \
    __builtin_memcpy(&value, sizeof(T) < 4 ? (void *)&half : (void *)word, sizeof(T));             \
    return value;                                                                                  \
  }                                                                                                \
  template <class T>                                                                               \
  CUDA_TEX_HERE void name##read(T *to, cudaSurfaceObject_t object, parameters,                     \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    *to = name##read<T>(object, arguments, mode);                                                  \
  }                                                                                                \
  template <class T>                                                                               \
  CUDA_TEX_HERE void name##write(T value, cudaSurfaceObject_t object, parameters,                  \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    unsigned short half = 0;                                                                       \
    unsigned int word[4];                                                                          \
    __builtin_memcpy(sizeof(T) < 4 ? (void *)&half : (void *)word, &value, sizeof(T));             \
    CUDA_SURFACE_MODES(CUDA_SURFACE_WRITE, geometry, places, __VA_ARGS__)                          \
  }
CUDA_SURFACE(surf1D, "1d", "{%[x]}", int x, x, [x] "r"(x))
CUDA_SURFACE(surf2D, "2d", "{%[x], %[y]}", CUDA_TEX_LIST(int x, int y),
             CUDA_TEX_LIST(x, y), [x] "r"(x), [y] "r"(y))
CUDA_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", CUDA_TEX_LIST(int x, int y, int z),
             CUDA_TEX_LIST(x, y, z), [x] "r"(x), [y] "r"(y), [z] "r"(z))
CUDA_SURFACE(surf1DLayered, "a1d", "{%[l], %[x]}", CUDA_TEX_LIST(int x, int layer),
             CUDA_TEX_LIST(x, layer), [x] "r"(x), [l] "r"(layer))
CUDA_SURFACE(surf2DLayered, "a2d", "{%[l], %[x], %[y], %[y]}",
             CUDA_TEX_LIST(int x, int y, int layer),
             CUDA_TEX_LIST(x, y, layer), [x] "r"(x), [y] "r"(y), [l] "r"(layer))
CUDA_SURFACE(surfCubemap, "a2d", "{%[l], %[x], %[y], %[y]}", CUDA_TEX_LIST(int x, int y, int face),
             CUDA_TEX_LIST(x, y, face), [x] "r"(x), [y] "r"(y), [l] "r"(face))

#endif
