/* Code without loops, by the number of its instructions, for one warp and for 32 on each SM. Prints
 * a line for each launch. run.sh adds the durations that Nsight Compute measured with caches
 * flushed (cold: no cache holds the instructions) and not flushed (warm). */
#include "micro.h"

/* Four chains of multiply-adds, fully unrolled. */
template <int N> __global__ void straight(float *out, float y) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
#pragma unroll
  for (int i = 0; i < N / 4; i++) {
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(a) : "f"(y));
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(b) : "f"(y));
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(c) : "f"(y));
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(d) : "f"(y));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

template <int N> static void all(float *out, int sms) {
  for (int threads : {32, 1024})
    for (int blocks : {1, sms})
      for (int i = 0; i < 3; i++) {
        straight<N><<<blocks, threads>>>(out, 0.5f);
        CHECK(cudaGetLastError());
        printf("code,\"straight code, %d blocks of %d\",%d\n", blocks, threads, N);
      }
  CHECK(cudaDeviceSynchronize());
}

int main() {
  const int sms = multiprocessors();
  float *out = zeros<float>((size_t)sms * 1024);
  all<64>(out, sms);
  all<256>(out, sms);
  all<512>(out, sms);
  all<1024>(out, sms);
  all<2048>(out, sms);
  all<4096>(out, sms);
  all<8192>(out, sms);
  return 0;
}
