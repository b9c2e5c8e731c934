/* Is the result of a run right? Inputs come from the harness's own fill with the same seed, gold is
 * computed here in double, and an element counts as right within the margin that the subject allows
 * it: what rounding can do in its type and no more. So one missing term is seen, and no honest
 * order of summation is refused.
 */
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Expected expected_make(const JudgedRun *run, const Check *check) {
  Recipe recipe = {(Fill)run->fill, check->settings->seed};
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

/* The variants of a lab compute the same products: the last ones stay, which is longer than anybody looks at one. */
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
        x->recipe.seed == check->settings->seed &&
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

double *numbers(size_t count) {
  double *all = calloc(count, sizeof *all);
  if (!all)
    bad_input("not enough memory for a matrix of %zu elements", count);
  return all;
}

static bool ended_well(Check *check, const Expected *e, const Trial *trial) {
  if (verdict_ending(&check->verdict, trial, check->settings->on_gpu))
    return true;
  blame_copy(&check->verdict, e, &trial->log);
  return false;
}

static bool judge(Check *check, const Expected *e, const Trial *trial) {
  Verdict *verdict = &check->verdict;
  return judge_report(verdict, e, &trial->log) && ended_well(check, e, trial) &&
         verdict_output(verdict, trial, e->rows, e->columns, check_element_bytes(check)) &&
         (judge_values(verdict, e, trial) || judge_written(verdict, e, &trial->log)) &&
         judge_origin(verdict, e, trial, check->settings->on_gpu) &&
         judge_inputs(verdict, e, &trial->log) &&
         (check->settings->on_gpu || judge_operations(verdict, e, &trial->log)) &&
         (!e->run->own_launch || (verdict_report(verdict, &trial->log, "leak") &&
                                  verdict_report(verdict, &trial->log, "error-ignored")));
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool is_wrong(const Verdict *verdict) { return verdict->kind == VERDICT_WRONG; }

static bool right_with(Check *check, const JudgedRun *run, const char *extra, Trial *trial) {
  *trial = judged_start(check, run, extra);
  Expected e = expected(run, check);
  bool right = judge(check, &e, trial);
  if (!right && trial->among) {
    trial_free(trial);
    memset(&check->verdict, 0, sizeof check->verdict);
    *trial = judged_start_alone(check, run, extra);
    right = judge(check, &e, trial);
  }
  if (!right)
    check_again_run(check, run, extra ? extra : "");
  return right;
}

/* Numbers that the host made are right for no inputs but those that it has seen: with these it shows what they are. */
static void judge_as_seen(Check *check, const JudgedRun *run, const char *extra) {
  const Settings *settings = check->settings;
  Settings seen = *settings;
  Verdict with_others = check->verdict;
  Trial trial;
  seen.seed = seed_of(settings, SEED_SHOWN);
  check->settings = &seen;
  memset(&check->verdict, 0, sizeof check->verdict);
  if (right_with(check, run, extra, &trial)) {
    verdict_say(&check->verdict, VERDICT_SENT);
    verdict_cause(&check->verdict,
                  "with other inputs the host sends the same numbers to the device");
  } else if (is_wrong(&check->verdict)) {
    check->verdict = with_others;
  }
  trial_free(&trial);
  check->settings = settings;
}

static bool right_after(Check *check, const JudgedRun *run, const char *extra, Trial *kept) {
  Trial trial;
  bool right = right_with(check, run, extra, &trial);
  if (is_wrong(&check->verdict) && trial.log.sent > 0)
    judge_as_seen(check, run, extra);
  if (kept)
    *kept = trial;
  else
    trial_free(&trial);
  return right;
}

/* What is wrong may be one thing in place of another: to be looked for when all else is said (repair.h). */
static void want_repair(Check *check, const JudgedRun *failed, bool costs, const JudgedRun *runs,
                        size_t count) {
  Wanted *wanted = check->wanted;
  bool host = failed->own_launch && !failed->subject->pulls; /* nothing else is new there */
  if (!wanted || host || (costs && wanted->count > 1))
    return; /* of what costs too much, the first that a task runs is what it is about */
  wanted->costs = costs;
  wanted->failed = *failed;
  wanted->count = count < RUNS_MOST ? count : RUNS_MOST;
  memcpy(wanted->runs, runs, wanted->count * sizeof *runs);
}

bool judged_right(Check *check, const JudgedRun *run, Trial *kept) {
  bool right = right_after(check, run, NULL, kept);
  if (right && check->wanted && check->wanted->count == 0)
    want_repair(check, run, true, run, 1); /* a task may look at nothing but what this costs */
  return right;
}

double run_work(const JudgedRun *run) {
  double work = 1;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    work *= run->size[i];
  return work;
}

/* The smallest of the runs; with all sizes above `least`. */
static const JudgedRun *smallest(const JudgedRun *runs, size_t count, int least) {
  const JudgedRun *best = runs;
  double best_work = INFINITY;
  for (size_t i = 0; i < count; i++) {
    double work = 1;
    for (int k = 0; k < problem_sizes(runs[i].subject->problem); k++)
      work *= runs[i].size[k] > least ? runs[i].size[k] : INFINITY;
    if (work < best_work) {
      best_work = work;
      best = &runs[i];
    }
  }
  return best;
}

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

int runs_step(const JudgedRun *runs, size_t count, int which) {
  int step = 0;
  for (size_t i = 0; i < count; i++)
    step = common_divisor(runs[i].size[which], step);
  return step;
}

bool runs_same(const JudgedRun *runs, size_t count, int one, int other) {
  size_t same = 0;
  while (same < count && runs[same].size[one] == runs[same].size[other])
    same++;
  return same == count;
}

int runs_twin(const JudgedRun *runs, size_t count, int k) {
  int other = 0;
  while (other < k && !runs_same(runs, count, other, k))
    other++;
  return other;
}

/* At sizes that nobody knows before: who wrote for those of the list alone, or leaves out what only others have, cannot know
 * these. They are as whole as the list's own, and as square. */
static JudgedRun drawn(const Check *check, const JudgedRun *runs, size_t count) {
  enum { DRAWS_MOST = 1000 };
  JudgedRun run = {
      .subject = runs->subject, .variant = runs->variant, .own_launch = runs->own_launch};
  const Subject *subject = run.subject;
  double work = INFINITY;
  for (unsigned draw = 0; draw < DRAWS_MOST && !(work <= subject->drawn_work); draw++) {
    work = 1;
    for (int k = 0; k < problem_sizes(subject->problem); k++) {
      int step = runs_step(runs, count, k), twin = runs_twin(runs, count, k);
      int largest = 0, most = subject->drawn_most[k];
      for (size_t i = 0; i < count; i++)
        largest = runs[i].size[k] > largest ? runs[i].size[k] : largest;
      if (step > 1 && 2 * largest < most) /* of a first task, which is about whole tiles */
        most = 2 * largest;
      unsigned steps = (unsigned)(most / step);
      unsigned which = draw * MAX_SIZES + (unsigned)k;
      run.size[k] = twin < k ? run.size[twin] : step;
      if (twin == k && steps > 1)
        run.size[k] *= 1 + (int)seed_draw(check->settings->seed, run.variant, which, steps);
      work *= run.size[k];
    }
  }
  return work <= subject->drawn_work ? run : *smallest(runs, count, 1);
}

/* Whoever is right has to be right at other sizes, and in a process that computed something else before. */
typedef enum OnceMore { ONCE_MORE_RIGHT, ONCE_MORE_WRONG, WRONG_AT_OTHER_SIZES } OnceMore;
static OnceMore at_drawn_sizes(Check *check, const JudgedRun *runs, size_t count, JudgedRun *last) {
  const JudgedRun *small = smallest(runs, count, 0);
  char extra[80] = " --rehearse=";
  size_t at = strlen(extra);
  *last = drawn(check, runs, count);
  for (int i = 0; i < problem_sizes(small->subject->problem); i++)
    at += (size_t)snprintf(extra + at, sizeof extra - at, "%s%s=%d", i ? "," : "",
                           small->subject->problem->size_names[i], small->size[i]);
  if (!check->settings->on_gpu && right_after(check, last, extra, NULL))
    return ONCE_MORE_RIGHT;
  Verdict *verdict = &check->verdict, after_others = *verdict;
  memset(verdict, 0, sizeof *verdict);
  if (!judged_right(check, last, NULL)) {
    verdict_line(verdict, "", "these sizes were drawn by the grading's seed, %u",
                 check->settings->seed);
    return WRONG_AT_OTHER_SIZES;
  }
  if (check->settings->on_gpu)
    return ONCE_MORE_RIGHT;
  *verdict = after_others;
  verdict_line(verdict, "",
               "one process computes three times here, first on other sizes, then on these");
  verdict_cause(verdict,
                "the first run of a process comes out right: something static keeps what belongs "
                "to one call, a buffer, a size, or a flag that it was done");
  verdict->explained = true;
  return ONCE_MORE_WRONG;
}

/* Each file has other sizes there, so what these runs take compares with nobody's. */
static OnceMore once_more(Check *check, const JudgedRun *runs, size_t count, JudgedRun *last) {
  json_t *kernels = check->kernels;
  check->kernels = NULL;
  OnceMore how = at_drawn_sizes(check, runs, count, last);
  check->kernels = kernels;
  return how;
}

static bool may_be(const Suspects *suspects, const char *sentence) {
  if ((suspects->rows_silent && strncmp(sentence, "row ", 4) == 0) ||
      (suspects->formulas_silent && strncmp(sentence, FORMULA, strlen(FORMULA)) == 0) ||
      (suspects->weights_silent && strncmp(sentence, WEIGHED, strlen(WEIGHED)) == 0))
    return true;
  for (size_t i = 0; i < suspects->count; i++)
    if (strcmp(suspects->sentence[i], sentence) == 0)
      return true;
  for (size_t i = 0; i < suspects->silent_count; i++)
    if (strcmp(suspects->silent[i], sentence) == 0)
      return true;
  return false;
}

/* What one run shows and the other does not contradict. */
static void keep_common(Suspects *suspects, const Suspects *others) {
  Suspects common = {.weights_silent = suspects->weights_silent && others->weights_silent,
                     .formulas_silent = suspects->formulas_silent && others->formulas_silent,
                     .rows_silent = suspects->rows_silent && others->rows_silent};
  if (others->few)
    return;
  for (int side = 0; side < 2; side++) {
    const Suspects *one = side ? others : suspects, *other = side ? suspects : others;
    for (size_t i = 0; i < one->count; i++)
      if (may_be(other, one->sentence[i])) {
        suspects_add(&common, "%s", one->sentence[i]);
        if (strcmp(common.sentence[common.count - 1], one->sentence[i]) == 0)
          common.shows_above[common.count - 1] = one->shows_above[i];
      }
  }
  for (size_t i = 0; i < suspects->silent_count; i++)
    if (may_be(others, suspects->silent[i]))
      suspects_judge(&common, ALIBI_SILENT, suspects->silent[i]);
  *suspects = common;
}

static size_t elements_of_output(const JudgedRun *run) {
  const Problem *problem = run->subject->problem;
  Shape shape = operand_shape(problem, run->size, problem_inputs(problem));
  return shape.rows * shape.columns;
}

/* Operations that it takes to take a run apart; infinitely many: it cannot be done. */
static double work_to_probe(const JudgedRun *run) {
  const Subject *subject = run->subject;
  double all = (double)elements_of_output(run), n = (double)run->size[NBODY_N];
  if (run->fill != FILL_UNIFORM || (run->own_launch && !subject->pulls))
    return INFINITY;
  if (subject->pulls)
    return 4 * n * n * n;
  double terms = (double)operand_shape(subject->problem, run->size, 0).columns;
  return subject->sums ? 2 * terms * terms * all : subject->moves ? all : INFINITY;
}

static bool is_among(const char *const *all, size_t count, const char *sentence) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i], sentence) == 0)
      return true;
  return false;
}

