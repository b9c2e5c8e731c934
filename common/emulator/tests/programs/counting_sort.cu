// Sorts records by a byte: a histogram per block, an exclusive scan of the 256 counts in one block,
// and atomics that assign positions. The order of equal keys is arbitrary.
#include "inputs.h"

enum { KEYS = 256, THREADS = 256 };

struct Record {
  unsigned char key;
  unsigned char colour[3];
  int number;
};

__global__ void count(const Record *in, int n, int *counts) {
  __shared__ int local[KEYS];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    atomicAdd(&local[in[i].key], 1);
  __syncthreads();
  if (local[threadIdx.x])
    atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

__global__ void scan(int *counts) {
  __shared__ int sums[KEYS];
  int t = threadIdx.x, mine = counts[t];
  sums[t] = mine;
  __syncthreads();
  for (int distance = 1; distance < KEYS; distance *= 2) {
    int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  counts[t] = sums[t] - mine;
}

// With one atomic operation, a block reserves the positions of all its records with one key.
__global__ void place(const Record *in, int n, int *next, Record *out) {
  __shared__ int local[KEYS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t, rank = 0;
  local[t] = 0;
  __syncthreads();
  if (i < n)
    rank = atomicAdd(&local[in[i].key], 1);
  __syncthreads();
  if (local[t])
    local[t] = atomicAdd(&next[t], local[t]);
  __syncthreads();
  if (i < n)
    out[local[in[i].key] + rank] = in[i];
}

static void run(int n, int keys) {
  std::vector<Record> in(n);
  for (int i = 0; i < n; i++) {
    in[i].key = (unsigned char)(255 - random_below(keys));
    for (int c = 0; c < 3; c++)
      in[i].colour[c] = (unsigned char)random_bits();
    in[i].number = i;
  }
  Record *d_in = to_device(in), *d_out = device_array<Record>(n);
  int *counts = device_zeros<int>(KEYS);
  count<<<3, THREADS>>>(d_in, n, counts);
  scan<<<1, KEYS>>>(counts);
  place<<<ceil_div(n, THREADS), THREADS>>>(d_in, n, counts, d_out);
  LAUNCHED();
  std::vector<Record> out = to_host(d_out, n);
  std::vector<bool> seen(n);
  for (int i = 0; i < n; i++) {
    const Record &from = in[out[i].number];
    EXPECT(i == 0 || out[i - 1].key <= out[i].key);
    EXPECT(from.key == out[i].key && !seen[out[i].number]);
    for (int c = 0; c < 3; c++)
      EXPECT(from.colour[c] == out[i].colour[c]);
    seen[out[i].number] = true;
  }
  std::vector<int> ends = to_host(counts, KEYS); // after the sort, the end of each key's range
  EXPECT(ends[255] == n);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(counts));
}

int main() {
  run(1, 256);
  run(257, 3);
  run(9001, 256);
  return done();
}
