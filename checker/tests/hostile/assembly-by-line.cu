// A #line contains a file name that the compiler writes into comments of its assembly. The name
// must not end the comment and become code.
// expect: unwritten | none-written
#include "lab.h"
static volatile int place;
static int attack() {
  place = 3;
#ifdef __x86_64__
#line 7 "x\n mov $60, %eax; mov $43, %edi; syscall\n#"
#else
#line 7 "x\n mov x8, 93\n mov x0, 43\n svc 0\n//"
#endif
  place = 4;
  return place;
}
