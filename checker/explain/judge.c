/* Decides whether the result of a run is right, and explains the wrong runs of a task together. The
 * checker generates the same inputs as the harness from the same seed, and computes gold in double.
 * An element is right if it differs from gold by no more than the margin, which covers the rounding
 * of the element type and nothing else. So one missing term is detected, and every legitimate order
 * of summation is accepted. */
#include "explain/judge.h"

#include "explain/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Expected expected_make(const JudgedRun *run, const Check *check) {
  Recipe recipe = {(Fill)run->fill, check->settings->run.seed};
  const Problem *problem = run->subject->problem;
  Expected e = {.run = run, .subject = run->subject};
  lab_number(check->settings->lab, e.lab);
  e.instance = instance_make(problem, run->size, check_element_bytes(check), recipe);
  instance_gold(&e.instance);
  Shape shape = operand_shape(problem, run->size, problem_inputs(problem));
  e.name = problem->operands[problem_inputs(problem)].name;
  e.rows = shape.rows;
  e.columns = shape.columns;
  e.margin = numbers(shape.rows * shape.columns);
  e.subject->margin(&e.instance, e.margin);
  return e;
}

static void expected_free(Expected *e) {
  instance_free(&e->instance);
  free(e->margin);
}

/* Returns the expected result from a cache of KEPT entries, because the variants of a lab compute
 * the same products. No caller uses an entry after KEPT other calls. */
static Expected expected(const JudgedRun *run, const Check *check) {
  enum { KEPT = 16 };
  static Expected kept[KEPT];
  static size_t next;
  const Subject *subject = run->subject;
  size_t i = 0;
  for (; i < KEPT; i++) {
    const Instance *x = &kept[i].instance;
    if (x->problem == subject->problem && kept[i].subject->margin == subject->margin &&
        x->element_bytes == check_element_bytes(check) && x->recipe.fill == (Fill)run->fill &&
        x->recipe.seed == check->settings->run.seed &&
        memcmp(x->size, run->size, (size_t)problem_sizes(subject->problem) * sizeof(int)) == 0)
      break;
  }
  if (i == KEPT) {
    i = next++ % KEPT;
    expected_free(&kept[i]);
    kept[i] = expected_make(run, check);
  }
  kept[i].run = run;
  kept[i].subject = subject;
  return kept[i];
}

static bool ended_well(Check *check, const Expected *e, const Trial *trial) {
  if (verdict_ending(&check->verdict, trial, check->settings->build.on_gpu))
    return true;
  blame_copy(&check->verdict, e, &trial->log);
  if (trial->end.how == CHILD_TIMED_OUT && !e->run->own_launch)
    verdict_cause(&check->verdict, SAID(KERNEL_TAKES_LONG));
  return false;
}

static bool judge(Check *check, const Expected *e, const Trial *trial) {
  Verdict *verdict = &check->verdict;
  return judge_report(verdict, e, &trial->log) && ended_well(check, e, trial) &&
         verdict_output(verdict, trial, e->rows, e->columns, check_element_bytes(check)) &&
         (judge_values(verdict, e, trial) || judge_written(verdict, e, &trial->log)) &&
         judge_origin(verdict, e, trial, check->settings->build.on_gpu) &&
         judge_inputs(verdict, e, &trial->log) &&
         (check->settings->build.on_gpu || judge_operations(verdict, e, &trial->log)) &&
         (!e->run->own_launch || (verdict_report(verdict, &trial->log, "leak") &&
                                  verdict_report(verdict, &trial->log, "error-ignored")));
}

/* ---- one run -------------------------------------------------------------------------------- */

static bool is_wrong(const Verdict *verdict) { return verdict->kind == VERDICT_WRONG; }

static void forget(Check *check) { memset(&check->verdict, 0, sizeof check->verdict); }

/* The verdict on one run, and the hypotheses that its values allow. */
typedef struct Judged {
  bool right;
  Verdict verdict;
  Hypotheses hypotheses;
} Judged;

