/* Changes with which a wrong file may come out right, and nobody makes a right one wrong: what may be missing, and of all names
 * and numbers that there are the one that is meant.
 */
#include "edits_repair.h"

#include <stdio.h>

#include "edits_text.h"

enum { TEXT_MOST = EDIT_TEXT };

/* Does the statement of token i say "... + name" elsewhere, or "* name"? 2: even "i + name". */
static int is_added_beside(size_t i, size_t name, const char *operator) {
  static const char *const ends[] = {";", "{", "}", NULL};
  size_t from = i, to = i;
  int beside = 0;
  while (from > 0 && !is_one_of(from - 1, ends))
    from--;
  while (to < token_count && !is_one_of(to, ends))
    to++;
  for (size_t k = from + 2; k < to; k++)
    if (k != i && same_text(k, name) && is(k - 1, operator) && beside < 2)
      beside = same_text(k - 2, i) ? 2 : 1;
  return beside;
}

/* a becomes a * b, a + b, (a - b), for the ints and the sizes that there are; what the statement says elsewhere, it may lack
 * here. */
static void add_operand(size_t i) {
  static const char *const behind[] = {"]", ")",  ";",  ",",  "+", "-", "<",
                                       ">", "<=", ">=", "&&", "?", NULL};
  static const char *const formats[] = {" * %.*s%.*s", " + %.*s%.*s"}, *const operators[] = {"*",
                                                                                             "+"};
  size_t all[KNOWN_MOST], count = known_at(i, false, all);
  bool part = (is(i, "x") || is(i, "y")) && is(i - 1, ".");
  if (!part && !is_read(i))
    return;
  for (size_t k = 0; k < count; k++) {
    const char *other = source + tokens[all[k]].from;
    for (size_t f = 0; f < 2 && is_one_of(i + 1, behind); f++) {
      int beside = is_added_beside(i, all[k], operators[f]);
      edit(tokens[i].to, tokens[i].to, beside ? "operand beside added" : "operand added",
           formats[f], other, length_of(all[k]), "", 0);
      edit_choice(beside ? 2 - (size_t)beside : k);
    }
    if (part || !is_among(i, all, count) || same_text(i, all[k]))
      continue;
    edit(tokens[i].from, tokens[i].to, "operand subtracted", "(%.*s - %.*s)",
         source + tokens[i].from, length_of(i), other, length_of(all[k]));
    edit_choice(k);
  }
}

