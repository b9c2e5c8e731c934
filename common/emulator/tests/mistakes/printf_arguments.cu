// printf gets 33 values, one more than a GPU passes. "%.0d" prints no character for a zero.
//
// kind: not-on-a-gpu
// says: warning: printf in a kernel gets 33 values   in kernel print
// says:       thread (0,0) of block (0,0) called it   @here
// says:       A GPU passes at most 32 values to printf in a kernel, and prints garbage for the
// says+ others. Use two calls of printf.
#include "mistake.h"

#define FOUR "%.0d%.0d%.0d%.0d"
#define THIRTY_TWO FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
#define EIGHT x, x, x, x, x, x, x, x

template <bool RIGHT> __global__ void print(int x) {
  if (RIGHT)
    printf(THIRTY_TWO, EIGHT, EIGHT, EIGHT, EIGHT);
  else
    printf(THIRTY_TWO "%.0d", EIGHT, EIGHT, EIGHT, EIGHT, x); // <- here
}

template <bool RIGHT> void run() {
  int *x = device_array<int>(1);
  print<RIGHT><<<1, 32>>>(0);
  finish(x);
}
BOTH(run)
