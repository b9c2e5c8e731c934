// The work-efficient exclusive scan by Blelloch: an up-sweep sums, a down-sweep computes prefixes.
// One word of padding per 32 words lets the lanes of a step access different banks.
#include "inputs.h"

enum { THREADS = 64, ELEMENTS = 2 * THREADS };

__device__ int padded(int i) { return i + i / 32; }

// Scans ELEMENTS numbers in shared memory and returns their sum.
__device__ int scan_block(int *tree) {
  int t = threadIdx.x, stride = 1;
  for (int nodes = THREADS; nodes > 0; nodes /= 2, stride *= 2) {
    __syncthreads();
    if (t < nodes)
      tree[padded((2 * t + 2) * stride - 1)] += tree[padded((2 * t + 1) * stride - 1)];
  }
  __syncthreads();
  int sum = tree[padded(ELEMENTS - 1)];
  __syncthreads();
  if (t == 0)
    tree[padded(ELEMENTS - 1)] = 0;
  for (int nodes = 1; nodes < ELEMENTS; nodes *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < nodes) {
      int left = padded((2 * t + 1) * stride - 1), right = padded((2 * t + 2) * stride - 1);
      int before = tree[right];
      tree[right] += tree[left];
      tree[left] = before;
    }
  }
  __syncthreads();
  return sum;
}

// One block scans a row of any length in chunks. A chunk starts with the sum of earlier chunks.
__global__ void scan_rows(const int *in, int *out, int *sums, int columns) {
  __shared__ int tree[ELEMENTS + ELEMENTS / 32];
  int row = blockIdx.x * columns, before = 0;
  for (int first = 0; first < columns; first += ELEMENTS) {
    for (int k = threadIdx.x; k < ELEMENTS; k += THREADS)
      tree[padded(k)] = first + k < columns ? in[row + first + k] : 0;
    int sum = scan_block(tree);
    for (int k = threadIdx.x; k < ELEMENTS && first + k < columns; k += THREADS)
      out[row + first + k] = before + tree[padded(k)];
    before += sum;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = before;
}

static void run(int rows, int columns) {
  std::vector<int> in(rows * columns), expected(rows * columns), expected_sums(rows);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      expected[r * columns + c] = expected_sums[r];
      expected_sums[r] += in[r * columns + c] = random_below(3000) - 1000;
    }
  int *d_in = to_device(in), *d_out = device_zeros<int>(rows * columns);
  int *d_sums = device_zeros<int>(rows);
  scan_rows<<<rows, THREADS>>>(d_in, d_out, d_sums, columns);
  LAUNCHED();
  EXPECT(to_host(d_out, rows * columns) == expected);
  EXPECT(to_host(d_sums, rows) == expected_sums);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_sums));
}

int main() {
  run(1, 1);
  run(3, 64);
  run(4, 128);
  run(7, 129);
  run(2, 5000);
  return done();
}
