// expect: forbidden | uses fork()
// open: walls | stopped at the sandbox's walls
#include "lab.h"
#include <unistd.h>
static int attack() {
  for (;;)
    fork();
}
