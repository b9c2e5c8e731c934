/* Changes with which a wrong file says what a right one says: where both differ, the right one's words. Who began with other
 * names and other statements gets few that compile; who slipped in one place gets that place.
 */
#include "edits_repair.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MOST = EDIT_TEXT, CELLS_MOST = 12000000, RENAMED_MOST = 64 };
enum {
  FUNCTIONS_MOST = 100,
  HUNKS_MOST = 200,
  TOKENS_TOGETHER = 80,
  SETS_MOST = 600,
  PARTS_MOST = 2000
};

/* Tokens from..to, of two files. */
typedef struct Stretch {
  size_t from, to, their_from, their_to;
} Stretch;

/* From its name to the end of its body. */
typedef struct Function {
  size_t from, to;
} Function;

static const char *solution; /* its text; NULL: there is none */
static Token theirs[TOKENS_MOST];
static bool they_declare[TOKENS_MOST]; /* is it a name where it is declared? */
static Function their_functions[FUNCTIONS_MOST];
static size_t their_count, their_function_count;

/* One of their names is another one here. */
static struct { size_t their, own; } renamed[RENAMED_MOST];
static size_t renamed_count;

/* What differs in what is compared at a time: the tokens before and behind are the same. */
static Stretch hunks[HUNKS_MOST];
static size_t hunk_count;

static size_t list_functions(Function *all) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < token_count && count < FUNCTIONS_MOST; i++) {
    size_t body = is_name(i) && is(i + 1, "(") ? closing(i + 1) + 1 : i;
    if (body > i + 1 && is(body, "{")) {
      all[count++] = (Function){i, closing(body) + 1};
      i = closing(body);
    }
  }
  return count;
}

/* "int name", "real *name", ", name = " */
static bool declares(size_t i) {
  if (i < 2 || !is_name(i) || type_of_token(i) < TYPES)
    return false;
  return type_of_token(i - 1) < TYPES ||
         ((is(i - 1, "*") || is(i - 1, "&")) && type_of_token(i - 2) < TYPES) ||
         (is(i - 1, ",") && is(i + 1, "="));
}

void edits_towards(const char *text) {
  solution = text;
  their_count = 0;
  if (!text)
    return;
  text_read(text, false);
  memcpy(theirs, tokens, token_count * sizeof *tokens);
  their_count = token_count;
  for (size_t i = 0; i < their_count; i++)
    they_declare[i] = declares(i);
  their_function_count = list_functions(their_functions);
}

/* ---- what is the same ---------------------------------------------------------------------------- */

static size_t length(const Token *token) { return token->to - token->from; }

static bool is_word(const char *text) { return isalpha((unsigned char)*text) || *text == '_'; }

static bool same_as_theirs(size_t own, size_t their) {
  return (size_t)length_of(own) == length(&theirs[their]) &&
         memcmp(source + tokens[own].from, solution + theirs[their].from, length(&theirs[their])) ==
             0;
}

static bool both_theirs(size_t a, size_t b) {
  return length(&theirs[a]) == length(&theirs[b]) &&
         memcmp(solution + theirs[a].from, solution + theirs[b].from, length(&theirs[a])) == 0;
}

/* x of threadIdx.x has no other name. */
static bool is_member(size_t own) { return own > 0 && is(own - 1, "."); }
static bool is_their_member(size_t their) {
  return their > 0 && solution[theirs[their - 1].from] == '.';
}

/* The own name for one of theirs; token_count: it has none. */
static size_t own_name(size_t their) {
  for (size_t i = 0; i < renamed_count && !is_their_member(their); i++)
    if (both_theirs(renamed[i].their, their))
      return renamed[i].own;
  return token_count;
}

