// Creates memory that belongs to no process (memfd_create).
// expect: walls | kind-walls
#include "lab.h"
#include <sys/mman.h>
#include <unistd.h>
static int attack() {
  static char block[1 << 20];
  for (int file = memfd_create("hoard", 0);;)
    if (write(file, block, sizeof block) < 0)
      file = memfd_create("hoard", 0);
}
