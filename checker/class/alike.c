/* Finds submissions that share code which is not in the handout, by winnowing (Schleimer,
 * Wilkerson, Aiken: "Winnowing: Local Algorithms for Document Fingerprinting"). Each run of RUN
 * consecutive tokens has a hash. Winnowing keeps the smallest hash of each WINDOW consecutive
 * hashes. Therefore two files that share RUN + WINDOW - 1 consecutive tokens have a kept hash in
 * common. Files with at least SEEN_LEAST kept hashes in common are compared with all their hashes.
 *
 * Runs of the handout do not count. A student's own tokens are those that are not in the handout. A
 * pair is reported if nearly all own tokens of one student are in the other file, and few other
 * files are as similar to one of the two files. If a task has one obvious solution, many files are
 * similar by chance. Then a pair is reported only if nearly all tokens are equal (SAME) and the
 * files have many own tokens (OWN_LONG). */
#include "alike.h"

#include <stdlib.h>
#include <string.h>

enum {
  RUN = 9,
  WINDOW = 4,
  SEEN_LEAST = 6,  /* The minimum of common kept runs for a full comparison. */
  OWN_LEAST = 120, /* Files with fewer own tokens are not compared. */
  OWN_LONG = 200   /* This many equal tokens are not chance. */
};
static const double INSIDE = 0.95, SHARE_LEAST = 0.8, NEAR = 0.05, SAME = 0.995;

/* Returns a limit. If more files than this limit are similar to one file, they are all assumed to
 * follow the obvious solution. */
static size_t crowd_from(size_t students) { return students / 8 > 5 ? students / 8 : 5; }

/* ---- fingerprints ---------------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b) {
  const Print *x = a, *y = b;
  return x->hash != y->hash ? (x->hash > y->hash ? 1 : -1) : (x->at > y->at) - (x->at < y->at);
}

static void *need(void *memory) {
  if (!memory)
    bad_input("not enough memory to compare the class");
  return memory;
}

/* Returns the fingerprints of all runs, in the order of the text. */
static Print *all_prints(const Tokens *tokens, size_t *count) {
  *count = tokens->count >= RUN ? tokens->count - RUN + 1 : 0;
  Print *prints = need(calloc(*count + 1, sizeof *prints));
  for (size_t i = 0; i < *count; i++) {
    uint32_t kinds[RUN];
    for (size_t j = 0; j < RUN; j++)
      kinds[j] = tokens->all[i + j].kind;
    prints[i] = (Print){hash_bytes(kinds, sizeof kinds), i, false};
  }
  return prints;
}

static bool contains(const Print *sorted, size_t count, uint64_t hash) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (sorted[middle].hash < hash)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && sorted[low].hash == hash;
}

/* Sets `kept` for the smallest of each WINDOW consecutive hashes. If several hashes are equal, sets
 * `kept` for the last of them. */
static void winnow(Print *prints, size_t count) {
  for (size_t from = 0; from + WINDOW <= count; from++) {
    size_t least = from;
    for (size_t i = from + 1; i < from + WINDOW; i++)
      if (prints[i].hash <= prints[least].hash)
        least = i;
    prints[least].kept = true;
  }
}

/* ---- one work -------------------------------------------------------------------------------- */

static char *read_file(const char *path) {
  FILE *in = fopen(path, "r");
  char *text = NULL;
  size_t size = 0;
  if (in && getdelim(&text, &size, '\0', in) < 0)
    text[0] = '\0';
  if (in)
    fclose(in);
  return text;
}

/* Marks the tokens of each run that is also in the handout. */
static void mark_given(Work *work, const Print *prints, size_t count, const Print *given,
                       size_t given_count) {
  work->given = need(calloc(work->tokens.count + 1, sizeof *work->given));
  for (size_t i = 0; i < count; i++)
    if (contains(given, given_count, prints[i].hash))
      memset(work->given + i, true, RUN * sizeof *work->given);
  for (size_t i = 0; i < work->tokens.count; i++)
    work->own += !work->given[i];
}

/* Truncates a very long text. TOKENS_MOST tokens with usual comments are shorter than TEXT_MOST. */
static void keep_beginning(Work *work) {
  enum { TEXT_MOST = 256 << 10 };
  if (strlen(work->text) <= TEXT_MOST)
    return;
  work->text[TEXT_MOST] = '\0';
  work->text = need(realloc(work->text, TEXT_MOST + 1));
}