/* Where a run came out right, no slip was at work that would have given other values. */
static void keep_uncontradicted(Check *check, const JudgedRun *run, Suspects *suspects) {
  size_t kept = 0;
  Suspects others = {.listed_only = true};
  if (!suspects->count || !(work_to_probe(run) <= 4e8))
    return;
  Trial trial = judged_start(check, run, NULL);
  Expected e = expected(run, check);
  if (trial.output.there && trial.output.rows == e.rows && trial.output.columns == e.columns)
    run->subject->suspect(&e.instance, e.margin, &trial.output, &others);
  size_t terms = operand_shape(run->subject->problem, run->size, 0).columns;
  for (size_t i = 0; i < suspects->count; i++) {
    const char *sentence = suspects->sentence[i];
    size_t above = suspects->shows_above[i];
    if ((above && terms > above) ||
        (is_among(others.contradicted, others.contradicted_count, sentence) &&
         !is_among(others.silent, others.silent_count, sentence)))
      continue;
    suspects->shows_above[kept] = above;
    memmove(suspects->sentence[kept++], sentence, sizeof suspects->sentence[0]);
  }
  suspects->count = kept;
  trial_free(&trial);
}

/* Of two runs that went wrong, which says more? An access out of bounds ends the kernel, and with
 * it the values that could tell why; and wrong values say less than an observer that saw how they
 * came about. A slip is named that gives the values of all of them. */
