// Threads add to one float in different ways. sum_order.sh lists the ways for which the device must
// print a note about the order. Without an argument the sums are exact, and there is no note.
#include "check.h"
#include <cstring>

enum { N = 1000 };

template <class T> __global__ void add(T *sum, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, x[i]);
}

// One warp computes the sum by shuffles, and one lane stores it.
__global__ void reduce(float *sum, const float *x, int n) {
  float own = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    own += x[i];
  for (int width = 16; width > 0; width /= 2)
    own += __shfl_down_sync(0xffffffff, own, width);
  if (threadIdx.x == 0)
    *sum = own;
}

template <class T> static void run(const char *way) {
  T host[N], *x, *sum;
  for (int i = 0; i < N; i++)
    host[i] = strcmp(way, "exact") == 0 ? (T)(i % 8) : (T)1 / (T)(1 + i * 7 % N);
  CHECK(cudaMalloc(&x, sizeof host));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  if (strcmp(way, "warp") == 0)
    add<<<1, 32>>>(sum, x, 32);
  else if (strcmp(way, "reduced") == 0)
    reduce<<<1, 32>>>((float *)sum, (const float *)x, N);
  else
    add<<<4, 256>>>(sum, x, N);
  LAUNCHED();
  CHECK(cudaMemcpy(host, sum, sizeof *sum, cudaMemcpyDeviceToHost));
  EXPECT(host[0] > 0);
  CHECK(cudaFree(x));
  CHECK(cudaFree(sum));
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "exact";
  strcmp(way, "double") == 0 ? run<double>(way) : run<float>(way);
  return done();
}
