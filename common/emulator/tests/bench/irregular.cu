/* Benchmark kernels on sparse matrices, graphs and images, and Gaussian elimination. */
#include "bench.h"
#include <algorithm>

enum { THREADS = 256 };
static const unsigned ALL = 0xffffffffu;

/* ---- a sparse matrix times a vector: rows of 0 to 63 elements -------------------------------- */
struct Sparse {
  std::vector<int> starts;
  explicit Sparse(int rows) : starts(rows + 1) {
    for (int row = 0; row < rows; row++)
      starts[row + 1] = starts[row] + (int)(bits(row) % 64);
  }
};

__global__ void spmv_scalar(const int *starts, const int *columns, const float *values,
                            const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; i++)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void spmv_vector(const int *starts, const int *columns, const float *values,
                            const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(ALL, sum, step);
  if (lane == 0)
    y[row] = sum;
}

typedef void Multiply(const int *, const int *, const float *, const float *, float *, int);
template <Multiply *KERNEL, int LANES> static void spmv(Run &run, int rows) {
  Sparse shape(rows);
  int elements = shape.starts[rows];
  Buffer<int> starts(rows + 1, [&](int i) { return shape.starts[i]; });
  Buffer<int> columns(elements, [&](int i) { return bits(i) % (unsigned)rows; });
  Buffer<float> values(elements, unit), x(rows, unit), y(rows);
  run.time_several(4, [&] {
    KERNEL<<<(rows * LANES + THREADS - 1) / THREADS, THREADS>>>(starts, columns, values, x, y,
                                                                rows);
  });
  run.expect_all(
      y,
      [&](int row) {
        double sum = 0;
        for (int i = starts.host[row]; i < starts.host[row + 1]; i++)
          sum += (double)values.host[i] * x.host[columns.host[i]];
        return sum;
      },
      1e-4);
}

/* ---- breadth-first search, one launch per level ---------------------------------------------- */
enum { DEGREE = 8, FAR = 1 << 30 };

__global__ void visit(const int *edges, int *levels, const int *frontier, int count, int *next,
                      int *next_count, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  for (int k = 0; k < DEGREE; k++) {
    int to = edges[frontier[i] * DEGREE + k];
    if (atomicCAS(&levels[to], FAR, level) == FAR)
      next[atomicAdd(next_count, 1)] = to;
  }
}

static void breadth_first(Run &run, int n) {
  Buffer<int> edges((size_t)n * DEGREE, [&](int i) { return bits(i) % (unsigned)n; });
  Buffer<int> levels(n, [](int i) { return i ? FAR : 0; }), count(1);
  Buffer<int> one(n, none), two(n, none);
  std::vector<int> want = levels.host, queue = {0};
  run.time(
      [&] {
        Buffer<int> *frontier = &one, *next = &two;
        int waiting = 1;
        for (int level = 1; waiting; level++, std::swap(frontier, next)) {
          count.zero();
          visit<<<(waiting + THREADS - 1) / THREADS, THREADS>>>(edges, levels, *frontier, waiting,
                                                                *next, count, level);
          count.down();
          waiting = count.host[0];
        }
      },
      [&] { levels.up(), one.up(); });
  for (size_t i = 0; i < queue.size(); i++)
    for (int k = 0; k < DEGREE; k++) {
      int to = edges.host[(size_t)queue[i] * DEGREE + k];
      if (want[to] == FAR)
        want[to] = want[queue[i]] + 1, queue.push_back(to);
    }
  run.expect_all(levels, [&](int i) { return want[i]; });
}

/* ---- shortest paths and elimination, one launch per pivot ------------------------------------ */
__global__ void shorten(int *ways, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int way = ways[y * n + k] + ways[k * n + x];
  if (way < ways[y * n + x]) // never true in row or column k, which other threads read
    ways[y * n + x] = way;
}

static void floyd_warshall(Run &run, int n) {
  auto edge = [&](int i) { return i / n == i % n ? 0 : 1 + (int)(bits(i) % 1000); };
  Buffer<int> ways((size_t)n * n, edge);
  std::vector<int> want = ways.host;
  run.time(
      [&] {
        for (int k = 0; k < n; k++)
          shorten<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(ways, n, k);
      },
      [&] { ways.up(); });
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n * n; i++)
      want[i] = std::min(want[i], want[i / n * n + k] + want[k * n + i % n]);
  run.expect_all(ways, [&](int i) { return want[i]; });
}

