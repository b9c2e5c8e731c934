/* Small launches: kernels by the number of their arguments, and grids of 1 to 16896 blocks. Prints
 * a line for each launch. run.sh adds the durations that Nsight Compute measured. */
#include "micro.h"

template <int N> struct Arguments { int value[N]; };
__global__ void empty() {}
template <int N> __global__ void first_of(Arguments<N> a, int *out) { *out = a.value[0]; }
template <int N> __global__ void sum_of(Arguments<N> a, int *out) {
  int sum = 0;
#pragma unroll
  for (int k = 0; k < N; k++)
    sum += a.value[k];
  *out = sum;
}
/* A chain of multiply-adds. */
__global__ void chain(float *out, float y, int length) {
  float x = threadIdx.x;
#pragma unroll 16
  for (int i = 0; i < length; i++)
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
/* The same for rows of pitched memory. */
__global__ void add_rows(const char *a, const char *b, char *c, size_t pitch, int width,
                         int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    ((float *)(c + y * pitch))[x] =
        ((const float *)(a + y * pitch))[x] + ((const float *)(b + y * pitch))[x];
}

template <class Launch> static void said(const char *what, double parameter, Launch launch) {
  for (int i = 0; i < 3; i++) {
    launch();
    CHECK(cudaGetLastError());
    printf("launches,\"%s\",%.10g\n", what, parameter);
  }
  CHECK(cudaDeviceSynchronize());
}
template <int N> static void with_arguments(int *out) {
  Arguments<N> a = {};
  said("arguments, the first is used", N, [&] { first_of<N><<<1, 32>>>(a, out); });
  said("arguments, all are used", N, [&] { sum_of<N><<<1, 32>>>(a, out); });
}

int main() {
  int *out = zeros<int>(1 << 20);
  float *a = zeros<float>(1 << 22), *b = zeros<float>(1 << 22), *c = zeros<float>(1 << 22);
  said("empty", 1, [&] { empty<<<1, 1>>>(); });
  for (int blocks : {1, 33, 132, 264, 1056, 4224, 16896})
    for (int threads : {32, 256, 1024}) {
      char text[64];
      snprintf(text, sizeof text, "empty, blocks of %d", threads);
      said(text, blocks, [&] { empty<<<blocks, threads>>>(); });
    }
  with_arguments<1>(out);
  with_arguments<4>(out);
  with_arguments<16>(out);
  with_arguments<64>(out);
  with_arguments<256>(out);
  with_arguments<1000>(out);
  for (int length : {0, 256, 2048, 16384})
    for (int blocks : {1, 2, 8, 32, 132, 133, 264}) {
      char text[64];
      for (int threads : {32, 256, 1024}) {
        snprintf(text, sizeof text, "chain of %d, blocks of %d", length, threads);
        said(text, blocks, [&] { chain<<<blocks, threads>>>((float *)c, 0.5f, length); });
      }
    }
  for (int n = 256; n <= 1 << 20; n *= 4)
    said("vector sum", n, [&] { add<<<n / 256, 256>>>(a, b, c, n); });
  for (int n = 16; n <= 1024; n *= 4)
    said("sum of pitched rows", n, [&] {
      add_rows<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>((char *)a, (char *)b, (char *)c,
                                                                  (n * 4 + 511) / 512 * 512, n, n);
    });
  return 0;
}
