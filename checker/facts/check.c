/* The functions that the checks of all tasks use. These functions run the lab program, or a replay
 * of the program, with the settings of the check, and compare counters with gates. */
#include "facts/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/harness.h"
#include "words.h"

enum { ARGUMENTS_MOST = 32 };

static Trial read_trial(const ChildEnd *end, const Leavings *left) {
  return (Trial){.end = *end, .log = log_read(left->log), .output = result_file_read(left->output)};
}

/* The sandbox of a run. log, output: the names of the program's two files inside the sandbox. */
typedef struct Passed {
  Sandbox box;
  char log[24], output[24];
} Passed;

static void pass_file(const char *path, int *file, char name[24]) {
  *file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (*file < 0)
    bad_input("%s: %s", path, strerror(errno));
  snprintf(name, 24, "/dev/fd/%d", *file);
}

static void pass_files(Passed *passed, const char *log, const char *output) {
  pass_file(log, &passed->box.pass[0], passed->log);
  pass_file(output, &passed->box.pass[1], passed->output);
}

/* Deletes the two files if they are still empty. Then a program that writes nothing leaves no file,
 * with or without a sandbox. */
static void take_back(const Passed *passed, const char *log, const char *output) {
  const char *paths[] = {log, output};
  struct stat status;
  for (size_t i = 0; i < 2; i++) {
    close(passed->box.pass[i]);
    if (stat(paths[i], &status) == 0 && status.st_size == 0)
      unlink(paths[i]);
  }
}

static bool says_no_device(const ChildEnd *end) {
  return end->how == CHILD_EXITED && end->code == 2 && strstr(end->last_words, NO_DEVICE);
}

/* Returns true if this machine has no device. Any program can print that message, so the reference
 * solution is started, too, if it exists. */
static bool no_device(const Settings *settings, const char *program) {
  const char *arguments[] = {settings->build.reference, "--size", "32", "--no-time", NULL};
  if (!settings->build.reference || strcmp(program, settings->build.reference) == 0)
    return true;
  ChildEnd end = child_run(&(ChildRequest){.arguments = arguments, .seconds = 60});
  return says_no_device(&end);
}

/* Called if a program could not be started. If a program of the workbook itself cannot be started
 * in the same sandbox either, calls not_started. Otherwise the student's file is the cause of the
 * failure. */
static void blame_for_start(const Settings *settings, const char *program, const Sandbox *box,
                            const ChildEnd *end) {
  const char *ours =
      settings->build.replay[0] ? settings->build.replay[0] : settings->build.reference;
  const char *arguments[] = {ours, "--help", NULL};
  static bool starts;
  if (!box || !ours || strcmp(program, ours) == 0)
    not_started(settings, program, end);
  if (starts)
    return;
  Sandbox same = {.on_gpu = box->on_gpu, .offline = box->offline, .readable = box->readable};
  ChildEnd control =
      child_run(&(ChildRequest){.arguments = arguments, .seconds = 60, .box = &same});
  if (control.how == CHILD_NOT_STARTED)
    not_started(settings, ours, &control);
  starts = true;
}

static bool take_turn(void *settings, bool alone) { return gpu_take(settings, alone); }
static void leave_turn(void *settings) { (void)settings, gpu_leave(); }

/* Runs a program that writes a log and a result: the student's own program, or a replay.
 * transcript: the calls that the replay repeats, or NULL. */
static ChildEnd run(const Settings *settings, const char **arguments, const Leavings *leavings,
                    const char *transcript) {
  bool walls = sandbox_wanted(settings), replay = arguments[0] == settings->build.replay[0];
  Passed passed = {.box = {.on_gpu = settings->build.on_gpu,
                           .offline = settings->walls.offline,
                           .readable = settings->walls.readable}};
  ChildRequest request = {.arguments = arguments,
                          .files = {leavings->log, leavings->output},
                          .log = leavings->log,
                          .heard = leavings->heard,
                          .predicted = leavings->predicted,
                          .card = settings->build.card,
                          .fail = settings->run.fail,
                          .kernels = settings->run.kernels,
                          .pretend = settings->run.pretend,
                          .no_lines = settings->run.no_lines,
                          .schedule = settings->run.schedule,
                          .seconds = leavings->seconds,
                          .budget = settings->walls.budget};
  if (replay) {
    request.object = passed.box.object = settings->build.object[0];
    request.transcript = passed.box.transcript = transcript;
    request.recorded = passed.box.recorded = transcript ? settings->build.program : NULL;
  }
  if (walls) {
    pass_files(&passed, leavings->log, leavings->output);
    request.box = &passed.box;
    request.log = passed.log;
    request.object = replay ? SANDBOX_OBJECT : NULL;
    request.transcript = request.transcript ? SANDBOX_TRANSCRIPT : NULL;
    request.recorded = request.recorded ? SANDBOX_RECORDED : NULL;
    passed.box.kernels = settings->run.kernels;
    request.kernels = settings->run.kernels ? SANDBOX_KERNELS : NULL;
  }
  if (leavings->named)
    *leavings->named = walls ? passed.output : leavings->output;
  Turns turns = {take_turn, leave_turn, (void *)(uintptr_t)settings};
  if (settings->build.on_gpu && (settings->walls.gpu_lock || leavings->turns))
    request.turns = leavings->turns ? leavings->turns : &turns;
  ChildEnd end = child_run(&request);
  if (walls)
    take_back(&passed, leavings->log, leavings->output);
  if (end.how == CHILD_NOT_STARTED)
    blame_for_start(settings, arguments[0], request.box, &end);
  return end;
}

