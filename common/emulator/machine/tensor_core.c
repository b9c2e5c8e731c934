/* Implements the multiplication and exchange of small matrices by a warp. ptx/matrix.c describes
 * which lane holds which element.
 *
 * Sums of floating-point products are computed as measured on a tensor core of an H200. Products
 * are not rounded one by one: several products at a time are added as integers with a common
 * exponent, and lower bits are truncated (sum_cut). All results of tests/programs/matrices.cu are
 * equal to those of an H200. Sums in double precision are chains of fma. */
#include <math.h>
#include <string.h>

#include "arith.h"
#include "warp.h"

enum { MOST_M = 32, MOST_N = 32, MOST_K = 256 };
typedef uint64_t Registers[WARP_LANES];

/* ---- elements -------------------------------------------------------------------------------- */
static f64 eight_bits(unsigned bits,
                      /* Decodes an 8-bit float. e4m3 has 3 fraction bits and no infinity. e5m2 has
                       * 2 fraction bits and is the upper byte of a half. */
                      unsigned fraction) {
  const unsigned magnitude = bits & 127, exponent = magnitude >> fraction, most = 127 >> fraction;
  const f64 sign = bits & 128 ? -1 : 1, part = magnitude & ((1u << fraction) - 1);
  const int bias = fraction == 3 ? 7 : 15;
  if (fraction == 3 ? magnitude == 127 : exponent == most && part > 0)
    return NAN;
  if (fraction == 2 && exponent == most)
    return sign * INFINITY;
  const f64 whole = exponent ? part + (1 << fraction) : part;
  return sign * ldexp(whole, (exponent ? (int)exponent : 1) - bias - (int)fraction);
}

static f64 value_of(uint8_t element, uint32_t bits) {
  switch (element) {
  case PTX_E_F16:
    return half_to_float((u16)bits);
  case PTX_E_BF16:
    return bf16_to_float((u16)bits);
  case PTX_E_TF32:
    /* The low 13 bits are ignored. */
    return f32_of(bits & ~UINT32_C(0x1fff));
  case PTX_E_F32:
    return f32_of(bits);
  case PTX_E_E4M3:
    return eight_bits(bits, 3);
  default:
    return eight_bits(bits, 2);
  }
}
static int32_t whole_of(uint8_t element, uint32_t bits) {
  switch (element) {
  case PTX_E_S8:
    return (int8_t)bits;
  case PTX_E_S4:
    return (int32_t)(bits << 28) >> 28;
  default:
    return (int32_t)bits;
  }
}

/* Returns the bits of an element. `line`: the row of A or the column of B. `k`: the index along the
 * summed dimension. */
static uint32_t factor_bits(Registers *r, unsigned blocks, bool k_first, uint8_t element,
                            unsigned line, unsigned k) {
  const unsigned per = ptx_elements_in(element), depth = 4 * per, bits = 32 / per;
  const unsigned at = k_first ? k / depth + blocks * (line / 8) : line / 8 + blocks * (k / depth);
  const uint32_t word = (uint32_t)r[at][4 * (line % 8) + k % depth / per];
  return bits == 32 ? word : word >> bits * (k % per) & ((1u << bits) - 1);
}
static uint64_t *sum_at(const PtxMatrix *x, Registers *r, unsigned row, unsigned column,
                        bool halves) {
  const unsigned block = row / 8 + x->m / 8u * (column / 8);
  return &r[halves ? block : 2 * block + column % 2][4 * (row % 8) + column % 8 / 2];
}

/* ---- sums ------------------------------------------------------------------------------------ */
/* FRACTION: each product is truncated this number of bits below the leading bit of the largest
 * product. products_at_once: number of products that are added at a time. */
enum { FRACTION = 25 };
static unsigned products_at_once(const PtxMatrix *x) { return x->a == PTX_E_TF32 ? 8 : 16; }

/* Returns c plus the sum of the products. All terms are truncated at the same bit, and the result
 * is rounded toward zero. */
static f64 sum_cut(const f64 *a, const f64 *b, unsigned n, f64 c) {
  int most = -1000000, e;
  f64 plain = c, sum = 0;
  for (unsigned i = 0; i < n; i++) {
    plain += a[i] * b[i];
    if (a[i] != 0 && b[i] != 0 && isfinite(a[i]) && isfinite(b[i]) &&
        (e = ilogb(a[i]) + ilogb(b[i])) > most)
      most = e;
  }
  if (!isfinite(plain))
    return plain;
  if (c != 0 && (e = ilogb(c)) > most)
    most = e;
  if (most == -1000000)
    return plain;
  const int unit = most - FRACTION;
  sum = trunc(ldexp(c, -unit));
  for (unsigned i = 0; i < n; i++)
    sum += trunc(ldexp(a[i] * b[i], -unit));
  return ldexp(sum, unit);
}

