// Defines its own main function, which replaces the harness's.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdio.h>
static int attack() { return 0; }
#ifndef __CUDA_ARCH__
extern "C" int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i++)
    if (!__builtin_strcmp(argv[i], "--output"))
      puts("score 100/100");
  return 0;
}
#endif