static void take_better(Verdict *first, const Verdict *later, bool *any) {
  bool seen = verdict_is_race(later) || later->kind == VERDICT_UNINITIALISED;
  if (is_wrong(first) && seen && !first->suspects.count) {
    *first = *later;
  } else if (is_wrong(later) && *any) {
    keep_common(&first->suspects, &later->suspects);
  } else if (is_wrong(later)) {
    first->suspects = later->suspects;
    *any = true;
  }
}

/* No slip is left that gives all the values. */
static void leave_open(const Check *check, Verdict *verdict, const JudgedRun *run,
                       bool right_before) {
  const char *by_hand = run->subject->by_hand;
  char number[3];
  lab_number(check->settings->lab, number);
  verdict->explained = false;
  if (right_before)
    verdict_cause(verdict, "other sizes or inputs came out right: what is different here?");
  else
    verdict_cause(verdict, by_hand ? by_hand : "%.0s%.0s", number, run->variant);
}

/* The run that the verdict shows, if it is taken apart in no time and shows a pattern; else of those that went wrong the
 * largest that is, or the smallest. */
static const JudgedRun *to_probe(const JudgedRun *runs, const JudgedRun *shown, const bool *wrong,
                                 size_t count) {
  const double quick = 1.2e8, most = 4e8;
  const JudgedRun *best = NULL;
  double best_work = 0, first = work_to_probe(shown);
  /* Of tiles a single step may show too little. */
  bool vector = shown->subject->moves && problem_sizes(shown->subject->problem) == 1;
  if ((first > 1e5 || vector) && first <= quick)
    return shown;
  for (size_t i = 0; i < count; i++) {
    double work = wrong[i] ? work_to_probe(&runs[i]) : INFINITY;
    bool better =
        !best || (work <= quick ? work > best_work || best_work > quick : work < best_work);
    if (better && work <= most) {
      best_work = work;
      best = &runs[i];
    }
  }
  return best;
}

