/* Arrays of records of N words of 4 bytes, a record for each thread, word by word: all loaded, all
 * stored, and both. In L1, in L2 and in device memory. */
#include "micro.h"

template <int N> struct Record { float word[N]; };

/* A block loads its own records again and again. */
template <int N>
__global__ void load_own(const float *data, float *out, int rounds, long long *ticks) {
  const float *mine = data + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * N;
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += __ldca(mine + k);
  TICKS_BEGIN();
  for (int i = 0; i < rounds; i++) {
#pragma unroll
    for (int k = 0; k < N; k++) {
      float word;
      asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(word) : "l"(mine + k));
      sum += word;
    }
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <int N> __global__ void load(const Record<N> *data, float *out, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Record<N> mine = data[i & mask];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < N; k++)
    sum += mine.word[k];
  if (sum != 0)
    out[i] = sum;
}
template <int N> __global__ void store(Record<N> *data, float value, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < N; k++)
    data[i & mask].word[k] = value + k;
}
template <int N> __global__ void update(Record<N> *data, float value, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Record<N> mine = data[i & mask];
#pragma unroll
  for (int k = 0; k < N; k++)
    mine.word[k] = mine.word[k] * value + k;
  data[i & mask] = mine;
}
/* Only the first half of each record's words change. */
template <int N> __global__ void update_half(Record<N> *data, float value, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Record<N> mine = data[i & mask];
#pragma unroll
  for (int k = 0; k < N / 2; k++)
    mine.word[k] = mine.word[k] * value + mine.word[N / 2 + k];
  data[i & mask] = mine;
}

template <int N> static void records(float *data, float *out, int sms) {
  Ticks all(sms);
  const int rounds = 32, many = 1 << 23;
  for (int threads : {32, 256})
    report(threads == 32 ? "loads in L1, 1 warp, by words" : "loads in L1, 8 warps, by words", N,
           all.clocks([&](long long *t) { load_own<N><<<sms, threads>>>(data, out, rounds, t); }) /
               (rounds * N * (threads / 32)),
           "clocks a warp and SM");
  Record<N> *list = (Record<N> *)data;
  for (int log : {18, 23}) {
    const int mask = (1 << log) - 1;
    const char *where = log == 18 ? "in L2" : "in device memory";
    const double bytes = (double)many * sizeof(Record<N>) / 1000;
    char text[64];
    snprintf(text, sizeof text, "loads %s, by words", where);
    report(text, N, bytes / microseconds([&] { load<N><<<many / 256, 256>>>(list, out, mask); }),
           "GB/s");
    snprintf(text, sizeof text, "stores %s, by words", where);
    report(text, N, bytes / microseconds([&] { store<N><<<many / 256, 256>>>(list, 0, mask); }),
           "GB/s");
    snprintf(text, sizeof text, "updates %s, by words", where);
    report(text, N, bytes / microseconds([&] { update<N><<<many / 256, 256>>>(list, 0, mask); }),
           "GB/s");
    snprintf(text, sizeof text, "updates of half %s, by words", where);
    report(text, N,
           bytes / microseconds([&] { update_half<N><<<many / 256, 256>>>(list, 0, mask); }),
           "GB/s");
  }
}

int main() {
  mechanism = "records";
  const int sms = multiprocessors();
  float *data = zeros<float>((size_t)16 << 23), *out = zeros<float>(1 << 23);
  records<1>(data, out, sms);
  records<2>(data, out, sms);
  records<3>(data, out, sms);
  records<4>(data, out, sms);
  records<5>(data, out, sms);
  records<6>(data, out, sms);
  records<7>(data, out, sms);
  records<8>(data, out, sms);
  records<9>(data, out, sms);
  records<12>(data, out, sms);
  records<16>(data, out, sms);
  return 0;
}
