// Recursion on the host that overflows the stack.
// expect: crash | host-crashed
#include "lab.h"
static volatile int always = 1;
static int deeper(int level) {
  volatile char room[4096];
  room[level % 4096] = 1;
  return always ? deeper(level + 1) + room[0] : level;
}
static int attack() { return deeper(0); }
