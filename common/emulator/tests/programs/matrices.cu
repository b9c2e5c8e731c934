// Compares matrix products of a warp with the host: every shape and type of mma.sync, on integers.
// ARGS=print prints a hash of the results for all kinds of numbers; ARGS="print FORM" (or all) also
// prints the results, to compare them with results of a GPU. ldmatrix, stmatrix, movmatrix and wmma
// are compared with the layout that PTX defines. The expected hashes below are from an H200.
//
// args: print
// expect: f16_k8 8fd3a16d8b00622a
// expect: f16_k16 99271ae907062539
// expect: f16_k8_half 017c39ce61da53d2
// expect: f16_k16_half e81591db53b2bd08
// expect: bf16_k8 9ca82f9ebdf0ce1d
// expect: bf16_k16 3a5fa29cba1ae2df
// expect: tf32_k4 d372102cbe986c3a
// expect: tf32_k8 d82b71f0d2351ba7
// expect: e4m3_k32 4fac913d9c18d457
// expect: e5m2_k32 6e4e1a895f270b29
// expect: s8_m8 0b898b36e091ebe7
// expect: s8_k16 14cbfdaa8d57ee5b
// expect: s8_k32 9c7d0a6b6de3d732
// expect: u8_k32 3cc79d6edc0eca59
// expect: s4_m8 529e4bb1a230f1f9
// expect: s4_k32 6e6f44fff278b62a
// expect: s4_k64 2bc560cb7b136d7f
// expect: b1_m8 2648472612d33504
// expect: b1_k128 19496ba77f7aa5c1
// expect: b1_k256 d36ae282e0c548cf
// expect: f64_m8 d4dbd37456c9124d
// expect: f64_k4 e3ad5e8edbffbccc
// expect: f64_k8 6ac1e078ea2bb1ad
// expect: f64_k16 3e300909a776b6e1
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

enum Kind { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, S32, E4M3, E5M2 };
static const int bits_of[] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32, 8, 8};
enum { ROUNDS = 32, LANES = 32, SPECIAL = 24, WHOLE = 16 };

struct Form {
  const char *name;
  int m, n, k, na, nb, nc, nd;
  Kind a, b, c, d;
  // For matrices of bits (B1): 1 means xor, 2 means and.
  int operation;
  void (*run)(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d);
};

// Each register of a lane is stored as 64 bits.
#define U(from, i) (unsigned)from[(blockIdx.x * LANES + threadIdx.x) * 16 + i]
#define L(from, i) __longlong_as_double(from[(blockIdx.x * LANES + threadIdx.x) * 16 + i])
#define KERNEL(id)                                                                                 \
  __global__ void id(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d)
#define RUN(id)                                                                                    \
  static void run_##id(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d) {     \
    id<<<ROUNDS, LANES>>>(a, b, c, d);                                                             \
  }
#define PUT(n)                                                                                     \
  for (int i = 0; i < n; i++)                                                                      \
    d[(blockIdx.x * LANES + threadIdx.x) * 16 + i] = r[i];
#define A1 "r"(U(a, 0))
#define A2 A1, "r"(U(a, 1))
#define A4 A2, "r"(U(a, 2)), "r"(U(a, 3))
#define B1_ "r"(U(b, 0))
#define B2_ B1_, "r"(U(b, 1))
#define C2 "r"(U(c, 0)), "r"(U(c, 1))
#define C4 C2, "r"(U(c, 2)), "r"(U(c, 3))
#define R2 "=r"(r[0]), "=r"(r[1])
#define R4 R2, "=r"(r[2]), "=r"(r[3])
#define MMA_2_1_1(id, op)                                                                          \
  KERNEL(id) {                                                                                     \
    unsigned r[2];                                                                                 \
    asm volatile("mma.sync.aligned." op " {%0,%1},{%2},{%3},{%4,%5};" : R2 : A1, B1_, C2);         \
    PUT(2)                                                                                         \
  }                                                                                                \
  RUN(id)
