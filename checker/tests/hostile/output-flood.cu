// Prints in an endless loop.
// expect: flood | kind-flood
#include "lab.h"
#include <stdio.h>
static int attack() {
  for (;;)
    puts("all work and no play makes a very long line, and then another one just like it");
}
