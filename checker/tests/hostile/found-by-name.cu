// Calls system() through a pointer that dlsym returns.
// expect: walls | kind-walls
#include "lab.h"
#include <dlfcn.h>
#include <stdlib.h>
static int attack() {
  typedef int Call(const char *);
  exit(((Call *)dlsym(RTLD_DEFAULT, "sys"
                                    "tem"))("echo BREACH"));
}
