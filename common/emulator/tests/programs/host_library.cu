// Includes standard headers in a .cu file, before and after their use. Host functions in them must
// not conflict with our device functions.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <math.h>
#include <memory>
#include <numeric>
#include <random>
#include <stdint.h>
#include <stdlib.h>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__global__ void use(double *out, float *floats, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  out[i] = std::sqrt(double(i)) + max(i, 3) + min(1.5, 2.5) + sqrt((double)i) + abs(-i);
  floats[i] =
      std::fabs(-1.5f) + std::floor(2.7f) + fmaxf(i, 2) + std::exp(0.0f) + powf(2.0f, 3) + M_PI;
  if (isnan(out[i]) || isinf(floats[i]))
    out[i] = -1;
}

int main() {
  const int n = 40;
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> numbers(n);
  std::generate(numbers.begin(), numbers.end(), [&] { return uniform(generator); });
  std::sort(numbers.begin(), numbers.end());
  auto start = std::chrono::steady_clock::now();
  double *out;
  float *floats;
  CHECK(cudaMallocManaged(&out, n * sizeof(double)));
  CHECK(cudaMallocManaged(&floats, n * sizeof(float)));
  use<<<1, 64>>>(out, floats, n);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    EXPECT(std::fabs(out[i] - (2 * std::sqrt((double)i) + std::max(i, 3) + 1.5 + i)) < 1e-12);
    EXPECT(std::fabs(floats[i] - (1.5 + 2 + std::max(i, 2) + 1 + 8 + M_PI)) < 1e-4);
  }
  EXPECT(min(3, 4) == 3 && max(2.5f, 1.0f) == 2.5f && std::min(1, 2) == 1);
  EXPECT(std::chrono::steady_clock::now() >= start && numbers[0] <= numbers[n - 1]);
  CHECK(cudaFree(out));
  CHECK(cudaFree(floats));
  std::cout << std::string("std::cout works\n");
  return done();
}
