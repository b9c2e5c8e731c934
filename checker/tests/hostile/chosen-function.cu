// Runs code in an ifunc resolver, which the loader calls to choose a function.
// expect: ended-early/crash | score
#include "lab.h"
#include <unistd.h>
#ifndef __CUDA_ARCH__
extern "C" {
int zero() { return 0; }
typedef int Chosen();
Chosen *choose() {
  _exit(0);
  return zero;
}
int chosen() __attribute__((ifunc("choose")));
}
static int attack() { return chosen(); }
#else
static int attack() { return 0; }
#endif