#define MMA_4_2_1(id, op)                                                                          \
  KERNEL(id) {                                                                                     \
    unsigned r[4];                                                                                 \
    asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};"              \
                 : R4                                                                              \
                 : A2, B1_, C4);                                                                   \
    PUT(4)                                                                                         \
  }                                                                                                \
  RUN(id)
#define MMA_4_4_2(id, op)                                                                          \
  KERNEL(id) {                                                                                     \
    unsigned r[4];                                                                                 \
    asm volatile("mma.sync.aligned." op " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"  \
                 : R4                                                                              \
                 : A4, B2_, C4);                                                                   \
    PUT(4)                                                                                         \
  }                                                                                                \
  RUN(id)
#define MMA_2_2_1(id, op)                                                                          \
  KERNEL(id) {                                                                                     \
    unsigned r[2];                                                                                 \
    asm volatile("mma.sync.aligned." op " {%0,%1},{%2,%3},{%4},{%5,%6};" : R2 : A2, B1_, C2);      \
    PUT(2)                                                                                         \
  }                                                                                                \
  RUN(id)
#define MMA_2_4_2(id, op)                                                                          \
  KERNEL(id) {                                                                                     \
    unsigned r[2];                                                                                 \
    asm volatile("mma.sync.aligned." op " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9};"                  \
                 : R2                                                                              \
                 : A4, B2_, C2);                                                                   \
    PUT(2)                                                                                         \
  }                                                                                                \
  RUN(id)

