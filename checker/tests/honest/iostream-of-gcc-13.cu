// expect: unwritten | none-written
// libstdc++ 13 has this line in <iostream>, so a program that links it runs the function before
// main, even without streams of its own. It is declared here for machines with an older library.
__asm(".globl _ZSt21ios_base_library_initv");
extern "C" void _ZSt21ios_base_library_initv() {}

static int attack() { return 0; }
