// One access transfers two elements, but its address is not a multiple of its size, in global and
// in shared memory.
//
// kind: misaligned
// says: error: read of 8 bytes at an address that is not a multiple of 8: byte 4 of allocation 2
// says+ (264 bytes)   in kernel pairs
// says:       thread (0,0) of block (0,0) read it   @global
// says:       A load or store of several bytes needs an address that is a multiple of its size.
// says: error: read of 8 bytes at an address that is not a multiple of 8: byte 4 of piece   in
// says+ kernel pairs
// says:       thread (0,0) of block (0,0) read it   @shared
// says:       A load or store of several bytes needs an address that is a multiple of its size.
// answers: cudaErrorMisalignedAddress
#include "mistake.h"

template <bool RIGHT> __global__ void pairs(double *to, const float *from) {
  __shared__ float piece[2 * 32 + 2];
  int t = threadIdx.x, odd = !RIGHT;
  piece[2 * t] = piece[2 * t + 1] = from[t];
  if (t == 0)
    piece[64] = piece[65] = 1;
  __syncthreads();
  double sum = *(const double *)(from + 2 * t + odd); // <- global
  sum += *(const double *)(piece + 2 * t + odd);      // <- shared
  to[t] = sum;
}

template <bool RIGHT> void run() {
  double *to = device_array<double>(32);
  float *from = device_array<float>(66);
  pairs<RIGHT><<<1, 32>>>(to, from);
  finish(to, from);
}
BOTH(run)
