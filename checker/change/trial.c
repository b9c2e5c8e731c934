/* Tries candidates: writes the changed file, compiles it and runs the task's check. If only device
 * code is changed, the file is compiled to PTX, which replaces the kernels of the existing program.
 * This takes about 0.2 s. Any other change needs a new program, which takes about 1 s. Each trial
 * has its own process and its own folder. As many trials run at the same time as there are
 * cores. */
#include "change/change.h"
#include "grade/in_double.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 240, SEARCH_SECONDS = 60 };

/* ---- one trial ---- */

typedef struct Files {
  /* folder: for the results of the runs. source: the changed file. made: the compiler's output, PTX
   * or a program. */
  char folder[FILES], source[FILES + 16], made[FILES + 16];
} Files;

bool task_passes(const Settings *settings, const Task *task, const char *folder, int *waits_for) {
  Check check = {.settings = settings, .quick = true};
  snprintf(check.folder, sizeof check.folder, "%s", folder);
  /* The cached results are from another program of the same name. */
  known_forget();
  task_judge(&check, task);
  *waits_for = check.waits_for;
  return !verdict_failed(&check.verdict) && !check.waits_for;
}

/* Returns true if the task passes with the changed file, in the precision of these settings. */
static bool passes_in(const Trials *t, Settings settings, const Files *files, bool of_device) {
  const ChangeSettings *how = &settings.change;
  char object[sizeof files->made + 4];
  int waits_for;
  if (!compile_source(&settings, of_device ? how->edited : how->rebuilt, files->source, files->made,
                      NULL))
    return false;
  settings.paths.source = files->source;
  snprintf(object, sizeof object, "%s.o", files->made);
  if (of_device) {
    settings.run.kernels = files->made;
  } else {
    settings.build.program = files->made;
    /* The replay runs the kernels of the changed object. */
    settings.build.object[0] = object;
  }
  return task_passes(&settings, t->task, files->folder, &waits_for);
}

static bool is_of_device(const char *text, size_t at) {
  const char *head = text + function_begin(text, at);
  size_t length = strcspn(head, "{;");
  return memmem(head, length, "__global__", 10) || memmem(head, length, "__device__", 10);
}

/* Tries one candidate. Its runs use the seed of the changed file, because the student's next check
 * of that file uses this seed. */
static bool passes(const Trials *t, const Candidate *candidate, const Files *files) {
  Settings settings = *t->settings;
  bool of_device = true, good = false;
  char *changed = candidate_apply(t->text, candidate);
  FILE *out = fopen(files->source, "we");
  if (out) {
    fputs(changed, out);
    good = fclose(out) == 0;
  }
  free(changed);
  for (size_t i = 0; i < candidate->count; i++)
    of_device &= is_of_device(t->text, candidate->splices[i].from);
  if (!good || !(of_device ? settings.change.edited : settings.change.rebuilt))
    return false;
  settings.paths.source = files->source;
  settings.run.seed = seed_of(&settings, SEED_COUNTS);
  settings.run.no_lines = true;
  settings.walls.budget = 0;
  return passes_in(t, settings, files, of_device) &&
         (!settings.build.in_double ||
          passes_in(t, settings_in_double(&settings), files, of_device));
}

/* ---- all trials ---- */

enum { WORKERS_MOST = 32, TICK = 5000 /* microseconds */ };

static Files files_of(const Trials *t, size_t worker) {
  Files files;
  snprintf(files.folder, sizeof files.folder, "%s/%zu", t->folder, worker);
  snprintf(files.source, sizeof files.source, "%s/changed.cu", files.folder);
  snprintf(files.made, sizeof files.made, "%s/made", files.folder);
  return files;
}

static pid_t start(const Trials *t, const Candidate *candidate, size_t worker) {
  const Files files = files_of(t, worker);
  mkdir(files.folder, 0700);
  pid_t pid = child_of_ours();
  if (pid == 0)
    _exit(!freopen("/dev/null", "w", stderr) || !passes(t, candidate, &files));
  return pid;
}

/* Waits for a trial, and kills its process at the time `end`. Returns true if the task passed. */
static bool passed(pid_t pid, time_t end) {
  int status = 1;
  while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
    if (time(NULL) > end)
      kill(pid, SIGKILL);
    usleep(TICK);
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Tries as many candidates at a time as the machine has cores. Returns the first candidate that
 * passes, or NULL. */
const Candidate *trials_first(const Trials *t, const Candidates *all) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = cores < 1 ? 1 : cores > WORKERS_MOST ? WORKERS_MOST : (size_t)cores;
  const Candidate *found = NULL;
  const time_t end = time(NULL) + SEARCH_SECONDS;
  for (size_t first = 0; first < all->count && !found && time(NULL) < end; first += most) {
    size_t count = all->count - first < most ? all->count - first : most;
    pid_t pids[WORKERS_MOST];
    t->progress(first + 1, all->count);
    for (size_t i = 0; i < count; i++)
      pids[i] = start(t, &all->all[first + i], i);
    for (size_t i = 0; i < count; i++) {
      if (passed(pids[i], found ? 0 : end))
        found = &all->all[first + i];
      child_folder_gone(files_of(t, i).folder);
    }
  }
  t->progress(0, 0);
  return found;
}
