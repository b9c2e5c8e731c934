// Kernels whose divergent or just reconverged lanes cooperate: votes, shuffles, barriers, atomics
// and locks. reconvergence.h explains the tests. CUDA does not define which lanes __activemask()
// returns, but it defines the results of all other functions.
// expect: ok
#include "reconvergence.h"

// Return the lane of thread t, the lanes that exist in its warp, and the first thread of its warp.
static __host__ __device__ __forceinline__ unsigned lane_of(unsigned t) { return t % BLOCK % 32; }
static __host__ __device__ __forceinline__ unsigned lanes_of(unsigned t) {
  return t % BLOCK / 32 == BLOCK / 32 ? (1u << BLOCK % 32) - 1 : 0xffffffffu;
}
static unsigned first_of(unsigned t) { return t - lane_of(t); }

// Returns a mask of the lanes of t's warp for which the condition holds. `o` is the thread of each
// lane.
#define LANES_WITH(condition)                                                                      \
  ([=](unsigned first) {                                                                           \
    unsigned mask_ = 0;                                                                            \
    for (unsigned o = first; o < first + 32 && o < THREADS; o++)                                   \
      if (lanes_of(first) >> (o - first) & 1 && (condition))                                       \
        mask_ |= 1u << (o - first);                                                                \
    return mask_;                                                                                  \
  })(first_of(t))
#define EACH_THREAD for (unsigned t = 0; t < THREADS; t++)

WARP_KERNEL(votes) {
  unsigned v = IN(t), all = lanes_of(t), odd = __ballot_sync(all, v & 1);
  if (v & 1) {
    APART("odd");
    OUT(0) = __ballot_sync(odd, v & 2);
    OUT(1) = IN(v);
    APART("odd ends");
  } else {
    APART("even");
    OUT(2) = __popc(__ballot_sync(all & ~odd, v & 4)) + IN(v * 3);
    OUT(3) = __any_sync(all & ~odd, v & 8);
    OUT(4) = __all_sync(all & ~odd, v & 16);
    APART("even ends");
  }
  OUT(5) = __ballot_sync(all, v & 32);
}
static void votes_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t), even = LANES_WITH(!(IN(o) & 1));
    if (v & 1) {
      OUT(0) = LANES_WITH(IN(o) & 1 && IN(o) & 2);
      OUT(1) = IN(v);
    } else {
      OUT(2) = __builtin_popcount(even & LANES_WITH(IN(o) & 4)) + IN(v * 3);
      OUT(3) = (even & LANES_WITH(IN(o) & 8)) != 0;
      OUT(4) = (even & ~LANES_WITH(IN(o) & 16)) == 0;
    }
    OUT(5) = LANES_WITH(IN(o) & 32);
  }
}

// The mask contains the lane itself, and no lane that took another branch.
WARP_KERNEL(active_lanes) {
  unsigned v = IN(t), third = __ballot_sync(lanes_of(t), v % 3 == 0);
  if (v % 3 == 0) {
    unsigned active = __activemask();
    OUT(0) = (active >> lane_of(t) & 1) && !(active & ~third) ? v : 0;
    v += IN(v);
    APART("a third ends");
  } else {
    APART("the others");
    unsigned active = __activemask();
    OUT(1) = (active >> lane_of(t) & 1) && !(active & third) ? v : 1;
    v ^= IN(v * 3);
    APART("the others end");
  }
  OUT(2) = v;
}
static void active_lanes_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t);
    OUT(v % 3 != 0) = v;
    OUT(2) = v % 3 == 0 ? v + IN(v) : v ^ IN(v * 3);
  }
}

