/* Lab 04, given: moves operands from global memory to shared memory and to registers, and
 * multiplies them. expert.cu and equal_shares.h include this file.
 *
 * The including file defines the type `element` and these sizes. Block: THREADS threads,
 * ROWS×COLUMNS outputs, WARPS_RIGHT warps along x. Thread: DOWN×RIGHT outputs. Step: DEPTH terms of
 * the sums.
 */
/* ---- from global to shared memory ------------------------------------------------------------ */

typedef element TileB[DEPTH][COLUMNS];
#include "tile_loads.h"

/* The tile of A is stored transposed. Its rows have VECTOR more elements, which avoids bank
 * conflicts in the stores. */
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

/* A thread's operands for one term of all its sums: DOWN elements of a column of A, and RIGHT
 * elements of a row of B. */
struct Term {
  Vector down[DOWN / VECTOR], right[RIGHT / VECTOR];
};

/* down_at and right_at return the first row and column of a thread's vector v in the block. The 32
 * lanes of a warp are arranged as 4×8, which is nearly a square, so that a warp reads few elements
 * per output. Vectors of neighbouring lanes are adjacent. In double precision, lanes 2i and 2i + 1
 * are in the same column of the 4×8 arrangement. If each lane reads the same words as lane ± 1 or
 * lane ± 2, shared memory serves 16 lanes at once instead of 8. In double precision, shared memory
 * is nearly as busy as the arithmetic units, so this makes the kernel 5% faster. */
inline __device__ int lane_down(int lane) {
  return sizeof(element) == sizeof(double) ? lane % 2 + lane / 16 * 2 : lane / 8;
}
inline __device__ int lane_right(int lane) {
  return sizeof(element) == sizeof(double) ? lane / 2 % 8 : lane % 8;
}
inline __device__ int down_at(int v) {
  int warp = threadIdx.x / 32;
  return warp / WARPS_RIGHT * (4 * DOWN) + (4 * v + lane_down(threadIdx.x % 32)) * VECTOR;
}
inline __device__ int right_at(int v) {
  int warp = threadIdx.x / 32;
  return warp % WARPS_RIGHT * (8 * RIGHT) + (8 * v + lane_right(threadIdx.x % 32)) * VECTOR;
}

inline __device__ void read(Term &term, const TileA &As, const TileB &Bs, int i) {
#pragma unroll
  for (int v = 0; v < DOWN / VECTOR; v++)
    term.down[v] = vector_at(&As[i][down_at(v)]);
#pragma unroll
  for (int v = 0; v < RIGHT / VECTOR; v++)
    term.right[v] = vector_at(&Bs[i][right_at(v)]);
}

/* ---- the multiplication ---------------------------------------------------------------------- */

/* Computes even rows from left to right and odd rows from right to left. So each multiply-add
 * shares an operand with the previous one, also at the end of a row. A GPU can reuse this operand.
 * Reading three new operands would take longer than the multiply-add. This makes the kernel 4%
 * faster. */
inline __device__ void multiply(real (&sum)[DOWN][RIGHT], const Term &term) {
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int step = 0; step < RIGHT; step++) {
      int x = y % 2 ? RIGHT - 1 - step : step;
      sum[y][x] += term.down[y / VECTOR].at[y % VECTOR] * term.right[x / VECTOR].at[x % VECTOR];
    }
}

/* ---- the loop over the steps ----------------------------------------------------------------- */

/* Adds terms `first` to `last` - 1 to the sums. There are two buffers for tiles and two for terms.
 * The tile of the next step is loaded from global memory while the current tile is multiplied. The
 * next term is loaded from shared memory while the current term is multiplied. So no thread waits
 * for a load that it has just started. The last term of a step is multiplied after the next tile is
 * stored. */
inline __device__ void add_steps(real (&sum)[DOWN][RIGHT], TileA (&As)[2], TileB (&Bs)[2],
                                 const real *A, const real *B, int m, int k, int n, int top,
                                 int left, int first, int last) {
  Pieces pieces;
  Term term[2];
  int full = 0;
  fetch_step(pieces, A, B, m, k, n, top, left, first);
  store(As[0], Bs[0], pieces);
  __syncthreads();
  read(term[0], As[0], Bs[0], 0);
#pragma unroll 1
  for (int start = first + DEPTH; start < last + DEPTH; start += DEPTH) {
    if (start < last)
      fetch_step(pieces, A, B, m, k, n, top, left, start);
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
}

/* ---- the stores to C ------------------------------------------------------------------------- */

inline __device__ void store(real *C, int m, int n, const real (&sum)[DOWN][RIGHT], int top,
                             int left) {
  // Stores single elements. Vector stores would need the sums in consecutive registers. This would
  // cause register bank conflicts in the loop, which cost more than vector stores save.
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++) {
      int row = top + down_at(y / VECTOR) + y % VECTOR;
      int column = left + right_at(x / VECTOR) + x % VECTOR;
      if (row < m && column < n)
        C[row * n + column] = sum[y][x];
    }
}
