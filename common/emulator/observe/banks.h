/* Computes how many sectors and wavefronts a memory request of one warp takes. The functions have
 * no side effects.
 *
 * Global memory is transferred in sectors of 32 bytes; a request takes one transfer per distinct
 * sector. Shared memory has 32 banks. In one wavefront each bank delivers one word to any number of
 * lanes. A request is split into phases. The wavefronts of a phase are the largest number of
 * distinct words that it accesses in one bank. The phases depend on the size of a bank's word:
 *
 *   4-byte banks (compute capability 5.0 and later): up to 4 bytes per lane in one phase,
 *   8 bytes in two half-warps, 16 bytes in four quarter-warps. If all pairs of lanes i and i^1,
 *   or i and i^2, load the same address or have an inactive lane, a load takes half as many
 *   phases. Nsight Compute on an H200 counts the same for every pattern in
 *   tests/machine_test.c.
 *
 *   8-byte banks (3.x): up to 8 bytes per lane in one phase, 16 bytes in two half-warps. In the
 *   4-byte mode the phases are those of 4-byte banks, but two words in one row of a bank are
 *   delivered in one wavefront. NVIDIA's guide does not document these phases; this rule agrees
 *   with the lecture's times of shared-memory kernels on a K40c. */
#ifndef OBSERVE_BANKS_H
#define OBSERVE_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../state/across.h"
#include "../ptx/program.h"
#include "../state/constants.h"

/* Returns the size of a bank's word in bytes. */
static inline unsigned banks_word_bytes(unsigned mode) { return mode == BANKS_8 ? 8 : 4; }
/* Returns the number of the word that contains an address. The word is in bank number % BANKS. */
static inline uint32_t banks_word(uint32_t address, unsigned mode) {
  uint32_t word = address / banks_word_bytes(mode);
  return mode == BANKS_4_OF_8 ? word / (2 * BANKS) * BANKS + word % BANKS : word;
}
/* Returns the size in bytes of a row, which has one word of every bank. */
static inline unsigned banks_row_bytes(unsigned mode) {
  return mode == BANKS_4 ? 4 * BANKS : 8 * BANKS;
}

/* Returns a period in bytes. If the addresses of a request are shifted by a multiple of this
 * period, its number of wavefronts stays the same. */
static inline unsigned banks_period(unsigned mode) {
  return mode == BANKS_4_OF_8 ? banks_row_bytes(mode) : banks_word_bytes(mode);
}

/* Returns true if lanes i and i^distance have the same address whenever both are active. */
static inline bool banks_pairs_agree(const uint32_t *address, uint32_t lanes, unsigned distance) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    unsigned other = lane ^ distance;
    if ((lanes >> lane & 1) && (lanes >> other & 1) && address[lane] != address[other])
      return false;
  }
  return true;
}

/* Returns the number of lanes per phase: 32, 16 or 8. */
static inline unsigned banks_phase_lanes(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                         unsigned mode, bool load) {
  unsigned word = banks_word_bytes(mode);
  if (bytes <= word)
    return WARP_LANES;
  unsigned together = WARP_LANES * word / bytes;
  bool merged = load && word == 4 &&
                (banks_pairs_agree(address, lanes, 1) || banks_pairs_agree(address, lanes, 2));
  return merged ? 2 * together : together;
}

typedef struct BankUse {
  unsigned wavefronts;
  /* The number of phases with an active lane. Without conflicts this is the number of wavefronts.
   */
  unsigned ideal;
} BankUse;

/* Returns the wavefronts for one word per lane: the number of distinct words in the busiest bank.
 */
static inline unsigned banks_single(const uint32_t *address, uint32_t lanes, unsigned mode) {
  uint32_t words[WARP_LANES], banks[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    words[lane] = banks_word(address[lane], mode);
    banks[lane] = words[lane] % BANKS;
  }
  return lanes_most_equal(banks, lanes_first(words, lanes));
}
/* The cost of an atomic operation on shared memory. `requests`: number of requests that a GPU
 * counts. `bank`: wavefronts of the operation itself. `load`: wavefronts of the loads, if the
 * operation is executed as a loop. */
