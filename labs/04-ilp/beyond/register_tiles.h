/* Lab 04, given: the way of the operands from global memory to shared and on to registers, and what
 * becomes of them there, for expert.cu and equal_shares.cu.
 *
 * Who includes it says before: element; THREADS of a block; ROWS and COLUMNS, its outputs, in warps
 * of which WARPS_RIGHT stand side by side; DOWN and RIGHT, the outputs of a thread; DEPTH, the terms of a step.
 */
/* ---- from global to shared memory ------------------------------------------------------------ */

typedef element TileB[DEPTH][COLUMNS];
#include "tile_loads.h"

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
 * by side. In double lanes 0 and 1 stand above one another, and lanes 2 and 3, 4 and 5 ...: where
 * each lane wants what its neighbour wants, or the next but one, shared memory serves 16 lanes at once
 * instead of 8. Shared memory is nearly as busy as the arithmetic there, so that this is worth 5%. */
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

/* ---- all of it, for terms `first` to `last` - 1 ------------------------------------------------ */

/* Two buffers of everything. From global memory comes the next step's tile while this one is
 * multiplied, and from shared memory the next term while this one is: nobody ever waits for what he
 * has just asked for. The last term of a step is multiplied when the next tile is in place. */
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
  // One by one: whole vectors would tie the sums to registers in the order of C, where they are in
  // the way of other operands, and that costs more in the loop than it saves here.
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
