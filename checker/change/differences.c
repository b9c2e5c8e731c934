/* Turns the differences between a gap of the student's file and the same gap of the reference
 * solution into candidates. This file aligns the lines of both gaps. The lines between two equal
 * lines form a hunk, which is one candidate. Candidates use the student's names: the first name
 * that only the student declares replaces the first name that only the solution declares, and so
 * on. */
#include "change/change.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 120, SHOWN_MOST = 8, TOGETHER = 6, BYTES_TOGETHER = 300 };

/* The lines of a gap that have tokens. Line i consists of the tokens from starts[i] up to, but not
 * including, starts[i + 1]. */
typedef struct Lines {
  const Tokens *t;
  const Gap *gap;
  size_t starts[LINES_MOST + 1], count;
} Lines;

typedef struct Comparison {
  Lines own, right;
  /* Tokens that declare names. The name own_names[i] replaces the name right_names[i]. */
  size_t own_names[NAMES_MOST], right_names[NAMES_MOST];
  /* The number of names that are replaced. */
  size_t renamed;
} Comparison;

/* A difference: lines `right_from` up to `right_to` of the solution replace lines `from` up to `to`
 * of the student's gap. The lines `to` and `right_to` are not included. */
typedef struct Hunk {
  size_t from, to, right_from, right_to;
} Hunk;

static Lines lines_of_gap(const Tokens *t, const Gap *gap) {
  Lines lines = {.t = t, .gap = gap};
  size_t i = 0;
  while (i < t->count && t->all[i].from < gap->from)
    i++;
  for (size_t before = gap->from; i < t->count && t->all[i].from < gap->to; i++) {
    bool begins = memchr(t->text + before, '\n', t->all[i].from - before);
    if (begins && lines.count < LINES_MOST)
      lines.starts[lines.count++] = i;
    before = t->all[i].to;
  }
  lines.starts[lines.count] = i;
  return lines;
}

static bool has_name(const Lines *lines, const Tokens *t, size_t name) {
  for (size_t i = lines->starts[0]; i < lines->starts[lines->count]; i++)
    if (token_same(lines->t, i, t, name))
      return true;
  return false;
}

/* Stores in `only` the names that are declared in `lines` and do not occur in `others`. Returns the
 * number of names. */
static size_t names_only_in(const Lines *lines, const Lines *others, size_t only[NAMES_MOST]) {
  size_t kept = 0, count = names_between(lines->t, lines->gap->from, lines->gap->to, only);
  for (size_t i = 0; i < count; i++)
    if (!has_name(others, lines->t, only[i]))
      only[kept++] = only[i];
  return kept;
}

/* Translates token *at of the solution into the student's names. Sets *at to the index of the
 * resulting token in the returned list. */
static const Tokens *in_own_names(const Comparison *c, size_t *at) {
  const Tokens *right = c->right.t;
  for (size_t i = 0; i < c->renamed && !token_is_member(right, *at); i++)
    if (token_same(right, c->right_names[i], right, *at)) {
      *at = c->own_names[i];
      return c->own.t;
    }
  return right;
}

static bool same_line(const Comparison *c, size_t line, size_t right) {
  size_t i = c->own.starts[line], k = c->right.starts[right];
  size_t end = c->own.starts[line + 1], right_end = c->right.starts[right + 1];
  for (; i < end && k < right_end; i++, k++) {
    size_t at = k;
    const Tokens *t = in_own_names(c, &at);
    if (!token_same(c->own.t, i, t, at))
      return false;
  }
  return i == end && k == right_end;
}

/* Writes a line of the solution with its indentation, in the student's names. */
static void put_line(const Comparison *c, size_t line, FILE *out) {
  const Tokens *right = c->right.t;
  size_t at = line_start(right->text, right->all[c->right.starts[line]].from);
  for (size_t k = c->right.starts[line]; k < c->right.starts[line + 1]; k++) {
    size_t name = k;
    const Tokens *t = in_own_names(c, &name);
    const Span *shown = &t->all[name];
    fwrite(right->text + at, 1, right->all[k].from - at, out);
    fwrite(t->text + shown->from, 1, shown->to - shown->from, out);
    at = right->all[k].to;
  }
  fputc('\n', out);
}

