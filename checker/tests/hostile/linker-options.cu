// Passes options and libraries to the linker, both in the source and in sections of the object. A
// GCC object for link-time optimization contains a command line for another compiler.
// expect: unwritten | none-written
#include "lab.h"
#ifndef __CUDA_ARCH__
#pragma comment(lib, "@ROOT@/build/secret")
#pragma comment(linker, "-plugin=/lockstep/out/said")
__asm__(
    ".section .deplibs,\"MS\",@llvm_dependent_libraries,1\n.asciz \"@ROOT@/build/secret\"\n"
    ".section .linker-options,\"e\",@llvm_linker_options\n.asciz \"-T\"\n.asciz \"/etc/passwd\"\n"
    ".section .gnu.lto_.opts,\"e\",@progbits\n.asciz \"'-fplugin=/lockstep/out/said' '-wrapper' "
    "'touch,hostile-@TOKEN@'\"\n.section .gnu.lto_main,\"e\",@progbits\n.quad 1\n"
    ".comm __gnu_lto_slim,1,1\n.text");
#endif
static int attack() { return 0; }
