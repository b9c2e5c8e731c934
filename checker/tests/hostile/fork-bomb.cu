// expect: walls | stopped by the sandbox
#include "lab.h"
#include <unistd.h>
static int attack() {
  for (;;)
    fork();
}
