/* Declarations that the files of the benchmark share. Each file has kernels of one theme, and ends
 * with its rows of the table:
 *
 *   static void vector_add(Run &run, int n) {
 *     Buffer<float> a(n, unit), b(n, unit), c(n);
 *     run.time([&] { add<<<n / 256, 256>>>(a, b, c, n); });
 *     run.expect_all(c, [&](int i) { return a.host[i] + b.host[i]; });
 *   }
 *   static const Rows rows("elementwise", {{"vector add", vector_add, 1 << 21, 1 << 10}});
 *
 * main.cu runs all rows. The files also run on a GPU if they are linked with cudart. In this case
 * only their results are checked.
 */
#ifndef BENCH_H
#define BENCH_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The inputs are pseudorandom functions of the index, and thus the same in every run. */
__host__ __device__ static inline uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
static inline uint32_t bits(int i) { return mix((uint32_t)i + 1); }
static inline float unit(int i) { return (float)(bits(i) >> 8) / 16777216.0f; }
static inline int none(int) { return 0; }

/* An array in host memory and its copy in device memory. It converts to the device pointer, so that
 * it can be passed to a kernel. */
template <class T> struct Buffer {
  std::vector<T> host;
  T *device;

  explicit Buffer(size_t n) : host(n), device(NULL) { CHECK(cudaMalloc(&device, bytes())); }
  template <class Fill> Buffer(size_t n, Fill fill) : Buffer(n) {
    for (size_t i = 0; i < n; i++)
      host[i] = (T)fill((int)i);
    up();
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { CHECK(cudaFree(device)); }

  size_t bytes() const { return host.size() * sizeof(T); }
  operator T *() const { return device; }
  void up() { CHECK(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice)); }
  void down() { CHECK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost)); }
  void zero() { CHECK(cudaMemset(device, 0, bytes())); }
};

/* The measurement of one row. A launch warms the device up, then `repeats` launches are timed. The
 * host checks the results of the last launch. */
struct Run {
  int repeats;
  /* For each timed launch: the elapsed time, and the processor time of all threads, in seconds. */
  std::vector<double> seconds, processor;
  double instructions = 0;
  size_t checked = 0, wrong = 0;
  struct {
    size_t at;
    double is, expected;
  } first_wrong = {};

  explicit Run(int repeats) : repeats(repeats) {}

  template <class Launch> void time(Launch launch) {
    time(launch, [] {});
  }
  /* Measures several launches together, so that small arrays take long enough to measure. */
  template <class Launch> void time_several(int launches, Launch launch) {
    time([&] {
      for (int i = 0; i < launches; i++)
        launch();
    });
  }
  /* Calls `before` before each launch to restore the inputs that the launch changes. `before` is
   * not timed. */
  template <class Launch, class Before> void time(Launch launch, Before before) {
    for (int i = -1; i < repeats; i++) {
      before();
      begin();
      launch();
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      end(i >= 0);
    }
  }
  void begin();
  void end(bool counts);

  void expect(size_t i, double got, double want, double tolerance = 0) {
    checked++;
    if (!(std::fabs(got - want) <= tolerance) && wrong++ == 0)
      first_wrong = {i, got, want};
  }
  template <class T, class Want> void expect_all(Buffer<T> &got, Want want, double tolerance = 0) {
    got.down();
    for (size_t i = 0; i < got.host.size(); i++)
      expect(i, (double)got.host[i], (double)want((int)i), tolerance);
  }
};

/* A kernel of the table. `n` is its size, `tiny` its size when only the results are tested. If
 * `caches` is true, most of its time is spent on cache misses of the CPU, which the emulator cannot
 * avoid. Such kernels are in a separate table. */
struct Row {
  const char *name;
  void (*run)(Run &, int n);
  int n, tiny;
  bool caches = false;

  Row(const char *name, void (*run)(Run &, int), int n, int tiny, bool caches = false)
      : name(name), run(run), n(n), tiny(tiny), caches(caches) {}
};

/* Matrix products with several block shapes are in a table of their own, whose unit is
 * multiply-adds per second. */
struct Shape {
  const char *name;
  void (*run)(Run &, int n);
};

struct Rows {
  Rows(const char *theme, std::initializer_list<Row> rows);
};
struct Shapes {
  Shapes(int n, int tiny, std::initializer_list<Shape> shapes);
};

#endif
