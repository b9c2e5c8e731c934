/* Where is the mistake? Wrong numbers show what went wrong, and seldom on which line. A mistake is mostly one thing in place
 * of another, so that one change makes all right again: the changes of edits.c are tried, each in the kernels alone, and one
 * with which every run of the task comes out right is named. It is no guess: it has been run.
 */
#include "repair.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "repair_parts.h"
#include "sieve.h"
#include "survey.h"

enum { FIRST = 48, TOGETHER = 128, TRIED_MOST = 12 * TOGETHER, IN_A_CLASS = 2 * TOGETHER };
enum { TRIED_IN_DOUBLE = 3 * TOGETHER, STARTS_IN_A_CLASS = 400 };
enum { SLOW = 2000000 }; /* branches of a warp: more than a run that is to be quick takes */
static const double SECONDS = 40, SECONDS_IN_A_CLASS = 40; /* of processor time */
static const double WAITED = 40;                           /* by the clock, where runs sleep */

typedef struct Repair {
  Check *check;
  const Settings *settings,
      *other; /* of the precision that goes wrong; of the other one, or NULL */
  const Task *task;
  Versions all;
  double start;
  time_t began;
  unsigned runs;           /* before it */
  unsigned limit;          /* branches of a warp in a quick run */
  VerdictKind wrong, kind; /* of the file as it is; of the last run */
  bool promising; /* the change at hand: nobody wants to have stopped just before it was sure */
  int how;        /* sure the best one is */
} Repair;

static bool in_a_class(const Repair *r) { return r->check->settings->sandbox; }

static bool may_go_on(const Repair *r) {
  return in_a_class(r) ? r->check->runs - r->runs < STARTS_IN_A_CLASS
                       : r->promising || (processor_seconds() - r->start < SECONDS &&
                                          time(NULL) - r->began < WAITED);
}

/* In a class the same file has the same report: what no honest one needs, ends all. */
static bool took_too_long(const Repair *r) {
  return in_a_class(r) && processor_seconds() - r->start > SECONDS_IN_A_CLASS;
}

/* ---- which of them is right? --------------------------------------------------------------------- */

/* What a run may take, so that a change that makes a loop endless costs little; 0: what all runs may. */
typedef struct Limits {
  unsigned branches; /* of a warp */
  double seconds;
} Limits;
/* Not compiled for speed, as a right kernel here is not. */
static const Limits unlimited = {0}, whole = {.branches = SLOW};
static Limits quick_of(unsigned branches) { return (Limits){branches, branches < SLOW}; }

/* count 0: all that the task asks for, what it costs, too; or only what it costs. */
static bool with_version(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                         Limits limits, bool only_costs) {
  if (!may_go_on(r))
    return false;
  Settings settings = *r->settings;
  Check check = {.settings = &settings, .runs = r->check->runs, .only_costs = only_costs};
  char path[340];
  snprintf(check.folder, sizeof check.folder, "%s", r->check->folder);
  snprintf(path, sizeof path, "%s/kernels", r->check->folder);
  settings.kernels = path;
  settings.budget = 0; /* is for what counts */
  settings.no_lines = true;
  settings.limit = limits.branches;
  settings.seconds = limits.seconds > 0 ? limits.seconds : settings.seconds;
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
  r->kind = check.verdict.kind;
  unlink(path);
  return right;
}

static bool come_out_right(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                           Limits limits) {
  return with_version(r, version, runs, count, limits, false);
}

static bool is_done(Repair *r, const Version *version) {
  return with_version(r, version, NULL, 0, unlimited, false);
}

