/* Sectors and wavefronts: how many pieces of memory one warp instruction needs. Pure functions.
 *
 * Global memory moves in sectors of 32 bytes; a request costs one per distinct sector. Shared
 * memory has 32 banks: in one wavefront each gives one word, to any number of lanes. With 4-byte
 * banks (compute capability 5.0 on) accesses of 8 bytes go in two half-warps and those of 16 in
 * four quarter-warps; with 8-byte banks (3.x) a whole warp reads 8 bytes a lane at once, and those
 * of 16 in two half-warps. An access needs as many wavefronts as the busiest bank is asked for
 * different words, phase by phase.
 */
#ifndef OBSERVE_BANKS_H
#define OBSERVE_BANKS_H

#include <stdbool.h>
#include <stdint.h>

/* Lanes that go together: 32, 16 or 8. */
static inline unsigned banks_phase_lanes(unsigned bytes, unsigned bank_bytes) {
  return bytes <= bank_bytes ? 32 : 32 * bank_bytes / bytes;
}

/* The least number of wavefronts: phases with a lane active. */
static inline unsigned banks_ideal(uint32_t lanes, unsigned bytes, unsigned bank_bytes) {
  unsigned together = banks_phase_lanes(bytes, bank_bytes), phases = 0;
  for (unsigned from = 0; from < 32; from += together)
    phases += (lanes >> from & (together == 32 ? UINT32_MAX : (1u << together) - 1)) != 0;
  return phases;
}

/* Wavefronts of lanes [from, to): the busiest bank's number of different words. */
static inline unsigned banks_phase(const uint64_t *address, uint32_t lanes, unsigned from,
                                   unsigned to, unsigned bytes, unsigned bank_bytes) {
  uint64_t words[32 * 4];
  uint8_t next[32 * 4], head[32], depth[32];
  unsigned count = 0, most = 0;
  for (unsigned bank = 0; bank < 32; bank++)
    head[bank] = 255, depth[bank] = 0;
  for (unsigned lane = from; lane < to; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    for (unsigned at = 0; at < bytes; at += bank_bytes) {
      uint64_t word = (address[lane] + at) / bank_bytes;
      unsigned bank = word % 32, seen = head[bank];
      while (seen != 255 && words[seen] != word)
        seen = next[seen];
      if (seen != 255)
        continue;
      words[count] = word;
      next[count] = head[bank];
      head[bank] = (uint8_t)count++;
      if (++depth[bank] > most)
        most = depth[bank];
    }
  }
  return most;
}

static inline unsigned banks_wavefronts(const uint64_t *address, uint32_t lanes, unsigned bytes,
                                        unsigned bank_bytes) {
  unsigned together = banks_phase_lanes(bytes, bank_bytes), sum = 0;
  for (unsigned from = 0; from < 32; from += together)
    sum += banks_phase(address, lanes, from, from + together, bytes, bank_bytes);
  return sum;
}

/* Distinct 32-byte sectors. No aligned access of up to 32 bytes crosses a sector. */
static inline unsigned sectors_touched(const uint64_t *address, uint32_t lanes) {
  uint64_t seen[32];
  unsigned count = 0;
  for (unsigned lane = 0; lane < 32; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    uint64_t sector = address[lane] / 32;
    unsigned at = count; /* neighbours usually touch the sector seen last */
    while (at > 0 && seen[at - 1] != sector)
      at--;
    if (at == 0)
      seen[count++] = sector;
  }
  return count;
}

#endif
