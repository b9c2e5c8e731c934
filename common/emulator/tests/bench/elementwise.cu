/* Benchmark kernels in which a thread computes one element or a few: sums, copies of every width,
 * and strides. */
#include "bench.h"
#include <cuda_fp16.h>

enum { THREADS = 256, LAUNCHES = 8 };

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

static void vector_add(Run &run, int n) {
  Buffer<float> a(n, unit), b(n, [](int i) { return unit(i + 7); }), c(n);
  run.time_several(LAUNCHES, [&] { add<<<(n + THREADS - 1) / THREADS, THREADS>>>(a, b, c, n); });
  run.expect_all(c, [&](int i) { return a.host[i] + b.host[i]; });
}

template <class T> __global__ void axpy(T factor, const T *x, const T *y, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = factor * x[i] + y[i];
}

template <class T> static void scaled_sum(Run &run, int n) {
  Buffer<T> x(n, unit), y(n, [](int i) { return unit(i + 7); }), out(n);
  run.time_several(
      LAUNCHES, [&] { axpy<T><<<(n + THREADS - 1) / THREADS, THREADS>>>((T)1.5, x, y, out, n); });
  run.expect_all(
      out, [&](int i) { return (T)1.5 * x.host[i] + y.host[i]; }, 1e-6);
}

/* Each thread copies four elements, n / 4 apart, so that most of the time is spent on copies and
 * not on computing indices. */
template <class T> __global__ void copy(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int part = 0; part < 4; part++, i += n / 4)
    out[i] = in[i];
}

template <class T> static void copy_of(Run &run, int n) {
  Buffer<T> in(n), out(n);
  unsigned char *bytes = (unsigned char *)in.host.data();
  for (size_t i = 0; i < in.bytes(); i++)
    bytes[i] = (unsigned char)bits((int)i);
  in.up();
  run.time_several(LAUNCHES, [&] { copy<T><<<n / 4 / THREADS, THREADS>>>(in, out, n); });
  out.down();
  const unsigned char *copied = (const unsigned char *)out.host.data();
  for (size_t i = 0; i < in.bytes(); i++)
    run.expect(i, copied[i], bytes[i]);
}

__global__ void grid_stride(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 2 * in[i] + 1;
}

static void grid_stride_loop(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time_several(LAUNCHES, [&] { grid_stride<<<64, THREADS>>>(in, out, n); });
  run.expect_all(
      out, [&](int i) { return 2 * in.host[i] + 1; }, 1e-6);
}

/* Consecutive threads read elements `stride` words apart, so with large strides each lane reads a
 * different sector. The index wraps around, so that all strides read the same elements. */
__global__ void strided(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int columns = n / stride;
  if (i < n)
    out[i] = in[i % columns * stride + i / columns];
}

static void strided_read(Run &run, int n) {
  const int stride = 32, columns = n / stride;
  Buffer<float> in(n, unit), out(n);
  run.time_several(LAUNCHES, [&] { strided<<<n / THREADS, THREADS>>>(in, out, n, stride); });
  run.expect_all(out, [&](int i) { return in.host[i % columns * stride + i / columns]; });
}

__global__ void strided_loop(const float *in, float *out, int stride, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < count; k++)
    sum += in[i * stride + k];
  out[i] = sum;
}

/* Each thread reads its own row, a common mistake of beginners. */
static void row_per_thread(Run &run, int n) {
  const int count = 64;
  Buffer<float> in((size_t)n * count, unit), out(n);
  run.time_several(LAUNCHES,
                   [&] { strided_loop<<<n / THREADS, THREADS>>>(in, out, count, count); });
  run.expect_all(
      out,
      [&](int i) {
        float sum = 0;
        for (int k = 0; k < count; k++)
          sum += in.host[(size_t)i * count + k];
        return sum;
      },
      1e-4);
}

struct Particle {
  float x, y, z, mass;
  int id;
};

/* An array of structs. The same member of neighbouring structs is 20 bytes apart. */
__global__ void move(Particle *particles, int n, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  particles[i].x += step * particles[i].mass;
  particles[i].y -= step * particles[i].mass;
  particles[i].z += step;
  particles[i].id ^= 1;
}

static void array_of_structs(Run &run, int n) {
  Buffer<Particle> particles(n, [](int i) {
    return Particle{unit(i), unit(i + 1), unit(i + 2), unit(i + 3), i};
  });
  std::vector<Particle> before = particles.host;
  run.time([&] { move<<<(n + THREADS - 1) / THREADS, THREADS>>>(particles, n, 0.5f); },
           [&] { particles.up(); });
  particles.down();
  for (int i = 0; i < n; i++) {
    const Particle &is = particles.host[i], &was = before[i];
    run.expect(i, is.x, was.x + 0.5f * was.mass, 1e-6);
    run.expect(i, is.y, was.y - 0.5f * was.mass, 1e-6);
    run.expect(i, is.z, was.z + 0.5f, 1e-6);
    run.expect(i, is.id, i ^ 1);
  }
}

__global__ void add_halves(const __half *a, const __half *b, __half *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = __hadd(a[i], b[i]);
}

static void half_add(Run &run, int n) {
  Buffer<__half> a(n, [](int i) { return __float2half(unit(i)); });
  Buffer<__half> b(n, [](int i) { return __float2half(unit(i + 7)); }), c(n);
  run.time_several(LAUNCHES,
                   [&] { add_halves<<<(n + THREADS - 1) / THREADS, THREADS>>>(a, b, c, n); });
  c.down();
  // Rounding to float first does not change the result, because float has twice the digits of half.
  for (int i = 0; i < n; i++)
    run.expect(i, __half2float(c.host[i]),
               __half2float(__float2half(__half2float(a.host[i]) + __half2float(b.host[i]))));
}

static const Rows rows("an element for each thread",
                       {{"vector add", vector_add, 1 << 20, 1000},
                        {"saxpy", scaled_sum<float>, 1 << 20, 1000},
                        {"axpy, double", scaled_sum<double>, 1 << 20, 1000},
                        {"copy, 1 byte", copy_of<unsigned char>, 1 << 21, 1024},
                        {"copy, 2 bytes", copy_of<unsigned short>, 1 << 21, 1024},
                        {"copy, 4 bytes", copy_of<float>, 1 << 21, 1024},
                        {"copy, 8 bytes", copy_of<double>, 1 << 21, 1024},
                        {"copy, 16 bytes", copy_of<float4>, 1 << 20, 1024},
                        {"grid-stride loop", grid_stride_loop, 1 << 20, 1000},
                        {"strided read, 32 words apart", strided_read, 1 << 19, 1024},
                        {"a row for each thread", row_per_thread, 1 << 15, 256},
                        {"array of structs", array_of_structs, 1 << 21, 1000},
                        {"half precision add", half_add, 1 << 20, 1000}});
