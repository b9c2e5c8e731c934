/* Lab 04, given: divides the tiles of C among blocks so that all blocks finish at the same time.
 * equal_shares.cu and full_rounds.cu use this file.
 *
 * There are as many blocks as the card runs at the same time. First each block computes whole
 * tiles, as long as there is a tile for every block. The remaining `streamed` tiles have `steps`
 * steps each. They are treated as one sequence of streamed · steps steps, and each block gets an
 * equal range of this sequence. A range can begin inside a tile, so most of these tiles are
 * computed by several blocks. The block with the first steps of a tile completes the tile: it adds
 * the sums that the other blocks store in `parts`.
 */

/* Returns the row and column (y and x) of a tile in the down×right tiles of C. The tiles are
 * numbered column by column in bands that are `height` tiles high. So blocks that run at the same
 * time read the same rows of A and columns of B. */
inline __device__ int2 place_of(int tile, int down, int right, int height) {
  int band = tile / (height * right), in_band = tile - band * height * right;
  int of_this = min(height, down - band * height);
  return make_int2(in_band / of_this, band * height + in_band % of_this);
}

/* Returns the height of a band for place_of. Blocks that run at the same time share the most
 * elements if their `at_once` tiles of rows×columns elements form nearly a square. */
static int band_height(int at_once, int rows, int columns) {
  int height = 1;
  while ((height + 1) * (height + 1) * rows <= at_once * columns)
    height++;
  return height;
}

/* A piece of work of a block: steps `first` to `last` - 1 of a tile. */
struct Work {
  int tile, first, last;
};

struct Shares {
  // Number of tiles that one block computes, number of tiles that blocks share, steps of a tile.
  int whole, streamed, steps;

  __device__ Shares(int tiles, int streamed_tiles, int steps_of_tile)
      : whole(tiles - streamed_tiles), streamed(streamed_tiles), steps(steps_of_tile) {}
  /* Returns the first step of a block's range. */
  __device__ int begin_of(int block) const {
    return (int)((long long)streamed * steps * block / gridDim.x);
  }
  /* Sets `work` to piece number `number` of this block. Returns false if it does not exist. */
  __device__ bool take(int number, Work &work) const {
    int tile = blockIdx.x + number * gridDim.x;
    work = {tile, 0, steps};
    if (tile < whole)
      return true;
    // behind: number of tiles between the first tile of the range and this piece.
    int behind = (tile - whole) / gridDim.x, begin = begin_of(blockIdx.x);
    int end = begin_of(blockIdx.x + 1), start = (begin / steps + behind) * steps;
    work = {whole + begin / steps + behind, max(begin - start, 0), min(end - start, steps)};
    return start < end;
  }
  /* Returns true if a later block computes a part of this tile. The parts of a tile are computed by
   * consecutive blocks. */
  __device__ bool has_part_of(const Work &work, int block) const {
    return block < (int)gridDim.x && begin_of(block) < (work.tile - whole + 1) * steps;
  }
};

/* ready[b] is 1 if block b has stored its sums. The fences make the sums visible before the flag.
 */
inline __device__ void say_ready(unsigned *ready) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(&ready[blockIdx.x], 1);
}
inline __device__ void wait_for(unsigned *ready, int block) {
  if (threadIdx.x == 0) {
    while (atomicExch(&ready[block], 0) == 0) // sets the flag back to 0 for the next launch
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

/* Decides how a launch divides `tiles` tiles of `steps` steps among at most `most_blocks` blocks.
 * The tiles that remain after the full rounds are shared if that costs less than a partly filled
 * last round. Passing sums between blocks takes as long as `toll` steps. If only shared tiles
 * exist, there are so few blocks that each block has at least `toll` steps. */
struct Plan {
  int blocks, streamed;
  Plan(int tiles, int steps, int most_blocks, int toll) : blocks(min(most_blocks, MOST_BLOCKS)) {
    long long left = tiles % blocks;
    streamed = left * steps + (long long)toll * blocks < (long long)steps * blocks ? (int)left : 0;
    if (streamed == tiles && left * steps < (long long)toll * blocks)
      blocks = max(1, (int)(left * steps / toll));
    else if (left * steps < blocks)
      // There are fewer steps than blocks: share nothing.
      streamed = 0;
    if (!streamed)
      blocks = min(blocks, tiles);
  }
};

/* The memory that a launch needs in addition to its operands: a flag for each block, and space for
 * the sums of each block. All flags are 0 before the first launch and after each launch. */
template <typename Part> struct Workspace {
  unsigned *ready;
  Part *parts;
  Workspace(void *memory)
      : ready((unsigned *)memory), parts((Part *)((unsigned *)memory + MOST_BLOCKS)) {}
  static size_t bytes(int blocks, int parts_of_block) {
    return MOST_BLOCKS * sizeof(unsigned) + (size_t)blocks * parts_of_block * sizeof(Part);
  }
};
