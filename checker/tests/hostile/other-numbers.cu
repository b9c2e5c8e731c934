// Makes a system call with the number of another architecture.
// expect: walls | kind-walls
#include "lab.h"
#include <unistd.h>
static int attack() { return (int)syscall(0x40000000 + 57); }
