// Integers of one and two bytes must wrap around and be extended as in C, in registers and in
// global, shared and local memory, also if a 64-bit value is truncated to them.
#include "check.h"
#include <cstdint>
#include <vector>

enum { THREADS = 96, STEPS = 24 };

struct Small {
  int8_t c;
  uint8_t uc;
  int16_t s;
  uint16_t us;
  bool b;
  char plain;
  int32_t i;
};

// Computes one step in narrow types, in which each type overflows.
__host__ __device__ void step(Small *v, int64_t wide) {
  v->c = (int8_t)(v->c * 3 + wide);
  v->uc = (uint8_t)(v->uc + v->c);
  v->uc += 77;
  v->s = (int16_t)(v->s * v->c - (wide >> 7));
  v->us = (uint16_t)(v->us << 1 | (v->s < 0));
  v->us--;
  v->b = wide & 4;
  v->plain = (char)(v->plain ^ (char)wide);
  v->i += v->c + v->uc + v->s + v->us + v->b + v->plain + (v->c >> 1) + (v->uc >> 1);
  v->i -= v->s / 3 + v->us % 7 + (v->c < v->uc) + (v->s == (int16_t)v->us) - ~v->uc;
  v->s++;
  v->c = v->c < 0 ? (int8_t)-v->c : v->c; // -(-128) is -128 again
}

__host__ __device__ int64_t wide_value(int t, int i) {
  return ((int64_t)t * 0x12345678 + i) * (i % 2 ? -77777 : 99991) - ((int64_t)i << 40);
}

__global__ void calculate(Small *out) {
  Small v = {-3, 200, 1000, 65000, false, 'a', 0};
  for (int i = 0; i < STEPS; i++)
    step(&v, wide_value(threadIdx.x, i));
  out[threadIdx.x] = v;
}

// Stores narrow elements in every kind of memory. Lanes read elements that other lanes stored.
template <class T> __global__ void through_memory(T *global, long long *out) {
  __shared__ T shared[THREADS];
  T local[STEPS];
  int t = threadIdx.x;
  for (int i = 0; i < STEPS; i++)
    local[i] = (T)wide_value(t, i); // truncated from 64 bits
  shared[t] = (T)wide_value(t, 5);
  global[t] = (T)wide_value(t, 7);
  __syncthreads();
  unsigned long long sum = shared[(t + 1) % THREADS]; // extended to 64 bits
  for (int i = 0; i < STEPS; i++)
    sum = sum * 3 + local[(i * 7 + t) % STEPS];
  out[t] = (long long)(sum * 5 + global[t]);
}

// Like through_memory, but only some lanes are active.
template <class T> __global__ void in_branches(T *global, long long *out) {
  T local[STEPS];
  int t = threadIdx.x;
  out[t] = 0;
  if (t % 3) {
#pragma unroll 1
    for (int i = 0; i < STEPS; i++)
      local[(i + t) % STEPS] = (T)wide_value(t, i);
    global[t] = (T)wide_value(t, 9);
    out[t] = (long long)local[t % 7] - global[t];
  }
}

template <class T> static void check_memory() {
  T *d_global;
  long long *d_out, out[THREADS];
  CHECK(cudaMalloc(&d_global, THREADS * sizeof(T)));
  CHECK(cudaMalloc(&d_out, sizeof out));
  through_memory<T><<<1, THREADS>>>(d_global, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    unsigned long long sum = (T)wide_value((t + 1) % THREADS, 5);
    for (int i = 0; i < STEPS; i++)
      sum = sum * 3 + (T)wide_value(t, (i * 7 + t) % STEPS);
    EXPECT(out[t] == (long long)(sum * 5 + (T)wide_value(t, 7)));
  }
  in_branches<T><<<1, THREADS>>>(d_global, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    int i = ((t % 7 - t) % STEPS + STEPS) % STEPS; // the step that wrote local[t % 7]
    EXPECT(out[t] == (t % 3 ? (long long)(T)wide_value(t, i) - (T)wide_value(t, 9) : 0));
  }
  CHECK(cudaFree(d_global));
  CHECK(cudaFree(d_out));
}

int main() {
  Small *device, out[THREADS];
  CHECK(cudaMalloc(&device, sizeof out));
  CHECK(cudaMemset(device, 0, sizeof out)); // also sets the padding
  calculate<<<1, THREADS>>>(device);
  LAUNCHED();
  CHECK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    Small v = {-3, 200, 1000, 65000, false, 'a', 0};
    for (int i = 0; i < STEPS; i++)
      step(&v, wide_value(t, i));
    EXPECT(out[t].c == v.c && out[t].uc == v.uc && out[t].s == v.s && out[t].us == v.us);
    EXPECT(out[t].b == v.b && out[t].plain == v.plain && out[t].i == v.i);
  }
  CHECK(cudaFree(device));
  check_memory<int8_t>();
  check_memory<uint8_t>();
  check_memory<int16_t>();
  check_memory<uint16_t>();
  check_memory<int32_t>();
  check_memory<uint32_t>();
  check_memory<long long>();
  return done();
}
