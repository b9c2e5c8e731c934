/* Differences between a student's file and the reference solution, as changes towards the
 * solution. Functions of one name are aligned token by token, and then what is outside of these
 * functions. A name that the student has chosen differently is found out and kept. This works
 * when the student's code is close to the solution; otherwise few changes compile.
 */
#include "change/change.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 8000000, RENAMED_MOST = 40, HUNKS_MOST = 60 };
enum { SETS_MOST = 3000, TOGETHER = 6, TOKENS_TOGETHER = 120, SHOWN_OF_OTHERS = 6 };

/* Tokens from..to of the student's list replace, and right_from..right_to of the solution's are,
 * what is different. */
typedef struct Hunk {
  size_t from, to, right_from, right_to;
} Hunk;

typedef struct Part {
  size_t from, to; /* of the hunks */
} Part;

typedef struct Pair {
  size_t own, right;
} Pair;

/* Some tokens of a file, by their numbers. */
typedef struct Side {
  const Tokens *t;
  size_t *at, count;
} Side;

typedef struct Comparison {
  Side own, right;            /* the student's and the solution's */
  Pair renamed[RENAMED_MOST]; /* tokens: the student's name for one of the solution's */
  size_t renamed_count;
  Pair *pairs; /* aligned, as indices of the lists */
  size_t pair_count;
  Hunk hunks[HUNKS_MOST];
  size_t hunk_count;
  int task;
  const bool *open;
} Comparison;

/* ---- which tokens are the same
 * ------------------------------------------------------------------------ */

/* The student's token that stands for the name `right` of the solution; NULL: it has the same
 * name. */
static const Pair *renaming(const Comparison *c, size_t right) {
  for (size_t i = 0; i < c->renamed_count && !token_is_member(c->right.t, right); i++)
    if (token_same(c->right.t, c->renamed[i].right, c->right.t, right))
      return &c->renamed[i];
  return NULL;
}

static bool are_one(const Comparison *c, size_t own, size_t right) {
  const Pair *name = renaming(c, right);
  return name && !token_is_member(c->own.t, own) ? token_same(c->own.t, name->own, c->own.t, own)
                                                 : token_same(c->own.t, own, c->right.t, right);
}

/* The value of aligning two tokens: the same word counts more than the same bracket, and a name
 * may stand for another. */
static int worth(const Comparison *c, size_t own, size_t right) {
  bool word = isalnum((unsigned char)c->own.t->text[c->own.t->all[own].from]);
  if (are_one(c, own, right))
    return word ? 4 : 2;
  return token_is_name(c->own.t, own) && token_is_name(c->right.t, right);
}

/* The alignment of the largest value, by dynamic programming. */
static void align(Comparison *c) {
  const size_t rows = c->own.count, columns = c->right.count;
  int *best = calloc((rows + 1) * (columns + 1), sizeof *best);
  c->pair_count = 0;
  for (size_t i = rows; best && i-- > 0;)
    for (size_t k = columns; k-- > 0;) {
      int *at = best + i * (columns + 1) + k, here = worth(c, c->own.at[i], c->right.at[k]);
      int together = here ? here + at[columns + 2] : 0;
      *at = at[1] > at[columns + 1] ? at[1] : at[columns + 1];
      *at = together > *at ? together : *at;
    }
  for (size_t i = 0, k = 0; best && i < rows && k < columns;) {
    const int *at = best + i * (columns + 1) + k;
    int here = worth(c, c->own.at[i], c->right.at[k]);
    if (here && *at == here + at[columns + 2])
      c->pairs[c->pair_count++] = (Pair){i++, k++};
    else if (*at == at[columns + 1])
      i++;
    else
      k++;
  }
  free(best);
}

static bool declares(const Tokens *t, size_t i) {
  if (i < 2 || !token_is_name(t, i) || type_class(t, i) != NO_TOKEN)
    return false;
  bool pointer = token_is(t, i - 1, "*") || token_is(t, i - 1, "&");
  return type_class(t, i - 1) != NO_TOKEN || (pointer && type_class(t, i - 2) != NO_TOKEN) ||
         (token_is(t, i - 1, ",") && token_is(t, i + 1, "="));
}

