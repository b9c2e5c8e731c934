// Finds the largest element and its first position in two ways: with a struct that lanes exchange
// by shuffles, and with a 64-bit number for atomicMax.
#include "inputs.h"
#include <cfloat>

enum { THREADS = 192, WARPS = THREADS / 32 };

struct Best {
  float value;
  int index;
};

__device__ Best better(Best a, Best b) {
  if (a.value != b.value)
    return a.value > b.value ? a : b;
  return a.index < b.index ? a : b;
}

__device__ Best warp_best(Best mine) {
  for (int offset = 16; offset > 0; offset /= 2) {
    Best other;
    other.value = __shfl_down_sync(0xffffffffu, mine.value, offset);
    other.index = __shfl_down_sync(0xffffffffu, mine.index, offset);
    mine = better(mine, other);
  }
  return mine;
}

// Stores one result per block. The second launch has one block and reads these results.
__global__ void argmax(const float *values, const Best *candidates, int n, Best *out) {
  __shared__ Best of_warp[WARPS];
  Best mine = {-FLT_MAX, 0x7fffffff};
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    Best seen = candidates ? candidates[i] : Best{values[i], i};
    mine = better(mine, seen);
  }
  mine = warp_best(mine);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < WARPS; w++)
      mine = better(mine, of_warp[w]);
    out[blockIdx.x] = mine;
  }
}

// Packs a number and its index into 64 bits. The upper half is an unsigned integer with the order
// of floats: negative numbers are inverted, others get the sign bit. The lower half is the inverted
// index, so the first of equal elements is the largest.
__device__ unsigned long long packed(float value, int index) {
  unsigned bits = __float_as_uint(value);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | (0xffffffffu - (unsigned)index);
}

__global__ void argmax_packed(const float *values, int n, unsigned long long *best) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0)
    of_block = 0;
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    atomicMax(&of_block, packed(values[i], i));
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(best, of_block);
}

static void run(int n, float scale, float shift) {
  const int blocks = 7;
  std::vector<float> values(n);
  int expected = 0;
  for (int i = 0; i < n; i++) { // few different values, so that some are equal
    values[i] = (float)random_below(50) * scale + shift;
    if (values[i] > values[expected])
      expected = i;
  }
  float *d_values = to_device(values);
  Best *candidates = device_array<Best>(blocks), *best = device_array<Best>(1);
  unsigned long long *one_number = device_zeros<unsigned long long>(1);
  argmax<<<blocks, THREADS>>>(d_values, nullptr, n, candidates);
  LAUNCHED();
  argmax<<<1, THREADS>>>(nullptr, candidates, blocks, best);
  LAUNCHED();
  Best found = to_host(best, 1)[0];
  EXPECT(found.index == expected && found.value == values[expected]);
  argmax_packed<<<blocks, THREADS>>>(d_values, n, one_number);
  LAUNCHED();
  EXPECT(0xffffffffu - (unsigned)to_host(one_number, 1)[0] == (unsigned)expected);
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(candidates));
  CHECK(cudaFree(best));
  CHECK(cudaFree(one_number));
}

int main() {
  for (int n : {1, 33, 1000, 20011}) {
    run(n, 0.5f, -3.0f);
    run(n, 0.5f, -100.0f); // all values are negative
  }
  return done();
}