// The lanes of each branch exchange values through shared memory.
WARP_KERNEL(meet_in_branch) {
  __shared__ unsigned given[BLOCK];
  unsigned v = IN(t), b = threadIdx.x;
  given[b] = v;
  __syncwarp(lanes_of(t));
  if (lane_of(t) & 1) {
    APART("odd");
    unsigned mask = lanes_of(t) & 0xaaaaaaaau;
    unsigned got = given[b ^ 2];
    __syncwarp(mask);
    given[b] = got + IN(v);
    __syncwarp(mask);
    OUT(0) = given[b ^ 4];
    APART("odd ends");
  } else {
    APART("even");
    unsigned mask = lanes_of(t) & 0x55555555u;
    unsigned got = given[b ^ 4];
    __syncwarp(mask);
    given[b] = got ^ IN(v * 3);
    __syncwarp(mask);
    OUT(1) = given[b ^ 2];
    OUT(2) = IN(got);
    APART("even ends");
  }
  __syncwarp(lanes_of(t));
  OUT(3) = given[b ^ 1];
}
static void meet_in_branch_right(const unsigned *in, unsigned *out) {
  static unsigned given[THREADS];
  EACH_THREAD {
    unsigned v = IN(t), got = t & 1 ? IN(t ^ 2) : IN(t ^ 4);
    given[t] = t & 1 ? got + IN(v) : got ^ IN(v * 3);
    if (!(t & 1))
      OUT(2) = IN(got);
  }
  EACH_THREAD {
    OUT(!(t & 1)) = given[t & 1 ? t ^ 4 : t ^ 2];
    OUT(3) = given[t ^ 1];
  }
}

static __host__ __device__ __forceinline__ unsigned some_rounds(const unsigned *in, unsigned *out,
                                                                unsigned t, unsigned v) {
  unsigned n = v % 13;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) {
    v += IN(v);
    OUT(i) = v;
  }
  return v;
}

WARP_KERNEL(shuffle_after_loop) {
  unsigned v = some_rounds(in, out, t, IN(t));
  OUT(20) = __shfl_xor_sync(lanes_of(t), v, 1);
  OUT(21) = __shfl_sync(lanes_of(t), v, 5);
}
static void shuffle_after_loop_right(const unsigned *in, unsigned *out) {
  unsigned v[THREADS];
  EACH_THREAD v[t] = some_rounds(in, out, t, IN(t));
  EACH_THREAD {
    OUT(20) = v[t ^ 1];
    OUT(21) = v[first_of(t) + 5];
  }
}

// Executes more iterations in higher lanes, so the lanes arrive one after the other.
static __host__ __device__ __forceinline__ unsigned long_way(const unsigned *in, unsigned t) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < t % 32 * 40; i++)
    if (v & 64) {
      v = v * 5 + IN(i + v) / 3;
      APART("some rounds end");
    } else {
      APART("the other rounds");
      v = v * 7 + IN(v * 3 + i) % 11;
      v ^= v >> 13;
      APART("the other rounds end");
    }
  return v;
}

WARP_KERNEL(barrier_after_loop) {
  __shared__ unsigned given[BLOCK];
  given[threadIdx.x] = long_way(in, t);
  __syncthreads();
  OUT(0) = given[BLOCK - 1 - threadIdx.x];
}
static void barrier_after_loop_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned block = t / BLOCK * BLOCK;
    OUT(0) = long_way(in, block + BLOCK - 1 - t % BLOCK);
  }
}

WARP_KERNEL(shared_atomics) {
  __shared__ unsigned bins[BLOCK];
  unsigned v = IN(t), n = v % 9;
  bins[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) {
    v += IN(v + i);
    if (v & 16)
      atomicAdd(&bins[v % 16], v);
    OUT(i) = v;
  }
  __syncthreads();
  OUT(10) = bins[threadIdx.x % 16];
}
static void shared_atomics_right(const unsigned *in, unsigned *out) {
  unsigned bins[BLOCKS][16] = {{0}};
  EACH_THREAD {
    unsigned v = IN(t), n = v % 9;
    for (unsigned i = 0; i < n; i++) {
      v += IN(v + i);
      if (v & 16)
        bins[t / BLOCK][v % 16] += v;
      OUT(i) = v;
    }
  }
  EACH_THREAD OUT(10) = bins[t / BLOCK][t % BLOCK % 16];
}