/* Where all that went wrong is too large: a whole tile of bodies, and a last one that is as short, if it is. */
static const JudgedRun *with_fewer_bodies(const JudgedRun *run, JudgedRun *fewer) {
  enum { TILE = 256 };
  *fewer = *run;
  fewer->size[NBODY_N] = TILE + (run->size[NBODY_N] % TILE ? run->size[NBODY_N] % TILE : TILE / 4);
  return run->subject->pulls && run->fill == FILL_UNIFORM &&
                 fewer->size[NBODY_N] < run->size[NBODY_N]
             ? fewer
             : NULL;
}

/* What is said of a run of other sizes names them. */
static bool explained_by_probe(Check *check, const JudgedRun *shown, const JudgedRun *probed,
                               Verdict *verdict) {
  char sizes[80];
  size_t lines = verdict->line_count;
  if (!probe_explains(check, probed, verdict))
    return false;
  judged_sizes(probed, sizes, sizeof sizes);
  if (memcmp(probed->size, shown->size, sizeof shown->size) != 0 && lines < verdict->line_count) {
    char text[sizeof verdict->lines[0].text];
    VerdictLine *line = &verdict->lines[lines];
    snprintf(text, sizeof text, "with%.60s: %.120s", sizes, line->text);
    snprintf(line->text, sizeof line->text, "%s", text);
  }
  return true;
}

