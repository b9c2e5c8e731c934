/* Lab 04, given: what an expert would ship, to be read after task 4. No task asks for it.
 *
 * matmul_expert is the kernel of task 4 driven on: whatever is no multiply-add has become rare. On
 * an H200 it is a little faster in float than the library of the maker. In double the arithmetic
 * itself is the limit, unless one goes where the library goes, too: tensor.cu.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef real element;
#define THREADS 128                      // of a block: two blocks fill a multiprocessor's registers
#define DOWN (64 / (int)sizeof(element)) // outputs of a thread: 16×8 floats or 8×8 doubles, half
#define RIGHT 8                          // of the 255 registers that it can have
#define ROWS (8 * DOWN)                  // outputs of a block: 128×128 floats or 64×128 doubles
#define COLUMNS (16 * RIGHT)
#define DEPTH 8 // terms of the sums in one step

/* ---- from global to shared memory ------------------------------------------------------------ */

typedef element TileB[DEPTH][COLUMNS];
#include "pieces.h"

/* A's lies transposed; VECTOR elements more per row keep the stores into it free of conflicts. */
typedef element TileA[DEPTH][ROWS + VECTOR];

inline __device__ void store(TileA &As, TileB &Bs, const Pieces &pieces) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++)
#pragma unroll
    for (int i = 0; i < VECTOR; i++)
      As[a_column() + i][a_row() + p * A_PIECE] = pieces.a[p].at[i];
  store_b(Bs, pieces);
}

/* ---- from shared memory to registers --------------------------------------------------------- */

/* What a thread needs for one term of all its sums: a piece of a column of A, and of a row of B. */
struct Term {
  Vector down[DOWN / VECTOR], right[RIGHT / VECTOR];
};

/* Where vector v of a thread begins in the block. The warps stand 2×2, the lanes of a warp 4×8:
 * near a square, so that a warp reads little for what it computes. Vectors of neighbours lie side
 * by side. */
inline __device__ int down_at(int v) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp / 2 * (4 * DOWN) + (4 * v + lane / 8) * VECTOR;
}
inline __device__ int right_at(int v) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp % 2 * (8 * RIGHT) + (8 * v + lane % 8) * VECTOR;
}

inline __device__ void read(Term &term, const TileA &As, const TileB &Bs, int i) {
#pragma unroll
  for (int v = 0; v < DOWN / VECTOR; v++)
    term.down[v] = vector_at(&As[i][down_at(v)]);
#pragma unroll
  for (int v = 0; v < RIGHT / VECTOR; v++)
    term.right[v] = vector_at(&Bs[i][right_at(v)]);
}

/* ---- and multiplied -------------------------------------------------------------------------- */

/* The rows by turns from left to right and back: then each multiply-add has an operand in common
 * with the one before, also where a row ends. A GPU keeps that operand at hand, and to read three
 * others takes it longer than to multiply. The turns are worth 4%. */
inline __device__ void multiply(real (&sum)[DOWN][RIGHT], const Term &term) {
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int step = 0; step < RIGHT; step++) {
      int x = y % 2 ? RIGHT - 1 - step : step;
      sum[y][x] += term.down[y / VECTOR].at[y % VECTOR] * term.right[x / VECTOR].at[x % VECTOR];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    matmul_expert(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  Pieces pieces;
  Term term[2];
  real sum[DOWN][RIGHT] = {};
  int full = 0;
  fetch_step(pieces, A, B, m, k, n, 0);
  store(As[0], Bs[0], pieces);
  __syncthreads();
  read(term[0], As[0], Bs[0], 0);
  // Two buffers of everything. From global memory comes the next step's tile while this one is
  // multiplied, and from shared memory the next term while this one is: nobody ever waits for what
  // he has just asked for. The last term of a step is multiplied when the next tile is in place.
#pragma unroll 1
  for (int start = DEPTH; start < k + DEPTH; start += DEPTH) {
    if (start < k)
      fetch_step(pieces, A, B, m, k, n, start);
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
      if (i == DEPTH - 1) {
        full = 1 - full;
        store(As[full], Bs[full], pieces);
        __syncthreads();
      }
      read(term[(i + 1) % 2], As[full], Bs[full], (i + 1) % DEPTH);
      multiply(sum, term[i % 2]);
    }
  }
  // One by one: whole vectors would tie the sums to registers in the order of C, where they are in
  // the way of other operands, and that costs more in the loop than it saves here.
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++) {
      int row = blockIdx.y * ROWS + down_at(y / VECTOR) + y % VECTOR;
      int column = blockIdx.x * COLUMNS + right_at(x / VECTOR) + x % VECTOR;
      if (row < m && column < n)
        C[row * n + column] = sum[y][x];
    }
}
EXPORT_KERNEL(matmul_expert)

/* How the program launches these kernels. Not const: constants would exist on the device, too. */
extern "C" {
int expert_rows = ROWS, expert_columns = COLUMNS, expert_threads = THREADS;
}
