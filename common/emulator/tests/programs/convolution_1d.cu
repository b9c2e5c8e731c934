// Convolves a signal with a short mask in constant memory: directly from global memory, and from a
// tile with a halo on both sides. The signal is zero beyond both ends.
#include "inputs.h"

enum { THREADS = 128, LONGEST = 31 };

__constant__ float mask[LONGEST];

__global__ void direct(const float *signal, int n, int length, float *out) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < length; k++) {
    int from = i + k - length / 2;
    if (from >= 0 && from < n)
      sum += signal[from] * mask[length - 1 - k];
  }
  out[i] = sum;
}

__global__ void tiled(const float *signal, int n, int length, float *out) {
  __shared__ float tile[THREADS + LONGEST - 1];
  int first = blockIdx.x * THREADS - length / 2, i = blockIdx.x * THREADS + threadIdx.x;
  for (int k = threadIdx.x; k < THREADS + length - 1; k += THREADS)
    tile[k] = first + k >= 0 && first + k < n ? signal[first + k] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < length; k++)
    sum += tile[threadIdx.x + k] * mask[length - 1 - k];
  if (i < n)
    out[i] = sum;
}

static std::vector<float> convolve(const std::vector<float> &signal, const float *weights,
                                   int length) {
  std::vector<float> out(signal.size());
  const int n = (int)signal.size();
  for (int from = 0; from < n; from++) // the reference adds each element to all results that it
                                       // contributes to
    for (int k = 0; k < length; k++) {
      int to = from + k - (length - 1 - length / 2);
      if (to >= 0 && to < n)
        out[to] += signal[from] * weights[k];
    }
  return out;
}

static void run(int n, int length) {
  float weights[LONGEST];
  std::vector<float> signal(n);
  for (float &value : signal)
    value = (float)(random_below(101) - 40); // integers, so sums are exact in any order
  for (int k = 0; k < length; k++)
    weights[k] = (float)(random_below(19) - 6);
  CHECK(cudaMemcpyToSymbol(mask, weights, length * sizeof(float)));
  std::vector<float> expected = convolve(signal, weights, length);
  float *d_signal = to_device(signal), *d_out = device_zeros<float>(n);
  direct<<<ceil_div(n, THREADS), THREADS>>>(d_signal, n, length, d_out);
  LAUNCHED();
  EXPECT(to_host(d_out, n) == expected);
  CHECK(cudaMemset(d_out, 0xff, n * sizeof(float)));
  tiled<<<ceil_div(n, THREADS), THREADS>>>(d_signal, n, length, d_out);
  LAUNCHED();
  EXPECT(to_host(d_out, n) == expected);
  CHECK(cudaFree(d_signal));
  CHECK(cudaFree(d_out));
}

int main() {
  run(1, 1);
  run(10, 31); // the mask is longer than the signal
  run(128, 5);
  run(1000, 4); // an even mask begins one element earlier
  run(5003, 31);
  return done();
}