bool judged_all_right(Check *check, const JudgedRun *given, size_t count) {
  bool failed_at[RUNS_MOST] = {false}, right_at[RUNS_MOST] = {false};
  JudgedRun runs[RUNS_MOST];
  size_t i = 0;
  if (check->only_costs)
    return true;
  if (count >= RUNS_MOST)
    bad_input("%zu runs in one task: raise RUNS_MOST", count);
  memcpy(runs, given, count * sizeof *runs);
  if (check->settings->on_gpu) {
    runs[count] = drawn(check, given, count);
    judged_start_ahead(check, runs, count + 1);
  }
  while (i < count && judged_right(check, &runs[i], NULL))
    right_at[i++] = true;
  OnceMore last = i == count ? once_more(check, given, count, &runs[count]) : WRONG_AT_OTHER_SIZES;
  if (last == ONCE_MORE_RIGHT)
    want_repair(check, smallest(given, count, 1), true, given, count);
  if (last != WRONG_AT_OTHER_SIZES)
    return last == ONCE_MORE_RIGHT;
  count += i == count;
  const JudgedRun *failed = &runs[i], *probed;
  failed_at[i] = is_wrong(&check->verdict);
  Verdict first = check->verdict;
  bool wrong = is_wrong(&first), right_before = i > 0, any = wrong, explained = first.explained;
  bool may_improve = wrong || first.kind == VERDICT_OUT_OF_BOUNDS;
  for (i++; i < count && may_improve; i++) {
    memset(&check->verdict, 0, sizeof check->verdict);
    right_at[i] = judged_right(check, &runs[i], NULL);
    failed_at[i] = is_wrong(&check->verdict);
    if (!right_at[i])
      take_better(&first, &check->verdict, &any);
  }
  for (i = 0; i < count && any; i++)
    if (right_at[i])
      keep_uncontradicted(check, &runs[i], &first.suspects);
  if (any && first.suspects.count)
    blame_suspects(&first);
  else if (wrong && is_wrong(&first) && failed->fill != FILL_WHOLE &&
           (explained || (right_before && !failed->subject->element)))
    leave_open(check, &first, failed, right_before);
  bool vague = true; /* rows in other places and very small slips: what follows tells more */
  for (size_t k = 0; k < first.suspects.count; k++)
    vague &= strncmp(first.suspects.sentence[k], OFF_BY_FLOAT, strlen(OFF_BY_FLOAT)) == 0 ||
             (strncmp(first.suspects.sentence[k], "row ", 4) == 0 &&
              !strstr(first.suspects.sentence[k], "holds the sum of"));
  JudgedRun fewer;
  if (is_wrong(&first) && vague && !check->settings->on_gpu &&
      ((probed = to_probe(runs, failed, failed_at, count)) ||
       (probed = with_fewer_bodies(failed, &fewer))))
    first.explained |= explained_by_probe(check, failed, probed, &first);
  want_repair(check, failed, false, runs, count);
  if (failed->own_launch)
    blame_launch(&first, check->settings->source);
  check->verdict = first;
  return false;
}