#define FORMS(X)                                                                                   \
  X(f16_k8, MMA_4_2_1, "m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 2, 1, 4, 4, F16, F16, F32,     \
    F32, 0)                                                                                        \
  X(f16_k16, MMA_4_4_2, "m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 4, 2, 4, 4, F16, F16, F32,  \
    F32, 0)                                                                                        \
  X(f16_k8_half, MMA_2_2_1, "m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8, 2, 1, 2, 2, F16, F16,     \
    F16, F16, 0)                                                                                   \
  X(f16_k16_half, MMA_2_4_2, "m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, 4, 2, 2, 2, F16, F16,  \
    F16, F16, 0)                                                                                   \
  X(bf16_k8, MMA_4_2_1, "m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, 2, 1, 4, 4, BF16, BF16,     \
    F32, F32, 0)                                                                                   \
  X(bf16_k16, MMA_4_4_2, "m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 4, 2, 4, 4, BF16, BF16,  \
    F32, F32, 0)                                                                                   \
  X(tf32_k4, MMA_4_2_1, "m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, 2, 1, 4, 4, TF32, TF32,     \
    F32, F32, 0)                                                                                   \
  X(tf32_k8, MMA_4_4_2, "m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 4, 2, 4, 4, TF32, TF32,     \
    F32, F32, 0)                                                                                   \
  X(e4m3_k32, MMA_4_4_2, "m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 4, 2, 4, 4, E4M3, E4M3,  \
    F32, F32, 0)                                                                                   \
  X(e5m2_k32, MMA_4_4_2, "m16n8k32.row.col.f32.e5m2.e4m3.f32", 16, 8, 32, 4, 2, 4, 4, E5M2, E4M3,  \
    F32, F32, 0)                                                                                   \
  X(s8_m8, MMA_2_1_1, "m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 1, 1, 2, 2, S8, S8, S32, S32, 0)  \
  X(s8_k16, MMA_4_2_1, "m16n8k16.row.col.s32.s8.u8.s32", 16, 8, 16, 2, 1, 4, 4, S8, U8, S32, S32,  \
    0)                                                                                             \
  X(s8_k32, MMA_4_4_2, "m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16, 8, 32, 4, 2, 4, 4, S8, S8,  \
    S32, S32, 4)                                                                                   \
  X(u8_k32, MMA_4_4_2, "m16n8k32.row.col.s32.u8.s8.s32", 16, 8, 32, 4, 2, 4, 4, U8, S8, S32, S32,  \
    0)                                                                                             \
  X(s4_m8, MMA_2_1_1, "m8n8k32.row.col.s32.s4.s4.s32", 8, 8, 32, 1, 1, 2, 2, S4, S4, S32, S32, 0)  \
  X(s4_k32, MMA_4_2_1, "m16n8k32.row.col.s32.u4.s4.s32", 16, 8, 32, 2, 1, 4, 4, U4, S4, S32, S32,  \
    0)                                                                                             \
  X(s4_k64, MMA_4_4_2, "m16n8k64.row.col.s32.s4.u4.s32", 16, 8, 64, 4, 2, 4, 4, S4, U4, S32, S32,  \
    0)                                                                                             \
  X(b1_m8, MMA_2_1_1, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 8, 128, 1, 1, 2, 2, B1, B1,    \
    S32, S32, 1)                                                                                   \
  X(b1_k128, MMA_4_2_1, "m16n8k128.row.col.s32.b1.b1.s32.and.popc", 16, 8, 128, 2, 1, 4, 4, B1,    \
    B1, S32, S32, 2)                                                                               \
  X(b1_k256, MMA_4_4_2, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 8, 256, 4, 2, 4, 4, B1,    \
    B1, S32, S32, 1)

#define AS_KERNEL(id, macro, op, ...) macro(id, op)
FORMS(AS_KERNEL)

#define D1(x) "d"(L(x, 0))
#define D2(x) D1(x), "d"(L(x, 1))
#define D4(x) D2(x), "d"(L(x, 2)), "d"(L(x, 3))
#define D8(x) D4(x), "d"(L(x, 4)), "d"(L(x, 5)), "d"(L(x, 6)), "d"(L(x, 7))
#define PUT_DOUBLES(n)                                                                             \
  for (int i = 0; i < n; i++)                                                                      \
    d[(blockIdx.x * LANES + threadIdx.x) * 16 + i] = __double_as_longlong(r[i]);
KERNEL(f64_m8) {
  double r[2];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%5};"
               : "=d"(r[0]), "=d"(r[1])
               : D1(a), D1(b), D2(c));
  PUT_DOUBLES(2)
}
KERNEL(f64_k4) {
  double r[4];
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};"
      : "=d"(r[0]), "=d"(r[1]), "=d"(r[2]), "=d"(r[3])
      : D2(a), D1(b), D4(c));
  PUT_DOUBLES(4)
}
KERNEL(f64_k8) {
  double r[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
               "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"
               : "=d"(r[0]), "=d"(r[1]), "=d"(r[2]), "=d"(r[3])
               : D4(a), D2(b), D4(c));
  PUT_DOUBLES(4)
}
KERNEL(f64_k16) {
  double r[4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
               "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19};"
               : "=d"(r[0]), "=d"(r[1]), "=d"(r[2]), "=d"(r[3])
               : D8(a), D4(b), D4(c));
  PUT_DOUBLES(4)
}
RUN(f64_m8)
RUN(f64_k4)
RUN(f64_k8)
RUN(f64_k16)
#define AS_ROW(id, macro, op, m, n, k, na, nb, nc, nd, a, b, c, d, what)                           \
  {#id, m, n, k, na, nb, nc, nd, a, b, c, d, what, run_##id},
static const Form forms[] = {
    FORMS(AS_ROW){"f64_m8", 8, 8, 4, 1, 1, 2, 2, F64, F64, F64, F64, 0, run_f64_m8},
    {"f64_k4", 16, 8, 4, 2, 1, 4, 4, F64, F64, F64, F64, 0, run_f64_k4},
    {"f64_k8", 16, 8, 8, 4, 2, 4, 4, F64, F64, F64, F64, 0, run_f64_k8},
    {"f64_k16", 16, 8, 16, 8, 4, 4, 4, F64, F64, F64, F64, 0, run_f64_k16}};

// ---- numbers ------------------------------------------------------------------------------------
static uint64_t mixed(uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
struct Layout {
  int exponent, fraction, bias;
};
static Layout layout(Kind kind) {
  switch (kind) {
  case F16:
    return {5, 10, 15};
  case BF16:
    return {8, 7, 127};
  case TF32:
  case F32:
    return {8, 23, 127};
  case F64:
    return {11, 52, 1023};
  case E4M3:
    return {4, 3, 7};
  default:
    return {5, 2, 15};
  }
}
// Returns an element: near one, of any size, an integer, special, or any bits, as `round` selects.
static uint64_t element(Kind kind, int round, uint64_t seed) {
  const uint64_t r = mixed(seed), all = bits_of[kind] == 64 ? ~0ull : (1ull << bits_of[kind]) - 1;
  if (kind >= S8 && kind <= S32)
    return (kind == S32 && round < SPECIAL ? (uint64_t)(int64_t)(int32_t)(r % 2001 - 1000)
                                           : r >> 7) &
           all;
  const Layout l = layout(kind);
  const uint64_t top = (1ull << l.exponent) - 1, fraction = r & ((1ull << l.fraction) - 1),
                 sign = (r >> 60 & 1) << (l.exponent + l.fraction);
  const int spread = kind == E4M3 || kind == E5M2 ? 5 : kind == F16 ? 12 : 40;
  if (round < 8)
    return sign | (uint64_t)(l.bias - 1 + (int)(r >> 52 & 3)) << l.fraction | fraction;
  if (round < WHOLE)
    return sign | (uint64_t)(l.bias + (int)((r >> 52 & 255) % spread) - spread / 2) << l.fraction |
           fraction;
  if (round < SPECIAL) { // 0 to 7 and their negatives
    const int whole = r >> 40 & 7;
    int e = 0;
    while (whole >> (e + 1))
      e++;
    return whole == 0 ? sign
                      : sign | (uint64_t)(l.bias + e) << l.fraction |
                            (uint64_t)(whole - (1 << e)) << (l.fraction - e);
  }
  if (round < 28 && (r >> 45 & 3) == 0) {
    const uint64_t inf = kind == E4M3 ? (uint64_t)0x7e : top << l.fraction,
                   edges[] = {0,
                              1,
                              (1ull << l.fraction) - 1,
                              inf,
                              (r >> 56 & 7) ? inf - 1 : inf | 1ull << (l.fraction - 1),
                              1ull << l.fraction};
    return sign | edges[(r >> 49) % 6];
  }
  return round < 28 ? element(kind, round - 20, seed) : r >> 5 & all;
}

static double number(Kind kind, uint64_t bits) { // the value of an integer
  if (kind == S8)
    return (int8_t)bits;
  if (kind == S4)
    return (int32_t)((uint32_t)bits << 28) >> 28;
  if (kind == S32)
    return (int32_t)bits;
  if (kind == U8 || kind == U4 || kind == B1)
    return bits;
  const Layout l = layout(kind);
  const int e = bits >> l.fraction & ((1 << l.exponent) - 1);
  double x = bits & ((1ull << l.fraction) - 1);
  for (int i = 0; i < l.fraction; i++)
    x /= 2;
  x = e ? 1 + x : 0;
  for (int i = l.bias; i < e; i++)
    x *= 2;
  for (int i = e; i < l.bias; i++)
    x /= 2;
  return bits >> (l.exponent + l.fraction) & 1 ? -x : x;
}

// ---- the layout of fragments: PTX ISA, "Matrix Fragments for mma" -------------------------------
static uint64_t *registers(std::vector<uint64_t> &x, int round, int lane, int reg) {
  return &x[(round * LANES + lane) * 16 + reg];
}
static uint64_t get(std::vector<uint64_t> &x, Kind kind, int round, int lane, int i) {
  const int per = kind == F64 ? 1 : 32 / bits_of[kind];
  const uint64_t word = *registers(x, round, lane, i / per);
  return per == 1 ? word : word >> bits_of[kind] * (i % per) & ((1u << bits_of[kind]) - 1);
}
static void whole(const Form &f, int round, std::vector<uint64_t> &a, std::vector<uint64_t> &b,
                  std::vector<uint64_t> &c, std::vector<uint64_t> &d) {
  static double A[16][256], B[256][8];
  const int pa = f.a == F64 ? 1 : 32 / bits_of[f.a];
  for (int lane = 0; lane < LANES; lane++) {
    const int group = lane >> 2, in_group = lane % 4;
    for (int i = 0; i < f.na * pa; i++) {
      const int reg = i / pa, tall = f.m / 8;
      A[group + 8 * (reg % tall)][in_group * pa + i % pa + reg / tall * 4 * pa] =
          number(f.a, get(a, f.a, round, lane, i));
    }
    for (int i = 0; i < f.nb * pa; i++)
      B[in_group * pa + i % pa + i / pa * 4 * pa][group] = number(f.b, get(b, f.b, round, lane, i));
  }
  int wrong = 0;
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < f.m / 4; i++) {
      const int row = (lane >> 2) + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      double sum = number(f.c, get(c, f.c, round, lane, i));
      for (int k = 0; k < f.k; k++)
        sum += f.operation == 1 ? A[row][k] != B[k][column] : A[row][k] * B[k][column];
      wrong += !(number(f.d, get(d, f.d, round, lane, i)) == sum);
    }
  if (wrong)
    printf("%s, round %d: %d wrong\n", f.name, round, wrong);
  EXPECT(wrong == 0);
}

static uint64_t canonical(Kind kind, uint64_t word) { // makes all NaNs equal
  for (int i = 0; kind == F16 && i < 2; i++)
    if ((word >> 16 * i & 0x7fff) > 0x7c00)
      word = (word & ~(0xffffull << 16 * i)) | 0x7fffull << 16 * i;
  if (kind == F32 && (word & 0x7fffffff) > 0x7f800000)
    word = 0x7fffffff;
  if (kind == F64 && (word & 0x7fffffffffffffff) > 0x7ff0000000000000)
    word = 0x7fffffffffffffff;
  return word;
}

static void fill(std::vector<uint64_t> &x, Kind kind, int count, uint64_t salt) {
  const int per = kind == F64 ? 1 : 32 / bits_of[kind];
  for (int i = 0; i < ROUNDS * LANES; i++)
    for (int r = 0; r < count; r++) {
      uint64_t word = 0;
      for (int e = 0; e < per; e++)
        word |= element(kind, i / LANES, ((uint64_t)i * 16 + r) * 32 + e + salt)
                << (per == 1 ? 0 : e * bits_of[kind]);
      x[i * 16 + r] = word;
    }
}

static void compare(const Form &f, bool prints, bool all) {
  const size_t n = ROUNDS * LANES * 16;
  std::vector<uint64_t> a(n), b(n), c(n), d(n);
  fill(a, f.a, f.na, 1ull << 40);
  fill(b, f.b, f.nb, 2ull << 40);
  fill(c, f.c, f.nc, 3ull << 40);
  uint64_t *on[4];
  std::vector<uint64_t> *from[] = {&a, &b, &c, &d};
  for (int i = 0; i < 4; i++) {
    CHECK(cudaMalloc(&on[i], n * 8));
    CHECK(cudaMemcpy(on[i], from[i]->data(), n * 8, cudaMemcpyHostToDevice));
  }
  f.run(on[0], on[1], on[2], on[3]);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(d.data(), on[3], n * 8, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++)
    CHECK(cudaFree(on[i]));
  for (int round = WHOLE; round < SPECIAL; round++)
    whole(f, round, a, b, c, d);
  uint64_t hash = 0;
  for (int i = 0; i < ROUNDS * LANES; i++)
    for (int r = 0; r < f.nd; r++) {
      const uint64_t word = canonical(f.d, d[i * 16 + r]);
      hash = mixed(hash ^ word);
      if (all)
        printf("%s %d %d %d %016llx\n", f.name, i / LANES, i % LANES, r, (unsigned long long)word);
    }
  if (prints)
    printf("%s %016llx\n", f.name, (unsigned long long)hash);
}

// ---- rows and columns ---------------------------------------------------------------------------
// Each lane stores the positions of its fragment's elements: row r, column c of matrix m has the
// number 64 m + 8 r + c.
__global__ void exchanged(uint32_t *out) {
  __shared__ __align__(16) uint16_t rows[32 * 8], back[3][32 * 8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; i++)
    rows[8 * lane + i] = 8 * lane + i;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8; i++)
      back[k][8 * lane + i] = 0xffff;
  __syncthreads();
  const unsigned at = (unsigned)__cvta_generic_to_shared(&rows[8 * lane]);
  unsigned r[11];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "r"(at)
               : "memory");
  const unsigned some = lane < 16 ? at : 0xffffff00; // addresses of other lanes are not used
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[8]), "=r"(r[9])
               : "r"(some)
               : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[10]) : "r"(r[2]));
  for (int i = 0; i < 11; i++)
    out[lane * 16 + i] = r[i];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 || defined(LOCKSTEP_EMULATED)
  const unsigned to[] = {(unsigned)__cvta_generic_to_shared(&back[0][8 * lane]),
                         (unsigned)__cvta_generic_to_shared(&back[1][8 * lane]),
                         (unsigned)__cvta_generic_to_shared(&back[2][8 * (lane & 7)])};
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
               :
               : "r"(to[0]), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
               :
               : "r"(to[1]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};"
               :
               : "r"(to[2]), "r"(r[0])
               : "memory");
  __syncthreads();
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 8; i++)
      out[512 + k * 256 + 8 * lane + i] = back[k][8 * lane + i];
  for (int i = 0; i < 2; i++)
    out[1024 + 2 * lane + i] = back[2][2 * lane + i];
