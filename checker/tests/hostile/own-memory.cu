// Changes its own code through /proc, so that the harness's last steps do nothing.
// expect: unwritten | none-written
#include "lab.h"
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#ifndef __CUDA_ARCH__
extern "C" int main(int, char **);
static int attack() {
  static const unsigned char code[] = {0x31, 0xc0, 0xc3}; /* return 0 */
  int memory = open("/proc/self/mem", O_RDWR);
  return (int)pwrite(memory, code, sizeof code, (off_t)(uintptr_t)main);
}
#else
static int attack() { return 0; }
#endif