static bool right_with(Check *check, const JudgedRun *run, const char *extra, Trial *trial,
                       Hypotheses *hypotheses) {
  *trial = judged_start(check, run, extra);
  Expected e = expected(run, check);
  e.hypotheses = hypotheses;
  bool right = judge(check, &e, trial);
  /* Other runs in the same process may have disturbed this run, so it is repeated alone. */
  if (!right && trial->among) {
    trial_free(trial);
    forget(check);
    memset(hypotheses, 0, sizeof *hypotheses);
    *trial = judged_start_alone(check, run, extra);
    right = judge(check, &e, trial);
  }
  if (!right)
    check_again_run(check, run, extra ? extra : "");
  return right;
}

/* Repeats a run whose host code sent computed numbers to the device. The repetition has the inputs
 * that the host code saw. If the output is right now, the host computed the first output. */
static void judge_as_seen(Check *check, const JudgedRun *run, const char *extra) {
  const Settings *settings = check->settings;
  Settings seen = *settings;
  Verdict with_others = check->verdict;
  Hypotheses unused = {.count = 0};
  Trial trial;
  seen.run.seed = seed_of(settings, SEED_SHOWN);
  check->settings = &seen;
  forget(check);
  if (right_with(check, run, extra, &trial, &unused)) {
    verdict_say(&check->verdict, VERDICT_SENT);
    verdict_cause(&check->verdict, SAID(SAME_NUMBERS_SENT));
  } else if (is_wrong(&check->verdict)) {
    check->verdict = with_others;
  }
  trial_free(&trial);
  check->settings = settings;
}

static bool right_after(Check *check, const JudgedRun *run, const char *extra, Trial *kept,
                        Hypotheses *hypotheses) {
  Trial trial;
  bool right = right_with(check, run, extra, &trial, hypotheses);
  if (is_wrong(&check->verdict) && trial.log.sent > 0)
    judge_as_seen(check, run, extra);
  if (kept)
    *kept = trial;
  else
    trial_free(&trial);
  return right;
}

/* Stores the command that repeats this run. The report shows this command if the run's counters
 * exceed a gate. */
static void note_last(Check *check, const JudgedRun *run) {
  check_again_run(check, run, "");
  memcpy(check->last, check->verdict.again, sizeof check->last);
  check->verdict.again[0] = '\0';
}

bool judged_right(Check *check, const JudgedRun *run, Trial *kept) {
  Hypotheses hypotheses = {.count = 0};
  bool right = right_after(check, run, NULL, kept, &hypotheses);
  if (right)
    note_last(check, run);
  else if (run->drawn)
    verdict_fact(&check->verdict, "", SAID(SIZES_WERE_DRAWN, check->settings->run.seed));
  if (is_wrong(&check->verdict) && hypotheses.count)
    verdict_proven(&check->verdict, hypotheses_cause(&hypotheses));
  return right;
}

static Judged judged(Check *check, const JudgedRun *run) {
  Judged one = {.right = false};
  forget(check);
  one.right = right_after(check, run, NULL, NULL, &one.hypotheses);
  one.verdict = check->verdict;
  return one;
}

/* ---- drawn sizes (drawn_sizes.c) ------------------------------------------------------------- */

static double work_of(const JudgedRun *run) {
  double work = 1;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    work *= run->size[i];
  return work;
}

/* Returns the run with the fewest operations. */
static const JudgedRun *smallest(const JudgedRun *runs, size_t count) {
  const JudgedRun *best = runs;
  for (size_t i = 1; i < count; i++)
    best = work_of(&runs[i]) < work_of(best) ? &runs[i] : best;
  return best;
}

/* The result of one more run at random sizes, in a process that has computed a smaller run before.
 * ONCE_MORE_RIGHT: correct. ONCE_MORE_WRONG: wrong, but correct in a process of its own.
 * WRONG_AT_OTHER_SIZES: wrong in both processes. */
typedef enum OnceMore { ONCE_MORE_RIGHT, ONCE_MORE_WRONG, WRONG_AT_OTHER_SIZES } OnceMore;

