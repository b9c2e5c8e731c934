/* Allocates an array of double, or ends the checker with a message. */
#include "facts/facts.h"

#include <stdlib.h>

double *numbers(size_t count) {
  double *all = calloc(count, sizeof *all);
  if (!all)
    bad_input("not enough memory for a matrix of %zu elements", count);
  return all;
}
