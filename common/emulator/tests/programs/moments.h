// The host code of the programs that compute mean and variance in one launch, in which the last
// block to finish sums the parts of all blocks.
#ifndef MOMENTS_H
#define MOMENTS_H

#include "inputs.h"
#include <cmath>

enum { THREADS = 96 };

struct Moments {
  double sum, squares;
};

__device__ Moments block_sum(Moments mine) {
  __shared__ Moments tree[THREADS];
  int t = threadIdx.x;
  tree[t] = mine;
  __syncthreads();
  for (int left = THREADS; left > 1;) {
    int half = (left + 1) / 2;
    if (t + half < left) {
      tree[t].sum += tree[t + half].sum;
      tree[t].squares += tree[t + half].squares;
    }
    left = half;
    __syncthreads();
  }
  return tree[0];
}

// Defined by each program.
__global__ void moments(const float *values, int n, Moments *parts, Moments *result);

// Returns the sums of this block's values.
__device__ Moments part_of(const float *values, int n) {
  Moments mine = {0, 0};
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    mine.sum += values[i];
    mine.squares += (double)values[i] * values[i];
  }
  return block_sum(mine);
}
__device__ Moments sum_of(const Moments *parts) {
  Moments mine = {0, 0};
  for (int b = threadIdx.x; b < (int)gridDim.x; b += THREADS) {
    mine.sum += parts[b].sum;
    mine.squares += parts[b].squares;
  }
  return block_sum(mine);
}

// Runs the kernel and checks the result. in_place: the result overwrites the first part.
static void run(bool in_place, int n, int blocks) {
  std::vector<float> values(n);
  double sum = 0, squares = 0;
  for (float &value : values) {
    value = (float)(random_below(4001) - 1000) / 16; // sums are exact in any order
    sum += value;
    squares += (double)value * value;
  }
  float *d_values = to_device(values);
  Moments *parts = device_array<Moments>(blocks),
          *result = in_place ? parts : device_array<Moments>(1);
  if (!in_place)
    CHECK(cudaMemset(result, 0, sizeof(Moments)));
  moments<<<blocks, THREADS>>>(d_values, n, parts, result);
  LAUNCHED();
  Moments found = to_host(result, 1)[0];
  EXPECT(found.sum == sum && found.squares == squares);
  double mean = found.sum / n, variance = found.squares / n - mean * mean;
  if (n > 1000) // uniform in [-62.5, 187.5]
    EXPECT(fabs(mean - 62.5) < 5 && fabs(variance - 250.0 * 250.0 / 12) < 500);
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(parts));
  if (!in_place)
    CHECK(cudaFree(result));
}

static int run_all(bool in_place) {
  run(in_place, 1, 1);
  run(in_place, 95, 3);
  run(in_place, 5000, 20);
  run(in_place, 30011, 130); // more blocks than threads per block
  run(in_place, 30011, 7);
  return done();
}

#endif
