// Declares an array whose size overflows in the replay: its rows have -8 bytes.
// expect: device-code | an array of more than 4 GiB
// score: 0
#include "lab.h"
extern "C" __global__ void before() {
#ifdef __CUDA_ARCH__
  asm volatile("ret;\n}\n.visible .func fff() { ret; }\n"
               ".global .align 8 .u64 x[0][2305843009213693951] = { {}, {fff} };\n"
               ".visible .func dummy_end() {\n");
#endif
}
static int attack() { return 0; }
