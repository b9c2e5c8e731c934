/* Sets of bytes of one buffer, by offset: the bytes that a piece of work read or wrote.
 *
 * A set is a list of runs of chunks of SET_CHUNK bytes, in ascending order: runs of complete
 * chunks, and single chunks with one bit per byte. A copy takes a few runs, whatever its size. A
 * kernel that skips every other element takes an eighth of the buffer's size. */
#ifndef OBSERVE_BYTE_SET_H
#define OBSERVE_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SET_CHUNK = 4096, SET_WORDS = SET_CHUNK / 64 };

typedef struct ByteRun {
  /* In chunks. */
  uint64_t first, end;
  /* One bit per byte of a single chunk; NULL: all bytes of the run. */
  uint64_t *bits;
} ByteRun;

typedef struct ByteSet {
  ByteRun *runs;
  size_t count, capacity;
  /* Number of runs with `bits`. */
  size_t parts;
} ByteSet;

/* Add bytes [from, to), or the bytes of one chunk whose bits are set. Additions must be in
 * ascending order. */
void byte_set_add(ByteSet *, uint64_t from, uint64_t to);
void byte_set_add_bits(ByteSet *, uint64_t chunk, const uint64_t *bits);
void byte_set_join(ByteSet *, const ByteSet *other);
/* Returns true if the sets have a byte in common; `*first` is the first one. */
bool byte_set_meet(const ByteSet *, const ByteSet *, uint64_t *first);
bool byte_set_has(const ByteSet *, uint64_t at);
bool byte_set_contains(const ByteSet *, const ByteSet *part);
/* Sets a bit in `map` for each byte of the set. */
void byte_set_mark(const ByteSet *, uint8_t *map);
void byte_set_clear(ByteSet *);

#endif