/* A factor that is missing among real numbers. */
static void add_factor(size_t i) {
  size_t all[KNOWN_MOST], count = known_at(i, true, all);
  bool part = (is(i, "x") || is(i, "y")) && is(i - 1, ".");
  if (!part && !(is_read(i) && is_among(i, all, count)))
    return;
  for (size_t k = 0; k < count; k++) {
    edit(tokens[i].to, tokens[i].to, "factor added", " * %.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    edit_choice(k);
  }
}

/* An int, a size, a whole number, or blockDim.x, becomes another one of these. */
static void other_operand(size_t i) {
  static const char *const given[] = {"blockDim", "gridDim", "threadIdx", "blockIdx", NULL};
  static const char *const parts[] = {"threadIdx.x", "threadIdx.y", "blockDim.x", "blockDim.y",
                                      NULL};
  size_t all[KNOWN_MOST], count = known_at(i, false, all), last = i;
  const char *text = source + tokens[i].from;
  bool number = isdigit((unsigned char)*text) && !memchr(text, '.', (size_t)length_of(i));
  if (is_one_of(i, given))
    last = i + 2;
  else if (!number && !(is_read(i) && is_among(i, all, count)))
    return;
  for (size_t k = 0; k < count; k++) {
    if (same_text(all[k], i))
      continue;
    edit(tokens[i].from, tokens[last].to, "other operand", "%.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    edit_choice(k);
  }
  for (size_t k = 0; parts[k]; k++) {
    edit(tokens[i].from, tokens[last].to, "other operand", "%.*s%.*s", parts[k],
         (int)strlen(parts[k]), "", 0);
    edit_choice(k);
  }
}

/* i++ becomes i += 32 or what else there is. */
static void other_step(size_t i) {
  size_t all[KNOWN_MOST], count = known_at(i, false, all);
  if (!is(i, "++"))
    return;
  for (size_t k = count; k-- > 0;) { /* sizes rather than variables */
    edit(tokens[i].from, tokens[i].to, "step", "+= %.*s%.*s", source + tokens[all[k]].from,
         length_of(all[k]), "", 0);
    edit_choice(count - 1 - k);
  }
  edit_token(i, "step", "+= 32");
  edit_token(i, "step", "+= blockDim.x");
}

/* c ? a : b becomes c ? b : a. */
static void exchange_choices(size_t i) {
  static const char *const behind[] = {";", ",", ")", "]", "}", NULL};
  size_t colon = i, end;
  if (!is(i, "?"))
    return;
  while (colon < token_count && !is(colon, ":"))
    colon = is(colon, "(") || is(colon, "[") ? closing(colon) + 1 : colon + 1;
  for (end = colon; end < token_count && !is_one_of(end, behind);)
    end = is(end, "(") || is(end, "[") ? closing(end) + 1 : end + 1;
  if (end < token_count && colon > i + 1 && end > colon + 1)
    edit_exchange(i + 1, colon - 1, colon + 1, end - 1, "choices", " : ");
}

/* The text of tokens from..to with two words in place of one another, throughout, or in what is behind a "=" alone. */
static void exchange_words(size_t from, size_t to, size_t a, size_t b, bool only_values) {
  bool value = !only_values;
  char text[TEXT_MOST];
  size_t at = 0, next = tokens[from].from, times = 0;
  if (tokens[to].to - next >= TEXT_MOST - 40)
    return;
  for (size_t i = from; i <= to; i++) {
    value = !only_values || is(i, "=") || (value && !is(i, ";"));
    bool is_a = value && same_text(i, a), is_b = value && same_text(i, b);
    size_t token = is_a ? b : is_b ? a : i;
    times += is_a || is_b;
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s%.*s", (int)(tokens[i].from - next),
                           source + next, length_of(token), source + tokens[token].from);
    next = tokens[i].to;
    if (at + 40 >= sizeof text)
      return;
  }
  if (times > (only_values ? 1 : 2)) /* two are two others' business */
    edit(tokens[from].from, tokens[to].to, "exchanged", "%.*s%.*s", text, (int)at, "", 0);
}

/* Rows for columns, throughout a statement: two names that both stand in it, or x and y. */
static void exchange_throughout(size_t from, size_t to) {
  enum { WORDS_MOST = 8 };
  size_t all[KNOWN_MOST], count = known_at(from, false, all), word[WORDS_MOST], found = 0;
  for (size_t i = from; i <= to && found < WORDS_MOST; i++) {
    bool part = is(i - 1, ".") && (is(i, "x") || is(i, "y"));
    bool seen = false;
    for (size_t k = 0; k < found; k++)
      seen |= same_text(word[k], i);
    if (!seen && (part || (!is(i - 1, ".") && is_among(i, all, count))))
      word[found++] = i;
  }
  for (size_t a = 0; a < found; a++)
    for (size_t b = a + 1; b < found; b++)
      if (is(word[a] - 1, ".") == is(word[b] - 1, "."))
        for (int only_values = 0; only_values < 2; only_values++)
          exchange_words(from, to, word[a], word[b], only_values);
}

/* T x; becomes T x = {}; */
static void add_value(size_t i) {
  if (!begins_statement(i) || type_of_token(i) == TYPES)
    return;
  for (size_t at = i + 1; at < token_count && !is(at, ";"); at++) {
    size_t end = at + 1;
    while (is(end, "["))
      end = closing(end) + 1;
    bool declared = (is(at - 1, ",") || at == i + 1) && is_name(at);
    if (declared && (is(end, ",") || is(end, ";")))
      edit(tokens[end - 1].to, tokens[end - 1].to, "value added", " = {}%.*s%.*s", "", 0, "", 0);
    if (is(at, "(") || is(at, "[") || is(at, "{"))
      at = closing(at);
  }
}

/* What a loop adds up may have to begin anew: x = {}; behind its {. */
static void begin_anew(size_t i) {
  Name names[NAMES_MOST];
  size_t count = names_before(i, names);
  if (!is(i, "{") || !is(i - 1, ")"))
    return;
  for (size_t k = count; k-- > 0;)
    if (names[k].kind % 4 == 0 && names[k].kind >= 4 * REAL)
      edit(tokens[i].to, tokens[i].to, "value added", " %.*s = {};%.*s",
           source + tokens[names[k].token].from, length_of(names[k].token), "", 0);
}

/* A statement first or last in a loop's braces comes to stand outside, one beside them inside. */
static void move_over_braces(size_t i) {
  size_t end = behind_statement(i);
  if (!begins_statement(i) || end == i || !tokens[end].gap)
    return;
  if (is(end, "}"))
    edit_exchange(i, end - 1, end, end, "moved", " ");
  if (is(i - 1, "}"))
    edit_exchange(i - 1, i - 1, i, end - 1, "moved", " ");
  if (is(i - 1, "{") && is(i - 2, ")"))
    edit_exchange(opening(i - 2) - 1, i - 1, i, end - 1, "moved", " ");
  if (is(end, "for") && is(closing(end + 1) + 1, "{"))
    edit_exchange(i, end - 1, end, closing(end + 1) + 1, "moved", " ");
}

static void exchange_in_statement(size_t i) {
  size_t end = behind_statement(i);
  if (!begins_statement(i) || end == i)
    return;
  exchange_throughout(i, end - 1);
  size_t next = behind_statement(end);
  if (next > end)
    exchange_throughout(i, next - 1);
}

/* What threads without an element read is of no use to anybody, and has to be there all the same. */
static void limit_index(size_t i) {
  Name given[NAMES_MOST];
  size_t end = closing(i), last = end - 1;
  if (!is(i, "[") || end < i + 2 || i == 0 || !is_name(i - 1) || !is_name(i + 1))
    return;
  for (size_t k = 0, count = ints_before(i, true, given); k < count; k++)
    edit(tokens[i + 1].from, tokens[last].to, "limited",
         end == i + 2 ? "min(%.*s, %.*s - 1)" : "min((int)(%.*s), %.*s - 1)",
         source + tokens[i + 1].from, (int)(tokens[last].to - tokens[i + 1].from),
         source + tokens[given[k].token].from, length_of(given[k].token));
}

static bool in_parentheses(size_t i) {
  int open = 0;
  for (; i > 0 && !is(i, "{") && !is(i, "}"); i--)
    open += is(i, "(") - is(i, ")");
  return open > 0;
}

static void add_barrier(size_t i) {
  if (is(i, "}") || (is(i, ";") && !in_parentheses(i)))
    edit(tokens[i].to, tokens[i].to, "barrier added", " __syncthreads();%.*s%.*s", "", 0, "", 0);
}

/* The text of a statement with other..last in place of a name, wherever that is read; how often? */
static size_t put_in_place(char *out, size_t size, size_t from, size_t to, size_t name,
                           const char *other, int length) {
  size_t at = 0, next = tokens[from].from, times = 0;
  for (size_t k = from; k < to; k++) {
    if (!same_text(k, name) || !is_read(k))
      continue;
    at += (size_t)snprintf(out + at, size - at, "%.*s%.*s", (int)(tokens[k].from - next),
                           source + next, length, other);
    next = tokens[k].to;
    times++;
    if (at + (size_t)length + (tokens[to - 1].to - next) + 1 >= size)
      return 0;
  }
  snprintf(out + at, size - at, "%.*s", (int)(tokens[to - 1].to - next), source + next);
  return times;
}

/* One name for another throughout a statement: its condition and what it guards say the same place. */
static void replace_throughout(size_t i) {
  static const char *const parts[] = {"threadIdx.x", "threadIdx.y"};
  enum { PARTS = sizeof parts / sizeof *parts };
  size_t all[KNOWN_MOST], count = known_at(i, false, all), end = behind_statement(i);
  if (!begins_statement(i) || end == i || !tokens[end - 1].gap)
    return;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count + PARTS; b++) {
      const char *other = b < count ? source + tokens[all[b]].from : parts[b - count];
      char text[TEXT_MOST];
      if (tokens[end - 1].to - tokens[i].from >= sizeof text / 2 ||
          (b < count && same_text(all[a], all[b])) ||
          put_in_place(text, sizeof text, i, end, all[a], other,
                       b < count ? length_of(all[b]) : (int)strlen(other)) < 2)
        continue;
      edit(tokens[i].from, tokens[end - 1].to, "throughout", "%.*s%.*s", text, (int)strlen(text),
           "", 0);
      edit_choice(b < count ? b : b - count); /* declared last, or the thread's own number */
    }
}

