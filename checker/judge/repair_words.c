/* A change in words: what stands where it should, and what then comes out right. */
#include "repair_parts.h"

#include <ctype.h>
#include <string.h>

enum { WORDS = 90 }; /* letters of one quotation, and a few more */

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* On one line, no longer than a line has room for; "(32 + 1)" is 33, and "(n + 1)" needs no parentheses. */
static void shorten(char out[WORDS], const char *text, size_t length) {
  enum { MOST = WORDS - 7 };
  size_t at = 0;
  int number, one;
  char sign, end;
  if (sscanf(text, "(%d %c %d%c", &number, &sign, &one, &end) == 4 && end == ')' &&
      strchr("+-*/", sign) && one > 0) {
    snprintf(out, WORDS, "%d",
             sign == '+'   ? number + one
             : sign == '-' ? number - one
             : sign == '*' ? number * one
                           : number / one);
    return;
  }
  while (length && isspace((unsigned char)text[length - 1]))
    length--;
  if (length > 2 && *text == '(' && text[length - 1] == ')' && !memchr(text + 1, '(', length - 1))
    text++, length -= 2;
  for (size_t i = 0; i < length && at < MOST; i++)
    if (length - i > 1 && text[i] == '/' && text[i + 1] == '/')
      i += strcspn(text + i, "\n"); /* nobody needs the comments */
    else if (!isspace((unsigned char)text[i]))
      out[at++] = text[i];
    else if (at && !strchr(" (", out[at - 1]) && i + 1 < length && !strchr(" ),;", text[i + 1]))
      out[at++] = ' ';
  snprintf(out + at, WORDS - at, "%s", at == MOST ? "..." : "");
}

/* Of two names that change places throughout a text: those where the texts begin to differ. */
static void put_exchanged(char *out, size_t size, const char *was, const char *is) {
  static const char ends[] = " ,;()[]*+-/%<>=?&|.";
  size_t at = 0;
  while (was[at] && was[at] == is[at])
    at++;
  while (at > 0 && is_letter(was[at - 1]))
    at--;
  snprintf(out, size, "with \"%.*s\" and \"%.*s\" exchanged", (int)strcspn(was + at, ends),
           was + at, (int)strcspn(is + at, ends), is + at);
}

/* One name for another throughout a text. */
static void put_throughout(char *out, size_t size, const char *was, const char *is) {
  size_t at = 0;
  while (was[at] && was[at] == is[at])
    at++;
  while (at > 0 && (is_of_name(was[at - 1]) || is_of_name(is[at - 1])))
    at--;
  snprintf(out, size, "with \"%.*s\" in place of \"%.*s\" throughout the statement",
           (int)strcspn(is + at, " ,;()[]*+-/%<>=?&|"), is + at,
           (int)strcspn(was + at, " ,;()[]*+-/%<>=?&|."), was + at);
}

/* A term that became 1 in several places: it ends where both texts go on alike. */
static void put_each_time(char *out, size_t size, const char *was, const char *is) {
  enum { ALIKE = 6 };
  size_t length = 1;
  while (was[length] && strncmp(was + length, is + 1, ALIKE) != 0)
    length++;
  snprintf(out, size, "with \"1\" in place of \"%.*s\" each time", (int)length, was);
}

/* "(start + TILE)", with which the text begins, in place of its first word, here and in the next statement. */
static void put_both_moved(char *out, size_t size, const char *is) {
  size_t word = strcspn(is + 1, " "), all = strcspn(is, ")");
  snprintf(out, size, "with \"%.*s\" in place of \"%.*s\" here and in the next statement,",
           (int)all - 1, is + 1, (int)word, is + 1);
}

/* Of "(a && (b)) c", with its parentheses. */
static int length_of_parentheses(const char *text) {
  int length = 0, open = 0;
  do
    open += (text[length] == '(') - (text[length] == ')');
  while (text[length++] && open > 0);
  return length;
}

/* "if (row < m && column < n) ...", for each statement that the condition stood before. */
static void put_own_guard(char *out, size_t size, const char *is) {
  const char *second = strstr(is + 1, "; if ("), *open = is + strcspn(is, "(");
  snprintf(out, size, "with %s\"%.*s\" before %s", second ? "a condition of its own, " : "",
           (int)(open - is) + length_of_parentheses(open), is,
           second ? "the first of these statements, and so on," : "this statement");
}

