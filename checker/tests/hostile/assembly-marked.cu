// Inline assembly contains the marks that a compiler writes around inline assembly, so that a part
// of it seems to be the compiler's own.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
static int attack() {
  long answer = 0;
#ifdef __x86_64__
  __asm__ volatile("\n#NO_APP\n\tsyscall\n#APP\n"
                   : "=a"(answer)
                   : "a"(57)
                   : "rcx", "r11", "memory");
#else
  register long number __asm__("x8") = 220;
  __asm__ volatile("\n//NO_APP\n\tsvc 0\n//APP\n" : "=r"(answer) : "r"(number) : "memory");
#endif
  exit((int)answer);
}