/* A row of A or a column of B, prepared for multiplication. */
typedef struct Factors {
  f64 value[MOST_K];
  /* For each element: its exponent of 2; NO_EXPONENT for zero. */
  int32_t exponent[MOST_K];
  /* Some elements are infinite or NaN. */
  bool special;
} Factors;
enum { NO_EXPONENT = -100000 };

/* Returns the exponent of a double that is zero or normal, from its exponent bits. */
static int32_t exponent_of(f64 x) {
  return x != 0 ? (int32_t)(f64_bits(x) >> 52 & 0x7ff) - 1023 : NO_EXPONENT;
}
static f64 power_of_two(int32_t exponent) { return f64_of((uint64_t)(exponent + 1023) << 52); }

/* Like sum_cut for the products k to k + n - 1, computed with integers. */
static f64 sum_of_some(const Factors *a, const Factors *b, unsigned k, unsigned n, f64 c) {
  int32_t most = exponent_of(c);
  for (unsigned i = k; i < k + n; i++) {
    const int32_t e = a->exponent[i] + b->exponent[i];
    most = e > most ? e : most;
  }
  if (a->special || b->special || !isfinite(c) || most <= NO_EXPONENT / 2)
    return sum_cut(a->value + k, b->value + k, n, c);
  const f64 scale = power_of_two(FRACTION - most);
  int64_t sum = (int64_t)(c * scale);
  for (unsigned i = k; i < k + n; i++)
    sum += (int32_t)(a->value[i] * b->value[i] * scale); /* the conversion truncates toward zero */
  return (f64)sum * power_of_two(most - FRACTION);
}

static f32 toward_zero(f64 x) {
  if (fabs(x) >= 0x1p-126 && fabs(x) < 0x1p128)
    /* Keeps 24 of the 53 significant bits. */
    return (f32)f64_of(f64_bits(x) & ~((UINT64_C(1) << 29) - 1));
  const f32 near = (f32)x;
  return fabs((f64)near) > fabs(x) && fabs(x) < 0x1p128 ? nextafterf(near, 0) : near;
}

/* Elements of 8 bits are first converted to halves. First the products of the lower two elements of
 * each register are summed, starting from 0. Then the products of the upper two elements are summed
 * separately. c is added last. */
static bool by_halves(const PtxMatrix *x) { return x->a == PTX_E_E4M3 || x->a == PTX_E_E5M2; }
static unsigned place_in_sum(const PtxMatrix *x, unsigned k) {
  return by_halves(x) ? k / 4 * 2 + k % 2 + x->k / 2 * (k % 4 / 2) : k;
}

static f64 sum_of_products(const PtxMatrix *x, const Factors *a, const Factors *b, f64 c) {
  const unsigned at_once = products_at_once(x);
  f64 sum = by_halves(x) ? 0 : c;
  for (unsigned k = 0; k < x->k; k += at_once) {
    const unsigned n = x->k - k < at_once ? x->k - k : at_once;
    sum = sum_of_some(a, b, k, n, sum);
    if (x->d == PTX_E_F32 || k + n < x->k)
      sum = toward_zero(sum);
  }
  return by_halves(x) ? (f32)sum + (f32)c : sum;
}

static void put_factor(Factors *to, unsigned at, f64 value) {
  to->value[at] = value;
  to->exponent[at] = exponent_of(value);
  to->special |= !isfinite(value);
}

static void multiply_floats(const PtxMatrix *x, Registers *d, Registers *a, Registers *b,
                            Registers *c) {
  static _Thread_local Factors as[MOST_M], bs[MOST_N];
  const unsigned b_blocks = x->k / (4 * ptx_elements_in(x->b));
  const bool half_in = x->c == PTX_E_F16, half_out = x->d == PTX_E_F16;
  for (unsigned i = 0; i < x->m; i++)
    as[i].special = false;
  for (unsigned i = 0; i < x->n; i++)
    bs[i].special = false;
  for (unsigned k = 0; k < x->k; k++) {
    const unsigned at = place_in_sum(x, k);
    for (unsigned i = 0; i < x->m; i++)
      put_factor(&as[i], at, value_of(x->a, factor_bits(a, x->m / 8u, false, x->a, i, k)));
    for (unsigned i = 0; i < x->n; i++)
      put_factor(&bs[i], at, value_of(x->b, factor_bits(b, b_blocks, true, x->b, i, k)));
  }
  for (unsigned row = 0; row < x->m; row++)
    for (unsigned column = 0; column < x->n; column++) {
      const uint32_t before = (uint32_t)*sum_at(x, c, row, column, half_in);
      const f64 old = half_in ? value_of(PTX_E_F16, before >> 16 * (column % 2) & 0xffff)
                              : value_of(x->c, before);
      const f64 sum = sum_of_products(x, &as[row], &bs[column], old);
      uint64_t *to = sum_at(x, d, row, column, half_out);
      if (!half_out)
        *to = isnan(sum) ? 0x7fffffff : f32_bits((f32)sum);
      else
        *to = (*to & (column % 2 ? 0xffff : 0)) | (uint64_t)half_from_double(sum)
                                                      << 16 * (column % 2);
    }
}