typedef struct AtomicUse {
  BankUse bank, load;
  unsigned requests;
} AtomicUse;

/* Returns the wavefronts of the lanes [from, to): the number of distinct words in the busiest bank.
 * In each wavefront, every bank delivers one word to all lanes that request this word. */
static inline unsigned banks_phase(const uint32_t *address, uint32_t lanes, unsigned from,
                                   unsigned to, unsigned bytes, unsigned mode) {
  uint32_t words[BANKS * 4 + 1], given[BANKS];
  unsigned count = 0, rounds = 0;
  for (unsigned lane = from; lane < to; lane++)
    for (unsigned at = 0; at == 0 || at < bytes; at += banks_word_bytes(mode)) {
      words[count] = banks_word(address[lane] + at, mode);
      count += lanes >> lane & 1;
    }
  for (; count; rounds++) {
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++)
      given[words[i] % BANKS] = words[i];
    for (unsigned i = 0; i < count; i++) {
      uint32_t word = words[i];
      words[left] = word;
      left += given[word % BANKS] != word;
    }
    count = left;
  }
  return rounds;
}

static inline BankUse banks_use(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                unsigned mode, bool load) {
  unsigned together = banks_phase_lanes(address, lanes, bytes, mode, load);
  BankUse use = {0, 0};
  if (together == WARP_LANES && bytes <= banks_word_bytes(mode))
    return lanes ? (BankUse){banks_single(address, lanes, mode), 1} : use;
  for (unsigned from = 0; from < WARP_LANES; from += together) {
    unsigned wavefronts = banks_phase(address, lanes, from, from + together, bytes, mode);
    use.wavefronts += wavefronts;
    use.ideal += wavefronts > 0;
  }
  return use;
}

/* ---- atomic operations ----------------------------------------------------------------------- */
/* Returns the bank, or the pair of banks, that one lane of an atomic operation uses.
 *
 * The rules for atomic operations agree with Nsight Compute on an H200 for patterns such as those
 * of tests/programs/atomics_in_turn.cu. A bank serves one lane at a time, even if several lanes
 * access the same word. Only an atomicAdd of 1 whose result is not used serves all lanes with the
 * same word together. Operations on 8 bytes are executed by half-warps and use pairs of banks. A
 * compare-and-swap takes twice as many wavefronts. An operation for which the GPU has no
 * instruction is executed as a loop: in each iteration all lanes load, and one lane per bank swaps.
 * In the second half-warp, the swap fails in lanes whose address the first half-warp has just
 * changed. */
static inline unsigned banks_turn(uint32_t address, unsigned bytes, unsigned mode) {
  return bytes <= 4 || mode != BANKS_4 ? banks_word(address, mode) % BANKS
                                       : address / 8 % (BANKS / 2);
}

/* Returns the number of lanes that access the busiest bank. */
static inline unsigned banks_lanes(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                   unsigned mode) {
  uint32_t turns[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    turns[lane] = banks_turn(address[lane], bytes, mode);
  return lanes_most_equal(turns, lanes);
}

static inline unsigned banks_atomic_lanes(unsigned bytes, unsigned mode) {
  return bytes <= 4 || mode != BANKS_4 ? WARP_LANES : WARP_LANES / 2;
}

static inline BankUse banks_in_turn(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                    unsigned mode, unsigned passes) {
  const unsigned together = banks_atomic_lanes(bytes, mode);
  const uint32_t phase = together == WARP_LANES ? UINT32_MAX : (1u << together) - 1;
  BankUse use = {0, 0};
  for (unsigned from = 0; from < WARP_LANES; from += together) {
    unsigned turns = banks_lanes(address, lanes & phase << from, bytes, mode);
    use.wavefronts += passes * turns;
    use.ideal += turns ? passes : 0;
  }
  return use;
}

/* Returns the lanes whose swap succeeds: the lowest lane of each bank, unless a lane in `changed`
 * has just changed the word at its address. */
static inline uint32_t banks_winners(const uint32_t *address, uint32_t lanes, uint32_t changed,
                                     unsigned bytes, unsigned mode) {
  uint32_t taken = 0, winners = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    const uint32_t bank = 1u << banks_turn(address[lane], bytes, mode);
    bool fails = taken & bank;
    taken |= bank;
    for (unsigned other = 0; other < WARP_LANES && !fails; other++)
      fails = (changed >> other & 1) && address[other] == address[lane];
    winners |= (uint32_t)!fails << lane;
  }
  return winners;
}

