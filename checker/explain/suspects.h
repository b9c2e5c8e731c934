/* Hypotheses about a wrong matrix product. */
#ifndef SUSPECTS_H
#define SUSPECTS_H

#include "explain/explain.h"

typedef struct Product {
  size_t m, k, n;
  const double *a, *b, *gold;
  /* The sum of |a|·|b| for each element: the scale of its rounding errors. */
  const double *magnitude;
  /* The rounding error of the element type. */
  double unit;
} Product;

/* Returns how far rounding may move an element of the product. */
double product_rounding(const Product *, size_t element);
bool product_near(const Product *, size_t element, double got, double expected);
/* Adds each hypothesis that gives exactly this output. */
void suspects_find(const Product *, const ResultFile *, Hypotheses *);

#endif
