/* Lab 04, given: C = A·B in double on tensor cores. Read expert.cu first.
 *
 * A tensor core multiplies small matrices for a whole warp. In double it computes with full
 * precision; in float it does not. Apart from the tensor cores, the kernel is like the kernel of
 * task 7, with two buffers and one barrier per step. It is simpler than expert.cu, but twice as
 * fast in double: one instruction does 512 multiply-adds, and the other instructions are executed
 * at the same time.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef double element;
#define THREADS 128 // threads of a block, in 2×2 warps
#define ROWS 64     // a block computes ROWS×COLUMNS outputs
#define COLUMNS 64
#define DEPTH 16 // terms of the sums in one step
#define DOWN 2   // a warp computes DOWN×RIGHT products of 16×8 outputs: 32×32 outputs
#define RIGHT 4

/* The tiles of a step have the layout of global memory, but each row has 4 more elements. So the
 * 4×4 elements that half a warp reads at once are in different banks. */
typedef element TileA[ROWS][DEPTH + 4];
typedef element TileB[DEPTH][COLUMNS + 4];

/* ---- 16×4 by 4×8 ----------------------------------------------------------------------------- */

/* Computes C += A·B by a whole warp, with shuffles. Lane 4·g + t provides A(g,t), A(g+8,t) and
 * B(t,g), and gets C(g,2t), C(g,2t+1), C(g+8,2t) and C(g+8,2t+1). */
inline __device__ void multiply_by_hand(double (&c)[4], const double (&a)[2], double b) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      c[j] += __shfl_sync(0xffffffff, a[j / 2], 4 * g + i) *
              __shfl_sync(0xffffffff, b, 4 * (2 * t + j % 2) + i);
}

/* Computes C += A·B with one instruction on compute capability 9.0. Older GPUs use shuffles. */
inline __device__ void multiply(double (&c)[4], const double (&a)[2], double b) {
#if defined(LOCKSTEP_EMULATED) || __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b));
#else
  multiply_by_hand(c, a, b);
#endif
}

/* ---- from global to shared memory, as in expert.cu ------------------------------------------- */

#include "tile_loads.h"

inline __device__ void store(TileA &As, TileB &Bs, const Pieces &pieces) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++)
    vector_at(&As[a_row() + p * A_PIECE][a_column()]) = pieces.a[p];
  store_b(Bs, pieces);
}

/* ---- the multiplication ---------------------------------------------------------------------- */

/* Return the first row and the first column of a warp's outputs in the block. */
inline __device__ int warp_row() { return threadIdx.x / 64 * (16 * DOWN); }
inline __device__ int warp_column() { return threadIdx.x / 32 % 2 * (8 * RIGHT); }

/* Adds terms i to i + 3 to all sums of a warp. */
inline __device__ void multiply_terms(double (&sum)[DOWN][RIGHT][4], const TileA &As,
                                      const TileB &Bs, int i) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  double a[DOWN][2], b[RIGHT];
#pragma unroll
  for (int y = 0; y < DOWN; y++) {
    a[y][0] = As[warp_row() + 16 * y + g][i + t];
    a[y][1] = As[warp_row() + 16 * y + 8 + g][i + t];
  }
#pragma unroll
  for (int x = 0; x < RIGHT; x++)
    b[x] = Bs[i + t][warp_column() + 8 * x + g];
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++)
      multiply(sum[y][x], a[y], b[x]);
}

extern "C" __global__ void __launch_bounds__(THREADS, 3)
    matmul_tensor(const double *A, const double *B, double *C, int m, int k, int n) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  Pieces pieces;
  double sum[DOWN][RIGHT][4] = {};
  // Step s fetches tile s and multiplies tile s - 1.
  for (int start = 0, full = 1; start < k + DEPTH; start += DEPTH) {
    if (start < k)
      fetch_step(pieces, A, B, m, k, n, blockIdx.y * ROWS, blockIdx.x * COLUMNS, start);
    if (start > 0)
#pragma unroll
      for (int i = 0; i < DEPTH; i += 4)
        multiply_terms(sum, As[full], Bs[full], i);
    full = 1 - full; // all reads of this buffer were done before the last barrier
    if (start < k)
      store(As[full], Bs[full], pieces);
    __syncthreads();
  }
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++)
#pragma unroll
      for (int j = 0; j < 4; j++) {
        int row = blockIdx.y * ROWS + warp_row() + 16 * y + g + j / 2 * 8;
        int column = blockIdx.x * COLUMNS + warp_column() + 8 * x + 2 * t + j % 2;
        if (row < m && column < n)
          C[row * n + column] = sum[y][x][j];
      }
}
EXPORT_KERNEL(matmul_tensor)

/* lab.c launches the kernel with these values. The variables are not const, because constants would
 * be compiled for the device, too. */
extern "C" {
int tensor_rows = ROWS, tensor_columns = COLUMNS, tensor_threads = THREADS;
}
