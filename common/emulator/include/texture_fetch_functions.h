/* tex1Dfetch, tex1D, tex2D and tex3D for clang: one instruction each, which gives four channels of
 * 32 bits. Included by cuda_runtime.h.
 */
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
#define CUDA_TEX_FETCHES(K, ptx, letter)                                                           \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_number, "1d", "{%5}", int, "s32", 1, "r"(x))             \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_1d, "1d", "{%5}", float, "f32", 1, "f"(x))               \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_2d, "2d", "{%5, %6}", float, "f32", 2, "f"(x), "f"(y))   \
  CUDA_TEX_FETCH(K, ptx, letter, cuda_tex_3d, "3d", "{%5, %6, %7, %7}", float, "f32", 3, "f"(x),   \
                 "f"(y), "f"(z))
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
#define CUDA_TEX_COMMA ,
CUDA_TEX(tex1Dfetch, cuda_tex_number, int x, x)
CUDA_TEX(tex1D, cuda_tex_1d, float x, x)
CUDA_TEX(tex2D, cuda_tex_2d, float x CUDA_TEX_COMMA float y, x, y)
CUDA_TEX(tex3D, cuda_tex_3d, float x CUDA_TEX_COMMA float y CUDA_TEX_COMMA float z, x, y, z)

#endif
