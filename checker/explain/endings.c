/* Judges the reports of observers, how the program ended, and whether its result can be read.
 * Reports are judged first, because they name the line of the mistake. */
#include "explain/explain.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "words.h"

/* ---- reports -------------------------------------------------------------------------------- */

static void report_place(const json_t *report, const char *file_key, const char *line_key,
                         char *out, size_t size) {
  place_format(out, size, json_string_value(json_object_get(report, file_key)),
               (int)json_integer_value(json_object_get(report, line_key)));
}

static bool format_thread(char who[WHO_BYTES], const json_t *thread, const json_t *block) {
  uint32_t t[3], b[3];
  for (size_t i = 0; i < 3; i++) {
    t[i] = (uint32_t)json_integer_value(json_array_get(thread, i));
    b[i] = (uint32_t)json_integer_value(json_array_get(block, i));
  }
  who_text(who, t, b);
  return json_is_array(thread);
}

/* Adds a fact with its place: "thread (7,3) of block (0,0) wrote it". prefix: "" for the first
 * thread of a report, "other_" for the second. */
static void report_line(Verdict *verdict, const json_t *report, const char *prefix, bool say_did) {
  char keys[5][24], place[200], thread[WHO_BYTES];
  static const char *const names[] = {"file", "line", "thread", "block", "did"};
  for (size_t i = 0; i < 5; i++)
    snprintf(keys[i], sizeof keys[i], "%s%s", prefix, names[i]);
  report_place(report, keys[0], keys[1], place, sizeof place);
  bool known =
      format_thread(thread, json_object_get(report, keys[2]), json_object_get(report, keys[3]));
  if (!known && !place[0])
    return;
  const char *did = say_did ? text_at(report, keys[4]) : "";
  if (!known)
    verdict_fact(verdict, place, did[0] ? SAID(DID, did) : SAID(IN_HOST_CODE));
  else
    verdict_fact(verdict, place, did[0] ? SAID(THREAD_DID, thread, did) : SAID(THREAD, thread));
}

/* Adds a fact for the first thread of a report and, if the report has a second thread, for that
 * thread. */
static void report_lines(Verdict *verdict, const json_t *report) {
  bool two = json_object_get(report, "other_line") && json_object_get(report, "other_did");
  report_line(verdict, report, "", two);
  if (two)
    report_line(verdict, report, "other_", true);
  if (text_at(report, "detail")[0])
    verdict_fact(verdict, "", SAID(REPORTED_DETAIL, text_at(report, "detail")));
}

bool verdict_report(Verdict *verdict, const Log *log, const char *which) {
  const json_t *report = log_report(log, which);
  if (!report)
    return true;
  verdict_set(verdict, verdict_kind(report), SAID(REPORTED, text_at(report, "sentence")));
  snprintf(verdict->buffer, sizeof verdict->buffer, "%s", text_at(report, "buffer"));
  report_lines(verdict, report);
  verdict_cause(verdict, SAID(REPORTED_CAUSE, text_at(report, "cause")));
  return false;
}

bool verdict_past_tile(Verdict *verdict, const json_t *report, const char *sum, double threads,
                       double length, double tile) {
  double steps = ceil(length / tile), times = json_number_value(json_object_get(report, "times"));
  bool on = times == threads * (length - tile) || times == threads * (steps - 1) * tile;
  bool far = times == threads * (length - tile) * steps;
  if (verdict->kind != VERDICT_OUT_OF_BOUNDS || steps < 2 ||
      strcmp(text_at(report, "space"), "shared") != 0)
    return false;
  if (on)
    verdict_cause(verdict, SAID(INDEX_PAST_TILE, text_at(report, "buffer")));
  else if (far)
    verdict_cause(verdict, SAID(LOOP_PAST_TILE, sum, tile));
  return on || far;
}

/* ---- how the program ended ------------------------------------------------------------------ */

static void describe_signal(Verdict *verdict, int signal) {
  if (signal == SIGSEGV || signal == SIGBUS) {
    verdict_set(verdict, VERDICT_CRASH, SAID(HOST_CRASHED, strsignal(signal)));
    verdict_cause(verdict, SAID(HOST_POINTER_ASTRAY));
  } else if (signal == SIGABRT) {
    verdict_set(verdict, VERDICT_CRASH, SAID(ABORTED));
    verdict_cause(verdict, SAID(ASSERTION_OR_HEAP));
  } else if (signal == SIGFPE) {
    verdict_set(verdict, VERDICT_CRASH, SAID(DIVIDED_BY_ZERO));
    verdict_cause(verdict, SAID(GRID_DIVISION));
  } else if (signal == SIGSYS) {
    verdict_say(verdict, VERDICT_WALLS);
    verdict_cause(verdict, SAID(ASKED_THE_SYSTEM));
  } else {
    verdict_set(verdict, VERDICT_CRASH, SAID(ENDED_BY_SIGNAL, signal, strsignal(signal)));
  }
}

