/* Sets of byte offsets in one buffer: the bytes that a kernel, copy or other operation has read or
 * written.
 *
 * A set is a list of runs in ascending order. A run is a range of complete chunks of SET_CHUNK
 * bytes, or a single chunk with one bit per byte. The set of a copy has only a few runs, however
 * large the copy is. If a kernel accesses every other element, its set takes one eighth of the size
 * of the buffer. */
#ifndef OBSERVE_BYTE_SET_H
#define OBSERVE_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SET_CHUNK = 4096, SET_WORDS = SET_CHUNK / 64 };

typedef struct ByteRun {
  /* Numbers of the first chunk of the run, and of the first chunk after the run. */
  uint64_t first, end;
  /* One bit for each byte of a single chunk; NULL: the run has all bytes of its chunks. */
  uint64_t *bits;
} ByteRun;

typedef struct ByteSet {
  ByteRun *runs;
  size_t count, capacity;
  /* Number of runs whose `bits` is not NULL. */
  size_t parts;
} ByteSet;

/* byte_set_add adds the bytes [from, to). byte_set_add_bits adds those bytes of a chunk whose bits
 * are set. Bytes must be added in ascending order. */
void byte_set_add(ByteSet *, uint64_t from, uint64_t to);
void byte_set_add_bits(ByteSet *, uint64_t chunk, const uint64_t *bits);
void byte_set_join(ByteSet *, const ByteSet *other);
/* Returns true if the sets have a common byte; `*first` is set to the first common byte. */
bool byte_set_meet(const ByteSet *, const ByteSet *, uint64_t *first);
bool byte_set_has(const ByteSet *, uint64_t at);
bool byte_set_contains(const ByteSet *, const ByteSet *part);
/* Sets in `map` the bit of each byte of the set. */
void byte_set_mark(const ByteSet *, uint8_t *map);
void byte_set_clear(ByteSet *);

#endif
