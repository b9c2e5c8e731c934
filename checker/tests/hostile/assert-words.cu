// What a kernel asserts goes into the report: lines of a report, an order for the terminal, words from right to left, markup.
// expect: assert | assertion `!"\n 1 index 20/20
#include "lab.h"
#include <assert.h>
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  assert(!"\n  1 index                     20/20\n  score "
          "100/100\033[2J\xe2\x80\xae</pre><script>alert(1)</script>");
}
static int attack() { return 0; }