/* ---- untrusted programs: the result of a replay is graded ------------------------------------ */

/* Runs the student's program with inputs that are not graded, to record its calls to the device.
 * The program can only write to pipes. */
static ChildEnd record(const Settings *settings, const char *const *arguments,
                       const Leavings *leavings, const char *transcript) {
  const char *all[ARGUMENTS_MOST + 3] = {settings->build.program};
  char seed[24];
  size_t count = 1;
  Sandbox box = {.readable = settings->walls.readable, .offline = settings->walls.offline};
  FILE *asked = fopen(transcript, "we");
  if (!asked)
    bad_input("%s: %s", transcript, strerror(errno));
  snprintf(seed, sizeof seed, "%u", seed_of(settings, SEED_SHOWN));
  for (size_t i = 1; arguments[i] && count < ARGUMENTS_MOST; i++) {
    bool name = leavings->named && &arguments[i] == leavings->named;
    if (strcmp(arguments[i], "--seed") == 0 && arguments[i + 1])
      i++;
    else
      all[count++] = name ? "/dev/null" : arguments[i];
  }
  all[count++] = "--seed";
  all[count++] = seed;
  ChildEnd end = child_run(&(ChildRequest){.arguments = all,
                                           .asked = asked,
                                           .card = settings->build.card,
                                           .fail = settings->run.fail,
                                           .pretend = settings->run.pretend,
                                           .no_lines = settings->run.no_lines,
                                           .schedule = settings->run.schedule,
                                           .seconds = leavings->seconds,
                                           .budget = settings->walls.budget,
                                           .box = sandbox_wanted(settings) ? &box : NULL});
  if (fclose(asked) != 0)
    bad_input("%s: %s", transcript, strerror(errno));
  if (end.how == CHILD_NOT_STARTED)
    blame_for_start(settings, all[0], sandbox_wanted(settings) ? &box : NULL, &end);
  return end;
}

/* The variants that call a function of the student's file. Their replays need a transcript. A
 * variant is added to the list when its first replay stops because it has no transcript. */
static const char *hosted[16];
static size_t hosted_count;

static const char *variant_of(const char *const *arguments) {
  for (size_t i = 1; arguments[i]; i++)
    if (strcmp(arguments[i], "--variant") == 0 && arguments[i + 1])
      return arguments[i + 1];
  return "";
}

static bool is_hosted(const char *variant) {
  for (size_t i = 0; i < hosted_count; i++)
    if (strcmp(hosted[i], variant) == 0)
      return true;
  return false;
}

static bool stopped_at_host(const Leavings *leavings, const char *variant) {
  Log log = log_read(leavings->log);
  bool host = log.host;
  log_free(&log);
  if (host && hosted_count < sizeof hosted / sizeof hosted[0] &&
      !(hosted[hosted_count++] = strdup(variant)))
    bad_input("out of memory");
  return host;
}

/* Runs a replay. If it needs a transcript, runs the student's program first. If the student's
 * program did not end normally, returns how it ended. */