static inline AtomicUse banks_loop(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                   unsigned mode) {
  const unsigned together = banks_atomic_lanes(bytes, mode);
  const uint32_t phase = together == WARP_LANES ? UINT32_MAX : (1u << together) - 1;
  AtomicUse use = {{0, 0}, {0, 0}, 0};
  while (lanes) {
    BankUse load = banks_use(address, lanes, bytes, mode, true);
    uint32_t done = 0;
    for (unsigned from = 0; from < WARP_LANES; from += together) {
      const uint32_t now = lanes & phase << from;
      done |= banks_winners(address, now, done, bytes, mode);
      use.bank.wavefronts += now ? 2 : 0;
      use.bank.ideal += now && use.requests == 0 ? 2 : 0;
    }
    use.load.wavefronts += load.wavefronts;
    use.load.ideal += load.ideal;
    use.requests++;
    lanes &= ~done;
  }
  return use;
}

static inline AtomicUse banks_atomic(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                     unsigned mode, PtxTurns turns) {
  AtomicUse use = {{1, 1}, {0, 0}, 1};
  switch (turns) {
  case PTX_TURNS_ONE:
    break;
  case PTX_TURNS_WORDS:
    use.bank = banks_use(address, lanes, bytes, mode, false);
    break;
  case PTX_TURNS_LANES:
  case PTX_TURNS_SWAP:
    use.bank = banks_in_turn(address, lanes, bytes, mode, turns == PTX_TURNS_SWAP ? 2 : 1);
    break;
  case PTX_TURNS_LOOP:
    use = banks_loop(address, lanes, bytes, mode);
    break;
  }
  return use;
}

/* Returns the number of distinct sectors. An aligned access of up to 32 bytes is in one sector.
 * Usually all sectors are within a range of 64 sectors, so one 64-bit word can have a bit for
 * each. */
static inline unsigned sectors_touched(const uint32_t *address, uint32_t lanes) {
  uint32_t sector[WARP_LANES], least = UINT32_MAX, most = 0;
  uint64_t seen = 0;
  if (!lanes)
    return 0;
  const uint32_t lead = address[__builtin_ctz(lanes)];
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    sector[lane] = (lanes >> lane & 1 ? address[lane] : lead) / SECTOR_BYTES;
    least = sector[lane] < least ? sector[lane] : least;
    most = sector[lane] > most ? sector[lane] : most;
  }
  if (most - least >= 64)
    return (unsigned)__builtin_popcount(lanes_first(sector, lanes));
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    seen |= UINT64_C(1) << (sector[lane] - least);
  return (unsigned)__builtin_popcountll(seen);
}

/* Returns the sectors of an atomic operation on global memory. A sector counts n times if n lanes
 * access its most frequent word. If 32 lanes access many random cache lines, an H200 counts one or
 * two sectors more. */
static inline unsigned sectors_in_turn(const uint32_t *address, uint32_t lanes) {
  unsigned sectors = 0;
  for (; lanes; lanes &= ~lanes_first(address, lanes))
    sectors += sectors_touched(address, lanes);
  return sectors;
}

/* Return the wavefronts of a full warp that accesses consecutive addresses, or loads from one
 * address. */
static inline unsigned banks_consecutive(unsigned bytes, unsigned mode) {
  unsigned word = banks_word_bytes(mode);
  return bytes <= word ? 1 : bytes / word;
}
static inline unsigned banks_same(unsigned bytes, unsigned mode) {
  unsigned phases = banks_consecutive(bytes, mode);
  return banks_word_bytes(mode) == 4 && phases > 1 ? phases / 2 : phases;
}

#endif