WARP_KERNEL(global_atomics) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 10; i++) {
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
    if (v & 1) {
      atomicAdd(&CELL(v / 4 % 8), v);
      OUT(i) = v;
      APART("odd ends");
    } else if (v & 2) {
      APART("by bits");
      atomicXor(&CELL(8 + v / 4 % 8), v);
      OUT(10 + i) = v;
      APART("by bits ends");
    }
  }
}
static void global_atomics_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t);
    for (unsigned i = 0; i < 10; i++) {
      v = v * 5 + IN(v + i);
      v ^= v >> 9;
      if (v & 1) {
        CELL(v / 4 % 8) += v;
        OUT(i) = v;
      } else if (v & 2) {
        CELL(8 + v / 4 % 8) ^= v;
        OUT(10 + i) = v;
      }
    }
  }
}

// Takes a lock, which one lane at a time can have. The lock is free if all bits of *lock are 1.
static __device__ __forceinline__ bool try_lock(unsigned *lock) {
  return atomicCAS(lock, 0xffffffffu, 0) == 0xffffffffu;
}
static __device__ __forceinline__ void unlock(unsigned *lock) {
  __threadfence();
  atomicExch(lock, 0xffffffffu);
}
static __device__ __forceinline__ void work_locked(unsigned *out, unsigned t, unsigned v) {
  __threadfence();
  unsigned sum = CELL(8 + t / BLOCK);
  CELL(8 + t / BLOCK) = sum + v;
}

WARP_KERNEL(lock_by_trying) {
  unsigned v = IN(t), *lock = &CELL(t / BLOCK);
#pragma unroll 1
  for (bool done = false; !done;)
    if (try_lock(lock)) {
      work_locked(out, t, v);
      unlock(lock);
      done = true;
    }
  __syncwarp(lanes_of(t)); // compilers jump from unlock directly out of the loop
  OUT(0) = v;
}

// The lane that has the lock must not wait after the loop for lanes that still try to get it.
WARP_KERNEL(lock_by_waiting) {
  unsigned v = IN(t), *lock = &CELL(t / BLOCK);
#pragma unroll 1
  while (!try_lock(lock)) {
  }
  work_locked(out, t, v);
  unlock(lock);
}

static void lock_by_waiting_right(const unsigned *in, unsigned *out) {
  EACH_THREAD CELL(8 + t / BLOCK) += IN(t);
}
static void lock_by_trying_right(const unsigned *in, unsigned *out) {
  lock_by_waiting_right(in, out);
  EACH_THREAD OUT(0) = IN(t);
}

// The even lane of each pair waits for a value of the odd lane. 0 means that there is no value yet.
WARP_KERNEL(handshake) {
  __shared__ unsigned given[BLOCK];
  unsigned v = IN(t), b = threadIdx.x, got = 0;
  given[b] = 0;
  __syncthreads();
  if (b & 1) {
    APART("gives");
    OUT(0) = v;
    atomicExch(&given[b], v + IN(v) + 1);
    APART("gives ends");
  } else {
    APART("waits");
#pragma unroll 1
    while (!got)
      got = atomicAdd(&given[b + 1], 0);
    OUT(1) = got;
    v ^= IN(v * 3);
    APART("waits ends");
  }
  __syncwarp(lanes_of(t)); // without it, a GPU does not wait for spinning lanes
  OUT(2) = v;
}
static void handshake_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t);
    if (t & 1)
      OUT(0) = v;
    else
      OUT(1) = IN(t + 1) + IN(IN(t + 1)) + 1;
    OUT(2) = t & 1 ? v : v ^ IN(v * 3);
  }
}

// Processes one value at a time, for all lanes that have it: the value of the first remaining lane.
WARP_KERNEL(one_value_at_a_time) {
  unsigned v = IN(t), rest = lanes_of(t), turn = 0, same;
#pragma unroll 1
  for (;;) {
    unsigned value = __shfl_sync(rest, v % 8, __ffs(rest) - 1);
    same = __ballot_sync(rest, v % 8 == value);
    if (v % 8 == value)
      break;
    rest &= ~same;
    turn++;
    OUT(10 + turn) = rest;
  }
  OUT(turn) = same + IN(v % 8 * 32 + lane_of(t));
  OUT(20) = turn;
}
static void one_value_at_a_time_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t), rest = lanes_of(t), turn = 0;
    for (;;) {
      unsigned value = IN(first_of(t) + __builtin_ctz(rest)) % 8;
      unsigned same = LANES_WITH(IN(o) % 8 == value);
      if (v % 8 == value) {
        OUT(turn) = same + IN(value * 32 + lane_of(t));
        break;
      }
      rest &= ~same;
      turn++;
      OUT(10 + turn) = rest;
    }
    OUT(20) = turn;
  }
}