#endif
}

static void exchange() {
  enum { WORDS = 1088 };
  static uint32_t out[WORDS];
  uint32_t *d_out;
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemset(d_out, 0xff, sizeof out));
  exchanged<<<1, 32>>>(d_out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_out));
  for (int lane = 0; lane < 32; lane++) {
    const int g = lane / 4, t = lane % 4;
    for (int m = 0; m < 4; m++) {
      const uint32_t plain = (64 * m + 8 * g + 2 * t) | (uint32_t)(64 * m + 8 * g + 2 * t + 1)
                                                            << 16;
      const uint32_t turned = (64 * m + 8 * (2 * t) + g) | (uint32_t)(64 * m + 8 * (2 * t + 1) + g)
                                                               << 16;
      EXPECT(out[lane * 16 + m] == plain);
      EXPECT(out[lane * 16 + 4 + m] == turned);
      EXPECT(m >= 2 || out[lane * 16 + 8 + m] == turned);
      EXPECT(m != 2 || out[lane * 16 + 10] == turned);
    }
  }
  for (int i = 0; i < 256 && out[512] != ~0u; i++)
    EXPECT(out[512 + i] == (uint32_t)i && out[768 + i] == (uint32_t)i);
  for (int i = 0; i < 64 && out[512] != ~0u; i++)
    EXPECT(out[1024 + i] == (uint32_t)(8 * (i % 8) + i / 8));
}

