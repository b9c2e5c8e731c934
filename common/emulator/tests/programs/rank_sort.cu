// Sorts by counting: the position of an element is the number of smaller elements. Each element is
// compared with all others, tile by tile in shared memory.
#include "inputs.h"
#include <algorithm>

enum { THREADS = 96 };

__global__ void rank_sort(const double *in, int n, double *out, int *places) {
  __shared__ double tile[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t, place = 0;
  double mine = i < n ? in[i] : 0;
  for (int first = 0; first < n; first += THREADS) {
    if (first + t < n)
      tile[t] = in[first + t];
    __syncthreads();
    for (int k = 0; k < min(THREADS, n - first); k++)
      place += tile[k] < mine || (tile[k] == mine && first + k < i);
    __syncthreads();
  }
  if (i < n) {
    out[place] = mine;
    places[i] = place;
  }
}

static void run(int n) {
  std::vector<double> in(n);
  for (double &value : in)
    value = random_below(n) * 0.1 - 7;
  double *d_in = to_device(in), *d_out = device_array<double>(n);
  int *d_places = device_array<int>(n);
  rank_sort<<<ceil_div(n, THREADS), THREADS>>>(d_in, n, d_out, d_places);
  LAUNCHED();
  std::vector<double> out = to_host(d_out, n), expected = in;
  std::stable_sort(expected.begin(), expected.end());
  EXPECT(out == expected);
  std::vector<int> places = to_host(d_places, n), last(n, -1);
  for (int i = 0; i < n; i++) {
    EXPECT(out[places[i]] == in[i] && last[places[i]] == -1);
    last[places[i]] = i;
  }
  for (int p = 1; p < n; p++) // equal elements keep their order
    EXPECT(out[p - 1] != out[p] || last[p - 1] < last[p]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_places));
}

int main() {
  for (int n : {1, 95, 97, 1500})
    run(n);
  return done();
}
