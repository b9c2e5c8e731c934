/* Lab 04, given: a ring of tiles in shared memory. Some tiles are copied from global memory while
 * another tile is multiplied. async_copies.cu and full_rounds.cu include this file.
 *
 * The including file defines THREADS, the number of threads of a block, and everything that
 * warp_products.h needs.
 */
#include "async_tiles.h"
#include "work_shares.h"

#define PARTS 4 // number of parts in which operands are read and multiplied

inline __device__ void choose_tile(Place &p, int tile, int band) {
  int2 at = place_of(tile, CEIL_DIV(p.m, ROWS), CEIL_DIV(p.n, COLUMNS), band);
  p.top = at.y * ROWS;
  p.left = at.x * COLUMNS;
}

/* Starts the copies of the first STAGES - 1 tiles of steps `first` to `last` - 1. Before the call,
 * all threads must have read the operands of earlier steps into registers and passed a barrier. */
template <int STAGES>
inline __device__ void begin_steps(Stage *ring, const Place &p, int first, int last) {
#pragma unroll
  for (int s = 0; s < STAGES - 1; s++) {
    if (first + s < last)
      fetch_step(ring[s], p, first + s);
    close_group();
  }
}

/* Adds steps `first` to `last` - 1 to the sums. At any time, one of the STAGES tiles is multiplied,
 * the next tile is complete, and the other tiles are being copied. In the same way, the next eight
 * terms are read into registers while the current eight terms are multiplied. The next terms are
 * read in parts, because reading all of them at once would wait for shared memory. WHOLE: all tiles
 * are completely inside A and B. Then no branch separates the copies from the products. */
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
      if (i == DEPTH - 8) { // all terms of this tile are in registers: continue with the next tile
        wait_for_all_but<STAGES - 2>();
        __syncthreads();
        full = full == STAGES - 1 ? 0 : full + 1;
      }
#pragma unroll
      for (int part = 0; part < PARTS; part++) {
        if (i < DEPTH - 8 || step + 1 < last)
          read(term[(i / 8 + 1) % 2], ring[full].a, ring[full].b, (i + 8) % DEPTH, part, PARTS);
        if (i == 0 && WHOLE && part < 2) // since the last barrier, no thread reads this tile
          fetch_whole(ring[filling], p, from, step + ahead < last, part, 2);
        if (i == 0 && !WHOLE && part == 1 && step + ahead < last)
          fetch_step(ring[filling], p, step + ahead);
        if (i == 0 && part == 1) {
          close_group();
          filling = filling == STAGES - 1 ? 0 : filling + 1;
          from = {from.a + DEPTH, from.b + DEPTH * p.n};
        }
        __syncwarp(); // keeps the loads before the products; if the assembler mixed them, products
                      // would wait for loads
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

/* Returns the number of stages that fit in a block's shared memory on this card; 0 if the card has
 * no asynchronous copies. A ring needs at least two stages. */
static int most_stages(void) {
  int room = 0, major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return major < 8 ? 0 : room / (int)sizeof(Stage);
}
