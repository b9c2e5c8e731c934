/* Prints the last hint: a sentence, then the change as a diff of whole lines. */
#include "change/change.h"
#include "harness/screen.h"
#include "say/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 2 };

/* ---- the lines that differ ------------------------------------------------------------------- */

typedef struct Lines {
  /* Pointers to the first character of each line, and to the end of the text. */
  const char **at;
  size_t count;
} Lines;

static Lines lines_of(const char *text) {
  Lines lines = {calloc(strlen(text) + 2, sizeof *lines.at), 0};
  if (!lines.at)
    bad_input("out of memory");
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
    lines.at[lines.count++] = text;
  lines.at[lines.count] = text;
  return lines;
}

static bool same_line(const Lines *a, size_t i, const Lines *b, size_t k) {
  size_t length = (size_t)(a->at[i + 1] - a->at[i]);
  return length == (size_t)(b->at[k + 1] - b->at[k]) && memcmp(a->at[i], b->at[k], length) == 0;
}

/* Returns a table: element (i, k) is the length of the longest common subsequence of the lines of
 * `before` from i on and the lines of `after` from k on. */
static size_t *kept_lines(const Lines *before, const Lines *after) {
  const size_t columns = after->count + 1;
  size_t *kept = calloc((before->count + 1) * columns, sizeof *kept);
  for (size_t i = before->count; kept && i-- > 0;)
    for (size_t k = after->count; k-- > 0;) {
      size_t *at = kept + i * columns + k;
      *at = at[1] > at[columns] ? at[1] : at[columns];
      if (same_line(before, i, after, k))
        *at = at[columns + 1] + 1;
    }
  return kept;
}

static void print_line(const Lines *lines, size_t i, char mark) {
  const char *line = lines->at[i];
  printf("  %4zu %c %.*s\n", i + 1, mark, (int)strcspn(line, "\n"), line);
}

/* Returns true if one of the next CONTEXT lines is changed, so that this line is printed as
 * context. */
static bool before_change(const Lines *before, const Lines *after, size_t i, size_t k) {
  for (size_t n = 0; n <= CONTEXT; n++)
    if (i + n < before->count && k + n < after->count && !same_line(before, i + n, after, k + n))
      return true;
  return false;
}

static void print_diff(const char *old, const char *new) {
  Lines before = lines_of(old), after = lines_of(new);
  const size_t columns = after.count + 1;
  size_t *kept = kept_lines(&before, &after), since = CONTEXT, i = 0, k = 0;
  bool skipped = false, any = false;
  while (kept && (i < before.count || k < after.count)) {
    const size_t *at = kept + i * columns + k;
    bool both = i < before.count && k < after.count;
    if (both && same_line(&before, i, &after, k)) {
      bool shown = since < CONTEXT || before_change(&before, &after, i, k);
      if (shown && skipped && any)
        puts("       ...");
      if (shown)
        print_line(&before, i, ' ');
      skipped = !shown;
      since++;
      i++, k++;
      continue;
    }
    bool removed = i < before.count && (k == after.count || at[columns] >= at[1]);
    print_line(removed ? &before : &after, removed ? i : k, removed ? '-' : '+');
    i += removed;
    k += !removed;
    any = true;
    since = 0;
  }
  free(kept);
  free(before.at);
  free(after.at);
}

/* ---- progress on a terminal: one line, which is erased at the end ---------------------------- */

static void progress(size_t number, size_t count) {
  char words[SAID_WORDS];
  if (!isatty(STDERR_FILENO))
    return;
  Said said = SAID(CHANGE_IS_TRIED, number, count);
  said_text(&said, words, sizeof words);
  fprintf(stderr, "\r\033[K%s%s", count ? "  " : "", count ? words : "");
  fflush(stderr);
}

/* ---- the report ------------------------------------------------------------------------------ */

static void print_said(Said said) {
  char words[SAID_WORDS];
  said_text(&said, words, sizeof words);
  screen_wrapped(stdout, 2, "", words, screen_width(STDOUT_FILENO));
}

static Said said_of_change(const Change *change, size_t task) {
  switch (change->end) {
  case CHANGE_FOUND:
    return SAID(CHANGE_MAKES_IT_PASS);
  case CHANGE_NONE:
    return SAID(CHANGE_NOT_FOUND);
  case CHANGE_NOT_BEGUN:
    return SAID(CHANGE_NEEDS_A_BEGINNING, task);
  case CHANGE_NO_MARKS:
    return SAID(CHANGE_NEEDS_MARKS, task);
  case CHANGE_OF_PREDICTION:
    return SAID(CHANGE_OF_A_PREDICTION, task);
  case CHANGE_WAITS:
    return SAID(CHANGE_COMES_LATER, task, change->waits_for);
  default:
    return SAID(CHANGE_IS_NOT_NEEDED);
  }
}

int change_print(Settings *settings) {
  const Sheet *lab = sheet_find(settings->lab);
  char number[3], labs[LABS_WORD], next[64];
  size_t task = task_meant(settings);
  lab_number(lab->name, number);
  labs_word(settings, labs);
  lab_next_step(lab, next, sizeof next);
  if (task == 0)
    return printf("nothing is open in this lab\n  next: %s\n", next), 0;
  if (settings->build.compile_log)
    return print_said(SAID(CHANGE_DOES_NOT_COMPILE, number, labs)), 0;
  if (settings->run.seed == 0)
    settings->run.seed = seed_of(settings, SEED_COUNTS);
  printf("lab %s, task %zu, %s\n\n", number, task, lab->tasks[task - 1].title);
  fflush(stdout);
  Change change = change_find(lab, settings, task, progress);
  print_said(said_of_change(&change, task));
  if (change.after) {
    putchar('\n');
    print_diff(change.before, change.after);
  }
  printf("\n  next: make lab%s%s\n", number, labs);
  free(change.before);
  free(change.after);
  return 0;
}
