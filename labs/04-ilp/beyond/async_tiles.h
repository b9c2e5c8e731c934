/* Lab 04, given: the way of a step's tiles from global memory to shared, past the registers, for tile_ring.h.
 *
 * Who includes it says before: THREADS of a block and all that warp_products.h wants to know.
 */
#include "warp_products.h"

/* ---- copies that nobody waits for -------------------------------------------------------------- */

/* A thread asks and goes on. What it has asked for between two close_group is a group;
 * wait_for_all_but(n) waits for all but the n last ones. GPUs have it from compute capability 8.0 on;
 * for others nothing is compiled here, and HAS_COPIES is not defined. */
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

/* 16 bytes, if they are wanted. The instruction asks, not a branch: so the assembler can put copies
 * between other instructions. */
inline __device__ void copy_two(void *to, const void *from, bool wanted) {
  COPY_IF("cg.shared.global [%1], [%2], 16;", "r"((int)wanted),
          "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}
/* 8 bytes; those beyond `good` are zeros. */
inline __device__ void copy_one(void *to, const void *from, int good) {
  COPY("ca.shared.global [%0], [%1], 8, %2;", "r"((unsigned)__cvta_generic_to_shared(to)),
       "l"(from), "r"(good));
}
inline __device__ void close_group() { COPY("commit_group;"); }
template <int N> inline __device__ void wait_for_all_but() { COPY("wait_group %0;", "n"(N)); }

/* ---- the tiles of a step ---------------------------------------------------------------------- */

struct Stage {
  TileA a;
  TileB b;
};

/* Where a block is at work. */
struct Place {
  const double *A, *B;
  int m, k, n, top, left;
};

/* The tiles of a step come in pairs of elements, which the block's threads share out. The first pair
 * of a thread begins at (row, column) of its tile, the others A_ROWS or B_ROWS below one another. */
#define A_ROWS (THREADS / (DEPTH / 2))
#define B_ROWS (THREADS / (COLUMNS / 2))
inline __device__ int a_row() { return threadIdx.x / (DEPTH / 2); }
inline __device__ int a_column() { return threadIdx.x % (DEPTH / 2) * 2; }
inline __device__ int b_row() { return threadIdx.x / (COLUMNS / 2); }
inline __device__ int b_column() { return threadIdx.x % (COLUMNS / 2) * 2; }

/* Where a thread's first pairs of a step come from. */
struct From {
  const element *a, *b;
};
inline __device__ From from_step(const Place &p, int step) {
  return {p.A + ((p.top + a_row()) * p.k + step * DEPTH + a_column()),
          p.B + ((step * DEPTH + b_row()) * p.n + p.left + b_column())};
}

/* A whole step, or a part of it, if it is wanted. */
inline __device__ void fetch_whole(Stage &stage, const Place &p, const From &from,
                                   bool wanted = true, int part = 0, int parts = 1) {
  const int of_a = ROWS / A_ROWS, of_b = DEPTH / B_ROWS;
  element *to = &stage.a[a_row()][by_turns(a_row(), a_column())];
#pragma unroll
  for (int i = 0; i < of_a; i++) // A_ROWS is an even number: the turns are the same
    if (is_in(i, of_a + of_b, part, parts))
      copy_two(to + i * A_ROWS * DEPTH, from.a + i * A_ROWS * p.k, wanted);
#pragma unroll
  for (int i = 0; i < of_b; i++)
    if (is_in(of_a + i, of_a + of_b, part, parts))
      copy_two(&stage.b[b_row() + i * B_ROWS][b_column()], from.b + i * B_ROWS * p.n, wanted);
}

/* One by one, and 0 outside the matrices: at an edge, or where rows begin between 16 bytes. */
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
