/* Device functions that clang's headers do not define: loads and stores with cache hints,
 * conversions between address spaces, dot products of bytes, and reductions of a warp. Each is one
 * PTX instruction. cuda_device.h includes this header. */
#ifndef CUDA_INTRINSICS_H
#define CUDA_INTRINSICS_H

/* ---- cache hints: element, its name in vectors, PTX type, constraint, register --------------- */
#define CUDA_HINTED_SCALARS(MAKE, name, hint)                                                      \
  MAKE(char, "s8", "r", int, name, hint)                                                           \
  MAKE(signed char, "s8", "r", int, name, hint)                                                    \
  MAKE(short, "s16", "h", short, name, hint)                                                       \
  MAKE(int, "s32", "r", int, name, hint)                                                           \
  MAKE(long, "s64", "l", long, name, hint)                                                         \
  MAKE(long long, "s64", "l", long long, name, hint)                                               \
  MAKE(unsigned char, "u8", "r", unsigned, name, hint)                                             \
  MAKE(unsigned short, "u16", "h", unsigned short, name, hint)                                     \
  MAKE(unsigned int, "u32", "r", unsigned, name, hint)                                             \
  MAKE(unsigned long, "u64", "l", unsigned long, name, hint)                                       \
  MAKE(unsigned long long, "u64", "l", unsigned long long, name, hint)                             \
  MAKE(float, "f32", "f", float, name, hint)                                                       \
  MAKE(double, "f64", "d", double, name, hint)
#define CUDA_HINTED_QUADS(MAKE, name, hint)                                                        \
  MAKE(char, signed char, "s8", "r", int, name, hint)                                              \
  MAKE(short, short, "s16", "h", short, name, hint)                                                \
  MAKE(int, int, "s32", "r", int, name, hint)                                                      \
  MAKE(uchar, unsigned char, "u8", "r", unsigned, name, hint)                                      \
  MAKE(ushort, unsigned short, "u16", "h", unsigned short, name, hint)                             \
  MAKE(uint, unsigned int, "u32", "r", unsigned, name, hint)                                       \
  MAKE(float, float, "f32", "f", float, name, hint)
#define CUDA_HINTED_PAIRS(MAKE, name, hint)                                                        \
  CUDA_HINTED_QUADS(MAKE, name, hint)                                                              \
  MAKE(longlong, long long, "s64", "l", long long, name, hint)                                     \
  MAKE(ulonglong, unsigned long long, "u64", "l", unsigned long long, name, hint)                  \
  MAKE(double, double, "f64", "d", double, name, hint)

#define CUDA_LOAD(T, ptx, letter, R, name, hint)                                                   \
  CUDA_DEVICE T name(const T *p) {                                                                 \
    R x;                                                                                           \
    __asm__ volatile("ld.global." hint "." ptx " %0, [%1];" : "=" letter(x) : "l"(p) : "memory");  \
    return (T)x;                                                                                   \
  }
#define CUDA_LOAD2(V, T, ptx, letter, R, name, hint)                                               \
  CUDA_DEVICE V##2 name(const V##2 * p) {                                                          \
    R x, y;                                                                                        \
    __asm__ volatile("ld.global." hint ".v2." ptx " {%0, %1}, [%2];"                               \
                     : "=" letter(x), "=" letter(y)                                                \
                     : "l"(p)                                                                      \
                     : "memory");                                                                  \
    return make_##V##2((T)x, (T)y);                                                                \
  }
#define CUDA_LOAD4(V, T, ptx, letter, R, name, hint)                                               \
  CUDA_DEVICE V##4 name(const V##4 * p) {                                                          \
    R x, y, z, w;                                                                                  \
    __asm__ volatile("ld.global." hint ".v4." ptx " {%0, %1, %2, %3}, [%4];"                       \
                     : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                  \
                     : "l"(p)                                                                      \
                     : "memory");                                                                  \
    return make_##V##4((T)x, (T)y, (T)z, (T)w);                                                    \
  }
#define CUDA_STORE(T, ptx, letter, R, name, hint)                                                  \
  CUDA_DEVICE void name(T *p, T v) {                                                               \
    __asm__ volatile("st.global." hint "." ptx " [%0], %1;" : : "l"(p), letter((R)v) : "memory");  \
  }
#define CUDA_STORE2(V, T, ptx, letter, R, name, hint)                                              \
  CUDA_DEVICE void name(V##2 * p, V##2 v) {                                                        \
    __asm__ volatile("st.global." hint ".v2." ptx " [%0], {%1, %2};"                               \
                     :                                                                             \
                     : "l"(p), letter((R)v.x), letter((R)v.y)                                      \
                     : "memory");                                                                  \
  }
