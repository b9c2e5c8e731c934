/* Sectors and wavefronts: how many pieces of memory one warp instruction needs. Pure functions.
 *
 * Global memory moves in sectors of 32 bytes; a request costs one per distinct sector. Shared
 * memory has 32 banks: in one wavefront each gives one word, to any number of lanes. An access
 * needs as many wavefronts as the busiest bank is asked for different words, phase by phase:
 *
 *   4-byte banks (compute capability 5.0 on): up to 4 bytes a lane in one phase; 8 bytes in two
 *   half-warps, 16 in four quarter-warps. A load whose lanes agree in pairs (each lane's neighbour
 * i^1, or each lane's i^2, wants the same address or sleeps) needs half as many phases. Found by
 * experiment: Nsight Compute on an H200 counts exactly so for every pattern in
 * tests/machine_test.c. 8-byte banks (3.x): up to 8 bytes a lane in one phase, 16 in two
 * half-warps. In their 4-byte mode the phases are those of 4-byte banks (an assumption; the guide is
 * silent, the lecture's times of shared-memory kernels on a K40c agree), but two words that stand in
 * one row of a bank come in one wavefront.
 */
#ifndef OBSERVE_BANKS_H
#define OBSERVE_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../state/across.h"
#include "../state/constants.h"

/* Bytes of a word, as one lane may ask for it. */
static inline unsigned banks_word_bytes(unsigned mode) { return mode == BANKS_8 ? 8 : 4; }
/* What a bank gives in one wavefront is numbered so that its bank is number % BANKS. */
static inline uint32_t banks_word(uint32_t address, unsigned mode) {
  uint32_t word = address / banks_word_bytes(mode);
  return mode == BANKS_4_OF_8 ? word / (2 * BANKS) * BANKS + word % BANKS : word;
}
/* Bytes of a row: one word of every bank. */
static inline unsigned banks_row_bytes(unsigned mode) {
  return mode == BANKS_4 ? 4 * BANKS : 8 * BANKS;
}

/* Addresses that differ by a multiple of this fall to the same banks, in the same order. */
static inline unsigned banks_period(unsigned mode) {
  return mode == BANKS_4_OF_8 ? banks_row_bytes(mode) : banks_word_bytes(mode);
}

/* Do lanes i and i^distance want the same wherever both are active? */
static inline bool banks_pairs_agree(const uint32_t *address, uint32_t lanes, unsigned distance) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    unsigned other = lane ^ distance;
    if ((lanes >> lane & 1) && (lanes >> other & 1) && address[lane] != address[other])
      return false;
  }
  return true;
}

/* Lanes that go together in one phase: 32, 16 or 8. */
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
  unsigned ideal; /* phases with a lane active: what no conflict would need */
} BankUse;

/* One word a lane: the busiest bank's number of different ones. */
static inline unsigned banks_single(const uint32_t *address, uint32_t lanes, unsigned mode) {
  uint32_t words[WARP_LANES];
  uint8_t wanted[BANKS] = {0};
  unsigned most = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const bool active = lanes >> lane & 1;
    words[lane] = banks_word(address[active ? lane : (unsigned)__builtin_ctz(lanes)], mode);
  }
  for (uint32_t rest = lanes_first(words); rest; rest &= rest - 1) {
    const unsigned n = ++wanted[words[__builtin_ctz(rest)] % BANKS];
    most = n > most ? n : most;
  }
  return most;
}

/* Wavefronts of lanes [from, to): the busiest bank's number of different words. In each round every
 * bank gives one word, to all that want it; who wants another comes again. */
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

/* The two patterns that need no looking: consecutive lanes, and (loads) one address for all. */
static inline unsigned banks_consecutive(unsigned bytes, unsigned mode) {
  unsigned word = banks_word_bytes(mode);
  return bytes <= word ? 1 : bytes / word;
}
static inline unsigned banks_same(unsigned bytes, unsigned mode) {
  unsigned phases = banks_consecutive(bytes, mode);
  return banks_word_bytes(mode) == 4 && phases > 1 ? phases / 2 : phases;
}

/* Distinct sectors. No aligned access of up to 32 bytes crosses one. As a rule they lie near one another,
 * and one word has a bit for each. */
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
    return (unsigned)__builtin_popcount(lanes_first(sector));
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    seen |= UINT64_C(1) << (sector[lane] - least);
  return (unsigned)__builtin_popcountll(seen);
}

#endif
