/* Where is the mistake? Wrong numbers show what went wrong, and seldom on which line. A mistake is mostly one thing in place
 * of another, so that one change makes all right again: the changes of edits.c are tried, each in the kernels alone, and one
 * with which every run of the task comes out right is named. It is no guess: it has been run.
 */
#include "repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/harness.h"
#include "versions.h"

enum { TOGETHER = 128, TRIED_MOST = 6 * TOGETHER, IN_A_CLASS = 3 * TOGETHER };
static const double SECONDS = 40; /* of processor time */

typedef struct Repair {
  Check *check;
  Versions all;
  double start;
} Repair;

/* Of processor time, so that a busy machine finds what an idle one does. */
static double used(void) {
  struct rusage of[2];
  double seconds = 0;
  getrusage(RUSAGE_SELF, &of[0]);
  getrusage(RUSAGE_CHILDREN, &of[1]);
  for (int i = 0; i < 2; i++)
    seconds += (double)(of[i].ru_utime.tv_sec + of[i].ru_stime.tv_sec) +
               1e-6 * (double)(of[i].ru_utime.tv_usec + of[i].ru_stime.tv_usec);
  return seconds;
}

/* ---- which of them is right? --------------------------------------------------------------------- */

/* Changes of the task's own gaps come first, and of these the likely ones: mistaken for another, off by one, too much. */
static int rank(const Edit *edit, int task) {
  static const char *const operations[] = {
      "comparison", "operand",  "variable",   "indices",      "arguments", "operand dropped",
      "arithmetic", "constant", "off by one", "type",         "barrier",   "qualifier",
      "condition",  "moved",    "dropped",    "operand added"};
  enum { COUNT = sizeof operations / sizeof *operations };
  int which = 0;
  while (which < COUNT && strcmp(edit->operation, operations[which]) != 0)
    which++;
  return 2 * which + (edit->task != task);
}

static int task_first; /* for qsort */
static int by_rank(const void *a, const void *b) {
  const Edit *x = ((const Version *)a)->edit, *y = ((const Version *)b)->edit;
  int apart = rank(x, task_first) - rank(y, task_first);
  return apart ? apart : x->from < y->from ? -1 : x->from > y->from;
}

static bool come_out_right(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                           unsigned limit) {
  Settings settings = *r->check->settings;
  Check check = {.settings = &settings, .runs = r->check->runs};
  char path[340];
  snprintf(check.folder, sizeof check.folder, "%s", r->check->folder);
  snprintf(path, sizeof path, "%s/kernels", r->check->folder);
  settings.kernels = path;
  settings.budget = 0; /* is for what counts */
  settings.limit = limit;
  settings.seconds = limit ? 1 : settings.seconds;
  FILE *out = fopen(path, "we");
  if (!out)
    return false;
  fwrite(version->ptx, 1, version->length, out);
  bool right = fclose(out) == 0;
  for (size_t i = 0; i < count && right; i++) {
    memset(&check.verdict, 0, sizeof check.verdict);
    right = judged_right(&check, &runs[i], NULL);
  }
  r->check->runs = check.runs;
  unlink(path);
  return right;
}

/* The run that failed at sizes that no tile fits: where a task has whole tiles only, several changes may do, and the right one
 * does here, too, if the rest of the kernel is ready for it. */
static JudgedRun ragged(const JudgedRun *failed) {
  static const int sizes[] = {137, 71, 149, 3};
  JudgedRun run = *failed;
  for (int i = 0; i < problem_sizes(failed->subject->problem); i++) {
    int most = failed->subject->drawn_most[i];
    run.size[i] = sizes[i] < most ? sizes[i] : most;
  }
  return run;
}

/* Branches that a warp takes for such sizes; of the changes that are tried, many make a loop endless. */
static unsigned branches(const JudgedRun *run) {
  unsigned most = 500;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    most += 4 * (unsigned)run->size[i];
  return most;
}

/* The first with which all runs of the task come out right, and the ragged one; else the first of the others. */
static const Edit *first_right(Repair *r, const Wanted *wanted) {
  const size_t tried = r->check->settings->sandbox ? IN_A_CLASS : TRIED_MOST;
  const size_t count = r->all.count < tried ? r->all.count : tried;
  const JudgedRun last = ragged(&wanted->failed);
  const Edit *found = NULL;
  for (size_t from = 1, to; from < count; from = to) {
    to = from + TOGETHER < count ? from + TOGETHER : count;
    if (!versions_compile(&r->all, from, to))
      break;
    for (size_t i = from; i < to && used() - r->start < SECONDS; i++) {
      const Version *version = &r->all.versions[i];
      if (!version_is_new(&r->all, i) ||
          !come_out_right(r, version, &wanted->failed, 1, branches(&wanted->failed)) ||
          !come_out_right(r, version, wanted->runs, wanted->count, 0))
        continue;
      if (come_out_right(r, version, &last, 1, 0))
        return version->edit;
      found = found ? found : version->edit;
    }
  }
  return found;
}