/* The whole task, with all kernels, in both precisions: what is right by chance in one is not in the other. */
static bool is_done_in_both(Repair *r, size_t number, const Settings *other) {
  const Settings *own = r->settings;
  version_complete(&r->all, number, own);
  bool done = is_done(r, &r->all.versions[number]);
  if (done && other) {
    version_complete(&r->all, number, other);
    r->settings = other;
    done = is_done(r, &r->all.versions[number]);
    r->settings = own;
  }
  return done;
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

/* Branches that a warp may take for such sizes, since of the changes that are tried many make a loop endless: more than it takes
 * unchanged. */
static unsigned branches(Repair *r, const JudgedRun *run) {
  enum { FEW = 500, MOST = 500000, MORE = 4 };
  unsigned most = FEW;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    most += 4 * (unsigned)run->size[i];
  while (most < MOST && !come_out_right(r, &r->all.versions[0], run, 1, quick_of(most)) &&
         r->kind == VERDICT_ENDLESS)
    most *= MORE;
  return most * MORE;
}

enum { DONE = 2, SURE = 2 + DONE };

/* All runs of the task come out right; how sure it is that this was the mistake. Where they did before, it is what it costs. */
static int how_right(Repair *r, const Version *version, const Wanted *wanted, const JudgedRun *last,
                     const JudgedRun *quick) {
  r->promising = false;
  if (!come_out_right(r, version, quick, 1, quick_of(r->limit)))
    return 0;
  r->promising = !wanted->costs; /* there all but a few come out right */
  if (wanted->costs ? !with_version(r, version, NULL, 0, unlimited, true)
                    : !come_out_right(r, version, wanted->runs, wanted->count, whole))
    return 0;
  size_t number = (size_t)(version - r->all.versions);
  if (wanted->costs)
    return is_done_in_both(r, number, r->other) ? SURE : 0;
  int how = 1 + come_out_right(r, version, last, 1, whole);
  return how + DONE * is_done_in_both(r, number, r->other);
}

/* The run with the least work that goes wrong as well: most changes end with it, if it is not one of a single element. */
static const JudgedRun *quickest(Repair *r, const Wanted *wanted) {
  enum { LEAST = 8 };
  const JudgedRun *best = &wanted->failed;
  for (size_t i = 0; i < wanted->count && !in_a_class(r) && !wanted->costs; i++)
    if (run_work(&wanted->runs[i]) >= LEAST && run_work(&wanted->runs[i]) < run_work(best) &&
        !come_out_right(r, &r->all.versions[0], &wanted->runs[i], 1, whole))
      best = &wanted->runs[i];
  return best;
}

/* Wrong numbers of any kind. */
static bool is_of_numbers(VerdictKind kind) {
  return kind == VERDICT_WRONG || kind == VERDICT_UNWRITTEN || kind == VERDICT_NOT_A_NUMBER;
}

/* At home the same with less work, if it goes wrong in the same way: all sizes are as whole, and as square, as those of the
 * task's runs, as the sizes are that nobody knows before. */
static JudgedRun shrunk(Repair *r, const Wanted *wanted, const JudgedRun *run) {
  static const int larger[] = {1, 2, 4, 8, 16, 32};
  enum { FEW = 3 };
  for (size_t i = 0;
       i < sizeof larger / sizeof *larger && wanted->count && !in_a_class(r) && !wanted->costs;
       i++) {
    JudgedRun small = *run;
    bool fits = true;
    for (int k = 0; k < problem_sizes(run->subject->problem); k++) {
      int step = runs_step(wanted->runs, wanted->count, k);
      int more = runs_twin(wanted->runs, wanted->count, k);
      small.size[k] = step > 1 ? step * (larger[i] + more) : FEW * larger[i] + more;
      fits &= small.size[k] <= run->subject->drawn_most[k];
    }
    if (!fits || 2 * run_work(&small) > run_work(run))
      break;
    bool right = come_out_right(r, &r->all.versions[0], &small, 1, quick_of(r->limit));
    if (!right && (r->kind == r->wrong || (is_of_numbers(r->kind) && is_of_numbers(r->wrong))))
      return small;
  }
  return *run;
}

/* Who waits is told how far it is. */
static void tell(const Repair *r, size_t at, size_t count) {
  if (!r->check->tells)
    return;
  printf("\r  looking for the line of the mistake, for about %.0f s: change %zu of %zu ...",
         SECONDS, at, count);
  fflush(stdout);
}

static bool is_worth_it(const Repair *r, size_t number) {
  return version_is_new(&r->all, number) && repair_may_be(r->all.versions[number].edit);
}

typedef struct Sieved {
  Repair *r;
  const JudgedRun *quick;
  bool costs;
} Sieved;

/* What most changes fail at. */
static bool passes_quick(const void *of, size_t number) {
  const Sieved *s = of;
  const Version *version = &s->r->all.versions[number];
  return !is_worth_it(s->r, number) || !may_go_on(s->r) ||
         (come_out_right(s->r, version, s->quick, 1, quick_of(s->r->limit)) &&
          (!s->costs || with_version(s->r, version, NULL, 0, unlimited, true)));
}

/* The first with which the ragged run comes out right, too, and the whole task is done; else the best of the others. In a
 * class, where many wait, the first of any kind. */
static const Edit *first_right(Repair *r, const Wanted *wanted) {
  /* Where all is right in float, no index is wrong and no loop. */
  const bool of_width = wanted->in_double && !wanted->costs;
  const size_t tried = in_a_class(r) ? IN_A_CLASS : of_width ? TRIED_IN_DOUBLE : TRIED_MOST;
  size_t count = r->all.count < tried ? r->all.count : tried;
  const JudgedRun last = ragged(&wanted->failed);
  JudgedRun quick;
  bool known = false;
  const Edit *found = NULL;
  enum { SOON = 12, LATER = TOGETHER };
  int best = 0;
  for (size_t from = 1, to; from < count && best < (in_a_class(r) ? 1 : SURE) && may_go_on(r);
       from = to) {
    to = from + (from == 1 && !in_a_class(r) ? FIRST : TOGETHER);
    to = to < count ? to : count;
    tell(r, from, count);
    if (!versions_compile(&r->all, from, to))
      continue;
    if (!known && wanted->costs && with_version(r, &r->all.versions[0], NULL, 0, unlimited, true))
      return NULL; /* it is not these kernels that cost too much */
    if (!known) {
      known = true;
      const JudgedRun *least = quickest(r, wanted);
      r->limit = branches(r, least);
      quick = shrunk(r, wanted, least);
      r->limit = branches(r, &quick);
    }
    const Sieved sieved = {r, &quick, wanted->costs};
    bool passes[TOGETHER];
    memset(passes, true, sizeof passes);
    if (!in_a_class(r))
      sieve(r->check, from, to, passes_quick, &sieved, passes);
    const size_t first = from;
    for (size_t i = from; i < to && (best < SURE || !in_a_class(r)) && may_go_on(r); i++) {
      if (took_too_long(r))
        return NULL;
      const Version *version = &r->all.versions[i];
      int how =
          passes[i - first] && is_worth_it(r, i) ? how_right(r, version, wanted, &last, &quick) : 0;
      if (how == SURE && !in_a_class(r) && repair_says_little(version->edit)) {
        how--;
        count = i + LATER < count ? i + LATER : count;
      }
      if (how == SURE && best < SURE) /* a likelier one may come soon */
        to = i + SOON < to ? i + SOON : to;
      if (how > best || (how && how == best && repair_rank(version->edit) < repair_rank(found))) {
        r->how = best = how;
        found = version->edit;
      }
    }
  }
  return found;
}

/* ---- is it worth looking for? ------------------------------------------------------------------- */

/* A question is no answer. */
static bool is_question(const char *text) {
  size_t length = strlen(text);
  return length && text[length - 1] == '?';
}

/* Numbers that nobody has explained. At home, where nobody else waits, also numbers that somebody has, what shows where it went
 * wrong and not why, and what costs too much. */
static bool is_open(const Verdict *verdict, const Wanted *wanted, bool at_home, bool *replaces) {
  VerdictKind kind = verdict->kind;
  bool numbers = is_of_numbers(kind);
  bool seen = kind == VERDICT_OUT_OF_BOUNDS || kind == VERDICT_UNINITIALISED;
  bool left_out = kind == VERDICT_NOT_COMPUTED && verdict->explained;
  bool asks = is_question(verdict->cause);
  bool several = strncmp(verdict->cause, "either ", 7) == 0;
  *replaces = asks || kind == VERDICT_ENDLESS || (numbers && (several || !verdict->explained));
  if (wanted->costs)
    return at_home && kind == VERDICT_GATE;
  return at_home ? numbers || left_out || (seen && (asks || !verdict->explained)) ||
                       verdict_is_race(verdict)
                 : numbers && *replaces && !several;
}

/* Of what else went wrong the report names the cause, and what a right file says there names the line: few changes. */
static void leave_towards(Versions *all) {
  size_t kept = 1;
  for (size_t i = 1; i < all->count; i++)
    if (all->versions[i].edit->towards)
      all->versions[kept++] = all->versions[i];
  all->count = kept;
}

/* A gap that is as it was handed out holds nothing to be mistaken for something else. */
static bool is_begun(const Versions *all, int task) {
  for (size_t i = 1; i < all->count; i++)
    if (all->versions[i].edit->task == task || all->versions[i].edit->task == EDIT_ANYWHERE)
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

static bool explains(Check *check, const Settings *other, const Task *task, int number,
                     const Wanted *wanted, Verdict *verdict) {
  Repair r = {.check = check,
              .settings = check->settings,
              .other = other,
              .task = task,
              .start = processor_seconds(),
              .began = time(NULL),
              .runs = check->runs,
              .wrong = verdict->kind};
  const Edit *found = NULL;
  bool replaces, open = is_open(verdict, wanted, !check->settings->sandbox, &replaces);
  if (!open && (in_a_class(&r) || !check->settings->solution))
    return false;
  Trial trial = pretended(check, &wanted->failed);
  repair_seek(number, check->settings->source, in_a_class(&r), verdict);
  bool begun = versions_begin(&r.all, check->settings, check->folder, trial.log.launched) &&
               is_begun(&r.all, number);
  r.all.as_program = wanted->costs;
  if (begun && !open)
    leave_towards(&r.all);
  if (begun) {
    repair_put_in_order(r.all.versions + 1, r.all.count - 1);
    found = first_right(&r, wanted);
  }
  if (found && (!replaces || !in_a_class(&r)) && r.how <= DONE)
    found = NULL; /* after this change the task is not done */
  if (found)
    repair_say(r.all.source, check->settings->source, found, wanted, replaces, verdict);
  else if (wanted->in_double && widths_explain(check->settings->source, number, verdict))
    verdict->explained = verdict->repaired = true;
  else if (begun && open && !in_a_class(&r) && !wanted->costs && !verdict->suspects.count)
    verdict->repaired = survey_explains(check, wanted, verdict);
  versions_end(&r.all);
  trial_free(&trial);
  return verdict->repaired;
}

/* Changes are tried in the precision that goes wrong. */
bool repair_explains(Check *check, const Task *task, int number, const Wanted *wanted,
                     Verdict *verdict) {
  const Settings *settings = check->settings;
  Settings in_double = settings_in_double(settings);
  bool both = settings->in_double && access(settings->in_double, X_OK) == 0;
  if (wanted->in_double)
    check->settings = &in_double;
  bool found = explains(check,
                        wanted->in_double ? settings
                        : both            ? &in_double
                                          : NULL,
                        task, number, wanted, verdict);
  check->settings = settings;
  return found;
}
