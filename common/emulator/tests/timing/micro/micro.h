/* Functions that the microbenchmarks share. Each file measures one mechanism of a GPU and prints a
 * line for each case: mechanism,case,parameter,value,unit. run.sh runs all of them. micro-h100.csv
 * and micro-h200.csv have the results. */
#ifndef MICRO_H
#define MICRO_H

#include <algorithm>
#include <vector>

#include "../../bench/bench.h"

static const char *mechanism;

static inline void report(const char *what, double parameter, double value, const char *unit) {
  printf("%s,\"%s\",%.10g,%.6g,%s\n", mechanism, what, parameter, value, unit);
  fflush(stdout);
}

static inline int multiprocessors() {
  int count = 0;
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

/* Zeroed device memory. */
template <class T> static T *zeros(size_t n) {
  T *p = NULL;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

/* Microseconds of one launch: the median of nine, after one that warms up. */
template <class Launch> static double microseconds(Launch launch) {
  cudaEvent_t begin, end;
  std::vector<float> ms(9);
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  launch();
  for (float &each : ms) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&each, begin, end));
  }
  CHECK(cudaGetLastError());
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(ms.begin(), ms.end());
  return 1000 * ms[4];
}

/* Clocks that a block needs for its rounds. Kernels store the clocks of each block in `ticks`. */
struct Ticks {
  std::vector<long long> host;
  long long *device;
  explicit Ticks(int blocks) : host(blocks), device(zeros<long long>(blocks)) {}
  ~Ticks() { cudaFree(device); }
  /* The median over the blocks, the better of two launches. */
  template <class Launch> double clocks(Launch launch) {
    double best = 1e300;
    for (int i = 0; i < 3; i++) {
      launch(device);
      CHECK(cudaGetLastError());
      CHECK(
          cudaMemcpy(host.data(), device, host.size() * sizeof(long long), cudaMemcpyDeviceToHost));
      std::vector<long long> sorted = host;
      std::sort(sorted.begin(), sorted.end());
      if (i > 0)
        best = std::min(best, (double)sorted[sorted.size() / 2]);
    }
    return best;
  }
};

#define TICKS_BEGIN()                                                                              \
  __syncthreads();                                                                                 \
  const long long ticks_begin = clock64()
#define TICKS_END(ticks)                                                                           \
  __syncthreads();                                                                                 \
  if (threadIdx.x == 0)                                                                            \
  (ticks)[blockIdx.x] = clock64() - ticks_begin

#endif
