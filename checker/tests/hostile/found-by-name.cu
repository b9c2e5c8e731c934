// expect: forbidden | uses dlsym()
// open: walls | stopped at the sandbox's walls
#include "lab.h"
#include <dlfcn.h>
#include <stdlib.h>
static int attack() {
  typedef int Call(const char *);
  exit(((Call *)dlsym(RTLD_DEFAULT, "sys"
                                    "tem"))("echo BREACH"));
}