/* So much of the text, with a barrier in front of it or behind it. */
static void edit_moved(size_t i, size_t first, size_t last, bool before) {
  const size_t barrier_end = behind_statement(i) - 1;
  const size_t from = before ? first : i, to = before ? barrier_end : last;
  const size_t kept = before ? first : barrier_end + 1, end = before ? i - 1 : last;
  edit(tokens[from].from, tokens[to].to, "barrier moved",
       before ? "__syncthreads(); %.*s%.*s" : "%.*s __syncthreads();%.*s",
       source + tokens[kept].from, (int)(tokens[end].to - tokens[kept].from), "", 0);
}

/* To behind a later statement of its braces, or before an earlier one. */
static void move_barrier(size_t i) {
  enum { FAR = 8 };
  if (!is(i, "__syncthreads") || !begins_statement(i) || behind_statement(i) == i)
    return;
  size_t k = behind_statement(i), moves = 0;
  for (; k < token_count && !is(k, "}") && moves < FAR; k++) {
    k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    if ((is(k, ";") || is(k, "}")) && !is(k + 1, "else") && tokens[k].gap)
      edit_moved(i, i, k, false), moves++;
  }
  moves = 0;
  for (k = i; k > 1 && !is(k - 1, "{") && moves < FAR; k--) {
    bool begins = k < i && (is(k - 1, ";") || is(k - 1, "}"));
    if (begins && tokens[k].gap && ++moves)
      edit_moved(i, k, i, true);
    k = is(k - 1, ")") || is(k - 1, "]") || is(k - 1, "}") ? opening(k - 1) + 1 : k;
  }
  if (k > 1 && k < i && is(k - 1, "{") && tokens[k].gap)
    edit_moved(i, k, i, true);
}