static const char *name_at(const char *text) {
  static char name[41];
  size_t length = 0;
  while (is_letter(text[length]) && length + 1 < sizeof name)
    length++;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  return name;
}

/* Of the other end of what a change changes. */
static int other_line(const char *text, const Edit *edit) {
  int line = edit->line;
  for (size_t i = edit->from; i < edit->to; i++)
    line += text[i] == '\n' && i + 1 < edit->to;
  return line;
}

/* A change that begins or ends in the middle of an expression, with all of it, where that is not too long. */
static void put_whole(const char *text, const Edit *edit, char was[WORDS], char is[WORDS]) {
  static const char before[] = "(;{},\n", behind[] = ");{},\n";
  enum { MOST = WORDS - 10 };
  size_t from = edit->from, to = edit->to;
  char all[EDIT_TEXT + 2 * MOST];
  if (!edit->text[strcspn(edit->text, " <>=&|+-*/%")] && !memchr(text + from, ' ', to - from))
    return; /* one name for another */
  while (from > 0 && !strchr(before, text[from - 1]) && edit->from - from < MOST &&
         !(text[from - 1] == '=' && from > 1 && text[from - 2] == ' '))
    from--;
  for (int open = 0; text[to] && to - edit->to < MOST && (open > 0 || !strchr(behind, text[to]));)
    open += (text[to] == '(') - (text[to] == ')'), to++;
  from += strspn(text + from, " \n");
  snprintf(all, sizeof all, "%.*s%s%.*s", (int)(edit->from - from), text + from, edit->text,
           (int)(to - edit->to), text + edit->to);
  if (to - from < MOST && strlen(all) < MOST) {
    shorten(was, text + from, to - from);
    shorten(is, all, strlen(all));
  }
}

/* What stands in place of what. */
static void put_change(char *how, size_t size, const char *text, const Edit *edit) {
  char was[WORDS], is[WORDS], before[WORDS];
  size_t word = edit->from;
  while (word > 0 && is_of_name(text[word - 1]))
    word--;
  shorten(before, text + word, edit->from - word);
  shorten(was, text + edit->from, edit->to - edit->from);
  shorten(is, edit->text, strlen(edit->text));
  if (!edit->operation[0] || strcmp(edit->operation, "as in the solution") == 0)
    put_whole(text, edit, was, is);
  if (!is[0] || strcmp(edit->operation, "dropped") == 0 ||
      strcmp(edit->operation, "operand dropped") == 0)
    snprintf(how, size, "without \"%s\"", was);
  else if (strcmp(edit->operation, "moved") == 0)
    snprintf(how, size, "with these two statements the other way round");
  else if (strcmp(edit->operation, "barrier added") == 0)
    snprintf(how, size, "with __syncthreads() behind it");
  else if (strcmp(edit->operation, "barrier moved") == 0)
    snprintf(how, size, "with __syncthreads() %s line %d and not",
             *edit->text == '_' ? "before" : "behind", other_line(text, edit));
  else if (strncmp(edit->operation, "guard", 5) == 0)
    snprintf(how, size, "with \"%s\" in front of it", is);
  else if (strcmp(edit->operation, "tile turned") == 0)
    snprintf(how, size, "with the two indices of %.40s exchanged wherever it is used, first",
             name_at(text + edit->from));
  else if (strcmp(edit->operation, "tiles turned") == 0)
    snprintf(how, size, "with the two indices exchanged wherever a tile is used, first");
  else if (strcmp(edit->operation, "both moved") == 0)
    put_both_moved(how, size, edit->text);
  else if (strcmp(edit->operation, "each time") == 0)
    put_each_time(how, size, text + edit->from, edit->text);
  else if (strcmp(edit->operation, "parentheses") == 0)
    snprintf(how, size, "with parentheses around the parameters of this macro");
  else if (strcmp(edit->operation, "own guard") == 0)
    put_own_guard(how, size, edit->text);
  else if (strcmp(edit->operation, "too large") == 0)
    snprintf(how, size, "with \"%s\" in place of \"%s\", whose square no float holds,", is, was);
  else if (strcmp(edit->operation, "throughout") == 0)
    put_throughout(how, size, text + edit->from, edit->text);
  else if (strcmp(edit->operation, "exchanged") == 0)
    put_exchanged(how, size, text + edit->from, edit->text);
  else if (!was[0] && !before[0])
    snprintf(how, size, "with \"%s\" added", is);
  else if (!was[0])
    snprintf(how, size, "with \"%s\" behind \"%s\"", is, before);
  else
    snprintf(how, size, "with \"%s\" in place of \"%s\"", is, was);
}

