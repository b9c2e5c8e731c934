/* A seal shows that a line of the log is the device's: whoever else can write to the file does not
 * know the key. It is SipHash-2-4 (Aumasson and Bernstein, 2012) of the seal before it and the line,
 * so that no line can be left out, exchanged or said twice.
 */
#include <string.h>

#include "../emulator.h"

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void rounds(uint64_t v[4], int count) {
  while (count--) {
    v[0] += v[1], v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
  }
}

static void take(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  rounds(v, 2);
  v[0] ^= word;
}

uint64_t emulator_seal(const uint64_t key[2], uint64_t before, const void *text, size_t bytes) {
  uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                   key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  const unsigned char *at = text;
  uint64_t word = 0;
  take(v, before);
  for (size_t left = bytes; left >= sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    take(v, word);
  }
  word = (uint64_t)(bytes + sizeof before) << 56;
  for (size_t i = 0; i < bytes % sizeof word; i++)
    word |= (uint64_t)at[i] << (8 * i);
  take(v, word);
  v[2] ^= 0xff;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
