/* Device memory: gathers of small pieces, strided loads and stores, and chains of loads, by
 * footprint. */
#include "micro.h"

enum { EACH = 8, BLOCK = 256 };

/* Each group of `lanes` lanes loads consecutive words of a random piece of `bytes` bytes. */
__global__ void gather(const uint32_t *data, uint32_t *out, uint32_t pieces, int bytes, int lanes) {
  uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, group = thread / lanes, sum = 0;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    uint32_t piece = mix(group * EACH + k) & (pieces - 1);
    sum += data[(size_t)piece * (bytes / 4) + thread % lanes];
  }
  if (sum)
    out[thread] = sum;
}

__global__ void strided_load(const float *data, float *out, int stride) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = data[i * stride];
}
__global__ void strided_store(float *data, int stride) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  data[i * stride] = (float)i;
}

/* Each thread fills a struct of N words of T, one store a word. */
template <class T, int N> __global__ void struct_store(T *data, T value) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < N; k++)
    data[i * N + k] = value;
}
template <class T, int N> static void structs(const char *what, char *memory, int threads) {
  double us =
      microseconds([&] { struct_store<T, N><<<threads / BLOCK, BLOCK>>>((T *)memory, (T)1); });
  report(what, N * sizeof(T), (double)threads * N * sizeof(T) / us / 1000, "GB/s");
}

/* A chain in one thread: each address depends on the value of the load before, which is 0. No line
 * is loaded twice in a round. */
__global__ void chase(const uint32_t *data, uint32_t *out, uint32_t lines, int step, int loads,
                      long long *ticks) {
  uint32_t at = 0;
  TICKS_BEGIN();
  for (int i = 0; i < loads; i++)
    at = (at * 1664525u + 1013904223u + __ldcg(data + (size_t)(at & (lines - 1)) * step)) &
         (lines - 1);
  TICKS_END(ticks);
  *out = at;
}

int main() {
  mechanism = "dram";
  const size_t most = (size_t)8 << 30;
  char *memory = zeros<char>(most);
  const int threads = 1 << 22;
  float *out = zeros<float>(threads);
  for (size_t bytes = (size_t)1 << 20; bytes <= most; bytes *= 2) {
    double us = microseconds([&] {
      gather<<<threads / BLOCK, BLOCK>>>((uint32_t *)memory, (uint32_t *)out, bytes / 32, 32, 1);
    });
    report("gather of words, sectors at random", bytes, (double)threads * EACH * 32 / us / 1000,
           "GB/s of sectors");
  }
  for (size_t bytes = (size_t)16 << 20; bytes <= most; bytes *= 8)
    for (int piece : {32, 64, 128, 256}) {
      const int lanes = piece < 128 ? piece / 4 : 32;
      char text[64];
      snprintf(text, sizeof text, "gather of whole pieces of %d, footprint %zu MB", piece,
               bytes >> 20);
      double us = microseconds([&] {
        gather<<<threads / BLOCK, BLOCK>>>((uint32_t *)memory, (uint32_t *)out, bytes / piece,
                                           piece, lanes);
      });
      report(text, piece, (double)threads * EACH * 4 / us / 1000, "GB/s of words");
    }
  const int few = 1 << 21;
  for (int stride : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    double us =
        microseconds([&] { strided_load<<<few / BLOCK, BLOCK>>>((float *)memory, out, stride); });
    report("strided load, 2097152 threads", 4 * stride, us, "us");
    us = microseconds([&] { strided_store<<<few / BLOCK, BLOCK>>>((float *)memory, stride); });
    report("strided store, 2097152 threads", 4 * stride, us, "us");
  }
  const int many = 1 << 24;
  structs<double, 2>("structs of 2 doubles stored word by word", memory, many);
  structs<double, 3>("structs of 3 doubles stored word by word", memory, many);
  structs<float, 3>("structs of 3 floats stored word by word", memory, many);
  structs<float, 7>("structs of 7 floats stored word by word", memory, many);
  structs<unsigned char, 3>("structs of 3 bytes stored word by word", memory, many);
  structs<unsigned char, 1>("bytes", memory, many);
  structs<float, 1>("floats", memory, many);
  /* L2 is emptied before each launch; the page of each line is another from 2 MB on. */
  Ticks one(1);
  for (size_t bytes = (size_t)1 << 20; bytes <= most / 2; bytes *= 4)
    report("chain of lines that L2 does not have, by footprint", bytes,
           one.clocks([&](long long *t) {
             CHECK(cudaMemset(memory + most / 2, 0, (size_t)256 << 20));
             chase<<<1, 1>>>((uint32_t *)memory, (uint32_t *)out, bytes / 128, 32, 4096, t);
           }) / 4096,
           "clocks");
  return 0;
}