// All lanes repeat the loop until no lane has work left.
WARP_KERNEL(while_any) {
  unsigned v = IN(t), left = v % 9, i = 0;
#pragma unroll 1
  while (__any_sync(lanes_of(t), left)) {
    if (left) {
      v += IN(v);
      OUT(i) = v;
      left--;
    }
    OUT(10 + i) = v ^ i;
    i++;
  }
  OUT(20) = v;
}
static void while_any_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = IN(t), left = v % 9, most = 0;
    for (unsigned o = first_of(t); o < THREADS && o / BLOCK == t / BLOCK && o < first_of(t) + 32;
         o++)
      most = IN(o) % 9 > most ? IN(o) % 9 : most;
    for (unsigned i = 0; i < most; i++) {
      if (left) {
        v += IN(v);
        OUT(i) = v;
        left--;
      }
      OUT(10 + i) = v ^ i;
    }
    OUT(20) = v;
  }
}

static __host__ __device__ __forceinline__ unsigned one_round(const unsigned *in, unsigned *out,
                                                              unsigned t, unsigned v, unsigned i) {
  if (v & 1) {
    v += IN(v);
    OUT(i) = v;
    if (v & 2)
      v ^= IN(v + i);
    APART("odd ends");
  } else {
    APART("even");
    v = v / 3 + IN(v * 3);
    APART("even ends");
  }
  return v;
}

WARP_KERNEL(meet_each_round) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 10; i++) {
    v = one_round(in, out, t, v, i);
    __syncwarp(lanes_of(t));
    OUT(10 + i) = v;
    v += __shfl_xor_sync(lanes_of(t), v, 1);
  }
  OUT(20) = v;
}
static void meet_each_round_right(const unsigned *in, unsigned *out) {
  unsigned v[THREADS];
  EACH_THREAD v[t] = IN(t);
  for (unsigned i = 0; i < 10; i++) {
    EACH_THREAD OUT(10 + i) = v[t] = one_round(in, out, t, v[t], i);
    for (unsigned t = 0; t < THREADS; t += 2)
      v[t] = v[t + 1] = v[t] + v[t + 1];
  }
  EACH_THREAD OUT(20) = v[t];
}

// Some lanes compute a sum by shuffles while the others execute a loop.
WARP_KERNEL(sum_in_branch) {
  unsigned v = IN(t);
  if (lane_of(t) < 8) {
    APART("add");
#pragma unroll
    for (unsigned d = 4; d; d /= 2)
      v += __shfl_xor_sync(0xffu, v, d);
    OUT(20) = v;
    v = IN(v);
    APART("add ends");
  } else {
    APART("go round");
    v = some_rounds(in, out, t, v);
    APART("go round ends");
  }
  OUT(21) = v;
}
static void sum_in_branch_right(const unsigned *in, unsigned *out) {
  EACH_THREAD {
    unsigned v = 0;
    for (unsigned o = first_of(t); o < first_of(t) + 8; o++)
      v += IN(o);
    if (lane_of(t) < 8)
      OUT(20) = v;
    OUT(21) = lane_of(t) < 8 ? IN(v) : some_rounds(in, out, t, IN(t));
  }
}

int main() {
  static const Kernel kernels[] = {
      ROW(votes),
      ROW(active_lanes),
      ROW(meet_in_branch),
      ROW(shuffle_after_loop),
      ROW(barrier_after_loop),
      ROW(shared_atomics),
      ROW(global_atomics),
      ROW(lock_by_trying),
      ROW(lock_by_waiting),
      ROW(handshake),
      ROW(one_value_at_a_time),
      ROW(while_any),
      ROW(meet_each_round),
      ROW(sum_in_branch),
  };
  run_all(kernels);
  return done();
}
