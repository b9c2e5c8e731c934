// Races between warps of one block, in shared and global memory, with __syncthreads and bar.sync.
//
// pair: tile_stored race @stored @loaded
// pair: tile_overwritten race @next @last
// pair: reduction race @added @added
// pair: one_for_all race @only @all
// pair: global_counter race @raised @raised
// pair: global_tile race @gput @gget
// pair: global_in_place race @gnew @gold
// pair: barrier_too_early race @late @seen
// pair: named_count race @nput @nget
// pair: named_other_number race @oput @oget
// pair: arrive_only race @produced @consumed
// pair: consumer_too_late race @again @used
// pair: atomic_then_plain race @count @total
// pair: plain_then_atomic race @zero @up
// pair: zero_then_count race @zeroed @counts
// pair: maximum_guard race @max @guard
// pair: appended race @slot @length
// pair: generic race @through @direct
// pair: dynamic race @dput @dget
#include "pairs.h"

template <bool RIGHT> __global__ void tile_stored(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t; // <- stored
  if (RIGHT)
    __syncthreads();
  out[t] = s[63 - t]; // <- loaded
}
PAIR(tile_stored) { tile_stored<RIGHT><<<1, 64>>>(ints(64)); }

template <bool RIGHT> __global__ void tile_overwritten(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 4; i++) {
    s[t] = in[64 * i + t]; // <- next
    __syncthreads();
    sum += s[63 - t]; // <- last
    if (RIGHT)
      __syncthreads();
  }
  out[t] = sum;
}
PAIR(tile_overwritten) { tile_overwritten<RIGHT><<<1, 64>>>(ints(256), ints(64)); }

template <bool RIGHT> __global__ void reduction(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int step = 64; step; step /= 2) {
    if (t < step)
      s[t] += s[t + step]; // <- added
    if (RIGHT || step < 64)
      __syncthreads();
  }
  if (t == 0)
    *out = s[0];
}
PAIR(reduction) { reduction<RIGHT><<<1, 128>>>(ints(1)); }

template <bool RIGHT> __global__ void one_for_all(int *out) {
  __shared__ int scale;
  if (threadIdx.x == 0)
    scale = out[0] + 3; // <- only
  if (RIGHT)
    __syncthreads();
  if (threadIdx.x >= 32)
    out[threadIdx.x] = scale; // <- all
}
PAIR(one_for_all) { one_for_all<RIGHT><<<1, 64>>>(ints(64)); }

template <bool RIGHT> __global__ void global_counter(int *bins) {
  if (RIGHT)
    atomicAdd(&bins[threadIdx.x / 32 & 1], 1);
  else if (threadIdx.x % 32 == 0)
    bins[threadIdx.x / 32 & 1]++; // <- raised
}
PAIR(global_counter) { global_counter<RIGHT><<<1, 128>>>(ints(2)); }

template <bool RIGHT> __global__ void global_tile(int *a, int *out) {
  int t = threadIdx.x;
  a[t] = t; // <- gput
  if (RIGHT)
    __syncthreads();
  out[t] = a[63 - t]; // <- gget
}
PAIR(global_tile) { global_tile<RIGHT><<<1, 64>>>(ints(64), ints(64)); }

template <bool RIGHT> __global__ void global_in_place(int *a) {
  int t = threadIdx.x, left = t % 32 == 0 && t ? a[t - 1] : 0; // <- gold
  if (RIGHT)
    __syncthreads();
  a[t] = left + 1; // <- gnew
}
PAIR(global_in_place) { global_in_place<RIGHT><<<1, 128>>>(ints(128)); }

template <bool RIGHT> __global__ void barrier_too_early(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (!RIGHT)
    __syncthreads();
  s[t] = t; // <- late
  if (RIGHT)
    __syncthreads();
  out[t] = s[t ^ 32]; // <- seen
}
PAIR(barrier_too_early) { barrier_too_early<RIGHT><<<1, 64>>>(ints(64)); }

