// What the programs of this folder share. Each holds a mistake and its repair:
//
//   make play FILE=common/emulator/tests/mistakes/race_shared.cu              shows what is said of it
//   make play FILE=common/emulator/tests/mistakes/race_shared.cu ARGS=right   says nothing
//
// Their comments say word by word what the device must find in the first (common/make/tests/test.sh reads them).
#ifndef MISTAKE_H
#define MISTAKE_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Calls that are no part of the mistake.
#define MUST(call)                                                                                 \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      printf("%s: %s\n", #call, cudaGetErrorString(error_));                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

template <typename T> T *device_array(int n) {
  T *array;
  MUST(cudaMalloc(&array, n * sizeof *array));
  MUST(cudaMemset(array, 0, n * sizeof *array));
  return array;
}

// The program's answer: what a call returned.
static inline void answer(cudaError_t error) { puts(cudaGetErrorName(error)); }
// What the kernels so far came to, and the end: after a failure there is nothing to free.
template <typename... T> void finish(T *...arrays) {
  cudaError_t launched = cudaGetLastError(), done = cudaDeviceSynchronize();
  answer(launched ? launched : done);
  if (!done)
    (void)(cudaError_t[]){cudaSuccess, cudaFree((void *)arrays)...};
}

#define BOTH(run)                                                                                  \
  int main(int argc, char **argv) {                                                                \
    argc > 1 && strcmp(argv[1], "right") == 0 ? run<true>() : run<false>();                        \
    return 0;                                                                                      \
  }

#endif
