// Races between blocks, whose order is not defined: plain accesses, plain and atomic accesses,
// atomics of block scope, and accesses of different sizes.
//
// pair: sum race-between-blocks @sum @sum
// pair: largest race-between-blocks @largest @largest
// pair: halo race-between-blocks @halo_new @halo_old
// pair: guard race-between-blocks @down @worth
// pair: zeroed race-between-blocks @clear @gather
// pair: own_total race-between-blocks @part @whole
// pair: one_block race-between-blocks @one_block @one_block
// pair: one_block_beside race-between-blocks @blocks_own @everybodys
// pair: wide_and_narrow race-between-blocks @narrow @wide
// pair: bytes_of_words race-between-blocks @byte @word
// pair: longs_of_words race-between-blocks @long @half
// pair: volatile_counter race-between-blocks @volatile @volatile
// pair: volatile_and_plain race-between-blocks @plain @strong
// pair: swap_without race-between-blocks @mark @test
// pair: flags_of_all same-value-writes @flag @flag
// pair: last_writer race-between-blocks @where @where
// pair: barrier_is_no_grid race-between-blocks @here @there
// pair: grid_sync race-between-blocks @mine @yours
#include <cooperative_groups.h>

#include "pairs.h"

template <bool RIGHT> __global__ void sum(int *x) {
  if (RIGHT && threadIdx.x == 0)
    atomicAdd(x, blockIdx.x);
  else if (threadIdx.x == 0)
    *x += blockIdx.x; // <- sum
}
PAIR(sum) { sum<RIGHT><<<4, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void largest(int *x) {
  if (RIGHT && threadIdx.x == 0)
    atomicMax(x, blockIdx.x);
  else if (threadIdx.x == 0)
    x[0] = max(x[0], (int)blockIdx.x); // <- largest
}
PAIR(largest) { largest<RIGHT><<<4, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void halo(int *to, const int *from) {
  int i = blockIdx.x * 32 + threadIdx.x,
      right = threadIdx.x == 31 && i < 127 ? from[i + 1] : 0; // <- halo_old
  to[i] = right + 1;                                          // <- halo_new
}
PAIR(halo) {
  int *a = ints(128);
  halo<RIGHT><<<4, 32>>>(RIGHT ? ints(128) : a, a);
}

template <bool RIGHT> __global__ void guard(int *most) {
  int mine = 1 + (int)blockIdx.x;
  if (threadIdx.x == 0 && (RIGHT || mine > most[0])) // <- worth
    atomicMax(most, mine);                           // <- down
}
PAIR(guard) { guard<RIGHT><<<4, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void zeroed(int *n) {
  if (!RIGHT && blockIdx.x == 0 && threadIdx.x == 0)
    *n = 0; // <- clear
  if (threadIdx.x == 0)
    atomicAdd(n, 1); // <- gather
}
PAIR(zeroed) { zeroed<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void own_total(int *parts, int *out) {
  if (threadIdx.x == 0)
    parts[blockIdx.x] = blockIdx.x; // <- part
  if (threadIdx.x == 0)
    out[blockIdx.x] = parts[RIGHT ? blockIdx.x : 0]; // <- whole
}
PAIR(own_total) { own_total<RIGHT><<<3, 32>>>(ints(3), ints(3)); }

template <bool RIGHT> __global__ void one_block(int *x) {
  if (RIGHT)
    atomicAdd(x, 1);
  else
    atomicAdd_block(x, 1); // <- one_block
}
PAIR(one_block) { one_block<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void one_block_beside(int *x) {
  if (blockIdx.x == 0 && !RIGHT)
    atomicMax_block(x, threadIdx.x); // <- blocks_own
  else
    atomicMax(x, threadIdx.x); // <- everybodys
}
PAIR(one_block_beside) { one_block_beside<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void wide_and_narrow(unsigned long long *x) {
  if (blockIdx.x == 0 && !RIGHT)
    atomicAdd((unsigned *)x, 1u); // <- narrow
  else
    atomicAdd(x, 1ull); // <- wide
}
PAIR(wide_and_narrow) { wide_and_narrow<RIGHT><<<2, 32>>>(zeros<unsigned long long>(1)); }

template <bool RIGHT> __global__ void bytes_of_words(int *a) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    ((char *)a)[RIGHT ? 4 : 2] = 1; // <- byte
  if (threadIdx.x == 0 && blockIdx.x == 1)
    a[0] = 5; // <- word
}
PAIR(bytes_of_words) { bytes_of_words<RIGHT><<<2, 32>>>(ints(2)); }

template <bool RIGHT> __global__ void longs_of_words(long long *a) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    a[0] = 1; // <- long
  if (threadIdx.x == 0 && blockIdx.x == 1)
    ((int *)a)[RIGHT ? 2 : 1] = 5; // <- half
}
PAIR(longs_of_words) { longs_of_words<RIGHT><<<2, 32>>>(zeros<long long>(2)); }

template <bool RIGHT> __global__ void volatile_counter(volatile int *x) {
  if (RIGHT && threadIdx.x == 0)
    atomicAdd((int *)x, 1);
  else if (threadIdx.x == 0)
    *x = *x + 1; // <- volatile
}
PAIR(volatile_counter) { volatile_counter<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void volatile_and_plain(volatile int *x, int *out) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    ((int *)x)[0] = 7; // <- plain
  if (threadIdx.x == 0 && blockIdx.x == 1)
    out[0] = x[RIGHT]; // <- strong
}
PAIR(volatile_and_plain) { volatile_and_plain<RIGHT><<<2, 32>>>(ints(2), ints(1)); }

// A block takes a node if it reads the node as unmarked, so both blocks may take it. Only block 0
// marks the node. Thus the racy kernel has the same two accesses in every order of the blocks.
template <bool RIGHT> __global__ void swap_without(int *taken, int *owner) {
  if (threadIdx.x > 0)
    return;
  if (RIGHT ? atomicCAS(taken, 0, 1) == 0 : *taken == 0) { // <- test
    if (!RIGHT && blockIdx.x == 0)
      *taken = 1; // <- mark
    owner[blockIdx.x] = 1;
  }
}
PAIR(swap_without) { swap_without<RIGHT><<<2, 32>>>(ints(1), ints(2)); }

template <bool RIGHT> __global__ void flags_of_all(int *found) {
  if (threadIdx.x == 0 && (!RIGHT || blockIdx.x == 0))
    *found = 1; // <- flag
}
PAIR(flags_of_all) { flags_of_all<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void last_writer(int *place) {
  if (threadIdx.x == 0)
    place[RIGHT ? blockIdx.x : 0] = blockIdx.x + 1; // <- where
}
PAIR(last_writer) { last_writer<RIGHT><<<3, 32>>>(ints(3)); }

template <bool RIGHT> __global__ void barrier_is_no_grid(int *a, int *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  a[i] = i; // <- here
  __syncthreads();
  out[i] = a[RIGHT ? i ^ 1 : i ^ 32]; // <- there
}
PAIR(barrier_is_no_grid) { barrier_is_no_grid<RIGHT><<<2, 32>>>(ints(64), ints(64)); }

template <bool RIGHT> __global__ void grid_sync(int *a, int *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  a[i] = i; // <- mine
  if (RIGHT)
    cooperative_groups::this_grid().sync();
  else
    __syncthreads();
  out[i] = a[63 - i]; // <- yours
}
PAIR(grid_sync) {
  int *a = ints(64), *out = ints(64);
  void *arguments[] = {&a, &out};
  cudaLaunchCooperativeKernel((void *)grid_sync<RIGHT>, dim3(2), dim3(32), arguments, 0, 0);
}
