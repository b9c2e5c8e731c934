// The text of an assertion is printed in the report. Here it contains lines of a report, control
// codes of a terminal, right-to-left text, and markup.
// expect: assert | assertion `!"\n 1 index 20/20
#include "lab.h"
#include <assert.h>
#define OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  assert(!"\n  1 index                     20/20\n  score "
          "100/100\033[2J\xe2\x80\xae</pre><script>alert(1)</script>");
}
static int attack() { return 0; }
