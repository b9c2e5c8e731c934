/* Derives the seeds of the inputs from the student's file. Therefore the inputs are unknown until
 * the file is finished, and the same file always gets the same marks. In a class the seed also
 * depends on a secret of the instructor, so the inputs stay unknown unless a report shows them. An
 * untrusted program is run with inputs that are not graded (check.c). The graded inputs cannot be
 * derived from these, because the hash has a key: SipHash-2-4 (Aumasson and Bernstein, 2012). */
#include "facts/facts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

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

/* Returns a hash of a purpose and of the content of a file. */
static uint64_t hash(const uint64_t key[2], uint64_t purpose, FILE *file) {
  uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                   key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  uint64_t word = 0, bytes = sizeof purpose;
  take(v, purpose);
  for (size_t got; (got = file ? fread(&word, 1, sizeof word, file) : 0) > 0; word = 0) {
    bytes += got;
    if (got < sizeof word)
      break;
    take(v, word);
  }
  take(v, word | bytes << 56);
  v[2] ^= 0xff;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The seed has at most six digits, so that students can type it. */
unsigned seed_of(const Settings *settings, SeedPurpose purpose) {
  uint64_t key[2] = {0, 0};
  FILE *secret = settings->paths.secret ? fopen(settings->paths.secret, "re") : NULL;
  if (settings->paths.secret && (!secret || fread(key, sizeof key, 1, secret) != 1))
    bad_input("--secret %s: %s", settings->paths.secret, secret ? "too short" : strerror(errno));
  if (secret)
    fclose(secret);
  FILE *file = fopen(settings->paths.source, "re");
  uint64_t value = hash(key, purpose, file);
  if (file)
    fclose(file);
  return 1 + (unsigned)(value % 999999);
}

unsigned seed_draw(unsigned seed, const char *what, unsigned which, unsigned count) {
  uint64_t v[4] = {UINT64_C(0x736f6d6570736575), UINT64_C(0x646f72616e646f6d),
                   UINT64_C(0x6c7967656e657261), UINT64_C(0x7465646279746573)};
  take(v, (uint64_t)seed << 32 | which);
  for (; *what; what++)
    take(v, (uint64_t)*what);
  rounds(v, 4);
  return (unsigned)((v[0] ^ v[1] ^ v[2] ^ v[3]) % count);
}

void seed_sizes(unsigned seed, const char *what, const SizeRange *ranges, size_t count, double work,
                int *sizes) {
  enum { DRAWS_MOST = 1000 };
  double product = INFINITY;
  for (unsigned draw = 0; draw < DRAWS_MOST && product > work; draw++) {
    product = 1;
    for (size_t i = 0; i < count; i++) {
      const SizeRange *range = &ranges[i];
      /* `which` includes the step, so ranges with different steps get different random numbers. */
      unsigned which = (draw * (unsigned)count + (unsigned)i) * 1024 + (unsigned)range->step;
      unsigned steps = 1 + (unsigned)(range->most - range->least) / (unsigned)range->step;
      sizes[i] = range->least + range->step * (int)seed_draw(seed, what, which, steps);
      product *= sizes[i];
    }
  }
  for (size_t i = 0; product > work && i < count; i++)
    sizes[i] = ranges[i].least;
}