/* A thread's own number, where the block's part of it is missing. */
static void add_block(size_t i) {
  static const char *const before[] = {"=", "(", ",", "[", NULL};
  static const char parts[] = "xy";
  size_t all[KNOWN_MOST], count = known_at(i, false, all), last = i;
  if (is(i, "threadIdx"))
    last = i + 2;
  else if (!is_read(i) || !is_among(i, all, count))
    return;
  if (!is_one_of(i - 1, before))
    return;
  for (size_t p = 0, choice = 0; p < 2; p++)
    for (size_t d = 0; d <= defined_count; d++) {
      char format[80];
      if (last > i && source[tokens[last].from] != parts[p])
        continue;
      if (d < defined_count &&
          (defined[d] > i || is_fraction(defined[d]) || length_of(defined[d]) > 30))
        continue;
      if (d < defined_count)
        snprintf(format, sizeof format, "(blockIdx.%c * %.*s + %%.*s)%%.*s", parts[p],
                 length_of(defined[d]), source + tokens[defined[d]].from);
      else
        snprintf(format, sizeof format, "(blockIdx.%c * blockDim.%c + %%.*s)%%.*s", parts[p],
                 parts[p]);
      edit(tokens[i].from, tokens[last].to, "block added", format, source + tokens[i].from,
           (int)(tokens[last].to - tokens[i].from), "", 0);
      edit_choice(choice++);
    }
}

