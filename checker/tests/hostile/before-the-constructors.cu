// Ends the program with status 0 in a function that runs before all constructors.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <unistd.h>
static void early() { _exit(0); }
__attribute__((used, section(".preinit_array"))) static void (*const first)() = early;
static int attack() { return 0; }
