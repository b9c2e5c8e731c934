/* Conditions that keep threads and terms out: those that are missing, or ask for too little, and what a guard would be by the index
 * that it guards.
 */
#include "edits_repair.h"

#include <stdio.h>

#include "edits_text.h"

enum { TEXT_MOST = EDIT_TEXT };

/* Is anything compared with it, here or in another function? */
static bool is_bound(size_t name) {
  static const char *const compares[] = {"<", "<=", ">=", NULL};
  for (size_t i = 1; i < token_count; i++)
    if (same_text(i, name) && is_one_of(i - 1, compares))
      return true;
  return false;
}

/* A text with an int of the function's body and one of its parameters in it, for each two; what was declared last is most
 * likely meant. */
static void edit_pairs(size_t i, size_t from, size_t to, const char *operation,
                       const char *format) {
  Name inner[NAMES_MOST], given[NAMES_MOST];
  size_t inner_count = ints_before(i, false, inner), given_count = ints_before(i, true, given);
  if (inner_count == 0) /* a small function: all that it knows it was given */
    memcpy(inner, given, (inner_count = given_count) * sizeof *inner);
  for (size_t k = inner_count; k-- > 0;)
    for (size_t n = 0; n < given_count; n++)
      if (inner[k].token != given[n].token) {
        edit(from, to, operation, format, source + tokens[inner[k].token].from,
             length_of(inner[k].token), source + tokens[given[n].token].from,
             length_of(given[n].token));
        edit_choice(is_bound(given[n].token) ? 0 : EDIT_CHOICES);
      }
}

/* A condition that asks for too little: if (...), bool x = ...; and ... ? */
static void add_condition(size_t i) {
  size_t end = i;
  bool excludes = false;
  if (is(i, "if") && is(i + 1, "("))
    end = closing(i + 1);
  else if (is(i, "bool") && is(i + 2, "="))
    while (end < token_count && !is(end, ";"))
      end++;
  else if (!is(i, "?"))
    return;
  for (size_t k = i; k < end; k++)
    excludes |= is(k, ">=") || is(k, ">");
  if (end < token_count && tokens[end].gap)
    edit_pairs(i, tokens[end].from, tokens[end].from, "condition added",
               excludes && is(i, "if") ? " || %.*s >= %.*s" : " && %.*s < %.*s");
}

/* The same with the sum of two of the last ones: a place is a block's first and a thread's own. */
static void edit_sums(size_t i, size_t at, const char *operation, const char *before,
                      const char *behind) {
  enum { LAST = 6 };
  Name inner[NAMES_MOST], given[NAMES_MOST];
  size_t inner_count = ints_before(i, false, inner), given_count = ints_before(i, true, given);
  size_t first = inner_count > LAST ? inner_count - LAST : 0;
  for (size_t a = inner_count; a-- > first;)
    for (size_t b = a; b-- > first;)
      for (size_t n = 0; n < given_count; n++) {
        char format[TEXT_MOST];
        snprintf(format, sizeof format, "%s%%.*s + %%.*s < %.*s%s", before,
                 length_of(given[n].token), source + tokens[given[n].token].from, behind);
        edit(at, at, operation, format, source + tokens[inner[b].token].from,
             length_of(inner[b].token), source + tokens[inner[a].token].from,
             length_of(inner[a].token));
      }
}

/* Does a statement give something that was declared before another value? */
static bool assigns(size_t i) {
  static const char *const gives[] = {"=", "+=", "-=", "*=", NULL};
  if (!begins_statement(i) || !is_name(i) || type_of_token(i) < TYPES)
    return false;
  return is_one_of(behind_operand(i), gives);
}

/* x[e] = ...; that not all threads may do, or a term that is none. */
static void add_guard(size_t i) {
  if (!assigns(i))
    return;
  edit_pairs(i, tokens[i].from, tokens[i].from, "guard added", "if (%.*s < %.*s) ");
  edit_sums(i, tokens[i].from, "guard of a sum added", "if (", ") ");
}

/* The condition of a loop, which goes on for too long. */
static void limit_loop(size_t i) {
  size_t end = i + 1;
  if (!is(i, "for") || !is(i + 1, "("))
    return;
  for (int found = 0; end < token_count && found < 2; found += is(end, ";"))
    end++;
  size_t at = tokens[end].from;
  edit_pairs(end, at, at, "condition added", " && %.*s < %.*s");
  edit_sums(end, at, "condition of a sum added", " && ", "");
}

/* ---- by what an index says --------------------------------------------------------------------------- */

/* Of x[row * stride + column], or x[column + row * stride]: texts, and a token. */
typedef struct Place {
  Part row, column;
  size_t stride;
  bool flat; /* x[column] */
} Place;

/* Of the one product in a sum where it stands; false: there is none, or something else. */
static bool find_product(size_t first, size_t end, size_t *from, size_t *to, size_t *times) {
  size_t start = first;
  *times = 0;
  for (size_t k = first; k <= end; k++) {
    if (is(k, "?") || is(k, ",") || is(k, "/") || is(k, "%") || (is(k, "*") && *times))
      return false;
    if (is(k, "*")) {
      *times = k;
      *from = start;
    }
    if (k == end || is(k, "+")) {
      *to = *times >= start ? k : *to;
      start = k + 1;
    }
    k = is(k, "(") || is(k, "[") ? closing(k) : k;
  }
  return *times > *from && *to > *times + 1;
}

static bool is_pointer(size_t i) {
  Name names[NAMES_MOST];
  bool pointer = false;
  for (size_t k = 0, count = names_before(i, names); k < count; k++)
    pointer |= same_text(names[k].token, i) && names[k].kind % 2 == 1;
  return pointer;
}

