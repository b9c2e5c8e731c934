// Makes system calls with the numbers of another architecture.
// expect: walls | kind-walls
#include "lab.h"
#include <unistd.h>
static int attack() { return (int)syscall(0x40000000 + 57); }
