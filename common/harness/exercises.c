/* Computes the correct answers (gold) of the exercises in labs 01, 02 and 03. The labs' programs
 * and the checker use these functions. */
#include "harness.h"

void gold_doubled(const Instance *instance, double *out) {
  size_t count = operand_bytes(instance, 0) / instance->element_bytes;
  for (size_t i = 0; i < count; i++)
    out[i] = 2 * element_get(instance->operand[0], instance->element_bytes, i);
}

void gold_reversed(const Instance *instance, size_t n, size_t piece, double *y) {
  for (size_t i = 0; i < n; i++) {
    size_t first = i / piece * piece, end = first + piece < n ? first + piece : n;
    y[i] = element_get(instance->operand[0], instance->element_bytes, end - 1 - (i - first));
  }
}

void gold_tiles(const Instance *instance, size_t tile, double *C) {
  size_t m = (size_t)instance->size[MATMUL_M], k = (size_t)instance->size[MATMUL_K];
  size_t n = (size_t)instance->size[MATMUL_N], bytes = instance->element_bytes;
  for (size_t row = 0; row < m; row++)
    for (size_t column = 0; column < n; column++) {
      size_t step = (row / tile + column / tile) % CEIL_DIV(k, tile);
      size_t a_column = step * tile + column % tile, b_row = step * tile + row % tile;
      double a = 0, b = 0;
      if (a_column < k)
        a = element_get(instance->operand[MATMUL_A], bytes, row * k + a_column);
      if (b_row < k)
        b = element_get(instance->operand[MATMUL_B], bytes, b_row * n + column);
      C[row * n + column] = a * b;
    }
}

void gold_transposed(const Instance *instance, size_t m, size_t k, double *At) {
  for (size_t row = 0; row < m; row++)
    for (size_t column = 0; column < k; column++)
      At[column * m + row] =
          element_get(instance->operand[0], instance->element_bytes, row * k + column);
}
