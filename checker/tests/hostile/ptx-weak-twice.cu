// Defines a weak variable twice. The address of the first variable could be used with an
// offset past the end of the second variable.
// expect: unwritten | none-written
// score: 65
#include "lab.h"
extern "C" __global__ void before() {
#ifdef __CUDA_ARCH__
  asm volatile("ret;\n}\n.visible .func fff() { ret; }\n"
               ".weak .global .align 8 .u64 www[512] = { 0, 0, 0, 0, fff, fff, fff, fff };\n"
               ".weak .global .align 8 .u64 www[1] = { 0 };\n.visible .func dummy_end() {\n");
#endif
}
static int attack() { return 0; }
