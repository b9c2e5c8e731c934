// Declarations of the reconvergence programs. Their kernels make the lanes of a warp diverge in
// every way that the language has, and load and store on divergent paths. The numbers of requests
// and sectors then show which lanes executed an access together. reconvergence_test.c compares them
// with those of an H200 in common/emulator/tests/reconvergence-h200.csv.
//
// Neither the compilers nor the GPU's assembler may move or merge these accesses. Therefore:
// - stored values depend on loaded values, and `in` and `out` may overlap, so that no load moves
//   across a store;
// - each access has its own addresses, so that nothing can be merged;
// - loops are not unrolled; APART("...") at the start and end of a branch keeps compilers from
//   merging an access of one branch with an access of the other.
#ifndef RECONVERGENCE_H
#define RECONVERGENCE_H

#include "check.h"
#include <cstring>

// The last warp of a block has 16 lanes. All threads share the last CELLS elements of `out`.
enum { BLOCKS = 2, BLOCK = 80, THREADS = BLOCKS * BLOCK, PLACES = 64, CELLS = 64, WORDS = 4096 };

#define IN(i) in[(i) % WORDS]
#define OUT(place) out[(place)*THREADS + t]
#define CELL(i) out[PLACES * THREADS + (i)]
#define APART(text) asm volatile("/* " text " */" ::: "memory")

// KERNEL(name) { ... } defines the work of one thread t. It is compiled for the device and for the
// host, which computes the expected results. WARP_KERNEL is for the device only, because lanes
// cooperate; name_right computes the expected results.
#define WARP_KERNEL(name)                                                                          \
  static __device__ __forceinline__ void name##_of(const unsigned *in, unsigned *out, unsigned t); \
  extern "C" __global__ void name(const unsigned *in, unsigned *out) {                             \
    name##_of(in, out, blockIdx.x *BLOCK + threadIdx.x);                                           \
  }                                                                                                \
  static __device__ __forceinline__ void name##_of(const unsigned *in, unsigned *out, unsigned t)
#define KERNEL(name)                                                                               \
  static __host__ __device__ __forceinline__ void name##_of(const unsigned *in, unsigned *out,     \
                                                            unsigned t);                           \
  extern "C" __global__ void name(const unsigned *in, unsigned *out) {                             \
    name##_of(in, out, blockIdx.x *BLOCK + threadIdx.x);                                           \
  }                                                                                                \
  static void name##_right(const unsigned *in, unsigned *out) {                                    \
    for (unsigned t = 0; t < THREADS; t++)                                                         \
      name##_of(in, out, t);                                                                       \
  }                                                                                                \
  static __host__ __device__ __forceinline__ void name##_of(const unsigned *in, unsigned *out,     \
                                                            unsigned t)

typedef struct Kernel {
  const char *name;
  void (*run)(const unsigned *in, unsigned *out), (*right)(const unsigned *in, unsigned *out);
} Kernel;
#define ROW(name)                                                                                  \
  { #name, name, name##_right }

// Runs all kernels and compares all elements, also those that no thread writes.
template <int KERNELS> static void run_all(const Kernel (&kernels)[KERNELS]) {
  static unsigned words[WORDS], right[PLACES * THREADS + CELLS], got[PLACES * THREADS + CELLS];
  unsigned *in, *out, state = 2463534242u;
  for (int i = 0; i < WORDS; i++) { // xorshift
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    words[i] = state >> 12;
  }
  CHECK(cudaMalloc(&in, sizeof words));
  CHECK(cudaMalloc(&out, sizeof got));
  CHECK(cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice));
  int wrong = 0;
  for (const Kernel &kernel : kernels) {
    memset(right, 0xff, sizeof right);
    kernel.right(words, right);
    CHECK(cudaMemset(out, 0xff, sizeof got));
    kernel.run<<<BLOCKS, BLOCK>>>(in, out);
    LAUNCHED();
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    int bad = 0;
    while (bad < PLACES * THREADS + CELLS && got[bad] == right[bad])
      bad++;
    if (bad == PLACES * THREADS + CELLS)
      continue;
    wrong++;
    fprintf(stderr, "%s: place %d of thread %d is %u, not %u\n", kernel.name, bad / THREADS,
            bad % THREADS, got[bad], right[bad]);
  }
  EXPECT(wrong == 0);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

#endif