static ChildEnd run_apart(const Settings *settings, const char **arguments,
                          const Leavings *leavings) {
  char transcript[340];
  ChildEnd end = {.how = CHILD_EXITED};
  if (leavings->named)
    *leavings->named = leavings->output;
  const char *variant = variant_of(arguments);
  arguments[0] = settings->build.replay[0];
  if (!is_hosted(variant)) {
    end = run(settings, arguments, leavings, NULL);
    if (!stopped_at_host(leavings, variant))
      return end;
    if (leavings->heard)
      /* Drops the text of the first replay, because the second replay prints it again. */
      rewind(leavings->heard);
  }
  snprintf(transcript, sizeof transcript, "%s.asked", leavings->log);
  ChildEnd recorded = record(settings, arguments, leavings, transcript);
  unlink(leavings->log);
  unlink(leavings->output);
  end = run(settings, arguments, leavings, transcript);
  unlink(transcript);
  Log log = log_read(leavings->log);
  if (recorded.how != CHILD_EXITED || (end.how == CHILD_EXITED && !log.ended && !log.refused[0])) {
    recorded.pid = end.pid;
    end = recorded;
  }
  log_free(&log);
  return end;
}

ChildEnd check_run(const Settings *settings, const char **arguments, const Leavings *leavings) {
  if (settings->build.replay[0])
    return run_apart(settings, arguments, leavings);
  ChildEnd end = run(settings, arguments, leavings, NULL);
  /* The lack of a device is not the student's mistake, so no marks are written. The emulated device
   * always exists, so a program that claims that there is no device is graded. */
  if (settings->build.on_gpu && says_no_device(&end) && no_device(settings, arguments[0]))
    bad_input("%s", end.last_words);
  return end;
}

static void name_leavings(Check *check, char *log, char *output, size_t size) {
  check->runs++;
  snprintf(log, size, "%s/%u.log", check->folder, check->runs);
  snprintf(output, size, "%s/%u.out", check->folder, check->runs);
}

static double seconds_of_run(const Check *check) {
  const double all = check->settings->run.seconds, few = 1;
  const int many = 4;
  return check->computes_nothing ? (few < all ? few : all) : all * (check->many_in_one ? many : 1);
}

static Trial start(Check *check, const char **all, const char **named) {
  char log[320], output[320];
  Leavings leavings = {
      .log = log, .output = output, .named = named, .seconds = seconds_of_run(check)};
  name_leavings(check, log, output, sizeof log);
  ChildEnd end = check_run(check->settings, all, &leavings);
  Trial trial = read_trial(&end, &leavings);
  unlink(log);
  unlink(output);
  return trial;
}

/* Returns the key of a run in the cache: its arguments and the settings that differ between runs of
 * a lab. */
static char *key_of(const Settings *settings, const char *const *arguments) {
  char *key;
  size_t size;
  FILE *text = open_memstream(&key, &size);
  fprintf(text, "%u %u %d %d", settings->run.schedule, settings->run.fail, settings->run.pretend,
          settings->run.no_lines);
  for (size_t i = 0; arguments[i]; i++)
    fprintf(text, " %s", arguments[i]);
  if (fclose(text) != 0)
    bad_input("out of memory");
  return key;
}

/* Stores the arguments of a run in `all`. first: options before the path of the result, or NULL.
 * Returns the element of `all` for that path. */
static const char **words_of(const Settings *settings, const char *const *first,
                             const char *const *arguments, const char *all[ARGUMENTS_MOST]) {
  const char **named = NULL;
  size_t count = 0;
  all[count++] = settings->build.program;
  for (; first && *first; first++)
    all[count++] = *first;
  if (first)
    *(named = &all[count++]) = "-";
  for (; *arguments && count + 1 < ARGUMENTS_MOST; arguments++)
    all[count++] = *arguments;
  all[count] = NULL;
  return named;
}

/* Returns the run from the cache, or starts it. fresh: starts the run in any case, and updates the
 * cache. */
static Trial start_or_know(Check *check, const char *const *first, const char *const *arguments,
                           bool fresh) {
  const Settings *settings = check->settings;
  const char *all[ARGUMENTS_MOST], **named = words_of(settings, first, arguments, all);
  Trial trial;
  char *key = settings->run.kernels ? NULL : key_of(settings, all);
  if (!key || fresh || !known_run(key, &trial)) {
    trial = start(check, all, named);
    if (key && (!settings->build.on_gpu || fresh))
      known_keep(key, &trial);
  }
  work_add(check->kernels, &trial.log);
  free(key);
  return trial;
}

static const char *const with_result[] = {"--no-check", "--output", NULL};
static const char *const with_result_on_gpu[] = {"--no-check", "--no-time", "--output", NULL};

static const char *const *first_words(const Settings *settings) {
  return settings->build.on_gpu ? with_result_on_gpu : with_result;
}

Trial check_start(Check *check, const char *const *arguments) {
  return start_or_know(check, first_words(check->settings), arguments, false);
}

Trial check_start_alone(Check *check, const char *const *arguments) {
  return start_or_know(check, first_words(check->settings), arguments, true);
}