/* Does the side have the word of token k of t, as a name that it declares, or at all? */
static bool occurs(const Side *side, const Tokens *t, size_t k, bool declared) {
  for (size_t i = 0; i < side->count; i++)
    if (token_same(side->t, side->at[i], t, k) &&
        (declared ? declares(side->t, side->at[i]) : !token_is_member(side->t, side->at[i])))
      return true;
  return false;
}

/* Does each declare a name that the other one does not have? */
static bool may_be_renamed(const Comparison *c, size_t own, size_t right) {
  const Side *mine = &c->own, *other = &c->right;
  return !token_is_member(mine->t, own) && !token_is_member(other->t, right) &&
         !are_one(c, own, right) && occurs(mine, mine->t, own, true) &&
         occurs(other, other->t, right, true) && !occurs(other, mine->t, own, false) &&
         !occurs(mine, other->t, right, false);
}

static bool is_renamed(const Comparison *c, size_t own) {
  for (size_t i = 0; i < c->renamed_count; i++)
    if (token_same(c->own.t, c->renamed[i].own, c->own.t, own))
      return true;
  return false;
}

/* Adds the pair of names that is aligned most often. True: there was one. */
static bool find_renamed(Comparison *c) {
  Pair best = {0};
  size_t most = 0;
  for (size_t i = 0; i < c->pair_count && c->renamed_count < RENAMED_MOST; i++) {
    const size_t own = c->own.at[c->pairs[i].own], right = c->right.at[c->pairs[i].right];
    size_t times = 0;
    for (size_t k = 0; k < c->pair_count; k++)
      times += token_same(c->own.t, c->own.at[c->pairs[k].own], c->own.t, own) &&
               token_same(c->right.t, c->right.at[c->pairs[k].right], c->right.t, right);
    if (times > most && !is_renamed(c, own) && may_be_renamed(c, own, right)) {
      most = times;
      best = (Pair){own, right};
    }
  }
  if (most)
    c->renamed[c->renamed_count++] = best;
  return most;
}

/* ---- differences
 * --------------------------------------------------------------------------------------- */

/* Does this part of the student's text touch a gap that is not open? */
static bool is_closed(const Comparison *c, size_t from, size_t to) {
  for (size_t i = 0; i < c->own.t->gap_count; i++) {
    const Gap *gap = &c->own.t->gaps[i];
    if (from < gap->to && to > gap->from && !c->open[gap->task])
      return true;
  }
  return false;
}

/* The student's tokens must follow one another, and not much may come from a gap of the solution
 * that is not open. */
static bool may_be_shown(const Comparison *c, const Hunk *hunk) {
  size_t others = 0;
  for (size_t i = hunk->from; i + 1 < hunk->to; i++)
    if (c->own.at[i] + 1 != c->own.at[i + 1])
      return false;
  for (size_t i = hunk->right_from; i < hunk->right_to; i++) {
    others += !c->open[token_gap(c->right.t, c->right.at[i])];
    if (i > hunk->right_from && c->right.at[i - 1] + 1 != c->right.at[i])
      return false;
  }
  return others <= SHOWN_OF_OTHERS;
}

static void add_hunk(Comparison *c, Hunk hunk) {
  bool any = hunk.from < hunk.to || hunk.right_from < hunk.right_to;
  if (any && c->hunk_count < HUNKS_MOST && may_be_shown(c, &hunk))
    c->hunks[c->hunk_count++] = hunk;
}

/* The tokens between aligned ones that are the same. */
static void find_hunks(Comparison *c) {
  Hunk hunk = {0};
  for (size_t i = 0; i < c->pair_count; i++) {
    Pair pair = c->pairs[i];
    if (!are_one(c, c->own.at[pair.own], c->right.at[pair.right]))
      continue;
    hunk.to = pair.own;
    hunk.right_to = pair.right;
    add_hunk(c, hunk);
    hunk.from = pair.own + 1;
    hunk.right_from = pair.right + 1;
  }
  hunk.to = c->own.count;
  hunk.right_to = c->right.count;
  add_hunk(c, hunk);
}

