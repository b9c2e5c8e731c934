// Odd-even transposition sort: compares and swaps neighbours, first all even pairs, then all odd
// pairs, and repeats this until nothing changes. Each block sorts one row. Rows differ in length.
#include "inputs.h"
#include <algorithm>

enum { LONGEST = 500, THREADS = 256 };

__global__ void sort_rows(float *values, const int *starts, int *rounds) {
  __shared__ float row[LONGEST];
  float *mine = values + starts[blockIdx.x];
  int n = starts[blockIdx.x + 1] - starts[blockIdx.x], round = 0;
  for (int i = threadIdx.x; i < n; i += THREADS)
    row[i] = mine[i];
  __syncthreads();
  bool changed;
  do {
    changed = false;
    for (int odd = 0; odd < 2; odd++) {
      int i = 2 * threadIdx.x + odd;
      if (i + 1 < n && row[i] > row[i + 1]) {
        float swap = row[i];
        row[i] = row[i + 1];
        row[i + 1] = swap;
        changed = true;
      }
      __syncthreads();
    }
    round++;
  } while (__syncthreads_or(changed));
  for (int i = threadIdx.x; i < n; i += THREADS)
    mine[i] = row[i];
  if (threadIdx.x == 0)
    rounds[blockIdx.x] = round;
}

int main() {
  const std::vector<int> lengths = {1, 2, 31, 0, 64, 65, 333, LONGEST};
  const int rows = (int)lengths.size();
  std::vector<int> starts(1, 0);
  std::vector<float> values, expected;
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < lengths[r]; i++)
      values.push_back(r == 4 ? (float)i : (float)random_below(200) / 8); // row 4 is sorted already
    starts.push_back((int)values.size());
    if (r == 5)
      std::sort(values.begin() + starts[r], values.end(), [](float a, float b) { return a > b; });
  }
  expected = values;
  for (int r = 0; r < rows; r++)
    std::sort(expected.begin() + starts[r], expected.begin() + starts[r + 1]);

  float *d_values = to_device(values);
  int *d_starts = to_device(starts), *d_rounds = device_zeros<int>(rows);
  sort_rows<<<rows, THREADS>>>(d_values, d_starts, d_rounds);
  LAUNCHED();
  EXPECT(to_host(d_values, values.size()) == expected);
  std::vector<int> rounds = to_host(d_rounds, rows);
  EXPECT(rounds[0] == 1 && rounds[3] == 1 && rounds[4] == 1);
  EXPECT(rounds[5] >= lengths[5] / 2); // the smallest element moves from end to end, two places per
                                       // round
  for (int r = 0; r < rows; r++)
    EXPECT(rounds[r] <= lengths[r] / 2 + 2);
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_starts));
  CHECK(cudaFree(d_rounds));
  return done();
}
