/* Atomic operations on global memory, by the number of different words and by their distance, and
 * on shared memory. */
#include "micro.h"

enum { EACH = 4, BLOCK = 256 };

template <class T> __global__ void spread(T *counters, uint32_t mask, int side_by_side) {
  uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    uint32_t at = thread * EACH + k;
    at = side_by_side ? k * gridDim.x * blockDim.x + thread : mix(at);
    atomicAdd(&counters[at & mask], (T)1);
  }
}
/* Atomic operations whose returned value is used. */
template <class T> __global__ void fetched(T *counters, T *out, uint32_t mask, int side_by_side) {
  uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    uint32_t at = thread * EACH + k;
    at = side_by_side ? k * gridDim.x * blockDim.x + thread : mix(at);
    sum += atomicAdd(&counters[at & mask], (T)1);
  }
  out[thread] = sum;
}
/* A chain in one thread: each address depends on the value that the operation before returned. */
__global__ void turns(int *counters, int *out, int rounds, long long *ticks) {
  int at = 0;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    at = atomicAdd(&counters[at & 1023], 0);
  TICKS_END(ticks);
  *out = at;
}

/* Shared memory: lane i of a warp adds to word i % words. */
template <class T> __global__ void in_shared(T *out, int words, int rounds, long long *ticks) {
  __shared__ T counters[1024];
  counters[threadIdx.x] = 0;
  const int at = threadIdx.x / 32 * 32 + threadIdx.x % words;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
    atomicAdd(&counters[at], (T)1);
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = counters[threadIdx.x];
}
/* Shared memory: a histogram of the block, with bins at random. */
template <class T> __global__ void bins(T *out, int mask, int rounds, long long *ticks) {
  __shared__ T counters[1024];
  counters[threadIdx.x] = 0;
  uint32_t x = threadIdx.x;
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
    x = x * 1664525u + 1013904223u;
    atomicAdd(&counters[x >> 10 & mask], (T)1);
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = counters[threadIdx.x];
}

template <class T> static void measure(const char *type, char *memory) {
  const int threads = 1 << 20;
  T *counters = (T *)memory, *out = (T *)(memory + ((size_t)256 << 20));
  char text[96];
  for (size_t bytes = 4096; bytes <= (size_t)256 << 20; bytes *= 4) {
    const uint32_t mask = (uint32_t)(bytes / sizeof(T) - 1);
    snprintf(text, sizeof text, "adds at random, %s, 4194304, by footprint", type);
    report(text, (double)bytes,
           microseconds([&] { spread<<<threads / BLOCK, BLOCK>>>(counters, mask, 0); }), "us");
    snprintf(text, sizeof text, "adds with a value at random, %s, 4194304, by footprint", type);
    report(text, (double)bytes,
           microseconds([&] { fetched<<<threads / BLOCK, BLOCK>>>(counters, out, mask, 0); }),
           "us");
    if (bytes < (size_t)1 << 20)
      continue;
    snprintf(text, sizeof text, "adds side by side, %s, 4194304, by footprint", type);
    report(text, (double)bytes,
           microseconds([&] { spread<<<threads / BLOCK, BLOCK>>>(counters, mask, 1); }), "us");
    snprintf(text, sizeof text, "adds with a value side by side, %s, 4194304, by footprint", type);
    report(text, (double)bytes,
           microseconds([&] { fetched<<<threads / BLOCK, BLOCK>>>(counters, out, mask, 1); }),
           "us");
  }
  for (int count = 1; count <= 1024; count *= 4) {
    snprintf(text, sizeof text, "adds on few words, %s, 4194304, by words", type);
    report(text, count, microseconds([&] {
             spread<<<threads / BLOCK, BLOCK>>>(counters, (uint32_t)count - 1, 0);
           }),
           "us");
  }
  const int sms = multiprocessors(), rounds = 256;
  Ticks one(1), all(sms);
  for (int words : {1, 2, 4, 8, 16, 32}) {
    snprintf(text, sizeof text, "shared, %s, by words of a warp, one warp", type);
    report(text, words,
           one.clocks([&](long long *t) { in_shared<<<1, 32>>>(out, words, rounds, t); }) / rounds,
           "clocks");
    snprintf(text, sizeof text, "shared, %s, by words of a warp, 32 warps", type);
    report(text, words, all.clocks([&](long long *t) {
      in_shared<<<sms, 1024>>>(out, words, rounds, t);
    }) / rounds / 32,
           "clocks a warp and SM");
  }
  for (int mask : {15, 63, 255, 1023}) {
    snprintf(text, sizeof text, "shared, %s, bins at random, 32 warps", type);
    report(text, mask + 1, all.clocks([&](long long *t) {
      bins<<<sms, 1024>>>(out, mask, rounds, t);
    }) / rounds / 32,
           "clocks a warp and SM");
  }
}

int main() {
  mechanism = "atomics";
  char *memory = zeros<char>((size_t)512 << 20);
  measure<int>("int", memory);
  measure<float>("float", memory);
  measure<double>("double", memory);
  Ticks one(1);
  report("chain of adds with a value", 1, one.clocks([&](long long *t) {
    turns<<<1, 1>>>((int *)memory, (int *)memory + 4096, 1024, t);
  }) / 1024,
         "clocks");
  return 0;
}
