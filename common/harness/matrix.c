/* Poisons and prints matrices whose element type is identified by its size. */
#include <math.h>
#include <string.h>

#include "harness.h"

void matrix_poison(void *data, size_t bytes) { memset(data, 0xff, bytes); }

bool element_is_poison(const void *data, size_t element_bytes, size_t index) {
  const unsigned char *bytes = (const unsigned char *)data + index * element_bytes;
  for (size_t i = 0; i < element_bytes; i++)
    if (bytes[i] != 0xff)
      return false;
  return true;
}

/* Returns the number of decimals to print: none if all elements are integers. */
static int decimals_needed(const void *data, size_t element_bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double value = element_get(data, element_bytes, i);
    if (isfinite(value) && value != rint(value))
      return 3;
  }
  return 0;
}

static int width_needed(const void *data, size_t element_bytes, size_t count, int decimals) {
  int width = 1;
  for (size_t i = 0; i < count; i++) {
    int needed = snprintf(NULL, 0, "%.*f", decimals, element_get(data, element_bytes, i));
    if (needed > width && !element_is_poison(data, element_bytes, i))
      width = needed;
  }
  return width;
}

void matrix_print(FILE *file, const char *name, const void *data, size_t element_bytes,
                  Shape shape) {
  size_t count = shape.rows * shape.columns;
  int decimals = decimals_needed(data, element_bytes, count);
  int width = width_needed(data, element_bytes, count, decimals);
  fprintf(file, "%s, %zu×%zu\n", name, shape.rows, shape.columns);
  for (size_t i = 0; i < count; i++) {
    if (element_is_poison(data, element_bytes, i))
      fprintf(file, " %*s", width, ".");
    else
      fprintf(file, " %*.*f", width, decimals, element_get(data, element_bytes, i));
    if ((i + 1) % shape.columns == 0)
      fputc('\n', file);
  }
  fputc('\n', file);
}
