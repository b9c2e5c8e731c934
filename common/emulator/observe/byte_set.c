/* Implements sets of bytes: adds runs of chunks, joins sets and compares them (byte_set.h). */
#include "byte_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static ByteRun *append(ByteSet *s, uint64_t first, uint64_t end, const uint64_t *bits) {
  if (s->count == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 4;
    s->runs = realloc(s->runs, s->capacity * sizeof *s->runs);
    assert(s->runs);
  }
  ByteRun *run = &s->runs[s->count++];
  *run = (ByteRun){first, end, NULL};
  if (bits) {
    run->bits = malloc(SET_WORDS * sizeof *bits);
    assert(run->bits);
    memcpy(run->bits, bits, SET_WORDS * sizeof *bits);
    s->parts++;
  }
  return run;
}

static bool is_full(const uint64_t *bits) {
  uint64_t all = UINT64_MAX;
  for (int i = 0; i < SET_WORDS; i++)
    all &= bits[i];
  return all == UINT64_MAX;
}

/* Adds the complete chunks [first, end) at the end of the set. The last run may already contain
 * chunk `first`. */
static void add_whole(ByteSet *s, uint64_t first, uint64_t end) {
  ByteRun *last = s->count ? &s->runs[s->count - 1] : NULL;
  if (last && last->bits && last->first == first) {
    free(last->bits);
    s->count--;
    s->parts--;
    last = s->count ? &s->runs[s->count - 1] : NULL;
  }
  if (last && !last->bits && last->end >= first)
    last->end = end > last->end ? end : last->end;
  else if (first < end)
    append(s, first, end, NULL);
}

void byte_set_add_bits(ByteSet *s, uint64_t chunk, const uint64_t *bits) {
  ByteRun *last = s->count ? &s->runs[s->count - 1] : NULL;
  assert(!last || last->first <= chunk);
  if (last && last->end > chunk) {
    /* The last run already contains bytes of this chunk. */
    if (!last->bits)
      return;
    for (int i = 0; i < SET_WORDS; i++)
      last->bits[i] |= bits[i];
    if (is_full(last->bits))
      add_whole(s, chunk, chunk + 1);
  } else if (is_full(bits)) {
    add_whole(s, chunk, chunk + 1);
  } else {
    append(s, chunk, chunk + 1, bits);
  }
}

static void add_part(ByteSet *s, uint64_t from, uint64_t to) {
  uint64_t bits[SET_WORDS] = {0};
  const uint64_t chunk = from / SET_CHUNK;
  for (uint64_t at = from % SET_CHUNK, end = to - chunk * SET_CHUNK; at < end;) {
    unsigned n = end - at < 64 - at % 64 ? (unsigned)(end - at) : (unsigned)(64 - at % 64);
    bits[at / 64] |= (n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1) << at % 64;
    at += n;
  }
  byte_set_add_bits(s, chunk, bits);
}

void byte_set_add(ByteSet *s, uint64_t from, uint64_t to) {
  uint64_t whole = (from + SET_CHUNK - 1) / SET_CHUNK, end = to / SET_CHUNK;
  if (from >= to)
    return;
  if (whole > end || (whole == end && from / SET_CHUNK == (to - 1) / SET_CHUNK)) {
    add_part(s, from, to);
    return;
  }
  if (from < whole * SET_CHUNK)
    add_part(s, from, whole * SET_CHUNK);
  if (whole < end)
    add_whole(s, whole, end);
  if (end * SET_CHUNK < to)
    add_part(s, end * SET_CHUNK, to);
}

/* ---- two sets -------------------------------------------------------------------------------- */
void byte_set_join(ByteSet *s, const ByteSet *other) {
  ByteSet all = {0};
  size_t i = 0, k = 0;
  while (i < s->count || k < other->count) {
    bool mine = k == other->count || (i < s->count && s->runs[i].first <= other->runs[k].first);
    const ByteRun *run = mine ? &s->runs[i++] : &other->runs[k++];
    if (run->bits)
      byte_set_add_bits(&all, run->first, run->bits);
    else
      add_whole(&all, run->first, run->end);
  }
  byte_set_clear(s);
  *s = all;
}

static uint64_t word_of(const ByteRun *run, int i) { return run->bits ? run->bits[i] : UINT64_MAX; }

/* Finds the first common byte of two runs whose chunks overlap. Returns false if the runs have no
 * common byte. */
static bool meet_in_chunk(const ByteRun *a, const ByteRun *b, uint64_t *first) {
  const uint64_t chunk = a->first > b->first ? a->first : b->first;
  for (int i = 0; i < SET_WORDS; i++) {
    uint64_t both = word_of(a, i) & word_of(b, i);
    if (!both)
      continue;
    *first = chunk * SET_CHUNK + (uint64_t)i * 64 + (unsigned)__builtin_ctzll(both);
    return true;
  }
  return false;
}

bool byte_set_meet(const ByteSet *a, const ByteSet *b, uint64_t *first) {
  size_t i = 0, k = 0;
  while (i < a->count && k < b->count) {
    const ByteRun *one = &a->runs[i], *other = &b->runs[k];
    bool overlap = one->first < other->end && other->first < one->end;
    if (overlap && meet_in_chunk(one, other, first))
      return true;
    if (one->end <= other->end)
      i++;
    else
      k++;
  }
  return false;
}

/* Returns the run that contains the chunk; NULL: no run contains it. The search begins at run
 * number *at. Sets *at to the number of the run where the search ended. */
static const ByteRun *run_at(const ByteSet *s, size_t *at, uint64_t chunk) {
  while (*at < s->count && s->runs[*at].end <= chunk)
    ++*at;
  return *at < s->count && s->runs[*at].first <= chunk ? &s->runs[*at] : NULL;
}

bool byte_set_has(const ByteSet *s, uint64_t at) {
  size_t i = 0;
  const ByteRun *run = run_at(s, &i, at / SET_CHUNK);
  return run && word_of(run, (int)(at % SET_CHUNK / 64)) >> at % 64 & 1;
}

bool byte_set_contains(const ByteSet *s, const ByteSet *part) {
  size_t at = 0;
  for (size_t i = 0; i < part->count; i++) {
    const ByteRun *run = &part->runs[i];
    for (uint64_t chunk = run->first; chunk < run->end;) {
      const ByteRun *here = run_at(s, &at, chunk);
      if (!here)
        return false;
      if (here->bits)
        for (int k = 0; k < SET_WORDS; k++)
          if (word_of(run, k) & ~here->bits[k])
            return false;
      chunk = here->end;
    }
  }
  return true;
}

void byte_set_mark(const ByteSet *s, uint8_t *map) {
  for (size_t i = 0; i < s->count; i++) {
    const ByteRun *run = &s->runs[i];
    uint8_t *to = map + run->first * (SET_CHUNK / 8);
    const uint8_t *bits = (const uint8_t *)run->bits;
    if (!bits)
      memset(to, 0xff, (run->end - run->first) * (SET_CHUNK / 8));
    for (int k = 0; bits && k < SET_CHUNK / 8; k++)
      to[k] |= bits[k];
  }
}

void byte_set_clear(ByteSet *s) {
  for (size_t i = 0; i < s->count; i++)
    free(s->runs[i].bits);
  free(s->runs);
  *s = (ByteSet){0};
}
