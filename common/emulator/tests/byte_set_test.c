/* Tests sets of bytes against arrays that have one flag per byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "observe/byte_set.h"

enum { BYTES = 5 * SET_CHUNK, ROUNDS = 400 };

static unsigned number(unsigned below) {
  static unsigned state = 1;
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

/* Returns a set of ranges in ascending order, some of which begin or end at the edge of a chunk.
 * Sets the same bytes in `flags`. */
static ByteSet some_set(bool flags[BYTES]) {
  ByteSet set = {0};
  memset(flags, 0, BYTES);
  for (uint64_t from = number(BYTES); from < BYTES;) {
    uint64_t to = from + 1 + number(number(3) ? 100 : 3 * SET_CHUNK);
    to = number(4) ? to : (to + SET_CHUNK - 1) / SET_CHUNK * SET_CHUNK;
    to = to < BYTES ? to : BYTES;
    byte_set_add(&set, from, to);
    memset(flags + from, true, to - from);
    from = to + number(number(3) ? 300 : SET_CHUNK);
    from = number(4) ? from : (from + SET_CHUNK - 1) / SET_CHUNK * SET_CHUNK;
  }
  return set;
}

static void expect_same(const ByteSet *set, const bool flags[BYTES]) {
  static uint8_t map[BYTES / 8];
  memset(map, 0, sizeof map);
  byte_set_mark(set, map);
  for (unsigned i = 0; i < BYTES; i++) {
    assert_int_equal(map[i / 8] >> i % 8 & 1, flags[i]);
    assert_int_equal(byte_set_has(set, i), flags[i]);
  }
}

static void sets_hold_what_was_added(void **state) {
  static bool flags[BYTES];
  (void)state;
  for (int round = 0; round < ROUNDS / 4; round++) {
    ByteSet set = some_set(flags);
    expect_same(&set, flags);
    byte_set_clear(&set);
  }
}

static void two_sets(void **state) {
  static bool one[BYTES], other[BYTES];
  int met = 0, contained = 0;
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    ByteSet a = some_set(one), b = some_set(other);
    uint64_t first, expected = 0;
    bool part = true;
    while (expected < BYTES && !(one[expected] && other[expected]))
      expected++;
    for (int i = 0; i < BYTES; i++)
      part = part && (one[i] || !other[i]);
    assert_int_equal(byte_set_meet(&a, &b, &first), expected < BYTES);
    assert_true(expected == BYTES || first == expected);
    assert_int_equal(byte_set_contains(&a, &b), part);
    met += expected < BYTES;
    byte_set_join(&a, &b);
    assert_true(byte_set_contains(&a, &b));
    for (int i = 0; i < BYTES; i++)
      one[i] = one[i] || other[i];
    if (round % 8 == 0)
      expect_same(&a, one);
    contained += part;
    byte_set_clear(&a);
    byte_set_clear(&b);
  }
  assert_in_range(met, ROUNDS / 10, ROUNDS * 9 / 10);
  assert_in_range(contained, 1, ROUNDS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_hold_what_was_added),
                                     cmocka_unit_test(two_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
