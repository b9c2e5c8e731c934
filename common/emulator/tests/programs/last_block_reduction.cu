// Mean and variance in one launch: every block leaves its part in memory, and the one that finishes
// last, told by a ticket, adds the parts up. The fence puts a part before its ticket.
#include "inputs.h"
#include <cmath>

enum { THREADS = 96 };

struct Moments {
  double sum, squares;
};

__device__ unsigned tickets; // atomicInc brings it back to 0: ready for the next launch

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

__global__ void moments(const float *values, int n, Moments *parts, Moments *result) {
  __shared__ bool last;
  Moments mine = {0, 0};
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    mine.sum += values[i];
    mine.squares += (double)values[i] * values[i];
  }
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  mine = {0, 0};
  for (int b = threadIdx.x; b < (int)gridDim.x; b += THREADS) {
    mine.sum += parts[b].sum;
    mine.squares += parts[b].squares;
  }
  mine = block_sum(mine);
  if (threadIdx.x == 0)
    *result = mine;
}

static void run(int n, int blocks) {
  std::vector<float> values(n);
  double sum = 0, squares = 0;
  for (float &value : values) {
    value = (float)(random_below(4001) - 1000) / 16; // sums are exact in any order
    sum += value;
    squares += (double)value * value;
  }
  float *d_values = to_device(values);
  Moments *parts = device_array<Moments>(blocks), *result = device_array<Moments>(1);
  CHECK(cudaMemset(result, 0, sizeof(Moments)));
  moments<<<blocks, THREADS>>>(d_values, n, parts, result);
  LAUNCHED();
  Moments found = to_host(result, 1)[0];
  EXPECT(found.sum == sum && found.squares == squares);
  double mean = found.sum / n, variance = found.squares / n - mean * mean;
  if (n > 1000) // evenly spread over 250 from -62.5 on
    EXPECT(fabs(mean - 62.5) < 5 && fabs(variance - 250.0 * 250.0 / 12) < 500);
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(parts));
  CHECK(cudaFree(result));
}

int main() {
  run(1, 1);
  run(95, 3);
  run(5000, 20);
  run(30011, 130); // more blocks than threads in one
  run(30011, 7);
  return done();
}