static OnceMore at_drawn_sizes(Check *check, const JudgedRun *runs, size_t count,
                               const JudgedRun *last) {
  const JudgedRun *small = smallest(runs, count);
  char extra[80] = " --rehearse=";
  size_t at = strlen(extra);
  Hypotheses unused = {.count = 0};
  for (int i = 0; i < problem_sizes(small->subject->problem); i++)
    at += (size_t)snprintf(extra + at, sizeof extra - at, "%s%s=%d", i ? "," : "",
                           small->subject->problem->size_names[i], small->size[i]);
  forget(check);
  if (!check->settings->build.on_gpu && right_after(check, last, extra, NULL, &unused))
    return ONCE_MORE_RIGHT;
  Verdict after_others = check->verdict;
  forget(check);
  if (!judged_right(check, last, NULL))
    return WRONG_AT_OTHER_SIZES;
  if (check->settings->build.on_gpu)
    return ONCE_MORE_RIGHT;
  check->verdict = after_others;
  verdict_fact(&check->verdict, "", SAID(SEVERAL_IN_ONE_PROCESS));
  verdict_proven(&check->verdict, SAID(STATIC_STATE));
  return ONCE_MORE_WRONG;
}

/* ---- all runs of a task ---------------------------------------------------------------------- */

/* Returns the number of operations of the probes for this run. INFINITY: no probe applies to it. */
static double work_to_probe(const JudgedRun *run) {
  const Subject *subject = run->subject;
  const Problem *problem = subject->problem;
  Shape output = operand_shape(problem, run->size, problem_inputs(problem));
  double all = (double)(output.rows * output.columns), n = (double)run->size[NBODY_N];
  double terms = (double)operand_shape(problem, run->size, 0).columns;
  if (run->fill != FILL_UNIFORM || (run->own_launch && !subject->pulls))
    return INFINITY;
  return subject->pulls   ? 4 * n * n * n
         : subject->sums  ? 2 * terms * terms * all
         : subject->moves ? all
                          : INFINITY;
}

static const double PROBED_MOST = 4e8;

/* Removes the hypotheses that contradict the values of this run, which are correct. */
static void keep_uncontradicted(Check *check, const JudgedRun *run, Hypotheses *hypotheses) {
  Hypotheses of_right = {.count = 0};
  if (!hypotheses->count || !(work_to_probe(run) <= PROBED_MOST))
    return;
  Trial trial = judged_start(check, run, NULL);
  Expected e = expected(run, check);
  if (trial.output.there && trial.output.rows == e.rows && trial.output.columns == e.columns)
    run->subject->suspect(&e.instance, e.margin, &trial.output, &of_right);
  hypotheses_keep_uncontradicted(hypotheses, &of_right);
  trial_free(&trial);
}

/* Returns the run to probe; NULL: no run can be probed. Returns `shown` if its probe is quick and
 * the run is large enough to show a pattern. Otherwise returns the largest wrong run whose probe is
 * quick. If no probe is quick, returns the wrong run with the fewest operations. */
static const JudgedRun *to_probe(const JudgedRun *runs, const JudgedRun *shown, const bool *wrong,
                                 size_t count) {
  const double quick = 1.2e8, few = 1e5;
  const JudgedRun *best = NULL;
  double best_work = 0, first = work_to_probe(shown);
  bool vector = shown->subject->moves && problem_sizes(shown->subject->problem) == 1;
  if ((first > few || vector) && first <= quick)
    return shown;
  for (size_t i = 0; i < count; i++) {
    double work = wrong[i] ? work_to_probe(&runs[i]) : INFINITY;
    bool better =
        !best || (work <= quick ? work > best_work || best_work > quick : work < best_work);
    if (better && work <= PROBED_MOST) {
      best_work = work;
      best = &runs[i];
    }
  }
  return best;
}

/* Returns a run with one whole tile of bodies and one short tile. This run is probed if all wrong
 * runs are too large for a probe. NULL: no smaller run of this kind exists. */
