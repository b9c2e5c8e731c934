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
 * half-warps.
 */
#ifndef OBSERVE_BANKS_H
#define OBSERVE_BANKS_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES_OF_WARP = 32, BANKS = 32, SECTOR_BYTES = 32 };

/* Do lanes i and i^distance want the same wherever both are active? */
static inline bool banks_pairs_agree(const uint32_t *address, uint32_t lanes, unsigned distance) {
  for (unsigned lane = 0; lane < LANES_OF_WARP; lane++) {
    unsigned other = lane ^ distance;
    if ((lanes >> lane & 1) && (lanes >> other & 1) && address[lane] != address[other])
      return false;
  }
  return true;
}

/* Lanes that go together in one phase: 32, 16 or 8. */
static inline unsigned banks_phase_lanes(const uint32_t *address, uint32_t lanes, unsigned bytes,
                                         unsigned bank_bytes, bool load) {
  if (bytes <= bank_bytes)
    return LANES_OF_WARP;
  unsigned together = BANKS * bank_bytes / bytes;
  bool merged = load && bank_bytes == 4 &&
                (banks_pairs_agree(address, lanes, 1) || banks_pairs_agree(address, lanes, 2));
  return merged ? 2 * together : together;
}

typedef struct BankUse {
  unsigned wavefronts;
  unsigned ideal; /* phases with a lane active: what no conflict would need */
} BankUse;

/* Wavefronts of lanes [from, to): the busiest bank's number of different words. In each round every
 * bank gives one word, to all that want it; who wants another comes again. */
static inline unsigned banks_phase(const uint32_t *address, uint32_t lanes, unsigned from,
                                   unsigned to, unsigned bytes, unsigned bank_bytes) {
  uint32_t words[BANKS * 4 + 1], given[BANKS];
  unsigned count = 0, rounds = 0;
  for (unsigned lane = from; lane < to; lane++)
    for (unsigned at = 0; at == 0 || at < bytes; at += bank_bytes) {
      words[count] = (address[lane] + at) / bank_bytes;
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
                                unsigned bank_bytes, bool load) {
  unsigned together = banks_phase_lanes(address, lanes, bytes, bank_bytes, load);
  BankUse use = {0, 0};
  for (unsigned from = 0; from < LANES_OF_WARP; from += together) {
    unsigned wavefronts = banks_phase(address, lanes, from, from + together, bytes, bank_bytes);
    use.wavefronts += wavefronts;
    use.ideal += wavefronts > 0;
  }
  return use;
}

/* The two patterns that need no looking: consecutive lanes, and (loads) one address for all. */
static inline unsigned banks_consecutive(unsigned bytes, unsigned bank_bytes) {
  return bytes <= bank_bytes ? 1 : bytes / bank_bytes;
}
static inline unsigned banks_same(unsigned bytes, unsigned bank_bytes) {
  unsigned phases = banks_consecutive(bytes, bank_bytes);
  return bank_bytes == 4 && phases > 1 ? phases / 2 : phases;
}

/* Distinct sectors. No aligned access of up to 32 bytes crosses one. Addresses that rise or fall from
 * lane to lane, as most do, need no memory of what was seen. */
static inline unsigned sectors_touched(const uint32_t *address, uint32_t lanes) {
  uint32_t sector[LANES_OF_WARP], seen[2 * LANES_OF_WARP], changes = 1, up = 0, down = 0;
  uint64_t used = 0;
  unsigned n = LANES_OF_WARP;
  for (unsigned lane = 0; lane < LANES_OF_WARP; lane++)
    sector[lane] = address[lane] / SECTOR_BYTES;
  if (lanes != UINT32_MAX) {
    n = 0;
    for (unsigned lane = 0; lane < LANES_OF_WARP; lane++) {
      sector[n] = sector[lane];
      n += lanes >> lane & 1;
    }
    for (unsigned lane = n; lane < LANES_OF_WARP && n; lane++)
      sector[lane] = sector[n - 1];
  }
  for (unsigned i = 1; i < LANES_OF_WARP; i++) {
    up |= sector[i] > sector[i - 1];
    down |= sector[i] < sector[i - 1];
    changes += sector[i] != sector[i - 1];
  }
  if (!(up & down))
    return n ? changes : 0;
  for (unsigned i = 0; i < n; i++) { /* a table of 64 places */
    unsigned at = sector[i] * 2654435761u >> 26;
    while ((used >> at & 1) && seen[at] != sector[i])
      at = (at + 1) % 64;
    used |= UINT64_C(1) << at;
    seen[at] = sector[i];
  }
  return (unsigned)__builtin_popcountll(used);
}

#endif