static bool is_said_near(size_t i, size_t name) {
  enum { NEAR = 60 };
  bool said = false;
  for (size_t k = i > NEAR ? i - NEAR : 0; k < i + NEAR && k < token_count; k++)
    said |= k != name && same_text(k, name);
  return said;
}

/* a < b, where a vector of several elements has to have room: a + 4 <= b. */
static void make_room(size_t i) {
  for (size_t d = 0; d < defined_count && is(i, "<"); d++)
    if (defined[d] < i && !is_fraction(defined[d])) {
      edit(tokens[i].from, tokens[i].to, "room", "+ %.*s <=%.*s", source + tokens[defined[d]].from,
           length_of(defined[d]), "", 0);
      edit_choice(is_said_near(i, defined[d]) ? 0 : EDIT_CHOICES);
    }
}

/* 1 / 2 of whole numbers is 0. */
static void divide_reals(size_t i) {
  int left = 0, right = 0;
  if (!is(i, "/") || i == 0 || sscanf(source + tokens[i - 1].from, "%d", &left) != 1 ||
      sscanf(source + tokens[i + 1].from, "%d", &right) != 1 || right == 0 || left % right == 0 ||
      memchr(source + tokens[i - 1].from, '.', tokens[i + 1].to - tokens[i - 1].from))
    return;
  edit(tokens[i + 1].from, tokens[i + 1].to, "whole division", "real(%.*s)%.*s",
       source + tokens[i + 1].from, length_of(i + 1), "", 0);
}

/* Of pieces the last one may be short: a / b, a / b + 1 and (a + b) / b become CEIL_DIV(a, b). */
static void round_up(size_t i) {
  size_t end = behind_operand(i + 1), last = end - 1;
  if (!is(i, "/") || i == 0 || !is_name(i - 1) || is(i - 2, ".") || end >= token_count)
    return;
  for (size_t more = 0; more < 2; more++) {
    edit(tokens[i - 1].from, tokens[last].to, "rounded up", "CEIL_DIV(%.*s, %.*s)",
         source + tokens[i - 1].from, length_of(i - 1), source + tokens[i + 1].from,
         (int)(tokens[end - 1].to - tokens[i + 1].from));
    if (!is(end, "+") || !is(end + 1, "1"))
      return;
    last = end + 1;
  }
}

/* a % b is 0 where the last piece is whole. */
static void keep_whole(size_t i) {
  size_t end = behind_operand(i + 1);
  if (is(i, "%") && i > 0 && is_name(i - 1) && !is(i - 2, ".") && end < token_count)
    edit(tokens[i - 1].from, tokens[end - 1].to, "remainder", "((%.*s - 1) %% %.*s + 1)",
         source + tokens[i - 1].from, length_of(i - 1), source + tokens[i + 1].from,
         (int)(tokens[end - 1].to - tokens[i + 1].from));
}

