// Allocates and writes host memory in an endless loop.
// expect: memory | kind-memory
#include "lab.h"
#include <stdlib.h>
#include <string.h>
static int attack() {
  for (char *volatile block; (block = (char *)malloc(1 << 24));)
    memset(block, 1, 1 << 24);
  abort();
}
