// system, under a name that the source does not show to a reader in a hurry.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
extern "C" int multiply(const char *) __asm__("sys"
                                              "tem");
static int attack() { exit(multiply("echo BREACH")); }