/* Adds a candidate that replaces the lines of the hunk. If the hunk has no line of the student, the
 * new lines are inserted before the next line, or at the end of the gap. */
static void add_hunk(const Comparison *c, const Hunk *hunk, Candidates *to) {
  const Tokens *t = c->own.t;
  bool last = hunk->from == c->own.count;
  size_t size, from = last ? c->own.gap->to : t->all[c->own.starts[hunk->from]].from;
  Splice splice = {.from = line_start(t->text, from), .to = line_start(t->text, from)};
  if (hunk->from < hunk->to) {
    splice.to = t->all[c->own.starts[hunk->to] - 1].to;
    splice.to += strcspn(t->text + splice.to, "\n");
    splice.to += t->text[splice.to] == '\n';
  }
  FILE *out = open_memstream(&splice.text, &size);
  for (size_t i = hunk->right_from; out && i < hunk->right_to; i++)
    put_line(c, i, out);
  if (!out || fclose(out) != 0)
    bad_input("out of memory");
  candidates_add(to, &(Candidate){.splices = {splice}, .count = 1, .operation = ""});
}

/* If both sides have the same number of lines, adds one candidate for each line. Otherwise adds one
 * candidate for the whole hunk, but only if the hunk is short enough for a hint. */
static void add_hunks(const Comparison *c, Hunk all, Candidates *to) {
  if (all.to - all.from == all.right_to - all.right_from)
    for (; all.from < all.to; all.from++, all.right_from++)
      add_hunk(c, &(Hunk){all.from, all.from + 1, all.right_from, all.right_from + 1}, to);
  else if (all.right_to - all.right_from <= SHOWN_MOST)
    add_hunk(c, &all, to);
}

/* Sets the end of the hunk to the pair of equal lines that is closest to its beginning. */
static void find_end(const Comparison *c, Hunk *hunk) {
  size_t rows = c->own.count - hunk->from, columns = c->right.count - hunk->right_from;
  for (size_t far = 0; far < rows + columns; far++)
    for (size_t down = 0; down <= far && down < rows; down++) {
      hunk->to = hunk->from + down;
      hunk->right_to = hunk->right_from + far - down;
      if (far - down < columns && same_line(c, hunk->to, hunk->right_to))
        return;
    }
  hunk->to = c->own.count;
  hunk->right_to = c->right.count;
}

static void compare(Comparison *c, Candidates *to) {
  Hunk hunk = {0};
  size_t own = names_only_in(&c->own, &c->right, c->own_names);
  size_t right = names_only_in(&c->right, &c->own, c->right_names);
  c->renamed = own < right ? own : right;
  while (hunk.from <= c->own.count && hunk.right_from <= c->right.count) {
    find_end(c, &hunk);
    add_hunks(c, hunk, to);
    hunk.from = hunk.to + 1;
    hunk.right_from = hunk.right_to + 1;
  }
}

static size_t bytes_shown(const Candidate *all, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += strlen(all[i].splices[0].text);
  return bytes;
}

/* Adds combinations of adjacent candidates. Uses the candidates from index `first` on, which have
 * one splice each. */
static void add_runs(size_t first, Candidates *to) {
  const size_t end = to->count;
  for (size_t together = 2; together <= TOGETHER; together++)
    for (size_t i = first; i + together <= end; i++) {
      Candidate run = {.count = together, .operation = ""};
      if (bytes_shown(to->all + i, together) > BYTES_TOGETHER)
        continue;
      for (size_t k = 0; k < together; k++) {
        run.splices[k] = to->all[i + k].splices[0];
        run.splices[k].text = strdup(run.splices[k].text);
      }
      candidates_add(to, &run);
    }
}

void differences_find(const Tokens *own, const Tokens *right, const bool *tasks, Candidates *to) {
  size_t first = to->count, k = 0;
  for (size_t i = 0; i < own->gap_count; i++) {
    const int task = own->gaps[i].task;
    if (task < 0 || task > TASKS_MAX || !tasks[task])
      continue;
    while (k < right->gap_count && right->gaps[k].task != task)
      k++;
    if (k == right->gap_count)
      break;
    compare(&(Comparison){.own = lines_of_gap(own, &own->gaps[i]),
                          .right = lines_of_gap(right, &right->gaps[k++])},
            to);
  }
  add_runs(first, to);
}