#define CUDA_STORE4(V, T, ptx, letter, R, name, hint)                                              \
  CUDA_DEVICE void name(V##4 * p, V##4 v) {                                                        \
    __asm__ volatile("st.global." hint ".v4." ptx " [%0], {%1, %2, %3, %4};"                       \
                     :                                                                             \
                     : "l"(p), letter((R)v.x), letter((R)v.y), letter((R)v.z), letter((R)v.w)      \
                     : "memory");                                                                  \
  }
#define CUDA_LOADS(name, hint)                                                                     \
  CUDA_HINTED_SCALARS(CUDA_LOAD, name, hint)                                                       \
  CUDA_HINTED_PAIRS(CUDA_LOAD2, name, hint)                                                        \
  CUDA_HINTED_QUADS(CUDA_LOAD4, name, hint)
#define CUDA_STORES(name, hint)                                                                    \
  CUDA_HINTED_SCALARS(CUDA_STORE, name, hint)                                                      \
  CUDA_HINTED_PAIRS(CUDA_STORE2, name, hint)                                                       \
  CUDA_HINTED_QUADS(CUDA_STORE4, name, hint)
CUDA_LOADS(__ldca, "ca")
CUDA_LOADS(__ldcg, "cg")
CUDA_LOADS(__ldcs, "cs")
CUDA_LOADS(__ldlu, "lu")
CUDA_LOADS(__ldcv, "cv")
CUDA_STORES(__stwb, "wb")
CUDA_STORES(__stcg, "cg")
CUDA_STORES(__stcs, "cs")
CUDA_STORES(__stwt, "wt")

/* ---- address spaces -------------------------------------------------------------------------- */
#define CUDA_SPACE(name, number)                                                                   \
  CUDA_DEVICE size_t __cvta_generic_to_##name(const void *p) {                                     \
    return (size_t)(void __attribute__((address_space(number))) *)p;                               \
  }                                                                                                \
  CUDA_DEVICE void *__cvta_##name##_to_generic(size_t p) {                                         \
    return (void *)(void __attribute__((address_space(number))) *)p;                               \
  }
CUDA_SPACE(global, 1)
CUDA_SPACE(shared, 3)
CUDA_SPACE(constant, 4)
CUDA_SPACE(local, 5)
CUDA_DEVICE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
CUDA_DEVICE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
CUDA_DEVICE unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
CUDA_DEVICE unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

/* ---- loads and stores with an order and a scope, given as constants -------------------------- */
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define CUDA_LOAD_IN(order, scope, bits, letter)                                                   \
  __asm__ volatile("ld." order "." scope ".b" bits " %0, [%1];"                                    \
                   : "=" letter(word)                                                              \
                   : "l"(p)                                                                        \
                   : "memory")
#define CUDA_STORE_IN(order, scope, bits, letter)                                                  \
  __asm__ volatile("st." order "." scope ".b" bits " [%0], %1;"                                    \
                   :                                                                               \
                   : "l"(p), letter(word)                                                          \
                   : "memor"                                                                       \
                     "y")
#define CUDA_IN_SCOPE(what, order, bits, letter)                                                   \
  if (scope <= __NV_THREAD_SCOPE_BLOCK)                                                            \
    what(order, "cta", bits, letter);                                                              \
  else if (scope <= __NV_THREAD_SCOPE_DEVICE)                                                      \
    what(order, "gpu", bits, letter);                                                              \
  else                                                                                             \
    what(order, "sys", bits, letter);
#define CUDA_ORDERED_WORD(Word, bits, letter)                                                      \
  CUDA_DEVICE Word cuda_load_ordered(const Word *p, int order, int scope) {                        \
    Word word;                                                                                     \
    if (order == __NV_ATOMIC_SEQ_CST)                                                              \
      __threadfence_system();                                                                      \
    if (order == __NV_ATOMIC_RELAXED) {                                                            \
      CUDA_IN_SCOPE(CUDA_LOAD_IN, "relaxed", bits, letter)                                         \
    } else {                                                                                       \
      CUDA_IN_SCOPE(CUDA_LOAD_IN, "acquire", bits, letter)                                         \
    }                                                                                              \
    return word;                                                                                   \
  }                                                                                                \
  CUDA_DEVICE void cuda_store_ordered(Word *p, Word word, int order, int scope) {                  \
    if (order == __NV_ATOMIC_SEQ_CST)                                                              \
      __threadfence_system();                                                                      \
    if (order == __NV_ATOMIC_RELAXED) {                                                            \
      CUDA_IN_SCOPE(CUDA_STORE_IN, "relaxed", bits, letter)                                        \
    } else {                                                                                       \
      CUDA_IN_SCOPE(CUDA_STORE_IN, "release", bits, letter)                                        \
    }                                                                                              \
  }
