// Declarations of the programs in this folder. Each program has a mistake and its correction:
//
//   make play FILE=common/emulator/tests/mistakes/race_shared.cu              shows the report
//   make play FILE=common/emulator/tests/mistakes/race_shared.cu ARGS=right   has no report
//
// The comments at the head of a program contain the expected report word by word.
// common/make/tests/test.sh compares it.
#ifndef MISTAKE_H
#define MISTAKE_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Ends the program if a call that is not part of the mistake fails.
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

// Prints the result of a call. A test compares it with a line "// answers:" of the program.
static inline void answer(cudaError_t error) { puts(cudaGetErrorName(error)); }
// Waits for the kernels, prints the result, and frees the arrays. After a failure it frees nothing,
// because the device can no longer be used.
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
