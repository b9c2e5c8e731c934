/* Divergence: 1 to 32 paths in a warp, short branches, loops whose number of rounds depends on the
 * lane, and jumps that all lanes take. */
#include "micro.h"

#define FMA(x, y) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y))
template <int N> __device__ static void fmas(float &x, float y) {
#pragma unroll
  for (int k = 0; k < N; k++)
    FMA(x, y);
}

/* `which` of 32 paths, each of N multiply-adds. */
template <int N>
__global__ void paths(float *out, float y, int count, int by_warp, int rounds, long long *ticks) {
  const int place = by_warp ? threadIdx.x / 32 : threadIdx.x;
  float x = threadIdx.x;
  int which = place % count;
  TICKS_BEGIN();
#pragma unroll 1
  for (int i = 0; i < rounds; i++) {
    switch (which) {
#define PATH(k)                                                                                    \
  case k:                                                                                          \
    fmas<N>(x, y + k);                                                                             \
    break;
#define FOUR(k) PATH(k) PATH(k + 1) PATH(k + 2) PATH(k + 3)
      FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24) FOUR(28)
    }
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* A branch that the first `lanes` lanes take, with and without an else part. */
template <int N, bool OTHER>
__global__ void either(float *out, float y, int lanes, int rounds, long long *ticks) {
  float x = threadIdx.x;
  int lane = threadIdx.x % 32;
  TICKS_BEGIN();
#pragma unroll 1
  for (int i = 0; i < rounds; i++) {
    if (lane < lanes)
      fmas<N>(x, y);
    else if (OTHER)
      fmas<N>(x, y + 1);
    lanes += lanes == 99; /* not known before */
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* A loop of `least` rounds. The last lanes have more. */
template <int N>
__global__ void loops(float *out, float y, int least, int more, int rounds, long long *ticks) {
  float x = threadIdx.x;
  const int length = least + more * (threadIdx.x % 32);
  TICKS_BEGIN();
#pragma unroll 1
  for (int i = 0; i < rounds; i++) {
#pragma unroll 1
    for (int k = 0; k < length; k++)
      fmas<N>(x, y);
  }
  TICKS_END(ticks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static int sms;
static float *out;

template <class Launch> static void both(const char *name, double parameter, int rounds, Launch l) {
  Ticks one(1), all(sms);
  char text[128];
  snprintf(text, sizeof text, "%s, one warp", name);
  report(text, parameter, one.clocks([&](long long *t) { l(1, 32, rounds, t); }) / rounds,
         "clocks a round");
  snprintf(text, sizeof text, "%s, 32 warps", name);
  report(text, parameter, all.clocks([&](long long *t) { l(sms, 1024, rounds, t); }) / rounds,
         "clocks a round");
}

template <int N> static void all_of(int rounds) {
  char text[96];
  for (int count : {1, 2, 4, 8, 16, 32}) {
    snprintf(text, sizeof text, "switch by lane, paths of %d", N);
    both(text, count, rounds, [&](int blocks, int threads, int r, long long *t) {
      paths<N><<<blocks, threads>>>(out, 0.5f, count, 0, r, t);
    });
  }
  for (int count : {4, 32}) {
    snprintf(text, sizeof text, "switch by warp, paths of %d", N);
    both(text, count, rounds, [&](int blocks, int threads, int r, long long *t) {
      paths<N><<<blocks, threads>>>(out, 0.5f, count, 1, r, t);
    });
  }
  for (int lanes : {0, 16, 32}) {
    snprintf(text, sizeof text, "if of %d", N);
    both(text, lanes, rounds, [&](int blocks, int threads, int r, long long *t) {
      either<N, false><<<blocks, threads>>>(out, 0.5f, lanes, r, t);
    });
    snprintf(text, sizeof text, "if and else of %d", N);
    both(text, lanes, rounds, [&](int blocks, int threads, int r, long long *t) {
      either<N, true><<<blocks, threads>>>(out, 0.5f, lanes, r, t);
    });
  }
  for (int more : {0, 1, 4}) {
    snprintf(text, sizeof text, "loop of 16 + n a lane rounds, bodies of %d", N);
    both(text, more, rounds / 8, [&](int blocks, int threads, int r, long long *t) {
      loops<N><<<blocks, threads>>>(out, 0.5f, 16, more, r, t);
    });
  }
}

int main() {
  mechanism = "divergence";
  sms = multiprocessors();
  out = zeros<float>((size_t)sms * 1024);
  all_of<1>(256);
  all_of<4>(256);
  all_of<8>(256);
  all_of<16>(256);
  all_of<64>(256);
  return 0;
}
