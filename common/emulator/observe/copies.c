/* Records hashes of all data that is copied to the host and to the device, and logs them. The
 * checker uses the hashes to decide whether a result came from the device.
 *
 * The hash of 4-byte words w is the sum of w[i]·R^i modulo 2^64. The hashes of adjacent ranges can
 * be combined. Therefore the hash of rows that are copied one by one, in any order, is the same as
 * for one copy of all rows. Only the longest ranges are logged, because results are long ranges. If
 * there are too many ranges, the shortest is dropped. */
#include "copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator.h"
#include "log.h"

#define R UINT64_C(0x9e3779b97f4a7c15)
enum { STRETCHES_MOST = 1024, LOGGED_MOST = 64, LANES = 8 };

typedef struct Stretches {
  Stretch all[STRETCHES_MOST];
  size_t count;
} Stretches;

static Stretches to_device, to_host;
static size_t shared;

static uint64_t power(size_t exponent) {
  uint64_t result = 1;
  for (uint64_t base = R; exponent; base *= base, exponent /= 2)
    if (exponent % 2)
      result *= base;
  return result;
}

/* Adds word i of a block of LANES words to sums[i]. With separate sums, the multiplications are
 * independent of each other. */
static void take_block(uint64_t *sums, const uint8_t *data, size_t bytes, uint64_t step) {
  uint32_t words[LANES] = {0};
  memcpy(words, data, bytes);
  for (size_t i = 0; i < LANES; i++)
    sums[i] = sums[i] * step + words[i];
}

uint64_t emulator_hash(const void *data, size_t bytes) {
  const uint8_t *from = data;
  uint64_t sums[LANES] = {0}, hash = 0, step = power(LANES);
  size_t block = LANES * sizeof(uint32_t), whole = bytes / block * block;
  if (bytes > whole)
    take_block(sums, from + whole, bytes - whole, step);
  for (size_t at = whole; at > 0; at -= block)
    take_block(sums, from + at - block, block, step);
  for (size_t i = LANES; i-- > 0;)
    hash = hash * R + sums[i];
  return hash;
}

Stretch copies_stretch(uint64_t host, uint64_t device, const void *data, size_t bytes) {
  return (Stretch){host, device, bytes, emulator_hash(data, bytes)};
}

Stretch copies_join(Stretch first, Stretch second) {
  first.hash += second.hash * power((first.bytes + 3) / 4);
  first.bytes += second.bytes;
  return first;
}

Stretch copies_alone(Stretch stretch) {
  return (Stretch){.bytes = stretch.bytes, .hash = stretch.hash};
}

/* Returns true if the second range begins where the first ends, on the host or on the device. One
 * side is enough, because a program may copy all rows through the same small buffer on the other
 * side. */
static bool follows(const Stretch *first, const Stretch *second) {
  return first->host + first->bytes == second->host ||
         first->device + first->bytes == second->device;
}

static Stretch *place(Stretches *stretches) {
  if (stretches->count < STRETCHES_MOST)
    return &stretches->all[stretches->count++];
  Stretch *shortest = stretches->all;
  for (size_t i = 1; i < STRETCHES_MOST; i++)
    if (stretches->all[i].bytes < shortest->bytes)
      shortest = &stretches->all[i];
  return shortest;
}

void copies_add(bool host, Stretch added) {
  Stretches *stretches = host ? &to_host : &to_device;
  for (size_t i = stretches->count; i-- > 0;) {
    Stretch *old = &stretches->all[i];
    bool behind = follows(old, &added);
    if (!behind && !follows(&added, old))
      continue;
    added = behind ? copies_join(*old, added) : copies_join(added, *old);
    *old = stretches->all[--stretches->count];
    /* The joined range may be adjacent to ranges that were compared already, so start again. */
    i = stretches->count;
  }
  *place(stretches) = added;
}

void copies_shared(size_t bytes) {
  if (bytes > shared)
    shared = bytes;
}

static int longest_first(const void *a, const void *b) {
  const Stretch *one = a, *other = b;
  if (one->bytes != other->bytes)
    return one->bytes < other->bytes ? 1 : -1;
  return (one->hash > other->hash) - (one->hash < other->hash);
}

static json_t *stretches_json(Stretches *stretches) {
  json_t *list = json_array();
  qsort(stretches->all, stretches->count, sizeof *stretches->all, longest_first);
  for (size_t i = 0; i < stretches->count && i < LOGGED_MOST; i++) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, stretches->all[i].hash);
    json_array_append_new(
        list, json_pack("{s:I, s:s}", "bytes", (json_int_t)stretches->all[i].bytes, "hash", hash));
  }
  return list;
}

void copies_log(void) {
  log_event(json_pack("{s:s, s:o, s:o, s:I}", "event", "copies", "to_device",
                      stretches_json(&to_device), "to_host", stretches_json(&to_host), "shared",
                      (json_int_t)shared));
}