// ---- wmma: whole matrices -----------------------------------------------------------------------
// A and B are halves, stored by rows and by columns, in global and in shared memory. C and D are
// float, also stored both ways.
#define LOAD8(what, layout, shape, space, type, r, p, stride)                                      \
  asm volatile("wmma.load." what ".sync.aligned." layout "." shape space "." type                  \
               " {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"                                             \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]),           \
                 "=r"(r[6]), "=r"(r[7])                                                            \
               : "l"(p), "r"(stride)                                                               \
               : "memory")
#define WMMA(id, shape, M, N, layout_a, layout_b)                                                  \
  __global__ void id(const uint16_t *a, const uint16_t *b, const float *c, float *d,               \
                     float *turned) {                                                              \
    __shared__ __align__(16) uint16_t b_here[N * 16];                                              \
    for (int i = threadIdx.x; i < N * 16; i += 32)                                                 \
      b_here[i] = b[i];                                                                            \
    __syncthreads();                                                                               \
    unsigned ra[8], rb[8], rc[8], rd[8];                                                           \
    const bool ar = layout_a[0] == 'r', br = layout_b[0] == 'r';                                   \
    LOAD8("a", layout_a, shape, "", "f16", ra, a, ar ? 16 : M);                                    \
    LOAD8("b", layout_b, shape, "", "f16", rb, b_here, br ? N : 16);                               \
    LOAD8("c", "row", shape, ".global", "f32", rc, c, N);                                          \
    asm volatile("wmma.mma.sync.aligned." layout_a "." layout_b "." shape                          \
                 ".f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "           \
                 "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27,%28,%29,%30,%31};"           \
                 : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]),   \
                   "=r"(rd[6]), "=r"(rd[7])                                                        \
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]),         \
                   "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]),         \
                   "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "r"(rc[0]), "r"(rc[1]),         \
                   "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));        \
    asm volatile("wmma.store.d.sync.aligned.row." shape                                            \
                 ".global.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;"                                \
                 :                                                                                 \
                 : "l"(d), "r"(rd[0]), "r"(rd[1]), "r"(rd[2]), "r"(rd[3]), "r"(rd[4]), "r"(rd[5]), \
                   "r"(rd[6]), "r"(rd[7]), "r"(N)                                                  \
                 : "memory");                                                                      \
    asm volatile("wmma.store.d.sync.aligned.col." shape                                            \
                 ".f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;"                                       \
                 :                                                                                 \
                 : "l"(turned), "r"(rd[0]), "r"(rd[1]), "r"(rd[2]), "r"(rd[3]), "r"(rd[4]),        \
                   "r"(rd[5]), "r"(rd[6]), "r"(rd[7]), "r"(M)                                      \
                 : "memory");                                                                      \
  }                                                                                                \
  static void run_##id() { products(id, M, N, layout_a[0] == 'r', layout_b[0] == 'r'); }

