/* Kernels of a few microseconds whose data come from device memory, by the number of words. Prints
 * a line for each launch. run.sh adds the durations that Nsight Compute measured with caches
 * flushed. */
#include "micro.h"

template <class T> __global__ void copy(const T *in, T *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void load(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] != 0)
    out[i] = 1;
}
__global__ void store(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
/* Each thread has four loads in flight. */
__global__ void load_four(const float *in, float *out, int apart) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] + in[i + apart] + in[i + 2 * apart] + in[i + 3 * apart] != 0)
    out[i] = 1;
}
/* An address that depends on a load. */
__global__ void load_through(const int *index, const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[index[i] + i] != 0)
    out[i] = 1;
}

template <class Launch> static void said(const char *what, double parameter, Launch launch) {
  for (int i = 0; i < 3; i++) {
    launch();
    CHECK(cudaGetLastError());
    printf("cold,\"%s\",%.10g\n", what, parameter);
  }
  CHECK(cudaDeviceSynchronize());
}

int main() {
  float *in = zeros<float>(1 << 25), *out = zeros<float>(1 << 25);
  for (int words = 1 << 15; words <= 1 << 24; words *= 2) {
    said("copy, 4 bytes a thread, by words", words, [&] { copy<<<words / 256, 256>>>(in, out); });
    said("copy, 16 bytes a thread, by words", words,
         [&] { copy<<<words / 1024, 256>>>((const float4 *)in, (float4 *)out); });
    said("loads, by words", words, [&] { load<<<words / 256, 256>>>(in, out); });
    said("stores, by words", words, [&] { store<<<words / 256, 256>>>(out); });
    said("four loads a thread, by words", words,
         [&] { load_four<<<words / 1024, 256>>>(in, out, words / 4); });
    said("a load through an index, by words", words,
         [&] { load_through<<<words / 256, 256>>>((const int *)in, in + (1 << 24), out); });
  }
  return 0;
}
