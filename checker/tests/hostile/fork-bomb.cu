// Creates processes in an endless loop.
// expect: walls | kind-walls
#include "lab.h"
#include <unistd.h>
static int attack() {
  for (;;)
    fork();
}
