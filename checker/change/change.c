/* Looks for one change with which a task passes: lists candidates, likelier ones first, and tries
 * them. */
#include "change/change.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIED_MOST = 1000, LINES_MOST = 2 * FACTS_MOST };
static const double SECONDS = 60;

/* What is known before candidates are listed. */
typedef struct Search {
  const Sheet *lab;
  const Settings *settings;
  size_t task;
  bool open[TASKS_MAX + 1]; /* the gap is begun and asks for no prediction */
  int lines[LINES_MOST];    /* of the source, that the verdict names */
  size_t line_count;
} Search;

static char *read_whole(const char *path) {
  char *text = text_of_file(path);
  if (!text)
    bad_input("%s: %s", path, strerror(errno));
  return text;
}

/* ---- the file as it is
 * --------------------------------------------------------------------------------- */

static bool has_gap(const char *text, size_t task) {
  Tokens tokens = tokens_of(text);
  bool found = false;
  for (size_t i = 0; i < tokens.gap_count; i++)
    found |= tokens.gaps[i].task == (int)task;
  tokens_gone(&tokens);
  return found;
}

static void find_open(Search *s, const char *text) {
  s->open[0] = true;
  for (size_t task = 1; task <= s->lab->task_count; task++)
    s->open[task] = !s->lab->tasks[task - 1].predictions && task_begun(s->lab, task, text);
}

/* Adds the lines of the source that the facts of a verdict name. */
static void note_lines(Search *s, const Verdict *verdict) {
  const char *name = strrchr(s->settings->paths.source, '/');
  name = name ? name + 1 : s->settings->paths.source;
  for (size_t i = 0; i < verdict->fact_count && s->line_count < LINES_MOST; i++) {
    const char *at = strstr(verdict->facts[i].place, name);
    int line = at && at[strlen(name)] == ':' ? atoi(at + strlen(name) + 1) : 0;
    if (line > 0)
      s->lines[s->line_count++] = line;
  }
}

/* Runs the check of a task in float and then in double. */
static bool passes(Search *s, size_t task, const char *folder, int *waits_for) {
  Settings in_double = settings_in_double(s->settings);
  const Settings *both[] = {s->settings, s->settings->build.in_double ? &in_double : NULL};
  bool good = true;
  for (size_t i = 0; i < 2 && both[i] && good; i++) {
    Check check = {.settings = both[i], .quick = true};
    snprintf(check.folder, sizeof check.folder, "%s", folder);
    s->lab->tasks[task - 1].check(&check);
    good = !verdict_failed(&check.verdict) && !check.waits_for;
    *waits_for = check.waits_for;
    note_lines(s, &check.verdict);
    known_forget();
  }
  return good;
}

/* ---- candidates
 * ------------------------------------------------------------------------------------------ */

static size_t distance(const Search *s, int line) {
  size_t least = s->line_count ? SIZE_MAX : 0;
  for (size_t i = 0; i < s->line_count; i++) {
    size_t far = (size_t)abs(line - s->lines[i]);
    least = far < least ? far : least;
  }
  return least;
}

static int by_rank(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Differences come first, then the operators by their distance from the lines that the verdict
 * names. */
static void list_candidates(const Search *s, const char *text, const char *solution,
                            Candidates *all) {
  enum { OF_OPERATORS = 1000000, FARTHER = 1000 };
  Tokens own = tokens_of(text), right = tokens_of(solution ? solution : "");
  if (solution)
    differences_find(&own, &right, (int)s->task, s->open, all);
  size_t differences = all->count;
  operators_apply(&own, REPAIR, (int)s->task, all);
  for (size_t i = 0; i < all->count; i++) {
    Candidate *each = &all->all[i];
    if (i >= differences)
      each->rank += OF_OPERATORS + FARTHER * distance(s, line_of(text, each->splices[0].from));
    each->rank = each->rank * 100000 + i; /* keeps the order of equal ranks */
  }
  qsort(all->all, all->count, sizeof *all->all, by_rank);
  tokens_gone(&own);
  tokens_gone(&right);
}

static void look(const Search *s, Change *change, const char *folder,
                 void (*progress)(size_t, size_t)) {
  Candidates all = {.count = 0};
  char *solution = s->settings->change.solution ? read_whole(s->settings->change.solution) : NULL;
  Trials trials = {s->settings, &s->lab->tasks[s->task - 1], change->before, "", progress, SECONDS};
  const char *work = s->settings->walls.work; /* behind walls a compiler writes to its out/ alone */
  int length = snprintf(trials.folder, sizeof trials.folder, "%s%s", work ? work : folder,
                        work ? "/out" : "");
  if (length < 0 || (size_t)length >= sizeof trials.folder)
    bad_input("%s: too long a name of a folder: set TMPDIR", folder);
  list_candidates(s, change->before, solution, &all);
  Candidates tried = all;
  tried.count = all.count < TRIED_MOST ? all.count : TRIED_MOST;
  const Candidate *found = trials_first(&trials, &tried);
  change->end = found ? CHANGE_FOUND : CHANGE_NONE;
  if (found)
    change->after = candidate_apply(change->before, found);
  candidates_free(&all);
  free(solution);
}

Change change_find(const Sheet *lab, const Settings *settings, size_t number,
                   void (*progress)(size_t, size_t)) {
  const Task *task = &lab->tasks[number - 1];
  Search s = {.lab = lab, .settings = settings, .task = number};
  Change change = {.end = CHANGE_NOT_NEEDED, .before = read_whole(settings->paths.source)};
  char folder[256];
  int other = 0;
  find_open(&s, change.before);
  if (task->predictions || !s.open[number]) {
    change.end = task->predictions                ? CHANGE_OF_PREDICTION
                 : has_gap(change.before, number) ? CHANGE_NOT_BEGUN
                                                  : CHANGE_NO_MARKS;
    return change;
  }
  results_folder(settings, folder);
  if (task->needs && !passes(&s, (size_t)task->needs, folder, &other)) {
    change.waits_for = task->needs;
    change.end = CHANGE_WAITS;
  } else if (!passes(&s, number, folder, &change.waits_for)) {
    change.end = CHANGE_WAITS;
    if (!change.waits_for)
      look(&s, &change, folder, progress);
  }
  results_folder_gone(folder);
  return change;
}
