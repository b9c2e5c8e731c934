// Tests loads and stores with every cache hint, on every type and width. A hint affects how data
// are cached, but never their values.
#include "check.h"
#include <vector>

enum { N = 96, LOADS = 6, STORES = 4, WAYS = LOADS + STORES };

// clang-format off
#define EACH_TYPE(MAKE)                                                                            \
  MAKE(char) MAKE(signed char) MAKE(short) MAKE(int) MAKE(long) MAKE(long long)                    \
  MAKE(unsigned char) MAKE(unsigned short) MAKE(unsigned int) MAKE(unsigned long)                  \
  MAKE(unsigned long long) MAKE(float) MAKE(double)                                                \
  MAKE(char2) MAKE(short2) MAKE(int2) MAKE(longlong2) MAKE(float2) MAKE(double2)                   \
  MAKE(uchar2) MAKE(ushort2) MAKE(uint2) MAKE(ulonglong2)                                          \
  MAKE(char4) MAKE(short4) MAKE(int4) MAKE(float4) MAKE(uchar4) MAKE(ushort4) MAKE(uint4)
// clang-format on

// Thread t copies element t. The number of its block selects the hint.
template <class T> __global__ void copy(T *in, T *out) {
  int t = threadIdx.x, way = blockIdx.x;
  T *to = out + way * N + t, *from = in + t;
  switch (way) {
  case 0:
    *to = __ldg(from);
    break;
  case 1:
    *to = __ldca(from);
    break;
  case 2:
    *to = __ldcg(from);
    break;
  case 3:
    *to = __ldcs(from);
    break;
  case 4:
    *to = __ldlu(from);
    break;
  case 5:
    *to = __ldcv(from);
    break;
  case 6:
    __stwb(to, *from);
    break;
  case 7:
    __stcg(to, *from);
    break;
  case 8:
    __stcs(to, *from);
    break;
  default:
    __stwt(to, *from);
  }
}

template <class T> static void check() {
  std::vector<unsigned char> in(N * sizeof(T)), out(WAYS * N * sizeof(T));
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (unsigned char)(i * 131 + i / 256 + 7);
  T *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, in.size()));
  CHECK(cudaMalloc(&d_out, out.size()));
  CHECK(cudaMemcpy(d_in, in.data(), in.size(), cudaMemcpyHostToDevice));
  copy<<<WAYS, N>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, out.size(), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < out.size(); i++)
    EXPECT(out[i] == in[i % in.size()]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

// Each __ldcv reads memory again, so a block sees the value that another block writes.
__global__ void handshake(int *flag, int *data, int *seen) {
  if (blockIdx.x == 0) {
    __stcg(data, 42);
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (__ldcv(flag) == 0) {
    }
    __threadfence();
    *seen = __ldcv(data);
  }
}

int main() {
#define RUN(T) check<T>();
  EACH_TYPE(RUN)
  int *device, host[3] = {};
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  handshake<<<2, 1>>>(device, device + 1, device + 2);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 1 && host[2] == 42);
  CHECK(cudaFree(device));
  return done();
}
