// Tests half precision: every value must be unchanged after a conversion to float and back, on the
// host and on the device, and both must round sums the same way.
#include "check.h"
#include <cmath>
#include <cuda_fp16.h>
#include <vector>

__global__ void around(unsigned short *back, float *values) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = __half2float(__ushort_as_half((unsigned short)i));
  values[i] = value;
  back[i] = __half_as_ushort(__float2half(value));
}

__global__ void arithmetic(const float *a, const float *b, float *out, int n) {
  int i = threadIdx.x;
  if (i < n)
    out[i] =
        __half2float(__float2half(__half2float(__float2half(__half2float(__float2half(a[i])) *
                                                            __half2float(__float2half(b[i])))) +
                                  __half2float(__float2half(a[i]))));
}

int main() {
  const int all = 65536, n = 100;
  unsigned short *back;
  float *values, *a, *b, *out;
  CHECK(cudaMallocManaged(&back, all * sizeof *back));
  CHECK(cudaMallocManaged(&values, all * sizeof *values));
  around<<<all / 256, 256>>>(back, values);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < all; i++) {
    float value = __half2float(__ushort_as_half((unsigned short)i));
    if (std::isnan(value)) {
      EXPECT(std::isnan(values[i]));
      continue;
    }
    EXPECT(value == values[i] && back[i] == i);
    EXPECT(__half_as_ushort(__float2half(value)) == i);
  }

  CHECK(cudaMallocManaged(&a, n * sizeof *a));
  CHECK(cudaMallocManaged(&b, n * sizeof *b));
  CHECK(cudaMallocManaged(&out, n * sizeof *out));
  for (int i = 0; i < n; i++) {
    a[i] = std::ldexp(1.0f + i * 0.013f, i % 37 - 24);
    b[i] = 0.37f * i - 9;
  }
  arithmetic<<<1, 128>>>(a, b, out, n);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    float ha = __half2float(__float2half(a[i])), hb = __half2float(__float2half(b[i]));
    float product = __half2float(__float2half(ha * hb));
    EXPECT(out[i] == __half2float(__float2half(product + ha)));
  }
  for (void *pointer : {(void *)back, (void *)values, (void *)a, (void *)b, (void *)out})
    CHECK(cudaFree(pointer));
  return done();
}
