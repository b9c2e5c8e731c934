// Tests compare-and-swap loops for atomic operations that CUDA does not have: the largest float, a
// product of doubles, a byte in a word, the value and index of a minimum in one 64-bit word, and
// 16-bit counters that saturate.
#include "check.h"
#include <vector>

enum { N = 200, THREADS = 64, BLOCKS = 4 };

__device__ float atomic_max(float *p, float v) {
  int *bits = (int *)p, old = *(volatile int *)bits, seen;
  while (__int_as_float(old) < v && (seen = atomicCAS(bits, old, __float_as_int(v))) != old)
    old = seen;
  return __int_as_float(old);
}

__device__ void atomic_multiply(double *p, double v) {
  unsigned long long *bits = (unsigned long long *)p, old = *bits, seen;
  for (;; old = seen) {
    double product = __longlong_as_double((long long)old) * v;
    seen = atomicCAS(bits, old, (unsigned long long)__double_as_longlong(product));
    if (seen == old)
      return;
  }
}

__device__ void atomic_add_byte(unsigned char *p, unsigned char v) {
  unsigned *word = (unsigned *)((size_t)p & ~(size_t)3), shift = 8 * ((size_t)p & 3);
  unsigned old = *word, seen;
  for (;; old = seen) {
    unsigned byte = ((old >> shift & 255) + v) & 255;
    seen = atomicCAS(word, old, (old & ~(255u << shift)) | byte << shift);
    if (seen == old)
      return;
  }
}

struct Place { // ordered by value, then by index
  float value;
  unsigned index;
};

__device__ void atomic_least(unsigned long long *p, Place place) {
  unsigned long long old = atomicAdd(p, 0ull);
  while (true) {
    float value = __uint_as_float((unsigned)(old >> 32));
    unsigned index = (unsigned)old;
    if (value < place.value || (value == place.value && index <= place.index))
      return;
    unsigned long long mine = (unsigned long long)__float_as_uint(place.value) << 32 | place.index;
    unsigned long long seen = atomicCAS(p, old, mine);
    if (seen == old)
      return;
    old = seen;
  }
}

// Increments a counter that saturates at 1000.
__device__ void atomic_count(unsigned short *p) {
  unsigned short old = *(volatile unsigned short *)p, seen;
  for (; old < 1000; old = seen) {
    seen = atomicCAS(p, old, (unsigned short)(old + 1));
    if (seen == old)
      return;
  }
}

struct Result {
  unsigned long long least;
  double product;
  float largest, shared_largest[BLOCKS];
  unsigned char bytes[8];
  unsigned short counts[2];
};

__global__ void work(const float *x, Result *r) {
  __shared__ float largest;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    largest = -1e30f;
  __syncthreads();
  for (int i = first; i < N; i += gridDim.x * blockDim.x) {
    atomic_max(&r->largest, x[i]);
    atomic_max(&largest, x[i]);
    atomic_multiply(&r->product, i % 3 ? 0.5 : 4.0);
    atomic_add_byte(&r->bytes[i % 8], (unsigned char)i);
    atomic_least(&r->least, Place{x[i], (unsigned)i});
    for (int k = 0; k < 3; k++)
      atomic_count(&r->counts[0]);
    for (int k = 0; k < 6; k++)
      atomic_count(&r->counts[1]);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    r->shared_largest[blockIdx.x] = largest;
}

int main() {
  std::vector<float> x(N);
  Result expected = {}, result = {};
  expected.largest = -1e30f;
  expected.product = 1;
  for (float &each : expected.shared_largest)
    each = -1e30f;
  float least = 1e30f;
  unsigned place = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 3 + (i * 67 % 101) * 0.25f;
    float *block = &expected.shared_largest[i / THREADS % BLOCKS];
    expected.largest = x[i] > expected.largest ? x[i] : expected.largest;
    *block = x[i] > *block ? x[i] : *block;
    expected.product *= i % 3 ? 0.5 : 4.0;
    expected.bytes[i % 8] = (unsigned char)(expected.bytes[i % 8] + i);
    if (x[i] < least)
      least = x[i], place = (unsigned)i;
  }

  result.largest = -1e30f;
  result.product = 1;
  result.least = 0x7f800000ull << 32 | 0xffffffffu; // infinity, without an index
  float *d_x;
  Result *d_result;
  CHECK(cudaMalloc(&d_x, N * sizeof(float)));
  CHECK(cudaMalloc(&d_result, sizeof result));
  CHECK(cudaMemcpy(d_x, x.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_result, &result, sizeof result, cudaMemcpyHostToDevice));
  work<<<BLOCKS, THREADS>>>(d_x, d_result);
  LAUNCHED();
  CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT(result.largest == expected.largest && result.product == expected.product);
  for (int b = 0; b < BLOCKS; b++)
    EXPECT(result.shared_largest[b] == expected.shared_largest[b]);
  for (int i = 0; i < 8; i++)
    EXPECT(result.bytes[i] == expected.bytes[i]);
  EXPECT((unsigned)result.least == place);
  EXPECT(result.counts[0] == 3 * N && result.counts[1] == 1000);
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_result));
  return done();
}
