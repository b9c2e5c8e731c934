/* Changes with which a wrong file says what a right one says: where both differ, the right one's words. Who began with other
 * names and other statements gets few that compile; who slipped in one place gets that place.
 */
#include "edits_repair.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MOST = EDIT_TEXT, CELLS_MOST = 12000000, RENAMED_MOST = 64, ROUNDS = 3 };
enum { HUNKS_MOST = 64, TOKENS_TOGETHER = 80, SETS_MOST = 400 };

static const char *solution; /* its text; NULL: there is none */
static Token theirs[TOKENS_MOST];
static size_t their_count;

/* One of their names is another one here. */
static struct { size_t their, own; } renamed[RENAMED_MOST];
static size_t renamed_count;

/* Own tokens from..to where theirs are their_from..their_to, and those before and behind are the same. */
typedef struct Hunk {
  size_t from, to, their_from, their_to;
} Hunk;
static Hunk hunks[HUNKS_MOST];
static size_t hunk_count;

void edits_towards(const char *text) {
  solution = text;
  their_count = 0;
  if (!text)
    return;
  text_read(text, false);
  memcpy(theirs, tokens, token_count * sizeof *tokens);
  their_count = token_count;
}

/* ---- what is the same ---------------------------------------------------------------------------- */

static size_t length(const Token *token) { return token->to - token->from; }

static bool is_word(const char *text) { return isalpha((unsigned char)*text) || *text == '_'; }

static bool are_one(size_t own, size_t their) {
  const Token *t = &theirs[their];
  for (size_t i = 0; i < renamed_count; i++) {
    const Token *r = &theirs[renamed[i].their];
    if (length(r) == length(t) && memcmp(solution + r->from, solution + t->from, length(t)) == 0)
      return same_text(own, renamed[i].own);
  }
  return (size_t)length_of(own) == length(t) &&
         memcmp(source + tokens[own].from, solution + t->from, length(t)) == 0;
}

/* How much two tokens in the same place are worth: the same word says more than the same bracket, and a name may stand for
 * another. */
static int worth(size_t own, size_t their) {
  bool word = is_letter(source[tokens[own].from]);
  if (are_one(own, their))
    return word ? 4 : 2;
  return is_name(own) && is_word(solution + theirs[their].from) ? 1 : 0;
}

typedef struct Pair {
  size_t own, their;
} Pair;

/* Own tokens first..last beside theirs their_first..their_last, as much of them the same as can be; returns how many pairs. */
static size_t align(size_t first, size_t last, size_t their_first, size_t their_last, Pair *pairs) {
  const size_t rows = last - first, columns = their_last - their_first;
  int *best = calloc((rows + 1) * (columns + 1), sizeof *best);
  size_t count = 0;
  for (size_t i = rows; best && i-- > 0;)
    for (size_t k = columns; k-- > 0;) {
      int *at = best + i * (columns + 1) + k, here = worth(first + i, their_first + k);
      int together = here ? here + at[columns + 2] : 0;
      *at = at[1] > at[columns + 1] ? at[1] : at[columns + 1];
      *at = together > *at ? together : *at;
    }
  for (size_t i = 0, k = 0; best && i < rows && k < columns;) {
    const int *at = best + i * (columns + 1) + k;
    int here = worth(first + i, their_first + k);
    if (here && *at == here + at[columns + 2])
      pairs[count++] = (Pair){first + i++, their_first + k++};
    else if (*at == at[columns + 1])
      i++;
    else
      k++;
  }
  free(best);
  return count;
}

static bool they_say(size_t own) {
  for (size_t i = 0; i < their_count; i++)
    if (length(&theirs[i]) == (size_t)length_of(own) &&
        memcmp(solution + theirs[i].from, source + tokens[own].from, length(&theirs[i])) == 0)
      return true;
  return false;
}

static bool is_said_here(size_t their) {
  for (size_t i = 0; i < token_count; i++)
    if (length(&theirs[their]) == (size_t)length_of(i) &&
        memcmp(solution + theirs[their].from, source + tokens[i].from, length(&theirs[their])) == 0)
      return true;
  return false;
}