static bool are_one(size_t own, size_t their) {
  size_t name = own_name(their);
  return name < token_count && !is_member(own) ? same_text(own, name) : same_as_theirs(own, their);
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

/* As many of the own tokens beside the same of theirs as can be; returns how many pairs. */
static size_t align(const Stretch *in, Pair *pairs) {
  const size_t rows = in->to - in->from, columns = in->their_to - in->their_from;
  int *best = calloc((rows + 1) * (columns + 1), sizeof *best);
  size_t count = 0;
  for (size_t i = rows; best && i-- > 0;)
    for (size_t k = columns; k-- > 0;) {
      int *at = best + i * (columns + 1) + k, here = worth(in->from + i, in->their_from + k);
      int together = here ? here + at[columns + 2] : 0;
      *at = at[1] > at[columns + 1] ? at[1] : at[columns + 1];
      *at = together > *at ? together : *at;
    }
  for (size_t i = 0, k = 0; best && i < rows && k < columns;) {
    const int *at = best + i * (columns + 1) + k;
    int here = worth(in->from + i, in->their_from + k);
    if (here && *at == here + at[columns + 2])
      pairs[count++] = (Pair){in->from + i++, in->their_from + k++};
    else if (*at == at[columns + 1])
      i++;
    else
      k++;
  }
  free(best);
  return count;
}

/* Names that are declared here, and that the other file does not have in this place. */
static bool may_be_renamed(const Stretch *in, const Pair *pair) {
  bool declared = false, they_did = false;
  if (is_member(pair->own) || is_their_member(pair->their) || are_one(pair->own, pair->their))
    return false;
  for (size_t i = in->their_from; i < in->their_to; i++) {
    they_did |= they_declare[i] && both_theirs(i, pair->their);
    if (same_as_theirs(pair->own, i) && !is_their_member(i))
      return false;
  }
  for (size_t i = in->from; i < in->to; i++) {
    declared |= declares(i) && same_text(i, pair->own);
    if (same_as_theirs(i, pair->their) && !is_member(i))
      return false;
  }
  return declared && they_did;
}

/* Of names that stand in one another's place most often does. True: another one was found. */
static bool find_renamed(const Stretch *in, const Pair *pairs, size_t count) {
  const Pair *best = NULL;
  size_t most = 0;
  for (size_t i = 0; i < count && renamed_count < RENAMED_MOST; i++) {
    size_t times = 0, known = 0;
    while (known < renamed_count && !same_text(renamed[known].own, pairs[i].own))
      known++;
    for (size_t k = 0; k < count && known == renamed_count; k++)
      times += same_text(pairs[k].own, pairs[i].own) && both_theirs(pairs[k].their, pairs[i].their);
    if (times > most && may_be_renamed(in, &pairs[i])) {
      most = times;
      best = &pairs[i];
    }
  }
  if (best) {
    renamed[renamed_count].their = best->their;
    renamed[renamed_count++].own = best->own;
  }
  return best;
}

/* ---- what is not --------------------------------------------------------------------------------- */

static int depth_of(char c) {
  return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

/* "a, b" in place of "a" is another argument, or a value that nobody takes: no change that says why. */
static bool lists_more(const Stretch *place) {
  int commas = 0, open = 0;
  for (size_t i = place->their_from; i < place->their_to; i++) {
    const char c = solution[theirs[i].from];
    open += depth_of(c);
    commas += c == ',' && open == 0;
    if (c == '=')
      return false; /* it declares another name */
  }
  for (size_t i = place->from; i < place->to; i++)
    commas -= is(i, ",");
  return commas > 0 && place->from < place->to && place->their_to - place->their_from > 1;
}

/* Does what is too much, or missing, open what it closes? */
static bool is_whole(const Stretch *place, bool own) {
  const size_t from = own ? place->from : place->their_from, to = own ? place->to : place->their_to;
  int depth = 0;
  for (size_t i = from; i < to && depth >= 0; i++)
    depth += depth_of(own ? source[tokens[i].from] : solution[theirs[i].from]);
  return depth == 0;
}

/* ") if (x" between "f(a" and ") b" is as good as " if (x)" a token later, and that says more. */
static void make_whole(Stretch *place) {
  enum { FAR = 40 };
  const bool own = place->their_from == place->their_to, theirs_only = place->from == place->to;
  Stretch moved = *place;
  if (own == theirs_only)
    return;
  for (int i = 0; i < FAR && !is_whole(&moved, own); i++) {
    if (moved.from < 2 || moved.their_from < 2 ||
        !(own ? same_text(moved.from - 1, moved.to - 1)
              : both_theirs(moved.their_from - 1, moved.their_to - 1)))
      break;
    moved = (Stretch){moved.from - 1, moved.to - 1, moved.their_from - 1, moved.their_to - 1};
  }
  for (int i = 0; i < FAR && !is_whole(&moved, own); i++) {
    if (moved.to + 1 >= token_count || moved.their_to + 1 >= their_count ||
        !(own ? same_text(moved.from, moved.to) : both_theirs(moved.their_from, moved.their_to)))
      return;
    moved = (Stretch){moved.from + 1, moved.to + 1, moved.their_from + 1, moved.their_to + 1};
  }
  *place = moved;
}

/* It has a token before it. */
static void add_hunk(Stretch place) {
  bool any = place.from < place.to || place.their_from < place.their_to;
  make_whole(&place);
  for (size_t i = place.from - (place.from > 0); i < place.to; i++)
    any &= !is_prediction(i);
  if (any && place.from > 0 && hunk_count < HUNKS_MOST && !lists_more(&place))
    hunks[hunk_count++] = place;
}

/* Tokens that are no pair, or not the same. */
static void find_hunks(const Stretch *in, const Pair *pairs, size_t count) {
  Stretch hunk = {in->from, in->from, in->their_from, in->their_from};
  for (size_t i = 0; i < count; i++) {
    if (!are_one(pairs[i].own, pairs[i].their))
      continue;
    hunk.to = pairs[i].own;
    hunk.their_to = pairs[i].their;
    add_hunk(hunk);
    hunk.from = pairs[i].own + 1;
    hunk.their_from = pairs[i].their + 1;
  }
  hunk.to = in->to;
  hunk.their_to = in->their_to;
  add_hunk(hunk);
}

static void compare(Stretch in) {
  hunk_count = renamed_count = 0;
  while (in.from < in.to && in.their_from < in.their_to && are_one(in.from, in.their_from))
    in.from++, in.their_from++;
  while (in.to > in.from && in.their_to > in.their_from && are_one(in.to - 1, in.their_to - 1))
    in.to--, in.their_to--;
  if ((in.to - in.from + 1) * (in.their_to - in.their_from + 1) > CELLS_MOST)
    return;
  Pair *pairs = calloc(in.to - in.from + 1, sizeof *pairs);
  size_t count = pairs ? align(&in, pairs) : 0;
  while (pairs && find_renamed(&in, pairs, count))
    count = align(&in, pairs);
  if (pairs)
    find_hunks(&in, pairs, count);
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
    const size_t name = own_name(i);
    const char *word = solution + theirs[i].from, *gap = "";
    int letters = (int)length(&theirs[i]);
    if (name < token_count) {
      word = source + tokens[name].from;
      letters = length_of(name);
    }
    if (i > from)
      gap = between(solution, theirs[i - 1].to, theirs[i].from);
    at += (size_t)snprintf(out + at, size - at, "%s%.*s", gap, letters, word);
    if (at >= size)
      return 0;
  }
  return at;
}

/* What is too much goes with the blanks before it, on its line. */
static Part part_of_hunk(const Stretch *hunk) {
  const bool all = hunk->from < hunk->to, some = hunk->their_from < hunk->their_to;
  const size_t before = tokens[hunk->from - 1].to, first = all ? tokens[hunk->from].from : before;
  const bool alone = !some && !memchr(source + before, '/', first - before);
  return (Part){all && !alone ? first : before, all ? tokens[hunk->to - 1].to : before};
}

static size_t size_of(const Stretch *hunk) {
  return hunk->to - hunk->from + hunk->their_to - hunk->their_from;
}

/* These hunks, in their order, as one change. */
static Edit *change(const size_t *which, size_t count) {
  char text[TEXT_MOST];
  size_t at = 0, next = part_of_hunk(&hunks[which[0]]).from;
  const size_t first = hunks[which[0]].from - (hunks[which[0]].from == hunks[which[0]].to);
  for (size_t i = 0; i < count; i++) {
    const Stretch *hunk = &hunks[which[i]];
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
                      (Part){part_of_hunk(&hunks[which[0]]).from, next}, text, (int)hunk_count);
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

static const Edit *parts[PARTS_MOST][EDIT_PARTS + 1]; /* of changes of several hunks */
static size_t parts_used;

static void make_changes(void) {
  const Edit *alone[HUNKS_MOST] = {NULL}; /* the change of each hunk; NULL: it may not be made */
  list_sets();
  for (size_t i = 0; i < set_count && parts_used < PARTS_MOST; i++) {
    const Set *set = &sets[i];
    Edit *made = change(set->which, set->count);
    const Edit **of = parts[parts_used];
    bool known = made && set->count > 1;
    if (set->count == 1)
      alone[set->which[0]] = made;
    for (size_t k = 0; k < set->count; k++)
      known &= (of[k] = alone[set->which[k]]) != NULL;
    of[set->count] = NULL;
    if (known)
      made->parts = of;
    parts_used += known;
  }
}

/* Functions of one name beside one another, since a name means something in one function alone; then what stands outside. */
void edits_of_solution(void) {
  Function functions[FUNCTIONS_MOST], compared[FUNCTIONS_MOST];
  bool used[FUNCTIONS_MOST] = {
      false}; /* of two with one name the second stands beside the second */
  size_t count = their_count ? list_functions(functions) : 0, known = 0, kept = 0;
  parts_used = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < their_function_count; k++) {
      const Function *own = &functions[i], *other = &their_functions[k];
      if (used[k] || !same_as_theirs(own->from, other->from))
        continue;
      used[k] = true;
      compare((Stretch){own->from, own->to, other->from, other->to});
      make_changes();
      compared[known++] = *own;
      break;
    }
  if (!their_count)
    return;
  compare((Stretch){0, token_count, 0, their_count});
  for (size_t i = 0; i < hunk_count; i++) {
    bool inside = false;
    for (size_t k = 0; k < known; k++)
      inside |= hunks[i].to > compared[k].from && hunks[i].from < compared[k].to;
    if (!inside)
      hunks[kept++] = hunks[i];
  }
  hunk_count = kept;
  make_changes();
}
