// Keeps the elements that pass a test: in any order, with one atomic per warp; and in their
// original order, by counting, scanning the counts, and storing to the resulting positions.
#include "inputs.h"
#include <algorithm>

enum { THREADS = 160 };

struct Point {
  float x, y;
};

__host__ __device__ bool keeps(Point p) { return p.x * p.x + p.y * p.y < 0.5f; }

__device__ int bits_below(unsigned mask) { return __popc(mask & ((1u << threadIdx.x % 32) - 1)); }

__global__ void in_any_order(const Point *in, int n, Point *out, int *count) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  Point p = i < n ? in[i] : Point{9, 9};
  unsigned kept = __ballot_sync(0xffffffffu, keeps(p));
  int first = 0;
  if (threadIdx.x % 32 == 0 && kept)
    first = atomicAdd(count, __popc(kept));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (keeps(p))
    out[first + bits_below(kept)] = p;
}

__global__ void count_kept(const Point *in, int n, int *counts) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  int count = __syncthreads_count(i < n && keeps(in[i]));
  if (threadIdx.x == 0)
    counts[blockIdx.x] = count;
}

// Runs in one warp. Replaces each count by the start of the block's output, and appends the total.
__global__ void scan_counts(int *counts, int blocks) {
  int lane = threadIdx.x, before = 0;
  for (int first = 0; first < blocks; first += 32) {
    int mine = first + lane < blocks ? counts[first + lane] : 0, sum = mine;
    for (int distance = 1; distance < 32; distance *= 2) {
      int other = __shfl_up_sync(0xffffffffu, sum, distance);
      sum += lane >= distance ? other : 0;
    }
    if (first + lane < blocks)
      counts[first + lane] = before + sum - mine;
    before += __shfl_sync(0xffffffffu, sum, 31);
  }
  if (lane == 0)
    counts[blocks] = before;
}

__global__ void in_order(const Point *in, int n, const int *starts, Point *out) {
  __shared__ int of_warp[THREADS / 32];
  int i = blockIdx.x * THREADS + threadIdx.x, warp = threadIdx.x / 32;
  bool mine = i < n && keeps(in[i]);
  unsigned kept = __ballot_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0)
    of_warp[warp] = __popc(kept);
  __syncthreads();
  int place = starts[blockIdx.x] + bits_below(kept);
  for (int w = 0; w < warp; w++)
    place += of_warp[w];
  if (mine)
    out[place] = in[i];
}

static bool before(Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
static bool equal(Point a, Point b) { return a.x == b.x && a.y == b.y; }

static void run(int n) {
  const int blocks = ceil_div(n, THREADS);
  std::vector<Point> in(n), expected;
  for (Point &p : in) {
    p = Point{random_below(129) / 64.0f - 1, random_below(129) / 64.0f - 1}; // squares are exact
    if (keeps(p))
      expected.push_back(p);
  }
  const int kept = (int)expected.size();
  Point *d_in = to_device(in), *d_out = device_array<Point>(n);
  int *counts = device_zeros<int>(blocks + 1);

  count_kept<<<blocks, THREADS>>>(d_in, n, counts);
  scan_counts<<<1, 32>>>(counts, blocks);
  in_order<<<blocks, THREADS>>>(d_in, n, counts, d_out);
  LAUNCHED();
  EXPECT(to_host(counts, blocks + 1)[blocks] == kept);
  std::vector<Point> out = to_host(d_out, n);
  EXPECT(std::equal(expected.begin(), expected.end(), out.begin(), equal));

  CHECK(cudaMemset(counts, 0, sizeof(int)));
  in_any_order<<<blocks, THREADS>>>(d_in, n, d_out, counts);
  LAUNCHED();
  EXPECT(to_host(counts, 1)[0] == kept);
  out = to_host(d_out, n);
  std::sort(out.begin(), out.begin() + kept, before);
  std::sort(expected.begin(), expected.end(), before);
  EXPECT(std::equal(expected.begin(), expected.end(), out.begin(), equal));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(counts));
}

int main() {
  for (int n : {1, 5, 160, 161, 9001})
    run(n);
  return done();
}
