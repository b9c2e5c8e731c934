/* Sets of bytes of one buffer, by their offsets: what a piece of work read, or wrote.
 *
 * A set is a list of runs, in ascending order, of chunks of CHUNK bytes: runs of whole chunks, and single
 * chunks with a bit for each byte. So a copy is a few runs, whatever its size, and a kernel that leaves every other
 * element out needs an eighth of the buffer.
 */
#ifndef OBSERVE_BYTE_SET_H
#define OBSERVE_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SET_CHUNK = 4096, SET_WORDS = SET_CHUNK / 64 };

typedef struct ByteRun {
  uint64_t first, end; /* chunks */
  uint64_t *bits;      /* of one chunk; NULL: all bytes of all of them */
} ByteRun;

typedef struct ByteSet {
  ByteRun *runs;
  size_t count, capacity;
  size_t parts; /* runs with bits */
} ByteSet;

/* Bytes [from, to); and those of one chunk for which a bit is set. Neither lies before what was added earlier. */
void byte_set_add(ByteSet *, uint64_t from, uint64_t to);
void byte_set_add_bits(ByteSet *, uint64_t chunk, const uint64_t *bits);
void byte_set_join(ByteSet *, const ByteSet *other);
/* Do the two have a byte in common, and which is the first? */
bool byte_set_meet(const ByteSet *, const ByteSet *, uint64_t *first);
bool byte_set_has(const ByteSet *, uint64_t at);
bool byte_set_contains(const ByteSet *, const ByteSet *part);
/* Sets a bit of `map` for each byte of the set. */
void byte_set_mark(const ByteSet *, uint8_t *map);
void byte_set_clear(ByteSet *);

#endif
