// Multiplies a sparse matrix by a vector in four ways: CSR with a thread or with a warp per row,
// ELL with rows padded to one length and stored by column, and COO with atomics.
#include "inputs.h"
#include <cmath>

enum { THREADS = 128 };

struct Csr {
  int rows, columns;
  std::vector<int> starts, column;
  std::vector<float> value;
};

__global__ void csr_scalar(int rows, const int *starts, const int *column, const float *value,
                           const float *x, float *y) {
  int row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void csr_vector(int rows, const int *starts, const int *column, const float *value,
                           const float *x, float *y) {
  int row = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

// Element k of row r is at k * rows + r. column -1 marks padding.
__global__ void ell(int rows, int width, const int *column, const float *value, const float *x,
                    float *y) {
  int row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < width && column[k * rows + row] >= 0; k++)
    sum += value[k * rows + row] * x[column[k * rows + row]];
  y[row] = sum;
}

__global__ void coo(int entries, const int *row, const int *column, const float *value,
                    const float *x, float *y) {
  for (int k = blockIdx.x * THREADS + threadIdx.x; k < entries; k += gridDim.x * THREADS)
    atomicAdd(&y[row[k]], value[k] * x[column[k]]);
}

static Csr random_matrix(int rows, int columns, int longest) {
  Csr a = {rows, columns, {0}, {}, {}};
  for (int r = 0; r < rows; r++) {
    int length = random_below(5) ? random_below(longest + 1) : 0; // a fifth of the rows are empty
    for (int c = random_below(3); c < columns && length > 0; c += 1 + random_below(4), length--) {
      a.column.push_back(c);
      a.value.push_back((float)(random_below(41) - 20)); // integers: sums are exact
    }
    a.starts.push_back((int)a.column.size());
  }
  return a;
}

static void run(const Csr &a) {
  const int entries = a.starts[a.rows];
  int width = 0;
  for (int r = 0; r < a.rows; r++)
    width = width > a.starts[r + 1] - a.starts[r] ? width : a.starts[r + 1] - a.starts[r];
  std::vector<float> x(a.columns), expected(a.rows), ell_value(width * a.rows, NAN);
  std::vector<int> ell_column(width * a.rows, -1), row(entries);
  for (float &value : x)
    value = (float)(random_below(31) - 10);
  for (int r = 0; r < a.rows; r++)
    for (int k = a.starts[r]; k < a.starts[r + 1]; k++) {
      int at = (k - a.starts[r]) * a.rows + r;
      ell_column[at] = a.column[k];
      ell_value[at] = a.value[k];
      row[k] = r;
      expected[r] += a.value[k] * x[a.column[k]];
    }
  int *starts = to_device(a.starts), *column = to_device(a.column), *d_row = to_device(row);
  int *padded_column = to_device(ell_column);
  float *value = to_device(a.value), *padded_value = to_device(ell_value), *d_x = to_device(x);
  float *y[4];
  for (float *&each : y)
    each = device_zeros<float>(a.rows);
  const int blocks = ceil_div(a.rows, THREADS);
  csr_scalar<<<blocks, THREADS>>>(a.rows, starts, column, value, d_x, y[0]);
  csr_vector<<<ceil_div(a.rows, THREADS / 32), THREADS>>>(a.rows, starts, column, value, d_x, y[1]);
  ell<<<blocks, THREADS>>>(a.rows, width, padded_column, padded_value, d_x, y[2]);
  coo<<<3, THREADS>>>(entries, d_row, column, value, d_x, y[3]);
  LAUNCHED();
  for (float *each : y) {
    EXPECT(to_host(each, a.rows) == expected);
    CHECK(cudaFree(each));
  }
  for (void *each : {(void *)starts, (void *)column, (void *)d_row, (void *)padded_column,
                     (void *)value, (void *)padded_value, (void *)d_x})
    CHECK(cudaFree(each));
}

int main() {
  run(random_matrix(10, 300, 100));
  run(random_matrix(513, 40, 9));
  run(random_matrix(1000, 777, 60));
  return done();
}
