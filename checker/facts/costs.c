/* Computes the cost of a warp's access from its addresses, and the cost of a product by tiles from
 * its sizes. Predictions and counters are compared with these numbers, which no code in a student's
 * file can change. Source of the rules: CUDA C++ Programming Guide, "Global Memory" and "Shared
 * Memory" of compute capability 5.x and later. */
#include "facts/facts.h"

enum { LANES = 32, SECTOR = 32, BANKS = 32, BANK_BYTES = 4 };

double pattern_sectors(size_t stride, size_t bytes) {
  size_t sectors = 0, last = 0;
  for (size_t lane = 0; lane < LANES; lane++)
    for (size_t at = lane * stride; at < lane * stride + bytes; at += SECTOR) {
      sectors += sectors == 0 || at / SECTOR != last;
      last = at / SECTOR;
    }
  return (double)sectors;
}

/* A warp accesses 4-byte words in one pass and 8-byte words in two, half a warp each. */
static size_t lanes_at_once(size_t bytes) { return LANES * BANK_BYTES / bytes; }

double pattern_ways(size_t stride, size_t bytes) {
  size_t most = 1;
  for (size_t bank = 0; bank < BANKS; bank++) {
    size_t words = 0, last = 0;
    for (size_t lane = 0; lane < lanes_at_once(bytes); lane++) {
      size_t word = lane * stride / BANK_BYTES;
      if (word % BANKS != bank || (words && word == last))
        continue;
      words++;
      last = word;
    }
    most = words > most ? words : most;
  }
  return (double)most;
}

double pattern_passes(size_t stride, size_t bytes) {
  return pattern_ways(stride, bytes) * (double)(LANES / lanes_at_once(bytes));
}

static size_t pieces(size_t all, size_t each) { return (all + each - 1) / each; }

TileCosts tile_costs(size_t m, size_t k, size_t n, size_t bytes, size_t side, size_t depth) {
  double steps = (double)pieces(k, depth),
         area = (double)(pieces(m, side) * pieces(n, side) * side * side);
  double stored = (double)(m * n * bytes), warps = (double)(m * pieces(n, LANES));
  TileCosts costs = {.steps = steps,
                     .multiply_adds = area * steps * (double)depth,
                     .elements = 2 * area / (double)side * steps * (double)depth,
                     .stored = stored,
                     .shifted = k * bytes % SECTOR || n * bytes % SECTOR};
  /* If 32 consecutive elements do not begin at a sector boundary, they touch one more sector. One
   * more sector is allowed for the zero that lanes outside of the matrix may load. */
  costs.sectors = costs.elements * ((double)bytes / SECTOR + (costs.shifted ? 2.0 / LANES : 0));
  costs.stored_sectors = stored / SECTOR + (costs.shifted ? 2 * warps : 0);
  return costs;
}