template <class Kernel>
static void products(Kernel kernel, int m, int n, bool a_rows, bool b_rows) {
  enum { K = 16, MOST = 32 * 16 };
  uint16_t a[MOST], b[MOST], *d_a, *d_b;
  float c[MOST], d[MOST], turned[MOST], *d_c, *d_d, *d_turned;
  auto value = [](uint16_t half) { return number(F16, half); };
  for (int i = 0; i < MOST; i++)
    a[i] = (uint16_t)element(F16, WHOLE, i + 1000), b[i] = (uint16_t)element(F16, WHOLE, i + 5000),
    c[i] = i % 77 - 30;
  CHECK(cudaMalloc(&d_a, sizeof a));
  CHECK(cudaMalloc(&d_b, sizeof b));
  CHECK(cudaMalloc(&d_c, sizeof c));
  CHECK(cudaMalloc(&d_d, sizeof d));
  CHECK(cudaMalloc(&d_turned, sizeof d));
  CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice));
  kernel<<<1, 32>>>(d_a, d_b, d_c, d_d, d_turned);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(d, d_d, m * n * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(turned, d_turned, m * n * 4, cudaMemcpyDeviceToHost));
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      double sum = c[row * n + column];
      for (int k = 0; k < K; k++)
        sum += value(a[a_rows ? row * K + k : k * m + row]) *
               value(b[b_rows ? k * n + column : column * K + k]);
      EXPECT(d[row * n + column] == sum);
      EXPECT(turned[column * m + row] == sum);
    }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  CHECK(cudaFree(d_d));
  CHECK(cudaFree(d_turned));
}
WMMA(square, "m16n16k16", 16, 16, "row", "col")
WMMA(square_turned, "m16n16k16", 16, 16, "col", "row")
WMMA(tall, "m32n8k16", 32, 8, "row", "row")
WMMA(wide, "m8n32k16", 8, 32, "col", "col")

int main(int argc, char **argv) {
  const bool prints = argc > 1 && !strcmp(argv[1], "print");
  for (const Form &f : forms)
    if (argc < 3 || !strcmp(argv[2], f.name) || !strcmp(argv[2], "all"))
      compare(f, prints, argc > 2);
  exchange();
  run_square();
  run_square_turned();
  run_tall();
  run_wide();
  return done();
}
