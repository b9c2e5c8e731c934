/* Lab 04, given: moves operands from global memory to shared memory and registers, and multiplies
 * them, for expert.cu and equal_shares.cu.
 *
 * The including file defines element; THREADS of a block; ROWS and COLUMNS, its outputs;
 * WARPS_RIGHT, its warps along x; DOWN and RIGHT, the outputs of a thread; DEPTH, the terms of a
 * step.
 */
/* ---- from global to shared memory ------------------------------------------------------------ */

typedef element TileB[DEPTH][COLUMNS];
#include "tile_loads.h"

/* A's tile is stored transposed. VECTOR more elements per row avoid bank conflicts in the
 * stores. */
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

/* A thread's operands for one term of all its sums: a piece of a column of A, and of a row of B. */
struct Term {
  Vector down[DOWN / VECTOR], right[RIGHT / VECTOR];
};

/* The place of a thread's vector v in the block. The warps are arranged 2×2 and the lanes of a warp
 * 4×8, nearly a square, so that a warp reads few elements per output. Vectors of neighbouring lanes
 * are neighbours. In double, lanes 0 and 1 are in one column, and so are lanes 2 and 3, 4 and 5 and
 * so on. If each lane reads the same words as its neighbour, or as the lane two further, shared
 * memory serves 16 lanes at once instead of 8. In double, shared memory is nearly as busy as the
 * arithmetic, so this makes the kernel 5% faster. */
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

/* ---- and multiplied -------------------------------------------------------------------------- */

/* Goes through the rows alternately from left to right and back. So each multiply-add shares an
 * operand with the one before, also at the end of a row. A GPU can reuse that operand; to read
 * three new ones takes longer than the multiply-add. This makes the kernel 4% faster. */
inline __device__ void multiply(real (&sum)[DOWN][RIGHT], const Term &term) {
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int step = 0; step < RIGHT; step++) {
      int x = y % 2 ? RIGHT - 1 - step : step;
      sum[y][x] += term.down[y / VECTOR].at[y % VECTOR] * term.right[x / VECTOR].at[x % VECTOR];
    }
}

/* ---- all of it, for terms `first` to `last` - 1 ---------------------------------------------- */

/* All buffers are double. The next step's tile is loaded from global memory while this one is
 * multiplied, and the next term from shared memory while this term is multiplied. So no thread
 * waits for a load that it has just started. The last term of a step is multiplied after the next
 * tile is stored. */
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

/* ---- and stored ------------------------------------------------------------------------------ */

inline __device__ void store(real *C, int m, int n, const real (&sum)[DOWN][RIGHT], int top,
                             int left) {
  // Stores single elements. Vector stores would fix the order of the sums in registers and cause
  // register bank conflicts, which cost more in the loop than they save here.
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