/* Names that stand in one another's place, and that the other file does not have, are one. True: another one was found. */
static bool find_renamed(const Pair *pairs, size_t count) {
  size_t before = renamed_count;
  for (size_t i = 0; i < count && renamed_count < RENAMED_MOST; i++)
    if (is_name(pairs[i].own) && !are_one(pairs[i].own, pairs[i].their) &&
        !they_say(pairs[i].own) && !is_said_here(pairs[i].their)) {
      size_t known = 0;
      while (known < renamed_count && !same_text(renamed[known].own, pairs[i].own))
        known++;
      if (known == renamed_count) {
        renamed[renamed_count].their = pairs[i].their;
        renamed[renamed_count++].own = pairs[i].own;
      }
    }
  return renamed_count > before;
}

/* ---- what is not --------------------------------------------------------------------------------- */

static void add_hunk(Hunk hunk) {
  bool any = hunk.from < hunk.to || hunk.their_from < hunk.their_to;
  if (any && hunk.from > 0 && hunk_count < HUNKS_MOST)
    hunks[hunk_count++] = hunk;
}

/* Own and their tokens that are no pair, or not the same. */
static void find_hunks(size_t first, size_t last, size_t their_first, size_t their_last,
                       const Pair *pairs, size_t count) {
  Hunk hunk = {first, first, their_first, their_first};
  for (size_t i = 0; i < count; i++) {
    if (!are_one(pairs[i].own, pairs[i].their))
      continue;
    hunk.to = pairs[i].own;
    hunk.their_to = pairs[i].their;
    add_hunk(hunk);
    hunk.from = pairs[i].own + 1;
    hunk.their_from = pairs[i].their + 1;
  }
  hunk.to = last;
  hunk.their_to = their_last;
  add_hunk(hunk);
}

static void compare(void) {
  size_t first = 0, last = token_count, their_last = their_count;
  while (first < last && first < their_last && are_one(first, first))
    first++;
  while (last > first && their_last > first && are_one(last - 1, their_last - 1))
    last--, their_last--;
  hunk_count = renamed_count = 0;
  if ((last - first + 1) * (their_last - first + 1) > CELLS_MOST)
    return;
  Pair *pairs = calloc(last - first + 1, sizeof *pairs);
  for (int round = 0; pairs && round < ROUNDS; round++) {
    size_t count = align(first, last, first, their_last, pairs);
    if (round + 1 == ROUNDS || !find_renamed(pairs, count)) {
      find_hunks(first, last, first, their_last, pairs, count);
      break;
    }
  }
  free(pairs);
}

/* ---- changes ------------------------------------------------------------------------------------- */

/* What stands between two tokens, without comments. */
static const char *between(const char *text, size_t from, size_t to) {
  bool line = memchr(text + from, '\n', to - from);
  return line ? "\n" : from < to ? " " : "";
}

/* Their tokens from..to in own names; returns the length, 0 where there is too much. */
static size_t put_theirs(char *out, size_t size, size_t from, size_t to) {
  size_t at = 0;
  for (size_t i = from; i < to; i++) {
    const char *word = solution + theirs[i].from, *gap = "";
    int letters = (int)length(&theirs[i]);
    for (size_t k = 0; k < renamed_count; k++) {
      const Token *r = &theirs[renamed[k].their];
      if (length(r) == (size_t)letters && memcmp(solution + r->from, word, (size_t)letters) == 0) {
        word = source + tokens[renamed[k].own].from;
        letters = length_of(renamed[k].own);
        break;
      }
    }
    if (i > from)
      gap = between(solution, theirs[i - 1].to, theirs[i].from);
    at += (size_t)snprintf(out + at, size - at, "%s%.*s", gap, letters, word);
    if (at >= size)
      return 0;
  }
  return at;
}

/* What is too much goes with the blanks before it. */
static Part part_of_hunk(const Hunk *hunk) {
  const bool all = hunk->from < hunk->to, some = hunk->their_from < hunk->their_to;
  return (Part){all && some ? tokens[hunk->from].from : tokens[hunk->from - 1].to,
                all ? tokens[hunk->to - 1].to : tokens[hunk->from - 1].to};
}

