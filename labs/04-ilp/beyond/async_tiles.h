/* Lab 04, given: copies the tiles of a step from global to shared memory asynchronously.
 * tile_ring.h includes this file.
 *
 * The including file defines THREADS, the number of threads of a block, and everything that
 * warp_products.h needs.
 */
#include "warp_products.h"

/* ---- asynchronous copies --------------------------------------------------------------------- */

/* A thread starts a copy and continues. The copies between two calls of close_group form a group.
 * wait_for_all_but<N> waits until only the last N groups may be incomplete. The instructions need
 * compute capability 8.0. For older GPUs the functions are empty, and HAS_COPIES is not defined. */
#if defined(LOCKSTEP_EMULATED) || __CUDA_ARCH__ >= 800
#define HAS_COPIES
#define COPY(text, ...) asm volatile("cp.async." text : : __VA_ARGS__)
#define COPY_IF(text, ...)                                                                         \
  asm volatile("{.reg .pred wanted; setp.ne.s32 wanted, %0, 0; @wanted cp.async." text "}"         \
               :                                                                                   \
               : __VA_ARGS__)
#else
#define COPY(text, ...)
#define COPY_IF(text, ...)
#endif

/* Copies 16 bytes if `wanted` is true. The copy is predicated and has no branch, so that the
 * assembler can move it between other instructions. */
inline __device__ void copy_two(void *to, const void *from, bool wanted) {
  COPY_IF("cg.shared.global [%1], [%2], 16;", "r"((int)wanted),
          "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}
/* Writes 8 bytes: copies the first `good` bytes and sets the other bytes to 0. */
inline __device__ void copy_one(void *to, const void *from, int good) {
  COPY("ca.shared.global [%0], [%1], 8, %2;", "r"((unsigned)__cvta_generic_to_shared(to)),
       "l"(from), "r"(good));
}
inline __device__ void close_group() { COPY("commit_group;"); }
template <int N> inline __device__ void wait_for_all_but() { COPY("wait_group %0;", "n"(N)); }

/* ---- the tiles of a step --------------------------------------------------------------------- */

struct Stage {
  TileA a;
  TileB b;
};

/* The operands and their sizes. top and left: the first row and column of the block's tile of C. */
struct Place {
  const double *A, *B;
  int m, k, n, top, left;
};

/* The threads of the block copy the tiles of a step in pairs of elements. The first pair of a
 * thread is at (a_row, a_column) of A's tile and at (b_row, b_column) of B's tile. Its next pairs
 * are A_ROWS or B_ROWS rows further down. */
#define A_ROWS (THREADS / (DEPTH / 2))
#define B_ROWS (THREADS / (COLUMNS / 2))
inline __device__ int a_row() { return threadIdx.x / (DEPTH / 2); }
inline __device__ int a_column() { return threadIdx.x % (DEPTH / 2) * 2; }
inline __device__ int b_row() { return threadIdx.x / (COLUMNS / 2); }
inline __device__ int b_column() { return threadIdx.x % (COLUMNS / 2) * 2; }

/* The addresses in A and B of a thread's first pairs of a step. */
struct From {
  const element *a, *b;
};
inline __device__ From from_step(const Place &p, int step) {
  return {p.A + ((p.top + a_row()) * p.k + step * DEPTH + a_column()),
          p.B + ((step * DEPTH + b_row()) * p.n + p.left + b_column())};
}

/* Copies the tiles of a step if `wanted` is true. The tiles must be completely inside A and B.
 * Copies only part number `part` if `parts` is larger than 1. */
inline __device__ void fetch_whole(Stage &stage, const Place &p, const From &from,
                                   bool wanted = true, int part = 0, int parts = 1) {
  const int of_a = ROWS / A_ROWS, of_b = DEPTH / B_ROWS;
  element *to = &stage.a[a_row()][by_turns(a_row(), a_column())];
#pragma unroll
  for (int i = 0; i < of_a; i++) // A_ROWS is even, so by_turns is the same for all these rows
    if (is_in(i, of_a + of_b, part, parts))
      copy_two(to + i * A_ROWS * DEPTH, from.a + i * A_ROWS * p.k, wanted);
#pragma unroll
  for (int i = 0; i < of_b; i++)
    if (is_in(of_a + i, of_a + of_b, part, parts))
      copy_two(&stage.b[b_row() + i * B_ROWS][b_column()], from.b + i * B_ROWS * p.n, wanted);
}

/* Copies one element, or 0 for an element outside the matrix. fetch_at_edge uses this at the edges,
 * and if rows do not begin at multiples of 16 bytes. */
inline __device__ void fetch_one(element *to, const element *M, int rows, int columns, int row,
                                 int column) {
  bool inside = row < rows && column < columns;
  copy_one(to, inside ? M + (row * columns + column) : M, inside ? 8 : 0);
}
inline __device__ void fetch_at_edge(Stage &stage, const Place &p, int start) {
#pragma unroll 1
  for (int i = threadIdx.x; i < ROWS * DEPTH; i += THREADS) {
    int row = i / DEPTH, column = i % DEPTH;
    fetch_one(&stage.a[row][by_turns(row, column)], p.A, p.m, p.k, p.top + row, start + column);
  }
#pragma unroll 1
  for (int i = threadIdx.x; i < DEPTH * COLUMNS; i += THREADS) {
    int row = i / COLUMNS, column = i % COLUMNS;
    fetch_one(&stage.b[row][column], p.B, p.k, p.n, start + row, p.left + column);
  }
}

inline __device__ bool is_whole(const Place &p, int step) {
  bool inside = p.top + ROWS <= p.m && p.left + COLUMNS <= p.n && step * DEPTH + DEPTH <= p.k;
  return inside && p.k % 2 == 0 && p.n % 2 == 0;
}
inline __device__ void fetch_step(Stage &stage, const Place &p, int step) {
  if (is_whole(p, step))
    fetch_whole(stage, p, from_step(p, step));
  else
    fetch_at_edge(stage, p, step * DEPTH);
}
