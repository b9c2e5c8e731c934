// Tests bfloat16: every conversion and the arithmetic, on the device and on the host, with operands
// of all kinds.
#include "check.h"
#include <cmath>
#include <cuda_bf16.h>
#include <vector>

#define ONCE(ONE)                                                                                  \
  ONE(__hadd_rn(a, b))                                                                             \
  ONE(__hsub_rn(a, b))                                                                             \
  ONE(__hmul_rn(a, b))                                                                             \
  ONE(__hdiv(a, b))                                                                                \
  ONE(__hmax(a, b))                                                                                \
  ONE(__hmin(a, c))                                                                                \
  ONE(__hneg(a))                                                                                   \
  ONE(__habs(b))                                                                                   \
  ONE(__low2bfloat16(__hadd2_rn(__halves2bfloat162(a, b), __halves2bfloat162(b, c))))              \
  ONE(__high2bfloat16(__hmul2_rn(__halves2bfloat162(a, b), __halves2bfloat162(b, c))))             \
  ONE(__float2bfloat16_rn(f))                                                                      \
  ONE(__float2bfloat16_rz(f))                                                                      \
  ONE(__float2bfloat16_ru(f))                                                                      \
  ONE(__float2bfloat16_rd(f))                                                                      \
  ONE(__double2bfloat16(f * 1.0000001))                                                            \
  ONE(__int2bfloat16_rn((int)i * 12345))                                                           \
  ONE(__int2bfloat16_rn(__bfloat162int_rz(a)))                                                     \
  ONE(__float2bfloat16_rn(__heq(a, b) + 2 * __hlt(a, b) + 4 * __hgeu(a, c)))                       \
  ONE(__floats2bfloat162_rn(f, __bfloat162float(a)).x)                                             \
  ONE(__ushort_as_bfloat16(__hisnan(a)))                                                           \
  ONE(__high2bfloat16(__bfloat162bfloat162(c)))

enum { N = 4096, COLUMNS = 21 };
typedef __nv_bfloat16 B;

static __host__ __device__ void compute(unsigned i, B a, B b, B c, float f, B *out) {
  int column = 0;
#define DO(value) out[column++ * N + i] = value;
  ONCE(DO)
}
__global__ void all(const B *in, const float *f, B *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  compute(i, in[i], in[(i * 7 + 3) % N], in[(i * 31 + 11) % N], f[i], out);
}

int main() {
  std::vector<B> in(N), there(N * COLUMNS), here(N * COLUMNS);
  std::vector<float> f(N);
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525 + 1013904223;
    in[i] = __ushort_as_bfloat16((unsigned short)(i % 2 ? seed >> 16 : 0x3f00 + (seed >> 23)));
    f[i] = i % 3 ? (float)(int)seed * 1e-4f : std::ldexp((float)(seed >> 8), (int)(i % 250) - 150);
  }
  B *d_in, *d_out;
  float *d_f;
  CHECK(cudaMalloc(&d_in, N * sizeof(B)));
  CHECK(cudaMalloc(&d_f, N * sizeof(float)));
  CHECK(cudaMalloc(&d_out, N * COLUMNS * sizeof(B)));
  CHECK(cudaMemcpy(d_in, in.data(), N * sizeof(B), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_f, f.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  all<<<N / 128, 128>>>(d_in, d_f, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(there.data(), d_out, N * COLUMNS * sizeof(B), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    compute(i, in[i], in[(i * 7 + 3) % N], in[(i * 31 + 11) % N], f[i], here.data());
  for (int k = 0; k < N * COLUMNS; k++) {
    unsigned x = __bfloat16_as_ushort(there[k]), y = __bfloat16_as_ushort(here[k]);
    bool nan = (x & 0x7fff) > 0x7f80 && (y & 0x7fff) > 0x7f80, zero = !((x | y) & 0x7fff);
    if (x != y && !nan && !zero)
      fprintf(stderr, "%d of %d: %04x, here %04x\n", k / N, k % N, x, y);
    EXPECT(x == y || nan || zero);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_f));
  CHECK(cudaFree(d_out));
  return 0;
}
