/* The lecture's ladder of matrix products: six kernels for C = A·B, all N×N, with one idea each.
 *
 *   ladder VARIANT N [float|double]     VARIANT: naive, smem1 ... smem5, or all
 *
 * Prints one line per product. Exit status: 0 if all agree with the CPU, 1 if not or if a CUDA call
 * failed, 2 for bad arguments. Tests compare the counters with those that Nsight Compute measured
 * on a real GPU, and the benchmark measures times. Therefore the kernels must remain those of the
 * lecture: the tiled kernels check no bounds, and N is a multiple of 32.
 *
 * As contains the elements A(row, i) of the current tile, Bs the elements B(i, column). tx is the
 * position in a row of C. All threads of a warp have the same ty.
 *
 * args: all 96
 * expect: smem5 N=96 8-byte elements: 0 wrong
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define TILE 32

template <typename real> __global__ void naive(const real *A, const real *B, real *C, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    real sum = 0;
    for (int i = 0; i < n; i++)
      sum += A[row * n + i] * B[i * n + column];
    C[row * n + column] = sum;
  }
}

/* SMEM-1, 2: the tiles are stored as [tx][ty]. A warp stores along a column and reads Bs along a
 * column. With WIDTH 32 (SMEM-1) all lanes access one bank; with WIDTH 33 (SMEM-2) each lane
 * accesses a different bank. */
template <typename real, int WIDTH>
__global__ void smem_exchanged(const real *A, const real *B, real *C, int n) {
  __shared__ real As[TILE][WIDTH], Bs[TILE][WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
  real sum = 0;
  for (int start = 0; start < n; start += TILE) {
    As[tx][ty] = A[row * n + start + tx];
    Bs[tx][ty] = B[(start + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[i][ty] * Bs[tx][i];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

/* SMEM-3, 4, 5: the tiles are stored as [ty][tx], without conflicts or padding. A block has TILE /
 * OUTPUTS rows of threads. Each thread computes OUTPUTS elements of one column, `apart` rows from
 * each other, and reads an element of Bs once for all of them. */
template <typename real, int OUTPUTS>
__global__ void smem_outputs(const real *A, const real *B, real *C, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  const int apart = TILE / OUTPUTS;
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
  real sum[OUTPUTS] = {};
  for (int start = 0; start < n; start += TILE) {
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
      As[ty + o * apart][tx] = A[(row + o * apart) * n + start + tx];
      Bs[ty + o * apart][tx] = B[(start + ty + o * apart) * n + column];
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      real b = Bs[i][tx];
#pragma unroll
      for (int o = 0; o < OUTPUTS; o++)
        sum[o] += As[ty + o * apart][i] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < OUTPUTS; o++)
    C[(row + o * apart) * n + column] = sum[o];
}

template <typename real> struct Rung {
  const char *name;
  void (*kernel)(const real *, const real *, real *, int);
  int block_rows;
};

template <typename real> static const Rung<real> *find_rung(const char *name) {
  static const Rung<real> rungs[] = {
      {"naive", naive<real>, 32},
      {"smem1", smem_exchanged<real, TILE>, 32},
      {"smem2", smem_exchanged<real, TILE + 1>, 32},
      {"smem3", smem_outputs<real, 1>, 32},
      {"smem4", smem_outputs<real, 2>, 16},
      {"smem5", smem_outputs<real, 4>, 8},
  };
  for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++)
    if (!strcmp(name, rungs[i].name))
      return &rungs[i];
  return NULL;
}

/* Fills A and B with small integers. Exchanging rows or columns changes the matrices. */
template <typename real> static void fill(real *A, real *B, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = (real)((i * 7 + j * 3) % 11 - 5);
      B[i * n + j] = (real)((i * 5 + j * 2) % 13 - 6);
    }
}

/* Returns the number of wrong elements. All sums are integers far below 2^24, so they are exact in
 * float in any order. */
template <typename real>
static long count_wrong(const real *A, const real *B, const real *C, int n) {
  long wrong = 0;
  real *expected = (real *)malloc(n * sizeof(real));
  for (int i = 0; i < n; i++) {
    memset(expected, 0, n * sizeof(real));
    for (int l = 0; l < n; l++)
      for (int j = 0; j < n; j++)
        expected[j] += A[i * n + l] * B[l * n + j];
    for (int j = 0; j < n; j++)
      wrong += !(C[i * n + j] == expected[j]);
  }
  free(expected);
  return wrong;
}

static int failed(const char *what, cudaError_t error) {
  fprintf(stderr, "ladder: %s: %s\n", what, cudaGetErrorString(error));
  return 1;
}

template <typename real>
static cudaError_t multiply(const Rung<real> *rung, const real *A, const real *B, real *C, int n) {
  size_t bytes = sizeof(real) * n * n;
  real *a = NULL, *b = NULL, *c = NULL;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, A, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, B, bytes, cudaMemcpyHostToDevice);
  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE), block(TILE, rung->block_rows);
  rung->kernel<<<grid, block>>>(a, b, c, n);
  cudaError_t error = cudaMemcpy(C, c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

template <typename real> static int run(const char *name, int n) {
  const Rung<real> *rung = find_rung<real>(name);
  if (!rung) {
    fprintf(stderr, "ladder: no variant %s: naive, smem1, smem2, smem3, smem4 or smem5\n", name);
    return 2;
  }
  if (n <= 0 || (n % TILE && strcmp(name, "naive"))) {
    fprintf(stderr, "ladder: N must be a multiple of %d\n", TILE);
    return 2;
  }
  size_t bytes = sizeof(real) * n * n;
  real *A = (real *)malloc(bytes), *B = (real *)malloc(bytes), *C = (real *)malloc(bytes);
  fill(A, B, n);
  memset(C, 0xff, bytes);
  cudaError_t error = multiply(rung, A, B, C, n);
  if (error != cudaSuccess)
    return failed(name, error);
  long wrong = count_wrong(A, B, C, n);
  printf("%s N=%d %d-byte elements: %ld wrong\n", name, n, (int)sizeof(real), wrong);
  free(A);
  free(B);
  free(C);
  return wrong != 0;
}

static int run_all(int n) {
  static const char *const names[] = {"naive", "smem1", "smem2", "smem3", "smem4", "smem5"};
  int worst = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    worst |= run<float>(names[i], n) | run<double>(names[i], n);
  return worst;
}

int main(int argc, char **argv) {
  bool is_double = argc == 4 && !strcmp(argv[3], "double");
  if (argc < 3 || argc > 4 || (argc == 4 && !is_double && strcmp(argv[3], "float"))) {
    fprintf(stderr, "usage: ladder VARIANT N [float|double]\n");
    return 2;
  }
  int n = atoi(argv[2]);
  if (!strcmp(argv[1], "all"))
    return run_all(n);
  return is_double ? run<double>(argv[1], n) : run<float>(argv[1], n);
}
