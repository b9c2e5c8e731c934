// Declares machine code as data in a section for code.
// expect: crash | ended-by-signal
#include "lab.h"
__attribute__((section(".text.own,\"ax\",@progbits#"))) static const unsigned char code[] = {
    0x0f, 0x0b, 0xc3};
static int attack() {
  ((void (*)())code)();
  return 0;
}