/* x, declared as a + b, becomes (a + c): what was computed of one thing is used for another. */
static void compute_anew(size_t i) {
  Name names[NAMES_MOST];
  size_t count = ints_before(i, false, names), own = count;
  while (own > 0 && !same_text(names[own - 1].token, i))
    own--;
  if (own == 0 || names[own - 1].token == i || is(i - 1, ".") || is(i - 1, "->"))
    return;
  size_t from = names[own - 1].token + 2, end = behind_value(names[own - 1].token);
  for (size_t part = from; end > from + 1 && part < end; part++)
    for (size_t k = count; k-- > 0;) {
      size_t other = names[k].token, known = is(part - 1, ".") ? count : 0;
      while (known < count && !same_text(names[known].token, part))
        known++;
      if (known == count || same_text(other, part) || same_text(other, i))
        continue;
      char format[TEXT_MOST];
      snprintf(format, sizeof format, "(%%.*s%.*s%%.*s)", length_of(other),
               source + tokens[other].from);
      edit(tokens[i].from, tokens[i].to, "computed of another", format, source + tokens[from].from,
           (int)(tokens[part].from - tokens[from].from), source + tokens[part].to,
           (int)(tokens[end - 1].to - tokens[part].to));
    }
}

/* Behind the last token of a product that begins at token i, casts and all. */
static size_t behind_product(size_t i) {
  for (;; i++) {
    bool cast = is(i, "(") && closing(i) == i + 2 && type_of_token(i + 1) < TYPES;
    i = behind_operand(cast ? i + 3 : i);
    if (!is(i, "*") && !is(i, "/") && !is(i, "%"))
      return i;
  }
}

/* a + b / c becomes a + 1. */
static void add_one(size_t i) {
  size_t end = behind_product(i + 1);
  if (is(i, "+") && end > i + 2 && end < token_count && tokens[end - 1].gap)
    edit(tokens[i + 1].from, tokens[end - 1].to, "constant", "1%.*s%.*s", "", 0, "", 0);
}

/* a + 3 and b + 3 in one statement become a + 1 and b + 1: of two tiles both are meant. */
static void add_one_throughout(size_t i) {
  const size_t end = behind_product(i + 1), last = behind_statement(i);
  const int length = (int)(tokens[end - 1].to - tokens[i + 1].from);
  char text[TEXT_MOST];
  size_t at = 0, next = tokens[i + 1].from, times = 0;
  if (!is(i, "+") || last == i || !tokens[end].gap || tokens[last].to - next >= TEXT_MOST)
    return;
  for (size_t k = i; k < last; k++) {
    size_t behind = behind_product(k + 1), from = tokens[k + 1].from;
    if (!is(k, "+") || (int)(tokens[behind - 1].to - from) != length ||
        memcmp(source + from, source + tokens[i + 1].from, (size_t)length) != 0)
      continue;
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s1", (int)(from - next), source + next);
    next = from + (size_t)length;
    times++;
  }
  if (times > 1)
    edit(tokens[i + 1].from, next, "each time", "%.*s%.*s", text, (int)at, "", 0);
}

/* Two statements side by side that both read a name: of both, what lies so far behind it. */
static void move_both(size_t i) {
  const size_t second = behind_statement(i), end = second > i ? behind_statement(second) : i;
  size_t all[KNOWN_MOST], count = known_at(i, false, all);
  if (!begins_statement(i) || end == second || end == i || !tokens[end - 1].gap)
    return;
  for (size_t a = i; a < second; a++)
    for (size_t b = second; b < end; b++) {
      if (!is_read(a) || !is_among(a, all, count) || !is_read(b) || !same_text(a, b))
        continue;
      for (size_t d = 0; d < defined_count; d++) {
        char text[TEXT_MOST];
        int length =
            snprintf(text, sizeof text, "(%.*s + %.*s)", length_of(a), source + tokens[a].from,
                     length_of(defined[d]), source + tokens[defined[d]].from);
        char format[TEXT_MOST];
        if (defined[d] > i || is_fraction(defined[d]) ||
            tokens[b].from - tokens[a].to + 2 * (size_t)length + 1 > sizeof format)
          continue;
        snprintf(format, sizeof format, "%.*s%.*s%.*s", length, text,
                 (int)(tokens[b].from - tokens[a].to), source + tokens[a].to, length, text);
        edit(tokens[a].from, tokens[b].to, "both moved", "%.*s%.*s", format, (int)strlen(format),
             "", 0);
        edit_choice(d);
      }
      break;
    }
}

