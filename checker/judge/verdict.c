/* From what is left of a run to one sentence that a student can act on.
 *
 * Order matters: a report of an observer names the line and comes first; then how the program
 * ended; then whether its result can be read. Whether the values are right depends on the lab
 * (judge.c).
 */
#include "checker.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "words.h"

/* ---- kinds ----------------------------------------------------------------------------------- */
static const struct {
  const char *name, *element, *sentence;
} kinds[] = {
    [VERDICT_NONE] = {"", "failure", ""},
#define VERDICT(id, ...) [VERDICT_##id] = {__VA_ARGS__},
#include "verdicts.def"
#define REPORT(id, name, ...) [VERDICT_##id] = {name, "failure", ""},
#include "observe/reports.def"
};

const char *verdict_name(VerdictKind kind) { return kinds[kind].name; }
const char *verdict_element(VerdictKind kind) { return kinds[kind].element; }
const char *verdict_sentence(VerdictKind kind) { return kinds[kind].sentence; }

VerdictKind verdict_kind(const json_t *json) {
  const char *name = text_at(json, "kind");
  size_t kind = sizeof kinds / sizeof kinds[0] - 1;
  while (kind > VERDICT_NONE && strcmp(kinds[kind].name, name) != 0)
    kind--;
  return (VerdictKind)kind;
}

bool verdict_is_race(const Verdict *verdict) {
  switch (verdict->kind) {
  case VERDICT_RACE_SHARED:
  case VERDICT_RACE_WARP:
  case VERDICT_RACE_GLOBAL:
  case VERDICT_RACE_STREAMS:
    return true;
  default:
    return false;
  }
}

/* ---- saying what happened -------------------------------------------------------------------- */
void verdict_say(Verdict *verdict, VerdictKind kind) {
  verdict_set(verdict, kind, "%s", verdict_sentence(kind));
}

void verdict_set(Verdict *verdict, VerdictKind kind, const char *format, ...) {
  va_list arguments;
  memset(verdict, 0, sizeof *verdict);
  verdict->kind = kind;
  va_start(arguments, format);
  vsnprintf(verdict->headline, sizeof verdict->headline, format, arguments);
  va_end(arguments);
}

void verdict_line(Verdict *verdict, const char *place, const char *format, ...) {
  va_list arguments;
  if (verdict->line_count == sizeof verdict->lines / sizeof verdict->lines[0])
    return;
  VerdictLine *line = &verdict->lines[verdict->line_count++];
  snprintf(line->place, sizeof line->place, "%s", place ? place : "");
  va_start(arguments, format);
  vsnprintf(line->text, sizeof line->text, format, arguments);
  va_end(arguments);
}

void verdict_cause(Verdict *verdict, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(verdict->cause, sizeof verdict->cause, format, arguments);
  va_end(arguments);
}

void verdict_cause_more(Verdict *verdict, const char *format, ...) {
  char *to = verdict->cause;
  size_t length = strlen(to), room = sizeof verdict->cause;
  va_list arguments;
  if (length)
    length +=
        (size_t)snprintf(to + length, room - length, to[length - 1] == '?' ? " And " : ". And ");
  if (length >= room)
    return;
  va_start(arguments, format);
  vsnprintf(to + length, room - length, format, arguments);
  va_end(arguments);
}

void suspects_add(Suspects *suspects, const char *format, ...) {
  va_list arguments;
  char *to = suspects->sentence[suspects->count];
  if (suspects->count == sizeof suspects->sentence / sizeof suspects->sentence[0])
    return;
  va_start(arguments, format);
  vsnprintf(to, sizeof suspects->sentence[0], format, arguments);
  va_end(arguments);
  for (size_t i = 0; i < suspects->count; i++)
    if (strcmp(suspects->sentence[i], to) == 0)
      return;
  suspects->count++;
}

void suspects_judge(Suspects *suspects, Alibi alibi, const char *sentence) {
  if (alibi == ALIBI_NONE)
    suspects_add(suspects, "%s", sentence);
  else if (alibi == ALIBI_SILENT &&
           suspects->silent_count < sizeof suspects->silent / sizeof suspects->silent[0])
    suspects->silent[suspects->silent_count++] = sentence;
  else if (alibi == ALIBI_CONTRADICTED &&
           suspects->contradicted_count <
               sizeof suspects->contradicted / sizeof suspects->contradicted[0])
    suspects->contradicted[suspects->contradicted_count++] = sentence;
}

