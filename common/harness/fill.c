/* Generates the inputs. They are random, depend on a seed, and have no symmetry.
 *
 * The generator passes a counter through a mixing function, so no element depends on another
 * element. Threads can fill rows in any order, another process can generate the same elements, and
 * a smaller matrix is not a part of a larger matrix. */
#include <assert.h>
#include <math.h>

#include "harness.h"

const char *const fill_names[] = {"uniform", "whole",    "linear", "unit",
                                  "pairs",   "infinite", "lit",    NULL};

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit affects every output bit.
 */
static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* 2^64 divided by the golden ratio, rounded to an odd number. */
static const uint64_t step = 0x9e3779b97f4a7c15u;

/* Returns the random bits from which the elements of a row are computed. */
static uint64_t row_bits(uint64_t seed, int operand, size_t row) {
  uint64_t stream = mix(mix(seed + step) + (uint64_t)(operand + 1) * step);
  return mix(stream + row * step);
}

/* Returns a number in [1, 2). Each position has a different number if there are at most 1024 sums
 * of 4096 terms each. The sum of two such numbers is exact even in float. */
static double number_of_place(int operand, size_t row, size_t column) {
  const uint32_t all = (1 << 22) - 1;
  uint32_t x = (uint32_t)(operand == 0 ? row << 12 ^ column : column << 12 ^ row) & all;
  x ^= x >> 12;
  x = x * 0x9e3779b1u & all;
  x ^= x >> 11;
  x = (x ^ (uint32_t)operand * 0x2a5a5a) * 0x85ebca6bu & all;
  x ^= x >> 12;
  return 1 + (double)x / (1 << 22);
}

static double element_of(const Recipe *recipe, uint64_t of_row, int operand, const int linear[2],
                         size_t row, size_t column) {
  uint64_t bits = mix(of_row + column * step + 1);
  switch (recipe->fill) {
  case FILL_INFINITE:
    if (operand == 0 && row % 2 && column == 0)
      return INFINITY;
    /* fall through */
  case FILL_PAIRS:
  /* The value has more bits than a float can store, so a kernel that converts it to float gets
   * another result. */
  case FILL_UNIFORM:
    return (double)(bits >> 11) / (UINT64_C(1) << 52) - 1;
  case FILL_WHOLE:
    return (double)((bits >> 32) * 10 >> 32);
  case FILL_LIT:
    if (operand != (int)(recipe->seed % 2))
      return number_of_place(operand, row, column);
    return recipe->seed / 2 == LIT_ALL || recipe->seed / 2 == (operand == 0 ? column : row);
  case FILL_LINEAR:
    return linear[0] * (double)row + linear[1] * (double)column;
  case FILL_UNIT:
    return (double)(bits >> 11) / (UINT64_C(1) << 53);
  }
  assert(!"a fill that is not listed");
  return 0;
}

double fill_element(const Recipe *recipe, int operand, const int linear[2], size_t row,
                    size_t column) {
  return element_of(recipe, row_bits(recipe->seed, operand, row), operand, linear, row, column);
}

void fill_row(const Recipe *recipe, int operand, const int linear[2], size_t row, size_t columns,
              void *to, size_t element_bytes) {
  uint64_t of_row = row_bits(recipe->seed, operand, row);
  for (size_t column = 0; column < columns; column++)
    element_set(to, element_bytes, row * columns + column,
                element_of(recipe, of_row, operand, linear, row, column));
}
