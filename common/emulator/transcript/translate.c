/* Translates data of the recorded program to data of the replay, whose inputs differ. Suppose that
 * the recorded program sent an element to the device that is equal to an element of its inputs, or
 * of data that it had received from the device. Then the replay sends the element at the same
 * position of its own inputs or received data.
 *
 * An element may occur at several positions. The search prefers the position that continues a
 * sequence of previously translated elements, so that rows, columns and tiles are found as a whole.
 * Its second choice is a position at which the following element matches too; its third choice is
 * any position. Zeros and the contents of new memory (all bits 1) are translated only if they
 * continue a sequence. */
#include "transcript.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX };

typedef struct Pair {
  uint64_t seen, now;
  /* The index of the next pair with the same hash. */
  uint32_t next;
} Pair;

static Pair *pairs;
static uint32_t pair_count, pair_room;
static uint32_t *buckets, bucket_bits;

static uint32_t bucket_of(uint64_t seen) {
  return (uint32_t)(seen * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bucket_bits));
}

static void enter(uint32_t i) {
  uint32_t *bucket = &buckets[bucket_of(pairs[i].seen)];
  pairs[i].next = *bucket;
  *bucket = i;
}

/* If the table of pairs is full, doubles its capacity. */
static void grow(void) {
  if (pair_count < pair_room)
    return;
  bucket_bits = bucket_bits ? bucket_bits + 1 : 12;
  pair_room = 1u << bucket_bits;
  pairs = realloc(pairs, pair_room * sizeof *pairs);
  free(buckets);
  buckets = malloc(pair_room * sizeof *buckets);
  if (!pairs || !buckets)
    exit(2);
  memset(buckets, 0xff, pair_room * sizeof *buckets);
  for (uint32_t i = 0; i < pair_count; i++)
    enter(i);
}

static bool is_common(uint64_t word, size_t element) {
  return word == 0 || word == (element == 4 ? UINT32_MAX : UINT64_MAX);
}

static bool stands_at(uint64_t word, uint32_t at) {
  return at < pair_count && pairs[at].seen == word;
}

/* Returns the index of a pair whose recorded element is `word`; NOWHERE: there is no such pair.
 * `following`: the element after `word`, or NULL. */
static uint32_t place_of(uint64_t word, const uint64_t *following) {
  enum { TRIED_MOST = 64 };
  uint32_t first = NOWHERE;
  unsigned tried = 0;
  for (uint32_t at = pair_count ? buckets[bucket_of(word)] : NOWHERE;
       at != NOWHERE && tried < TRIED_MOST; at = pairs[at].next) {
    if (pairs[at].seen != word)
      continue;
    tried++;
    first = first == NOWHERE ? at : first;
    if (!following || stands_at(*following, at + 1))
      return at;
  }
  return first;
}

void translate_learn(const void *seen, const void *now, size_t bytes, size_t element) {
  for (size_t at = 0; bytes - at >= element; at += element) {
    Pair pair = {.seen = 0, .next = NOWHERE};
    memcpy(&pair.seen, (const uint8_t *)seen + at, element);
    memcpy(&pair.now, (const uint8_t *)now + at, element);
    grow();
    pairs[pair_count++] = pair;
    enter(pair_count - 1);
  }
}

/* A sequence of translated elements. `last`: the index of its last pair. `step`: the difference
 * between the indices of its pairs. Several sequences are stored, because parts of several operands
 * may alternate. */
typedef struct Trail {
  uint32_t last, step;
} Trail;
enum { TRAILS = 8 };
static Trail trails[TRAILS];
static unsigned trail_count;

/* Finds a sequence that `word` continues, with the step of the sequence or with step 1. Moves the
 * sequence to the front and returns the index of the pair; NOWHERE: `word` continues no
 * sequence. */
static uint32_t follow(uint64_t word) {
  for (unsigned i = 0; i < trail_count; i++) {
    Trail trail = trails[i];
    if (!stands_at(word, trail.last + trail.step))
      trail.step = 1;
    if (!stands_at(word, trail.last + trail.step))
      continue;
    trail.last += trail.step;
    memmove(trails + 1, trails, i * sizeof *trails);
    trails[0] = trail;
    return trail.last;
  }
  return NOWHERE;
}

/* Called if pair `at` was found without a sequence. `same_piece`: the previous element of the same
 * data was found too. If so, the pair continues the first sequence with a new step. Otherwise it
 * starts a new sequence. */
static void tread(uint32_t at, bool same_piece) {
  bool on = same_piece && trail_count && at > trails[0].last;
  if (on) {
    trails[0] = (Trail){at, at - trails[0].last};
    return;
  }
  trail_count += trail_count < TRAILS;
  memmove(trails + 1, trails, (trail_count - 1) * sizeof *trails);
  trails[0] = (Trail){at, 1};
}

size_t translate(void *data, size_t bytes, size_t element, uint8_t *literal) {
  size_t literals = 0;
  bool same_piece = false;
  for (size_t at = 0; bytes - at >= element; at += element) {
    uint64_t word = 0, following = 0;
    bool more = bytes - at >= 2 * element;
    memcpy(&word, (uint8_t *)data + at, element);
    if (more)
      memcpy(&following, (uint8_t *)data + at + element, element);
    uint32_t from = follow(word);
    if (from == NOWHERE && !is_common(word, element)) {
      from = place_of(word, more ? &following : NULL);
      if (from != NOWHERE)
        tread(from, same_piece);
    }
    same_piece = from != NOWHERE;
    if (literal)
      literal[at / element] = from == NOWHERE;
    literals += from == NOWHERE && !is_common(word, element);
    if (from != NOWHERE)
      memcpy((uint8_t *)data + at, &pairs[from].now, element);
  }
  return literals;
}
