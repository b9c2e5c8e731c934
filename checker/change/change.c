/* Searches for one change of the student's file with which a task passes. Lists the candidates, the
 * most likely candidates first, and tries them in this order. */
#include "change/change.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
  const Sheet *lab;
  const Settings *settings;
  size_t task;
} Search;

static char *read_whole(const char *path) {
  char *text = text_of_file(path);
  if (!text)
    bad_input("%s: %s", path, strerror(errno));
  return text;
}

/* Returns true if the search for a change is allowed: the student has begun the gap, and the task
 * asks for no prediction. */
static bool is_open(const Sheet *lab, size_t task, const char *text) {
  return !lab->tasks[task - 1].predictions && task_begun(lab, task, text);
}

/* Runs the check of a task in float and then in double. Returns true if both checks pass. */
static bool passes(const Search *s, size_t number, const char *folder, int *waits_for) {
  Settings in_double = settings_in_double(s->settings);
  const Task *task = &s->lab->tasks[number - 1];
  return task_passes(s->settings, task, folder, waits_for) &&
         (!s->settings->build.in_double || task_passes(&in_double, task, folder, waits_for));
}

/* Lists the candidates. The first candidates are the differences from the solution in the gaps of
 * this task and between gaps. The differences in gaps of other tasks follow, and then the
 * candidates of the operators. */
static void list_candidates(const Search *s, const char *text, const char *solution,
                            Candidates *all) {
  Tokens own = tokens_of(text), right = tokens_of(solution ? solution : "");
  bool first[TASKS_MAX + 1] = {true}, others[TASKS_MAX + 1] = {false};
  first[s->task] = true;
  for (size_t task = 1; task <= s->lab->task_count; task++)
    others[task] = task != s->task && is_open(s->lab, task, text);
  differences_find(&own, &right, first, all);
  differences_find(&own, &right, others, all);
  operators_apply(&own, REPAIR, (int)s->task, all);
  tokens_gone(&own);
  tokens_gone(&right);
}

static void look(const Search *s, Change *change, const char *folder,
                 void (*progress)(size_t, size_t)) {
  Candidates all = {.count = 0};
  char *solution = s->settings->change.solution ? read_whole(s->settings->change.solution) : NULL;
  Trials trials = {s->settings, &s->lab->tasks[s->task - 1], change->before, "", progress};
  /* In a sandbox, a compiler may only write to its folder out/. */
  const char *work = s->settings->walls.work;
  int length = snprintf(trials.folder, sizeof trials.folder, "%s%s", work ? work : folder,
                        work ? "/out" : "");
  if (length < 0 || (size_t)length >= sizeof trials.folder)
    bad_input("%s: too long a name of a folder: set TMPDIR", folder);
  list_candidates(s, change->before, solution, &all);
  const Candidate *found = trials_first(&trials, &all);
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
  if (!is_open(lab, number, change.before)) {
    change.end = task->predictions                             ? CHANGE_OF_PREDICTION
                 : gap_fingerprint(change.before, (int)number) ? CHANGE_NOT_BEGUN
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