static const JudgedRun *with_fewer_bodies(const JudgedRun *run, JudgedRun *fewer) {
  enum { TILE = 256 };
  *fewer = *run;
  fewer->size[NBODY_N] = TILE + (run->size[NBODY_N] % TILE ? run->size[NBODY_N] % TILE : TILE / 4);
  return run->subject->pulls && run->fill == FILL_UNIFORM &&
                 fewer->size[NBODY_N] < run->size[NBODY_N]
             ? fewer
             : NULL;
}

/* Adds the sizes of a run to the facts if the run is not in the task's list. */
static void name_sizes(const JudgedRun *probed, Verdict *verdict, size_t facts) {
  char sizes[80], words[SAID_WORDS];
  judged_sizes(probed, sizes, sizeof sizes);
  if (facts < verdict->fact_count) {
    said_text(&verdict->facts[facts].says, words, sizeof words);
    verdict->facts[facts].says = SAID(WITH_SIZES, sizes, words);
  }
}

/* Called if no hypothesis explains the values. Adds the fact that other sizes are right, or advice
 * on how to follow the computation by hand. */
static void leave_open(const Check *check, Verdict *verdict, const JudgedRun *run,
                       bool right_before) {
  const Subject *subject = run->subject;
  char number[3];
  lab_number(check->settings->lab, number);
  if (right_before && !subject->element)
    verdict_cause(verdict, SAID(OTHER_SIZES_RIGHT));
  else if (subject->by_hand)
    verdict_cause(
        verdict,
        said_make(subject->by_hand,
                  (const Argument[]){ARGUMENT((const char *)number), ARGUMENT(run->variant)}, 2));
  verdict->certainty = CERTAINTY_NONE;
}

/* Returns the hypotheses that explain all wrong runs and that no right run contradicts. */
static Hypotheses common_hypotheses(Check *check, const JudgedRun *runs, const Judged *all,
                                    size_t count) {
  Hypotheses common = {.count = 0};
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    if (!is_wrong(&all[i].verdict))
      continue;
    if (any)
      hypotheses_keep_common(&common, &all[i].hypotheses);
    else
      common = all[i].hypotheses;
    any = true;
  }
  for (size_t i = 0; i < count && any; i++)
    if (all[i].right)
      keep_uncontradicted(check, &runs[i], &common);
  return common;
}

/* Returns the first run after `first` with a race or an uninitialised read, or `first` if no such
 * run exists. Such a report tells the student more than wrong values that no hypothesis
 * explains. */
static size_t first_seen(const Judged *all, size_t first, size_t count) {
  for (size_t i = first + 1; i < count; i++) {
    const Verdict *verdict = &all[i].verdict;
    if (verdict_is_race(verdict) || verdict->kind == VERDICT_UNINITIALISED)
      return i;
  }
  return first;
}

/* Returns the smallest wrong run, which is the easiest to follow by hand. */
static size_t smallest_wrong(const JudgedRun *runs, const Judged *all, size_t first, size_t count) {
  enum { LEAST = 8 };
  size_t best = first;
  for (size_t i = first + 1; i < count; i++)
    if (is_wrong(&all[i].verdict) && work_of(&runs[i]) >= LEAST &&
        work_of(&runs[i]) < work_of(&runs[best]))
      best = i;
  return best;
}

/* Probes a wrong run. If the probe finds a cause or a fact, *verdict becomes the verdict on the
 * probed run. Returns false if it finds neither. */
static bool probe_wrong(Check *check, const JudgedRun *runs, const Judged *all, size_t shown,
                        size_t count, Verdict *verdict) {
  bool wrong[RUNS_MOST] = {false};
  JudgedRun fewer;
  for (size_t i = 0; i < count; i++)
    wrong[i] = is_wrong(&all[i].verdict);
  if (check->settings->build.on_gpu)
    return false;
  const JudgedRun *probed = to_probe(runs, &runs[shown], wrong, count);
  const bool listed = probed;
  if (!listed && !(probed = with_fewer_bodies(&runs[shown], &fewer)))
    return false;
  Verdict explained = listed && probed != &runs[shown] ? all[probed - runs].verdict : *verdict;
  const size_t facts = explained.fact_count;
  const bool known = probe_explains(check, probed, &explained);
  if (!known && explained.fact_count == facts)
    return false;
  if (!listed)
    name_sizes(probed, &explained, facts);
  *verdict = explained;
  return true;
}

