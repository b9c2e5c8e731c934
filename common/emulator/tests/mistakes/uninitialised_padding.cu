// Padding of a struct may be copied with the struct, but not be used in any other way. An array
// element that was never written is not padding.
//
// kind: uninitialised
// says: error: read of shared memory that was never written: tile, element 1   in kernel use
// says:       thread (0,0) of block (0,0) read it   @branch
// says:       thread (0,0) of block (0,0) decided by it where to go   @branch
// says:       Nothing was stored in this memory before it was read.
// says: error: read of shared memory that was never written: tile, element 2   in kernel use
// says:       thread (0,0) of block (0,0) read it   @index
// says:       thread (0,0) of block (0,0) used it as an address   @index
// says:       Nothing was stored in this memory before it was read.
// says: error: read of shared memory that was never written: tile, element 251   in kernel use
// says:       thread (0,0) of block (0,0) read it   @sum
// says:       thread (0,0) of block (0,0) stored a result of it   @sum
// says:       Nothing was stored in this memory before it was read.
// says: error: read of shared memory that was never written: names, element 16   in kernel use
// says:       thread (0,0) of block (0,0) read it   @bytes
// says:       thread (0,0) of block (0,0) stored a result of it   @bytes
// says:       Nothing was stored in this memory before it was read.
#include "mistake.h"

struct Cell { // 3 bytes of padding after `tag`
  char tag;
  int value;
};

template <bool RIGHT> __global__ void use(int *out, Cell *cells, char *copy, int n) {
  __shared__ Cell tile[32];
  __shared__ __align__(16) char names[64];
  int t = threadIdx.x;
  tile[t].tag = 1;
  tile[t].value = t;
  if (RIGHT || t < 16)
    names[t] = names[t + 32] = 'a';
  __syncthreads();
  cells[t] = tile[t];
  const char *byte = &tile[t].tag;
  if (byte[RIGHT ? 0 : 1] > 0) // <- branch
    out[t] = 1;
  out[32 + ((t + byte[RIGHT ? 0 : 2]) & 31)] = 2; // <- index
  out[t] += (&tile[31 - t].tag)[RIGHT ? 0 : 3];   // <- sum
  if (t == 0)
    for (int i = 0; i < n; i++)
      copy[i] = names[i]; // <- bytes
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(64);
  Cell *cells = device_array<Cell>(32);
  char *copy = device_array<char>(64);
  use<RIGHT><<<1, 32>>>(out, cells, copy, 64);
  finish(out, cells, copy);
}
BOTH(run)
