// Functions for the test programs about algorithms: pseudorandom inputs, which are the same in
// every run, and copies of arrays to the device and back.
#ifndef INPUTS_H
#define INPUTS_H

#include "check.h"
#include <vector>

static inline unsigned random_bits() {
  static unsigned state = 2463534242u; // xorshift, whose state is never 0
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static inline int random_below(int n) { return (int)(random_bits() % (unsigned)n); }

// Returns a number in [-1, 1) with 24 random bits.
static inline float random_float() { return (float)(random_bits() >> 8) / 8388608.0f - 1.0f; }

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <class T> static T *device_array(size_t n) {
  T *device;
  CHECK(cudaMalloc(&device, n * sizeof(T)));
  return device;
}

template <class T> static T *device_zeros(size_t n) {
  T *device = device_array<T>(n);
  CHECK(cudaMemset(device, 0, n * sizeof(T)));
  return device;
}

template <class T> static T *to_device(const std::vector<T> &host) {
  T *device = device_array<T>(host.size());
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T> static std::vector<T> to_host(const T *device, size_t n) {
  std::vector<T> host(n);
  CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

#endif
