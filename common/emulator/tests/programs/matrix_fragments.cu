/* Matrices that warps multiply through <mma.h>, in all types and shapes it has, on whole numbers against the host. */
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>

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

static int wrong, forms;
template <int M, int N, int K, class T, class D, class C, class LA, class LB>
static void one(wmma::layout_t layout, bool negative) {
  using E = typename Memory<T>::type;
  E *a, *b;
  C *c;
  D *d;
  cudaMallocManaged(&a, M * K * sizeof *a);
  cudaMallocManaged(&b, K * N * sizeof *b);
  cudaMallocManaged(&c, M * N * sizeof *c);
  cudaMallocManaged(&d, M * N * sizeof *d);
  double va[M][K], vb[K][N], vc[M][N];
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      a[is_row<LA>() ? i * K + k : k * M + i] = E((float)(va[i][k] = rand() % 7 - 3 * negative));
  for (int k = 0; k < K; k++)
    for (int j = 0; j < N; j++)
      b[is_row<LB>() ? k * N + j : j * K + k] = E((float)(vb[k][j] = rand() % 5 - 2 * negative));
  const bool row = layout == wmma::mem_row_major;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      c[row ? i * N + j : j * M + i] = C((float)(vc[i][j] = rand() % 9));
  multiply<M, N, K, T, D, C, LA, LB>
      <<<1, 32>>>(a, b, c, d, is_row<LA>() ? K : M, is_row<LB>() ? N : K, layout);
  cudaError_t error = cudaDeviceSynchronize();
  int bad = error != cudaSuccess;
  for (int i = 0; i < M && !bad; i++)
    for (int j = 0; j < N; j++) {
      double sum = 2 * vc[i][j];
      for (int k = 0; k < K; k++)
        sum += va[i][k] * vb[k][j];
      bad += (double)(float)d[row ? i * N + j : j * M + i] != sum;
    }
  if (bad)
    printf("form %d %s: %d x %d x %d: %d wrong, %s; %g for %g\n", forms, __PRETTY_FUNCTION__, M, N,
           K, bad, cudaGetErrorName(error), (double)(float)d[0], vc[0][0]);
  wrong += bad != 0, forms++;
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
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
#ifdef __clang__ /* nvcc has them from compute capability 8.0 on */
  SHAPES(__nv_bfloat16, float, float);
  all<16, 16, 8, wmma::precision::tf32, float, float>();
  all<8, 8, 4, double, double, double>();
#endif
  printf("%d forms, %d wrong\n", forms, wrong);
  return wrong != 0;
}