/* Explains the wrong values of run `first` and of the later runs. Run `first` is wrong. */
static Verdict explain_wrong(Check *check, const JudgedRun *runs, const Judged *all, size_t first,
                             size_t count) {
  Hypotheses common = common_hypotheses(check, runs, all, count);
  Verdict verdict = all[first].verdict;
  size_t shown = first_seen(all, first, count);
  if (is_wrong(&verdict) && !common.count && shown != first)
    return all[shown].verdict;
  if (common.count && (is_wrong(&verdict) || verdict.certainty != CERTAINTY_PROVEN))
    verdict_proven(&verdict, hypotheses_cause(&common));
  if (!is_wrong(&verdict))
    return verdict;
  const bool probed =
      hypotheses_are_vague(&common) && probe_wrong(check, runs, all, first, count, &verdict);
  if (verdict.certainty == CERTAINTY_PROVEN || probed || runs[first].fill == FILL_WHOLE)
    return verdict;
  shown = smallest_wrong(runs, all, first, count);
  verdict = all[shown].verdict;
  leave_open(check, &verdict, &runs[shown], first > 0);
  return verdict;
}

/* Returns true for a run with indices that do not fit in a signed 16-bit integer. Such a run takes
 * a long time and shows nothing about other mistakes. */
static bool is_long(const JudgedRun *run) {
  enum { LONG = 30000 };
  bool any = false;
  for (int k = 0; k < problem_sizes(run->subject->problem); k++)
    any |= run->size[k] >= LONG;
  return any;
}

/* Fills in the verdict about the first wrong run. Judges the later runs, too, because their values
 * help to explain the first wrong run. */
static void explain_runs(Check *check, const JudgedRun *runs, Judged *all, size_t first,
                         size_t count) {
  Verdict verdict = all[first].verdict;
  if (is_wrong(&verdict) || verdict.kind == VERDICT_OUT_OF_BOUNDS) {
    for (size_t i = first + 1; i < count; i++)
      if (!is_long(&runs[i]))
        all[i] = judged(check, &runs[i]);
    verdict = explain_wrong(check, runs, all, first, count);
  }
  check->verdict = verdict;
}

/* Judges the runs of a task one after the other, up to the first wrong run. runs[count] is the
 * additional run with drawn sizes. */
static bool judge_runs(Check *check, const JudgedRun *runs, size_t count, Judged *all) {
  size_t first = 0;
  while (first < count && (all[first] = judged(check, &runs[first])).right)
    first++;
  if (first == count) {
    OnceMore last = at_drawn_sizes(check, runs, count, &runs[count]);
    if (last != WRONG_AT_OTHER_SIZES || check->quick)
      return last == ONCE_MORE_RIGHT;
    all[count] = judged(check, &runs[count]);
  }
  if (check->quick)
    return false;
  explain_runs(check, runs, all, first, first < count ? count : count + 1);
  if (first == count)
    verdict_fact(&check->verdict, "", SAID(SIZES_WERE_DRAWN, check->settings->run.seed));
  return false;
}

bool judged_all_right(Check *check, const JudgedRun *given, size_t count) {
  JudgedRun runs[RUNS_MOST];
  Judged *all = calloc(count + 1, sizeof *all);
  if (!all || count >= RUNS_MOST)
    bad_input("%zu runs in one task: raise RUNS_MOST", count);
  memcpy(runs, given, count * sizeof *runs);
  runs[count] = drawn_beside(check, given, count);
  if (check->settings->build.on_gpu)
    judged_start_ahead(check, runs, count + 1);
  bool right = judge_runs(check, runs, count, all);
  free(all);
  return right;
}
