/* Lab 04, given: a ring of tiles in shared memory that are filled from global memory while others are
 * multiplied, for async_copies.cu and full_rounds.cu.
 *
 * Who includes it says before: THREADS of a block and all that warp_products.h wants to know.
 */
#include "async_tiles.h"
#include "work_shares.h"

#define PARTS 4 // in which operands are read and multiplied

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
 * eight are multiplied: in parts, since all at once would wait for shared memory. Where all steps are
 * WHOLE, as nearly always, no branch parts the copies from the products. */
template <int STAGES, bool WHOLE>
inline __device__ void add_steps(Sums &sum, Stage *ring, const Place &p, int first, int last) {
#ifdef HAS_COPIES
  Term term[2];
  wait_for_all_but<STAGES - 2>();
  __syncthreads();
  int full = 0, filling = STAGES - 1, ahead = STAGES - 1;
  From from = from_step(p, first + ahead);
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
        if (i == 0 && WHOLE && part < 2) // nobody has read this tile since the last barrier
          fetch_whole(ring[filling], p, from, step + ahead < last, part, 2);
        if (i == 0 && !WHOLE && part == 1 && step + ahead < last)
          fetch_step(ring[filling], p, step + ahead);
        if (i == 0 && part == 1) {
          close_group();
          filling = filling == STAGES - 1 ? 0 : filling + 1;
          from = {from.a + DEPTH, from.b + DEPTH * p.n};
        }
        __syncwarp(); // ask first, then multiply: the assembler would mix them, and then wait
        multiply(sum, term[i / 8 % 2], part, PARTS);
      }
    }
#endif
}

template <int STAGES>
inline __device__ void add_steps(Sums &sum, Stage *ring, const Place &p, int first, int last) {
  if (is_whole(p, last - 1))
    add_steps<STAGES, true>(sum, ring, p, first, last);
  else
    add_steps<STAGES, false>(sum, ring, p, first, last);
}

/* As many stages as the card's shared memory holds; less than two is no ring. */
static int most_stages(void) {
  int room = 0, major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return major < 8 ? 0 : room / (int)sizeof(Stage);
}
