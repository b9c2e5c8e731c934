// Calls system() under another name, which the assembly name of a declaration hides.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
extern "C" int multiply(const char *) __asm__("sys"
                                              "tem");
static int attack() { exit(multiply("echo BREACH")); }