/* What its parts up to *end make of one line, as one change; *end becomes the next line's first. */
static Edit on_one_line(const char *text, const Edit *const **end, char *is, size_t size) {
  const Edit *const *part = *end;
  Edit all = *part[0];
  size_t at = 0, next = all.from;
  for (; *part && (*part)->line == all.line && at < size; part++) {
    at += (size_t)snprintf(is + at, size - at, "%.*s%s", (int)((*part)->from - next), text + next,
                           (*part)->text);
    next = (*part)->to;
  }
  all.operation = part == *end + 1 ? all.operation : "";
  all.to = next;
  all.text = is;
  *end = part;
  return all;
}

/* "with ... in line 7 and with ..."; *line: where the last one is. */
static void put_changes(char *how, size_t size, const char *text, const Edit *edit, int *line) {
  char one[3 * WORDS], is[EDIT_TEXT];
  size_t at = 0;
  for (const Edit *const *part = edit->parts; part && *part && at < size;) {
    Edit there = on_one_line(text, &part, is, sizeof is);
    put_change(one, sizeof one, text, &there);
    at += (size_t)snprintf(how + at, size - at, "%s", one);
    if (*part && at < size)
      at += (size_t)snprintf(how + at, size - at, " in line %d and ", there.line);
    *line = there.line;
  }
  if (!edit->parts)
    put_change(how, size, text, edit);
}

static bool says_float(const Verdict *verdict) {
  return strncmp(verdict->cause, OFF_BY_FLOAT, strlen(OFF_BY_FLOAT)) == 0;
}

/* Was it float, or a function for it? */
static bool is_of_type(const char *text, const Edit *edit) {
  static const char name[] = "float";
  return strcmp(edit->operation, "type") == 0 ||
         memmem(text + edit->from, edit->to - edit->from, name, sizeof name - 1);
}

/* "no barrier lies between the two", where what helps is no barrier: they were not to meet at all. */
static bool is_no_barrier(const Verdict *verdict, const Edit *edit) {
  bool says = !edit->parts && strstr(edit->text, "__sync");
  for (const Edit *const *part = edit->parts; part && *part; part++)
    says |= strstr((*part)->text, "__sync") != NULL;
  return verdict_is_race(verdict) && strncmp(edit->operation, "barrier", 7) != 0 &&
         strncmp(verdict->cause, "no barrier ", 11) == 0 && !says;
}

/* The sentence, and the place of what it is about. */
void repair_say(const char *text, const char *path, const Edit *edit, const Wanted *wanted,
                bool replaces, Verdict *verdict) {
  char place[200], how[400], runs[40];
  int line = edit->line;
  put_changes(how, sizeof how, text, edit, &line);
  place_format(place, sizeof place, path, edit->line);
  const size_t count = wanted->count;
  snprintf(runs, sizeof runs, count == 1 ? "the run" : "all %zu runs", count);
  verdict_line(verdict, place, "here is the mistake");
  if (replaces || (says_float(verdict) && !is_of_type(text, edit)) || is_no_barrier(verdict, edit))
    verdict->cause[0] = '\0';
  if (count == 0)
    verdict_cause_more(verdict, "%s in line %d this task is done", how, line);
  else if (wanted->costs)
    verdict_cause_more(verdict, "%s in line %d this task is done, and costs no more than it may",
                       how, line);
  else
    verdict_cause_more(verdict, "%s in line %d %s of this task come%s out right%s", how, line, runs,
                       count == 1 ? "s" : "", wanted->in_double ? " in double" : "");
  verdict->explained = verdict->repaired = true;
}