/* ---- from differences to texts
 * ---------------------------------------------------------------------------- */

/* The white space between two places of a text, without comments: one line break with its
 * indentation, or a blank. */
static void put_blank(FILE *out, const char *text, size_t from, size_t to) {
  const char *line = memrchr(text + from, '\n', to - from);
  if (line)
    fprintf(out, "%.*s", (int)(text + to - line), line);
  else if (from < to)
    fputc(' ', out);
}

/* The solution's tokens in the student's names. */
static void put_right(const Comparison *c, FILE *out, const Hunk *hunk) {
  for (size_t i = hunk->right_from; i < hunk->right_to; i++) {
    const size_t k = c->right.at[i];
    const Pair *name = renaming(c, k);
    const Tokens *t = name ? c->own.t : c->right.t;
    const Token *token = &t->all[name ? name->own : k];
    if (i > hunk->right_from)
      put_blank(out, c->right.t->text, c->right.t->all[k - 1].to, c->right.t->all[k].from);
    fprintf(out, "%.*s", (int)(token->to - token->from), t->text + token->from);
  }
}

/* The gap that opens between two neighbours of the student's tokens; NULL: none does. */
static const Gap *opened_between(const Comparison *c, size_t from, size_t to) {
  for (size_t i = 0; i < c->own.t->gap_count; i++)
    if (c->own.t->gaps[i].from >= from && c->own.t->gaps[i].from <= to)
      return &c->own.t->gaps[i];
  return NULL;
}

/* Where tokens are added before the student's token `at`: in a gap if one opens there, and in
 * place of the white space if there is nothing else. */
static Splice place_for(const Comparison *c, size_t at, bool breaks, const Gap **gap) {
  const char *text = c->own.t->text;
  size_t after = at > 0 ? c->own.t->all[at - 1].to : 0;
  size_t before = at < c->own.t->count ? c->own.t->all[at].from : strlen(text);
  size_t blanks = strspn(text + after, " \t\n"), line = after + strspn(text + after, " \t");
  *gap = opened_between(c, after, before);
  if (after + blanks == before)
    return (Splice){after, before, NULL};
  if (*gap && before < (*gap)->to)
    return (Splice){before, before, NULL};
  if (*gap) { /* an empty one: in a line before its last */
    size_t end = (*gap)->to;
    while (text[end - 1] != '\n')
      end--;
    return (Splice){end, end, NULL};
  }
  if (breaks && strncmp(text + line, "//", 2) == 0) /* behind this comment */
    after = line + strcspn(text + line, "\n");
  return (Splice){after, after, NULL};
}

static void put_insertion(const Comparison *c, FILE *out, const Hunk *hunk, size_t at,
                          Splice *splice) {
  const Tokens *own = c->own.t, *right = c->right.t;
  const Token *first = &right->all[c->right.at[hunk->right_from]];
  const Token *last = &right->all[c->right.at[hunk->right_to - 1]];
  const size_t behind = first > right->all ? first[-1].to : 0;
  const Gap *gap;
  *splice = place_for(c, at, memchr(right->text + behind, '\n', first->from - behind), &gap);
  bool touches = at < own->count && splice->to == own->all[at].from;
  bool follows = at > 0 && splice->from == own->all[at - 1].to;
  bool alone = gap && !touches;
  if (alone)
    fprintf(out, "%.*s", (int)strspn(own->text + splice->to, " \t"), own->text + splice->to);
  else if (follows || !touches)
    put_blank(out, right->text, behind, first->from);
  put_right(c, out, hunk);
  if (alone)
    fputc('\n', out);
  else if (touches && last + 1 < right->all + right->count)
    put_blank(out, right->text, last->to, last[1].from);
}

