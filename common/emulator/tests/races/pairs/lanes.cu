// Races between lanes of one warp, corrected with __syncwarp, another mask, or warp functions.
//
// pair: counter race-in-warp @raise @raise
// pair: neighbour_shared race-in-warp @put @get
// pair: neighbour_global race-in-warp @store @load
// pair: read_then_write race-in-warp @before @after
// pair: half_mask race-in-warp @half_put @half_get
// pair: pairs_of_lanes race-in-warp @two_put @two_get
// pair: no_ballot race-in-warp @vote_put @vote_get
// pair: no_shuffle race-in-warp @shuffle_put @shuffle_get
// pair: divergent race-in-warp @then @else
// pair: one_place lanes-write-differently @place @place
// pair: one_place_shared lanes-write-differently @shared_place @shared_place
// pair: same_value same-value-writes @same @same
// pair: same_value_swapped same-value-writes @same_swapped @same_swapped
// pair: tile race-in-warp @tile_put @tile_get
// pair: warp_reduction race-in-warp @sum @sum
#include <cooperative_groups.h>

#include "pairs.h"

template <bool RIGHT> __global__ void counter(int *x) {
  if (RIGHT)
    atomicAdd(x, 1);
  else
    *x += 1; // <- raise
}
PAIR(counter) { counter<RIGHT><<<1, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void neighbour_shared(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t; // <- put
  if (RIGHT)
    __syncwarp();
  out[t] = s[(t + 1) % 32]; // <- get
}
PAIR(neighbour_shared) { neighbour_shared<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void neighbour_global(int *a, int *out) {
  int t = threadIdx.x;
  a[t] = t; // <- store
  if (RIGHT)
    __syncwarp();
  out[t] = a[31 - t]; // <- load
}
PAIR(neighbour_global) { neighbour_global<RIGHT><<<1, 32>>>(ints(32), ints(32)); }

template <bool RIGHT> __global__ void read_then_write(int *a) {
  int t = threadIdx.x;
  int next = a[(t + 1) % 32]; // <- before
  if (RIGHT)
    __syncwarp();
  a[t] = next + 1; // <- after
}
PAIR(read_then_write) { read_then_write<RIGHT><<<1, 32>>>(ints(32)); }

// In the racy kernel, each half of the warp synchronises by itself but reads from the other half.
template <bool RIGHT> __global__ void half_mask(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t; // <- half_put
  __syncwarp(RIGHT ? 0xffffffffu : t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = s[t ^ 16]; // <- half_get
}
PAIR(half_mask) { half_mask<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void pairs_of_lanes(int *a, int *out) {
  int t = threadIdx.x;
  a[t] = t; // <- two_put
  __syncwarp((RIGHT ? 15u : 3u) << (RIGHT ? t / 4 * 4 : t / 2 * 2));
  out[t] = a[t ^ 2]; // <- two_get
}
PAIR(pairs_of_lanes) { pairs_of_lanes<RIGHT><<<1, 32>>>(ints(32), ints(32)); }

template <bool RIGHT> __global__ void no_ballot(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t * t; // <- vote_put
  unsigned odd = RIGHT ? __ballot_sync(0xffffffffu, t % 2) : 0xaaaaaaaau;
  out[t] = s[31 - t] + (int)odd; // <- vote_get
}
PAIR(no_ballot) { no_ballot<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void no_shuffle(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t; // <- shuffle_put
  int sum = RIGHT ? __shfl_xor_sync(0xffffffffu, t, 1) : t ^ 1;
  out[t] = s[t ^ 3] + sum; // <- shuffle_get
}
PAIR(no_shuffle) { no_shuffle<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void divergent(int *x, int *out) {
  if (threadIdx.x == 3)
    x[0] = 7; // <- then
  if (RIGHT)
    __syncwarp();
  if (threadIdx.x == 9)
    out[0] = x[0]; // <- else
}
PAIR(divergent) { divergent<RIGHT><<<1, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void one_place(int *x) {
  x[RIGHT ? threadIdx.x : 0] = threadIdx.x; // <- place
}
PAIR(one_place) { one_place<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void one_place_shared(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[RIGHT ? t : t / 2] = t; // <- shared_place
  __syncthreads();
  out[t] = s[RIGHT ? t : t / 2];
}
PAIR(one_place_shared) { one_place_shared<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void same_value(int *found) {
  if (!RIGHT || threadIdx.x == 0)
    *found = 1; // <- same
}
PAIR(same_value) { same_value<RIGHT><<<1, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void tile(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  auto eight = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  s[t] = t; // <- tile_put
  eight.sync();
  out[t] = s[RIGHT ? t ^ 7 : t ^ 8]; // <- tile_get
}
PAIR(tile) { tile<RIGHT><<<1, 32>>>(ints(32)); }

template <bool RIGHT> __global__ void warp_reduction(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  for (int step = 16; step; step /= 2) {
    if (t < step)
      s[t] += s[t + step]; // <- sum
    if (RIGHT)
      __syncwarp();
  }
  if (t == 0)
    out[0] = s[0];
}
PAIR(warp_reduction) { warp_reduction<RIGHT><<<1, 32>>>(ints(1)); }

// The lanes write equal values after a compare-and-swap, so the report is same-value-writes.
template <bool RIGHT> __global__ void same_value_swapped(int *own, int *any) {
  if (atomicCAS(&own[threadIdx.x], 0, 1) == 0 && (!RIGHT || threadIdx.x == 0))
    any[0] = 1; // <- same_swapped
  __threadfence();
}
PAIR(same_value_swapped) { same_value_swapped<RIGHT><<<1, 32>>>(ints(32), ints(1)); }