/* ---- tiles that lie on their side ---------------------------------------------------------------- */

/* To the end of the function: X[a][b] becomes X[b][a] wherever one of these names is used. */
static void turn_tiles(size_t from, const size_t *names, size_t count, const char *operation) {
  char text[TEXT_MOST];
  size_t at = 0, first = 0, next = 0;
  int depth = 0;
  for (size_t i = from; i < token_count && depth >= 0 && at + EDIT_TEXT / 4 < sizeof text; i++) {
    size_t close = closing(i + 1);
    depth += is(i, "{") - is(i, "}");
    if (!is_among(i, names, count) || !is(i + 1, "[") || !is(close + 1, "["))
      continue;
    size_t end = closing(close + 1);
    next = first ? next : tokens[i].from;
    first = first ? first : i;
    if (!tokens[i].gap || tokens[end].to - next >= sizeof text - at)
      return;
    at += (size_t)snprintf(
        text + at, sizeof text - at, "%.*s%.*s%.*s", (int)(tokens[i].to - next), source + next,
        (int)(tokens[end].to - tokens[close + 1].from), source + tokens[close + 1].from,
        (int)(tokens[close].to - tokens[i + 1].from), source + tokens[i + 1].from);
    next = tokens[end].to;
    i = end;
  }
  if (first && depth < 0)
    edit(tokens[first].from, next, operation, "%.*s%.*s", text, (int)at, "", 0);
}

/* Each of those that a statement declares by itself, and all of them. */
static void turn_shared(size_t i) {
  enum { TILES_MOST = 4 };
  size_t tiles[TILES_MOST], count = 0, end = behind_statement(i);
  if (!is(i, "__shared__") || end == i)
    return;
  for (size_t k = i + 2; k < end && count < TILES_MOST; k++) {
    if (is_name(k) && is(k + 1, "[") && is(closing(k + 1) + 1, "["))
      tiles[count++] = k;
    k = is(k + 1, "[") ? closing(closing(k + 1) + 1) : k;
  }
  for (size_t k = 0; k < count; k++)
    turn_tiles(end, &tiles[k], 1, "tile turned");
  if (count > 1)
    turn_tiles(end, tiles, count, "tiles turned");
}

/* ---- neighbours, or so many apart ---------------------------------------------------------------- */

/* Where the name or number that token `last` ends begins, with all that belongs to it; there may be parentheses. */
static size_t operand_before(size_t last) {
  size_t i = is(last, ")") || is(last, "]") ? opening(last) : last;
  i -= is(i, "[") && i > 0;
  return is(i - 1, ".") && i > 2 ? i - 2 : i;
}

static void edit_stride(Part all, Part index, Part other, const char *factor, int length,
                        bool other_first) {
  char format[TEXT_MOST];
  if (length + 16 >= TEXT_MOST)
    return;
  snprintf(format, sizeof format, other_first ? "%%.*s * %.*s + %%.*s" : "%%.*s + %%.*s * %.*s",
           length, factor);
  Part a = other_first ? other : index, b = other_first ? index : other;
  edit(all.from, all.to, "stride", format, source + a.from, (int)(a.to - a.from), source + b.from,
       (int)(b.to - b.from));
}

/* Of a product and what is added to it: index loses its factor, the other one has it, or one of the sizes and parameters. */
static void move_factor(size_t i, Part all, Part index, Part factor, Part other, bool first) {
  Name given[NAMES_MOST];
  if (isdigit((unsigned char)source[index.from]))
    return;
  edit_stride(all, index, other, source + factor.from, (int)(factor.to - factor.from), first);
  for (size_t k = 0; k < defined_count; k++)
    if (defined[k] < i && !is_fraction(defined[k])) {
      edit_stride(all, index, other, source + tokens[defined[k]].from, length_of(defined[k]),
                  first);
      edit_choice(k);
    }
  for (size_t k = 0, count = ints_before(i, true, given); k < count; k++)
    edit_stride(all, index, other, source + tokens[given[k].token].from, length_of(given[k].token),
                first);
}