__global__ void factors(double *A, int n, int k) {
  int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    A[row * n + k] /= A[k * n + k];
}

__global__ void eliminate(double *A, int n, int k) {
  int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n)
    A[row * n + column] -= A[row * n + k] * A[k * n + column];
}

static void lu(Run &run, int n) { // the diagonal is dominant, so no pivoting is needed
  auto element = [&](int i) { return unit(i) + (i / n == i % n ? n : 0); };
  Buffer<double> A((size_t)n * n, element);
  std::vector<double> was = A.host;
  run.time(
      [&] {
        for (int k = 0; k < n - 1; k++) {
          int left = n - k - 1;
          factors<<<(left + 63) / 64, 64>>>(A, n, k);
          eliminate<<<dim3((left + 31) / 32, (left + 7) / 8), dim3(32, 8)>>>(A, n, k);
        }
      },
      [&] {
        A.host = was;
        A.up();
      });
  A.down();
  for (int row = 0; row<n; row += n> 64 ? 7 : 1) // L times U must equal the input
    for (int column = 0; column < n; column++) {
      double sum = row <= column ? A.host[row * n + column] : 0;
      for (int k = 0; k < std::min(row, column + 1); k++)
        sum += A.host[row * n + k] * A.host[k * n + column];
      run.expect(row * n + column, sum, was[row * n + column], 1e-9);
    }
}

/* ---- images of bytes ------------------------------------------------------------------------- */
__host__ __device__ static inline unsigned char gray(uchar4 pixel) {
  return (unsigned char)((77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8);
}

__global__ void grayscale(const uchar4 *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = gray(in[i]);
}

static uchar4 pixel(int i) {
  uint32_t all = bits(i);
  return make_uchar4(all & 255, all >> 8 & 255, all >> 16 & 255, all >> 24);
}

static void gray_image(Run &run, int n) {
  Buffer<uchar4> in(n, pixel);
  Buffer<unsigned char> out(n);
  run.time_several(4, [&] { grayscale<<<n / THREADS, THREADS>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return gray(in.host[i]); });
}

/* Computes the mean of 3×3 pixels, each with three interleaved bytes, by reading single bytes. */
__host__ __device__ static inline unsigned char mean(const unsigned char *in, int width, int i) {
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += in[i + 3 * (dy * width + dx)];
  return (unsigned char)(sum / 9);
}

__global__ void blur(const unsigned char *in, unsigned char *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int channel = 0; channel < 3; channel++) {
    int i = 3 * (y * width + x) + channel;
    bool border = x == 0 || y == 0 || x == width - 1 || y == width - 1;
    out[i] = border ? in[i] : mean(in, width, i);
  }
}

static void blurred_image(Run &run, int width) {
  Buffer<unsigned char> in(3 * (size_t)width * width, [](int i) { return bits(i) >> 24; });
  Buffer<unsigned char> out(3 * (size_t)width * width);
  run.time([&] { blur<<<dim3(width / 16, width / 16), dim3(16, 16)>>>(in, out, width); });
  run.expect_all(out, [&](int i) {
    int x = i / 3 % width, y = i / 3 / width;
    bool border = x == 0 || y == 0 || x == width - 1 || y == width - 1;
    return border ? in.host[i] : mean(in.host.data(), width, i);
  });
}

static const Rows rows("sparse, graphs, images",
                       {{"SpMV, a row a thread", spmv<spmv_scalar, 1>, 1 << 15, 300},
                        {"SpMV, a row a warp", spmv<spmv_vector, 32>, 1 << 14, 300},
                        {"breadth-first search", breadth_first, 1 << 18, 1000},
                        {"Floyd-Warshall", floyd_warshall, 160, 32},
                        {"LU, a launch for each column", lu, 256, 32},
                        {"gray image, uchar4", gray_image, 1 << 20, 1024},
                        {"blurred image, bytes", blurred_image, 512, 32}});
