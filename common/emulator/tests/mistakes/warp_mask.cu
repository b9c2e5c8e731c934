// The mask of a warp function must name all lanes that execute it, and all lanes that they read.
//
// kind: mask
// says: error: lane 16 executes a warp function whose mask 0x0000ffff does not name it   in kernel
// says+ not_in_mask
// says:       thread (16,0) of block (0,0) executed it   @outside
// says:       The mask of a warp function has to name the lanes that call it. Values can be read
// says+ from these lanes only.
// says: error: shuffle from a lane that does not take part   in kernel from_outside
// says:       thread (8,0) of block (0,0) asked for the value of lane 16   @absent
// says:       thread (8,0) of block (0,0) stored a result of it   @absent
// says:       the mask of the lanes that take part is 0x0000ffff
// says:       The mask of a warp function has to name the lanes that call it. Values can be read
// says+ from these lanes only.
#include "mistake.h"

template <bool RIGHT> __global__ void not_in_mask(int *out) {
  int t = threadIdx.x;
  out[t] = __shfl_sync(RIGHT ? 0xffffffffu : 0x0000ffffu, t, 3); // <- outside
}

template <bool RIGHT> __global__ void from_outside(int *out) {
  int t = threadIdx.x;
  if (t < 16)
    out[t] = __shfl_down_sync(0x0000ffffu, t, 8, RIGHT ? 16 : 32); // <- absent
}

// The second warp has 16 lanes. Values read from missing lanes are discarded, so no report.
__global__ void thrown_away(int *out) {
  int v = threadIdx.x;
  unsigned here = __activemask();
  for (int d = 16; d; d /= 2) {
    int other = __shfl_down_sync(here, v, d);
    if (threadIdx.x % 32 + d < 32 && threadIdx.x + d < blockDim.x)
      v += other;
  }
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, v);
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  thrown_away<<<1, 48>>>(out);
  not_in_mask<RIGHT><<<1, 32>>>(out);
  from_outside<RIGHT><<<1, 32>>>(out);
  finish(out);
}
BOTH(run)
