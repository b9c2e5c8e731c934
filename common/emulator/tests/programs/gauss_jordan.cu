// Solves many small systems of linear equations, one block each, by Gauss-Jordan elimination in
// shared memory. A warp finds the pivot. Singular systems are reported.
#include "inputs.h"
#include <cmath>

enum { MOST = 24, THREADS = 64 };

// Returns the first row, from row number `column` on, that has the largest absolute value in this
// column.
__device__ int find_pivot(const double (*a)[MOST + 1], int n, int column) {
  int lane = threadIdx.x, row = column + lane;
  double size = row < n ? fabs(a[row][column]) : -1;
  for (int mask = 16; mask > 0; mask /= 2) {
    double other_size = __shfl_xor_sync(0xffffffffu, size, mask);
    int other = __shfl_xor_sync(0xffffffffu, row, mask);
    if (other_size > size || (other_size == size && other < row)) {
      size = other_size;
      row = other;
    }
  }
  return row;
}

__global__ void solve(const double *matrices, const double *right, int n, double *x,
                      int *singular) {
  __shared__ double a[MOST][MOST + 1]; // the last column is the right-hand side
  __shared__ int pivot;
  const double *matrix = matrices + blockIdx.x * n * n;
  for (int k = threadIdx.x; k < n * n; k += THREADS)
    a[k / n][k % n] = matrix[k];
  for (int k = threadIdx.x; k < n; k += THREADS)
    a[k][n] = right[blockIdx.x * n + k];
  __syncthreads();
  for (int column = 0; column < n; column++) {
    if (threadIdx.x < 32) {
      int row = find_pivot(a, n, column);
      if (threadIdx.x == 0)
        pivot = row;
    }
    __syncthreads();
    if (fabs(a[pivot][column]) < 1e-12) { // all threads take the same branch
      if (threadIdx.x == 0)
        singular[blockIdx.x] = 1;
      return;
    }
    double upper = 0, lower = 0, divisor = a[pivot][column];
    int k = threadIdx.x; // each thread swaps one column; MOST + 1 <= THREADS
    if (k <= n) {
      upper = a[column][k];
      lower = a[pivot][k];
    }
    __syncthreads();
    if (k <= n) {
      a[pivot][k] = upper;
      a[column][k] = lower / divisor;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n * (n - column); i += THREADS) {
      int row = i / (n - column), j = column + 1 + i % (n - column);
      if (row != column)
        a[row][j] -= a[row][column] * a[column][j];
    }
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n; k += THREADS)
    x[blockIdx.x * n + k] = a[k][n];
}

static void run(int n, int systems) {
  std::vector<double> a(systems * n * n), solution(systems * n), right(systems * n);
  for (int s = 0; s < systems; s++) {
    double *m = &a[s * n * n];
    for (int i = 0; i < n * n; i++)
      m[i] = random_float();
    if (n > 1)
      m[0] = 0; // not solvable without pivoting
    if (s % 5 == 4)
      for (int i = 0; i < n; i++) // two equal rows, so the matrix is singular
        m[(n - 1) * n + i] = n > 1 ? m[i] : 0;
    for (int i = 0; i < n; i++)
      solution[s * n + i] = 1 + random_float();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        right[s * n + i] += m[i * n + j] * solution[s * n + j];
  }
  double *d_a = to_device(a), *d_right = to_device(right), *d_x = device_zeros<double>(systems * n);
  int *d_singular = device_zeros<int>(systems);
  solve<<<systems, THREADS>>>(d_a, d_right, n, d_x, d_singular);
  LAUNCHED();
  std::vector<double> x = to_host(d_x, systems * n);
  std::vector<int> singular = to_host(d_singular, systems);
  for (int s = 0; s < systems; s++) {
    EXPECT(singular[s] == (s % 5 == 4));
    for (int i = 0; i < n && !singular[s]; i++) {
      EXPECT(fabs(x[s * n + i] - solution[s * n + i]) <= 1e-7);
    }
  }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_right));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_singular));
}

int main() {
  run(1, 5);
  run(2, 6);
  run(7, 10);
  run(24, 7);
  return done();
}
