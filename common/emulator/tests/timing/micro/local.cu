/* Arrays in local memory: loads, stores, and loads of what was just stored, for words and bytes, by
 * the number of different indices in a warp. */
#include "micro.h"

enum { ELEMENTS = 16, ACCESSES = 4 };

/* The lanes of a warp use `indices` different elements. */
__device__ static int own_index(int indices) { return threadIdx.x % 32 * indices / 32; }

#define FILL(a)                                                                                    \
  for (int k = 0; k < ELEMENTS; k++)                                                               \
  a[k] = (T)data[k]

/* data[k] = k, so each load returns its own index. */
template <class T>
__global__ void chain(const int *data, int *out, int indices, int rounds, long long *ticks) {
  T a[ELEMENTS];
  int at = own_index(indices);
  FILL(a);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < ACCESSES; k++)
      at = a[at & (ELEMENTS - 1)];
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
template <class T>
__global__ void loads(const int *data, int *out, int indices, int rounds, long long *ticks) {
  T a[ELEMENTS];
  int at = own_index(indices), sum = 0;
  FILL(a);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < ACCESSES; k++)
      sum += a[(at + k) & (ELEMENTS - 1)];
    at += 3;
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <class T>
__global__ void stores(const int *data, int *out, int indices, int rounds, long long *ticks) {
  T a[ELEMENTS];
  int at = own_index(indices), sum = 0;
  FILL(a);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < ACCESSES; k++)
      a[(at + k) & (ELEMENTS - 1)] = (T)i;
    at += 3;
  }
  TICKS_END(ticks);
  for (int k = 0; k < ELEMENTS; k++)
    sum += a[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
/* Each load reads what the store before it wrote. data[0] is 0. */
template <class T>
__global__ void counts(const int *data, int *out, int indices, int rounds, long long *ticks) {
  T a[ELEMENTS];
  const int next = data[0];
  int at = own_index(indices), sum = 0;
  FILL(a);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < ACCESSES; k++) {
      at = a[at & (ELEMENTS - 1)];
      a[(at + next) & (ELEMENTS - 1)] = (T)at;
    }
  TICKS_END(ticks);
  for (int k = 0; k < ELEMENTS; k++)
    sum += a[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class T> static void measure(const char *type, const int *data, int *out, int sms) {
  const int rounds = 64;
  char text[64];
  Ticks all(sms);
  for (int warps : {1, 4, 8, 32})
    for (int indices : {1, 2, 4, 8, 16}) {
      const double n = rounds * ACCESSES * warps;
      const int threads = 32 * warps;
#define CASE(kernel)                                                                               \
  snprintf(text, sizeof text, "%s of %s, %d warps, by indices", #kernel, type, warps);             \
  report(text, indices, all.clocks([&](long long *t) {                                             \
    kernel<T><<<sms, threads>>>(data, out, indices, rounds, t);                                    \
  }) / n,                                                                                          \
         "clocks a warp and SM")
      CASE(chain);
      CASE(loads);
      CASE(stores);
      CASE(counts);
    }
}

int main() {
  mechanism = "local";
  const int sms = multiprocessors();
  int *data = zeros<int>(ELEMENTS), *out = zeros<int>((size_t)sms * 1024), host[ELEMENTS];
  for (int k = 0; k < ELEMENTS; k++)
    host[k] = k;
  CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  measure<int>("words", data, out, sms);
  measure<uint8_t>("bytes", data, out, sms);
  return 0;
}
