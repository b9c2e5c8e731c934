// Writes endlessly to every open file descriptor.
// expect: time-out | score
#include "lab.h"
#include <unistd.h>
static int attack() {
  static char block[1 << 20];
  for (int file = 3;; file = file < 63 ? file + 1 : 3)
    while (write(file, block, sizeof block) > 0)
      ;
}
