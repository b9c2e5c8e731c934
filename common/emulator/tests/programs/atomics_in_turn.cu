// Tests atomics of 1 to 32 lanes on one word or one bank of shared memory: on integers of 32 and 64
// bits, and on floats, which need loops. counted_test compares the counters with those of a GPU.
#include "check.h"
#include <initializer_list>

#define THREADS 128

extern "C" __global__ void counts(const int *in, int *bins, int nbins) {
  __shared__ int own[256];
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    own[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += THREADS)
    atomicAdd(&own[in[i] % nbins], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    bins[i] += own[i];
}

extern "C" __global__ void weights(const int *in, int *bins, int nbins) {
  __shared__ int own[256];
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    own[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += THREADS)
    atomicAdd(&own[in[i] % nbins], in[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    bins[i] += own[i];
}

extern "C" __global__ void places(const int *in, int *place, int nbins) {
  __shared__ int next[256];
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    next[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += THREADS)
    place[i] = atomicAdd(&next[in[i] % nbins], 1);
}

extern "C" __global__ void float_sums(const int *in, float *sums, int nbins) {
  __shared__ float own[256];
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    own[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += 4 * THREADS)
    atomicAdd(&own[in[i] % nbins], (float)in[i] + 1);
  __syncthreads();
  for (int i = threadIdx.x; i < nbins; i += THREADS)
    sums[i] += own[i];
}

extern "C" __global__ void one_sum(const int *in, int *sum) {
  __shared__ int own;
  if (threadIdx.x == 0)
    own = 0;
  __syncthreads();
  if (in[threadIdx.x] % 3)
    atomicAdd(&own, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(sum, own);
}

extern "C" __global__ void extremes(const int *in, int *out, int nbins) {
  __shared__ int least[64], most[64];
  if (threadIdx.x < 64) {
    least[threadIdx.x] = 1 << 30;
    most[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += THREADS) {
    atomicMin(&least[in[i] % nbins], i);
    atomicMax(&most[in[i] % nbins], i);
  }
  __syncthreads();
  if (threadIdx.x < 64)
    out[threadIdx.x] = most[threadIdx.x] - least[threadIdx.x];
}

extern "C" __global__ void exchanges(const int *in, unsigned long long *out, int nbins) {
  __shared__ unsigned long long last[64];
  __shared__ unsigned owner[64];
  if (threadIdx.x < 64) {
    last[threadIdx.x] = 0;
    owner[threadIdx.x] = 0;
  }
  __syncthreads();
  unsigned long long before =
      atomicExch(&last[in[threadIdx.x] % nbins], (unsigned long long)threadIdx.x);
  unsigned was = atomicCAS(&owner[in[threadIdx.x] % nbins], 0u, threadIdx.x + 1);
  out[threadIdx.x] = before + was;
}

extern "C" __global__ void columns(int *out, int stride) {
  __shared__ int s[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += THREADS)
    s[i] = i;
  __syncthreads();
  atomicXor(&s[threadIdx.x % 32 * stride], (int)threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

extern "C" __global__ void global_counts(const int *in, int *bins, int nbins) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&bins[in[i] % nbins], 1);
}

extern "C" __global__ void global_sums(const int *in, float *bins, double *rows) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&bins[i % 48], (float)in[i]);
  atomicAdd(&rows[i / 8], (double)in[i]);
}

extern "C" __global__ void global_places(const int *in, int *next, int *place) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  place[i] = atomicAdd(&next[in[i] % 5], 1);
  if (in[i] % 2)
    atomicMax(next + 8, in[i]);
}

int main() {
  const int n = 1024;
  int host[n], *in, *out;
  double *wide;
  for (int i = 0; i < n; i++)
    host[i] = i * 37 % 1009;
  CHECK(cudaMalloc(&in, sizeof host));
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMalloc(&wide, 2 * sizeof host));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, sizeof host));
  CHECK(cudaMemset(wide, 0, 2 * sizeof host));
  for (int bins : {1, 4, 31, 256}) {
    CHECK(cudaMemset(out, 0, sizeof host));
    counts<<<1, THREADS>>>(in, out, bins);
    LAUNCHED();
    int back[256], expected = 0;
    CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
      expected += host[i] % bins == bins / 2;
    EXPECT(back[bins / 2] == expected);
    weights<<<1, THREADS>>>(in, out, bins);
    LAUNCHED();
    places<<<1, THREADS>>>(in, out, bins);
    LAUNCHED();
    float_sums<<<1, THREADS>>>(in, (float *)wide, bins);
    LAUNCHED();
  }
  one_sum<<<1, THREADS>>>(in, out);
  LAUNCHED();
  extremes<<<1, THREADS>>>(in, out, 10);
  LAUNCHED();
  exchanges<<<1, THREADS>>>(in, (unsigned long long *)wide, 24);
  LAUNCHED();
  for (int stride : {1, 2, 8, 32, 33}) {
    columns<<<1, THREADS>>>(out, stride);
    LAUNCHED();
  }
  CHECK(cudaMemset(out, 0, sizeof host));
  CHECK(cudaMemset(wide, 0, 2 * sizeof host));
  global_counts<<<n / THREADS, THREADS>>>(in, out, 3);
  LAUNCHED();
  global_sums<<<n / THREADS, THREADS>>>(in, (float *)out, wide);
  LAUNCHED();
  global_places<<<n / THREADS, THREADS>>>(in, out, (int *)wide);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (void *at : {(void *)in, (void *)out, (void *)wide})
    CHECK(cudaFree(at));
  return 0;
}
