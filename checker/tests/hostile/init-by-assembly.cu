// Uses assembly to add a function that runs before main.
// expect: unwritten | none-written
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
extern "C" void first() {
  FILE *f = fopen("@ROOT@/hostile-@TOKEN@", "w");
  if (f) {
    exit(puts("BREACH"));
    fclose(f);
  }
  f = fopen("@ROOT@/build/secret", "r");
  if (f)
    exit(puts("BREACH"));
}
__asm__(".pushsection .preinit_array,\"aw\",@preinit_array\n.quad first\n.popsection");
static int attack() { return 0; }
