// Adds a section whose contents the linker prints as a warning.
// expect: unwritten | none-written
#include "lab.h"
extern "C" {
__attribute__((section(".gnu.warning.cudaMalloc"), used)) const char words[] =
    "\033[2Jscore 100/100 BREACH";
}
#define WITH_THE_HOST_SIDE
static void attack() {
  void *p;
  cudaMalloc(&p, 1);
}
