/* Lab 04, given: a ring of tiles in shared memory that are filled from global memory while others are
 * multiplied, for async.cu and rounds.cu.
 *
 * Who includes it says before: THREADS of a block; PARTS, in which operands are read and multiplied,
 * since all at once would wait for shared memory; and all that mma.h wants to know.
 */
#include "mma.h"
#include "shares.h"

/* ---- copies that nobody waits for -------------------------------------------------------------- */

/* To shared memory, past the registers: a thread asks and goes on. What it has asked for between two
 * close_group is a group; wait_for_all_but(n) waits for all but the n last ones. Bytes beyond `good`
 * are zeros. GPUs have it from compute capability 8.0 on; for others nothing is compiled here, and
 * most_stages() says that there is no ring. */
#if defined(LOCKSTEP_EMULATED) || __CUDA_ARCH__ >= 800
#define HAS_COPIES
#define COPY(text, ...) asm volatile("cp.async." text : : __VA_ARGS__)
#else
#define COPY(text, ...)
#endif
template <int BYTES> inline __device__ void copy(void *to, const void *from, int good) {
  unsigned shared = (unsigned)__cvta_generic_to_shared(to);
  if (BYTES == 16)
    COPY("cg.shared.global [%0], [%1], 16, %2;", "r"(shared), "l"(from), "r"(good));
  else
    COPY("ca.shared.global [%0], [%1], 8, %2;", "r"(shared), "l"(from), "r"(good));
}
inline __device__ void close_group() { COPY("commit_group;"); }
template <int N> inline __device__ void wait_for_all_but() { COPY("wait_group %0;", "n"(N)); }

/* ---- the ring -------------------------------------------------------------------------------- */

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

inline __device__ void fetch_whole(Stage &stage, const Place &p, int start) {
  const element *a = p.A + ((p.top + a_row()) * p.k + start + a_column());
  const element *b = p.B + ((start + b_row()) * p.n + p.left + b_column());
  element *to = &stage.a[a_row()][by_turns(a_row(), a_column())];
#pragma unroll
  for (int row = 0; row < ROWS; row += A_ROWS) // an even number: the turns are the same
    copy<16>(to + row * DEPTH, a + row * p.k, 16);
#pragma unroll
  for (int row = 0; row < DEPTH; row += B_ROWS)
    copy<16>(&stage.b[b_row() + row][b_column()], b + row * p.n, 16);
}

/* One by one, and 0 outside the matrices: at an edge, or where rows begin between 16 bytes. */
inline __device__ void fetch_one(element *to, const element *M, int rows, int columns, int row,
                                 int column) {
  bool inside = row < rows && column < columns;
  copy<8>(to, inside ? M + (row * columns + column) : M, inside ? 8 : 0);
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

inline __device__ void fetch_step(Stage &stage, const Place &p, int step) {
  bool inside = p.top + ROWS <= p.m && p.left + COLUMNS <= p.n && step * DEPTH + DEPTH <= p.k;
  if (inside && p.k % 2 == 0 && p.n % 2 == 0)
    fetch_whole(stage, p, step * DEPTH);
  else
    fetch_at_edge(stage, p, step * DEPTH);
}

inline __device__ void choose_tile(Place &p, int tile, int band) {
  int2 at = place_of(tile, CEIL_DIV(p.m, ROWS), CEIL_DIV(p.n, COLUMNS), band);
  p.top = at.y * ROWS;
  p.left = at.x * COLUMNS;
}

/* Asks for the first tiles of steps `first` to `last` - 1. Of the steps before, if there were any, all
 * operands are in registers since the last barrier. */
template <int STAGES>
inline __device__ void begin_steps(Stage *ring, const Place &p, int first, int last) {
#pragma unroll
  for (int s = 0; s < STAGES - 1; s++) {
    if (first + s < last)
      fetch_step(ring[s], p, first + s);
    close_group();
  }
}

/* Adds these steps to the sums. Of STAGES tiles one is being multiplied, the next one is there, the
 * others are on their way. In the same manner the next eight terms are on their way to registers while
 * eight are multiplied. */
template <int STAGES>
inline __device__ void add_steps(Sums &sum, Stage *ring, const Place &p, int first, int last) {
#ifdef HAS_COPIES
  Term term[2];
  wait_for_all_but<STAGES - 2>();
  __syncthreads();
  int full = 0, filling = STAGES - 1;
  read(term[0], ring[0].a, ring[0].b, 0);
#pragma unroll 1
  for (int step = first; step < last; step++)
#pragma unroll
    for (int i = 0; i < DEPTH; i += 8) {
      if (i == DEPTH - 8) { // its terms are in registers: on to the next tile, if there is one
        wait_for_all_but<STAGES - 2>();
        __syncthreads();
        full = full == STAGES - 1 ? 0 : full + 1;
      }
#pragma unroll
      for (int part = 0; part < PARTS; part++) {
        if (i < DEPTH - 8 || step + 1 < last)
          read(term[(i / 8 + 1) % 2], ring[full].a, ring[full].b, (i + 8) % DEPTH, part, PARTS);
        if (i == 0 && part == 0) { // nobody has read this tile since the last barrier
          if (step + STAGES - 1 < last)
            fetch_step(ring[filling], p, step + STAGES - 1);
          close_group();
          filling = filling == STAGES - 1 ? 0 : filling + 1;
        }
        __syncwarp(); // ask first, then multiply: the assembler would mix them, and then wait
        multiply(sum, term[i / 8 % 2], part, PARTS);
      }
    }
#endif
}

static int processors(void) {
  int count = 1;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}

/* As many stages as the card's shared memory holds; less than two is no ring. */
static int most_stages(void) {
  int room = 0, major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return major < 8 ? 0 : room / (int)sizeof(Stage);
}