static void multiply_doubles(const PtxMatrix *x, Registers *d, Registers *a, Registers *b,
                             Registers *c) {
  for (unsigned row = 0; row < x->m; row++)
    for (unsigned column = 0; column < x->n; column++) {
      f64 sum;
      memcpy(&sum, sum_at(x, c, row, column, false), sizeof sum);
      for (unsigned k = 0; k < x->k; k++) {
        f64 one, other;
        memcpy(&one, &a[row / 8 + x->m / 8u * (k / 4)][4 * (row % 8) + k % 4], sizeof one);
        memcpy(&other, &b[k / 4 + x->k / 4u * (column / 8)][4 * (column % 8) + k % 4],
               sizeof other);
        sum = fma(one, other, sum);
      }
      memcpy(sum_at(x, d, row, column, false), &sum, sizeof sum);
    }
}

static void multiply_wholes(const PtxMatrix *x, Registers *d, Registers *a, Registers *b,
                            Registers *c) {
  const unsigned b_blocks = x->k / (4 * ptx_elements_in(x->b));
  for (unsigned row = 0; row < x->m; row++)
    for (unsigned column = 0; column < x->n; column++) {
      int64_t sum = (int32_t)*sum_at(x, c, row, column, false);
      for (unsigned k = 0; k < x->k; k++) {
        const int32_t one = whole_of(x->a, factor_bits(a, x->m / 8u, false, x->a, row, k));
        const int32_t other = whole_of(x->b, factor_bits(b, b_blocks, true, x->b, column, k));
        sum += x->operation == PTX_MATRIX_PRODUCT ? (int64_t)one * other
               : x->operation == PTX_MATRIX_XOR   ? one ^ other
                                                  : one & other;
      }
      if (x->saturates)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
      *sum_at(x, d, row, column, false) = (uint32_t)sum;
    }
}

void matrix_multiply_add(const PtxInsn *insn, uint64_t (*registers)[WARP_LANES]) {
  const PtxMatrix *x = insn->matrix;
  Registers *part[4], results[16] = {{0}};
  for (unsigned i = 0; i < 4; i++)
    part[i] = registers + x->first[i];
  if (x->a == PTX_E_F64)
    multiply_doubles(x, results, part[1], part[2], part[3]);
  else if (x->d == PTX_E_S32)
    multiply_wholes(x, results, part[1], part[2], part[3]);
  else
    multiply_floats(x, results, part[1], part[2], part[3]);
  memcpy(registers, results, insn->sub * sizeof *registers);
}

/* ---- exchange -------------------------------------------------------------------------------- */
static uint32_t half_of(const Registers *r, unsigned reg, unsigned lane, unsigned half) {
  return (uint32_t)(r[reg][lane] >> 16 * half) & 0xffff;
}

void matrix_exchange(const PtxInsn *insn, uint64_t (*registers)[WARP_LANES]) {
  const unsigned n = insn->sub, rows = (insn->count - n) * 8u;
  Registers *from = registers + n;
  for (unsigned i = 0; i < n; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
      const unsigned g = lane / 4, t = lane % 4, row = lane % 8;
      uint64_t *to = &registers[i][lane];
      switch ((PtxExchange)insn->imm) {
      case PTX_ROWS_OUT:
        *to = from[t][8 * i + g];
        break;
      case PTX_COLUMNS_OUT:
        *to = half_of(from, g / 2, 8 * i + 2 * t, g % 2) |
              half_of(from, g / 2, 8 * i + 2 * t + 1, g % 2) << 16;
        break;
      case PTX_ROWS_IN:
        *to = lane < rows ? from[lane / 8][4 * row + i] : 0;
        break;
      case PTX_COLUMNS_IN:
        *to = lane < rows ? half_of(from, lane / 8, 4 * (2 * i) + row / 2, row % 2) |
                                half_of(from, lane / 8, 4 * (2 * i + 1) + row / 2, row % 2) << 16
                          : 0;
        break;
      case PTX_TRANSPOSED:
        *to = half_of(from, 0, 4 * (2 * t) + g / 2, g % 2) |
              half_of(from, 0, 4 * (2 * t + 1) + g / 2, g % 2) << 16;
        break;
      }
    }
}
