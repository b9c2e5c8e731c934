// expect: unwritten | none-written
// Since its version 13 libstdc++ has this line in <iostream>, so that a program which links it without streams
// of its own still begins with them. The function stands here for those with an older library.
__asm(".globl _ZSt21ios_base_library_initv");
extern "C" void _ZSt21ios_base_library_initv() {}

static int attack() { return 0; }