static void fingerprint(Work *work, const Print *given, size_t given_count) {
  size_t count, left = 0;
  work->all_text = alike_hash(work->text);
  keep_beginning(work);
  work->tokens = tokens_read(work->text);
  work->prints = all_prints(&work->tokens, &count);
  winnow(work->prints, count);
  mark_given(work, work->prints, count, given, given_count);
  for (size_t i = 0; i < count; i++)
    if (!contains(given, given_count, work->prints[i].hash))
      work->prints[left++] = work->prints[i];
  work->print_count = left;
  qsort(work->prints, left, sizeof *work->prints, by_hash);
}

static char *read_source(const char *folder, const char *lab) {
  char path[1400], source[80];
  lab_source_name(lab, source);
  snprintf(path, sizeof path, "%s/%s/%s", folder, lab, source);
  return read_file(path);
}

static void read_same(Alike *alike, const Class *class, size_t lab, const char *handouts) {
  const char *name = class->labs[lab]->name;
  char *handout = read_source(handouts, name);
  const Work *solution = &alike->works[lab][alike->counts[lab]];
  alike_same_find(alike, lab, handout, alike->has_solution[lab] ? solution->text : NULL);
  free(handout);
}

static void read_works(Alike *alike, const Class *class, size_t lab, const char *handouts) {
  char path[1400], source[80];
  size_t given_count = 0;
  lab_source_name(class->labs[lab]->name, source);
  char *handout = read_source(handouts, class->labs[lab]->name);
  Tokens tokens = tokens_read(handout ? handout : "");
  Print *given = all_prints(&tokens, &given_count);
  qsort(given, given_count, sizeof *given, by_hash);
  alike->works[lab] = need(calloc(class->count + 2, sizeof **alike->works));
  for (size_t i = 0; i < class->count; i++) {
    Work work = {.student = i};
    snprintf(path, sizeof path, "%s/in/%s/%s/%s", class->folder, class->students[i].id,
             class->labs[lab]->name, source);
    if (class->students[i].entries[lab].state == ENTRY_MISSING || !(work.text = read_file(path)))
      continue;
    fingerprint(&work, given, given_count);
    alike->works[lab][alike->counts[lab]++] = work;
  }
  Work solution = {.student = class->count,
                   .text = read_source("solutions", class->labs[lab]->name)};
  alike->has_solution[lab] = solution.text != NULL;
  if (solution.text) {
    fingerprint(&solution, given, given_count);
    alike->works[lab][alike->counts[lab]] = solution;
  }
  free(handout);
  free(given);
  free(tokens.all);
}

/* ---- two works ------------------------------------------------------------------------------- */

static void mark_run(const Work *work, size_t at, bool *marks) {
  for (size_t i = at; i < at + RUN; i++)
    marks[i] = !work->given[i];
}

/* Returns the index after the last fingerprint with the same hash as the fingerprint at `at`. */
static size_t same_from(const Work *work, size_t at) {
  size_t end = at;
  while (end < work->print_count && work->prints[end].hash == work->prints[at].hash)
    end++;
  return end;
}

/* Marks each token that is in any run of the other file. This is faster than alike_mark, but marks
 * more tokens, because one run may match several runs of the other file. */
static size_t cover(const Work *a, const Work *b, bool *in_a, bool *in_b) {
  for (size_t i = 0, j = 0; i < a->print_count && j < b->print_count;) {
    if (a->prints[i].hash < b->prints[j].hash) {
      i = same_from(a, i);
    } else if (a->prints[i].hash > b->prints[j].hash) {
      j = same_from(b, j);
    } else {
      for (size_t end = same_from(a, i); i < end; i++)
        mark_run(a, a->prints[i].at, in_a);
      for (size_t end = same_from(b, j); j < end; j++)
        mark_run(b, b->prints[j].at, in_b);
    }
  }
  return 0;
}

/* A sequence of consecutive tokens that is equal in both files and cannot be extended. */
typedef struct Tile {
  size_t in_a, in_b, length;
} Tile;

typedef struct Tiles {
  Tile *all;
  size_t count, room;
} Tiles;

