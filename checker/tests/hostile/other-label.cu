// Calls system() under another assembly name, which the source hides from a reader.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
extern "C" int multiply(const char *) __asm__("sys"
                                              "tem");
static int attack() { exit(multiply("echo BREACH")); }
