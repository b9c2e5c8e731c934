// A kernel that takes more than the harness hands over: what lies behind that in the program's memory would come along.
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
