/* Tries candidates: writes the changed file, compiles it and runs the task's check. A change of
 * device code is compiled to PTX alone, which replaces the kernels of the program at hand (about
 * 0.2 s); any other change needs a program of its own (about 1 s). Each trial has a process and a
 * folder of its own; as many run as there are cores.
 */
#include "change/change.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 240, COMMAND_MOST = 16384, COMPILER_SECONDS = 40 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one trial
 * ------------------------------------------------------------------------------------ */

typedef struct Files {
  char folder[FILES], source[FILES + 16], made[FILES + 16]; /* made: PTX, or a program */
} Files;

/* Behind walls a compiler sees the folder of the submission alone. */
static const char *as_seen(const Settings *settings, const char *path) {
  return settings->walls.work ? path + strlen(settings->walls.work) + 1 : path;
}

/* Runs `command` with the source, what is made of it and the precision as its arguments. */
static bool compile(const Settings *settings, const char *command, const Files *files) {
  const Walls *walls = &settings->walls;
  bool behind_walls = sandbox_wanted(settings);
  char in_folder[COMMAND_MOST];
  const char *arguments[] = {"/bin/sh",
                             "-c",
                             in_folder,
                             walls->work && !behind_walls ? walls->work : ".",
                             as_seen(settings, files->source),
                             as_seen(settings, files->made),
                             settings->build.precision,
                             NULL};
  Sandbox box = {.work = walls->work, .readable = walls->readable, .offline = walls->offline};
  FILE *said = tmpfile(); /* is not shown */
  int length = snprintf(in_folder, sizeof in_folder, "cd \"$0\" && %s", command);
  unlink(files->made);
  ChildEnd end = child_run(&(ChildRequest){.arguments = arguments,
                                           .seconds = COMPILER_SECONDS,
                                           .box = behind_walls ? &box : NULL,
                                           .heard = said});
  if (said)
    fclose(said);
  return length < COMMAND_MOST && end.how == CHILD_EXITED && end.code == 0 &&
         access(files->made, R_OK) == 0;
}

/* Does the task pass with the changed file, in the precision of these settings? */
static bool passes_in(const Trials *t, Settings settings, const Files *files, bool of_device) {
  const ChangeSettings *how = &settings.change;
  Check check = {.settings = &settings, .quick = true};
  char object[sizeof files->made + 4];
  snprintf(check.folder, sizeof check.folder, "%s", files->folder);
  if (!compile(&settings, of_device ? how->edited : how->rebuilt, files))
    return false;
  settings.paths.source = files->source;
  snprintf(object, sizeof object, "%s.o", files->made);
  if (of_device) {
    settings.run.kernels = files->made;
  } else {
    settings.build.program = files->made;
    settings.build.object[0] = object; /* of which a replay runs the kernels */
  }
  known_forget(); /* runs of another program of this name */
  t->task->check(&check);
  return !verdict_failed(&check.verdict) && !check.waits_for;
}

/* The seed is that of the changed file: the runs are those of the next verdict. */
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
    of_device &= text_is_of_device(t->text, candidate->splices[i].from);
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

/* ---- all of them ------------------------------------------------------------------ */

typedef struct Worker {
  pid_t pid; /* 0: none */
  size_t candidate;
  Files files;
} Worker;

enum { WORKERS_MOST = 32 };

typedef struct Pool {
  const Trials *trials;
  const Candidates *all;
  Worker workers[WORKERS_MOST];
  size_t running, next, best; /* best: the first candidate that is known to pass */
  double end;
} Pool;

static void start(Pool *pool, Worker *worker, size_t folder) {
  Files *files = &worker->files;
  pool->trials->progress(pool->next + 1, pool->all->count);
  snprintf(files->folder, sizeof files->folder, "%s/%zu", pool->trials->folder, folder);
  snprintf(files->source, sizeof files->source, "%s/changed.cu", files->folder);
  snprintf(files->made, sizeof files->made, "%s/made", files->folder);
  mkdir(files->folder, 0700);
  worker->candidate = pool->next++;
  worker->pid = child_of_ours();
  pool->running++;
  if (worker->pid != 0)
    return;
  if (!freopen("/dev/null", "w", stderr))
    _exit(1);
  _exit(!passes(pool->trials, &pool->all->all[worker->candidate], files));
}

/* Notes the result of a worker's trial if it has ended, also one that could not start. */
static void collect(Pool *pool, Worker *worker) {
  int status = 1;
  if (worker->pid > 0 && waitpid(worker->pid, &status, WNOHANG) != worker->pid)
    return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && worker->candidate < pool->best)
    pool->best = worker->candidate;
  worker->pid = 0;
  pool->running--;
  child_folder_gone(worker->files.folder);
}

/* Candidates after one that passes are of no interest; those before it are finished. */
static void attend(Pool *pool, Worker *worker, size_t folder) {
  bool late = now() > pool->end;
  if (worker->pid)
    collect(pool, worker);
  if (worker->pid > 0 && (late || worker->candidate > pool->best))
    kill(worker->pid, SIGKILL);
  else if (!worker->pid && pool->next < pool->best && !late)
    start(pool, worker, folder);
}

const Candidate *trials_first(const Trials *t, const Candidates *all) {
  enum { TICK = 5000 }; /* microseconds */
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t count = cores < 1 ? 1 : cores > WORKERS_MOST ? WORKERS_MOST : (size_t)cores;
  Pool pool = {.trials = t, .all = all, .best = all->count, .end = now() + t->seconds};
  do {
    for (size_t i = 0; i < count; i++)
      attend(&pool, &pool.workers[i], i);
    usleep(TICK);
  } while (pool.running > 0);
  t->progress(0, 0);
  return pool.best < all->count ? &all->all[pool.best] : NULL;
}