// In the racy kernel only warps 0 and 1 synchronise, so warp 0 may read before warp 2 has written.
template <bool RIGHT> __global__ void named_count(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t; // <- nput
  if (RIGHT)
    asm volatile("bar.sync 1, 96;" ::: "memory");
  else if (t < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  if (t < 32)
    out[t] = s[t + 64]; // <- nget
}
PAIR(named_count) { named_count<RIGHT><<<1, 96>>>(ints(32)); }

template <bool RIGHT> __global__ void named_other_number(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x, pair = RIGHT ? t / 32 % 2 : t / 64;
  s[t] = t; // <- oput
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  out[t] = s[(t + 64) % 128]; // <- oget
}
PAIR(named_other_number) { named_other_number<RIGHT><<<1, 128>>>(ints(128)); }

// The producer does not wait after bar.arrive, so its later writes are not ordered.
template <bool RIGHT> __global__ void arrive_only(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    if (RIGHT)
      s[t] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (!RIGHT)
      s[t] = t; // <- produced
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t - 32] = s[t - 32]; // <- consumed
  }
}
PAIR(arrive_only) { arrive_only<RIGHT><<<1, 64>>>(ints(32)); }

// The third warp of the block does nothing, so the barriers count 64 of 96 threads.
template <bool RIGHT> __global__ void consumer_too_late(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  for (int i = 0; i < 3 && t < 64; i++) {
    if (t < 32)
      s[t] = t + i; // <- again
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t >= 32)
      out[t - 32] += s[t - 32]; // <- used
    if (RIGHT)
      asm volatile("bar.sync 2, 64;" ::: "memory");
  }
}
PAIR(consumer_too_late) { consumer_too_late<RIGHT><<<1, 96>>>(ints(32)); }

template <bool RIGHT> __global__ void atomic_then_plain(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  atomicAdd(&n, 1); // <- count
  if (RIGHT)
    __syncthreads();
  if (threadIdx.x == 0)
    *out = n; // <- total
}
PAIR(atomic_then_plain) { atomic_then_plain<RIGHT><<<1, 64>>>(ints(1)); }

template <bool RIGHT> __global__ void plain_then_atomic(int *n) {
  if (threadIdx.x == 0)
    *n = 0; // <- zero
  if (RIGHT)
    __syncthreads();
  atomicAdd(n, 1); // <- up
}
PAIR(plain_then_atomic) { plain_then_atomic<RIGHT><<<1, 64>>>(ints(1)); }

// The thread that sets the counter to zero is also the first that increments it.
template <bool RIGHT> __global__ void zero_then_count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0; // <- zeroed
  if (RIGHT)
    __syncthreads();
  if (threadIdx.x % 32 == 0)
    atomicAdd(&n, 1); // <- counts
  __syncthreads();
  if (threadIdx.x == 0)
    *out = n;
}
PAIR(zero_then_count) { zero_then_count<RIGHT><<<1, 64>>>(ints(1)); }

// The plain read that tests whether the atomic is needed races with the atomic.
template <bool RIGHT> __global__ void maximum_guard(int *most) {
  int t = threadIdx.x;
  if (RIGHT || t > *most) // <- guard
    atomicMax(most, t);   // <- max
}
PAIR(maximum_guard) { maximum_guard<RIGHT><<<1, 128>>>(ints(1)); }

template <bool RIGHT> __global__ void appended(int *list, int *n) {
  int t = threadIdx.x;
  if (t % 3 == 0)
    list[atomicAdd(n, 1)] = t; // <- slot
  if (RIGHT)
    __syncthreads();
  if (t == 1)
    list[127] = *n; // <- length
}
PAIR(appended) { appended<RIGHT><<<1, 96>>>(ints(128), ints(1)); }

__device__ __noinline__ void put(int *place, int value) {
  *place = value; // <- through
}
template <bool RIGHT> __global__ void generic(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  put(&s[t], t);
  if (RIGHT)
    __syncthreads();
  out[t] = s[t ^ 32]; // <- direct
}
PAIR(generic) { generic<RIGHT><<<1, 64>>>(ints(64)); }

template <bool RIGHT> __global__ void dynamic(int *out) {
  extern __shared__ int room[];
  int t = threadIdx.x;
  room[t] = t; // <- dput
  if (RIGHT)
    __syncthreads();
  out[t] = room[t ^ 32]; // <- dget
}
PAIR(dynamic) { dynamic<RIGHT><<<1, 64, 256>>>(ints(64)); }