CUDA_ORDERED_WORD(unsigned int, "32", "r")
CUDA_ORDERED_WORD(unsigned long long, "64", "l")
template <int bytes> struct cuda_word;
template <> struct cuda_word<4> { typedef unsigned int type; };
template <> struct cuda_word<8> { typedef unsigned long long type; };
template <class T>
CUDA_DEVICE T __nv_atomic_load_n(const T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  T value;
  auto word = cuda_load_ordered((const typename cuda_word<sizeof(T)>::type *)p, order, scope);
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}
template <class T>
CUDA_DEVICE void __nv_atomic_store_n(T *p, T value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typename cuda_word<sizeof(T)>::type word;
  __builtin_memcpy(&word, &value, sizeof value);
  cuda_store_ordered((typename cuda_word<sizeof(T)>::type *)p, word, order, scope);
}

/* ---- dot products of bytes ------------------------------------------------------------------- */
#define CUDA_DOT(name, T, instruction)                                                             \
  CUDA_DEVICE T name(T a, T b, T c) {                                                              \
    T sum;                                                                                         \
    __asm__(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));                  \
    return sum;                                                                                    \
  }
#define CUDA_DOT_VECTORS(name, T, A, B)                                                            \
  CUDA_DEVICE T name(A a, B b, T c) {                                                              \
    T x, y;                                                                                        \
    __builtin_memcpy(&x, &a, sizeof x);                                                            \
    __builtin_memcpy(&y, &b, sizeof y);                                                            \
    return name(x, y, c);                                                                          \
  }
CUDA_DOT(__dp4a, int, "dp4a.s32.s32")
CUDA_DOT(__dp4a, unsigned int, "dp4a.u32.u32")
CUDA_DOT(__dp2a_lo, int, "dp2a.lo.s32.s32")
CUDA_DOT(__dp2a_lo, unsigned int, "dp2a.lo.u32.u32")
CUDA_DOT(__dp2a_hi, int, "dp2a.hi.s32.s32")
CUDA_DOT(__dp2a_hi, unsigned int, "dp2a.hi.u32.u32")
CUDA_DOT_VECTORS(__dp4a, int, char4, char4)
CUDA_DOT_VECTORS(__dp4a, unsigned int, uchar4, uchar4)
CUDA_DOT_VECTORS(__dp2a_lo, int, short2, char4)
CUDA_DOT_VECTORS(__dp2a_lo, unsigned int, ushort2, uchar4)
CUDA_DOT_VECTORS(__dp2a_hi, int, short2, char4)
CUDA_DOT_VECTORS(__dp2a_hi, unsigned int, ushort2, uchar4)

/* ---- minimum and maximum: of three, of a sum, with 0, with a predicate ----------------------- */
/* The functions exist for 32-bit integers, and for the two 16-bit halves of a word. */
template <class T, bool LARGER> CUDA_BOTH T cuda_choose(T a, T b) {
  return LARGER ? (b > a ? b : a) : (b < a ? b : a);
}
template <class T, bool LARGER, bool RELU>
CUDA_BOTH unsigned int cuda_choose_halves(unsigned int a, unsigned int b) {
  unsigned int result = 0;
  for (int at = 0; at < 32; at += 16) {
    T chosen = cuda_choose<T, LARGER>((T)(a >> at), (T)(b >> at));
    result |= (unsigned int)(unsigned short)(RELU && chosen < 0 ? 0 : chosen) << at;
  }
  return result;
}
CUDA_BOTH unsigned int cuda_add_halves(unsigned int a, unsigned int b) {
  return ((a + b) & 0xffff) | ((a & 0xffff0000u) + (b & 0xffff0000u));
}
#define CUDA_CHOICE_WORDS(choice, larger, suffix, T)                                               \
  CUDA_BOTH T __vi##choice##3_##suffix(T a, T b, T c) {                                            \
    return cuda_choose<T, larger>(cuda_choose<T, larger>(a, b), c);                                \
  }                                                                                                \
  CUDA_BOTH T __viadd##choice##_##suffix(T a, T b, T c) {                                          \
    return cuda_choose<T, larger>((T)((unsigned int)a + (unsigned int)b), c);                      \
  }                                                                                                \
  CUDA_BOTH T __vib##choice##_##suffix(T a, T b, bool *const first) {                              \
    *first = larger ? a >= b : a <= b;                                                             \
    return *first ? a : b;                                                                         \
  }
