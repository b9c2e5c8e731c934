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
#include "survey.h"
#include "versions.h"

enum { TOGETHER = 128, TRIED_MOST = 6 * TOGETHER, IN_A_CLASS = 2 * TOGETHER };
enum { STARTS_IN_A_CLASS = 400 };
static const double SECONDS = 40, SECONDS_IN_A_CLASS = 120; /* of processor time */

typedef struct Repair {
  Check *check;
  const Task *task;
  Versions all;
  double start;
  unsigned runs; /* before it */
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

static bool in_a_class(const Repair *r) { return r->check->settings->sandbox; }

static bool may_go_on(const Repair *r) {
  return in_a_class(r) ? r->check->runs - r->runs < STARTS_IN_A_CLASS : used() - r->start < SECONDS;
}

/* In a class the same file has the same report: what no honest one needs, ends all. */
static bool took_too_long(const Repair *r) {
  return in_a_class(r) && used() - r->start > SECONDS_IN_A_CLASS;
}

/* ---- which of them is right? --------------------------------------------------------------------- */

/* Likely ones come first: mistaken for another, off by one, too much, too little; of these, changes of the task's own gaps. */
static int rank(const Edit *edit, int task) {
  static const char *const operations[] = {"whole division",
                                           "comparison",
                                           "operand",
                                           "variable",
                                           "indices",
                                           "arguments",
                                           "barrier",
                                           "type",
                                           "constant",
                                           "operand dropped",
                                           "arithmetic",
                                           "off by one",
                                           "computed of another",
                                           "qualifier",
                                           "condition",
                                           "moved",
                                           "dropped",
                                           "condition added",
                                           "guard added",
                                           "limited",
                                           "barrier added"};
  enum { COUNT = sizeof operations / sizeof *operations };
  int which = 0;
  while (which < COUNT && strcmp(edit->operation, operations[which]) != 0)
    which++;
  return 2 * which + (edit->task != task);
}

/* Where an observer saw something go wrong, the mistake is mostly near. A race wants a barrier, an access out of bounds a guard. */
static struct {
  int task, lines[2];
  bool race, outside, unfilled;
} sought; /* for qsort */

static bool is_near(int line) {
  enum { LINES = 6 };
  for (size_t i = 0; i < 2; i++)
    if (sought.lines[i] && abs(line - sought.lines[i]) <= LINES)
      return true;
  return false;
}

static bool is_wanted(const char *operation) {
  return sought.race
             ? strncmp(operation, "barrier", 7) == 0
             : sought.outside && (strcmp(operation, "comparison") == 0 ||
                                  strstr(operation, "added") || strcmp(operation, "limited") == 0);
}

/* Who reads elsewhere in shared memory does not meet what nothing wrote, and the mistake stays: it lies with who did not write. */
static bool may_be(const Edit *edit) {
  return !sought.unfilled || strcmp(edit->operation, "limited") != 0;
}

static int distance(const Edit *edit) {
  bool near = is_near(edit->line);
  if (strcmp(edit->operation, "operand added") == 0)
    return 3; /* there are many */
  return is_wanted(edit->operation) && (near || sought.race) ? 0 : near ? 1 : 2;
}

static int by_rank(const void *a, const void *b) {
  const Edit *x = ((const Version *)a)->edit, *y = ((const Version *)b)->edit;
  int apart = distance(x) - distance(y);
  apart = apart ? apart : rank(x, sought.task) - rank(y, sought.task);
  return apart ? apart : x < y ? -1 : x > y;
}

static void seek(int task, const Verdict *verdict) {
  memset(&sought, 0, sizeof sought);
  sought.task = task;
  sought.race = verdict_is_race(verdict);
  sought.unfilled = verdict->kind == VERDICT_UNINITIALISED &&
                    strstr(verdict->headline, "of shared memory") != NULL;
  sought.outside = verdict->kind == VERDICT_OUT_OF_BOUNDS ||
                   (verdict->kind == VERDICT_UNINITIALISED && !sought.unfilled);
  for (size_t i = 0, found = 0; i < verdict->line_count && found < 2; i++) {
    const char *colon = strrchr(verdict->lines[i].place, ':');
    sought.lines[found] = colon ? (int)strtol(colon + 1, NULL, 10) : 0;
    found += sought.lines[found] != 0;
  }
}

/* count 0: all that the task asks for, what it costs, too. */
static bool come_out_right(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                           unsigned limit) {
  if (!may_go_on(r))
    return false;
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
  if (right && count == 0) {
    r->task->check(&check);
    right = !check.verdict.headline[0];
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

/* All runs of the task come out right; how sure it is that this was the mistake. */
static int how_right(Repair *r, const Version *version, const Wanted *wanted,
                     const JudgedRun *last) {
  if (!come_out_right(r, version, &wanted->failed, 1, branches(&wanted->failed)) ||
      !come_out_right(r, version, wanted->runs, wanted->count, 0))
    return 0;
  return 1 + come_out_right(r, version, last, 1, 0) + 2 * come_out_right(r, version, NULL, 0, 0);
}

/* The first with which the ragged run comes out right, too, and the whole task is done; else the best of the others. In a
 * class, where many wait, of those that are compiled together. */
static const Edit *first_right(Repair *r, const Wanted *wanted) {
  enum { SURE = 4 };
  const size_t tried = in_a_class(r) ? IN_A_CLASS : TRIED_MOST;
  const size_t count = r->all.count < tried ? r->all.count : tried;
  const JudgedRun last = ragged(&wanted->failed);
  const Edit *found = NULL;
  int best = 0;
  for (size_t from = 1, to; from < count && best < (in_a_class(r) ? 1 : SURE); from = to) {
    to = from + TOGETHER < count ? from + TOGETHER : count;
    if (!versions_compile(&r->all, from, to))
      break;
    for (size_t i = from; i < to && best < SURE && may_go_on(r); i++) {
      if (took_too_long(r))
        return NULL;
      const Version *version = &r->all.versions[i];
      int how = version_is_new(&r->all, i) && may_be(version->edit)
                    ? how_right(r, version, wanted, &last)
                    : 0;
      if (how > best) {
        best = how;
        found = version->edit;
      }
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
  else if (strcmp(edit->operation, "barrier added") == 0)
    snprintf(how, sizeof how, "with __syncthreads() behind it");
  else if (strcmp(edit->operation, "guard added") == 0)
    snprintf(how, sizeof how, "with \"%s\" in front of it", is);
  else if (edit->from == edit->to)
    snprintf(how, sizeof how, "with \"%s\" behind \"%s\"", is, before);
  else
    snprintf(how, sizeof how, "with \"%s\" in place of \"%s\"", is, was);
  snprintf(runs, sizeof runs, count == 1 ? "the run" : "all %zu runs", count);
  verdict_line(verdict, place, "here is the mistake");
  if (replaces)
    verdict->cause[0] = '\0';
  verdict_cause_more(verdict, "%s in line %d %s of this task come%s out right", how, edit->line,
                     runs, count == 1 ? "s" : "");
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
  bool seen = kind == VERDICT_OUT_OF_BOUNDS || kind == VERDICT_UNINITIALISED;
  *replaces = is_question(verdict->cause) || (numbers && !verdict->explained);
  return at_home ? numbers || (seen && !verdict->explained) || verdict_is_race(verdict)
                 : numbers && *replaces;
}

/* A gap that is as it was handed out holds nothing to be mistaken for something else. */
static bool is_begun(const Versions *all, int task) {
  for (size_t i = 1; i < all->count; i++)
    if (all->versions[i].edit->task == task)
      return true;
  return false;
}

/* What would be launched: a kernel that goes wrong ends a run, before the others had their turn. */
static Trial pretended(const Check *check, const JudgedRun *run) {
  Settings settings = *check->settings;
  Check own = {.settings = &settings, .runs = check->runs};
  snprintf(own.folder, sizeof own.folder, "%s", check->folder);
  settings.pretend = true;
  return judged_start(&own, run, "--pretend");
}

bool repair_explains(Check *check, const Sheet *sheet, size_t task, const Wanted *wanted,
                     Verdict *verdict) {
  Repair r = {.check = check, .task = &sheet->tasks[task], .start = used(), .runs = check->runs};
  const Edit *found = NULL;
  bool replaces;
  if (!is_open(verdict, !check->settings->sandbox, &replaces))
    return false;
  Trial trial = pretended(check, &wanted->failed);
  seek((int)task + 1, verdict);
  bool begun =
      versions_begin(&r.all, check->settings, check->folder, trial.log.launched, by_rank) &&
      is_begun(&r.all, (int)task + 1);
  if (begun)
    found = first_right(&r, wanted);
  if (found)
    say(&r, found, wanted->count, replaces, verdict);
  else if (begun && !in_a_class(&r))
    verdict->repaired = survey_explains(check, wanted, verdict);
  versions_end(&r.all);
  trial_free(&trial);
  return verdict->repaired;
}