static void describe_limit(Verdict *verdict, const ChildEnd *end) {
  if (end->how == CHILD_TIMED_OUT) {
    verdict_set(verdict, VERDICT_TIME_OUT, SAID(STILL_RUNNING, end->seconds));
    verdict_cause(verdict, SAID(LOOP_WITHOUT_END));
  } else if (end->how == CHILD_SPENT) {
    verdict_set(verdict, VERDICT_TIME_OUT, SAID(BUDGET_SPENT, end->seconds));
    verdict_cause(verdict, SAID(HOST_WAITS));
  } else if (end->how == CHILD_ASKED) {
    verdict_set(verdict, VERDICT_TIME_OUT, SAID(STILL_CALLING));
    verdict_cause(verdict, SAID(HOST_LOOP_WITHOUT_END));
  } else if (end->how == CHILD_TOO_BIG) {
    verdict_say(verdict, VERDICT_MEMORY);
    verdict_cause(verdict, SAID(ALLOCATES_IN_A_LOOP));
  } else if (end->how == CHILD_TOO_MANY) {
    verdict_say(verdict, VERDICT_PROCESSES);
    verdict_cause(verdict, SAID(NO_PROCESSES_NEEDED));
  } else {
    verdict_say(verdict, VERDICT_FLOOD);
    verdict_cause(verdict, SAID(WRITES_IN_A_LOOP));
  }
}

/* Returns true if the program ended too early. A run without a device leaves no log, but it leaves
 * a result. */
static bool unfinished(const Trial *trial) {
  const Log *log = &trial->log;
  return log->cut || (log->started ? !log->ended : !log->doubtful && !trial->output.there);
}

static bool forged(const Trial *trial) {
  const Log *log = &trial->log;
  return log->doubtful || (log->started && log->pid != trial->end.pid);
}

/* Returns true if at least three quarters of the characters are letters, digits or blanks. Other
 * output is not worth showing. */
static bool is_text(const char *words) {
  size_t letters = 0, all = strlen(words);
  for (size_t i = 0; i < all; i++)
    letters += isalnum((unsigned char)words[i]) || words[i] == ' ';
  return all && 4 * letters >= 3 * all;
}

bool verdict_ending(Verdict *verdict, const Trial *trial, bool on_gpu) {
  const ChildEnd *end = &trial->end;
  if (end->how == CHILD_SIGNALLED)
    describe_signal(verdict, end->code);
  else if (end->how == CHILD_NOT_STARTED) {
    verdict_set(verdict, VERDICT_NOT_STARTED, SAID(NOT_STARTED, end->last_words));
    verdict_cause(verdict, SAID(CHANGES_THE_LOADING));
  } else if (end->how != CHILD_EXITED)
    describe_limit(verdict, end);
  else if (trial->log.unreadable[0]) {
    verdict_say(verdict, VERDICT_NOT_READ);
    verdict_cause(verdict, SAID(DEVICE_CODE_UNREADABLE, trial->log.unreadable));
    return false;
  } else if (trial->log.refused[0]) {
    verdict_say(verdict, VERDICT_NOT_REPEATED);
    verdict_cause(verdict, SAID(NOT_REPEATABLE, trial->log.refused));
    /* The program's last line is not shown, because the replay prints the same message. */
    return false;
  } else if (!on_gpu && forged(trial)) {
    verdict_say(verdict, VERDICT_BAD_LOG);
    verdict_cause(verdict, SAID(WRITES_TO_LOG));
  } else if (!on_gpu && unfinished(trial)) {
    verdict_set(verdict, VERDICT_ENDED_EARLY, SAID(ENDED_TOO_EARLY, end->code));
    verdict_cause(verdict, SAID(CALLS_EXIT));
  } else
    return true;
  if (is_text(end->last_words) && (end->how == CHILD_EXITED || end->how == CHILD_SIGNALLED))
    verdict_fact(verdict, "", SAID(LAST_WORDS, end->last_words));
  return false;
}

bool verdict_output(Verdict *verdict, const Trial *trial, size_t rows, size_t columns,
                    size_t element_bytes) {
  const ResultFile *output = &trial->output;
  if (!output->there)
    verdict_set(verdict, VERDICT_NO_OUTPUT, SAID(UNREADABLE, output->problem));
  else if (output->rows != rows || output->columns != columns)
    verdict_set(verdict, VERDICT_BAD_OUTPUT,
                SAID(RESULT_HAS_SIZES, output->rows, output->columns, rows, columns));
  else if (output->element_bytes != element_bytes)
    verdict_set(verdict, VERDICT_BAD_OUTPUT,
                SAID(RESULT_HAS_WIDTH, output->element_bytes, element_bytes));
  else
    return true;
  if (trial->end.last_words[0])
    verdict_fact(verdict, "", SAID(LAST_WORDS, trial->end.last_words));
  if (trial->end.code != 0)
    verdict_fact(verdict, "", SAID(EXIT_CODE, trial->end.code));
  else if (!output->there)
    verdict_cause(verdict, SAID(ENDED_BEFORE_RESULT));
  return false;
}
