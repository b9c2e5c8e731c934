// A carriage return ends a comment of the assembler, so that the text after it becomes code.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
static int attack() {
  long answer = 0;
#ifdef __x86_64__
  __asm__ volatile("# nothing\r\tsyscall" : "=a"(answer) : "a"(57) : "rcx", "r11", "memory");
#else
  register long number __asm__("x8") = 220;
  __asm__ volatile("// nothing\r\tsvc 0" : "=r"(answer) : "r"(number) : "memory");
#endif
  exit((int)answer);
}