#define CUDA_CHOICE_HALVES(choice, larger, suffix, T)                                              \
  CUDA_BOTH unsigned int __vi##choice##3_##suffix(unsigned int a, unsigned int b,                  \
                                                  unsigned int c) {                                \
    return cuda_choose_halves<T, larger, false>(cuda_choose_halves<T, larger, false>(a, b), c);    \
  }                                                                                                \
  CUDA_BOTH unsigned int __viadd##choice##_##suffix(unsigned int a, unsigned int b,                \
                                                    unsigned int c) {                              \
    return cuda_choose_halves<T, larger, false>(cuda_add_halves(a, b), c);                         \
  }                                                                                                \
  CUDA_BOTH unsigned int __vib##choice##_##suffix(unsigned int a, unsigned int b,                  \
                                                  bool *const upper, bool *const lower) {          \
    unsigned int result = cuda_choose_halves<T, larger, false>(a, b);                              \
    *upper = result >> 16 == a >> 16;                                                              \
    *lower = (unsigned short)result == (unsigned short)a;                                          \
    return result;                                                                                 \
  }
#define CUDA_CHOICE_RELU(choice, larger)                                                           \
  CUDA_BOTH int __vi##choice##_s32_relu(int a, int b) {                                            \
    return cuda_choose<int, true>(cuda_choose<int, larger>(a, b), 0);                              \
  }                                                                                                \
  CUDA_BOTH int __vi##choice##3_s32_relu(int a, int b, int c) {                                    \
    return cuda_choose<int, true>(__vi##choice##3_s32(a, b, c), 0);                                \
  }                                                                                                \
  CUDA_BOTH int __viadd##choice##_s32_relu(int a, int b, int c) {                                  \
    return cuda_choose<int, true>(__viadd##choice##_s32(a, b, c), 0);                              \
  }                                                                                                \
  CUDA_BOTH unsigned int __vi##choice##_s16x2_relu(unsigned int a, unsigned int b) {               \
    return cuda_choose_halves<short, larger, true>(a, b);                                          \
  }                                                                                                \
  CUDA_BOTH unsigned int __vi##choice##3_s16x2_relu(unsigned int a, unsigned int b,                \
                                                    unsigned int c) {                              \
    return cuda_choose_halves<short, larger, true>(__vi##choice##3_s16x2(a, b, c), c);             \
  }                                                                                                \
  CUDA_BOTH unsigned int __viadd##choice##_s16x2_relu(unsigned int a, unsigned int b,              \
                                                      unsigned int c) {                            \
    return cuda_choose_halves<short, larger, true>(cuda_add_halves(a, b), c);                      \
  }
#define CUDA_CHOICES(choice, larger)                                                               \
  CUDA_CHOICE_WORDS(choice, larger, s32, int)                                                      \
  CUDA_CHOICE_WORDS(choice, larger, u32, unsigned int)                                             \
  CUDA_CHOICE_HALVES(choice, larger, s16x2, short)                                                 \
  CUDA_CHOICE_HALVES(choice, larger, u16x2, unsigned short)                                        \
  CUDA_CHOICE_RELU(choice, larger)
CUDA_CHOICES(max, true)
CUDA_CHOICES(min, false)

/* ---- warp reductions: GPUs have them from 8.0 on, the emulated device on all cards ----------- */
/* The reductions are templates, because newer headers of clang define some of these functions in
 * the host pass. */
#define CUDA_REDUCE(name, T, instruction)                                                          \
  template <class Any = void> CUDA_DEVICE T name(unsigned int mask, T value) {                     \
    T result;                                                                                      \
    __asm__ volatile(instruction " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));           \
    return result;                                                                                 \
  }
CUDA_REDUCE(__reduce_add_sync, int, "redux.sync.add.s32")
CUDA_REDUCE(__reduce_min_sync, int, "redux.sync.min.s32")
CUDA_REDUCE(__reduce_max_sync, int, "redux.sync.max.s32")
CUDA_REDUCE(__reduce_add_sync, unsigned int, "redux.sync.add.u32")
CUDA_REDUCE(__reduce_min_sync, unsigned int, "redux.sync.min.u32")
CUDA_REDUCE(__reduce_max_sync, unsigned int, "redux.sync.max.u32")
CUDA_REDUCE(__reduce_and_sync, unsigned int, "redux.sync.and.b32")
CUDA_REDUCE(__reduce_or_sync, unsigned int, "redux.sync.or.b32")
CUDA_REDUCE(__reduce_xor_sync, unsigned int, "redux.sync.xor.b32")

#endif
