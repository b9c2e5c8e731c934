/* The host's side of a variant where things do not go well: calls that fail, one after the other, and sizes
 * for which an int is too short. Neither needs a device that is broken or large: the emulated one fails
 * as it is told (LOCKSTEP_FAIL), and pretends sizes that nobody has memory for (LOCKSTEP_PRETEND).
 */
#include "checker.h"

#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { CALLS_MOST = 200 }; /* a function with more of them is not asked about the rest */

typedef struct Try {
  Settings settings;
  Trial trial;
} Try;

/* fail 0: the sizes are pretended. */
static void start(Check *check, const JudgedRun *run, unsigned fail, bool lines, Try *try) {
  const Settings *usual = check->settings;
  try->settings = *usual;
  try->settings.fail = fail;
  try->settings.pretend = fail == 0;
  try->settings.no_lines = !lines;
  check->settings = &try->settings;
  try->trial = judged_start(check, run, fail ? "--returned" : "--pretend");
  check_again_run(check, run, fail ? "" : " --pretend");
  check->settings = usual;
}

/* ---- calls that fail ------------------------------------------------------------------------- */

static const char *const ordinal[] = {"", "the first ", "the second ", "the third ", "the fourth "};

static bool failed_is(const Log *log, const char *part) {
  return strstr(text_at(log->failed, "call"), part) != NULL;
}

/* "the second cudaMemcpy"; a launch as the source has it */
static void name_call(const Log *log, char *out, size_t size) {
  int number = number_at(log->failed, "number");
  bool named = number > 0 && (size_t)number < sizeof ordinal / sizeof *ordinal;
  bool alike = !failed_is(log, "Stream") && !failed_is(log, "Event"); /* counted as one kind */
  snprintf(out, size, "%s%s", alike ? named ? ordinal[number] : "a later " : "",
           failed_is(log, "LaunchKernel") ? "launch <<<...>>>" : text_at(log->failed, "call"));
}

/* Who reads of a call that failed looks for the mistake there. */
static void say_on_purpose(Verdict *verdict, const Log *log) {
  char place[sizeof verdict->lines[0].place];
  place_format(place, sizeof place, json_string_value(json_object_get(log->failed, "file")),
               number_at(log->failed, "line"));
  verdict_line(verdict, place, "the check made it fail, on purpose");
}

/* A kernel that followed a pointer which the failed call had not set. */
static const json_t *launched_all_the_same(const Log *log) {
  const json_t *report = log_report(log, "error");
  return json_object_get(report, "thread") ? report : NULL;
}

/* Nobody has to tell that something could not be given back. */
static bool gives_back(const Log *log) {
  return failed_is(log, "Free") || failed_is(log, "Destroy");
}

/* Of the reports only those about cudaFree: calls after the failed one fail, too, and may. A cudaFree that
 * fails leaves its buffer, and nobody has to tell. */
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
    verdict_line(verdict, "", "this is a run in which %s fails", call);
  } else if (trial->end.code == 0 && !gives_back(&trial->log)) {
    verdict_set(verdict, VERDICT_ERROR_IGNORED, "%s failed, and %s returned success", call,
                side->function);
    verdict_cause(verdict, "every CUDA call returns an error, and a launch tells its own by "
                           "cudaGetLastError: keep the first one and return it");
  } else if (trial->end.code && trial->end.code != first && !side->calls &&
             !gives_back(&trial->log)) {
    verdict_set(verdict, VERDICT_ERROR_IGNORED, "%s failed, and %s returned another error", call,
                side->function);
    verdict_cause(verdict,
                  "return the first error, and call nothing after it but cudaFree: TRY does so");
  } else if (launched_all_the_same(&trial->log)) {
    verdict_set(verdict, VERDICT_ERROR_IGNORED, "%s failed, and %s was launched all the same", call,
                text_at(launched_all_the_same(&trial->log), "kernel"));
    verdict_cause(verdict,
                  "a launch has no TRY: if (error == cudaSuccess) stands before it, or the "
                  "kernel follows pointers that were never set");
  } else if (left > 0) {
    verdict_set(verdict, VERDICT_LEAK, "%s failed, and then %d buffer%s never freed", call, left,
                left == 1 ? " was" : "s were");
    verdict_cause(verdict,
                  "after a failed call, the cudaFree of all and nothing else: TRY leaves out what "
                  "follows, so cudaFree stands outside of it, and behind no early return");
  }
  snprintf(verdict->again, sizeof verdict->again, "%s", again);
  if (verdict->headline[0])
    say_on_purpose(verdict, &trial->log);
  return verdict->headline[0] == '\0';
}

/* Up to the call that fails, every run makes the same calls. */
static bool came_so_far(Check *check, const HostSide *side, const Log *usual, unsigned fail) {
  if (fail > usual->calls)
    return true;
  verdict_set(&check->verdict, VERDICT_ERROR_IGNORED,
              "%s makes other calls where one of them fails", side->function);
  verdict_cause(&check->verdict,
                "call %u of %.0f was to fail, and was not made: up to there "
                "nothing is different",
                fail, usual->calls);
  return false;
}

/* Lines of host code are looked for where there is something to say, which takes longer than all the rest. *more: there was
 * such a call. */
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

bool host_tells_failures(Check *check, const HostSide *side, const JudgedRun *run,
                         const Log *usual) {
  bool more = !check->settings->on_gpu, good = true;
  for (unsigned fail = 1; more && good && fail <= CALLS_MOST; fail++)
    good = tells_failure(check, side, run, usual, fail, false, &more) ||
           tells_failure(check, side, run, usual, fail, true, &more);
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

/* Managed and pinned memory is touched for real, and nobody has that much. */
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
              "%.0f of %.0f bytes were copied to the device, %.0f of %.0f back",
              copied(log, "to_device"), in, copied(log, "to_host"), out);
  return false;
}

bool host_counts_bytes(Check *check, const HostSide *side, const JudgedRun *run) {
  Verdict *verdict = &check->verdict;
  Try try;
  if (check->settings->on_gpu)
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
      verdict_set(verdict, VERDICT_SIZE, "%s fails where it need not: the device has memory enough",
                  side->function);
    else if (!side->calls)
      all_copied(check, run, &trial->log);
  }
  bool good = !verdict->headline[0];
  if (!good) {
    char sizes[80];
    judged_sizes(run, sizes, sizeof sizes);
    verdict_line(verdict, "", "pretended, with nothing touched:%s", sizes);
    verdict_cause(verdict, "%s", side->cause);
    snprintf(verdict->again, sizeof verdict->again, "%s", again);
  } else {
    verdict->again[0] = '\0';
  }
  trial_free(&try.trial);
  return good;
}