static bool place_at(size_t open, Place *place) {
  size_t end = closing(open), from = 0, to = 0, times = 0;
  if (!is(open, "[") || open == 0 || !is_name(open - 1) || !is_pointer(open - 1))
    return false;
  *place = (Place){.column = part_of(open + 1, end - 1), .flat = true};
  if (!find_product(open + 1, end, &from, &to, &times))
    return !times;
  bool behind = to == times + 2 && is_name(times + 1), before = times == from + 1 && is_name(from);
  place->flat = false;
  place->stride = behind ? times + 1 : from;
  place->row = behind ? part_of(from, times - 1) : part_of(times + 1, to - 1);
  if (from == open + 1 && to < end)
    place->column = part_of(to + 1, end - 1);
  else if (from > open + 1 && to == end)
    place->column = part_of(open + 1, from - 2);
  else
    return false;
  return behind || before;
}

/* "row < size && column < stride", or "column < size" */
static size_t put_condition(char *out, size_t size, const Place *place, size_t rows) {
  if (place->flat)
    return (size_t)snprintf(out, size, "%.*s < %.*s", (int)(place->column.to - place->column.from),
                            source + place->column.from, length_of(rows),
                            source + tokens[rows].from);
  return (size_t)snprintf(out, size, "%.*s < %.*s && %.*s < %.*s",
                          (int)(place->row.to - place->row.from), source + place->row.from,
                          length_of(rows), source + tokens[rows].from,
                          (int)(place->column.to - place->column.from), source + place->column.from,
                          length_of(place->stride), source + tokens[place->stride].from);
}

static bool is_size_of(const Place *place, size_t rows) {
  return place->flat || !same_text(rows, place->stride);
}

enum { ACCESSES_MOST = 2 };
typedef struct Access {
  Place place;
  size_t from, to; /* its statement's tokens */
} Access;

/* The statements from..to that read or write such a place; 0: a loop is among them, or too many are. */
static size_t accesses_in(size_t from, size_t to, Access *all) {
  size_t count = 0, start = from;
  for (size_t k = from; k < to; k++) {
    Place place;
    if (is(k, "for") || is(k, "while") || is(k, "else"))
      return 0;
    bool condition = is(k, "if");
    k = condition ? closing(k + 1) : k;
    start = condition || is(k, ";") || is(k, "{") || is(k, "}") ? k + 1 : start;
    if (!place_at(k, &place) || (count && all[count - 1].from == start))
      continue;
    size_t end = behind_statement(start);
    if (count == ACCESSES_MOST || end == start || end > to)
      return 0;
    all[count++] = (Access){place, start, end};
  }
  return count;
}

/* if (...) before such statements: each under the edges of what it reads or writes. */
static void guard_each(size_t i) {
  Access all[ACCESSES_MOST];
  Name given[NAMES_MOST];
  size_t body = closing(i + 1) + 1;
  size_t end = is(body, "{") ? closing(body) + 1 : behind_statement(body);
  if (!is(i, "if") || !is(i + 1, "(") || end <= body || end >= token_count || is(end, "else") ||
      !tokens[end - 1].gap)
    return;
  const size_t count = accesses_in(is(body, "{") ? body + 1 : body, end, all),
               sizes = ints_before(i, true, given);
  size_t ways = count ? 1 : 0;
  for (size_t k = 0; k < count; k++)
    ways *= sizes;
  for (size_t way = 0; way < ways; way++) {
    char text[TEXT_MOST];
    size_t at = 0, left = way;
    bool fits = true;
    for (size_t k = 0; k < count && fits; k++, left /= sizes) {
      size_t rows = given[left % sizes].token,
             length = tokens[all[k].to - 1].to - tokens[all[k].from].from;
      fits = is_size_of(&all[k].place, rows) && at + length + 200 < sizeof text;
      if (!fits)
        break;
      at += (size_t)snprintf(text + at, sizeof text - at, "%sif (", k ? " " : "");
      at += put_condition(text + at, sizeof text - at, &all[k].place, rows);
      at += (size_t)snprintf(text + at, sizeof text - at, ") %.*s", (int)length,
                             source + tokens[all[k].from].from);
      fits = at + 1 < sizeof text;
    }
    if (fits)
      edit(tokens[i].from, tokens[end - 1].to, "own guard", "%.*s%.*s", text, (int)at, "", 0);
  }
}

/* ... ? x[row * stride + column] : 0 */
static void choose_by_place(size_t i) {
  static const char *const before[] = {"=", "return", ",", "(", NULL};
  Name given[NAMES_MOST];
  Place place;
  size_t start = i, at = i + 1, sizes = ints_before(i, true, given);
  if (!is(i, "?"))
    return;
  while (start > 0 && !is_one_of(start - 1, before))
    start = is(start - 1, ")") || is(start - 1, "]") ? opening(start - 1) : start - 1;
  while (at < token_count && !is(at, ":") && !is(at, ";") && !place_at(at, &place))
    at++;
  if (start == i || !is(at, "[") || !tokens[start].gap)
    return;
  for (size_t k = 0; k < sizes; k++) {
    char text[TEXT_MOST];
    size_t length = put_condition(text, sizeof text, &place, given[k].token);
    if (is_size_of(&place, given[k].token) && length < sizeof text)
      edit(tokens[start].from, tokens[i - 1].to, "condition", "%.*s%.*s", text, (int)length, "", 0);
  }
}

void edits_of_guards(size_t i) {
  static void (*const all[])(size_t) = {add_guard, limit_loop, add_condition, guard_each,
                                        choose_by_place};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    all[k](i);
}
