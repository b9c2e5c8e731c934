/* Common mistakes in a matrix product, compared with a wrong result. */
#ifndef SUSPECTS_H
#define SUSPECTS_H

#include "explain/explain.h"

typedef struct Product {
  size_t m, k, n;
  const double *a, *b, *gold;
  /* For each element, the sum of |a|·|b| over its terms. The rounding error of the element is
   * proportional to this sum. */
  const double *magnitude;
  /* The relative rounding error of the element type (FLT_EPSILON or DBL_EPSILON). */
  double unit;
} Product;

/* Returns the largest error that rounding may cause in an element of the product. */
double product_rounding(const Product *, size_t element);
bool product_near(const Product *, size_t element, double got, double expected);
/* Adds each mistake that gives exactly this output. */
void suspects_find(const Product *, const ResultFile *, Hypotheses *);

#endif
