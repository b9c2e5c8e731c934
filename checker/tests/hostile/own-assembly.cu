// Makes a system call directly, without the C library.
// expect: walls | kind-walls
#include "lab.h"
#include <stdlib.h>
static int attack() {
  long answer = 0;
#ifdef __x86_64__
  __asm__ volatile("syscall" : "=a"(answer) : "a"(57) : "rcx", "r11", "memory");
#else
  register long number __asm__("x8") = 220;
  __asm__ volatile("svc 0" : "=r"(answer) : "r"(number) : "memory");
#endif
  exit((int)answer);
}
