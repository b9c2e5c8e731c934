/* Lab 04, given: what an expert would ship, to be read after task 4. No task asks for it.
 *
 * matmul_expert is the kernel of task 4 driven on: whatever is no multiply-add has become rare. On
 * an H200 it is a little faster in float than the library of the maker. In double the arithmetic
 * itself is the limit, unless one goes where the library goes, too: tensor.cu.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

#define VECTOR (16 / (int)sizeof(real)) // elements in the 16 bytes that one load can carry
#define THREADS 128                     // of a block: two blocks fill a multiprocessor's registers
#define DOWN (64 / (int)sizeof(real))   // outputs of a thread: 16×8 floats or 8×8 doubles, half
#define RIGHT 8                         // of the 255 registers that it can have
#define ROWS (8 * DOWN)                 // outputs of a block: 128×128 floats or 64×128 doubles
#define COLUMNS (16 * RIGHT)
#define DEPTH 8 // terms of the sums in one step

/* The tiles of a step. A's lies transposed; VECTOR elements more per row keep the stores into it
 * free of conflicts. */
typedef real TileA[DEPTH][ROWS + VECTOR];
typedef real TileB[DEPTH][COLUMNS];

/* 16 bytes that travel together. Their address has to be a multiple of 16. */
struct __align__(16) Vector {
  real at[VECTOR];
};
inline __device__ const Vector &vector_at(const real *first) { return *(const Vector *)first; }
inline __device__ Vector &vector_at(real *first) { return *(Vector *)first; }

/* ---- from global to shared memory ------------------------------------------------------------ */

/* The thread's pieces of both tiles. The first piece of each begins at (row, column) of its tile,
 * the others A_PIECE or B_PIECE rows below one another. */
#define A_PIECE (THREADS * VECTOR / DEPTH)
#define B_PIECE (THREADS * VECTOR / COLUMNS)
struct Pieces {
  Vector a[ROWS / A_PIECE], b[DEPTH / B_PIECE];
};
inline __device__ int a_row() { return threadIdx.x / (DEPTH / VECTOR); }
inline __device__ int a_column() { return threadIdx.x % (DEPTH / VECTOR) * VECTOR; }
inline __device__ int b_row() { return threadIdx.x / (COLUMNS / VECTOR); }
inline __device__ int b_column() { return threadIdx.x % (COLUMNS / VECTOR) * VECTOR; }

/* Elements (row, column) to (row, column + VECTOR - 1) of a matrix, 0 outside it. */
inline __device__ Vector fetch(const real *M, int rows, int columns, int row, int column,
                               bool whole) {
  Vector v;
  if (whole)
    return vector_at(M + (row * columns + column));
#pragma unroll
  for (int i = 0; i < VECTOR; i++)
    v.at[i] = row < rows && column + i < columns ? M[row * columns + column + i] : 0;
  return v;
}

/* The pieces of the step that begins with term `start`. */
inline __device__ void fetch_pieces(Pieces &pieces, const real *A, const real *B, int m, int k,
                                    int n, int start, bool whole) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++)
    pieces.a[p] =
        fetch(A, m, k, blockIdx.y * ROWS + a_row() + p * A_PIECE, start + a_column(), whole);
#pragma unroll
  for (int p = 0; p < DEPTH / B_PIECE; p++)
    pieces.b[p] =
        fetch(B, k, n, start + b_row() + p * B_PIECE, blockIdx.x * COLUMNS + b_column(), whole);
}

/* Whether they are inside and aligned is not asked for each, but once for all that the block
 * fetches: nearly always they are, and one branch in a step instead of four is worth 2%. */
inline __device__ void fetch_step(Pieces &pieces, const real *A, const real *B, int m, int k, int n,
                                  int start) {
  bool inside = blockIdx.y * ROWS + ROWS <= m && blockIdx.x * COLUMNS + COLUMNS <= n;
  bool aligned = k % VECTOR == 0 && n % VECTOR == 0;
  if (inside && aligned && start + DEPTH <= k)
    fetch_pieces(pieces, A, B, m, k, n, start, true);
  else
    fetch_pieces(pieces, A, B, m, k, n, start, false);
}

inline __device__ void store(TileA &As, TileB &Bs, const Pieces &pieces) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++)
#pragma unroll
    for (int i = 0; i < VECTOR; i++)
      As[a_column() + i][a_row() + p * A_PIECE] = pieces.a[p].at[i];
#pragma unroll
  for (int p = 0; p < DEPTH / B_PIECE; p++)
    vector_at(&Bs[b_row() + p * B_PIECE][b_column()]) = pieces.b[p];
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