static const char *root, *root_source;

void place_root(const char *path, const char *source) {
  root = path;
  root_source = source;
}

static const char *below(const char *file, const char *folder) {
  size_t length = folder ? strlen(folder) : 0;
  return length && strncmp(file, folder, length) == 0 && file[length] == '/' ? file + length + 1
                                                                             : file;
}

void place_format(char *out, size_t size, const char *file, int line) {
  char here[PATH_MAX];
  out[0] = '\0';
  if (!file || !file[0])
    return;
  file = below(file, root);
  file = below(file, root ? SANDBOX_ROOT : NULL);
  file = below(file, getcwd(here, sizeof here));
  if (strncmp(file, "./", 2) == 0)
    file += 2;
  bool own = strncmp(file, "labs/", 5) == 0 || strncmp(file, "common/", 7) == 0;
  if (root && root_source && (!own || strstr(file, "..") || strpbrk(file, "<>&\"'")))
    file = below(root_source, root);
  if (line > 0)
    snprintf(out, size, "%s:%d", file, line);
  else
    snprintf(out, size, "%s", file);
}

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

/* "thread (7,3) of block (0,0) wrote it", with its place; prefix "other_": the second of two. */
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
  if (known || !did[0])
    verdict_line(verdict, place, "%s%s%s", known ? thread : "in the host code", did[0] ? " " : "",
                 did);
  else
    verdict_line(verdict, place, "%s", did); /* "another lane of its warp read it" */
}

/* Who did it, and where; of two who met, both, and what each did. */
static void report_lines(Verdict *verdict, const json_t *report) {
  bool two = json_object_get(report, "other_line") && json_object_get(report, "other_did");
  report_line(verdict, report, "", two);
  if (two)
    report_line(verdict, report, "other_", true);
  if (text_at(report, "detail")[0])
    verdict_line(verdict, "", "%s", text_at(report, "detail"));
}

bool verdict_report(Verdict *verdict, const Log *log, const char *which) {
  const json_t *report = log_report(log, which);
  if (!report)
    return true;
  verdict_set(verdict, verdict_kind(report), "%s", text_at(report, "sentence"));
  report_lines(verdict, report);
  verdict_cause(verdict, "%s", text_at(report, "cause"));
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
    verdict_cause(verdict,
                  "the index in %s counts on from tile to tile: each tile begins at 0 again",
                  text_at(report, "buffer"));
  else if (far)
    verdict_cause(verdict, "the loop over a tile goes on to %s: a tile holds %.0f of them", sum,
                  tile);
  return on || far;
}

/* ---- how the program ended ------------------------------------------------------------------ */

static void describe_signal(Verdict *verdict, int signal) {
  if (signal == SIGSEGV || signal == SIGBUS) {
    verdict_set(verdict, VERDICT_CRASH, "the host code crashed (%s)", strsignal(signal));
    verdict_cause(verdict, "host code followed a pointer that leads nowhere: a device pointer, a "
                           "freed one, an index past the end, or cudaMemcpy of more bytes than "
                           "the host has there");
  } else if (signal == SIGABRT) {
    verdict_set(verdict, VERDICT_CRASH, "the program aborted itself");
    verdict_cause(verdict, "an assertion failed, or the heap was damaged by a write past a buffer");
  } else if (signal == SIGFPE) {
    verdict_set(verdict, VERDICT_CRASH, "the host code divided by zero");
    verdict_cause(verdict, "look at the divisions that compute the grid");
  } else if (signal == SIGSYS) {
    verdict_say(verdict, VERDICT_WALLS);
    verdict_cause(verdict, "it asked the system for what no lab needs: to start a process, to open "
                           "a connection, to reach for another process or for the kernel");
  } else {
    verdict_set(verdict, VERDICT_CRASH, "the program was ended by signal %d (%s)", signal,
                strsignal(signal));
  }
}