/* Neighbours, or so many apart: a * 4 + b becomes a + b * 4, and the other way round. */
static void exchange_strides(size_t i) {
  if (!is(i, "+") || i < 3)
    return;
  size_t second = operand_before(i - 1), end = behind_operand(i + 1);
  bool left = is(second - 1, "*"), right = is(end, "*");
  if (left == right || end + 1 >= token_count)
    return;
  if (left) {
    size_t first = operand_before(second - 2);
    Part a = part_of(first, second - 2), b = part_of(second, i - 1),
         other = part_of(i + 1, end - 1);
    Part all = {a.from, other.to};
    move_factor(i, all, a, b, other, false);
    move_factor(i, all, b, a, other, false);
  } else {
    size_t last = behind_operand(end + 1) - 1;
    Part other = part_of(second, i - 1), a = part_of(i + 1, end - 1), b = part_of(end + 1, last);
    Part all = {other.from, b.to};
    move_factor(i, all, a, b, other, true);
    move_factor(i, all, b, a, other, true);
  }
}

/* A loop may have to count pieces: steps = gridDim.x becomes CEIL_DIV(k, TILE). */
static void count_pieces(size_t i) {
  Name given[NAMES_MOST];
  size_t end = behind_operand(i);
  if (!(is(i - 1, "=") || is(i - 1, "<")) || !(is(end, ";") || is(end, ",")) || is(i, "{"))
    return;
  for (size_t k = 0, count = ints_before(i, true, given); k < count; k++)
    for (size_t d = 0; d < defined_count; d++) {
      if (defined[d] > i || is_fraction(defined[d]))
        continue;
      edit(tokens[i].from, tokens[end - 1].to, "rounded up", "CEIL_DIV(%.*s, %.*s)",
           source + tokens[given[k].token].from, length_of(given[k].token),
           source + tokens[defined[d]].from, length_of(defined[d]));
      edit_choice(d);
    }
}

/* #define F(a, b) a * b: an argument may be a sum. */
static void put_in_parentheses(size_t i) {
  size_t open = i + 2, end = closing(open), at = 0, times = 0;
  if (!is(i, "define") || tokens[i + 1].to != tokens[open].from || !is(open, "("))
    return;
  size_t next = tokens[end].to, last = next;
  while (source[last] && (source[last] != '\n' || source[last - 1] == '\\'))
    last++;
  char text[TEXT_MOST];
  if (last - next >= TEXT_MOST / 2)
    return;
  for (size_t k = end + 1; k < token_count && tokens[k].to <= last; k++) {
    bool given = false;
    for (size_t parameter = open + 1; parameter < end; parameter += 2)
      given |= same_text(parameter, k);
    if (!given || (is(k - 1, "(") && is(k + 1, ")")) || is(k - 1, "#") || is(k - 1, ".") ||
        at + (tokens[k].to - next) + 3 >= sizeof text)
      continue;
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s(%.*s)", (int)(tokens[k].from - next),
                           source + next, length_of(k), source + tokens[k].from);
    next = tokens[k].to;
    times++;
  }
  if (times)
    edit(tokens[end].to, next, "parentheses", "%.*s%.*s", text, (int)at, "", 0);
}

void edits_repair(size_t i) {
  static void (*const all[])(size_t) = {
      add_operand,        add_factor,
      other_operand,      other_step,
      exchange_choices,   edits_of_guards,
      add_value,          begin_anew,
      move_barrier,       add_block,
      make_room,          put_in_parentheses,
      replace_throughout, limit_index,
      add_barrier,        divide_reals,
      round_up,           keep_whole,
      count_pieces,       add_one,
      add_one_throughout, move_both,
      turn_shared,        exchange_strides,
      move_over_braces,   exchange_in_statement,
  };
  if (is_name(i))
    compute_anew(i);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    all[k](i);
}