static void add_tile(Tiles *tiles, size_t in_a, size_t in_b) {
  if (tiles->count == tiles->room) {
    tiles->room = tiles->room * 2 + 256;
    tiles->all = need(realloc(tiles->all, tiles->room * sizeof *tiles->all));
  }
  tiles->all[tiles->count++] = (Tile){in_a, in_b, RUN};
}

/* Adds a tile for each pair of equal fingerprints. If one hash would have more than PAIRS_MOST
 * pairs, or if there would be more than TILES_MOST tiles, only fingerprints with the same index are
 * paired. */
static void pair_prints(Tiles *tiles, const Print *a, size_t a_count, const Print *b,
                        size_t b_count) {
  enum { PAIRS_MOST = 4096, TILES_MOST = 1 << 17 };
  bool all = a_count * b_count <= PAIRS_MOST && tiles->count + a_count * b_count <= TILES_MOST;
  for (size_t i = 0; i < a_count; i++)
    for (size_t j = all ? 0 : i; j < b_count && (all || j == i); j++)
      add_tile(tiles, a[i].at, b[j].at);
}

static int by_diagonal(const void *a, const void *b) {
  const Tile *x = a, *y = b;
  size_t one = x->in_a - x->in_b, other = y->in_a - y->in_b;
  return one != other ? (one > other ? 1 : -1) : (x->in_a > y->in_a) - (x->in_a < y->in_a);
}

static int by_length(const void *a, const void *b) {
  const Tile *x = a, *y = b;
  return x->length != y->length ? (x->length < y->length ? 1 : -1) : by_diagonal(a, b);
}

/* Joins tiles that overlap or are adjacent in both files. */
static void join_tiles(Tiles *tiles) {
  size_t kept = 0;
  qsort(tiles->all, tiles->count, sizeof *tiles->all, by_diagonal);
  for (size_t i = 0; i < tiles->count; i++) {
    Tile *last = kept ? &tiles->all[kept - 1] : NULL, next = tiles->all[i];
    if (last && last->in_a - last->in_b == next.in_a - next.in_b &&
        next.in_a <= last->in_a + last->length)
      last->length = next.in_a + RUN - last->in_a;
    else
      tiles->all[kept++] = next;
  }
  tiles->count = kept;
  qsort(tiles->all, tiles->count, sizeof *tiles->all, by_length);
}

/* A name in file a and the name at the same position of a shared run in file b. */
typedef struct Renamed {
  uint32_t one, other;
  /* in_a, in_b: the indices of the tokens. times: how often `one` is paired with `other`. */
  size_t in_a, in_b, times;
} Renamed;

static int by_names(const void *a, const void *b) {
  const Renamed *x = a, *y = b;
  if (x->one != y->one)
    return x->one < y->one ? -1 : 1;
  return (x->other > y->other) - (x->other < y->other);
}

/* Returns true if this pair is the most frequent pair of its name `one` or of its name `other`. */
static bool usual(const Renamed *names, size_t count, const Renamed *which) {
  bool one = true, other = true;
  for (size_t i = 0; i < count; i++) {
    one &= names[i].one != which->one || names[i].times <= which->times;
    other &= names[i].other != which->other || names[i].times <= which->times;
  }
  return one || other;
}

/* Unmarks tokens whose names are not usually paired. In a copied file, a student replaces a name
 * everywhere. If m replaces n in one place only, the two expressions are different. */
static void unmark_exchanged(Renamed *names, size_t count, bool *in_a, bool *in_b) {
  /* The limit. A file with more pairs of names was not written by hand, so it is not checked. */
  enum { KINDS_MOST = 1000 };
  if (count == 0)
    return;
  Renamed *kinds = need(calloc(count, sizeof *kinds));
  size_t kind_count = 0;
  qsort(names, count, sizeof *names, by_names);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || by_names(&names[i - 1], &names[i]) != 0)
      kinds[kind_count++] = names[i];
    kinds[kind_count - 1].times++;
  }
  for (size_t i = 0, kind = 0; i < count; i++) {
    kind += by_names(&kinds[kind], &names[i]) != 0;
    if (kind_count <= KINDS_MOST && !usual(kinds, kind_count, &kinds[kind]))
      in_a[names[i].in_a] = in_b[names[i].in_b] = false;
  }
  free(kinds);
}

