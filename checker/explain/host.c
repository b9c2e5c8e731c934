/* Checks the host code of a variant in two situations: when a runtime call fails, and at sizes that
 * do not fit into an int. The checks need neither a broken device nor a large one. The emulated
 * device lets a call fail on request (LOCKSTEP_FAIL), and simulates allocations of any size
 * (LOCKSTEP_PRETEND). */
#include "explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

/* The maximum number of calls of one function that are made to fail, each in a separate run. The
 * solutions have about ten calls. */
enum { CALLS_MOST = 48 };

typedef struct Try {
  Settings settings;
  Trial trial;
} Try;

/* Starts the run. fail: the number of the call that fails; 0: no call fails, and all allocations
 * are simulated. lines: look up the lines of host calls. */
static void start(Check *check, const JudgedRun *run, unsigned fail, bool lines, Try *try) {
  const Settings *usual = check->settings;
  try->settings = *usual;
  try->settings.run.fail = fail;
  try->settings.run.pretend = fail == 0;
  try->settings.run.no_lines = !lines;
  check->settings = &try->settings;
  check->computes_nothing = !fail;
  try->trial = judged_start(check, run, fail ? "--returned" : "--pretend");
  check->computes_nothing = false;
  check_again_run(check, run, fail ? "" : " --pretend");
  check->settings = usual;
}

/* ---- calls that fail ------------------------------------------------------------------------- */

static const char *const ordinal[] = {"", "the first ", "the second ", "the third ", "the fourth "};

static bool failed_is(const Log *log, const char *part) {
  return strstr(text_at(log->failed, "call"), part) != NULL;
}

/* Writes the failed call, "the second cudaMemcpy". A launch is written "launch <<<...>>>". */
static void name_call(const Log *log, char *out, size_t size) {
  int number = number_at(log->failed, "number");
  bool named = number > 0 && (size_t)number < sizeof ordinal / sizeof *ordinal;
  /* The log has one counter for all calls on streams, and one for all calls on events. So the
   * number of such a call does not identify it, and is not shown. */
  bool alike = !failed_is(log, "Stream") && !failed_is(log, "Event");
  snprintf(out, size, "%s%s", alike ? named ? ordinal[number] : "a later " : "",
           failed_is(log, "LaunchKernel") ? "launch <<<...>>>" : text_at(log->failed, "call"));
}

/* Adds the fact that the checker made the call fail, so that students do not search for a mistake
 * in this call. */
static void say_on_purpose(Verdict *verdict, const Log *log) {
  char place[sizeof verdict->facts[0].place];
  place_format(place, sizeof place, json_string_value(json_object_get(log->failed, "file")),
               number_at(log->failed, "line"));
  verdict_fact(verdict, place, SAID(FAILED_ON_PURPOSE));
}

/* Returns the report about a kernel that was launched with a pointer that the failed call had not
 * set. NULL: there is no such report. */
static const json_t *launched_all_the_same(const Log *log) {
  const json_t *report = log_report(log, "error");
  return json_object_get(report, "thread") ? report : NULL;
}

/* Returns true if the failed call frees something. The student's code may ignore such a failure. */
static bool gives_back(const Log *log) {
  return failed_is(log, "Free") || failed_is(log, "Destroy");
}

/* Judges a run in which a call failed. Only reports about cudaFree count, because calls after the
 * failed one may fail, too. If the failed call is a cudaFree, its buffer stays allocated, and the
 * function may return without an error. live: the number of buffers that are left if no call
 * fails. */
static bool survived(Check *check, const HostSide *side, const Trial *trial, int live) {
  Verdict *verdict = &check->verdict;
  char call[80], again[sizeof verdict->again];
  snprintf(again, sizeof again, "%s", verdict->again);
  name_call(&trial->log, call, sizeof call);
  int first = RETURNED_STATUS(number_at(trial->log.failed, "error"));
  int left = trial->log.live - live - failed_is(&trial->log, "Free");
  if (!verdict_report(verdict, &trial->log, "bad-free") ||
      !verdict_report(verdict, &trial->log, "double-free") ||
      !verdict_ending(verdict, trial, false)) {
    verdict_fact(verdict, "", SAID(RUN_IN_WHICH_FAILS, call));
    if (verdict->kind == VERDICT_BAD_FREE && failed_is(&trial->log, "Malloc"))
      verdict_cause(verdict, SAID(FREED_WITHOUT_VALUE, call));
  } else if (trial->end.code == 0 && !gives_back(&trial->log)) {
    verdict_set(verdict, VERDICT_ERROR_IGNORED, SAID(FAILURE_NOT_RETURNED, call, side->function));
    verdict_cause(verdict, SAID(KEEP_FIRST_ERROR));
  } else if (trial->end.code && trial->end.code != first && !side->calls &&
             !gives_back(&trial->log)) {
    verdict_set(verdict, VERDICT_ERROR_IGNORED, SAID(OTHER_ERROR_RETURNED, call, side->function));
    verdict_cause(verdict, SAID(RETURN_FIRST_ERROR));
  } else if (launched_all_the_same(&trial->log)) {
    verdict_set(
        verdict, VERDICT_ERROR_IGNORED,
        SAID(LAUNCHED_AFTER_FAILURE, call, text_at(launched_all_the_same(&trial->log), "kernel")));
    verdict_cause(verdict, SAID(LAUNCH_WITHOUT_TRY));
  } else if (left > 0) {
    verdict_set(verdict, VERDICT_LEAK,
                SAID(NOT_FREED_AFTER_FAILURE, call, left,
                     phrase(left == 1 ? SAY_BUFFER_WAS : SAY_BUFFERS_WERE)));
    verdict_cause(verdict, SAID(FREE_AFTER_FAILURE));
  }
  snprintf(verdict->again, sizeof verdict->again, "%s", again);
  if (verdict_failed(verdict))
    say_on_purpose(verdict, &trial->log);
  return !verdict_failed(verdict);
}