static size_t size_of(const Hunk *hunk) {
  return hunk->to - hunk->from + hunk->their_to - hunk->their_from;
}

/* These hunks, in their order, as one change. */
static Edit *change(const size_t *which, size_t count) {
  char text[TEXT_MOST];
  size_t at = 0, next = part_of_hunk(&hunks[which[0]]).from;
  const size_t first = hunks[which[0]].from - (hunks[which[0]].from == hunks[which[0]].to);
  for (size_t i = 0; i < count; i++) {
    const Hunk *hunk = &hunks[which[i]];
    Part part = part_of_hunk(hunk);
    const bool added = hunk->from == hunk->to;
    const char *gap = "";
    if (added && hunk->their_from > 0)
      gap = between(solution, theirs[hunk->their_from - 1].to, theirs[hunk->their_from].from);
    if (part.from - next + TEXT_MOST / 8 >= sizeof text - at)
      return NULL;
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s%s", (int)(part.from - next),
                           source + next, gap);
    size_t put = put_theirs(text + at, sizeof text - at, hunk->their_from, hunk->their_to);
    if (!put && hunk->their_from < hunk->their_to)
      return NULL;
    at += put;
    if (added && tokens[hunk->from].from == part.to && hunk->their_to < their_count)
      at += (size_t)snprintf(
          text + at, sizeof text - at, "%s",
          between(solution, theirs[hunk->their_to - 1].to, theirs[hunk->their_to].from));
    next = part.to;
  }
  return edit_towards(tokens[first].gap ? tokens[first].gap : tokens[first + 1].gap,
                      (Part){part_of_hunk(&hunks[which[0]]).from, next}, text);
}

typedef struct Set {
  size_t which[EDIT_PARTS], count, tokens;
} Set;
static Set sets[SETS_MOST];
static size_t set_count;

/* Small changes are likelier. */
static void add_set(const size_t *which, size_t count) {
  Set set = {.count = count};
  for (size_t i = 0; i < count; i++) {
    set.which[i] = which[i];
    set.tokens += size_of(&hunks[which[i]]);
  }
  if (set.tokens <= TOKENS_TOGETHER && set_count < SETS_MOST)
    sets[set_count++] = set;
}

static int by_size(const void *a, const void *b) {
  const Set *x = a, *y = b;
  int apart = (int)x->count - (int)y->count;
  apart = apart ? apart : (int)x->tokens - (int)y->tokens;
  return apart ? apart : x < y ? -1 : x > y;
}

/* Neighbours, and of few all pairs and threes. */
static void list_sets(void) {
  enum { FEW = 14, FEWER = 8 };
  set_count = 0;
  for (size_t i = 0; i < hunk_count; i++) {
    size_t which[EDIT_PARTS];
    for (size_t count = 0; count < EDIT_PARTS && i + count < hunk_count;) {
      which[count] = i + count;
      count++;
      add_set(which, count);
    }
    for (size_t k = i + 1; k < hunk_count && hunk_count <= FEW; k++) {
      if (k > i + 1)
        add_set((const size_t[]){i, k}, 2);
      for (size_t l = k + 1; l < hunk_count && hunk_count <= FEWER; l++)
        if (l > i + 2)
          add_set((const size_t[]){i, k, l}, 3);
    }
  }
  qsort(sets, set_count, sizeof *sets, by_size);
}

void edits_of_solution(void) {
  static const Edit *alone[HUNKS_MOST]; /* the change of each hunk; NULL: it may not be made */
  static const Edit *parts[SETS_MOST][EDIT_PARTS + 1];
  if (!their_count)
    return;
  compare();
  list_sets();
  memset(alone, 0, sizeof alone);
  for (size_t i = 0; i < set_count; i++) {
    const Set *set = &sets[i];
    Edit *made = change(set->which, set->count);
    bool known = made && set->count > 1;
    if (set->count == 1)
      alone[set->which[0]] = made;
    for (size_t k = 0; k < set->count; k++)
      known &= (parts[i][k] = alone[set->which[k]]) != NULL;
    parts[i][set->count] = NULL;
    if (known)
      made->parts = parts[i];
  }
}