/* Replaces tokens with the blanks beside them, or deletes them with the blanks and the line break
 * before them. */
static Splice put_replacement(const Comparison *c, FILE *out, const Hunk *hunk) {
  const char *text = c->own.t->text;
  const Token *first = &c->own.t->all[c->own.at[hunk->from]];
  const Token *last = &c->own.t->all[c->own.at[hunk->to - 1]];
  const bool deletes = hunk->right_from == hunk->right_to;
  Splice splice = {first->from, last->to, NULL};
  while (splice.from > 0 && text[splice.from - 1] == ' ')
    splice.from--;
  if (deletes) {
    splice.from -= splice.from > 0 && text[splice.from - 1] == '\n';
    return splice;
  }
  const Token *right = c->right.t->all, *right_end = right + c->right.t->count;
  const Token *right_first = right + c->right.at[hunk->right_from];
  const Token *right_last = right + c->right.at[hunk->right_to - 1];
  if (first > c->own.t->all && right_first > right && first[-1].to == splice.from)
    put_blank(out, c->right.t->text, right_first[-1].to, right_first->from);
  else
    splice.from = first->from;
  put_right(c, out, hunk);
  if (last + 1 < c->own.t->all + c->own.t->count && right_last + 1 < right_end &&
      last->to + strspn(text + last->to, " ") == last[1].from) {
    splice.to = last[1].from;
    put_blank(out, c->right.t->text, right_last->to, right_last[1].from);
  }
  return splice;
}

static Splice splice_of(const Comparison *c, const Hunk *hunk) {
  size_t size, at = hunk->from < c->own.count ? c->own.at[hunk->from] : c->own.t->count;
  char *text;
  Splice splice = {0};
  FILE *out = open_memstream(&text, &size);
  if (!out)
    bad_input("out of memory");
  if (hunk->from == hunk->to)
    put_insertion(c, out, hunk, hunk->from > 0 ? c->own.at[hunk->from - 1] + 1 : at, &splice);
  else
    splice = put_replacement(c, out, hunk);
  fclose(out);
  splice.text = text;
  return splice;
}

/* ---- sets of differences ------------------------------------------------------------------ */

/* How many brackets more the change opens than it closes. */
static int opens_more(const Comparison *c, const Hunk *hunk) {
  int depth = 0;
  for (size_t i = hunk->from; i < hunk->to; i++)
    depth -= token_depth(c->own.t, c->own.at[i]);
  for (size_t i = hunk->right_from; i < hunk->right_to; i++)
    depth += token_depth(c->right.t, c->right.at[i]);
  return depth;
}

/* Adds the change that consists of these parts, in their order: hunks from..to each. */
static void add_set(const Comparison *c, const Part *parts, size_t count, Candidates *to) {
  enum { EACH = 10000, OUTSIDE = 1000 };
  Candidate candidate = {.operation = "", .rank = count * EACH};
  size_t tokens = 0, end = 0;
  int depth = 0;
  bool good = true;
  for (size_t i = 0; i < count; i++)
    for (size_t k = parts[i].from; k < parts[i].to && good; k++) {
      const Hunk *hunk = &c->hunks[k];
      Splice *splice = &candidate.splices[candidate.count++];
      *splice = splice_of(c, hunk);
      tokens += hunk->to - hunk->from + hunk->right_to - hunk->right_from;
      good = splice->from >= end && !is_closed(c, splice->from, splice->to) &&
             tokens <= TOKENS_TOGETHER && candidate.count < SPLICES_MOST;
      end = splice->to;
      depth += opens_more(c, hunk);
      candidate.rank += gap_at(c->own.t, splice->to) == c->task ? 0 : OUTSIDE;
    }
  candidate.rank += tokens;
  if (good && depth == 0 && to->count < SETS_MOST) {
    candidates_add(to, &candidate);
    return;
  }
  for (size_t i = 0; i < candidate.count; i++)
    free(candidate.splices[i].text);
}