/* Called if no call failed in this run. Returns true if the usual run has fewer than `fail` calls,
 * so that the run is complete. Otherwise fills in the verdict: the program did not make a call that
 * it makes in the usual run. */
static bool came_so_far(Check *check, const HostSide *side, const Log *usual, unsigned fail) {
  if (fail > usual->calls)
    return true;
  verdict_set(&check->verdict, VERDICT_ERROR_IGNORED,
              SAID(OTHER_CALLS_AFTER_FAILURE, side->function));
  verdict_cause(&check->verdict, SAID(CALL_NOT_MADE, fail, usual->calls));
  return false;
}

/* Makes call number `fail` fail and judges the run. lines: look up the lines of host code, which
 * takes longer than the rest of the run. Sets *more to true if the run made such a call. */
static bool tells_failure(Check *check, const HostSide *side, const JudgedRun *run,
                          const Log *usual, unsigned fail, bool lines, bool *more) {
  Try try;
  bool good = true;
  memset(&check->verdict, 0, sizeof check->verdict);
  start(check, run, fail, lines, &try);
  const char *call = text_at(try.trial.log.failed, "call");
  *more = try.trial.log.failed != NULL;
  if (*more && (!side->calls || strncmp(call, side->calls, strlen(side->calls)) == 0))
    good = survived(check, side, &try.trial, usual->live);
  else if (!*more)
    good = verdict_report(&check->verdict, &try.trial.log, "error") &&
           verdict_ending(&check->verdict, &try.trial, false) &&
           came_so_far(check, side, usual, fail);
  trial_free(&try.trial);
  return good;
}

/* Makes one call after the other fail. One additional run has a number after the last call, and no
 * call of it may fail. To limit the number of runs, CALLS_MOST or more calls are divided into
 * CALLS_MOST equal ranges, and the seed draws one call of each range. */
bool host_tells_failures(Check *check, const HostSide *side, const JudgedRun *run,
                         const Log *usual) {
  uint64_t calls = (unsigned)usual->calls, last = calls < CALLS_MOST ? calls + 1 : calls;
  unsigned runs = last < CALLS_MOST ? (unsigned)last : CALLS_MOST;
  bool more = !check->settings->build.on_gpu, good = true;
  for (unsigned i = 0; more && good && i < runs; i++) {
    unsigned first = (unsigned)(last * i / runs), next = (unsigned)(last * (i + 1) / runs);
    unsigned fail =
        1 + first + seed_draw(check->settings->run.seed, "call that fails", i, next - first);
    good = tells_failure(check, side, run, usual, fail, false, &more) ||
           tells_failure(check, side, run, usual, fail, true, &more);
  }
  if (good)
    check->verdict.again[0] = '\0';
  return good;
}

bool host_tells_launches(Check *check, const HostSide *side, const JudgedRun *run) {
  Trial usual;
  bool good = judged_right(check, run, &usual) && host_tells_failures(check, side, run, &usual.log);
  trial_free(&usual);
  return good;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static double copied(const Log *log, const char *direction) {
  double sum = 0;
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(log->copies, direction), i, each) sum +=
      json_number_value(json_object_get(each, "bytes"));
  return sum;
}

/* Returns true if the run needs too much memory. Allocations of managed and pinned memory are not
 * simulated, and no computer has enough memory for these sizes. */
static bool asks_too_much(const Trial *trial) {
  return json_number_value(json_object_get(trial->log.copies, "shared")) > 0 ||
         trial->end.how == CHILD_TOO_BIG || trial->end.how == CHILD_TIMED_OUT;
}

static bool all_copied(Check *check, const JudgedRun *run, const Log *log) {
  const Problem *problem = run->subject->problem;
  Instance instance = {.problem = problem, .element_bytes = check_element_bytes(check)};
  int output = problem_inputs(problem);
  double in = 0, out;
  memcpy(instance.size, run->size, sizeof instance.size);
  for (int i = 0; i < output; i++)
    in += (double)operand_bytes(&instance, i);
  out = (double)operand_bytes(&instance, output);
  if (copied(log, "to_device") >= in && copied(log, "to_host") >= out)
    return true;
  verdict_set(&check->verdict, VERDICT_SIZE,
              SAID(BYTES_COPIED_OF, copied(log, "to_device"), in, copied(log, "to_host"), out));
  return false;
}

bool host_counts_bytes(Check *check, const HostSide *side, const JudgedRun *run) {
  Verdict *verdict = &check->verdict;
  Try try;
  if (check->settings->build.on_gpu)
    return true;
  start(check, run, 0, true, &try);
  char again[sizeof verdict->again];
  snprintf(again, sizeof again, "%s", verdict->again);
  const Trial *trial = &try.trial;
  if (asks_too_much(trial)) {
    verdict->again[0] = '\0';
  } else if (verdict_report(verdict, &trial->log, "error") &&
             verdict_ending(verdict, trial, false)) {
    if (trial->end.code != 0)
      verdict_set(verdict, VERDICT_SIZE, SAID(FAILS_WITHOUT_NEED, side->function));
    else if (!side->calls)
      all_copied(check, run, &trial->log);
  }
  bool good = !verdict_failed(verdict);
  if (!good) {
    char sizes[80];
    judged_sizes(run, sizes, sizeof sizes);
    verdict_fact(verdict, "", SAID(SIZES_PRETENDED, sizes));
    verdict_cause(verdict, said_plain(side->cause));
    snprintf(verdict->again, sizeof verdict->again, "%s", again);
  } else {
    verdict->again[0] = '\0';
  }
  trial_free(&try.trial);
  return good;
}