/* Pairs the longest common parts ("tiles") first, as in greedy string tiling (Wise 1993). */
size_t alike_mark(const Work *a, const Work *b, bool *in_a, bool *in_b) {
  Tiles tiles = {NULL, 0, 0};
  for (size_t i = 0, j = 0, i_end, j_end; i < a->print_count && j < b->print_count;) {
    i_end = same_from(a, i), j_end = same_from(b, j);
    uint64_t one = a->prints[i].hash, other = b->prints[j].hash;
    if (one == other)
      pair_prints(&tiles, a->prints + i, i_end - i, b->prints + j, j_end - j);
    i = one <= other ? i_end : i;
    j = other <= one ? j_end : j;
  }
  size_t paired = tiles.count;
  if (tiles.count)
    join_tiles(&tiles);
  Renamed *names = need(calloc(a->tokens.count + 1, sizeof *names));
  size_t name_count = 0;
  for (const Tile *tile = tiles.all; tile < tiles.all + tiles.count; tile++)
    for (size_t i = tile->in_a, j = tile->in_b; i < tile->in_a + tile->length; i++, j++) {
      if (in_a[i] || in_b[j])
        continue;
      in_a[i] = in_b[j] = true;
      if (a->tokens.all[i].name)
        names[name_count++] = (Renamed){a->tokens.all[i].name, b->tokens.all[j].name, i, j, 0};
    }
  unmark_exchanged(names, name_count, in_a, in_b);
  free(names);
  for (size_t i = 0; i < a->tokens.count; i++)
    in_a[i] &= !a->given[i];
  for (size_t i = 0; i < b->tokens.count; i++)
    in_b[i] &= !b->given[i];
  free(tiles.all);
  return paired;
}

static size_t count_marks(const bool *marks, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += marks[i];
  return sum;
}

/* ---- a lab ----------------------------------------------------------------------------------- */

/* A kept run and a file that contains it. */
typedef struct Holder {
  uint64_t hash;
  size_t work;
} Holder;

static int by_holder(const void *a, const void *b) {
  const Holder *x = a, *y = b;
  return x->hash != y->hash ? (x->hash > y->hash ? 1 : -1)
                            : (x->work > y->work) - (x->work < y->work);
}

static Holder *list_holders(const Work *works, size_t count, size_t *all) {
  size_t room = 1;
  for (size_t i = 0; i < count; i++)
    room += works[i].print_count;
  Holder *holders = need(calloc(room, sizeof *holders));
  *all = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < works[i].print_count; j++)
      if (works[i].prints[j].kept && (*all == 0 || holders[*all - 1].work != i ||
                                      holders[*all - 1].hash != works[i].prints[j].hash))
        holders[(*all)++] = (Holder){works[i].prints[j].hash, i};
  qsort(holders, *all, sizeof *holders, by_holder);
  return holders;
}

/* Counts the kept hashes that two files share, for each pair of files: seen[a * count + b] for
 * a < b. The caller frees the array. */
static unsigned *meet(const Work *works, size_t count) {
  size_t all, end;
  unsigned *seen = need(calloc(count * count + 1, sizeof *seen));
  Holder *holders = list_holders(works, count, &all);
  for (size_t from = 0; from < all; from = end) {
    for (end = from; end < all && holders[end].hash == holders[from].hash;)
      end++;
    for (size_t i = from; i < end; i++)
      for (size_t j = i + 1; j < end; j++)
        seen[holders[i].work * count + holders[j].work]++;
  }
  free(holders);
  return seen;
}

static void add_pair(Alike *alike, const Pair *pair) {
  if ((alike->pair_count & (alike->pair_count + 1)) == 0)
    alike->pairs = need(realloc(alike->pairs, (2 * alike->pair_count + 2) * sizeof *alike->pairs));
  alike->pairs[alike->pair_count++] = *pair;
}

static double smaller(double a, double b) { return a < b ? a : b; }

typedef size_t Mark(const Work *, const Work *, bool *, bool *);

/* Compares two files. Adds the number of pairs of equal runs to *paired, which limits the total
 * time. */
