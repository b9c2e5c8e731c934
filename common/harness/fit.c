/* Prints how much device memory a problem needs, and the largest size that would fit. */
#include <string.h>

#include "harness.h"

static double total_bytes(const Options *o, const int *size) {
  double bytes = 0;
  for (int i = 0; i <= problem_inputs(o->problem); i++) {
    Shape shape = operand_shape(o->problem, size, i);
    bytes += (double)shape.rows * (double)shape.columns * (double)o->element_bytes;
  }
  return bytes;
}

/* Searches the size by bisection. `low` always fits into `room` bytes, `high` does not. */
static int largest_that_fits(const Options *o, double room) {
  int low = 0, high = 1 << 20, size[MAX_SIZES];
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    options_scale(o, middle, size);
    *(total_bytes(o, size) <= room ? &low : &high) = middle;
  }
  return low;
}

const char *fit_misfit(const Options *o, const int *size) {
  static char line[200];
  size_t all = 0, free = 0;
  if (device_memory(&all, &free) != cudaSuccess || total_bytes(o, size) <= (double)free)
    return NULL;
  snprintf(line, sizeof line,
           "the device has %.2f GB free, but these sizes take %.2f GB: --size %d fits (see --fit)",
           (double)free / 1e9, total_bytes(o, size) / 1e9, largest_that_fits(o, (double)free));
  return line;
}

void fit_print(const Options *o) {
  char count[CELL_BYTES];
  size_t all = 0, free = 0;
  printf("%s: %s\n%s\n\n", o->lab->title, o->problem->formula, device_description());
  for (int i = 0; i <= problem_inputs(o->problem); i++) {
    Shape shape = operand_shape(o->problem, o->size, i);
    double bytes = (double)shape.rows * (double)shape.columns * (double)o->element_bytes;
    printf("  %-6s %8zu × %-8zu × %zu bytes = %15s bytes\n", o->problem->operands[i].name,
           shape.rows, shape.columns, o->element_bytes, format_count(bytes, count));
  }
  double needed = total_bytes(o, o->size);
  printf("  %-37s = %15s bytes, %.2f GB\n", "together", format_count(needed, count), needed / 1e9);
  if (device_memory(&all, &free) != cudaSuccess)
    die("--fit: no CUDA device is available");
  printf("  %-37s   %15s bytes, %.2f GB\n\n", "free on the device",
         format_count((double)free, count), (double)free / 1e9);
  printf("%s; the largest size that fits: --size %d\n",
         needed <= (double)free ? "fits" : "does not fit", largest_that_fits(o, (double)free));
}