/* Runs of neighbours, and of a few parts all pairs. */
static void add_sets(const Comparison *c, const Part *parts, size_t all, Candidates *to) {
  enum { FEW = 14 };
  for (size_t count = 1; count <= TOGETHER; count++)
    for (size_t i = 0; i + count <= all; i++)
      add_set(c, parts + i, count, to);
  for (size_t i = 0; i < all && all <= FEW; i++)
    for (size_t k = i + 2; k < all; k++)
      add_set(c, (const Part[]){parts[i], parts[k]}, 2, to);
}

/* Each difference is a part; then neighbours that few tokens separate are one. */
static void add_changes(const Comparison *c, Candidates *to) {
  enum { NEAR = 12 };
  Part parts[HUNKS_MOST];
  size_t count = 0;
  for (size_t i = 0; i < c->hunk_count; i++)
    parts[i] = (Part){i, i + 1};
  add_sets(c, parts, c->hunk_count, to);
  for (size_t i = 0; i < c->hunk_count; i++) {
    bool near = i > 0 && c->hunks[i].from - c->hunks[i - 1].to <= NEAR &&
                c->hunks[i].right_from - c->hunks[i - 1].right_to <= NEAR;
    parts[near ? count - 1 : count].to = i + 1;
    if (!near)
      parts[count++].from = i;
  }
  add_sets(c, parts, count, to);
}

static void compare(Comparison *c, Candidates *to) {
  size_t same = 0;
  const size_t rows = c->own.count, columns = c->right.count;
  c->hunk_count = c->renamed_count = c->pair_count = 0;
  while (same < rows && same < columns && are_one(c, c->own.at[same], c->right.at[same]))
    same++;
  if ((same == rows && same == columns) || (rows + 1) * (columns + 1) > CELLS_MOST)
    return;
  if (!(c->pairs = calloc(rows + 1, sizeof *c->pairs)))
    bad_input("out of memory");
  do
    align(c);
  while (find_renamed(c));
  find_hunks(c);
  add_changes(c, to);
  free(c->pairs);
}

/* ---- functions, and the rest ---------------------------------------------------------- */

static void collect(Side *side, const size_t *labels, size_t label) {
  side->count = 0;
  for (size_t i = 0; i < side->t->count; i++)
    if (labels[i] == label)
      side->at[side->count++] = i;
}

static size_t *numbers_for(const Tokens *t) {
  size_t *all = calloc(t->count + 1, sizeof *all);
  if (!all)
    bad_input("out of memory");
  return all;
}

/* Labels the tokens of functions that have one name with one number; 0 remains for the others. */
static size_t label_functions(const Tokens *own, const Tokens *right, size_t *own_labels,
                              size_t *right_labels) {
  Function mine[FUNCTIONS_MOST], other[FUNCTIONS_MOST];
  size_t count = functions_list(own, mine), other_count = functions_list(right, other), label = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < other_count && !own_labels[mine[i].name]; k++) {
      if (right_labels[other[k].name] || !token_same(own, mine[i].name, right, other[k].name))
        continue;
      label++;
      for (size_t n = mine[i].name; n < mine[i].end; n++)
        own_labels[n] = label;
      for (size_t n = other[k].name; n < other[k].end; n++)
        right_labels[n] = label;
    }
  return label;
}

void differences_find(const Tokens *own, const Tokens *right, int task, const bool *open,
                      Candidates *to) {
  size_t *own_labels = numbers_for(own), *right_labels = numbers_for(right);
  Comparison c = {.own = {own, numbers_for(own), 0},
                  .right = {right, numbers_for(right), 0},
                  .task = task,
                  .open = open};
  size_t last = label_functions(own, right, own_labels, right_labels);
  for (size_t label = 0; label <= last; label++) {
    collect(&c.own, own_labels, label);
    collect(&c.right, right_labels, label);
    compare(&c, to);
  }
  free(c.own.at);
  free(c.right.at);
  free(own_labels);
  free(right_labels);
}
