/* Declarations of the programs in this folder. Each program has pairs of kernels: one with a data
 * race, and a corrected kernel, which differs in one line. A comment at the head of the program
 * gives the report of each racy kernel. The corrected kernel must have no report:
 *
 *   // pair: NAME KIND @one @other     the report names the lines "// <- one" and "// <- other"
 *
 * `PROGRAM NAME` runs the racy kernel, `PROGRAM NAME right` the corrected kernel.
 * common/make/tests/race_pairs.sh runs both.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Pair {
  const char *name;
  void (*racy)(), (*right)();
  const Pair *next;
  static const Pair *&first() {
    static const Pair *pair;
    return pair;
  }
  Pair(const char *name_, void (*racy_)(), void (*right_)())
      : name(name_), racy(racy_), right(right_), next(first()) {
    first() = this;
  }
};
#define PAIR(name)                                                                                 \
  template <bool RIGHT> static void pair_##name();                                                 \
  static const Pair entry_##name(#name, pair_##name<false>, pair_##name<true>);                    \
  template <bool RIGHT> static void pair_##name()

/* Returns device memory that contains zeros. main frees it. */
static void *allocated[8];
static int count;
template <typename T> static T *zeros(int n) {
  T *array;
  if (cudaMalloc(&array, n * sizeof *array) != cudaSuccess ||
      cudaMemset(array, 0, n * sizeof *array) != cudaSuccess)
    exit(2);
  allocated[count++] = array;
  return array;
}
static inline int *ints(int n) { return zeros<int>(n); }

int main(int argc, char **argv) {
  const bool right = argc > 2 && strcmp(argv[2], "right") == 0;
  for (const Pair *pair = Pair::first(); pair; pair = pair->next)
    if (argc > 1 && strcmp(pair->name, argv[1]) == 0) {
      (right ? pair->right : pair->racy)();
      puts(cudaGetErrorName(cudaDeviceSynchronize()));
      while (count)
        cudaFree(allocated[--count]);
      return 0;
    }
  fprintf(stderr, "usage: %s NAME [right]\n", argv[0]);
  return 2;
}

#endif
