/* Benchmark kernels for products of square matrices: naive, with tiles in shared memory, with tiles
 * in registers. One more product is launched with many block shapes, for the third table of
 * main.cu. */
#include "bench.h"

template <class T> __global__ void naive(const T *A, const T *B, T *C, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

template <class T, int TILE> __global__ void tiled(const T *A, const T *B, T *C, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  T sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    As[y][x] = A[row * n + tile + x];
    Bs[y][x] = B[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

/* A block of 16×16 threads computes 64×64 elements of C, each thread 4×4. Shared memory is read as
 * float4, and the tile of A is stored transposed. */
__global__ void registers(const float *A, const float *B, float *C, int n) {
  __shared__ float4 As[16][16], Bs[16][16]; // [k][row / 4], [k][column / 4]
  int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sums[4][4] = {};
  for (int tile = 0; tile < n; tile += 16) {
    float4 four = *(const float4 *)&A[(row + t / 4) * n + tile + t % 4 * 4];
    float *to = (float *)As;
    to[(t % 4 * 4 + 0) * 64 + t / 4] = four.x;
    to[(t % 4 * 4 + 1) * 64 + t / 4] = four.y;
    to[(t % 4 * 4 + 2) * 64 + t / 4] = four.z;
    to[(t % 4 * 4 + 3) * 64 + t / 4] = four.w;
    Bs[y][x] = *(const float4 *)&B[(tile + y) * n + column + 4 * x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float4 a = As[k][y], b = Bs[k][x];
      float rows[4] = {a.x, a.y, a.z, a.w}, columns[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          sums[i][j] += rows[i] * columns[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
    *(float4 *)&C[(row + 4 * y + i) * n + column + 4 * x] =
        make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

/* A block of ROWS × COLUMNS threads computes one element of C per thread, in steps of K terms. If
 * COLUMNS exceeds ROWS, a thread loads several elements of B per step. If ROWS is 1, threads share
 * no elements of B, so B is read from global memory. */
template <int COLUMNS, int ROWS, int K>
__global__ void shaped(const float *A, const float *B, float *C, int n) {
  __shared__ float As[ROWS][K], Bs[ROWS > 1 ? K : 1][COLUMNS];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * COLUMNS + x, row = blockIdx.y * ROWS + y;
  float sum = 0;
  for (int tile = 0; tile < n; tile += K) {
    for (int k = x; k < K; k += COLUMNS)
      As[y][k] = A[row * n + tile + k];
    if (ROWS > 1)
      for (int k = y; k < K; k += ROWS)
        Bs[k][x] = B[(tile + k) * n + column];
    __syncthreads();
    for (int k = 0; k < K; k++)
      sum += As[y][k] * (ROWS > 1 ? Bs[k][x] : B[(tile + k) * n + column]);
    __syncthreads();
  }
  C[row * n + column] = sum;
}

/* The inputs are integers, so sums are exact in any order and every error is found. */
static float digit(int i) { return (float)(bits(i) % 10); }

/* Checks every 29th row. These rows include each row position within a tile. */
template <class T, class Launch> static void product(Run &run, int n, Launch launch) {
  Buffer<T> A((size_t)n * n, digit), B((size_t)n * n, [](int i) { return digit(i ^ 0x5555555); });
  Buffer<T> C((size_t)n * n);
  run.time([&] { launch(A.device, B.device, C.device, n); });
  C.down();
  for (int row = 0; row<n; row += n> 64 ? 29 : 1)
    for (int column = 0; column < n; column++) {
      T sum = 0;
      for (int k = 0; k < n; k++)
        sum += A.host[row * n + k] * B.host[k * n + column];
      run.expect((size_t)row * n + column, C.host[row * n + column], sum);
    }
}

template <class T> static void naive_product(Run &run, int n) {
  product<T>(run, n, [](const T *A, const T *B, T *C, int n) {
    naive<T><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(A, B, C, n);
  });
}

template <class T, int TILE> static void tiled_product(Run &run, int n) {
  product<T>(run, n, [](const T *A, const T *B, T *C, int n) {
    tiled<T, TILE><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(A, B, C, n);
  });
}

static void register_product(Run &run, int n) {
  product<float>(run, n, [](const float *A, const float *B, float *C, int n) {
    registers<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(A, B, C, n);
  });
}

template <int COLUMNS, int ROWS, int K> static void shaped_product(Run &run, int n) {
  product<float>(run, n, [](const float *A, const float *B, float *C, int n) {
    shaped<COLUMNS, ROWS, K><<<dim3(n / COLUMNS, n / ROWS), dim3(COLUMNS, ROWS)>>>(A, B, C, n);
  });
}

/* ---- a matrix times a vector ----------------------------------------------------------------- */
__global__ void matvec(const float *A, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += A[row * n + k] * x[k];
  y[row] = sum;
}

static void matrix_vector(Run &run, int n) {
  Buffer<float> A((size_t)n * n, digit), x(n, digit), y(n);
  run.time_several(8, [&] { matvec<<<n / 64, 64>>>(A, x, y, n); });
  run.expect_all(y, [&](int row) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += A.host[(size_t)row * n + k] * x.host[k];
    return sum;
  });
}

static const Rows rows("matrices",
                       {{"product, naive", naive_product<float>, 320, 32},
                        {"product, naive, double", naive_product<double>, 320, 32},
                        {"product, tiles of 32x32", tiled_product<float, 32>, 320, 64},
                        {"product, tiles of 16x16", tiled_product<float, 16>, 320, 32},
                        {"product, tiles of 8x8", tiled_product<float, 8>, 320, 32},
                        {"product, tiles of 16x16, double", tiled_product<double, 16>, 320, 32},
                        {"product, 4x4 in registers", register_product, 512, 64},
                        {"matrix times vector, row a thread", matrix_vector, 1024, 64}});

static const Shapes shapes(384, 128,
                           {{"block 32x32", shaped_product<32, 32, 32>},
                            {"block 16x16", shaped_product<16, 16, 16>},
                            {"block 8x8", shaped_product<8, 8, 8>},
                            {"block 64x4", shaped_product<64, 4, 64>},
                            {"block 128x1", shaped_product<128, 1, 128>},
                            {"block 32x8", shaped_product<32, 8, 32>}});
