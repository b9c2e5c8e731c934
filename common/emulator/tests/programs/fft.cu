// The radix-2 fast Fourier transform, one block per signal. Loading reverses the bits of the index;
// the butterflies run in shared memory. Also tests the inverse and the convolution theorem.
#include "inputs.h"
#include <cmath>

enum { MOST = 512 };

__device__ float2 product(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Transforms n = 2^bits points with n / 2 threads. sign -1: forward; 1: inverse, times n.
__global__ void fft(float2 *signals, int bits, float sign) {
  __shared__ float2 points[MOST];
  int n = 1 << bits, t = threadIdx.x;
  float2 *signal = signals + blockIdx.x * n;
  for (int i = t; i < n; i += n / 2)
    points[__brev(i) >> (32 - bits)] = signal[i];
  for (int half = 1; half < n; half *= 2) {
    __syncthreads();
    int k = t % half, low = t / half * 2 * half + k;
    float2 turn;
    sincospif(sign * k / half, &turn.y, &turn.x);
    float2 a = points[low], b = product(turn, points[low + half]);
    points[low] = make_float2(a.x + b.x, a.y + b.y);
    points[low + half] = make_float2(a.x - b.x, a.y - b.y);
  }
  __syncthreads();
  for (int i = t; i < n; i += n / 2)
    signal[i] = points[i];
}

__global__ void multiply(float2 *a, const float2 *b, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 p = product(a[i], b[i]);
    a[i] = make_float2(scale * p.x, scale * p.y);
  }
}

static std::vector<float2> noise(int n) {
  std::vector<float2> signal(n);
  for (float2 &point : signal)
    point = make_float2(random_float(), random_float() + 0.25f);
  return signal;
}

static void check_transform(int bits, int signals) {
  const int n = 1 << bits;
  std::vector<float2> signal = noise(signals * n);
  float2 *device = to_device(signal);
  fft<<<signals, n / 2>>>(device, bits, -1);
  LAUNCHED();
  std::vector<float2> found = to_host(device, signals * n);
  for (int i = 0; i<signals * n; i += n> 64 ? 13 : 1) { // checks every 13th point
    double re = 0, im = 0;
    for (int k = 0; k < n; k++) {
      const float2 &point = signal[i / n * n + k];
      double angle = -2 * acos(-1.0) * (double)((long long)(i % n) * k % n) / n;
      re += point.x * cos(angle) - point.y * sin(angle);
      im += point.x * sin(angle) + point.y * cos(angle);
    }
    EXPECT(fabs(found[i].x - re) <= 2e-6 * n && fabs(found[i].y - im) <= 2e-6 * n);
  }
  fft<<<signals, n / 2>>>(device, bits, 1);
  LAUNCHED();
  found = to_host(device, signals * n);
  for (int i = 0; i < signals * n; i++)
    EXPECT(fabs(found[i].x / n - signal[i].x) <= 1e-6 &&
           fabs(found[i].y / n - signal[i].y) <= 1e-6);
  CHECK(cudaFree(device));
}

static void check_convolution() {
  const int bits = 6, n = 1 << bits;
  std::vector<float2> a = noise(n), b = noise(n);
  float2 *d_a = to_device(a), *d_b = to_device(b);
  fft<<<1, n / 2>>>(d_a, bits, -1);
  fft<<<1, n / 2>>>(d_b, bits, -1);
  multiply<<<2, n / 2>>>(d_a, d_b, n, 1.0f / n);
  fft<<<1, n / 2>>>(d_a, bits, 1);
  LAUNCHED();
  std::vector<float2> found = to_host(d_a, n);
  for (int i = 0; i < n; i++) {
    double re = 0, im = 0;
    for (int k = 0; k < n; k++) {
      const float2 &p = a[k], &q = b[(i - k + n) % n];
      re += p.x * q.x - p.y * q.y;
      im += p.x * q.y + p.y * q.x;
    }
    EXPECT(fabs(found[i].x - re) <= 1e-4 && fabs(found[i].y - im) <= 1e-4);
  }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
}

int main() {
  check_transform(1, 3);
  check_transform(5, 4);
  check_transform(6, 1);
  check_transform(9, 3);
  check_convolution();
  return done();
}
