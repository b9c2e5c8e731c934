/* Finds the shape of a request, and computes the properties of each new shape (lanes.h). */
#include <assert.h>
#include <stdlib.h>

#include "lanes.h"

/* Returns true if all lanes are active and the addresses in each aligned group of `run` lanes are
 * consecutive. */
static bool has_runs(const Shape *s, unsigned run, unsigned bytes) {
  uint32_t differ = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    differ |= s->offset[lane] ^ (s->offset[lane & ~(run - 1)] + lane % run * bytes);
  return s->lanes == ALL_LANES && !differ;
}

/* Maximum number of shapes that are stored per instruction. */
#define SHAPES_KEPT 8
/* Number of consecutive requests with unknown shapes after which only every STRANGERS-th request is
 * compared with the stored shapes. */
#define STRANGERS 64

static Shape *shape_make(void) {
  Shape *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  assert(s);
  memset(s, 0, sizeof *s);
  return s;
}

void shapes_free(Shape *s) {
  for (Shape *next; s; s = next) {
    next = s->next;
    free(s);
  }
}

/* If a stored shape describes the request, moves it to the front of the list. Otherwise makes a new
 * shape, or overwrites the least recently used shape. */
const Shape *shape_find(Recent *recent, uint32_t lanes, const uint64_t *address, unsigned bytes) {
  if (recent->strangers >= STRANGERS && recent->strangers++ % STRANGERS)
    return shape_learn(recent->shape, lanes, address, bytes) ? recent->shape : NULL;
  const unsigned end = 31 - (unsigned)__builtin_clz(lanes);
  const uint32_t offset = (uint32_t)(address[end] - address[lowest(lanes)]);
  Shape **at = &recent->shape, **last = at, *s;
  unsigned n = 0;
  for (; (s = *at) != NULL; last = at, at = &s->next, n++)
    if (s->lanes == lanes && s->offset[end] == offset && shape_is(s, lanes, address))
      break;
  const bool known = s;
  recent->strangers = known ? 0 : recent->strangers + 1;
  if (known) {
    *at = s->next;
  } else if (n < SHAPES_KEPT) {
    s = shape_make();
  } else {
    s = *last;
    *last = NULL;
  }
  s->next = recent->shape;
  recent->shape = s;
  return known || shape_learn(s, lanes, address, bytes) ? s : NULL;
}

const Shape *shape_find_narrow(Recent *recent, uint32_t lanes, const uint32_t *address,
                               unsigned bytes) {
  const uint32_t first = address[lowest(lanes)];
  uint64_t wide[WARP_LANES];
  for (int lane = 0; lane < WARP_LANES; lane++)
    wide[lane] = (uint64_t)(int64_t)(int32_t)(address[lane] - first);
  return shape_find(recent, lanes, wide, bytes);
}

uint32_t shape_find_places(Shape *s) {
  const uint32_t firsts = lanes_first(s->offset, s->lanes);
  const bool apart = firsts == s->lanes;
  memset(s->several, 0, sizeof s->several);
  EACH_SET(first, firsts) {
    uint32_t equal[WARP_LANES], all = 1u << first;
    for (int lane = 0; lane < WARP_LANES && !apart; lane++)
      equal[lane] = s->offset[lane] == s->offset[first] ? UINT32_MAX : 0;
    if (!apart)
      all = lanes_from_truth(equal) & s->lanes;
    s->place[s->nplaces] = (uint8_t)first;
    s->lanes_of_place[s->nplaces++] = all;
    for (int lane = 0; lane < WARP_LANES && all & (all - 1); lane++)
      s->several[lane] |= equal[lane];
  }
  return s->nplaces;
}

uint32_t shape_find_words(Shape *s, unsigned bytes) {
  const uint32_t words = (s->span + 3) / 4,
                 padded = (words + VEC32_LANES - 1) / VEC32_LANES * VEC32_LANES;
  uint32_t odd = bytes % 4;
  s->words_asked = true;
  s->words_shared = false;
  s->nwords = 0;
  EACH_SET(lane, s->lanes) odd |= (s->offset[lane] + s->below) % 4;
  if (odd || padded > SHAPE_WORDS)
    return 0;
  s->nwords = padded;
  memset(s->lane_of_word, 0xff, padded * sizeof *s->lane_of_word);
  memset(s->several_of_word, 0, padded * sizeof *s->several_of_word);
  EACH_SET(each, s->lanes)
  for (uint32_t i = 0, at = (s->offset[each] + s->below) / 4; i < bytes / 4; i++) {
    if (s->lane_of_word[at + i] == NO_LANE)
      s->lane_of_word[at + i] = each;
    else
      s->several_of_word[at + i] = UINT32_MAX, s->words_shared = true;
  }
  return padded;
}

/* Returns true if the offset changes at most FEW_PLACES - 1 times from lane to lane. Then there are
 * at most FEW_PLACES distinct offsets. Most shapes have more; the first four pairs of lanes usually
 * show this quickly. */
static bool has_few_places(const Shape *s) {
  uint32_t changes = 1;
  if (s->offset[0] != s->offset[1] && s->offset[2] != s->offset[3] &&
      s->offset[4] != s->offset[5] && s->offset[6] != s->offset[7])
    return false;
  for (int lane = 1; lane < WARP_LANES; lane++)
    changes += s->offset[lane] != s->offset[lane - 1];
  return changes <= FEW_PLACES;
}

bool shape_learn(Shape *s, uint32_t lanes, const uint64_t *address, unsigned bytes) {
  const uint64_t first = address[lowest(lanes)];
  uint64_t far = 0;
  int32_t least = 0, most = 0;
  uint32_t odd = 0;
  truth_from_lanes(s->member, lanes);
  for (int lane = 0; lane < WARP_LANES; lane++) {
    const uint64_t offset = address[lane] - first;
    far |= s->member[lane] ? (offset + SHAPE_REACH) & ~(2 * SHAPE_REACH - 1) : 0;
    s->offset[lane] = (uint32_t)offset & s->member[lane];
  }
  s->lanes = 0;
  if (far)
    return false;
  for (int lane = 0; lane < WARP_LANES; lane++) {
    const int32_t offset = (int32_t)s->offset[lane];
    least = offset < least ? offset : least;
    most = offset > most ? offset : most;
    odd |= (uint32_t)offset;
  }
  s->lanes = lanes;
  s->nlanes = (unsigned)__builtin_popcount(lanes);
  s->below = 0 - (uint32_t)least;
  s->span = (uint32_t)most - (uint32_t)least + bytes;
  s->odd = odd;
  s->runs = s->offset[1] - s->offset[0] == bytes && has_runs(s, 8, bytes);
  s->row = s->runs && has_runs(s, WARP_LANES, bytes);
  s->in_window = s->span <= SHAPE_WINDOW && odd % 4 == 0;
  for (int lane = 0; lane < WARP_LANES && s->in_window; lane++)
    s->word[lane] = (s->offset[lane] - (uint32_t)least) / 4;
  s->nplaces = 0;
  s->words_asked = false;
  memset(s->sectors, 0, sizeof s->sectors);
  memset(s->cost_key, 0, sizeof s->cost_key);
  if (has_few_places(s))
    shape_find_places(s);
  return true;
}