static Pair compare_by(Mark *mark, const Alike *alike, size_t lab, size_t a, size_t b,
                       size_t *paired) {
  const Work *one = &alike->works[lab][a], *other = &alike->works[lab][b];
  Pair pair = {.lab = lab, .a = a, .b = b, .student = {one->student, other->student}};
  bool *in_one = need(calloc(one->tokens.count + 1, sizeof *in_one));
  bool *in_other = need(calloc(other->tokens.count + 1, sizeof *in_other));
  *paired += mark(one, other, in_one, in_other);
  pair.share[0] = (double)count_marks(in_one, one->tokens.count) / (double)one->own;
  pair.share[1] = (double)count_marks(in_other, other->tokens.count) / (double)other->own;
  pair.alike = smaller(pair.share[0], pair.share[1]);
  free(in_one);
  free(in_other);
  return pair;
}

/* Compares two files with `cover`, and if they are similar, again with alike_mark, which is slower.
 * After PAIRED_MOST pairs of runs, only `cover` is used. The limit is a thousand times the number
 * of runs in the longest solution. A class without copies does not reach this limit. */
static Pair compare_pair(const Alike *alike, size_t lab, size_t a, size_t b, size_t *paired) {
  enum { PAIRED_MOST = 1 << 24 };
  Pair pair = compare_by(cover, alike, lab, a, b, paired);
  return pair.alike < SHARE_LEAST - NEAR || *paired > PAIRED_MOST
             ? pair
             : compare_by(alike_mark, alike, lab, a, b, paired);
}

/* Returns true if many files are about as similar to this file as `alike`. near[a * count + b] is
 * the similarity of files a and b. */
static bool in_crowd(const double *near, size_t count, size_t work, double alike) {
  size_t others = 0;
  for (size_t i = 0; i < count; i++)
    others += near[work * count + i] >= alike - NEAR;
  return others > crowd_from(count);
}

static bool says_something(const Alike *alike, const Pair *pair, const double *near) {
  const Work *works = alike->works[pair->lab];
  size_t count = alike->counts[pair->lab] + alike->has_solution[pair->lab];
  if (pair->alike < SHARE_LEAST || (pair->share[0] < INSIDE && pair->share[1] < INSIDE))
    return false;
  if (pair->alike >= SAME && works[pair->a].own >= OWN_LONG)
    return true;
  return !in_crowd(near, count, pair->a, pair->alike) &&
         !in_crowd(near, count, pair->b, pair->alike);
}

static void compare_lab(Alike *alike, size_t lab) {
  size_t count = alike->counts[lab] + alike->has_solution[lab], pairs = 0, paired = 0;
  const Work *works = alike->works[lab];
  unsigned *seen = meet(works, count);
  Pair *all = need(calloc(count * count / 2 + 1, sizeof *all));
  double *near = need(calloc(count * count + 1, sizeof *near));
  for (size_t a = 0; a < count; a++) {
    for (size_t b = a + 1; b < count; b++) {
      if (seen[a * count + b] < SEEN_LEAST || works[a].own < OWN_LEAST || works[b].own < OWN_LEAST)
        continue;
      all[pairs] = compare_pair(alike, lab, a, b, &paired);
      near[a * count + b] = near[b * count + a] = all[pairs++].alike;
    }
  }
  for (size_t i = 0; i < pairs; i++)
    if (says_something(alike, &all[i], near) && !alike_same(alike, lab, all[i].a, all[i].b))
      add_pair(alike, &all[i]);
  free(seen);
  free(all);
  free(near);
}

static int by_likeness(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  if (x->alike != y->alike)
    return x->alike < y->alike ? 1 : -1;
  if (x->lab != y->lab)
    return x->lab < y->lab ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

Alike alike_find(const Class *class, const char *handouts) {
  Alike alike = {.pair_count = 0};
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    read_works(&alike, class, lab, handouts);
    read_same(&alike, class, lab, handouts);
    compare_lab(&alike, lab);
  }
  if (alike.pair_count)
    qsort(alike.pairs, alike.pair_count, sizeof *alike.pairs, by_likeness);
  return alike;
}

void alike_free(Alike *alike) {
  for (size_t lab = 0; lab < CLASS_LABS; lab++) {
    for (size_t i = 0; i < alike->counts[lab] + alike->has_solution[lab]; i++) {
      free(alike->works[lab][i].text);
      free(alike->works[lab][i].tokens.all);
      free(alike->works[lab][i].prints);
      free(alike->works[lab][i].given);
    }
    free(alike->works[lab]);
  }
  free(alike->pairs);
  free(alike->same);
}
