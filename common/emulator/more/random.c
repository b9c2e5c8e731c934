/* Reports threads that initialise cuRAND with the same seed, subsequence and offset, and therefore
 * get the same random numbers. curand_init in curand_kernel.h calls call_curand_init. A table
 * stores the first thread of each sequence.
 *
 * The table has a fixed number of entries. If two sequences have the same entry, the sequence with
 * the smaller (seed, subsequence, offset) is kept. In this way the reports do not depend on the
 * order in which threads run. */
#include "random.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../machine/calls.h"
#include "../runtime/runtime.h"

enum { PLACES = 256, KEY_WORDS = 3 };

typedef struct Started {
  bool used;
  /* The seed, the subsequence and the offset. */
  uint64_t key[KEY_WORDS];
  /* The start order of the block of the first thread. */
  uint64_t start_order;
  /* Number of the first thread in its block. */
  uint32_t thread;
  ReportPlace place;
} Started;

static Started started[PLACES];
static bool any_started;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void report_same(const Started *later, const Started *earlier, const Warp *w) {
  Report r = report_make(REPORT_SAME_NUMBERS);
  r.kernel = w->block->run->function->name;
  r.start_order = later->start_order;
  r.at = later->place;
  r.other = earlier->place;
  strcpy(r.at.did, "starts a sequence");
  strcpy(r.other.did, "starts the same one");
  if (report_again(&r))
    return;
  snprintf(r.sentence, sizeof r.sentence,
           "threads draw the same random numbers: curand_init was given the same seed, subsequence "
           "and offset");
  report_file(&r);
}

static bool comes_before(const Started *a, const Started *b) {
  return a->start_order != b->start_order ? a->start_order < b->start_order : a->thread < b->thread;
}

static int compare_keys(const uint64_t *a, const uint64_t *b) {
  for (int i = 0; i < KEY_WORDS; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

static Started *place_for(const uint64_t *key) {
  const uint64_t mixed = (key[0] * 31 + key[1]) * 31 + key[2];
  return &started[mixed % PLACES];
}

static void note(const Warp *w, const Started *now) {
  Started *known = place_for(now->key);
  const int order = known->used ? compare_keys(now->key, known->key) : -1;
  if (order < 0)
    *known = *now;
  if (order != 0 || (known->start_order == now->start_order && known->thread == now->thread))
    return;
  const bool first = comes_before(now, known);
  report_same(first ? known : now, first ? now : known, w);
  if (first)
    *known = *now;
}

void call_curand_init(Warp *w, const PtxCall *call, unsigned lanes) {
  if (!w->block->run->checks)
    return;
  pthread_mutex_lock(&lock);
  any_started = true;
  EACH_SET(lane, lanes) {
    Started now = {.used = true,
                   .start_order = w->block->start_order,
                   .thread = w->number * WARP_LANES + lane};
    for (uint32_t i = 0; i < KEY_WORDS; i++)
      get_argument(w, call, lane, i, &now.key[i], sizeof now.key[i]);
    mistake_place(&now.place, w, lane, call_line(w));
    note(w, &now);
  }
  pthread_mutex_unlock(&lock);
}

void random_grid_ended(void) {
  if (any_started)
    memset(started, 0, sizeof started);
  any_started = false;
}

void emulator_same_generators(const char *call) {
  static bool told;
  if (told)
    return;
  told = true;
  Report r = report_make(REPORT_SAME_NUMBERS);
  snprintf(r.sentence, sizeof r.sentence, "%s makes the numbers that another generator has made",
           call);
  r.cause = "Generators with the same seed make the same numbers. Give each a seed of its own "
            "with curandSetPseudoRandomGeneratorSeed, or an offset.";
  strcpy(r.at.did, "called here");
  CallSite here;
  call_site(&here);
  report_file_from(&r, &here, NULL);
}
