/* Compares matrix products of warps with <mma.h>, in all types and shapes of integer values, with
 * the host. */
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

using namespace nvcuda;

template <class T> struct Memory { using type = T; };
#ifdef __clang__
template <> struct Memory<wmma::precision::tf32> { using type = float; };
#endif

template <int M, int N, int K, class T, class D, class C, class LA, class LB>
__global__ void multiply(const typename Memory<T>::type *a, const typename Memory<T>::type *b,
                         const C *c, D *d, int lda, int ldb, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc, twice;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  const int ld = layout == wmma::mem_row_major ? N : M;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ld, layout);
  wmma::fill_fragment(twice, C(2));
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = fc.x[i] * twice.x[i];
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, ld, layout);
}

template <class LA> constexpr bool is_row() { return false; }
template <> constexpr bool is_row<wmma::row_major>() { return true; }

// A matrix of one type, so that host code is compiled once per type and not once per form.
template <class T> struct Filled {
  int rows, columns;
  // True if the matrix is stored row by row, false if column by column.
  bool row;
  T *on_device;
  std::vector<double> values;
  int at(int i, int j) const { return row ? i * columns + j : j * rows + i; }
  __attribute__((noinline)) Filled(int rows, int columns, bool row, int below, int less)
      : rows(rows), columns(columns), row(row), values(rows * columns) {
    cudaMallocManaged(&on_device, rows * columns * sizeof *on_device);
    for (int i = 0; i < rows && below; i++)
      for (int j = 0; j < columns; j++)
        on_device[at(i, j)] = T((float)(values[i * columns + j] = rand() % below - less));
  }
  __attribute__((noinline)) ~Filled() { cudaFree(on_device); }
};

template <class D>
__attribute__((noinline)) static int count_wrong(const Filled<D> &d, const double *a,
                                                 const double *b, const double *c, int depth) {
  int bad = 0;
  for (int i = 0; i < d.rows; i++)
    for (int j = 0; j < d.columns; j++) {
      double sum = 2 * c[i * d.columns + j];
      for (int k = 0; k < depth; k++)
        sum += a[i * depth + k] * b[k * d.columns + j];
      bad += (double)(float)d.on_device[d.at(i, j)] != sum;
    }
  return bad;
}

static int wrong, forms;
template <int M, int N, int K, class T, class D, class C, class LA, class LB>
static void one(wmma::layout_t layout, bool negative) {
  using E = typename Memory<T>::type;
  const bool row = layout == wmma::mem_row_major;
  Filled<E> a(M, K, is_row<LA>(), 7, 3 * negative), b(K, N, is_row<LB>(), 5, 2 * negative);
  Filled<C> c(M, N, row, 9, 0);
  Filled<D> d(M, N, row, 0, 0); // not filled, because the kernel writes it
  multiply<M, N, K, T, D, C, LA, LB><<<1, 32>>>(a.on_device, b.on_device, c.on_device, d.on_device,
                                                is_row<LA>() ? K : M, is_row<LB>() ? N : K, layout);
  cudaError_t error = cudaDeviceSynchronize();
  int bad = error != cudaSuccess
                ? 1
                : count_wrong(d, a.values.data(), b.values.data(), c.values.data(), K);
  if (bad)
    printf("form %d %s: %d x %d x %d: %d wrong, %s; %g for %g\n", forms, __PRETTY_FUNCTION__, M, N,
           K, bad, cudaGetErrorName(error), (double)(float)d.on_device[0], c.values[0]);
  wrong += bad != 0, forms++;
}
template <int M, int N, int K, class T, class D, class C> static void all(bool negative = true) {
  using wmma::col_major;
  using wmma::row_major;
  one<M, N, K, T, D, C, row_major, col_major>(wmma::mem_row_major, negative);
  one<M, N, K, T, D, C, col_major, row_major>(wmma::mem_col_major, negative);
  one<M, N, K, T, D, C, row_major, row_major>(wmma::mem_col_major, negative);
  one<M, N, K, T, D, C, col_major, col_major>(wmma::mem_row_major, negative);
}
#define SHAPES(...)                                                                                \
  all<16, 16, 16, __VA_ARGS__>(), all<8, 32, 16, __VA_ARGS__>(), all<32, 8, 16, __VA_ARGS__>()

int main() {
  SHAPES(__half, float, float);
  SHAPES(__half, __half, __half);
  all<16, 16, 16, __half, float, __half>();
  all<16, 16, 16, __half, __half, float>();
  SHAPES(signed char, int, int);
  all<16, 16, 16, unsigned char, int, int>(false);
#ifdef __clang__ /* nvcc supports these types only from compute capability 8.0 on */
  SHAPES(__nv_bfloat16, float, float);
  all<16, 16, 8, wmma::precision::tf32, float, float>();
  all<8, 8, 4, double, double, double>();
#endif
  printf("%d forms, %d wrong\n", forms, wrong);
  return wrong != 0;
}
