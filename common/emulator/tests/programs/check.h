// Checks for the test programs. A program stops at its first wrong result.
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// Used in kernels. Stores the number of this line in *bad if the condition is false and *bad is 0.
#define DEVICE_EXPECT(bad, condition)                                                              \
  do {                                                                                             \
    if (!(condition))                                                                              \
      atomicCAS(bad, 0, __LINE__);                                                                 \
  } while (0)

#define LAUNCHED() CHECK(cudaGetLastError())

// Called after a kernel with DEVICE_EXPECT. Stops the program if *d_bad contains a line number.
static inline void expect_no_line(const int *d_bad) {
  int bad;
  CHECK(cudaMemcpy(&bad, d_bad, sizeof bad, cudaMemcpyDeviceToHost));
  if (bad)
    fprintf(stderr, "line %d\n", bad);
  EXPECT(bad == 0);
}

static inline int done() {
  puts("ok");
  return 0;
}

#endif
