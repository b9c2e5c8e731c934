// Tests reductions of a warp by one instruction (from compute capability 8.0 on), for the whole
// warp and for groups of its lanes. Older compilers use shuffles instead.
#include "check.h"

enum Reduction { SUM, LEAST, MOST, AND, OR, XOR, USUM, ULEAST, UMOST, COUNT };
enum { WARPS = 4, THREADS = 32 * WARPS, GROUPS = 3 };

// Returns the result of the operation for two numbers.
__host__ __device__ unsigned combined(int reduction, unsigned a, unsigned b) {
  switch (reduction) {
  case LEAST:
    return (int)a < (int)b ? a : b;
  case MOST:
    return (int)a > (int)b ? a : b;
  case ULEAST:
    return a < b ? a : b;
  case UMOST:
    return a > b ? a : b;
  case AND:
    return a & b;
  case OR:
    return a | b;
  case XOR:
    return a ^ b;
  default:
    return a + b;
  }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800 || defined(__clang__)
__device__ unsigned reduced(int reduction, unsigned mask, unsigned value) {
  switch (reduction) {
  case SUM:
    return (unsigned)__reduce_add_sync(mask, (int)value);
  case LEAST:
    return (unsigned)__reduce_min_sync(mask, (int)value);
  case MOST:
    return (unsigned)__reduce_max_sync(mask, (int)value);
  case USUM:
    return __reduce_add_sync(mask, value);
  case ULEAST:
    return __reduce_min_sync(mask, value);
  case UMOST:
    return __reduce_max_sync(mask, value);
  case AND:
    return __reduce_and_sync(mask, value);
  case OR:
    return __reduce_or_sync(mask, value);
  default:
    return __reduce_xor_sync(mask, value);
  }
}
#else
__device__ unsigned reduced(int reduction, unsigned mask, unsigned value) {
  unsigned result = __shfl_sync(mask, value, __ffs(mask) - 1);
  for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1)
    result = combined(reduction, result, __shfl_sync(mask, value, __ffs(rest) - 1));
  return result;
}
#endif

__global__ void whole_warps(const unsigned *in, unsigned *out) {
  for (int r = 0; r < COUNT; r++)
    out[r * THREADS + threadIdx.x] = reduced(r, 0xffffffff, in[threadIdx.x]);
}

// Each group of lanes reduces in its own branch.
__global__ void groups(const unsigned *in, unsigned *out) {
  int t = threadIdx.x, group = t * t % 7 % GROUPS;
  for (int r = 0; r < COUNT; r++)
    for (int g = 0; g < GROUPS; g++) {
      unsigned members = __ballot_sync(0xffffffff, group == g);
      if (group == g)
        out[r * THREADS + t] = reduced(r, members, in[t]);
    }
}

static int warp_of(int t) { return t / 32; }
static int group_of(int t) { return t / 32 * GROUPS + t * t % 7 % GROUPS; }

static void check(void (*kernel)(const unsigned *, unsigned *), int (*group)(int)) {
  unsigned in[THREADS], out[COUNT * THREADS], *d_in, *d_out;
  for (int t = 0; t < THREADS; t++)
    in[t] = (t * 2654435761u) ^ (t % 3 ? 0 : 0x80000000u);
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  kernel<<<1, THREADS>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT * THREADS; i++) {
    int t = i % THREADS;
    unsigned expected = in[t];
    for (int other = 0; other < THREADS; other++)
      if (other != t && group(other) == group(t))
        expected = combined(i / THREADS, expected, in[other]);
    EXPECT(out[i] == expected);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

int main() {
  check(whole_warps, warp_of);
  check(groups, group_of);
  return done();
}