Trial check_start_plain(Check *check, const char *const *arguments) {
  return start_or_know(check, NULL, arguments, false);
}

/* lists: `count` lists of arguments, each of which has at most ARGUMENTS_MOST arguments. */
void check_start_ahead(Check *check, const char *const *const *lists, size_t count) {
  const Settings *settings = check->settings;
  const char **all = calloc((count + 1) * ARGUMENTS_MOST, sizeof *all), *none = NULL;
  ResultFile *results = calloc(count, sizeof *results);
  char log[320], output[320];
  if (!all || !results)
    bad_input("out of memory");
  Leavings leavings = {.log = log, .output = output, .seconds = settings->run.seconds};
  leavings.named = words_of(settings, first_words(settings), &none, all);
  size_t words = (size_t)(leavings.named - all) + 1;
  for (size_t i = 0; i < count; i++) {
    all[words++] = "--" OPTION_THEN;
    for (size_t k = 0; lists[i][k]; k++)
      all[words++] = lists[i][k];
  }
  name_leavings(check, log, output, sizeof log);
  ChildEnd end = check_run(settings, all, &leavings);
  size_t ended = result_file_read_all(output, results, count);
  /* If the process was killed, or failed although all runs are complete, its results are dropped.
   * Each run is then repeated in a separate process, which reports the failure. */
  if (end.how != CHILD_EXITED || (end.code != 0 && ended == count))
    while (ended > 0)
      result_file_free(&results[--ended]);
  for (size_t i = 0; i < ended; i++) {
    Trial trial = {.end = {.how = CHILD_EXITED}, .output = results[i], .among = true};
    words_of(settings, first_words(settings), lists[i], all);
    char *key = key_of(settings, all);
    trial.log = log_read(log);
    known_keep(key, &trial);
    trial_free(&trial);
    free(key);
  }
  unlink(log);
  unlink(output);
  free(results);
  free(all);
}

size_t check_element_bytes(const Check *check) {
  return strcmp(check->settings->build.precision, "double") == 0 ? sizeof(double) : sizeof(float);
}

bool check_gate(Check *check, SayId quantity, double now, double ideal, double gate,
                const LogAccess *where) {
  Verdict *verdict = &check->verdict;
  char place[200] = "";
  if (now <= gate) /* false for NaN */
    return true;
  Said missed = isnan(ideal) ? SAID(GATE_TOO_MANY, phrase(quantity), now)
                             : SAID(GATE_MISSED, phrase(quantity), now, ideal, gate);
  if (where)
    place_format(place, sizeof place, where->file, where->line);
  if (verdict_failed(verdict)) {
    verdict_fact(verdict, place, missed);
  } else {
    verdict_set(verdict, VERDICT_GATE, missed);
    if (where)
      verdict_fact(verdict, place, SAID(WORST_ACCESS));
  }
  return false;
}

bool check_gates(Check *check, const CounterGate *gates, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const CounterGate *gate = &gates[i];
    if (check_gate(check, gate->quantity, gate->now, gate->ideal, gate->most, gate->where))
      continue;
    if (gate->cause)
      verdict_cause(&check->verdict, said_plain(gate->cause));
    return false;
  }
  return true;
}

void check_end_part(Check *check) {
  if (!verdict_failed(&check->verdict))
    check->parts_right |= 1u << check->parts;
  else if (!verdict_failed(&check->wrong_part))
    check->wrong_part = check->verdict;
  if (check->wrong_part.kind == VERDICT_GATE && !check->wrong_part.again[0])
    memcpy(check->wrong_part.again, check->last, sizeof check->last);
  check->parts++;
  memset(&check->verdict, 0, sizeof check->verdict);
}

bool check_task_failed(const Check *check, int task) { return check->failed >> task & 1; }

void check_again(Check *check, const char *format, ...) {
  const Settings *settings = check->settings;
  char arguments[120], before[40] = "", number[3], labs[LABS_WORD], *again = check->verdict.again;
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  lab_number(settings->lab, number);
  labs_word(settings, labs);
  if (settings->run.fail)
    snprintf(before, sizeof before, "LOCKSTEP_FAIL=%u ", settings->run.fail);
  else if (settings->run.pretend)
    snprintf(before, sizeof before, "LOCKSTEP_PRETEND=1 ");
  snprintf(again, sizeof check->verdict.again, "%smake run%s%s%s ARGS=\"%s\"", before, number, labs,
           check_element_bytes(check) == sizeof(double) ? " PRECISION=double" : "", arguments);
}
