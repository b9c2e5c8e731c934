// Sorts with Batcher's bitonic network. Steps within a chunk run in shared memory, all steps of a
// stage in one launch. Each step over a larger distance is a launch of its own.
#include "inputs.h"
#include <algorithm>
#include <climits>

enum { THREADS = 64, CHUNK = 2 * THREADS };

struct Record {
  int key, payload;
};

__device__ void exchange(Record *a, Record *b, bool ascending) {
  Record first = *a, second = *b;
  if ((first.key > second.key) == ascending) {
    *a = second;
    *b = first;
  }
}

// Returns the position of the first element of pair number t. `distance` is the distance to its
// partner.
__device__ int first_of_pair(int t, int distance) {
  return t / distance * 2 * distance + t % distance;
}

// Executes the steps of stages `from` to `to` that fit in a chunk. A stage is identified by the
// length of the sorted runs that it produces.
__global__ void within_chunk(Record *records, int from, int to) {
  __shared__ Record chunk[CHUNK];
  int t = threadIdx.x, base = blockIdx.x * CHUNK;
  chunk[t] = records[base + t];
  chunk[t + THREADS] = records[base + t + THREADS];
  for (int run = from; run <= to; run *= 2)
    for (int distance = min(run, CHUNK) / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int i = first_of_pair(t, distance);
      exchange(&chunk[i], &chunk[i + distance], ((base + i) & run) == 0);
    }
  __syncthreads();
  records[base + t] = chunk[t];
  records[base + t + THREADS] = chunk[t + THREADS];
}

__global__ void across_chunks(Record *records, int run, int distance) {
  int i = first_of_pair(blockIdx.x * THREADS + threadIdx.x, distance);
  exchange(&records[i], &records[i + distance], (i & run) == 0);
}

static void sort(Record *records, int n) { // n: a power of two, at least CHUNK
  const int blocks = n / CHUNK;
  within_chunk<<<blocks, THREADS>>>(records, 2, CHUNK);
  for (int run = 2 * CHUNK; run <= n; run *= 2) {
    for (int distance = run / 2; distance >= CHUNK; distance /= 2)
      across_chunks<<<blocks, THREADS>>>(records, run, distance);
    within_chunk<<<blocks, THREADS>>>(records, run, run);
  }
  LAUNCHED();
}

static void run(int n, int keys) {
  int padded = CHUNK;
  while (padded < n)
    padded *= 2;
  std::vector<Record> records(padded);
  std::vector<int> expected(n);
  for (int i = 0; i < padded; i++) // padding has the largest key
    records[i] = Record{i < n ? random_below(keys) - keys / 2 : INT_MAX, i};
  for (int i = 0; i < n; i++)
    expected[i] = records[i].key;
  std::sort(expected.begin(), expected.end());
  Record *device = to_device(records);
  sort(device, padded);
  std::vector<Record> sorted = to_host(device, padded);
  std::vector<bool> seen(padded);
  for (int i = 0; i < n; i++) {
    EXPECT(sorted[i].key == expected[i] && records[sorted[i].payload].key == expected[i]);
    EXPECT(!seen[sorted[i].payload]);
    seen[sorted[i].payload] = true;
  }
  CHECK(cudaFree(device));
}

int main() {
  run(1, 10);
  run(127, 1000000);
  run(128, 50);
  run(1000, 1000000);
  run(5000, 300); // many equal keys
  return done();
}
