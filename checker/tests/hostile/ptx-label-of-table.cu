// Jumps to the name of a table, which is not a label in the code.
// expect: unwritten | none-written
// score: 65
#include "lab.h"
extern "C" __global__ void before() {
#ifdef __CUDA_ARCH__
  asm volatile(
      "ret;\n}\n.visible .entry jjj() { .reg .pred p; @p bra L; M: L: .branchtargets M; }\n"
      ".visible .func dummy_end() {\n");
#endif
}
static int attack() { return 0; }
