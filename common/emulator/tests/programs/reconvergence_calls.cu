// Kernels whose lanes diverge around calls and in called functions; see reconvergence.h. Lanes that
// call a function from one place must execute it together.
// expect: ok
#include "reconvergence.h"

#define FUNCTION static __host__ __device__ __noinline__ unsigned

FUNCTION work(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned place) {
  v = v * 5 + IN(v + place);
  v ^= v >> 9;
  OUT(place) = v;
  return v + IN(v);
}

KERNEL(both_sides) {
  unsigned v = IN(t);
  if (v & 1) {
    OUT(0) = v;
    v = work(in, out, t, v, 1) * 3;
    OUT(2) = v;
    APART("odd ends");
  } else {
    v = work(in, out, t, v + 7, 3);
    OUT(4) = v ^ 1;
    v += IN(v * 3);
    APART("even ends");
  }
  OUT(5) = v;
}

KERNEL(two_sites) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 8; i++) {
    v = work(in, out, t, v, i);
    if (v & 2)
      v = work(in, out, t, v ^ 5, 8 + i);
    OUT(16 + i) = v;
  }
}

FUNCTION depth(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned n) {
  OUT(n) = v;
  if (v % 8 == 3 || n == 20)
    return v;
  unsigned below = depth(in, out, t, v / 2 + IN(v + n), n + 1);
  OUT(24 + n) = below;
  return below + IN(below + v);
}

KERNEL(recursion) {
  unsigned v = depth(in, out, t, IN(t), 0);
  OUT(50) = v;
}

// Recursion with two calls per step. The tree of calls has a different shape for each lane.
FUNCTION tree(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned node) {
  v = v * 5 + IN(v + node);
  v ^= v >> 9;
  if (node < 16 && v % 4) {
    v += tree(in, out, t, v, 2 * node);
    if (v & 4)
      v ^= tree(in, out, t, v + 1, 2 * node + 1);
  }
  OUT(node) = v;
  return v;
}

KERNEL(tree_recursion) {
  unsigned v = tree(in, out, t, IN(t), 1);
  OUT(40) = v;
}

FUNCTION add(const unsigned *in, unsigned *out, unsigned t, unsigned v) {
  OUT(0) = v;
  return v + IN(v);
}
FUNCTION exclusive_or(const unsigned *in, unsigned *out, unsigned t, unsigned v) {
  v ^= IN(v * 3);
  OUT(1) = v;
  OUT(2) = v + 1;
  return v;
}
FUNCTION rounds(const unsigned *in, unsigned *out, unsigned t, unsigned v) {
  unsigned n = v % 5;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) {
    v += IN(v + i);
    OUT(3 + i) = v;
  }
  return v;
}
FUNCTION returns_early(const unsigned *in, unsigned *out, unsigned t, unsigned v) {
  if (v & 64)
    return v / 3;
  OUT(8) = v;
  return IN(v + 8) * 7;
}

typedef unsigned Function(const unsigned *in, unsigned *out, unsigned t, unsigned v);
#define TABLE                                                                                      \
  { add, exclusive_or, rounds, returns_early }
static __constant__ Function *const device_table[4] = TABLE;
#ifndef __CUDA_ARCH__
static Function *const host_table[4] = TABLE;
#endif

static __host__ __device__ __forceinline__ Function *chosen(unsigned i) {
#ifdef __CUDA_ARCH__
  return device_table[i % 4];
#else
  return host_table[i % 4];
#endif
}

KERNEL(table) {
  unsigned v = IN(t);
  v = chosen(v)(in, out, t, v >> 2);
  OUT(10) = v;
  OUT(11) = IN(v);
}

KERNEL(table_in_loop) {
  unsigned v = IN(t), n = 3 + v % 7;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) {
    v = chosen(v / 8)(in, out, t, v);
    OUT(10 + i) = v;
    v ^= v >> 7;
  }
  OUT(30) = v;
}

FUNCTION search(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned wanted) {
#pragma unroll 1
  for (unsigned i = 0; i < 10; i++) {
#pragma unroll 1
    for (unsigned j = 0; j < 6; j++) {
      v += IN(v + i * j);
      if (v % 32 == wanted)
        return v + i;
    }
    OUT(i) = v;
  }
  OUT(12) = v;
  return v ^ 1;
}

KERNEL(return_from_loops) {
  unsigned v = search(in, out, t, IN(t), t % 32);
  OUT(20) = v;
  OUT(21) = IN(v);
}

KERNEL(call_in_loop) {
  unsigned v = IN(t), n = v % 13;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++)
    v = work(in, out, t, v, i);
  OUT(20) = v;
}

FUNCTION outer(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned place) {
  if (v & 2)
    v = work(in, out, t, v, place) + 1;
  OUT(place + 1) = v;
  if (v & 4)
    return v;
  v = work(in, out, t, v, place + 2);
  OUT(place + 3) = v;
  return v;
}

KERNEL(chain) {
  unsigned v = IN(t);
  if (v & 1)
    v = outer(in, out, t, v, 0) * 3;
  else
    v = work(in, out, t, v, 4);
  OUT(5) = v;
  v = outer(in, out, t, v / 4, 6);
  OUT(12) = v;
}

FUNCTION test(const unsigned *in, unsigned *out, unsigned t, unsigned v, unsigned place) {
  OUT(place) = v;
  return IN(v + place) % 3;
}

KERNEL(calls_in_conditions) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    if (test(in, out, t, v, i * 4) &&
        (test(in, out, t, v / 2, i * 4 + 1) == 1 || test(in, out, t, v / 3, i * 4 + 2))) {
      v += IN(v);
      OUT(i * 4 + 3) = v;
    }
    OUT(24 + i) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

// Lanes leave the function at three places and store together after the return.
FUNCTION three_ends(const unsigned *in, unsigned *out, unsigned t, unsigned v) {
  if (v % 3 == 0)
    return v + 1;
  v += IN(v);
  OUT(0) = v;
  if (v % 3 == 1)
    return v ^ 2;
  v += IN(v * 5);
  OUT(1) = v;
  OUT(2) = v / 7;
  return v;
}

KERNEL(early_ends) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    v = three_ends(in, out, t, v);
    OUT(10 + i) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

int main() {
  static const Kernel kernels[] = {
      ROW(both_sides), ROW(two_sites),           ROW(recursion),         ROW(tree_recursion),
      ROW(table),      ROW(table_in_loop),       ROW(return_from_loops), ROW(call_in_loop),
      ROW(chain),      ROW(calls_in_conditions), ROW(early_ends),
  };
  run_all(kernels);
  return done();
}