/* ---- in words ------------------------------------------------------------------------------------ */

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* On one line, no longer than a line has room for; "(32 + 1)" is 33, and "(n + 1)" needs no parentheses. */
static void shorten(char out[60], const char *text, size_t length) {
  enum { MOST = 53 };
  size_t at = 0;
  int number, one;
  char sign, end;
  if (sscanf(text, "(%d %c %d%c", &number, &sign, &one, &end) == 4 && end == ')') {
    snprintf(out, 60, "%d", sign == '+' ? number + one : number - one);
    return;
  }
  if (length > 2 && *text == '(' && text[length - 1] == ')' && !memchr(text + 1, '(', length - 1))
    text++, length -= 2;
  for (size_t i = 0; i < length && at < MOST; i++)
    if (!isspace((unsigned char)text[i]))
      out[at++] = text[i];
    else if (at && out[at - 1] != ' ')
      out[at++] = ' ';
  snprintf(out + at, 60 - at, "%s", at == MOST ? "..." : "");
}

/* The sentence, and the place of what it is about. */
static void say(const Repair *r, const Edit *edit, size_t count, bool replaces, Verdict *verdict) {
  char was[60], is[60], before[60], place[200], how[160], runs[40];
  size_t word = edit->from;
  while (word > 0 && is_of_name(r->all.source[word - 1]))
    word--;
  shorten(before, r->all.source + word, edit->from - word);
  shorten(was, r->all.source + edit->from, edit->to - edit->from);
  shorten(is, edit->text, strlen(edit->text));
  place_format(place, sizeof place, r->check->settings->source, edit->line);
  if (strcmp(edit->operation, "dropped") == 0 || strcmp(edit->operation, "operand dropped") == 0)
    snprintf(how, sizeof how, "without \"%s\"", was);
  else if (strcmp(edit->operation, "moved") == 0)
    snprintf(how, sizeof how, "with these two statements the other way round");
  else if (edit->from == edit->to)
    snprintf(how, sizeof how, "with \"%s\" behind \"%s\"", is, before);
  else
    snprintf(how, sizeof how, "with \"%s\" in place of \"%s\"", is, was);
  snprintf(runs, sizeof runs, count == 1 ? "the run" : "all %zu runs", count);
  verdict_line(verdict, place, "here is the mistake");
  if (replaces)
    verdict->cause[0] = '\0';
  size_t length = strlen(verdict->cause);
  snprintf(verdict->cause + length, sizeof verdict->cause - length,
           "%s%s in line %d %s of this task come%s out right", length ? ". And " : "", how,
           edit->line, runs, count == 1 ? "s" : "");
  verdict->explained = verdict->repaired = true;
}

/* A question is no answer. */
static bool is_question(const char *text) {
  size_t length = strlen(text);
  return length && text[length - 1] == '?';
}

/* Numbers that nobody has explained; at home, where nobody else waits, also what shows where it went wrong, and not why. */
static bool is_open(const Verdict *verdict, bool at_home, bool *replaces) {
  VerdictKind kind = verdict->kind;
  bool numbers = kind == VERDICT_WRONG || kind == VERDICT_UNWRITTEN || kind == VERDICT_NOT_A_NUMBER;
  *replaces = numbers && (!verdict->explained || is_question(verdict->cause));
  return *replaces || (at_home && (kind == VERDICT_OUT_OF_BOUNDS || kind == VERDICT_UNINITIALISED ||
                                   (numbers && verdict->suspects.count != 1)));
}

bool repair_explains(Check *check, int task, const Wanted *wanted, Verdict *verdict) {
  Repair r = {.check = check, .start = used()};
  const Edit *found = NULL;
  bool replaces;
  if (!is_open(verdict, !check->settings->sandbox, &replaces))
    return false;
  Trial trial = judged_start(check, &wanted->failed, NULL);
  task_first = task;
  if (versions_begin(&r.all, check->settings, check->folder, trial.log.kernels, by_rank))
    found = first_right(&r, wanted);
  if (found)
    say(&r, found, wanted->count, replaces, verdict);
  versions_end(&r.all);
  trial_free(&trial);
  return found;
}
