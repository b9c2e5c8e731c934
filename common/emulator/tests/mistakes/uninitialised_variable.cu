// A variable is set on only one of two paths.
//
// kind: uninitialised
// says: error: use of a variable that was never set   in kernel largest
// says:       thread (16,0) of block (0,0) stored a result of it   @wrong
// says:       The variable needs a value on every path that leads here.
#include "mistake.h"

template <bool RIGHT> __global__ void largest(float *out, const float *in, int n) {
  float most;
  if (RIGHT)
    most = in[0];
  for (int i = 0; i < n; i++)
    if (i == 0 ? threadIdx.x < 16 : in[i] > most)
      most = in[i];
  out[threadIdx.x] = most; // <- wrong
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(8), *out = device_array<float>(32);
  largest<RIGHT><<<1, 32>>>(out, in, 1);
  finish(in, out);
}
BOTH(run)
