// Calls the address of data instead of a function.
// expect: bad-call | call through a pointer to no function
#include "lab.h"
#define OWN_KERNEL
typedef real Function(real);
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  C[0] = ((Function *)(C + n))(A[0]);
}
static int attack() { return 0; }
