// Several threads write the same value to the same address: threads of one block, lanes that write
// 8 bytes, and threads of several blocks.
//
// kind: same-value-writes
// says: warning: same value written twice on any, word 0   in kernel flag_block
// says:       thread (0,0) of block (0,0) wrote it   @block
// says:       thread (32,0) of block (0,0) wrote it   @block
// says:       Several threads write the same value to the same place. This does no harm, but one
// says+ thread is enough.
// says: warning: same value written twice on wide, word 0   in kernel flag_warp
// says:       thread (0,0) of block (0,0) wrote it   @warp
// says:       thread (1,0) of block (0,0) wrote it   @warp
// says:       Several threads write the same value to the same place. This does no harm, but one
// says+ thread is enough.
// says: warning: same value written twice between blocks on allocation 2 (4 bytes), element 0   in
// says+ kernel flag_grid
// says:       thread (0,0) of block (0,0) wrote it   @grid
// says:       thread (0,0) of block (1,0) wrote it   @grid
// says:       Several threads write the same value to the same place. This does no harm, but one
// says+ thread is enough.
#include "mistake.h"

template <bool RIGHT> __global__ void flag_block(float *out) {
  __shared__ int any;
  if (RIGHT ? threadIdx.x == 0 : threadIdx.x % 32 == 0)
    any = 7 + (out[0] > 0); // <- block
  __syncthreads();
  out[threadIdx.x] = any;
}

template <bool RIGHT> __global__ void flag_warp(float *out) {
  __shared__ double wide;
  if (threadIdx.x < (RIGHT ? 1 : 2))
    wide = 7 + (out[0] > 0); // <- warp
  __syncthreads();
  out[threadIdx.x] = (float)wide;
}

template <bool RIGHT> __global__ void flag_grid(int *any) {
  if (threadIdx.x == 0 && (!RIGHT || blockIdx.x == 0))
    *any = 7; // <- grid
}

template <bool RIGHT> void run() {
  float *out = device_array<float>(64);
  int *any = device_array<int>(1);
  flag_block<RIGHT><<<1, 64>>>(out);
  flag_warp<RIGHT><<<1, 32>>>(out);
  flag_grid<RIGHT><<<2, 32>>>(any);
  finish(out, any);
}
BOTH(run)
