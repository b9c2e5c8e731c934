// A kernel parameter that is larger than the argument that the harness passes. The bytes after
// that argument in the program's memory would also be copied.
// expect: no-output | a kernel's parameters are not those of
#include "lab.h"
#define OWN_KERNEL
struct Large {
  unsigned long long word[500];
};
extern "C" __global__ void matmul(const Large large) {
  real *C = (real *)large.word[2];
  for (int i = 0; i < 500; i++)
    C[i] = (real)large.word[i];
}
static int attack() { return 0; }
