/* Lab 04, given: how blocks share out the tiles of C so that all are at work to the end, for equal_shares.cu
 * and full_rounds.cu.
 *
 * There are as many blocks as the card runs at the same time. First each takes a whole tile in turn,
 * as long as there is one for everybody. What is left is `streamed` tiles of `steps` steps each: a
 * row of streamed · steps steps, of which every block takes an equal stretch, wherever tiles begin.
 * So most of these tiles have several authors. Who has a tile's beginning finishes it: the others
 * leave him their sums.
 */

/* The row and column (y and x) of tile number `tile` of down×right: C is taken in bands of `height`
 * tiles, column by column, so that blocks at work at the same time have rows of A and columns of B in
 * common. */
inline __device__ int2 place_of(int tile, int down, int right, int height) {
  int band = tile / (height * right), in_band = tile - band * height * right;
  int of_this = min(height, down - band * height);
  return make_int2(in_band / of_this, band * height + in_band % of_this);
}

/* They have most in common where their tiles of rows×columns, `at_once` of them, are near a square. */
static int band_height(int at_once, int rows, int columns) {
  int height = 1;
  while ((height + 1) * (height + 1) * rows <= at_once * columns)
    height++;
  return height;
}

/* One piece of work: steps `first` to `last` - 1 of a tile. */
struct Work {
  int tile, first, last;
};

struct Shares {
  int whole, streamed, steps; // tiles that are taken whole, tiles shared out; steps of a tile

  __device__ Shares(int tiles, int streamed_tiles, int steps_of_tile)
      : whole(tiles - streamed_tiles), streamed(streamed_tiles), steps(steps_of_tile) {}
  /* Where the stretch of a block begins. */
  __device__ int begin_of(int block) const {
    return (int)((long long)streamed * steps * block / gridDim.x);
  }
  /* Piece number `number` of this block; false: it has no more. */
  __device__ bool take(int number, Work &work) const {
    int tile = blockIdx.x + number * gridDim.x;
    work = {tile, 0, steps};
    if (tile < whole)
      return true;
    // So many tiles behind the one where the stretch begins.
    int behind = (tile - whole) / gridDim.x, begin = begin_of(blockIdx.x);
    int end = begin_of(blockIdx.x + 1), start = (begin / steps + behind) * steps;
    work = {whole + begin / steps + behind, max(begin - start, 0), min(end - start, steps)};
    return start < end;
  }
  /* Has a block that comes after this one a part of this one's tile? Then it has the next part. */
  __device__ bool has_part_of(const Work &work, int block) const {
    return block < (int)gridDim.x && begin_of(block) < (work.tile - whole + 1) * steps;
  }
};

/* ready[b]: block b has left its sums. A fence on either side: what was written before it is seen. */
inline __device__ void say_ready(unsigned *ready) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(&ready[blockIdx.x], 1);
}
inline __device__ void wait_for(unsigned *ready, int block) {
  if (threadIdx.x == 0) {
    while (atomicExch(&ready[block], 0) == 0) // and it is 0 again for the next launch
      ;
    __threadfence();
  }
  __syncthreads();
}

static int processors(void) {
  int count = 1;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}

#define MOST_BLOCKS 8192

/* How a launch shares `tiles` tiles of `steps` steps among at most `blocks` blocks. Left over from
 * whole rounds, tiles are shared out unless a last round that is not full costs less: to hand sums
 * over takes as long as `toll` steps, and no block comes for less than that. */
struct Plan {
  int blocks, streamed;
  Plan(int tiles, int steps, int most_blocks, int toll) : blocks(min(most_blocks, MOST_BLOCKS)) {
    long long left = tiles % blocks;
    streamed = left * steps + (long long)toll * blocks < (long long)steps * blocks ? (int)left : 0;
    if (streamed == tiles && left * steps < (long long)toll * blocks)
      blocks = max(1, (int)(left * steps / toll));
    else if (left * steps < blocks)
      streamed = 0; // a stretch for each, or none at all
    if (!streamed)
      blocks = min(blocks, tiles);
  }
};

/* What a launch needs beside its operands: a flag for each block, 0 before the first launch and after
 * every one, and room for the sums of each. */
template <typename Part> struct Workspace {
  unsigned *ready;
  Part *parts;
  Workspace(void *memory)
      : ready((unsigned *)memory), parts((Part *)((unsigned *)memory + MOST_BLOCKS)) {}
  static size_t bytes(int blocks, int parts_of_block) {
    return MOST_BLOCKS * sizeof(unsigned) + (size_t)blocks * parts_of_block * sizeof(Part);
  }
};