static void describe_limit(Verdict *verdict, const ChildEnd *end) {
  if (end->how == CHILD_TIMED_OUT) {
    verdict_set(verdict, VERDICT_TIME_OUT, "still running after %.0f s: stopped", end->seconds);
    verdict_cause(verdict,
                  "a loop in the host code does not end, or one in a kernel takes far more steps "
                  "than it needs at these sizes: look at what changes its condition");
  } else if (end->how == CHILD_SPENT) {
    verdict_set(verdict, VERDICT_TIME_OUT,
                "the runs of this lab have used up their %.0f s: stopped", end->seconds);
    verdict_cause(verdict, "all of them take a few seconds: does host code wait, or loop?");
  } else if (end->how == CHILD_ASKED) {
    verdict_set(verdict, VERDICT_TIME_OUT, "still running, and calling the device: stopped");
    verdict_cause(verdict,
                  "a loop in the host code does not end: look at what changes its condition");
  } else if (end->how == CHILD_TOO_BIG) {
    verdict_say(verdict, VERDICT_MEMORY);
    verdict_cause(verdict, "the host code allocates in a loop, or a size is far too large");
  } else if (end->how == CHILD_TOO_MANY) {
    verdict_say(verdict, VERDICT_PROCESSES);
    verdict_cause(verdict, "a lab's file starts none at all: the device brings its own");
  } else {
    verdict_say(verdict, VERDICT_FLOOD);
    verdict_cause(verdict, "a loop prints or writes more than any result needs");
  }
}

/* A run of host code only leaves no log, but then it leaves a result. */
static bool unfinished(const Trial *trial) {
  const Log *log = &trial->log;
  return log->cut || (log->started ? !log->ended : !log->doubtful && !trial->output.there);
}

static bool forged(const Trial *trial) {
  const Log *log = &trial->log;
  return log->doubtful || (log->started && log->pid != trial->end.pid);
}

/* Of numbers that somebody printed as text nobody reads anything. */
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
  else if (end->how != CHILD_EXITED)
    describe_limit(verdict, end);
  else if (trial->log.unreadable[0]) {
    verdict_say(verdict, VERDICT_NOT_READ);
    verdict_cause(verdict, "%s", trial->log.unreadable);
    return false;
  } else if (trial->log.refused[0]) {
    verdict_say(verdict, VERDICT_NOT_REPEATED);
    verdict_cause(verdict, "%s", trial->log.refused);
    return false; /* its last words are the same */
  } else if (!on_gpu && forged(trial)) {
    verdict_say(verdict, VERDICT_BAD_LOG);
    verdict_cause(verdict, "the program writes to LOCKSTEP_LOG: leave that file to the device");
  } else if (!on_gpu && unfinished(trial)) {
    verdict_set(verdict, VERDICT_ENDED_EARLY,
                "the program ended before its work was done (exit code %d)", end->code);
    verdict_cause(verdict, "something calls exit(): the lab's file has no need to");
  } else
    return true;
  if (is_text(end->last_words) && (end->how == CHILD_EXITED || end->how == CHILD_SIGNALLED))
    verdict_line(verdict, "", "its last words: %s", end->last_words);
  return false;
}

bool verdict_output(Verdict *verdict, const Trial *trial, size_t rows, size_t columns,
                    size_t element_bytes) {
  const ResultFile *output = &trial->output;
  if (!output->there)
    verdict_set(verdict, VERDICT_NO_OUTPUT, "%s", output->problem);
  else if (output->rows != rows || output->columns != columns)
    verdict_set(verdict, VERDICT_BAD_OUTPUT, "the result has %zu×%zu elements, expected %zu×%zu",
                output->rows, output->columns, rows, columns);
  else if (output->element_bytes != element_bytes)
    verdict_set(verdict, VERDICT_BAD_OUTPUT, "the result's elements have %zu bytes, expected %zu",
                output->element_bytes, element_bytes);
  else
    return true;
  if (trial->end.last_words[0])
    verdict_line(verdict, "", "the program's last words: %s", trial->end.last_words);
  if (trial->end.code != 0)
    verdict_line(verdict, "", "exit code %d", trial->end.code);
  else if (!output->there)
    verdict_cause(verdict, "the program ended before it wrote its result: does something call "
                           "exit()?");
  return false;
}
